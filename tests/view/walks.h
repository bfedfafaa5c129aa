/*
 * Walks by definition, and random walks, for tests that compare: position k is the offset plus the
 * steps of the digits of k, the last axis fastest.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_VIEW_WALKS_H
#define CLRS_TEST_VIEW_WALKS_H

#include "harness/chain.h"
#include "harness/check.h"
#include "harness/tensors.h"

#include "view/walk.h"

enum { MAX_COUNT = 240 };

/* A position of a destination, and the position of the source that goes there. */
typedef struct pair {
  int64_t to, from;
} pair;

/* For qsort. */
static inline int compare_pairs(const void *a, const void *b) {
  const pair *x = a, *y = b;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  return (x->from > y->from) - (x->from < y->from);
}

static inline int64_t walk_count(const clrs__walk *walk) {
  int64_t count = 1;
  for (uint32_t i = 0; i < walk->axis_count; i++)
    count *= walk->axes[i].extent;
  return count;
}

static inline int64_t walk_at(const clrs__walk *walk, int64_t k) {
  int64_t position = walk->offset;
  for (uint32_t i = walk->axis_count; i-- > 0; k /= walk->axes[i].extent)
    position += k % walk->axes[i].extent * walk->axes[i].stride;
  return position;
}

/* Up to four axes: most dense in some order, so that many walks can be composed. */
static inline clrs__walk draw_lower(test_rng *rng) {
  clrs__walk walk = {.offset = rng_between(rng, 0, 50), .axis_count = 1};
  walk.axis_count = (uint32_t)rng_between(rng, 1, 4);
  int64_t order[4], stride = 1;
  rng_permutation(rng, walk.axis_count, order);
  for (uint32_t i = 0; i < walk.axis_count; i++) {
    clrs_axis *axis = &walk.axes[order[i]];
    axis->extent = rng_between(rng, 2, walk.axis_count < 3 ? 9 : 4);
    axis->stride = rng_percent(rng, 80) ? stride : stride + rng_between(rng, 1, 3);
    stride = axis->stride * axis->extent;
    if (rng_percent(rng, 15)) {
      walk.offset += (axis->extent - 1) * axis->stride;
      axis->stride = -axis->stride;
    }
  }
  clrs__walk_normalize(&walk);
  return walk;
}

/* A view of `count` dense elements after some operations, and the oracle's positions. */
static inline clrs_view draw_upper(test_rng *rng, int64_t count, oracle *positions) {
  clrs_view view;
  clrs_layout layout;
  const clrs_shape whole = {1, {count}};
  CHECK_OK(clrs_layout_init(CLRS_U8, &whole, NULL, 0, &layout, &error), error);
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  *positions = oracle_from_layout(&layout);
  for (int64_t i = rng_between(rng, 0, 4); i >= 0; i--) {
    const move step = move_random(rng, &view.shape, MAX_COUNT);
    CHECK_OK(move_apply_view(&step, &view, &error), error);
    move_apply_oracle(&step, positions);
  }
  return view;
}

#endif
