/*
 * A gather or a scatter into a destination, for tests that take both, and the place that an index
 * names.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_ENQUEUE_INDEXED_H
#define CLRS_TEST_ENQUEUE_INDEXED_H

#include "clreshape/clreshape.h"

static inline clrs_status enqueue_indexed(bool scatters, clrs_tensor *source,
                                          const clrs_indices *indices, clrs_tensor *destination,
                                          const clrs_on *on, cl_event *event, clrs_error *error) {
  return scatters ? clrs_enqueue_scatter(source, indices, destination, on, event, error)
                  : clrs_enqueue_gather(source, indices, destination, NULL, on, event, error);
}

/* By the rules of the header, along a dim of that extent. Returns -1 if the index is skipped. */
static inline int64_t indexed_place(const clrs_indices *given, int64_t extent, int64_t index) {
  if (given->from_end && index < 0 && index >= -extent)
    return index + extent;
  if (index >= 0 && index < extent)
    return index;
  return given->outside == CLRS_OUTSIDE_CLAMPED && extent > 0 ? (index < 0 ? 0 : extent - 1) : -1;
}

#endif
