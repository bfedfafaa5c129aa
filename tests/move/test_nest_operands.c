/*
 * clrs__nest_refine against enumeration: the loops give the same tuples of positions as the walks
 * side by side, and follow nest.h. No loops exist only if boundaries do not divide each other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "harness/rng.h"
#include "move/nest.h"

enum { MOST_FACTORS = 6, MOST_POSITIONS = 1 << 9, MOST_BOUNDARIES = 64 };

/* The positions of the operands' elements with the same number, and 0 for absent operands. */
typedef struct tuple {
  int64_t at[CLRS__MOST_OPERANDS];
} tuple;

typedef struct loops_case {
  uint64_t seed;
  test_rng rng;
  size_t factor_count;
  int64_t factors[MOST_FACTORS], count;
  uint32_t operand_count;
  clrs__walk walks[CLRS__MOST_OPERANDS];
} loops_case;

/* ---- a case ---- */

static void draw_factors(loops_case *c) {
  c->factor_count = (size_t)rng_between(&c->rng, 0, MOST_FACTORS);
  c->count = 1;
  for (size_t i = 0; i < c->factor_count; i++) {
    static const int64_t primes[] = {2, 2, 3};
    const int64_t prime = primes[rng_between(&c->rng, 0, 2)];
    if (c->count * prime > MOST_POSITIONS) {
      c->factor_count = i;
      return;
    }
    c->factors[i] = prime;
    c->count *= prime;
  }
}

/* Neighbouring factors become axes. Some walks in a different order have no common loops. */
static void draw_extents(loops_case *c, clrs__walk *walk) {
  int64_t order[MOST_FACTORS];
  const bool is_shuffled = rng_percent(&c->rng, 10);
  rng_permutation(&c->rng, c->factor_count, order);
  for (size_t i = 0; i < c->factor_count; i++) {
    const int64_t factor = c->factors[is_shuffled ? (size_t)order[i] : i];
    if (walk->axis_count > 0 && rng_percent(&c->rng, 40)) {
      walk->axes[walk->axis_count - 1].extent *= factor;
    } else {
      clrs__walk_append(walk, (clrs_axis){factor, 0});
    }
  }
}

/* The axes in any order, forwards or backwards, with gaps: no position twice. */
static void draw_apart(loops_case *c, clrs__walk *walk) {
  int64_t order[MOST_FACTORS];
  int64_t stride = rng_between(&c->rng, 1, 3);
  rng_permutation(&c->rng, walk->axis_count, order);
  for (uint32_t i = 0; i < walk->axis_count; i++) {
    clrs_axis *axis = &walk->axes[order[i]];
    axis->stride = rng_percent(&c->rng, 25) ? -stride : stride;
    stride *= axis->extent * (rng_percent(&c->rng, 70) ? 1 : rng_between(&c->rng, 1, 3));
  }
}

static void draw_walk(loops_case *c, clrs__walk *walk, bool is_first) {
  clrs__walk_start(walk, rng_between(&c->rng, -100, 100));
  draw_extents(c, walk);
  if (is_first || rng_percent(&c->rng, 50)) {
    draw_apart(c, walk);
  } else {
    for (uint32_t i = 0; i < walk->axis_count; i++) {
      walk->axes[i].stride = rng_between(&c->rng, -4, 4);
    }
  }
  clrs__walk_normalize(walk);
}

static loops_case draw_case(uint64_t seed) {
  loops_case c = {.seed = seed, .rng = rng_start(seed)};
  c.operand_count = (uint32_t)rng_between(&c.rng, 1, CLRS__MOST_OPERANDS);
  draw_factors(&c);
  for (uint32_t i = 0; i < c.operand_count; i++) {
    draw_walk(&c, &c.walks[i], i == 0);
  }
  return c;
}

/* ---- what must come of it ---- */

static int64_t position_in_walk(const clrs__walk *walk, int64_t number) {
  int64_t position = walk->offset;
  for (uint32_t i = walk->axis_count; i > 0; i--) {
    position += number % walk->axes[i - 1].extent * walk->axes[i - 1].stride;
    number /= walk->axes[i - 1].extent;
  }
  return position;
}

static tuple tuple_of_loops(const clrs__nest *loops, int64_t number) {
  tuple made = {{0}};
  memcpy(made.at, loops->offsets, loops->operand_count * sizeof *made.at);
  for (uint32_t i = loops->axis_count; i > 0; i--) {
    const clrs__nest_axis *loop = &loops->axes[i - 1];
    for (uint32_t k = 0; k < loops->operand_count; k++) {
      made.at[k] += number % loop->extent * loop->strides[k];
    }
    number /= loop->extent;
  }
  return made;
}

