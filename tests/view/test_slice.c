/*
 * Slice and split, with a named test for each rule: the remaining elements, as in ONNX.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "expect.h"

typedef struct slice_row {
  const char *name;
  int64_t start, end, step, count;
  int64_t chosen[10];
} slice_row;

/* A single dim of 10. The answers are ONNX Slice-13's, which equal Python's after clamping. */
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

TEST(slice_clamps_and_steps_as_onnx_does) {
  for (size_t i = 0; i < sizeof slice_rows / sizeof slice_rows[0]; i++) {
    const slice_row *row = &slice_rows[i];
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

TEST(slice_of_a_dim_of_zero_is_empty) {
  clrs_view view = DENSE(0, 2);
  const clrs_slice slices[] = {{0, INT64_MAX, INT64_MIN, -1}, {1, 0, 1, 1}};
  CHECK_OK(clrs_view_slice(&view, 2, slices, &error), error);
  expect_view(&view, 2, LIST(0, 1), LIST(0));
}

TEST(slice_leaves_other_axes_alone) {
  clrs_view view = DENSE(2, 2, 3);
  const clrs_slice slices[] = {{2, 2, INT64_MIN, -2}, {0, 1, 2, 1}};
  CHECK_OK(clrs_view_slice(&view, 2, slices, &error), error);
  expect_view(&view, 3, LIST(1, 2, 2), LIST(8, 6, 11, 9));
}

TEST(split_gives_the_last_part_what_is_left) {
  static const int64_t sizes[3] = {3, 3, 1}, firsts[3] = {0, 3, 6};
  for (int64_t which = 0; which < 3; which++) {
    clrs_view view = DENSE(7);
    CHECK_OK(clrs__view_split(&view, 0, 3, which, &error), error);
    assert_int_equal(view.shape.dims[0], sizes[which]);
    int64_t positions[3];
    const char *why = NULL;
    assert_true(view_positions(&view, positions, &why));
    assert_int_equal(positions[0], firsts[which]);
  }
}

TESTS(NULL, NULL)
