/*
 * The rules of the movement operations that make a view, one named test each: what is allowed, and
 * what the result is. The refusals are in test_view_errors.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "harness/tensors.h"

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

/* semantics.md, section 3; strides of dims of 1 mean nothing and are not compared. */
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

static void each_row_of_the_view_table(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof alias_rows / sizeof alias_rows[0]; i++) {
    const alias_row *row = &alias_rows[i];
    clrs_error error;
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

static clrs_view dense(uint32_t rank, const int64_t *dims) {
  clrs_error error;
  clrs_shape shape;
  clrs_view view;
  CHECK_OK(clrs_shape_init(rank, dims, &shape, &error), error);
  CHECK_OK(clrs_view_dense(CLRS_F32, &shape, &view, &error), error);
  return view;
}

#define DENSE(...)                                                                                 \
  dense(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (const int64_t[]){__VA_ARGS__})

/* The shape, and where every element is. */
static void expect_view(const clrs_view *view, uint32_t rank, const int64_t *dims,
                        const int64_t *positions) {
  const char *why = NULL;
  oracle expected = {.shape = {.rank = rank}};
  if (rank > 0)
    memcpy(expected.shape.dims, dims, rank * sizeof dims[0]);
  expected.count = oracle_count(&expected.shape);
  int64_t room[64];
  memcpy(room, positions, (size_t)expected.count * sizeof room[0]);
  expected.positions = room;
  if (!view_matches(view, &expected, &why))
    fail_msg("%s", why);
}

static void permute_reorders_dims_like_numpy_transpose(void **state) {
  (void)state;
  clrs_error error;
  clrs_view view = DENSE(2, 3);
  CHECK_OK(clrs_view_permute(&view, 2, LIST(1, -2), &error), error);
  expect_view(&view, 2, LIST(3, 2), LIST(0, 3, 1, 4, 2, 5));
}

static void permute_of_a_scalar_takes_no_axes(void **state) {
  (void)state;
  clrs_error error;
  clrs_view view = dense(0, NULL);
  CHECK_OK(clrs_view_permute(&view, 0, NULL, &error), error);
  expect_view(&view, 0, NULL, LIST(0));
}

static void squeeze_without_axes_removes_every_one(void **state) {
  (void)state;
  clrs_error error;
  clrs_view view = DENSE(1, 2, 1, 3, 1);
  CHECK_OK(clrs_view_squeeze(&view, 0, NULL, &error), error);
  expect_view(&view, 2, LIST(2, 3), LIST(0, 1, 2, 3, 4, 5));
}

static void squeeze_takes_axes_from_the_end(void **state) {
  (void)state;
  clrs_error error;
  clrs_view view = DENSE(1, 2, 1);
  CHECK_OK(clrs_view_squeeze(&view, 1, LIST(-1), &error), error);
  expect_view(&view, 2, LIST(1, 2), LIST(0, 1));
}

static void squeeze_ones_keeps_named_dims_of_other_extents(void **state) {
  (void)state;
  clrs_error error;
  clrs_view view = DENSE(1, 2, 1);
  CHECK_OK(clrs_view_squeeze_ones(&view, 2, LIST(0, 1), &error), error);
  expect_view(&view, 2, LIST(2, 1), LIST(0, 1));
}

static void unsqueeze_axes_index_the_result(void **state) {
  (void)state;
  clrs_error error;
  clrs_view view = DENSE(2, 3);
  CHECK_OK(clrs_view_unsqueeze(&view, 3, LIST(4, 0, -3), &error), error);
  expect_view(&view, 5, LIST(1, 2, 1, 3, 1), LIST(0, 1, 2, 3, 4, 5));
}

static void flatten_makes_two_dims_at_any_axis(void **state) {
  (void)state;
  static const struct {
    int64_t axis, rows, columns;
  } rows[] = {{0, 1, 24}, {1, 2, 12}, {2, 6, 4}, {3, 24, 1}, {-1, 6, 4}, {-3, 1, 24}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    clrs_error error;
    clrs_view view = DENSE(2, 3, 4);
    CHECK_OK(clrs_view_flatten(&view, rows[i].axis, &error), error);
    assert_int_equal(view.shape.rank, 2);
    assert_int_equal(view.shape.dims[0], rows[i].rows);
    assert_int_equal(view.shape.dims[1], rows[i].columns);
  }
  clrs_error error;
  clrs_view scalar = dense(0, NULL);
  CHECK_OK(clrs_view_flatten(&scalar, 0, &error), error);
  expect_view(&scalar, 2, LIST(1, 1), LIST(0));
}

static void expand_broadcasts_in_both_directions(void **state) {
  (void)state;
  clrs_error error;
  clrs_shape shape;
  clrs_view view = DENSE(3, 1);
  CHECK_OK(clrs_shape_init(3, LIST(2, 1, 2), &shape, &error), error);
  CHECK_OK(clrs_view_expand(&view, &shape, &error), error);
  expect_view(&view, 3, LIST(2, 3, 2), LIST(0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2));
  clrs_view wide = DENSE(2, 2);
  CHECK_OK(clrs_shape_init(1, LIST(1), &shape, &error), error);
  CHECK_OK(clrs_view_expand(&wide, &shape, &error), error);
  expect_view(&wide, 2, LIST(2, 2), LIST(0, 1, 2, 3));
}

static void expand_of_one_to_zero_has_no_elements(void **state) {
  (void)state;
  clrs_error error;
  clrs_shape shape;
  clrs_view view = DENSE(1, 3);
  CHECK_OK(clrs_shape_init(2, LIST(0, 3), &shape, &error), error);
  CHECK_OK(clrs_view_expand(&view, &shape, &error), error);
  expect_view(&view, 2, LIST(0, 3), LIST(0));
}

typedef struct slice_row {
  const char *name;
  int64_t start, end, step, count;
  int64_t chosen[10];
} slice_row;

/* One dim of 10; the answers are those of ONNX Slice-13, which are Python's after clamping. */
static const slice_row slice_rows[] = {
    {"whole", 0, INT64_MAX, 1, 10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
    {"start_from_the_end", -3, INT64_MAX, 1, 3, {7, 8, 9}},
    {"end_from_the_end", 0, -8, 1, 2, {0, 1}},
    {"end_is_clamped", 8, 1000, 1, 2, {8, 9}},
    {"start_is_clamped", -1000, 2, 1, 2, {0, 1}},
    {"start_past_the_end_is_empty", 1000, 2000, 1, 0, {0}},
    {"step_leaves_a_rest", 0, 10, 4, 3, {0, 4, 8}},
    {"huge_step_takes_one", 3, 10, INT64_MAX, 1, {3}},
    {"backwards_whole", INT64_MAX, INT64_MIN, -1, 10, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
    {"backwards_start_is_clamped", 20, 7, -1, 2, {9, 8}},
    {"backwards_end_minus_one_is_the_last", 9, -1, -1, 0, {0}},
    {"backwards_to_the_first", 4, -1000, -2, 3, {4, 2, 0}},
    {"backwards_from_below_is_the_first", -1000, INT64_MIN, -1, 1, {0}},
    {"smallest_step_takes_one", 5, INT64_MIN, INT64_MIN, 1, {5}},
    {"empty_when_start_is_end", 4, 4, 1, 0, {0}},
    {"empty_when_backwards_and_upwards", 2, 5, -1, 0, {0}},
};

static void slice_clamps_and_steps_as_onnx_does(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof slice_rows / sizeof slice_rows[0]; i++) {
    const slice_row *row = &slice_rows[i];
    clrs_error error;
    clrs_view view = DENSE(10);
    const clrs_slice slice = {i % 2 ? -1 : 0, row->start, row->end, row->step};
    CHECK_OK(clrs_view_slice(&view, 1, &slice, &error), error);
    int64_t positions[10] = {0};
    const char *why = NULL;
    if (view.shape.rank != 1 || view.shape.dims[0] != row->count)
      fail_msg("%s: %lld elements", row->name, (long long)view.shape.dims[0]);
    if (!view_positions(&view, positions, &why))
      fail_msg("%s: %s", row->name, why);
    if (memcmp(positions, row->chosen, (size_t)row->count * sizeof positions[0]) != 0)
      fail_msg("%s: other elements", row->name);
  }
}

static void slice_of_a_dim_of_zero_is_empty(void **state) {
  (void)state;
  clrs_error error;
  clrs_view view = DENSE(0, 2);
  const clrs_slice slices[] = {{0, INT64_MAX, INT64_MIN, -1}, {1, 0, 1, 1}};
  CHECK_OK(clrs_view_slice(&view, 2, slices, &error), error);
  expect_view(&view, 2, LIST(0, 1), LIST(0));
}

static void slice_leaves_other_axes_alone(void **state) {
  (void)state;
  clrs_error error;
  clrs_view view = DENSE(2, 2, 3);
  const clrs_slice slices[] = {{2, 2, INT64_MIN, -2}, {0, 1, 2, 1}};
  CHECK_OK(clrs_view_slice(&view, 2, slices, &error), error);
  expect_view(&view, 3, LIST(1, 2, 2), LIST(8, 6, 11, 9));
}

static void flip_reverses_the_listed_axes(void **state) {
  (void)state;
  clrs_error error;
  clrs_view view = DENSE(2, 3);
  CHECK_OK(clrs_view_flip(&view, 1, LIST(-1), &error), error);
  expect_view(&view, 2, LIST(2, 3), LIST(2, 1, 0, 5, 4, 3));
  CHECK_OK(clrs_view_flip(&view, 2, LIST(0, 1), &error), error);
  expect_view(&view, 2, LIST(2, 3), LIST(3, 4, 5, 0, 1, 2));
}

static void split_gives_the_last_part_what_is_left(void **state) {
  (void)state;
  static const int64_t sizes[3] = {3, 3, 1}, firsts[3] = {0, 3, 6};
  for (int64_t which = 0; which < 3; which++) {
    clrs_error error;
    clrs_view view = DENSE(7);
    CHECK_OK(clrs_view_split(&view, 0, 3, which, &error), error);
    assert_int_equal(view.shape.dims[0], sizes[which]);
    int64_t positions[3];
    const char *why = NULL;
    assert_true(view_positions(&view, positions, &why));
    assert_int_equal(positions[0], firsts[which]);
  }
}

static void reshape_of_a_transposed_tensor_stays_one_walk(void **state) {
  (void)state;
  clrs_error error;
  clrs_shape flat;
  clrs_view view = DENSE(2, 3);
  CHECK_OK(clrs_view_permute(&view, 2, LIST(1, 0), &error), error);
  CHECK_OK(clrs_shape_init(1, LIST(6), &flat, &error), error);
  CHECK_OK(clrs_view_reshape(&view, &flat, &error), error);
  expect_view(&view, 1, LIST(6), LIST(0, 3, 1, 4, 2, 5));
  assert_int_equal(view.depth, 1);
}

static void axes_that_do_not_factor_make_a_stack(void **state) {
  (void)state;
  clrs_error error;
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
  clrs_error error;
  clrs_layout layout;
  CHECK_OK(clrs_view_layout(view, &layout, &error), error);
  assert_int_equal(layout.offset, offset);
  for (uint32_t d = 0; d < layout.rank; d++)
    assert_int_equal(layout.strides[d], strides[d]);
}

/* Of the transposed 3x4, read row by row: elements 3 and 4 are the end of a row and the next one's
 * start, at 9 and 1. Any two positions have a stride. */
static void a_step_across_the_end_of_a_row_is_a_stride(void **state) {
  (void)state;
  clrs_error error;
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

/* Every third of 0..10 twice, backwards: 10 7 4 1, then 9 6 3 0. As one axis it wraps; as 2x4 each
 * dim has a stride. */
static void a_shape_may_have_strides_where_its_flat_form_has_none(void **state) {
  (void)state;
  clrs_error error;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_row_of_the_view_table),
      cmocka_unit_test(permute_reorders_dims_like_numpy_transpose),
      cmocka_unit_test(permute_of_a_scalar_takes_no_axes),
      cmocka_unit_test(squeeze_without_axes_removes_every_one),
      cmocka_unit_test(squeeze_takes_axes_from_the_end),
      cmocka_unit_test(squeeze_ones_keeps_named_dims_of_other_extents),
      cmocka_unit_test(unsqueeze_axes_index_the_result),
      cmocka_unit_test(flatten_makes_two_dims_at_any_axis),
      cmocka_unit_test(expand_broadcasts_in_both_directions),
      cmocka_unit_test(expand_of_one_to_zero_has_no_elements),
      cmocka_unit_test(slice_clamps_and_steps_as_onnx_does),
      cmocka_unit_test(slice_of_a_dim_of_zero_is_empty),
      cmocka_unit_test(slice_leaves_other_axes_alone),
      cmocka_unit_test(flip_reverses_the_listed_axes),
      cmocka_unit_test(split_gives_the_last_part_what_is_left),
      cmocka_unit_test(reshape_of_a_transposed_tensor_stays_one_walk),
      cmocka_unit_test(axes_that_do_not_factor_make_a_stack),
      cmocka_unit_test(a_step_across_the_end_of_a_row_is_a_stride),
      cmocka_unit_test(a_shape_may_have_strides_where_its_flat_form_has_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
