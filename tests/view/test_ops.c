/*
 * Reshape, permute, squeeze, unsqueeze, flatten, expand and flip, with a named test for each rule.
 * Valid input must give the result of NumPy and ONNX. A refusal must name the offending value and
 * leave the view unchanged, byte for byte.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "expect.h"

TEST(permute_reorders_dims_like_numpy_transpose) {
  clrs_view view = DENSE(2, 3);
  CHECK_OK(clrs_view_permute(&view, 2, LIST(1, -2), &error), error);
  expect_view(&view, 2, LIST(3, 2), LIST(0, 3, 1, 4, 2, 5));
}

TEST(permute_of_a_scalar_takes_no_axes) {
  clrs_view view = dense(0, NULL);
  CHECK_OK(clrs_view_permute(&view, 0, NULL, &error), error);
  expect_view(&view, 0, NULL, LIST(0));
}

TEST(squeeze_without_axes_removes_every_one) {
  clrs_view view = DENSE(1, 2, 1, 3, 1);
  CHECK_OK(clrs__view_squeeze(&view, 0, NULL, &error), error);
  expect_view(&view, 2, LIST(2, 3), LIST(0, 1, 2, 3, 4, 5));
}

TEST(squeeze_takes_axes_from_the_end) {
  clrs_view view = DENSE(1, 2, 1);
  CHECK_OK(clrs__view_squeeze(&view, 1, LIST(-1), &error), error);
  expect_view(&view, 2, LIST(1, 2), LIST(0, 1));
}

TEST(unsqueeze_axes_index_the_result) {
  clrs_view view = DENSE(2, 3);
  CHECK_OK(clrs__view_unsqueeze(&view, 3, LIST(4, 0, -3), &error), error);
  expect_view(&view, 5, LIST(1, 2, 1, 3, 1), LIST(0, 1, 2, 3, 4, 5));
}

TEST(flatten_makes_two_dims_at_any_axis) {
  static const struct {
    int64_t axis, rows, columns;
  } rows[] = {{0, 1, 24}, {1, 2, 12}, {2, 6, 4}, {3, 24, 1}, {-1, 6, 4}, {-3, 1, 24}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    clrs_view view = DENSE(2, 3, 4);
    CHECK_OK(clrs__view_flatten(&view, rows[i].axis, &error), error);
    assert_int_equal(view.shape.rank, 2);
    assert_int_equal(view.shape.dims[0], rows[i].rows);
    assert_int_equal(view.shape.dims[1], rows[i].columns);
  }
  clrs_view scalar = dense(0, NULL);
  CHECK_OK(clrs__view_flatten(&scalar, 0, &error), error);
  expect_view(&scalar, 2, LIST(1, 1), LIST(0));
}

TEST(expand_broadcasts_in_both_directions) {
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

TEST(expand_of_one_to_zero_has_no_elements) {
  clrs_shape shape;
  clrs_view view = DENSE(1, 3);
  CHECK_OK(clrs_shape_init(2, LIST(0, 3), &shape, &error), error);
  CHECK_OK(clrs_view_expand(&view, &shape, &error), error);
  expect_view(&view, 2, LIST(0, 3), LIST(0));
}

TEST(flip_reverses_the_listed_axes) {
  clrs_view view = DENSE(2, 3);
  CHECK_OK(clrs_view_flip(&view, 1, LIST(-1), &error), error);
  expect_view(&view, 2, LIST(2, 3), LIST(2, 1, 0, 5, 4, 3));
  CHECK_OK(clrs_view_flip(&view, 2, LIST(0, 1), &error), error);
  expect_view(&view, 2, LIST(2, 3), LIST(3, 4, 5, 0, 1, 2));
}

/* ---- refusals ---- */

TEST(reshape_refuses_another_count) {
  const clrs_shape seven = shape_of(1, LIST(7));
  REFUSES(clrs_view_reshape(&view, &seven, &error), CLRS_COUNT_MISMATCH, "7");
}

TEST(reshape_refuses_a_malformed_shape) {
  const clrs_shape negative = {1, {-6}};
  REFUSES(clrs_view_reshape(&view, &negative, &error), CLRS_INVALID_ARGUMENT, "-6");
  const clrs_shape deep = {CLRS_MAX_RANK + 1, {6}};
  REFUSES(clrs_view_reshape(&view, &deep, &error), CLRS_LIMIT_EXCEEDED, "33");
}

TEST(reshape_refuses_a_product_that_wraps_to_the_right_count) {
  /* 11 * 1676976733973595602 is 2^64 + 6 */
  const clrs_shape wraps = {2, {11, INT64_C(1676976733973595602)}};
  REFUSES(clrs_view_reshape(&view, &wraps, &error), CLRS_OVERFLOW, "");
}