static int compare_tuples(const void *a, const void *b) {
  const tuple *left = a, *right = b;
  for (uint32_t i = 0; i < CLRS__MOST_OPERANDS; i++) {
    if (left->at[i] != right->at[i]) {
      return left->at[i] < right->at[i] ? -1 : 1;
    }
  }
  return 0;
}

/* The loops count up in the first operand's positions. The walks are sorted. */
static void check_tuples(const loops_case *c, const clrs__nest *loops) {
  static tuple walked[MOST_POSITIONS];
  memset(walked, 0, sizeof walked);
  for (int64_t n = 0; n < c->count; n++) {
    for (uint32_t i = 0; i < c->operand_count; i++) {
      walked[n].at[i] = position_in_walk(&c->walks[i], n);
    }
  }
  qsort(walked, (size_t)c->count, sizeof *walked, compare_tuples);
  static tuple looped[MOST_POSITIONS];
  for (int64_t n = 0; n < c->count; n++) {
    looped[n] = tuple_of_loops(loops, n);
  }
  qsort(looped, (size_t)c->count, sizeof *looped, compare_tuples);
  CHECK_SEEDED(memcmp(walked, looped, (size_t)c->count * sizeof *walked) == 0, c->seed,
               "the loops give other positions than the walks");
}

/* Could the two loops merge, for all operands? */
static bool is_mergeable(const clrs__nest *loops, uint32_t outer) {
  const clrs__nest_axis *out = &loops->axes[outer], *in = &loops->axes[outer + 1];
  for (uint32_t i = 0; i < loops->operand_count; i++) {
    if (out->strides[i] != in->extent * in->strides[i]) {
      return false;
    }
  }
  return true;
}

static void check_form(const loops_case *c, const clrs__nest *loops) {
  CHECK_SEEDED(loops->operand_count == c->operand_count, c->seed, "%u operands",
               loops->operand_count);
  CHECK_SEEDED(clrs__nest_count(loops) == c->count, c->seed, "%lld elements of %lld",
               (long long)clrs__nest_count(loops), (long long)c->count);
  for (uint32_t i = 0; i < loops->axis_count; i++) {
    const clrs__nest_axis *loop = &loops->axes[i];
    CHECK_SEEDED(loop->extent > 1 && loop->strides[0] > 0, c->seed, "loop %u: %lld, by %lld", i,
                 (long long)loop->extent, (long long)loop->strides[0]);
    CHECK_SEEDED(i == 0 || loops->axes[i - 1].strides[0] > loop->strides[0], c->seed,
                 "loop %u is not in the order of strides", i);
    CHECK_SEEDED(i == 0 || !is_mergeable(loops, i - 1), c->seed, "loop %u is not merged", i);
  }
}

/* ---- where there are none ---- */

static int compare_numbers(const void *a, const void *b) {
  const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
  return (left > right) - (left < right);
}

/* An axis of a walk begins anew after so many numbers. In common loops each such boundary, of any
 * walk, is a multiple of the boundary below. */
static bool boundaries_divide(const loops_case *c) {
  int64_t boundaries[MOST_BOUNDARIES];
  size_t count = 0;
  for (uint32_t i = 0; i < c->operand_count; i++) {
    const clrs__walk *walk = &c->walks[i];
    int64_t boundary = 1;
    for (uint32_t k = walk->axis_count; k > 0; k--) {
      boundary *= walk->axes[k - 1].extent;
      boundaries[count++] = boundary;
    }
  }
  qsort(boundaries, count, sizeof *boundaries, compare_numbers);
  for (size_t i = 1; i < count; i++) {
    if (boundaries[i] % boundaries[i - 1] != 0) {
      return false;
    }
  }
  return true;
}

static bool run_case(uint64_t seed) {
  const loops_case c = draw_case(seed);
  clrs__nest loops;
  clrs__conflict conflict = {0, 0};
  const bool has_loops = clrs__nest_refine(c.walks, c.operand_count, &loops, &conflict);
  CHECK_SEEDED(has_loops == boundaries_divide(&c), seed, "%s common loops",
               has_loops ? "there are no" : "there are");
  if (has_loops) {
    check_form(&c, &loops);
    check_tuples(&c, &loops);
  } else {
    CHECK_SEEDED(conflict.source_extent % conflict.destination_extent != 0, seed,
                 "a conflict of %lld and %lld", (long long)conflict.source_extent,
                 (long long)conflict.destination_extent);
  }
  return has_loops;
}

