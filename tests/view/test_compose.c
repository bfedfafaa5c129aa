/*
 * Two walks composed into one: each result is compared with the definition, one position at a time.
 * A missed composition is not wrong but slow, so the test also counts the compositions found. Fewer
 * than before fails.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/axes.h"
#include "walks.h"

#include "view/compose.h"
#include "view/view.h"

/* The number found for the default seeds when this was written. A better algebra finds more. */
enum { COMPOSED = 17996 };

TEST(walks_compose_to_what_they_are_one_after_the_other) {
  const uint64_t seed = test_seed(410000);
  const int64_t cases = test_cases(20000);
  int64_t tried = 0, composed = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    oracle positions;
    clrs__walk upper, both;
    const clrs__walk lower = draw_lower(&rng);
    const clrs_view view = draw_upper(&rng, walk_count(&lower), &positions);
    if (positions.count > 0 && view.depth == 1) {
      clrs__view_level(&view, 0, &upper);
      tried++;
      if (clrs__walk_compose(&lower, &upper, &both)) {
        composed++;
        CHECK_SEEDED(walk_count(&both) == positions.count, seed + (uint64_t)i, "another count");
        for (int64_t k = 0; k < positions.count; k++)
          CHECK_SEEDED(walk_at(&both, k) == walk_at(&lower, positions.positions[k]),
                       seed + (uint64_t)i, "element %lld", (long long)k);
      }
    }
    oracle_free(&positions);
  }
  print_message("%lld of %lld pairs composed\n", (long long)composed, (long long)tried);
  if (seed == 410000 && cases == 20000)
    assert_true(composed >= COMPOSED);
}

/* A step of 8 places crosses the lower walk's digit of 2, so the step would have to be split. */
TEST(an_axis_is_not_split_where_axes_run_out) {
  const clrs__walk lower = {0, 2, {{4, 10}, {2, 1}}};
  for (uint32_t axes = 62; axes <= CLRS_MAX_AXES; axes++) {
    clrs__nest nest = {.operand_count = 2, .axis_count = axes};
    clrs__axis_cut cut;
    for (uint32_t i = 0; i + 1 < axes; i++)
      nest.axes[i] = axis_of(1, 0, 8);
    nest.axes[axes - 1] = axis_of(8, 1, 1);
    const bool has_room = axes < CLRS_MAX_AXES;
    assert_int_equal(clrs__nest_lower(&lower, CLRS__FROM, &nest, &cut),
                     has_room ? CLRS__LOWERED : CLRS__STUCK);
    assert_int_equal(nest.axis_count, has_room ? axes + 1 : axes);
    if (has_room) {
      assert_true(is_axis(&nest.axes[axes - 1], 4, 10, 2));
      assert_true(is_axis(&nest.axes[axes], 2, 1, 1));
    }
  }
}

/* ---- far apart ---- */

/* `view` as a single row, and then the slice of this row. */
static void slice_flat(clrs_view *view, int64_t count, clrs_slice slice) {
  const clrs_shape flat = {1, {count}};
  CHECK_OK(clrs_view_reshape(view, &flat, &error), error);
  CHECK_OK(clrs_view_slice(view, 1, &slice, &error), error);
}

/* From the last element of a row to the last but one of the next row: seen from the first element,
 * the second lies a row of 2^40 before. 2^40 steps like that would leave 64 bits. */
TEST(a_slice_over_the_end_of_a_very_long_row) {
  const int64_t row = INT64_C(1) << 40;
  clrs_view view = view_strided(CLRS_U8, 2, LIST(4, row), LIST(2 * row, 1), 0);
  slice_flat(&view, 4 * row, (clrs_slice){0, row - 1, 2 * row - 1, 1});
  assert_int_equal(view.shape.dims[0], row);
  assert_int_equal(view_position_at(&view, 0), row - 1);
  assert_int_equal(view_position_at(&view, 1), 2 * row);
  assert_int_equal(view_position_at(&view, row - 1), 3 * row - 2);
}

/* The corners of a square with sides of 2^62. Every position fits in 64 bits, because the first is
 * -2^62, but the distance between the corners does not. */
TEST(corners_that_are_too_far_apart) {
  const int64_t side = INT64_C(1) << 62;
  clrs_view view = view_strided(CLRS_U8, 2, LIST(2, 2), LIST(side, side), -side);
  slice_flat(&view, 4, (clrs_slice){0, 0, 4, 3});
  assert_int_equal(view.shape.dims[0], 2);
  assert_int_equal(view_position_at(&view, 0), -side);
  assert_int_equal(view_position_at(&view, 1), side);
}

TESTS(NULL, NULL)
