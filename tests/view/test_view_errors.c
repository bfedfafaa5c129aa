/*
 * What the operations on views refuse: one named test for each rule. Every refusal must name the
 * offending value and leave the view as it was, byte for byte.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "harness/tensors.h"

static clrs_view view_2_1_3(void) {
  clrs_error error;
  clrs_shape shape;
  clrs_view view;
  CHECK_OK(clrs_shape_init(3, LIST(2, 1, 3), &shape, &error), error);
  CHECK_OK(clrs_view_dense(CLRS_F32, &shape, &view, &error), error);
  return view;
}

/* `call` uses `view` and `error`; it must fail, say `text` and change nothing. */
#define REFUSES(call, status, text)                                                                \
  do {                                                                                             \
    clrs_error error;                                                                              \
    clrs_view view = view_2_1_3();                                                                 \
    const clrs_view before = view;                                                                 \
    CHECK_FAILS((call), (status), error);                                                          \
    CHECK_SAYS(error, (text));                                                                     \
    assert_memory_equal(&before, &view, sizeof before);                                            \
  } while (0)

static clrs_shape shape_of(uint32_t rank, const int64_t *dims) {
  clrs_error error;
  clrs_shape shape;
  CHECK_OK(clrs_shape_init(rank, dims, &shape, &error), error);
  return shape;
}

static void reshape_refuses_another_count(void **state) {
  (void)state;
  const clrs_shape seven = shape_of(1, LIST(7));
  REFUSES(clrs_view_reshape(&view, &seven, &error), CLRS_COUNT_MISMATCH, "7");
}

static void reshape_refuses_a_malformed_shape(void **state) {
  (void)state;
  const clrs_shape negative = {1, {-6}};
  REFUSES(clrs_view_reshape(&view, &negative, &error), CLRS_INVALID_ARGUMENT, "-6");
  const clrs_shape deep = {CLRS_MAX_RANK + 1, {6}};
  REFUSES(clrs_view_reshape(&view, &deep, &error), CLRS_LIMIT_EXCEEDED, "33");
}

static void reshape_refuses_a_product_that_wraps_to_the_right_count(void **state) {
  (void)state;
  /* 11 * 1676976733973595602 is 2^64 + 6 */
  const clrs_shape wraps = {2, {11, INT64_C(1676976733973595602)}};
  REFUSES(clrs_view_reshape(&view, &wraps, &error), CLRS_OVERFLOW, "");
}

static void reshape_by_pattern_refuses_what_the_dialect_refuses(void **state) {
  (void)state;
  const clrs_pattern pattern = {CLRS_ONNX, CLRS_ZERO_COPIES, 2, {-1, -1}};
  REFUSES(clrs_view_reshape_pattern(&view, &pattern, &error), CLRS_INVALID_PATTERN, "-1");
}

static void permute_refuses_a_repeat(void **state) {
  (void)state;
  REFUSES(clrs_view_permute(&view, 3, LIST(0, 2, 2), &error), CLRS_INVALID_ARGUMENT, "2");
  REFUSES(clrs_view_permute(&view, 3, LIST(0, 2, -1), &error), CLRS_INVALID_ARGUMENT, "-1");
}

static void permute_refuses_a_gap(void **state) {
  (void)state;
  REFUSES(clrs_view_permute(&view, 2, LIST(0, 1), &error), CLRS_INVALID_ARGUMENT, "2");
  REFUSES(clrs_view_permute(&view, 4, LIST(0, 1, 2, 3), &error), CLRS_INVALID_ARGUMENT, "4");
  REFUSES(clrs_view_permute(&view, 0, NULL, &error), CLRS_INVALID_ARGUMENT, "0");
}

static void permute_refuses_an_axis_out_of_range(void **state) {
  (void)state;
  REFUSES(clrs_view_permute(&view, 3, LIST(0, 1, 3), &error), CLRS_INVALID_ARGUMENT, "3");
  REFUSES(clrs_view_permute(&view, 3, LIST(0, 1, -4), &error), CLRS_INVALID_ARGUMENT, "-4");
  REFUSES(clrs_view_permute(&view, 3, LIST(0, 1, INT64_MIN), &error), CLRS_INVALID_ARGUMENT,
          "-9223372036854775808");
}

