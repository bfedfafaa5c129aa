/*
 * Reshape, permute, squeeze, unsqueeze, flatten, expand and flip, with a named test for each rule.
 * Valid input must give the result of NumPy and ONNX. harness/negative has the refusals.
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

TESTS(NULL, NULL)
