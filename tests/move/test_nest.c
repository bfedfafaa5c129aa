/*
 * The common refinement of two walks moves exactly the pairs of positions that the two walks have
 * in sequence, in canonical form. Refused exactly if a boundary of one walk falls inside an axis of
 * the other walk at no divisor.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/axes.h"
#include "view/walks.h"

#include "move/nest.h"

enum { MOST_PAIRS = 256 }; /* four axes of four, which draw_lower has at most */

/* A side of a nest. */
static clrs__walk side_of(const clrs__nest *nest, bool is_source) {
  clrs__walk walk = {.offset = is_source ? nest->source_offset : nest->destination_offset,
                     .axis_count = nest->axis_count};
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    const clrs__nest_axis *axis = &nest->axes[i];
    walk.axes[i] =
        (clrs_axis){axis->extent, is_source ? axis->source_stride : axis->destination_stride};
  }
  return walk;
}

static void expect_pairs(const clrs__walk *from, const clrs__walk *to, const clrs__nest *nest,
                         uint64_t seed) {
  pair expected[MOST_PAIRS], found[MOST_PAIRS];
  const int64_t count = walk_count(to);
  assert_in_range(count, 1, MOST_PAIRS);
  const clrs__walk nest_from = side_of(nest, true), nest_to = side_of(nest, false);
  CHECK_SEEDED(clrs__nest_count(nest) == count, seed, "another count");
  for (int64_t k = 0; k < count; k++) {
    expected[k] = (pair){walk_at(to, k), walk_at(from, k)};
    found[k] = (pair){walk_at(&nest_to, k), walk_at(&nest_from, k)};
  }
  qsort(expected, (size_t)count, sizeof *expected, compare_pairs);
  qsort(found, (size_t)count, sizeof *found, compare_pairs);
  CHECK_SEEDED(memcmp(expected, found, (size_t)count * sizeof *found) == 0, seed, "other pairs");
}

static void expect_canonical(const clrs__nest *nest, uint64_t seed) {
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    const clrs__nest_axis of = nest->axes[i], next = nest->axes[i + 1];
    CHECK_SEEDED(of.extent > 1 && of.destination_stride > 0, seed, "axis %u", i);
    if (i + 1 == nest->axis_count)
      break;
    CHECK_SEEDED(of.destination_stride >= next.destination_stride, seed, "axis %u is inner", i);
    CHECK_SEEDED(of.source_stride != next.extent * next.source_stride ||
                     of.destination_stride != next.extent * next.destination_stride,
                 seed, "axes %u and the next are one", i);
  }
}

/* Is an axis of `of` cut at no divisor where an axis of `by` ends? */
static bool is_cut(const clrs__walk *of, const clrs__walk *by) {
  int64_t end = 1;
  for (uint32_t b = by->axis_count; b > 0; b--) {
    end *= by->axes[b - 1].extent;
    int64_t below = 1;
    for (uint32_t a = of->axis_count; a > 0; a--) {
      const int64_t with = below * of->axes[a - 1].extent;
      if (below < end && end < with && (end % below != 0 || with % end != 0))
        return true;
      below = with;
    }
  }
  return false;
}

/* Dense axes in any order, some reversed, so that no position is written twice. */
static clrs__walk draw_written(test_rng *rng, int64_t count) {
  const clrs_shape shape = shape_random_of_count(rng, count);
  int64_t order[CLRS_MAX_RANK], stride = 1;
  clrs__walk walk = {.offset = 1000, .axis_count = shape.rank};
  rng_permutation(rng, shape.rank, order);
  for (uint32_t i = 0; i < shape.rank; i++) {
    const int64_t extent = shape.dims[order[i]];
    const bool is_turned = rng_percent(rng, 30);
    walk.axes[order[i]] = (clrs_axis){extent, is_turned ? -stride : stride};
    stride *= extent;
  }
  clrs__walk_normalize(&walk);
  return walk;
}

static bool refine(const clrs__walk *from, const clrs__walk *to, clrs__nest *nest,
                   clrs__conflict *conflict) {
  const clrs__walk walks[] = {*to, *from};
  return clrs__nest_refine(walks, 2, nest, conflict);
}

TEST(two_walks_are_refined_to_what_they_move) {
  const uint64_t seed = test_seed(7500000);
  const int64_t cases = test_cases(20000);
  int64_t refined = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const clrs__walk from = draw_lower(&rng), to = draw_written(&rng, walk_count(&from));
    clrs__nest nest;
    clrs__conflict conflict = {0, 0};
    const bool is_refined = refine(&from, &to, &nest, &conflict);
    const bool cut = is_cut(&from, &to) || is_cut(&to, &from);
    CHECK_SEEDED(is_refined == !cut, seed + (uint64_t)i, "refined: %d", is_refined);
    if (is_refined) {
      refined++;
      expect_pairs(&from, &to, &nest, seed + (uint64_t)i);
      expect_canonical(&nest, seed + (uint64_t)i);
    } else {
      const int64_t a = conflict.source_extent, b = conflict.destination_extent;
      CHECK_SEEDED(a > 1 && b > 1 && a % b != 0 && b % a != 0, seed + (uint64_t)i,
                   "%lld and %lld are no conflict", (long long)a, (long long)b);
    }
  }
  assert_true(cases < 1000 || (refined > 0 && refined < cases));
}

TEST(nests_keep_axes_apart_whose_reach_does_not_fit) {
  clrs__nest nest = nest_of_axes(AXES({2, INT64_MIN, 8}, {4, ((int64_t)1 << 62), 2}));
  /* 4 * 2^62 wraps to 0 */
  clrs__nest_normalize(&nest);
  assert_int_equal(nest.axis_count, 2);
  nest = nest_of_axes(AXES({2, 0, 0}, {4, 0, ((int64_t)1 << 62)}));
  clrs__nest_normalize(&nest);
  assert_int_equal(nest.axis_count, 2);
}

