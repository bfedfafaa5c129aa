/*
 * Movement operations as data: drawn at random, applied to a view and to the oracle, and printed as
 * a chain. A failing chain can then be read and repeated.
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

/* Axes are kept as [0, rank). `from_end` passes the axes to the library as negative numbers. */
typedef struct move {
  move_kind kind;
  bool from_end;
  size_t count;
  int64_t axes[CLRS_MAX_RANK]; /* flatten: axes[0], split: axis, part count, selected part */
  clrs_shape shape;            /* reshape and expand */
  clrs_pattern pattern;        /* resolves to `shape` */
  clrs_slice slices[CLRS_MAX_RANK];
} move;

/* Draws operations until an operation keeps the count at or under max_count and the rank at or
 * under 12. */
move move_random(test_rng *rng, const clrs_shape *shape, int64_t max_count);
void move_apply_oracle(const move *step, oracle *tensor);
clrs_status move_apply_view(const move *step, clrs_view *view, clrs_error *error);
/* Prints the operation like snprintf, in the form that clrs_chain_parse reads. An operation without
 * axes is the exception. */
void move_print(const move *step, char *text, size_t size);
/* Returns the rules that give the printed text the same meaning. */
clrs_rules move_rules(const move *step);

/* Returns a random factorisation of count, with some dims of 1. Count 0 gives a shape with a dim of
 * 0. */
clrs_shape shape_random_of_count(test_rng *rng, int64_t count);

#endif
