/*
 * What the runtime needs of an element type beyond its width.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "status.h"

/* The cast makes a negative enumerator fail the one comparison too. */
static inline bool clrs__dtype_is_known(clrs_dtype dtype) {
  return (unsigned)dtype < (unsigned)CLRS_DTYPE_COUNT;
}

/* In this library's own words. */
static inline const char *clrs__dtype_text(clrs_dtype dtype) {
  return clrs_dtype_name(dtype, CLRS_TYPES_CLRESHAPE);
}

static inline clrs_status clrs__dtype_check(clrs_dtype dtype, clrs_error *error) {
  return clrs__dtype_is_known(dtype)
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "element type %d is unknown; clrs_dtype has 0 to %d", (int)dtype,
                          CLRS_DTYPE_COUNT - 1);
}
/* Element 0 of a byte is its high bits (OpenVINO's u1). */
bool clrs__dtype_is_msb_first(clrs_dtype dtype);
/* An element may lie across two bytes (OpenVINO's u3 and u6, ONNX's float6s): only dense views of
 * it work. */
bool clrs__dtype_straddles_bytes(clrs_dtype dtype);
/* What so many elements of that many bits take that were counted in memory, whose bytes fit. */
uint64_t clrs__bytes_of(int64_t count, uint32_t bits);
bool clrs__dtype_is_integer(clrs_dtype dtype);
bool clrs__dtype_is_unsigned(clrs_dtype dtype);
