/*
 * Shapes: ranks, dims and element counts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "axis.h"

/* Room for a shape in a message. */
typedef struct clrs__text {
  char text[256];
} clrs__text;

/* Writes "[2,3,4]", cut short with "..." if the text does not fit. */
clrs__text clrs__dims_text(uint32_t rank, const int64_t *dims);

/* Applies the checks of clrs_shape_init to a shape that a caller filled in by hand. */
clrs_status clrs__shape_check(const clrs_shape *shape, clrs_error *error);

/* Checks the shape as clrs__shape_check does, and returns the element count. */
clrs_status clrs__shape_measure(const clrs_shape *shape, int64_t *count, clrs_error *error);

/* Copies a few numbers. `to` and `from` may be equal. A loop is faster than memcpy with a known
 * bound, because compilers then use code for large blocks, which takes several times as long for a
 * few numbers. */
static inline void clrs__dims_copy(int64_t *to, const int64_t *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    to[i] = from[i];
  }
}

/* Copies the dims in use. `to` and `from` may be equal. */
static inline void clrs__shape_copy(clrs_shape *to, const clrs_shape *from) {
  to->rank = from->rank;
  clrs__dims_copy(to->dims, from->dims, from->rank);
}

/* The element count of a shape that was checked before. */
int64_t clrs__shape_count(const clrs_shape *shape);
