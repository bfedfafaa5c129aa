/*
 * Moves that end at the borders of what the kernels of CPU execution move at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_BORDER_CASES_H
#define CLRS_TEST_BORDER_CASES_H

#include "harness/tensors.h"

/* A shape, and for each side how its dims lie: outermost first, and the gap after each. */
typedef struct border_case {
  uint64_t seed;
  clrs_dtype dtype;
  clrs_shape shape;
  clrs_layout sides[2];
} border_case;

/* The moves of one of these kinds, of one of these types. */
typedef struct border_family {
  const clrs_dtype *dtypes;
  int64_t dtype_count, draw_count;
  void (*draw[13])(border_case *c, test_rng *rng);
} border_family;

extern const border_family whole_borders;  /* of units of bytes */
extern const border_family packed_borders; /* of 1, 2 and 4 bits */

#endif
