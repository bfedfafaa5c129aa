/*
 * The decisions of clrs_plan_move, each in a named test, from a table without a device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/axes.h"
#include "harness/check.h"

#include "plan/plan.h"

#include "harness/tensors.h"

static const clrs_device_limits any_device = CLRS_DEVICE_LIMITS_INIT;

static clrs_plan plan_into(const clrs_view *source, const clrs_view *destination) {
  const clrs_move move = {{source, 0, 128}, {destination, 0, 128}, CLRS_COPY_ALWAYS};
  clrs_plan plan;
  CHECK_OK(clrs_plan_move(&move, &any_device, &plan, &error), error);
  return plan;
}

static clrs_plan plan_result(const clrs_view *source, clrs_copy_policy policy) {
  const clrs_move move = {{source, 0, 128}, {NULL, 0, 1}, policy};
  clrs_plan plan;
  CHECK_OK(clrs_plan_move(&move, &any_device, &plan, &error), error);
  return plan;
}

TEST(a_layout_is_an_alias) {
  const clrs_view view = view_strided(CLRS_F32, 2, LIST(4, 6), LIST(12, 1), 5);
  const clrs_copy_policy policies[] = {CLRS_COPY_NEVER, CLRS_COPY_IF_NEEDED};
  for (int i = 0; i < 2; i++) {
    const clrs_plan plan = plan_result(&view, policies[i]);
    assert_int_equal(plan.outcome, CLRS_OUTCOME_ALIAS);
    assert_int_equal(plan.launch_count, 0);
    assert_int_equal(plan.bytes_read, 0);
    assert_int_equal(plan.bytes_written, 0);
    assert_int_equal(plan.result.strides[0], 12);
    assert_int_equal(plan.result.offset, 5);
  }
}

TEST(always_copies_even_a_dense_tensor) {
  const clrs_view view = view_strided(CLRS_F32, 2, LIST(4, 6), NULL, 0);
  const clrs_plan plan = plan_result(&view, CLRS_COPY_ALWAYS);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_AFFINE);
  assert_int_equal(plan.launch_count, 1);
  assert_int_equal(plan.bytes_read, 96);
  assert_int_equal(plan.bytes_written, 96);
  assert_true(clrs__plan_data_in(&plan)->reason_count >= 1 &&
              clrs__plan_data_in(&plan)->reasons[0].kind == CLRS__REASON_COPY_REQUESTED);
}

static clrs_view flattened_transpose(void) {
  const clrs_shape flat = {1, {12}};
  clrs_view view = view_strided(CLRS_F32, 2, LIST(3, 4), LIST(1, 3), 0);
  CHECK_OK(clrs_view_reshape(&view, &flat, &error), error);
  return view;
}

TEST(never_refuses_what_has_no_strides_and_says_why) {
  clrs_plan plan;
  const clrs_view view = flattened_transpose();
  const clrs_move move = {{&view, 0, 128}, {NULL, 0, 1}, CLRS_COPY_NEVER};
  CHECK_FAILS(clrs_plan_move(&move, &any_device, &plan, &error), CLRS_WOULD_COPY, error);
  CHECK_SAYS(error, "12");
}

TEST(a_flattened_transpose_is_one_affine_pass) {
  const clrs_view view = flattened_transpose();
  const clrs_plan plan = plan_result(&view, CLRS_COPY_IF_NEEDED);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_AFFINE);
  assert_int_equal(plan.launch_count, 1);
  assert_int_equal(clrs__plan_data_in(&plan)->nest.axis_count, 2);
  assert_true(is_axis(&clrs__plan_data_in(&plan)->nest.axes[0], 3, 1, 4));
  assert_true(is_axis(&clrs__plan_data_in(&plan)->nest.axes[1], 4, 3, 1));
  assert_int_equal(clrs__plan_data_in(&plan)->reasons[0].kind, CLRS__REASON_DIM_HAS_NO_STRIDE);
}

TEST(axes_that_do_not_factor_are_composed) {
  const clrs_shape shape = {2, {8, 3}};
  clrs_view view = view_strided(CLRS_F32, 2, LIST(6, 4), LIST(1, 6), 0);
  CHECK_OK(clrs_view_reshape(&view, &shape, &error), error);
  CHECK_OK(clrs_view_permute(&view, 2, LIST(1, 0), &error), error);
  const clrs_plan plan = plan_result(&view, CLRS_COPY_IF_NEEDED);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_COMPOSED);
  assert_int_equal(plan.launch_count, 1);
  assert_string_equal(plan.launches[0].kernel_class, "composed");
  assert_true(clrs__plan_data_in(&plan)->reason_count >= 1);
}

/* nChw16c, 30 of 32 channels, to planes: two rectangles. With few bytes both are a single
 * launch. */
