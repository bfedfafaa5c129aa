/*
 * When a reshape stays a view of strides, when it becomes a stack of walks, and which strides a
 * view has. The operations are in test_ops.c, test_slice.c, test_repeats.c and test_cells.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "expect.h"

#define ROOM CLRS_MAX_RANK

typedef struct alias_row {
  const char *name;
  uint32_t rank;
  int64_t dims[ROOM], strides[ROOM];
  uint32_t new_rank;
  int64_t new_dims[ROOM];
  bool is_view;
  int64_t new_strides[ROOM];
} alias_row;

/* NumPy's rule for a reshape without a copy. Strides of dims of 1 mean nothing and are not
 * compared. */
static const alias_row alias_rows[] = {
    {"size_one_axes_are_ignored", 3, {2, 1, 3}, {3, 777, 1}, 1, {6}, true, {1}},
    {"padded_rows_split", 2, {4, 6}, {12, 1}, 3, {4, 2, 3}, true, {12, 3, 1}},
    {"padded_rows_do_not_merge", 2, {4, 6}, {12, 1}, 1, {24}, false, {0}},
    {"negative_stride_splits", 1, {6}, {-1}, 2, {2, 3}, true, {-3, -1}},
    {"broadcast_merges", 2, {2, 3}, {0, 0}, 1, {6}, true, {0}},
    {"no_elements_is_always_a_view", 2, {0, 3}, {17, -5}, 2, {3, 0}, true, {0, 0}},
    {"transposed_does_not_merge", 2, {3, 4}, {1, 3}, 1, {12}, false, {0}},
    {"transposed_keeps_ones", 2, {3, 4}, {1, 3}, 4, {1, 3, 1, 4}, true, {0, 1, 0, 3}},
    {"column_splits_while_rows_are_padded", 2, {4, 6}, {7, 1}, 3, {2, 2, 6}, true, {14, 7, 1}},
    {"row_times_broadcast_does_not_merge", 2, {3, 4}, {1, 0}, 1, {12}, false, {0}},
    {"scalar_gets_ones", 0, {0}, {0}, 2, {1, 1}, true, {0, 0}},
    {"every_second_merges", 2, {2, 3}, {6, 2}, 1, {6}, true, {2}},
};

TEST(each_row_of_the_view_table) {
  for (size_t i = 0; i < sizeof alias_rows / sizeof alias_rows[0]; i++) {
    const alias_row *row = &alias_rows[i];
    clrs_shape shape, target;
    clrs_layout layout, answer;
    clrs_view view;
    CHECK_OK(clrs_shape_init(row->rank, row->dims, &shape, &error), error);
    CHECK_OK(clrs_shape_init(row->new_rank, row->new_dims, &target, &error), error);
    CHECK_OK(clrs_layout_init(CLRS_F32, &shape, row->strides, 100, &layout, &error), error);
    CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
    CHECK_OK(clrs_view_reshape(&view, &target, &error), error);
    const clrs_status status = clrs_view_layout(&view, &answer, &error);
    if (status != (row->is_view ? CLRS_OK : CLRS_WOULD_COPY))
      fail_msg("%s: %s", row->name, clrs_status_name(status));
    for (uint32_t d = 0; d < row->new_rank && row->is_view && oracle_count(&target); d++)
      if (row->new_dims[d] != 1 && answer.strides[d] != row->new_strides[d])
        fail_msg("%s: stride %u is %lld", row->name, d, (long long)answer.strides[d]);
    if (row->is_view && oracle_count(&target))
      assert_int_equal(answer.offset, 100);
  }
}

TEST(reshape_of_a_transposed_tensor_stays_one_walk) {
  clrs_shape flat;
  clrs_view view = DENSE(2, 3);
  CHECK_OK(clrs_view_permute(&view, 2, LIST(1, 0), &error), error);
  CHECK_OK(clrs_shape_init(1, LIST(6), &flat, &error), error);
  CHECK_OK(clrs_view_reshape(&view, &flat, &error), error);
  expect_view(&view, 1, LIST(6), LIST(0, 3, 1, 4, 2, 5));
  assert_int_equal(view.depth, 1);
}

TEST(axes_that_do_not_factor_make_a_stack) {
  clrs_shape shape;
  clrs_view view = DENSE(4, 6);
  CHECK_OK(clrs_view_permute(&view, 2, LIST(1, 0), &error), error);
  CHECK_OK(clrs_shape_init(2, LIST(8, 3), &shape, &error), error);
  CHECK_OK(clrs_view_reshape(&view, &shape, &error), error);
  CHECK_OK(clrs_view_permute(&view, 2, LIST(1, 0), &error), error);
  int64_t expected[24];
  for (int64_t k = 0; k < 24; k++) {
    const int64_t at = k % 8 * 3 + k / 8; /* index into the reading of the transposed tensor */
    expected[k] = at % 4 * 6 + at / 4;
  }
  expect_view(&view, 2, LIST(3, 8), expected);
  assert_int_equal(view.depth, 2);
}

static void expect_layout(const clrs_view *view, int64_t offset, const int64_t *strides) {
  clrs_layout layout;
  CHECK_OK(clrs_view_layout(view, &layout, &error), error);
  assert_int_equal(layout.offset, offset);
  for (uint32_t d = 0; d < layout.rank; d++)
    assert_int_equal(layout.strides[d], strides[d]);
}

/* Of the transposed 3x4, read row by row: elements 3 and 4 are the end of a row and the start of
 * the next row, at 9 and 1. Any two positions have a stride. */
TEST(a_step_across_the_end_of_a_row_is_a_stride) {
  clrs_shape flat;
  clrs_view view = DENSE(4, 3);
  const clrs_slice slice = {0, 3, 5, 1};
  CHECK_OK(clrs_view_permute(&view, 2, LIST(1, 0), &error), error);
  CHECK_OK(clrs_shape_init(1, LIST(12), &flat, &error), error);
  CHECK_OK(clrs_view_reshape(&view, &flat, &error), error);
  CHECK_OK(clrs_view_slice(&view, 1, &slice, &error), error);
  expect_view(&view, 1, LIST(2), LIST(9, 1));
  expect_layout(&view, 9, LIST(-8));
  assert_int_equal(view.depth, 1);
}

/* Every third of 0..10 twice, backwards: 10 7 4 1, then 9 6 3 0. As a single axis the sequence
 * wraps. As 2x4 each dim has a stride. */
TEST(a_shape_may_have_strides_where_its_flat_form_has_none) {
  clrs_shape twice, flat, halves;
  clrs_view view = DENSE(1, 11);
  const clrs_slice slice = {0, 21, INT64_MIN, -3};
  CHECK_OK(clrs_shape_init(2, LIST(2, 11), &twice, &error), error);
  CHECK_OK(clrs_view_expand(&view, &twice, &error), error);
  CHECK_OK(clrs_shape_init(1, LIST(22), &flat, &error), error);
  CHECK_OK(clrs_view_reshape(&view, &flat, &error), error);
  CHECK_OK(clrs_view_slice(&view, 1, &slice, &error), error);
  clrs_layout none;
  assert_int_equal(clrs_view_layout(&view, &none, &error), CLRS_WOULD_COPY);
  CHECK_OK(clrs_shape_init(2, LIST(2, 4), &halves, &error), error);
  CHECK_OK(clrs_view_reshape(&view, &halves, &error), error);
  expect_view(&view, 2, LIST(2, 4), LIST(10, 7, 4, 1, 9, 6, 3, 0));
  expect_layout(&view, 10, LIST(-1, -3));
}

TESTS(NULL, NULL)
