/*
 * Movement operations as data: drawn at random, applied to a view and to the oracle, and printed
 * as a chain of the library writes them, so that a failing one can be read and repeated.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_CHAIN_H
#define CLRS_TEST_CHAIN_H

#include "oracle.h"
#include "rng.h"

typedef enum move_kind {
  MOVE_RESHAPE,
  MOVE_PATTERN,
  MOVE_PERMUTE,
  MOVE_SQUEEZE,
  MOVE_UNSQUEEZE,
  MOVE_FLATTEN,
  MOVE_EXPAND,
  MOVE_SLICE,
  MOVE_FLIP,
  MOVE_SPLIT,
  MOVE_KIND_COUNT
} move_kind;

/* Axes are kept as [0, rank); `from_end` passes them to the library as negative numbers. */
typedef struct move {
  move_kind kind;
  bool from_end;
  size_t count;
  int64_t axes[CLRS_MAX_RANK]; /* flatten: axes[0]; split: axis, parts, which */
  clrs_shape shape;            /* reshape and expand */
  clrs_pattern pattern;        /* resolves to `shape` */
  clrs_slice slices[CLRS_MAX_RANK];
} move;

/* Draws operations until one keeps the count at or under max_count and the rank at or under 12. */
move move_random(test_rng *rng, const clrs_shape *shape, int64_t max_count);
void move_apply_oracle(const move *step, oracle *tensor);
clrs_status move_apply_view(const move *step, clrs_view *view, clrs_error *error);
/* Like snprintf: the operation as clrs_chain_parse reads it, unless it names no axis at all. */
void move_print(const move *step, char *text, size_t size);
/* The rules under which its text means the same. */
clrs_rules move_rules(const move *step);

/* A random factorisation of count, with ones sprinkled in; count 0 gives dims of which one is 0. */
clrs_shape shape_random_of_count(test_rng *rng, int64_t count);

#endif