static clrs_plan plan_two_rectangles(int64_t pixels, uint64_t launch_bytes, clrs_error *error) {
  const clrs_shape blocks = {3, {2, pixels, 16}};
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  clrs_view view;
  clrs_plan plan;
  char chain[100];
  limits.launch_bytes = launch_bytes;
  (void)snprintf(chain, sizeof chain, "permute=0,2,1 reshape=32,%d slice=0:30", (int)pixels);
  CHECK_OK(clrs_view_dense(CLRS_F32, &blocks, &view, error), *error);
  CHECK_OK(clrs_view_apply(&view, chain, error), *error);
  const clrs_move move = {{&view, 0, 128}, {NULL, 0, 128}, CLRS_COPY_IF_NEEDED};
  CHECK_OK(clrs_plan_move(&move, &limits, &plan, error), *error);
  return plan;
}

TEST(rectangles_of_few_bytes_are_one_launch) {
  const clrs_plan large = plan_two_rectangles(1000, 8192, &error);
  assert_int_equal(large.outcome, CLRS_OUTCOME_AFFINE);
  assert_int_equal(large.launch_count, 2);
  const clrs_plan small = plan_two_rectangles(4, 8192, &error);
  assert_int_equal(small.outcome, CLRS_OUTCOME_COMPOSED);
  assert_int_equal(small.launch_count, 1);
  const clrs_plan cheap = plan_two_rectangles(4, 0, &error); /* launches cost nothing */
  assert_int_equal(cheap.outcome, CLRS_OUTCOME_AFFINE);
  assert_int_equal(cheap.launch_count, 2);
  const clrs_plan least = plan_two_rectangles(4, 30 * 4 * 4, &error);
  assert_int_equal(least.launch_count, 2);
}

/* A matrix in blocks of 16 by 16 with 30 rows and columns each: four rectangles of 3600 bytes. The
 * three launches after the first are worth 1200 bytes each. */
TEST(bytes_are_divided_by_the_launches_after_the_first) {
  const clrs_shape blocks = {4, {2, 2, 16, 16}};
  for (uint64_t launch_bytes = 1200; launch_bytes <= 1201; launch_bytes++) {
    clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
    clrs_view view;
    clrs_plan plan;
    limits.launch_bytes = launch_bytes;
    CHECK_OK(clrs_view_dense(CLRS_F32, &blocks, &view, &error), error);
    CHECK_OK(clrs_view_apply(&view, "permute=0,2,1,3 reshape=32,32 slice=0:30,0:30", &error),
             error);
    const clrs_move move = {{&view, 0, 128}, {NULL, 0, 128}, CLRS_COPY_IF_NEEDED};
    CHECK_OK(clrs_plan_move(&move, &limits, &plan, &error), error);
    assert_int_equal(plan.bytes_written, 3600);
    assert_int_equal(plan.launch_count, launch_bytes > 1200 ? 1 : 4);
  }
}

TEST(no_elements_is_no_launch) {
  const clrs_view view = view_strided(CLRS_F32, 2, LIST(0, 6), NULL, 0);
  for (int policy = CLRS_COPY_NEVER; policy <= CLRS_COPY_ALWAYS; policy++) {
    const clrs_plan plan = plan_result(&view, (clrs_copy_policy)policy);
    assert_int_equal(plan.outcome, CLRS_OUTCOME_EMPTY);
    assert_int_equal(plan.launch_count, 0);
  }
  const clrs_plan into = plan_into(&view, &view);
  assert_int_equal(into.outcome, CLRS_OUTCOME_EMPTY);
}

