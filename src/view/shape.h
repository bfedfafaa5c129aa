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

/* "[2,3,4]", cut short with "..." where it does not fit. */
clrs__text clrs__dims_text(uint32_t rank, const int64_t *dims);

/* What clrs_shape_init checks, for a shape that a caller filled in by hand. */
clrs_status clrs__shape_check(const clrs_shape *shape, clrs_error *error);

/* The same, and the element count. */
clrs_status clrs__shape_measure(const clrs_shape *shape, int64_t *count, clrs_error *error);

/* Copies a few numbers, to where they are or elsewhere. Where memcpy is told a bound, compilers
 * make of it what suits large blocks, which for these takes several times as long. */
static inline void clrs__dims_copy(int64_t *to, const int64_t *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    to[i] = from[i];
  }
}

/* Copies the dims in use. The two may be one. */
static inline void clrs__shape_copy(clrs_shape *to, const clrs_shape *from) {
  to->rank = from->rank;
  clrs__dims_copy(to->dims, from->dims, from->rank);
}

/* The element count of a shape that was checked before. */
int64_t clrs__shape_count(const clrs_shape *shape);
