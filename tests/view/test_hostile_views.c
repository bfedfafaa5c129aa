/*
 * Views that no call of this library made: positions that do not fit in 64 bits, stacks that are
 * too deep. Each operation must refuse such views with an error and leave the views unchanged. No
 * operation may wrap around. harness/negative has a view with each field changed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "expect.h"
#include "harness/chain.h"
#include "move/overlap.h"
#include "view/compose.h"
#include "view/view.h"

#define HUGE_STRIDE (INT64_C(1) << 62)

/* A dim and an axis of that extent. */
static clrs_view line(int64_t extent, int64_t stride) {
  clrs_view view = {.dtype = CLRS_F32, .depth = 1, .shape = {1, {extent}}};
  view.levels[0].axis_count = 1;
  view.axes[0] = (clrs_axis){extent, stride};
  return view;
}

/* `call` uses `view` and `error`. The call must fail, say `text` and change nothing. */
#define REFUSES(made, call, status, text)                                                          \
  do {                                                                                             \
    clrs_error error;                                                                              \
    clrs_view view = (made);                                                                       \
    const clrs_view before = view;                                                                 \
    CHECK_FAILS((call), (status), error);                                                          \
    CHECK_SAYS(error, (text));                                                                     \
    assert_memory_equal(&before, &view, sizeof before);                                            \
  } while (0)

/* ---- positions that do not fit ---- */

TEST(flip_refuses_an_end_that_does_not_fit) {
  REFUSES(line(2, INT64_MIN), clrs_view_flip(&view, 1, LIST(0), &error), CLRS_OVERFLOW,
          "dimension 0");
}

/* ---- dims that do not fit, behind a dim of 0 that makes the count 0 ---- */

TEST(depth_to_space_refuses_a_dim_that_does_not_fit) {
  REFUSES(dense(3, LIST(1, 0, HUGE_STRIDE)),
          clrs__view_depth_to_space(&view, 4, CLRS__BLOCKS_FIRST, &error), CLRS_OVERFLOW,
          "dimension 2");
}

TEST(batch_moves_refuse_dims_that_do_not_fit) {
  REFUSES(dense(2, LIST(0, HUGE_STRIDE)), clrs__view_batch_to_space(&view, 2, LIST(1, 4), &error),
          CLRS_OVERFLOW, "dimension 1");
  REFUSES(dense(2, LIST(HUGE_STRIDE, 0)), clrs__view_space_to_batch(&view, 2, LIST(1, 4), &error),
          CLRS_OVERFLOW, "dimension 0 of the result does not fit in 64 bits");
  /* Each dim fits, but not the product that a stride is computed from. */
  REFUSES(dense(4, LIST(1, 0, (int64_t)1 << 30, (int64_t)1 << 30)),
          clrs__view_depth_to_space(&view, 4, CLRS__BLOCKS_FIRST, &error), CLRS_OVERFLOW,
          "multiply to more than 64 bits");
}

TEST(split_refuses_parts_that_do_not_fit) {
  const int64_t most = INT64_MAX;
  REFUSES(line(most, 0), clrs__view_split(&view, 0, most - 1, 0, &error), CLRS_INVALID_ARGUMENT,
          "9223372036854775806");
}

TEST(an_error_cuts_a_long_shape) {
  clrs_shape shape = {.rank = CLRS_MAX_RANK};
  for (uint32_t i = 0; i < CLRS_MAX_RANK; i++)
    shape.dims[i] = INT64_MAX;
  REFUSES(dense(1, LIST(6)), clrs_view_reshape(&view, &shape, &error), CLRS_OVERFLOW, "...]");
}

TEST(a_stack_ends_at_its_limit) {
  clrs_view view = dense(1, LIST(5040));
  const int64_t divisors[] = {6, 16, 9, 10, 14, 15};
  clrs_status status = CLRS_OK;
  for (int i = 0; i < 100 && status == CLRS_OK; i++) {
    const clrs_shape cut = {2, {divisors[i % 6], 5040 / divisors[i % 6]}};
    CHECK_OK(clrs_view_reshape(&view, &cut, &error), error);
    const clrs_view before = view;
    status = clrs_view_permute(&view, 2, LIST(1, 0), &error);
    if (status != CLRS_OK)
      assert_memory_equal(&before, &view, sizeof before);
  }
  assert_int_equal(status, CLRS_LIMIT_EXCEEDED);
  assert_int_equal(view.depth, CLRS_MAX_DEPTH);
  CHECK_SAYS(error, "stack of more than 8 walks");
}

