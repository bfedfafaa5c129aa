/*
 * The last rank that each operation accepts and the first rank that the operation refuses, with the
 * message.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "base/checked.h"
#include "expect.h"
#include "view/view.h"

static const int64_t ones[CLRS_MAX_RANK + 1] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                                1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* Operations that change no dim of 1. A text that ends in '=' gets a 1 for each dim. */
static const struct {
  const char *text;
  uint32_t least, most; /* accepted ranks */
  const char *most_said;
} operations[] = {
    {"depth_to_space=1,DCR", 3, 16, "1 to 14 other dims"},
    {"space_to_depth=1", 3, 16, "1 to 14 other dims"},
    {"space_to_batch=", 2, 16, "1 to 15 other dims"},
    {"batch_to_space=", 2, 16, "1 to 15 other dims"},
    {"channel_shuffle=1,0", 1, 31, "rank below 32"},
    {"window=0,1,1", 1, 31, "32"},
    {"diagonal=0,0,1", 2, 32, NULL},
    {"tile=", 0, 32, NULL},
    {"repeat=0,1", 1, 32, NULL},
    {"move_axis=0,-1", 1, 32, NULL},
    {"swap_axes=0,-1", 1, 32, NULL},
    {"flatten=1", 1, 32, NULL},
    {"squeeze", 0, 32, NULL},
    {"flip=0", 1, 32, NULL},
    {"split=0,1,0", 1, 32, NULL},
    {"slice=...", 0, 32, NULL},
};

static clrs_status apply(const char *operation, clrs_view *view, clrs_error *error) {
  char text[100];
  const bool has_list = operation[strlen(operation) - 1] == '=';
  int used = snprintf(text, sizeof text, "%s", operation);
  for (uint32_t dim = 0; has_list && dim < view->shape.rank; dim++)
    used += snprintf(text + used, sizeof text - (size_t)used, dim > 0 ? ",1" : "1");
  return clrs_view_apply(view, text, error);
}

TEST(every_rank_is_taken_or_refused_by_name) {
  for (size_t i = 0; i < COUNT(operations); i++)
    for (uint32_t rank = 0; rank <= CLRS_MAX_RANK; rank++) {
      clrs_error error = {0};
      clrs_view view = dense(rank, ones);
      const bool fits = rank >= operations[i].least && rank <= operations[i].most;
      const clrs_status status = apply(operations[i].text, &view, &error);
      if ((status == CLRS_OK) != fits)
        fail_msg("%s at rank %u: %s", operations[i].text, rank, error.message);
      if (rank > operations[i].most && operations[i].most_said) {
        assert_int_equal(status, CLRS_LIMIT_EXCEEDED);
        CHECK_SAYS(error, operations[i].most_said);
      }
    }
}

TEST(every_rank_has_a_layout_and_bounds) {
  for (uint32_t rank = 0; rank <= CLRS_MAX_RANK; rank++) {
    const clrs_view view = dense(rank, ones);
    clrs_layout layout;
    clrs_bounds bounds;
    CHECK_OK(clrs_view_layout(&view, &layout, &error), error);
    CHECK_OK(clrs_view_bounds(&view, &bounds, &error), error);
  }
}

