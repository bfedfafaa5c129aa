/* SPDX-License-Identifier: Apache-2.0 */
#include "loops.h"

#include <string.h>

#include "checked.h"

int64_t clrs__loops_count(const clrs__loops *loops) {
  int64_t count = 1;
  for (uint32_t i = 0; i < loops->loop_count; i++) {
    count = clrs__exact_multiply(count, loops->loops[i].extent); /* as each walk counts */
  }
  return count;
}

/* ---- refine ---- */

/* One walk, from its last axis on: what is left of an axis, and how many are before it. */
typedef struct front {
  const clrs__walk *walk;
  uint32_t remaining;
  clrs_axis axis;
} front;

static void advance(front *at) {
  if (at->axis.extent == 1 && at->remaining > 0) {
    at->axis = at->walk->axes[--at->remaining];
  }
}

static int64_t shortest(const front *fronts, uint32_t count) {
  int64_t extent = fronts[0].axis.extent;
  for (uint32_t i = 1; i < count; i++) {
    extent = fronts[i].axis.extent < extent ? fronts[i].axis.extent : extent;
  }
  return extent;
}

/* Takes the fastest `extent` steps of every front. */
static bool take(front *fronts, uint32_t count, int64_t extent, clrs__loop *loop,
                 clrs__conflict *conflict) {
  loop->extent = extent;
  for (uint32_t i = 0; i < count; i++) {
    clrs_axis *axis = &fronts[i].axis;
    *conflict = (clrs__conflict){axis->extent, extent};
    if (axis->extent % extent != 0) {
      return false;
    }
    loop->strides[i] = axis->stride;
    axis->extent /= extent;
    if (axis->extent > 1 && !clrs__multiply(axis->stride, extent, &axis->stride)) {
      return false;
    }
  }
  return true;
}

/* ---- normalize ---- */

static bool is_before(const clrs__loop *a, const clrs__loop *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (a->strides[i] != b->strides[i]) {
      return a->strides[i] > b->strides[i];
    }
  }
  return false;
}

/* Runs a loop the other way, so that the first operand goes up. Where a position does not fit in 64
 * bits the loop stays. */
static void turn(clrs__loops *loops, clrs__loop *loop) {
  int64_t offsets[CLRS__MOST_OPERANDS] = {0};
  clrs__loop turned = *loop;
  for (uint32_t i = 0; i < loops->operand_count; i++) {
    clrs_axis axis = {loop->extent, loop->strides[i]};
    offsets[i] = loops->offsets[i];
    if (!clrs__axis_reverse(&axis, &offsets[i])) {
      return;
    }
    turned.strides[i] = axis.stride;
  }
  *loop = turned;
  memcpy(loops->offsets, offsets, loops->operand_count * sizeof *offsets);
}

static void insert_sorted(clrs__loops *loops, const clrs__loop *loop) {
  uint32_t at = loops->loop_count++;
  for (; at > 0 && is_before(loop, &loops->loops[at - 1], loops->operand_count); at--) {
    loops->loops[at] = loops->loops[at - 1];
  }
  loops->loops[at] = *loop;
}

static bool merge(clrs__loop *outer, const clrs__loop *inner, uint32_t count) {
  int64_t extent, reach;
  for (uint32_t i = 0; i < count; i++) {
    if (!clrs__multiply(inner->extent, inner->strides[i], &reach) || reach != outer->strides[i]) {
      return false;
    }
  }
  if (!clrs__multiply(outer->extent, inner->extent, &extent)) {
    return false;
  }
  *outer = *inner;
  outer->extent = extent;
  return true;
}

static void merge_all(clrs__loops *loops) {
  const uint32_t sorted = loops->loop_count;
  loops->loop_count = 0;
  for (uint32_t i = 0; i < sorted; i++) {
    const clrs__loop loop = loops->loops[i];
    if (loops->loop_count == 0 ||
        !merge(&loops->loops[loops->loop_count - 1], &loop, loops->operand_count)) {
      loops->loops[loops->loop_count++] = loop;
    }
  }
}

bool clrs__loops_refine(const clrs__walk *walks, uint32_t count, clrs__loops *loops,
                        clrs__conflict *conflict) {
  front fronts[CLRS__MOST_OPERANDS] = {{NULL, 0, {1, 0}}};
  loops->operand_count = count;
  loops->loop_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    fronts[i] = (front){&walks[i], walks[i].axis_count, {1, 0}};
    loops->offsets[i] = walks[i].offset;
  }
  for (;;) {
    clrs__loop loop;
    for (uint32_t i = 0; i < count; i++) {
      advance(&fronts[i]);
    }
    const int64_t extent = shortest(fronts, count);
    if (extent == 1) {
      break;
    }
    if (!take(fronts, count, extent, &loop, conflict)) {
      return false;
    }
    if (loop.strides[0] < 0) {
      turn(loops, &loop);
    }
    insert_sorted(loops, &loop);
  }
  merge_all(loops);
  return true;
}