TEST(a_nest_turns_negative_destination_strides_around) {
  const clrs_view source = view_strided(CLRS_F32, 1, LIST(5), LIST(2), 0);
  const clrs_view destination = view_strided(CLRS_F32, 1, LIST(5), LIST(-1), 4);
  const clrs_plan plan = plan_into(&source, &destination);
  assert_int_equal(clrs__plan_data_in(&plan)->nest.axis_count, 1);
  assert_true(is_axis(&clrs__plan_data_in(&plan)->nest.axes[0], 5, -2, 1));
  assert_int_equal(clrs__plan_data_in(&plan)->nest.source_offset, 8);
  assert_int_equal(clrs__plan_data_in(&plan)->nest.destination_offset, 0);
  assert_int_equal(clrs__plan_data_in(&plan)->reasons[0].kind, CLRS__REASON_DESTINATION_GIVEN);
}

TEST(a_nest_sorts_by_destination_and_merges) {
  const clrs_view source = view_strided(CLRS_F32, 3, LIST(2, 3, 4), LIST(1, 8, 2), 0);
  const clrs_view destination = view_strided(CLRS_F32, 3, LIST(2, 3, 4), LIST(1, 8, 2), 0);
  const clrs_plan plan = plan_into(&source, &destination);
  assert_int_equal(clrs__plan_data_in(&plan)->nest.axis_count, 1);
  assert_true(is_axis(&clrs__plan_data_in(&plan)->nest.axes[0], 24, 1, 1));
}

TEST(a_broadcast_source_is_read_with_stride_zero) {
  const clrs_view source = view_strided(CLRS_F32, 2, LIST(3, 4), LIST(0, 1), 0);
  const clrs_view destination = view_strided(CLRS_F32, 2, LIST(3, 4), NULL, 0);
  const clrs_plan plan = plan_into(&source, &destination);
  assert_true(is_axis(&clrs__plan_data_in(&plan)->nest.axes[0], 3, 0, 4));
}

TEST(the_unit_follows_alignment_and_strides) {
  static const struct {
    const char *name;
    uint64_t source_byte, destination_byte;
    uint32_t alignment;
    int64_t row; /* elements between rows of 4 on the source's side */
    uint32_t unit_bits;
  } rows[] = {
      {"aligned_and_even", 0, 0, 128, 8, 64},     {"odd_rows", 0, 0, 128, 5, 16},
      {"rows_of_two", 0, 0, 128, 6, 32},          {"source_at_byte_1", 1, 0, 128, 8, 8},
      {"destination_at_byte_1", 0, 1, 128, 8, 8}, {"byte_aligned_buffer", 0, 0, 1, 8, 8},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const clrs_view source = view_strided(CLRS_F16, 2, LIST(3, 4), LIST(rows[i].row, 1), 0);
    const clrs_view destination = view_strided(CLRS_F16, 2, LIST(3, 4), NULL, 0);
    const clrs_move move = {{&source, rows[i].source_byte, rows[i].alignment},
                            {&destination, rows[i].destination_byte, rows[i].alignment},
                            CLRS_COPY_ALWAYS};
    clrs_plan plan;
    CHECK_OK(clrs_plan_move(&move, &any_device, &plan, &error), error);
    if (plan.launches[0].unit_bits != rows[i].unit_bits)
      fail_msg("%s: unit of %u bits", rows[i].name, plan.launches[0].unit_bits);
  }
}

TEST(the_index_width_follows_the_span_not_the_count) {
  static const struct {
    const char *name;
    int64_t source_stride, destination_stride;
    uint32_t bits;
  } rows[] = {
      {"small", 1, 1, 32},
      {"wide_source", INT64_C(1) << 32, 1, 64},
      {"wide_destination", 1, INT64_C(1) << 32, 64},
      {"backwards_source", -(INT64_C(1) << 32), 1, 64},
      {"just_over_31_bits", INT64_C(1) << 31, 1, 64},
      {"quarter", INT64_C(1) << 29, 1, 32},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const clrs_view source =
        view_strided(CLRS_I8, 1, LIST(2), &rows[i].source_stride, INT64_C(1) << 33);
    const clrs_view destination = view_strided(CLRS_I8, 1, LIST(2), &rows[i].destination_stride, 0);
    const clrs_plan plan = plan_into(&source, &destination);
    if (plan.launches[0].index_bits != rows[i].bits)
      fail_msg("%s: %u bits", rows[i].name, plan.launches[0].index_bits);
  }
}