TEST(loops_give_what_walks_give) {
  const uint64_t base = test_seed(1);
  const int64_t cases = test_cases(5000);
  int64_t refined = 0;
  for (int64_t i = 0; i < cases; i++) {
    refined += run_case(base + (uint64_t)i);
  }
  print_message("%lld of %lld have loops\n", (long long)refined, (long long)cases);
  assert_true(cases < 100 || (refined > cases / 2 && refined < cases));
}

/* ---- by hand ---- */

static clrs__walk walk_of(int64_t offset, uint32_t count, const clrs_axis *axes) {
  clrs__walk walk;
  clrs__walk_start(&walk, offset);
  for (uint32_t i = 0; i < count; i++) {
    clrs__walk_append(&walk, axes[i]);
  }
  return walk;
}

TEST(a_transpose_runs_along_the_first_operand) {
  const clrs__walk walks[] = {walk_of(0, 2, (const clrs_axis[]){{3, 1}, {4, 3}}),
                              walk_of(7, 1, (const clrs_axis[]){{12, 1}})};
  clrs__nest loops;
  clrs__conflict conflict;
  assert_true(clrs__nest_refine(walks, 2, &loops, &conflict));
  assert_int_equal(loops.axis_count, 2);
  assert_int_equal(loops.axes[0].extent, 4);
  assert_int_equal(loops.axes[0].strides[0], 3);
  assert_int_equal(loops.axes[0].strides[1], 1);
  assert_int_equal(loops.axes[1].extent, 3);
  assert_int_equal(loops.axes[1].strides[0], 1);
  assert_int_equal(loops.axes[1].strides[1], 4);
  assert_int_equal(loops.offsets[1], 7);
}

TEST(a_boundary_at_no_divisor_is_named) {
  const clrs__walk walks[] = {walk_of(0, 2, (const clrs_axis[]){{2, 9}, {3, 1}}),
                              walk_of(0, 2, (const clrs_axis[]){{3, 9}, {2, 1}})};
  clrs__nest loops;
  clrs__conflict conflict;
  assert_false(clrs__nest_refine(walks, 2, &loops, &conflict));
  assert_int_equal(conflict.source_extent, 2);
  assert_int_equal(conflict.destination_extent, 3);
}

/* For operands that repeat elements, loops with the same steps stay in the order of the walks. */
TEST(loops_of_the_same_steps_stay_in_their_order) {
  const clrs__walk walks[] = {walk_of(5, 3, (const clrs_axis[]){{2, 7}, {4, 1}, {3, 7}}),
                              walk_of(0, 3, (const clrs_axis[]){{2, 0}, {4, 2}, {3, 0}})};
  static const int64_t extents[] = {2, 3, 4}, steps[] = {7, 7, 1};
  clrs__nest loops;
  clrs__conflict conflict;
  assert_true(clrs__nest_refine(walks, 2, &loops, &conflict));
  assert_int_equal(loops.axis_count, 3);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(loops.axes[i].extent, extents[i]);
    assert_int_equal(loops.axes[i].strides[0], steps[i]);
  }
}

/* Behind the last step the inner loop of the second operand would be at 2^63. */
TEST(loops_that_reach_the_end_of_64_bits_are_not_merged) {
  const int64_t far = INT64_C(1) << 62;
  const clrs__walk walks[] = {walk_of(0, 1, (const clrs_axis[]){{6, 1}}),
                              walk_of(0, 2, (const clrs_axis[]){{3, 1}, {2, far}})};
  clrs__nest loops;
  clrs__conflict conflict;
  assert_true(clrs__nest_refine(walks, 2, &loops, &conflict));
  assert_int_equal(loops.axis_count, 2);
  for (int64_t n = 0; n < 6; n++) {
    const tuple at = tuple_of_loops(&loops, n);
    assert_int_equal(at.at[0], n);
    assert_int_equal(at.at[1], n / 2 + n % 2 * far);
  }
}

/* 2^63 has no place in 64 bits, though the step back has. */
TEST(a_loop_whose_step_cannot_be_turned_stays) {
  const clrs__walk walks[] = {walk_of(0, 1, (const clrs_axis[]){{2, INT64_MIN}}),
                              walk_of(3, 1, (const clrs_axis[]){{2, 1}})};
  clrs__nest loops;
  clrs__conflict conflict;
  assert_true(clrs__nest_refine(walks, 2, &loops, &conflict));
  assert_int_equal(loops.axis_count, 1);
  assert_int_equal(loops.axes[0].strides[0], INT64_MIN);
  assert_int_equal(loops.axes[0].strides[1], 1);
  assert_int_equal(loops.offsets[0], 0);
  assert_int_equal(loops.offsets[1], 3);
}

TESTS(NULL, NULL)