static void squeeze_refuses_a_dim_other_than_one_by_name(void **state) {
  (void)state;
  REFUSES(clrs_view_squeeze(&view, 1, LIST(2), &error), CLRS_INVALID_ARGUMENT, "2");
  REFUSES(clrs_view_squeeze(&view, 1, LIST(2), &error), CLRS_INVALID_ARGUMENT, "3");
}

static void squeeze_refuses_bad_axes(void **state) {
  (void)state;
  REFUSES(clrs_view_squeeze(&view, 1, LIST(3), &error), CLRS_INVALID_ARGUMENT, "3");
  REFUSES(clrs_view_squeeze(&view, 2, LIST(1, -2), &error), CLRS_INVALID_ARGUMENT, "-2");
}

static void unsqueeze_refuses_bad_axes(void **state) {
  (void)state;
  REFUSES(clrs_view_unsqueeze(&view, 1, LIST(4), &error), CLRS_INVALID_ARGUMENT, "4");
  REFUSES(clrs_view_unsqueeze(&view, 1, LIST(-5), &error), CLRS_INVALID_ARGUMENT, "-5");
  REFUSES(clrs_view_unsqueeze(&view, 2, LIST(1, -4), &error), CLRS_INVALID_ARGUMENT, "-4");
}

static void unsqueeze_refuses_more_dims_than_the_limit(void **state) {
  (void)state;
  int64_t axes[CLRS_MAX_RANK];
  for (int64_t i = 0; i < CLRS_MAX_RANK; i++)
    axes[i] = i;
  REFUSES(clrs_view_unsqueeze(&view, 30, axes, &error), CLRS_LIMIT_EXCEEDED, "32 dims");
  REFUSES(clrs_view_unsqueeze(&view, SIZE_MAX, axes, &error), CLRS_LIMIT_EXCEEDED, "32");
}

static void flatten_refuses_an_axis_out_of_range(void **state) {
  (void)state;
  REFUSES(clrs_view_flatten(&view, 4, &error), CLRS_INVALID_ARGUMENT, "4");
  REFUSES(clrs_view_flatten(&view, -4, &error), CLRS_INVALID_ARGUMENT, "-4");
}

static void expand_refuses_dims_that_do_not_broadcast(void **state) {
  (void)state;
  const clrs_shape other = shape_of(1, LIST(4));
  REFUSES(clrs_view_expand(&view, &other, &error), CLRS_INVALID_ARGUMENT, "4");
  const clrs_shape zero = shape_of(1, LIST(0));
  REFUSES(clrs_view_expand(&view, &zero, &error), CLRS_INVALID_ARGUMENT, "0");
}

static void expand_refuses_a_count_over_64_bits(void **state) {
  (void)state;
  const clrs_shape wide = shape_of(4, LIST(INT64_MAX / 2, 1, 1, 1));
  REFUSES(clrs_view_expand(&view, &wide, &error), CLRS_OVERFLOW, "");
}

static void slice_refuses_step_zero(void **state) {
  (void)state;
  const clrs_slice slice = {0, 0, 2, 0};
  REFUSES(clrs_view_slice(&view, 1, &slice, &error), CLRS_INVALID_ARGUMENT, "0");
}

static void slice_refuses_bad_axes(void **state) {
  (void)state;
  const clrs_slice far = {3, 0, 1, 1}, twice[] = {{2, 0, 1, 1}, {-1, 0, 1, 1}};
  REFUSES(clrs_view_slice(&view, 1, &far, &error), CLRS_INVALID_ARGUMENT, "3");
  REFUSES(clrs_view_slice(&view, 2, twice, &error), CLRS_INVALID_ARGUMENT, "-1");
}

