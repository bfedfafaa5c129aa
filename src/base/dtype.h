/*
 * Properties of element types that the runtime needs beyond the width.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "status.h"

/* The cast makes a negative enumerator fail the same comparison. */
static inline bool clrs__dtype_is_known(clrs_dtype dtype) {
  return (unsigned)dtype < (unsigned)CLRS_DTYPE_COUNT;
}

/* The type's name in this library. */
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
/* Returns true if element 0 is in the high bits of a byte (OpenVINO's u1). */
bool clrs__dtype_is_msb_first(clrs_dtype dtype);
/* Returns true if an element may lie across two bytes (OpenVINO's u3 and u6, ONNX's float6s). Only
 * dense views of such a type work. */
bool clrs__dtype_straddles_bytes(clrs_dtype dtype);
/* Returns CLRS_UNSUPPORTED for a type whose elements lie across bytes. */
clrs_status clrs__dtype_check_whole(clrs_dtype dtype, clrs_error *error);
/* The bytes of `count` elements of `bits` bits. The elements were counted in memory, so the bytes
 * fit. */
uint64_t clrs__bytes_of(int64_t count, uint32_t bits);
bool clrs__dtype_is_integer(clrs_dtype dtype);
bool clrs__dtype_is_unsigned(clrs_dtype dtype);

/* A host whose compiler names no byte order is little-endian. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define CLRS__IS_BIG_ENDIAN true
#else
#define CLRS__IS_BIG_ENDIAN false
#endif

/* The shift of byte `i` in a number of so many bytes, in the host's byte order. */
static inline int clrs__byte_shift(int i, int bytes) {
  return 8 * (CLRS__IS_BIG_ENDIAN ? bytes - 1 - i : i);
}
