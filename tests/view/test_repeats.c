/*
 * Views that show elements more than once, or along a diagonal, and views with axes in another
 * order: tile, repeat, window, diagonal, move_axis, swap_axes. Checked element by element against
 * the wording of the standards, on sources of any layout.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "expect.h"
#include "harness/oracle_moves.h"
#include "harness/rng.h"
#include "view/view.h"

enum { CASES = 400 };

/* A tensor with dims that do not always have a single stride, and the reference. */
typedef struct subject {
  clrs_view view;
  oracle expected;
  uint32_t rank;
} subject;

static subject subject_random(test_rng *rng, uint32_t min_rank) {
  subject made = {.rank = (uint32_t)rng_between(rng, min_rank, 4)};
  clrs_shape shape = {.rank = made.rank};
  clrs_error error;
  for (uint32_t d = 0; d < shape.rank; d++)
    shape.dims[d] = rng_percent(rng, 3) ? 0 : rng_between(rng, 1, 6);
  const clrs_layout layout = layout_random_of_shape(rng, CLRS_F32, &shape, true, 2);
  CHECK_OK(clrs_view_from_layout(&layout, &made.view, &error), error);
  made.expected = oracle_from_layout(&layout);
  if (shape.rank > 1 && rng_percent(rng, 50)) { /* merge two dims that may not merge */
    clrs_shape merged = {.rank = shape.rank - 1};
    memcpy(&merged.dims[1], &shape.dims[2], (shape.rank - 2) * sizeof shape.dims[0]);
    merged.dims[0] = shape.dims[0] * shape.dims[1];
    if (merged.rank >= min_rank) {
      CHECK_OK(clrs_view_reshape(&made.view, &merged, &error), error);
      oracle_reshape(&made.expected, &merged);
      made.rank--;
    }
  }
  return made;
}

static void require_same(subject *made, uint64_t seed) {
  const char *why = "";
  CHECK_SEEDED(view_matches(&made->view, &made->expected, &why), seed, "%s", why);
  oracle_free(&made->expected);
}

static int64_t axis_random(test_rng *rng, const subject *made) {
  return rng_between(rng, 0, (int64_t)made->rank - 1);
}

/* Half of the time counted from the end. */
static int64_t spelled(test_rng *rng, const subject *made, int64_t axis) {
  return rng_percent(rng, 50) ? axis - (int64_t)made->rank : axis;
}

TEST(tiles_repeat_whole_dims) {
  for (uint64_t seed = test_seed(100); seed < test_seed(100) + CASES; seed++) {
    test_rng rng = rng_start(seed);
    subject made = subject_random(&rng, 0);
    int64_t repeats[CLRS_MAX_RANK];
    for (uint32_t d = 0; d < made.rank; d++)
      repeats[d] = rng_percent(&rng, 5) ? 0 : rng_between(&rng, 1, 3);
    CHECK_OK(clrs__view_tile(&made.view, made.rank, repeats, &error), error);
    oracle_tile(&made.expected, repeats);
    require_same(&made, seed);
  }
}

TEST(repeats_repeat_each_element) {
  for (uint64_t seed = test_seed(200); seed < test_seed(200) + CASES; seed++) {
    test_rng rng = rng_start(seed);
    subject made = subject_random(&rng, 1);
    const int64_t axis = axis_random(&rng, &made), repeats = rng_between(&rng, 0, 4);
    CHECK_OK(clrs__view_repeat(&made.view, spelled(&rng, &made, axis), repeats, &error), error);
    oracle_repeat(&made.expected, axis, repeats);
    require_same(&made, seed);
  }
}

TEST(windows_slide_along_an_axis) {
  int tried = 0;
  for (uint64_t seed = test_seed(300); seed < test_seed(300) + CASES; seed++) {
    test_rng rng = rng_start(seed);
    subject made = subject_random(&rng, 1);
    clrs__window window = {.axis = axis_random(&rng, &made), .step = rng_between(&rng, 1, 3)};
    const int64_t axis = window.axis, extent = made.view.shape.dims[axis];
    if (extent > 0) {
      window.size = rng_between(&rng, 1, extent);
      oracle_window(&made.expected, window.axis, window.size, window.step);
      window.axis = spelled(&rng, &made, axis);
      CHECK_OK(clrs__view_window(&made.view, &window, &error), error);
      tried++;
    }
    require_same(&made, seed);
  }
  assert_true(tried > CASES / 2);
}

TEST(diagonals_are_the_last_dim) {
  for (uint64_t seed = test_seed(400); seed < test_seed(400) + CASES; seed++) {
    test_rng rng = rng_start(seed);
    subject made = subject_random(&rng, 2);
    const int64_t first = axis_random(&rng, &made), offset = rng_between(&rng, -7, 7);
    const int64_t second = (first + rng_between(&rng, 1, (int64_t)made.rank - 1)) % made.rank;
    CHECK_OK(clrs__view_diagonal(&made.view, offset, spelled(&rng, &made, first),
                                 spelled(&rng, &made, second), &error),
             error);
    oracle_diagonal(&made.expected, offset, first, second);
    require_same(&made, seed);
  }
}