/* ---- what lies behind the rank ---- */

/* The same view, with rubbish in unused fields. */
static clrs_view poisoned(const clrs_view *view) {
  clrs_view other;
  uint32_t axes = 0;
  memset(&other, 0x5a, sizeof other);
  other.dtype = view->dtype;
  other.depth = view->depth;
  other.shape.rank = view->shape.rank;
  memcpy(other.shape.dims, view->shape.dims, view->shape.rank * sizeof view->shape.dims[0]);
  for (uint32_t level = 0; level < view->depth; level++) {
    other.levels[level].offset = view->levels[level].offset;
    other.levels[level].axis_count = view->levels[level].axis_count;
    axes += view->levels[level].axis_count;
  }
  memcpy(other.axes, view->axes, axes * sizeof view->axes[0]);
  return other;
}

static void check_same(const clrs_view *a, const clrs_view *b, uint64_t seed) {
  const clrs_view x = poisoned(a), y = poisoned(b);
  CHECK_SEEDED(memcmp(&x, &y, sizeof x) == 0, seed, "what lies behind the rank was looked at");
}

TEST(nothing_behind_the_rank_is_looked_at) {
  const uint64_t seed = test_seed(430000);
  for (int64_t i = 0; i < test_cases(3000); i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const layout_wish wish = {4, 7, 120, 5, true};
    clrs_layout layout = layout_random(&rng, CLRS_F32, &wish, rng_between(&rng, 0, 9)), noisy;
    memset(&noisy, 0x5a, sizeof noisy);
    noisy.dtype = layout.dtype;
    noisy.rank = layout.rank;
    noisy.offset = layout.offset;
    memcpy(noisy.dims, layout.dims, layout.rank * sizeof layout.dims[0]);
    memcpy(noisy.strides, layout.strides, layout.rank * sizeof layout.strides[0]);
    clrs_view view, other;
    CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
    CHECK_OK(clrs_view_from_layout(&noisy, &other, &error), error);
    for (int step = 0; step < 4; step++) {
      const move drawn = move_random(&rng, &view.shape, 300);
      other = poisoned(&other);
      check_same(&view, &other, seed + (uint64_t)i);
      const clrs_status status = move_apply_view(&drawn, &view, &error);
      CHECK_SEEDED(move_apply_view(&drawn, &other, &error) == status, seed + (uint64_t)i, "%s",
                   error.message);
    }
    clrs_bounds clean = {0}, found = {0};
    other = poisoned(&other);
    CHECK_OK(clrs_view_bounds(&view, &clean, &error), error);
    CHECK_OK(clrs_view_bounds(&other, &found, &error), error);
    assert_true(clean.empty == found.empty && clean.lowest == found.lowest &&
                clean.highest == found.highest);
    CHECK_OK(clrs__layout_bounds(&noisy, &found, &error), error);
  }
}

/* ---- overlap must never be a wrong no ---- */

static bool meets_itself(uint32_t count, const int64_t *extents, const int64_t *strides) {
  clrs__walk walk = {.axis_count = count};
  for (uint32_t i = 0; i < count; i++)
    walk.axes[i] = (clrs_axis){extents[i], strides[i]};
  return clrs__walk_overlaps_itself(&walk);
}

TEST(what_cannot_be_computed_counts_as_overlap) {
  assert_true(meets_itself(1, LIST(2), LIST(INT64_MIN)));
  assert_true(meets_itself(2, LIST(2, 3), LIST(1, INT64_MIN)));
  assert_true(meets_itself(2, LIST(2, HUGE_STRIDE + 2), LIST(1, 7)));
  assert_true(meets_itself(3, LIST(2, HUGE_STRIDE / 2, HUGE_STRIDE / 2 + 9), LIST(7, 5, 5)));
  assert_true(meets_itself(2, LIST(2, 1 << 30), LIST(3, INT64_C(1) << 40)));
  assert_true(meets_itself(2, LIST(HUGE_STRIDE, 2), LIST(HUGE_STRIDE, 3)));
  assert_false(meets_itself(1, LIST(2), LIST(INT64_MAX)));
  assert_false(meets_itself(2, LIST(2, 3), LIST(3, 1)));
  assert_true(meets_itself(2, LIST(2, 3), LIST(2, 1)));
}

