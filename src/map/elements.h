/*
 * The meaning of an element type's codes, and their places in memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <float.h>
#include <string.h>

#include "dtype.h"
#include "numbers.h"

_Static_assert(FLT_EVAL_METHOD == 0,
               "floats have more bits: -msse2 -mfpmath=sse or -fexcess-precision=fast");

typedef enum clrs__value_kind {
  CLRS__NO_VALUE, /* bits without a meaning for maps */
  CLRS__BOOL,
  CLRS__INTEGER,
  CLRS__FLOAT
} clrs__value_kind;

typedef struct clrs__element {
  clrs__value_kind kind;
  int bits;
  bool is_signed;
  bool is_msb_first;   /* element 0 is in the high bits of a byte */
  clrs__format format; /* of floats */
} clrs__element;

/* The element of a type in clrs_dtype. */
clrs__element clrs__element_of(clrs_dtype dtype);

/* The value of a code. A bool is 0 or 1. The element must have a value. */
clrs__number clrs__element_value(const clrs__element *element, clrs__word code);

/* The nearest float of the format, half to even. A number that is too large becomes infinity. */
clrs__word clrs__nearest(clrs__format format, clrs__number number);

/* The number of a host's double. */
clrs__number clrs__number_of(double value);

/* The code of a host's float, and the float of a code. */
static inline int32_t clrs__float_code(float number) {
  int32_t code;
  memcpy(&code, &number, sizeof code);
  return code;
}

static inline float clrs__float_of_code(int32_t code) {
  float number;
  memcpy(&number, &code, sizeof number);
  return number;
}

/* Loads element number `position`, of up to 64 bits. `position` is not negative. Packed elements
 * may lie across two bytes. */
clrs__word clrs__element_load(const clrs__element *element, const uint8_t *bytes, int64_t position);
void clrs__element_store(const clrs__element *element, uint8_t *bytes, int64_t position,
                         clrs__word code);