TEST(permute_refuses_a_repeat) {
  REFUSES(clrs_view_permute(&view, 3, LIST(0, 2, 2), &error), CLRS_INVALID_ARGUMENT, "2");
  REFUSES(clrs_view_permute(&view, 3, LIST(0, 2, -1), &error), CLRS_INVALID_ARGUMENT, "-1");
}

TEST(permute_refuses_a_gap) {
  REFUSES(clrs_view_permute(&view, 2, LIST(0, 1), &error), CLRS_INVALID_ARGUMENT, "2");
  REFUSES(clrs_view_permute(&view, 4, LIST(0, 1, 2, 3), &error), CLRS_INVALID_ARGUMENT, "4");
  REFUSES(clrs_view_permute(&view, 0, NULL, &error), CLRS_INVALID_ARGUMENT, "0");
}

TEST(permute_refuses_an_axis_out_of_range) {
  REFUSES(clrs_view_permute(&view, 3, LIST(0, 1, 3), &error), CLRS_INVALID_ARGUMENT, "3");
  REFUSES(clrs_view_permute(&view, 3, LIST(0, 1, -4), &error), CLRS_INVALID_ARGUMENT, "-4");
  REFUSES(clrs_view_permute(&view, 3, LIST(0, 1, INT64_MIN), &error), CLRS_INVALID_ARGUMENT,
          "-9223372036854775808");
}

TEST(squeeze_refuses_a_dim_other_than_one_by_name) {
  REFUSES(clrs__view_squeeze(&view, 1, LIST(2), &error), CLRS_INVALID_ARGUMENT, "2");
  REFUSES(clrs__view_squeeze(&view, 1, LIST(2), &error), CLRS_INVALID_ARGUMENT, "3");
}

TEST(squeeze_refuses_bad_axes) {
  REFUSES(clrs__view_squeeze(&view, 1, LIST(3), &error), CLRS_INVALID_ARGUMENT, "3");
  REFUSES(clrs__view_squeeze(&view, 2, LIST(1, -2), &error), CLRS_INVALID_ARGUMENT, "-2");
}

TEST(unsqueeze_refuses_bad_axes) {
  REFUSES(clrs__view_unsqueeze(&view, 1, LIST(4), &error), CLRS_INVALID_ARGUMENT, "4");
  REFUSES(clrs__view_unsqueeze(&view, 1, LIST(-5), &error), CLRS_INVALID_ARGUMENT, "-5");
  REFUSES(clrs__view_unsqueeze(&view, 2, LIST(1, -4), &error), CLRS_INVALID_ARGUMENT, "-4");
}

TEST(unsqueeze_refuses_more_dims_than_the_limit) {
  int64_t axes[CLRS_MAX_RANK];
  for (int64_t i = 0; i < CLRS_MAX_RANK; i++)
    axes[i] = i;
  REFUSES(clrs__view_unsqueeze(&view, 30, axes, &error), CLRS_LIMIT_EXCEEDED, "32 dims");
  REFUSES(clrs__view_unsqueeze(&view, SIZE_MAX, axes, &error), CLRS_LIMIT_EXCEEDED, "32");
}

TEST(flatten_refuses_an_axis_out_of_range) {
  REFUSES(clrs__view_flatten(&view, 4, &error), CLRS_INVALID_ARGUMENT, "4");
  REFUSES(clrs__view_flatten(&view, -4, &error), CLRS_INVALID_ARGUMENT, "-4");
}

TEST(expand_refuses_dims_that_do_not_broadcast) {
  const clrs_shape other = shape_of(1, LIST(4));
  REFUSES(clrs_view_expand(&view, &other, &error), CLRS_INVALID_ARGUMENT, "4");
  const clrs_shape zero = shape_of(1, LIST(0));
  REFUSES(clrs_view_expand(&view, &zero, &error), CLRS_INVALID_ARGUMENT, "0");
}

TEST(expand_refuses_a_count_over_64_bits) {
  const clrs_shape wide = shape_of(4, LIST(INT64_MAX / 2, 1, 1, 1));
  REFUSES(clrs_view_expand(&view, &wide, &error), CLRS_OVERFLOW, "");
}

TEST(flip_refuses_bad_axes) {
  REFUSES(clrs_view_flip(&view, 1, LIST(-4), &error), CLRS_INVALID_ARGUMENT, "-4");
  REFUSES(clrs_view_flip(&view, 2, LIST(1, 1), &error), CLRS_INVALID_ARGUMENT, "1");
}

TESTS(NULL, NULL)