static void require_extents(const clrs__nest *nest, uint32_t count, const int64_t *extents) {
  assert_int_equal(nest->axis_count, count);
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(nest->axes[i].extent, extents[i]);
}

/* The axes are in the order of the destination, then of the other operands. Axes with equal steps
 * stay in their order, whatever stands behind the operands in use. */
TEST(axes_are_sorted_by_one_operand_after_the_other) {
  clrs__nest nest = nest_of_axes(AXES({2, 5, 0}, {3, 9, 0}, {5, 9, 0}, {7, 1, 4}));
  for (uint32_t i = 0; i < nest.axis_count; i++)
    nest.axes[i].strides[2] = i; /* not an operand of the nest */
  clrs__nest_normalize(&nest);
  require_extents(&nest, 4, LIST(7, 3, 5, 2));
}

TEST(nests_count_what_they_move) {
  const clrs__nest nest = nest_of_axes(AXES({5, 1, 21}, {3, 5, 7}, {7, 15, 1}));
  assert_true(clrs__nest_count(&nest) == 105);
  assert_true(clrs__nest_repeats(&nest, 0) == 1);
  assert_true(clrs__nest_repeats(&nest, 1) == 5);
  assert_true(clrs__nest_repeats(&nest, 2) == 15);
}

TEST(axes_are_moved_and_inserted) {
  const clrs__nest nest = nest_of_axes(AXES({2, 60, 1}, {3, 20, 2}, {4, 5, 6}, {5, 1, 24}));
  clrs__nest moved = nest;
  clrs__move_axis(&moved, 0, 2);
  require_extents(&moved, 4, LIST(3, 4, 2, 5));
  clrs__move_axis(&moved, 3, 1);
  require_extents(&moved, 4, LIST(3, 5, 4, 2));
  clrs__move_axis(&moved, 1, 1);
  require_extents(&moved, 4, LIST(3, 5, 4, 2));
  for (uint32_t at = 0; at <= 4; at += 2) {
    clrs__nest wider = nest;
    clrs__insert_axis(&wider, at);
    require_extents(&wider, 5,
                    at == 0   ? LIST(1, 2, 3, 4, 5)
                    : at == 2 ? LIST(2, 3, 1, 4, 5)
                              : LIST(2, 3, 4, 5, 1));
  }
}

TEST(sides_are_exchanged) {
  clrs__nest nest = nest_of_axes(AXES({2, 3, 4}, {5, 6, 7}));
  nest.source_offset = 8;
  nest.destination_offset = 9;
  clrs__nest_swap_sides(&nest);
  assert_int_equal(nest.source_offset, 9);
  assert_int_equal(nest.destination_offset, 8);
  assert_true(is_axis(&nest.axes[0], 2, 4, 3) && is_axis(&nest.axes[1], 5, 7, 6));
}

/* As nest.h says: a step of the destination counts twice plus one. */
TEST(the_nearer_step_is_the_smaller) {
  static const struct {
    int64_t source, destination;
    uint64_t nearer;
  } rows[] = {{100, 60, 100}, {100, 30, 61}, {100, 51, 100},
              {100, 50, 101}, {-8, 9, 8},    {8, -3, 7}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const clrs__nest_axis axis = axis_of(2, rows[i].source, rows[i].destination);
    assert_true(clrs__nearer_step(&axis) == rows[i].nearer);
  }
}

/* Two elements at the maximum distance: the axis is taken whole, without a step beyond. */
TEST(the_longest_step_is_refined) {
  const clrs__walk far = {.axis_count = 1, .axes = {{2, INT64_MAX}}};
  const clrs__walk line = {.axis_count = 1, .axes = {{2, 1}}};
  clrs__nest nest;
  clrs__conflict conflict;
  assert_true(refine(&far, &line, &nest, &conflict));
  assert_int_equal(nest.axis_count, 1);
  assert_true(is_axis(&nest.axes[0], 2, INT64_MAX, 1));
  assert_true(refine(&line, &far, &nest, &conflict));
  assert_true(is_axis(&nest.axes[0], 2, 1, INT64_MAX));
}

/* The axis of 3 steps by 64 or 32, the other axes by 9 or 8 on one side. The last axis is not
 * compared. A step of the destination counts twice plus one: 32 there is 65, farther than 64 in the
 * source. */
TEST(outer_axes_are_sorted_by_their_nearer_step) {
  clrs__nest nest = nest_of_axes(AXES({2, 8, 64}, {3, 64, 32}, {5, 9, 8}, {7, 99, 99}));
  clrs__nest_sort_outer_axes(&nest, 3);
  const clrs__nest expected = nest_of_axes(AXES({3, 64, 32}, {5, 9, 8}, {2, 8, 64}, {7, 99, 99}));
  assert_true(clrs__nearer_step(&expected.axes[1]) == 9 &&
              clrs__nearer_step(&expected.axes[2]) == 8);
  assert_memory_equal(nest.axes, expected.axes, 4 * sizeof expected.axes[0]);
  clrs__nest equal = nest_of_axes(AXES({2, 8, 8}, {3, 8, 8}, {5, 8, 9}));
  clrs__nest_sort_outer_axes(&equal, 3);
  require_extents(&equal, 3, LIST(2, 3, 5)); /* as they were */
  clrs__nest sides = nest_of_axes(AXES({2, 64, 99}, {3, 99, 32}, {5, 1, 1}));
  clrs__nest_sort_outer_axes(&sides, 2);
  assert_int_equal(sides.axes[0].extent, 3);
}

TESTS(NULL, NULL)