static void flip_refuses_bad_axes(void **state) {
  (void)state;
  REFUSES(clrs_view_flip(&view, 1, LIST(-4), &error), CLRS_INVALID_ARGUMENT, "-4");
  REFUSES(clrs_view_flip(&view, 2, LIST(1, 1), &error), CLRS_INVALID_ARGUMENT, "1");
}

static void split_refuses_bad_parts(void **state) {
  (void)state;
  REFUSES(clrs_view_split(&view, 3, 1, 0, &error), CLRS_INVALID_ARGUMENT, "3");
  REFUSES(clrs_view_split(&view, 2, 0, 0, &error), CLRS_INVALID_ARGUMENT, "0");
  REFUSES(clrs_view_split(&view, 2, -2, 0, &error), CLRS_INVALID_ARGUMENT, "-2");
  REFUSES(clrs_view_split(&view, 2, 3, 3, &error), CLRS_INVALID_ARGUMENT, "3");
  REFUSES(clrs_view_split(&view, 2, 3, -1, &error), CLRS_INVALID_ARGUMENT, "-1");
}

static void split_refuses_a_last_part_below_nothing(void **state) {
  (void)state;
  clrs_error error;
  const clrs_shape five = shape_of(1, LIST(5));
  clrs_view view;
  CHECK_OK(clrs_view_dense(CLRS_F32, &five, &view, &error), error);
  CHECK_FAILS(clrs_view_split(&view, 0, 4, 0, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "5"); /* parts of 2, 2, 2 and -1 */
}

static void null_is_refused_wherever_a_pointer_is_needed(void **state) {
  (void)state;
  const clrs_shape six = shape_of(1, LIST(6));
  const clrs_pattern pattern = {CLRS_NUMPY, CLRS_ZERO_IS_LITERAL, 1, {6}};
  REFUSES(clrs_view_reshape(&view, NULL, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_reshape_pattern(&view, NULL, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_permute(&view, 3, NULL, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_squeeze(&view, 1, NULL, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_unsqueeze(&view, 1, NULL, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_expand(&view, NULL, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_slice(&view, 1, NULL, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_flip(&view, 1, NULL, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_layout(&view, NULL, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_bounds(&view, NULL, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_reshape(NULL, &six, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_reshape_pattern(NULL, &pattern, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_permute(NULL, 1, LIST(0), &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_squeeze(NULL, 0, NULL, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_unsqueeze(NULL, 1, LIST(0), &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_flatten(NULL, 0, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_expand(NULL, &six, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_slice(NULL, 0, NULL, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_flip(NULL, 0, NULL, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_split(NULL, 0, 1, 0, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_dense(CLRS_F32, NULL, &view, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_dense(CLRS_F32, &six, NULL, &error), CLRS_INVALID_ARGUMENT, "NULL");
  REFUSES(clrs_view_from_layout(NULL, &view, &error), CLRS_INVALID_ARGUMENT, "NULL");
}

static void an_unknown_dtype_is_refused(void **state) {
  (void)state;
  const clrs_shape six = shape_of(1, LIST(6));
  REFUSES(clrs_view_dense(CLRS_DTYPE_COUNT, &six, &view, &error), CLRS_INVALID_ARGUMENT, "");
  const clrs_layout layout = {.dtype = (clrs_dtype)1000, .rank = 1, .dims = {6}, .strides = {1}};
  REFUSES(clrs_view_from_layout(&layout, &view, &error), CLRS_INVALID_ARGUMENT, "1000");
}

/* A stack of two walks: [4,6] transposed, read as [8,3], transposed again. */
static clrs_view stacked_view(void) {
  clrs_error error;
  const clrs_shape first = shape_of(2, LIST(4, 6)), second = shape_of(2, LIST(8, 3));
  clrs_view view;
  CHECK_OK(clrs_view_dense(CLRS_F32, &first, &view, &error), error);
  CHECK_OK(clrs_view_permute(&view, 2, LIST(1, 0), &error), error);
  CHECK_OK(clrs_view_reshape(&view, &second, &error), error);
  CHECK_OK(clrs_view_permute(&view, 2, LIST(1, 0), &error), error);
  assert_int_equal(view.depth, 2);
  return view;
}

static void expect_refused(const clrs_view *view, const char *what) {
  clrs_error error;
  clrs_view next = *view;
  clrs_plan plan;
  const clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  const clrs_move move = {.source = {view, 0, 4}, .policy = CLRS_COPY_ALWAYS};
  if (clrs_view_flip(&next, 1, LIST(0), &error) != CLRS_INVALID_ARGUMENT ||
      clrs_plan_move(&move, &limits, &plan, &error) != CLRS_INVALID_ARGUMENT)
    fail_msg("%s was taken", what);
  CHECK_SAYS(error, "not made by this library");
}

/* Views are open structs: whatever was written into one, nothing outside of its bounds is read. */
static void views_edited_by_hand_are_refused(void **state) {
  (void)state;
  const clrs_view sound = stacked_view();
#define EDITED(edit)                                                                               \
  do {                                                                                             \
    clrs_view view = sound;                                                                        \
    view.edit;                                                                                     \
    expect_refused(&view, #edit);                                                                  \
  } while (0)
  EDITED(shape.dims[0] = 4);
  EDITED(shape.dims[0] = 2);
  EDITED(shape.dims[0] = 0);
  EDITED(depth = 0);
  EDITED(depth = CLRS_MAX_DEPTH + 1);
  EDITED(levels[0].axis_count = CLRS_VIEW_AXES + 1);
  EDITED(levels[0].axis_count = UINT32_MAX);
  EDITED(levels[1].axis_count = CLRS_VIEW_AXES - 1);
  EDITED(levels[1].offset = 1);
  EDITED(levels[1].offset = -1);
  EDITED(levels[1].offset = INT64_MAX);
  EDITED(axes[0].extent = 3);
  EDITED(axes[0].extent = 0);
  EDITED(axes[1].extent = -4);
  EDITED(axes[1].stride = INT64_MAX);
  EDITED(axes[2].stride = 4);
  EDITED(axes[2].stride = -1);
#undef EDITED
}

static void errors_may_be_ignored(void **state) {
  (void)state;
  clrs_view view = view_2_1_3();
  assert_int_equal(clrs_view_flatten(&view, 9, NULL), CLRS_INVALID_ARGUMENT);
  assert_int_equal(clrs_view_flatten(&view, 1, NULL), CLRS_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reshape_refuses_another_count),
      cmocka_unit_test(reshape_refuses_a_malformed_shape),
      cmocka_unit_test(reshape_refuses_a_product_that_wraps_to_the_right_count),
      cmocka_unit_test(reshape_by_pattern_refuses_what_the_dialect_refuses),
      cmocka_unit_test(permute_refuses_a_repeat),
      cmocka_unit_test(permute_refuses_a_gap),
      cmocka_unit_test(permute_refuses_an_axis_out_of_range),
      cmocka_unit_test(squeeze_refuses_a_dim_other_than_one_by_name),
      cmocka_unit_test(squeeze_refuses_bad_axes),
      cmocka_unit_test(unsqueeze_refuses_bad_axes),
      cmocka_unit_test(unsqueeze_refuses_more_dims_than_the_limit),
      cmocka_unit_test(flatten_refuses_an_axis_out_of_range),
      cmocka_unit_test(expand_refuses_dims_that_do_not_broadcast),
      cmocka_unit_test(expand_refuses_a_count_over_64_bits),
      cmocka_unit_test(slice_refuses_step_zero),
      cmocka_unit_test(slice_refuses_bad_axes),
      cmocka_unit_test(flip_refuses_bad_axes),
      cmocka_unit_test(split_refuses_bad_parts),
      cmocka_unit_test(split_refuses_a_last_part_below_nothing),
      cmocka_unit_test(null_is_refused_wherever_a_pointer_is_needed),
      cmocka_unit_test(an_unknown_dtype_is_refused),
      cmocka_unit_test(views_edited_by_hand_are_refused),
      cmocka_unit_test(errors_may_be_ignored),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
