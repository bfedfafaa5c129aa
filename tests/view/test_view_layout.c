/*
 * Views with a layout, the layout, and the reason if a view has no layout. Also handmade views with
 * one axis too many.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "view/view.h"

static clrs_view view_of(uint32_t rank, const int64_t *dims, const int64_t *strides) {
  clrs_shape shape;
  clrs_layout layout;
  clrs_view view;
  CHECK_OK(clrs_shape_init(rank, dims, &shape, &error), error);
  CHECK_OK(clrs_layout_init(CLRS_F32, &shape, strides, 0, &layout, &error), error);
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  return view;
}

static clrs_view reshaped(clrs_view view, uint32_t rank, const int64_t *dims) {
  clrs_shape shape;
  CHECK_OK(clrs_shape_init(rank, dims, &shape, &error), error);
  CHECK_OK(clrs_view_reshape(&view, &shape, &error), error);
  return view;
}

/* Columns of 3 x 4 in sequence, without the first and the last element: not a single walk. */
static clrs_view stacked(void) {
  const clrs_slice middle = {.axis = 0, .start = 1, .end = 11, .step = 1};
  clrs_view view = reshaped(view_of(2, LIST(4, 3), LIST(1, 4)), 1, LIST(12));
  CHECK_OK(clrs_view_slice(&view, 1, &middle, &error), error);
  assert_int_equal(view.depth, 2);
  return view;
}

TEST(only_views_of_one_stride_for_each_dim_have_a_layout) {
  clrs_view view = view_of(0, NULL, NULL);
  assert_true(clrs__view_has_layout(&view));
  view = view_of(1, LIST(5), LIST(3));
  assert_true(clrs__view_has_layout(&view));
  view = view_of(2, LIST(4, 3), LIST(1, 4));
  assert_true(clrs__view_has_layout(&view));
  view = view_of(2, LIST(4, 0), NULL);
  assert_true(clrs__view_has_layout(&view));
  view = reshaped(view_of(2, LIST(4, 3), LIST(1, 4)), 1, LIST(12));
  assert_false(clrs__view_has_layout(&view));
  view = reshaped(view_of(2, LIST(6, 4), LIST(5, 1)), 2, LIST(4, 6));
  assert_false(clrs__view_has_layout(&view));
  view = stacked();
  assert_false(clrs__view_has_layout(&view));
}

/* Dims of 0 or of 1 have the strides that a dense tensor has, and no elements no offset. */
TEST(where_no_step_is_taken_strides_are_dense) {
  clrs_layout layout;
  clrs_view view = view_of(3, LIST(2, 0, 3), NULL);
  memset(&layout, 0x5a, sizeof layout);
  CHECK_OK(clrs_view_layout(&view, &layout, &error), error);
  assert_int_equal(layout.offset, 0);
  assert_memory_equal(layout.strides, LIST(3, 3, 1), 3 * sizeof(int64_t));
  view = view_of(3, LIST(2, 1, 3), LIST(50, 7, 5));
  memset(&layout, 0x5a, sizeof layout);
  CHECK_OK(clrs_view_layout(&view, &layout, &error), error);
  assert_memory_equal(layout.strides, LIST(50, 3, 5), 3 * sizeof(int64_t));
}

static void expect_reason(const clrs_view *view, clrs__reason_kind kind, int64_t first,
                          int64_t second, const char *says) {
  clrs_layout layout;
  clrs__reason reason;
  assert_false(clrs__view_find_layout(view, &layout, &reason));
  assert_int_equal(reason.kind, kind);
  assert_int_equal(reason.values[0], first);
  assert_int_equal(reason.values[1], second);
  CHECK_FAILS(clrs_view_layout(view, &layout, &error), CLRS_WOULD_COPY, error);
  CHECK_SAYS(error, says);
}

TEST(the_reason_names_the_dim_or_the_walks) {
  clrs_view view = reshaped(view_of(2, LIST(6, 4), LIST(5, 1)), 2, LIST(4, 6));
  expect_reason(&view, CLRS__REASON_DIM_HAS_NO_STRIDE, -1, 0,
                "the dims cut across the strides of the source");
  view = reshaped(view_of(3, LIST(2, 4, 3), LIST(20, 1, 4)), 2, LIST(2, 12));
  expect_reason(&view, CLRS__REASON_DIM_HAS_NO_STRIDE, 1, 12,
                "the elements of dimension 1 (extent 12) do not lie at one stride");
  view = stacked();
  expect_reason(&view, CLRS__REASON_STACKED_WALKS, 2, 0, "a stack of 2 walks");
}

/* ---- by hand ---- */

TEST(an_axis_of_one_step_is_no_axis) {
  clrs_view view = view_of(1, LIST(2), NULL);
  view.axes[view.levels[0].axis_count++] = (clrs_axis){1, 5};
  CHECK_FAILS(clrs__view_check(&view, &error), CLRS_INVALID_ARGUMENT, error);
  view = view_of(1, LIST(1), NULL);
  CHECK_OK(clrs__view_push(&view, &error), error);
  assert_int_equal(view.depth, 2);
  assert_int_equal(view.levels[1].axis_count, 0);
  CHECK_OK(clrs__view_check(&view, &error), error);
}

/* A stack of walks, each over all elements of the walk below, with the maximum number of axes. The
 * memory behind the last axis looks like another valid axis. */
TEST(all_axes_of_a_view_may_be_in_use) {
  static struct {
    clrs_view view;
    clrs_axis behind;
  } full;
  const uint32_t each = CLRS_VIEW_AXES / CLRS_MAX_DEPTH;
  assert_true(each * CLRS_MAX_DEPTH == CLRS_VIEW_AXES && each < 62);
  full.view.dtype = CLRS_U8;
  full.view.depth = CLRS_MAX_DEPTH;
  full.behind = (clrs_axis){2, 0};
  full.view.shape = (clrs_shape){1, {INT64_C(1) << each}};
  for (uint32_t i = 0; i < CLRS_VIEW_AXES; i++)
    full.view.axes[i] = (clrs_axis){2, INT64_C(1) << (each - 1 - i % each)};
  for (uint32_t level = 0; level < CLRS_MAX_DEPTH; level++)
    full.view.levels[level].axis_count = each;
  CHECK_OK(clrs__view_check(&full.view, &error), error);
  full.view.levels[CLRS_MAX_DEPTH - 1].axis_count++;
  full.view.shape.dims[0] *= 2;
  CHECK_FAILS(clrs__view_check(&full.view, &error), CLRS_INVALID_ARGUMENT, error);
}

TESTS(NULL, NULL)
