/*
 * Nests for tests of the planner: written down, drawn, and enumerated step by step.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_NESTS_H
#define CLRS_TEST_NESTS_H

#include "class/table.h"
#include "harness/axes.h"
#include "harness/rng.h"
#include "plan/choose.h"

/* Poisons unused axes, so that a function that reads an absent axis gets a wrong result. */
static inline void nest_poison(clrs__nest *nest) {
  for (uint32_t i = nest->axis_count; i < CLRS_MAX_AXES; i++)
    nest->axes[i] = i % 2 ? axis_of(2, 1, 1) : axis_of(7, INT64_MAX, 1);
}

static inline clrs__nest nest_of(size_t count, const test_axis *axes) {
  clrs__nest nest = nest_of_axes(count, axes);
  nest_poison(&nest);
  return nest;
}

static inline int64_t nest_units(const clrs__nest *nest, uint32_t first, uint32_t end) {
  int64_t count = 1;
  for (uint32_t i = first; i < end; i++)
    count *= nest->axes[i].extent;
  return count;
}

/* The position of step k of the axes from `first` on, relative to the first step, on both sides. */
static inline void nest_step(const clrs__nest *nest, uint32_t first, int64_t k, int64_t *from,
                             int64_t *to) {
  *from = *to = 0;
  for (uint32_t i = nest->axis_count; i-- > first; k /= nest->axes[i].extent) {
    *from += k % nest->axes[i].extent * nest->axes[i].source_stride;
    *to += k % nest->axes[i].extent * nest->axes[i].destination_stride;
  }
}

/* One to four axes, canonical. The destination has gaps or none, and never a unit twice. The source
 * is in another order, perhaps with gaps, backwards or repeated. */
static inline clrs__nest nest_random(test_rng *rng, int64_t most_extent) {
  clrs__nest nest = {.operand_count = 2, .axis_count = (uint32_t)rng_between(rng, 1, 4)};
  const bool has_gaps = rng_percent(rng, 50), is_wild = rng_percent(rng, 30);
  int64_t step = rng_percent(rng, 20) ? rng_between(rng, 1, 4) : 1, order[4];
  for (uint32_t i = nest.axis_count; i-- > 0;) {
    const int64_t extent = rng_between(rng, 2, most_extent);
    nest.axes[i] = axis_of(rng_percent(rng, 50) ? extent : extent + extent % 2, 0, step);
    step *= nest.axes[i].extent;
    step += has_gaps ? rng_between(rng, 0, 3) * (rng_percent(rng, 50) ? 1 : 8) : 0;
  }
  rng_permutation(rng, nest.axis_count, order);
  step = 1;
  for (uint32_t i = 0; i < nest.axis_count; i++) {
    const int64_t at = rng_percent(rng, 50) ? (int64_t)nest.axis_count - 1 - i : order[i];
    clrs__nest_axis *axis = &nest.axes[at];
    if (axis->source_stride != 0)
      continue;
    axis->source_stride = step;
    step *= axis->extent;
    step += has_gaps ? rng_between(rng, 0, 3) * 4 : 0;
  }
  for (uint32_t i = 0; i < nest.axis_count; i++) {
    clrs__nest_axis *axis = &nest.axes[i];
    if (axis->source_stride == 0)
      axis->source_stride = step;
    if (is_wild)
      axis->source_stride *= rng_between(rng, -2, 2);
    if (axis->source_stride < 0)
      nest.source_offset -= axis->source_stride * (axis->extent - 1);
  }
  clrs__nest_normalize(&nest);
  nest_poison(&nest);
  return nest;
}

#endif