TEST(unsqueeze_takes_the_last_rank) {
  clrs_view view = dense(30, ones);
  CHECK_OK(clrs__view_unsqueeze(&view, 2, LIST(0, 31), &error), error);
  assert_int_equal(view.shape.rank, 32);
  CHECK_FAILS(clrs__view_unsqueeze(&view, 1, LIST(0), &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_OK(clrs__view_unsqueeze(&view, 0, NULL, &error), error);
}

/* The dimension that a block does not divide, the extent, and the block size. */
TEST(blocks_name_the_dimension) {
  clrs_view view = dense(5, LIST(1, 9, 6, 8, 10));
  CHECK_FAILS(clrs__view_depth_to_space(&view, 2, CLRS__DEPTH_FIRST, &error), CLRS_INVALID_ARGUMENT,
              error);
  CHECK_SAYS(error, "the block volume 8 does not divide dimension 1, of extent 9");
  CHECK_FAILS(clrs__view_space_to_depth(&view, 4, CLRS__DEPTH_FIRST, &error), CLRS_INVALID_ARGUMENT,
              error);
  CHECK_SAYS(error, "block size 4 does not divide dimension 2, of extent 6");
  CHECK_FAILS(clrs__view_space_to_depth(&view, 3, CLRS__DEPTH_FIRST, &error), CLRS_INVALID_ARGUMENT,
              error);
  CHECK_SAYS(error, "block size 3 does not divide dimension 3, of extent 8");
  CHECK_FAILS(clrs__view_batch_to_space(&view, 5, LIST(1, 2, 1, 3, 1), &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "the product of block sizes 6 does not divide dimension 0, of extent 1");
  view = dense(4, LIST(1, 0, 1, INT64_MAX / 2));
  CHECK_FAILS(clrs__view_depth_to_space(&view, 4, CLRS__DEPTH_FIRST, &error), CLRS_OVERFLOW, error);
  CHECK_SAYS(error, "dimension 3");
}

/* The last part ends with the dim, not a whole part behind the part's start. */
TEST(the_longest_dim_is_split) {
  clrs_bounds bounds;
  clrs_shape shape;
  clrs_view view;
  CHECK_OK(clrs_shape_init(1, LIST(INT64_MAX), &shape, &error), error);
  CHECK_OK(clrs_view_dense(CLRS_U8, &shape, &view, &error), error);
  CHECK_OK(clrs__view_split(&view, 0, 2, 1, &error), error);
  assert_true(view.shape.dims[0] == INT64_MAX / 2);
  CHECK_OK(clrs_view_bounds(&view, &bounds, &error), error);
  assert_true(bounds.lowest == INT64_MAX / 2 + 1 && bounds.highest == INT64_MAX - 1);
}

/* A dim of 34 axes leaves 30 places in a walk, which 31 dims of 1 have no use for. */
TEST(dims_of_one_take_no_room) {
  clrs_layout layout = {.dtype = CLRS_U8, .rank = CLRS_MAX_RANK};
  clrs_view view;
  clrs_shape flat = {1, {INT64_C(1) << 32}}, wide = {.rank = CLRS_MAX_RANK};
  for (uint32_t dim = 0; dim < CLRS_MAX_RANK; dim++) {
    layout.dims[dim] = 2;
    layout.strides[dim] = (int64_t)3 << dim;
    wide.dims[dim] = 1;
  }
  wide.dims[CLRS_MAX_RANK - 1] = INT64_C(1) << 34;
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  CHECK_OK(clrs_view_reshape(&view, &flat, &error), error);
  CHECK_OK(clrs__view_tile(&view, 1, LIST(2), &error), error);
  CHECK_OK(clrs__view_repeat(&view, 0, 2, &error), error);
  const clrs_view before = view;
  assert_int_equal(before.levels[0].axis_count, 34);
  CHECK_OK(clrs_view_expand(&view, &wide, &error), error);
  assert_true(clrs_shape_equal(&view.shape, &wide));
  assert_int_equal(view.depth, 1);
  assert_int_equal(view.levels[0].axis_count, 34);
  assert_memory_equal(view.axes, before.axes, 34 * sizeof view.axes[0]);
}

/* ---- arithmetic ---- */

TEST(magnitudes_are_exact_at_the_ends) {
  static const struct {
    int64_t value;
    uint64_t magnitude;
  } rows[] = {{0, 0},
              {1, 1},
              {-1, 1},
              {-2, 2},
              {INT64_MAX, UINT64_C(0x7fffffffffffffff)},
              {-INT64_MAX, UINT64_C(0x7fffffffffffffff)},
              {INT64_MIN, UINT64_C(0x8000000000000000)}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    assert_true(clrs__magnitude(rows[i].value) == rows[i].magnitude);
}

/* All walks of a view share the axes: the last axis, and one axis too many. */
TEST(a_view_has_so_many_axes_in_all_its_walks) {
  static clrs_view view;
  char expected[80];
  const clrs__walk one = {5, 1, {{3, 7}}}, two = {5, 2, {{3, 7}, {2, 1}}};
  view.depth = 2;
  view.levels[0].axis_count = CLRS_VIEW_AXES - 1;
  CHECK_FAILS(clrs__view_set_top(&view, &two, &error), CLRS_LIMIT_EXCEEDED, error);
  (void)snprintf(expected, sizeof expected,
                 "needs %d axes in its stack of 2 walks; the limit is %d", CLRS_VIEW_AXES + 1,
                 CLRS_VIEW_AXES);
  CHECK_SAYS(error, expected);
  assert_int_equal(view.levels[1].axis_count, 0);
  CHECK_OK(clrs__view_set_top(&view, &one, &error), error);
  assert_int_equal(view.levels[1].axis_count, 1);
  assert_int_equal(view.levels[1].offset, 5);
  assert_int_equal(view.axes[CLRS_VIEW_AXES - 1].extent, 3);
  assert_int_equal(view.axes[CLRS_VIEW_AXES - 1].stride, 7);
}

/* ---- stacks of two views ---- */

TEST(a_stack_shows_the_upper_of_the_lower) {
  clrs_view lower = dense(2, LIST(4, 6)), upper = dense(2, LIST(3, 8)), both;
  const clrs_slice none = {0, 0, 0, 1};
  CHECK_OK(clrs_view_permute(&lower, 2, LIST(1, 0), &error), error);
  CHECK_OK(clrs_view_permute(&upper, 2, LIST(1, 0), &error), error);
  CHECK_OK(clrs__view_stack(&lower, &upper, &both, &error), error);
  assert_true(clrs_shape_equal(&both.shape, &upper.shape));
  for (int64_t k = 0; k < 24; k++)
    assert_int_equal(view_position_at(&both, k),
                     view_position_at(&lower, view_position_at(&upper, k)));
  CHECK_OK(clrs_view_slice(&upper, 1, &none, &error), error);
  CHECK_OK(clrs__view_stack(&lower, &upper, &both, &error), error);
  expect_view(&both, 2, LIST(0, 3), LIST(0));
}

TEST(a_stack_of_two_has_so_many_walks) {
  clrs_view both;
  const clrs__walk walks[CLRS_MAX_DEPTH] = {uneven_walk(30), uneven_walk(5), uneven_walk(4),
                                            uneven_walk(3),  uneven_walk(3), uneven_walk(2),
                                            uneven_walk(2),  uneven_walk(2)};
  const clrs_view half = view_of_walks(4, walks), rest = view_of_walks(4, walks + 4);
  const clrs_view more = view_of_walks(5, walks + 3);
  CHECK_OK(clrs__view_stack(&half, &rest, &both, &error), error);
  CHECK_FAILS(clrs__view_stack(&half, &more, &both, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "more than 8 walks; copy it first");
}

TEST(a_stack_of_two_has_so_many_axes) {
  clrs_view both;
  const clrs__walk walks[] = {uneven_walk(60), uneven_walk(36), uneven_walk(37)};
  const clrs_view lower = view_of_walks(1, walks), upper = view_of_walks(1, walks + 1);
  const clrs_view wider = view_of_walks(1, walks + 2);
  CHECK_OK(clrs__view_stack(&lower, &upper, &both, &error), error);
  assert_int_equal(both.depth, 2);
  CHECK_FAILS(clrs__view_stack(&lower, &wider, &both, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "needs 97 axes in its stack of 2 walks; the limit is 96");
}

TESTS(NULL, NULL)
