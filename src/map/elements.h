/*
 * What an element type's codes mean, and where they are in memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "dtype.h"
#include "numbers.h"

typedef enum clrs__value_kind {
  CLRS__NO_VALUE, /* bits that stand for nothing that a map knows */
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

/* Of a type that clrs_dtype has. */
clrs__element clrs__element_of(clrs_dtype dtype);

/* The value of a code: of a bool 0 or 1. Not for elements without a value. */
clrs__number clrs__element_value(const clrs__element *element, clrs__word code);

/* The number as the nearest float of that format, half to even; infinity where it is too large. */
clrs__word clrs__nearest(clrs__format format, clrs__number number);

/* A number of the host's. */
clrs__number clrs__number_of(double value);

/* Element number `position`, which is not negative, of up to 64 bits. Packed elements may lie
 * across two bytes. */
clrs__word clrs__element_load(const clrs__element *element, const uint8_t *bytes, int64_t position);
void clrs__element_store(const clrs__element *element, uint8_t *bytes, int64_t position,
                         clrs__word code);
