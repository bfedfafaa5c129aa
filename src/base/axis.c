/*
 * SPDX-License-Identifier: Apache-2.0
 */
#include "axis.h"

#include <inttypes.h>

clrs_status clrs__axis_normalize(int64_t axis, uint32_t rank, const char *what, uint32_t *index,
                                 clrs_error *error) {
  int64_t limit = (int64_t)rank;
  if (axis < -limit || axis >= limit) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s %" PRId64 " is out of range for rank %u; it must be in [%" PRId64
                      ", %" PRId64 "]",
                      what, axis, rank, -limit, limit - 1);
  }
  *index = (uint32_t)(axis < 0 ? axis + limit : axis);
  return CLRS_OK;
}
