/*
 * Moves that end at the borders of the blocks of core execution.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_BORDER_CASES_H
#define CLRS_TEST_BORDER_CASES_H

#include "harness/tensors.h"

/* A shape, and for each side the order of the dims: outermost first, and the gap after each dim. */
typedef struct border_case {
  uint64_t seed;
  clrs_dtype dtype;
  clrs_shape shape;
  clrs_layout sides[2];
} border_case;

/* The moves of one of these kinds and types. */
typedef struct border_family {
  const clrs_dtype *dtypes;
  int64_t dtype_count, draw_count;
  void (*draw[13])(border_case *c, test_rng *rng);
} border_family;

extern const border_family whole_borders;  /* moves in units of bytes */
extern const border_family packed_borders; /* of 1, 2 and 4 bits */

#endif