/* Forty strides near each other: to rule a meeting out would take too long. */
TEST(a_search_that_is_too_long_counts_as_overlap) {
  clrs__walk walk = {.axis_count = 40};
  for (uint32_t i = 0; i < 40; i++)
    walk.axes[i] = (clrs_axis){2, INT64_C(1000000007) + 2 * INT64_C(104729) * i * i};
  assert_true(clrs__walk_overlaps_itself(&walk));
}

static bool operands_meet(const clrs_view *a, uint64_t at_a, const clrs_view *b, uint64_t at_b) {
  const clrs_operand first = {a, at_a, 1}, second = {b, at_b, 1};
  const bool one = clrs__operands_overlap(&first, &second);
  assert_int_equal(one, clrs__operands_overlap(&second, &first));
  return one;
}

TEST(operands_without_a_footprint_count_as_overlap) {
  const clrs_view near = line(4, 1), far = line(4, HUGE_STRIDE), bits = line(2, INT64_C(1) << 59),
                  before = line(4, -1);
  assert_true(operands_meet(&near, 0, &far, 0));
  assert_true(operands_meet(&near, 0, &bits, 0));
  assert_true(operands_meet(&near, 0, &before, 0));
  assert_true(operands_meet(&near, 0, &near, UINT64_MAX));
  assert_true(operands_meet(&near, 0, &near, INT64_MAX / 8));
  assert_true(operands_meet(&near, 0, &near, 15));
  assert_false(operands_meet(&near, 0, &near, 16));
}

TEST(footprints_say_why_there_is_none) {
  clrs_footprint footprint;
  const clrs_view near = line(4, 1), before = line(4, -1), bits = line(2, INT64_C(1) << 59);
  const clrs_operand late = {&near, INT64_MAX / 8, 1}, early = {&before, 8, 1},
                     wide = {&bits, 0, 1}, last = {&near, INT64_MAX / 8 - 16, 1},
                     past = {&near, INT64_MAX / 8 - 15, 1};
  CHECK_FAILS(clrs__operand_footprint(&late, "source", &footprint, &error), CLRS_OVERFLOW, error);
  CHECK_SAYS(error, "source");
  CHECK_FAILS(clrs__operand_footprint(&wide, "source", &footprint, &error), CLRS_OVERFLOW, error);
  CHECK_FAILS(clrs__operand_footprint(&early, "target", &footprint, &error), CLRS_OUT_OF_BOUNDS,
              error);
  CHECK_SAYS(error, "element -3");
  CHECK_OK(clrs__operand_footprint(&last, "source", &footprint, &error), error);
  assert_true(footprint.begin == INT64_MAX / 8 - 16 && footprint.end == INT64_MAX / 8);
  CHECK_FAILS(clrs__operand_footprint(&past, "source", &footprint, &error), CLRS_OVERFLOW, error);
}

/* ---- composition of what does not fit ---- */

TEST(composition_gives_up_where_positions_do_not_fit) {
  clrs__walk walk;
  const clrs__walk steep = {.axis_count = 1, .axes = {{8, HUGE_STRIDE}}};
  const clrs__walk last = {.offset = 7, .axis_count = 1, .axes = {{8, -1}}};
  const clrs__walk inner = {.offset = 6, .axis_count = 1, .axes = {{2, 1}}};
  const clrs__walk end = {.offset = INT64_MAX, .axis_count = 1, .axes = {{8, 1}}};
  assert_false(clrs__walk_compose(&steep, &last, &walk));
  assert_false(clrs__walk_compose(&steep, &inner, &walk));
  assert_false(clrs__walk_compose(&end, &inner, &walk));
}

TESTS(NULL, NULL)