TEST(axes_move_and_swap) {
  for (uint64_t seed = test_seed(500); seed < test_seed(500) + CASES; seed++) {
    test_rng rng = rng_start(seed);
    subject made = subject_random(&rng, 1);
    const int64_t from = axis_random(&rng, &made), to = axis_random(&rng, &made);
    const int64_t first = axis_random(&rng, &made), second = axis_random(&rng, &made);
    CHECK_OK(clrs__view_move_axis(&made.view, spelled(&rng, &made, from), spelled(&rng, &made, to),
                                  &error),
             error);
    CHECK_OK(clrs__view_swap_axes(&made.view, spelled(&rng, &made, first),
                                  spelled(&rng, &made, second), &error),
             error);
    oracle_move_axis(&made.expected, from, to);
    oracle_swap_axes(&made.expected, first, second);
    require_same(&made, seed);
  }
}

/* numpy: a diagonal beyond the matrix is empty, at any distance. */
TEST(diagonals_beyond_the_matrix_are_empty) {
  static const int64_t offsets[] = {6, -4, INT64_MAX, INT64_MIN, INT64_MIN + 1};
  const clrs_shape shape = {3, {4, 5, 6}}, expected = {2, {5, 0}};
  for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
    clrs_view view = dense(shape.rank, shape.dims);
    CHECK_OK(clrs__view_diagonal(&view, offsets[i], 0, 2, &error), error);
    assert_true(clrs_shape_equal(&view.shape, &expected));
  }
}

/* ---- at the ends ---- */

TEST(a_scalar_needs_no_repeats) {
  const clrs_shape scalar = {0, {0}};
  clrs_view view = dense(scalar.rank, scalar.dims);
  CHECK_OK(clrs__view_tile(&view, 0, NULL, &error), error);
  assert_int_equal(view.shape.rank, 0);
}

/* A single column, and another column as far off as 64 bits allow: the diagonal has only the
 * element of the first column. */
TEST(a_dim_of_one_adds_nothing_to_a_position) {
  const clrs_layout layout = {CLRS_U8, 2, {1, 2}, {1, INT64_MAX}, 0};
  clrs_view view;
  clrs_bounds bounds;
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  CHECK_OK(clrs__view_diagonal(&view, 1, 0, 1, &error), error);
  CHECK_OK(clrs_view_bounds(&view, &bounds, &error), error);
  assert_true(bounds.lowest == INT64_MAX && bounds.highest == INT64_MAX);
}

/* Two merged dims need a second walk. The rows, picked by a window, have a single stride again. */
TEST(a_window_takes_away_the_walk_that_it_does_not_need) {
  const clrs_layout layout = {CLRS_U8, 2, {4, 6}, {10, 1}, 0};
  const clrs_shape merged = {1, {24}};
  const clrs__window rows = {0, 1, 6};
  clrs_view view;
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  CHECK_OK(clrs_view_reshape(&view, &merged, &error), error);
  CHECK_OK(clrs__view_window(&view, &rows, &error), error);
  assert_int_equal(view.depth, 1);
  assert_int_equal(view.levels[0].axis_count, 1);
  assert_true(view.axes[0].extent == 4 && view.axes[0].stride == 10);
}

/* A dim repeated once needs no axis: beside 32 axes that cannot merge there is no room for 64. */
TEST(the_most_dims_are_repeated_once) {
  clrs_layout layout = {.dtype = CLRS_U8, .rank = CLRS_MAX_RANK};
  int64_t repeats[CLRS_MAX_RANK];
  clrs_view view, before;
  for (uint32_t dim = 0; dim < CLRS_MAX_RANK; dim++) {
    layout.dims[dim] = 2;
    layout.strides[dim] = (int64_t)3 << dim;
    repeats[dim] = 1;
  }
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  assert_int_equal(view.levels[0].axis_count, CLRS_MAX_RANK);
  clrs__view_copy(&before, &view);
  CHECK_OK(clrs__view_tile(&view, CLRS_MAX_RANK, repeats, &error), error);
  for (int64_t dim = 0; dim < CLRS_MAX_RANK; dim++)
    CHECK_OK(clrs__view_repeat(&view, dim, 1, &error), error);
  assert_int_equal(view.depth, 1);
  assert_int_equal(view.levels[0].offset, before.levels[0].offset);
  assert_int_equal(view.levels[0].axis_count, before.levels[0].axis_count);
  assert_memory_equal(view.axes, before.axes, CLRS_MAX_RANK * sizeof view.axes[0]);
}

TESTS(NULL, NULL)
