/*
 * Walks by definition: position k is the offset plus the steps of the digits of k, the last axis
 * fastest. Random lists of axes keep the positions when normalized, split into dims, joined again
 * and reversed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "walks.h"

enum { CASES = 20000, MOST_AXES = 6 };

/* Axes of extent 1 too. Every second pair of neighbours could merge. */
static clrs__walk draw_walk(test_rng *rng) {
  clrs__walk walk;
  clrs__walk_start(&walk, rng_between(rng, -50, 50));
  const uint32_t count = (uint32_t)rng_between(rng, 0, MOST_AXES);
  walk.axis_count = count;
  int64_t dense = rng_between(rng, -3, 3);
  for (uint32_t i = count; i > 0; i--) {
    const int64_t extent = rng_between(rng, 1, 4);
    walk.axes[i - 1] = (clrs_axis){extent, rng_percent(rng, 50) ? dense : rng_between(rng, -9, 9)};
    dense = walk.axes[i - 1].stride * extent;
  }
  return walk;
}

static void expect_positions(const clrs__walk *found, const clrs__walk *expected, uint64_t seed) {
  const int64_t count = walk_count(expected);
  CHECK_SEEDED(walk_count(found) == count, seed, "another count");
  for (int64_t k = 0; k < count; k++)
    CHECK_SEEDED(walk_at(found, k) == walk_at(expected, k), seed, "element %lld", (long long)k);
}

TEST(the_normal_form_has_the_same_positions_and_no_axis_too_many) {
  const uint64_t seed = test_seed(7100000);
  for (int64_t i = 0; i < test_cases(CASES); i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const clrs__walk drawn = draw_walk(&rng);
    clrs__walk normal = drawn;
    clrs__walk_normalize(&normal);
    expect_positions(&normal, &drawn, seed + (uint64_t)i);
    for (uint32_t axis = 0; axis < normal.axis_count; axis++) {
      const clrs_axis of = normal.axes[axis], next = normal.axes[axis + 1];
      CHECK_SEEDED(of.extent > 1, seed + (uint64_t)i, "axis %u", axis);
      CHECK_SEEDED(axis + 1 == normal.axis_count || of.stride != next.extent * next.stride,
                   seed + (uint64_t)i, "axes %u and the next are one", axis);
    }
  }
}

TEST(what_would_not_fit_is_not_merged) {
  const int64_t half = INT64_C(1) << 62;
  clrs__walk walk = {.axis_count = 2, .axes = {{4, 0}, {half, 0}}}; /* 2^64 positions */
  clrs__walk_normalize(&walk);
  assert_int_equal(walk.axis_count, 2);
  walk = (clrs__walk){.axis_count = 2, .axes = {{2, INT64_MIN}, {2, half}}}; /* 2 * 2^62 wraps */
  clrs__walk_normalize(&walk);
  assert_int_equal(walk.axis_count, 2);
}

/* May a dim end after the `inner` fastest elements? A dim may end at the end of an axis, or at a
 * divisor of the axis. */
static bool may_end(const clrs__walk *walk, int64_t inner) {
  int64_t below = 1;
  for (uint32_t i = walk->axis_count; i > 0; i--) {
    const int64_t with = below * walk->axes[i - 1].extent;
    if (inner <= with)
      return inner == with || (inner % below == 0 && with % inner == 0);
    below = with;
  }
  return inner == 1;
}

static bool factors(const clrs__walk *walk, const clrs_shape *shape) {
  int64_t inner = 1;
  for (uint32_t dim = shape->rank; dim > 0; dim--) {
    inner *= shape->dims[dim - 1];
    if (!may_end(walk, inner))
      return false;
  }
  return true;
}

TEST(axes_are_dealt_out_exactly_where_dims_end_at_divisors) {
  const uint64_t seed = test_seed(7200000);
  int64_t dealt_out = 0;
  for (int64_t i = 0; i < test_cases(CASES); i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    clrs__dim_axes dealt;
    clrs__walk walk = draw_walk(&rng), back;
    clrs__walk_normalize(&walk);
    const clrs_shape shape = shape_random_of_count(&rng, walk_count(&walk));
    const bool is_dealt = clrs__walk_deal(&walk, &shape, &dealt);
    CHECK_SEEDED(is_dealt == factors(&walk, &shape), seed + (uint64_t)i, "dealt: %d", is_dealt);
    if (!is_dealt)
      continue;
    dealt_out++;
    clrs__walk_from_dealt(&back, &dealt);
    expect_positions(&back, &walk, seed + (uint64_t)i);
    CHECK_SEEDED(dealt.dim_count == shape.rank, seed + (uint64_t)i, "%u dims", dealt.dim_count);
    for (uint32_t dim = 0; dim < shape.rank; dim++) {
      clrs__walk of_dim = {0};
      clrs__walk_append_dim(&of_dim, &dealt, dim);
      CHECK_SEEDED(walk_count(&of_dim) == shape.dims[dim], seed + (uint64_t)i, "dim %u", dim);
    }
  }
  assert_true(dealt_out > 0);
}

TEST(a_reversed_axis_runs_from_its_other_end) {
  clrs_axis axis = {5, -3};
  int64_t offset = 20;
  assert_true(clrs__axis_reverse(&axis, &offset));
  assert_int_equal(offset, 8);
  assert_int_equal(axis.extent, 5);
  assert_int_equal(axis.stride, 3);
  axis = (clrs_axis){3, INT64_C(1) << 62};
  assert_false(clrs__axis_reverse(&axis, &offset)); /* the other end is 2^63 away */
  axis = (clrs_axis){1, INT64_MIN};
  offset = 0;
  assert_false(clrs__axis_reverse(&axis, &offset)); /* there is no -INT64_MIN */
}

TESTS(NULL, NULL)