TEST(a_destination_that_touches_an_element_twice_is_refused) {
  static const int64_t strides[][2] = {{0, 1}, {1, 1}, {3, 1}, {2, 2}, {-4, 4}};
  const clrs_view source = view_strided(CLRS_F32, 2, LIST(3, 4), NULL, 0);
  for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
    clrs_plan plan;
    const clrs_view destination = view_strided(CLRS_F32, 2, LIST(3, 4), strides[i], 100);
    const clrs_move move = {{&source, 0, 128}, {&destination, 0, 128}, CLRS_COPY_ALWAYS};
    CHECK_FAILS(clrs_plan_move(&move, &any_device, &plan, &error), CLRS_OVERLAP, error);
  }
}

TEST(types_that_straddle_bytes_only_make_views) {
  static const clrs_dtype dtypes[] = {CLRS_U3, CLRS_U6};
  for (int i = 0; i < 2; i++) {
    clrs_plan plan;
    const clrs_view view = view_strided(dtypes[i], 2, LIST(3, 4), NULL, 0);
    assert_int_equal(plan_result(&view, CLRS_COPY_NEVER).outcome, CLRS_OUTCOME_ALIAS);
    const clrs_move copy = {{&view, 0, 128}, {NULL, 0, 1}, CLRS_COPY_ALWAYS};
    CHECK_FAILS(clrs_plan_move(&copy, &any_device, &plan, &error), CLRS_UNSUPPORTED, error);
    CHECK_SAYS(error, clrs_dtype_name(dtypes[i], CLRS_TYPES_CLRESHAPE));
  }
}

/* Each request has one wrong argument. */
TEST(wrong_requests_are_invalid_arguments) {
  static clrs_view broken;
  clrs_plan plan;
  const clrs_view view = view_strided(CLRS_I8, 1, LIST(2), NULL, 0);
  const clrs_operand good = {&view, 0, 1}, none = {NULL, 0, 1};
  const clrs_operand bad[] = {{&view, 0, 0}, {&view, 0, 3}, {&broken, 0, 1}};
  const clrs_move move = {good, good, CLRS_COPY_ALWAYS};
  const clrs_move policy = {good, none, (clrs_copy_policy)3}, from_none = {none, good, 0};
  const clrs_device_limits no_items = {32, 0, CLRS_EXECUTION_AUTO, 0, 0, NULL, 0};
  broken = view;
  broken.depth = CLRS_MAX_DEPTH + 1;
#define REFUSED(call) assert_int_equal(call, CLRS_INVALID_ARGUMENT)
  REFUSED(clrs_plan_move(NULL, &any_device, &plan, &error));
  REFUSED(clrs_plan_move(&move, &any_device, NULL, &error));
  REFUSED(clrs_plan_move(&move, NULL, &plan, &error));
  REFUSED(clrs_plan_move(&move, &no_items, &plan, &error));
  REFUSED(clrs_plan_move(&policy, &any_device, &plan, &error));
  REFUSED(clrs_plan_move(&from_none, &any_device, &plan, &error));
  REFUSED(clrs_plan_fill(NULL, &any_device, &plan, &error));
  REFUSED(clrs_plan_fill(&good, &any_device, NULL, &error));
  REFUSED(clrs_plan_fill(&good, NULL, &plan, &error));
  REFUSED(clrs_plan_fill(&good, &no_items, &plan, &error));
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const clrs_move from = {bad[i], good, CLRS_COPY_ALWAYS}, to = {good, bad[i], CLRS_COPY_ALWAYS};
    REFUSED(clrs_plan_move(&from, &any_device, &plan, &error));
    REFUSED(clrs_plan_move(&to, &any_device, &plan, &error));
    REFUSED(clrs_plan_fill(&bad[i], &any_device, &plan, &error));
  }
#undef REFUSED
}

TEST(byte_positions_over_64_bits_are_an_overflow) {
  clrs_plan plan;
  const clrs_view source = view_strided(CLRS_C128, 1, LIST(2), LIST(INT64_C(1) << 61), 0);
  const clrs_move move = {{&source, 0, 128}, {NULL, 0, 1}, CLRS_COPY_ALWAYS};
  CHECK_FAILS(clrs_plan_move(&move, &any_device, &plan, &error), CLRS_OVERFLOW, error);
  const clrs_view small = view_strided(CLRS_I8, 1, LIST(2), NULL, 0);
  const clrs_move far = {{&small, UINT64_MAX, 128}, {NULL, 0, 1}, CLRS_COPY_ALWAYS};
  CHECK_FAILS(clrs_plan_move(&far, &any_device, &plan, &error), CLRS_OVERFLOW, error);
}

TESTS(NULL, NULL)
