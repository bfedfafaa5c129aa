/*
 * Plans of mapped views: what a pass reads and writes, in how many launches, by which kernel, and
 * what has none. That a device carries out as many launches is tests/opencl's to show.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"
#include "harness/tensors.h"

static const clrs_move anywhere = {{NULL, 0, 128}, {NULL, 0, 128}, CLRS_COPY_IF_NEEDED};

static clrs_device_limits limits_of(clrs_execution execution) {
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  limits.execution = execution;
  return limits;
}

/* A dense tensor after a chain. */
static clrs_mapped after(clrs_dtype dtype, uint32_t rank, const int64_t *dims, const char *text) {
  const clrs_view view = view_strided(dtype, rank, dims, NULL, 0);
  clrs_mapped mapped;
  clrs_chain chain;
  clrs_error error;
  CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
  CHECK_OK(clrs_mapped_init(&view, &mapped, &error), error);
  CHECK_OK(clrs_chain_map(&chain, NULL, &mapped, &error), error);
  return mapped;
}

static clrs_plan plan_of(const clrs_mapped *mapped, clrs_execution execution) {
  const clrs_device_limits limits = limits_of(execution);
  clrs_plan plan;
  clrs_error error;
  CHECK_OK(clrs_plan_mapped(mapped, &anywhere, &limits, &plan, &error), error);
  return plan;
}

static void require_text(const clrs_plan *plan, const char *expected) {
  char text[400];
  clrs_plan_explain(plan, text, sizeof text);
  assert_string_equal(text, expected);
}

static void a_pass_says_what_it_reads_and_writes(void **state) {
  (void)state;
  const clrs_mapped mapped =
      after(CLRS_U8, 3, LIST(10, 20, 3), "cast=f32 mean=1,2,3 permute=2,0,1");
  clrs_plan plan = plan_of(&mapped, CLRS_EXECUTION_CPU);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_MAPPED);
  assert_int_equal(plan.result.dtype, CLRS_F32);
  assert_int_equal(plan.result.dims[0], 3);
  assert_int_equal(plan.result.strides[0], 200);
  require_text(&plan,
               "clreshape,v1,mapped: 1 launch of map_rows, 32-bit units, 32-bit index, reads "
               "600 and writes 2400 bytes; because its elements are computed when it is "
               "moved");
  plan = plan_of(&mapped, CLRS_EXECUTION_GPU);
  require_text(&plan, "clreshape,v1,mapped: 1 launch of map_any, 32-bit units, 32-bit index, reads "
                      "600 and writes 2400 bytes; because its elements are computed when it is "
                      "moved");
}

static void json_has_the_fields_of_other_plans(void **state) {
  (void)state;
  const clrs_mapped mapped = after(CLRS_F32, 1, LIST(5), "quantize=u4,0.5,8");
  const clrs_plan plan = plan_of(&mapped, CLRS_EXECUTION_CPU);
  char text[400];
  clrs_plan_explain_json(&plan, text, sizeof text);
  assert_string_equal(text,
                      "{\"outcome\":\"mapped\",\"launches\":1,\"class\":\"map_any\",\"nest\":null,"
                      "\"bytes_read\":20,\"bytes_written\":3,\"reasons\":[\"its elements are "
                      "computed when it is moved\"]}");
}

static void a_map_that_keeps_bits_is_planned_as_a_move(void **state) {
  (void)state;
  const clrs_mapped mapped = after(CLRS_U16, 2, LIST(4, 6), "bitcast=bf16 reshape=24");
  const clrs_plan plan = plan_of(&mapped, CLRS_EXECUTION_CPU);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_ALIAS);
  assert_int_equal(plan.result.dtype, CLRS_BF16);
}

static void no_elements_are_no_launch(void **state) {
  (void)state;
  const clrs_mapped mapped = after(CLRS_U8, 2, LIST(0, 6), "cast=f32 mean=1");
  const clrs_plan plan = plan_of(&mapped, CLRS_EXECUTION_CPU);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_EMPTY);
  assert_int_equal(plan.launch_count, 0);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  const clrs_device_limits limits = limits_of(CLRS_EXECUTION_CPU);
  const clrs_mapped mapped = after(CLRS_U8, 2, LIST(4, 6), "cast=f32 mean=1");
  clrs_view to = view_strided(CLRS_F32, 2, LIST(6, 4), NULL, 0);
  clrs_move move = anywhere;
  clrs_plan plan;
  clrs_error error;
  move.policy = CLRS_COPY_NEVER;
  CHECK_FAILS(clrs_plan_mapped(&mapped, &move, &limits, &plan, &error), CLRS_WOULD_COPY, error);
  CHECK_SAYS(error, "its elements are computed when it is moved");
  move.destination.view = &to;
  CHECK_FAILS(clrs_plan_mapped(&mapped, &move, &limits, &plan, &error), CLRS_COUNT_MISMATCH, error);
  CHECK_SAYS(error, "the source is [4,6] and the destination [6,4]");
  to = view_strided(CLRS_F16, 2, LIST(4, 6), NULL, 0);
  CHECK_FAILS(clrs_plan_mapped(&mapped, &move, &limits, &plan, &error), CLRS_INVALID_ARGUMENT,
              error);
  CHECK_SAYS(error, "mapped to f32 and the destination f16");
  to = view_strided(CLRS_F32, 2, LIST(4, 6), LIST(0, 1), 0);
  CHECK_FAILS(clrs_plan_mapped(&mapped, &move, &limits, &plan, &error), CLRS_OVERLAP, error);
  CHECK_SAYS(error, "two elements of the destination [4,6] lie at one position");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pass_says_what_it_reads_and_writes),
      cmocka_unit_test(json_has_the_fields_of_other_plans),
      cmocka_unit_test(a_map_that_keeps_bits_is_planned_as_a_move),
      cmocka_unit_test(no_elements_are_no_launch),
      cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
