/*
 * A required kernel class: the planner takes the class if the move allows it, on either execution.
 * Otherwise the error names the class and the needs of the class.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "harness/tensors.h"

/* A move of dims with these strides into a dense destination. */
typedef struct row {
  const char *name;
  clrs_dtype dtype;
  uint32_t rank;
  const int64_t *dims, *strides;
  const char *required;
  bool is_eligible;
} row;

#define TRANSPOSED 2, LIST(40, 24), LIST(1, 40)
#define PITCHED 2, LIST(40, 24), LIST(32, 1)
#define BACKWARDS 1, LIST(40), LIST(-1)

static const row rows[] = {
    {"gather_moves_anything", CLRS_F32, TRANSPOSED, "gpu_any", true},
    {"gather_moves_packed_rows_as_bytes", CLRS_U4, PITCHED, "gpu_any", true},
    {"gather_moves_no_packed_transpose", CLRS_U4, TRANSPOSED, "gpu_any", false},
    {"rows_move_rows", CLRS_F32, PITCHED, "cpu_rows", true},
    {"rows_move_no_transpose", CLRS_F32, TRANSPOSED, "cpu_rows", false},
    {"tile_moves_a_transpose", CLRS_F32, TRANSPOSED, "cpu_tile", true},
    {"tile_moves_narrow_transposes", CLRS_U8, 2, LIST(2, 3), LIST(1, 2), "cpu_tile", true},
    {"tile_moves_no_rows", CLRS_F32, PITCHED, "cpu_tile", false},
    {"tile_moves_16_byte_units", CLRS_C128, TRANSPOSED, "cpu_tile", true},
    {"tile_moves_no_packed_bytes", CLRS_U4, TRANSPOSED, "cpu_tile", false},
    {"tile_moves_nothing_backwards", CLRS_F32, BACKWARDS, "cpu_tile", false},
    {"strided_moves_anything", CLRS_F32, BACKWARDS, "cpu_any", true},
    {"strided_moves_rows_too", CLRS_F32, PITCHED, "cpu_any", true},
    {"packed_moves_a_short_transpose", CLRS_F32, TRANSPOSED, "cpu_short", true},
    {"packed_moves_anything", CLRS_F32, BACKWARDS, "cpu_short", true},
    {"packed_moves_no_packed_bytes", CLRS_U4, TRANSPOSED, "cpu_short", false},
    {"boxes_of_nibbles_move_a_transpose", CLRS_U4, TRANSPOSED, "cpu_subbyte", true},
    {"boxes_of_nibbles_move_an_odd_one", CLRS_U4, 2, LIST(41, 25), LIST(1, 41), "cpu_subbyte",
     true},
    {"boxes_of_pairs_move_rows", CLRS_U2, PITCHED, "cpu_subbyte", true},
    {"boxes_move_no_bytes", CLRS_U8, TRANSPOSED, "cpu_subbyte", false},
    {"bits_move_a_packed_transpose", CLRS_U4, TRANSPOSED, "subbyte", true},
    {"bits_move_packed_rows", CLRS_U2, PITCHED, "subbyte", true},
    {"bits_move_no_bytes", CLRS_U8, PITCHED, "subbyte", false},
    {"composed_follows_one_walk", CLRS_F32, TRANSPOSED, "composed", true},
    {"fill_moves_nothing", CLRS_F32, TRANSPOSED, "fill", false},
};

static clrs_status plan_row(const row *row, clrs_execution execution, clrs_plan *plan,
                            clrs_error *error) {
  int64_t lowest = 0;
  for (uint32_t d = 0; d < row->rank; d++)
    lowest += row->strides[d] < 0 ? row->strides[d] * (row->dims[d] - 1) : 0;
  const clrs_view destination = view_strided(row->dtype, row->rank, row->dims, NULL, 0);
  const clrs_view source = view_strided(row->dtype, row->rank, row->dims, row->strides, -lowest);
  const clrs_move move = {{&source, 0, 128}, {&destination, 0, 128}, CLRS_COPY_ALWAYS};
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  limits.execution = execution;
  limits.required_class = row->required;
  return clrs_plan_move(&move, &limits, plan, error);
}

TEST(the_class_is_taken_or_its_needs_are_named) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (int way = CLRS_EXECUTION_CPU; way <= CLRS_EXECUTION_GPU; way++) {
      clrs_error error = {0};
      clrs_plan plan;
      const clrs_status status = plan_row(&rows[i], (clrs_execution)way, &plan, &error);
      if (status != (rows[i].is_eligible ? CLRS_OK : CLRS_UNSUPPORTED))
        fail_msg("%s, execution %d: %s", rows[i].name, way, error.message);
      if (status == CLRS_OK) {
        assert_int_equal(plan.launch_count, 1);
        assert_string_equal(plan.launches[0].kernel_class, rows[i].required);
      } else {
        CHECK_SAYS(error, rows[i].required);
        CHECK_SAYS(error, "needs");
        CHECK_SAYS(error, "this launch moves ");
      }
    }
}

/* The device limits in a plan decide which classes the planner chooses. */
TEST(classes_of_groups_need_a_device_with_room) {
  const clrs_view turned = view_strided(CLRS_F32, TRANSPOSED, 0);
  const clrs_view dense = view_strided(CLRS_F32, 2, LIST(400, 256), LIST(260, 1), 0);
  const clrs_view square = view_strided(CLRS_F32, 2, LIST(256, 256), LIST(1, 256), 0);
  const clrs_view small =
      view_strided(CLRS_F32, 6, LIST(3, 3, 3, 3, 3, 3), LIST(1, 3, 9, 27, 81, 243), 0);
  const struct {
    const clrs_view *source;
    uint32_t group_items;
    uint64_t local_bytes;
    clrs_execution execution;
    const char *expected;
    int halved; /* the size of the groups if halved, else 0 */
  } devices[] = {
      {&turned, 256, 32768, CLRS_EXECUTION_GPU, "gpu_short", 0},
      {&small, 256, 32768, CLRS_EXECUTION_GPU, "gpu_short", 0},
      {&dense, 256, 32768, CLRS_EXECUTION_GPU, "gpu_rows", 0},
      {&dense, 256, 0, CLRS_EXECUTION_GPU, "gpu_rows", 0},
      {&small, 256, 8192, CLRS_EXECUTION_GPU, "gpu_short", 64},
      {&small, 256, 8191, CLRS_EXECUTION_GPU, "gpu_any", 0},
      {&square, 256, 16384, CLRS_EXECUTION_GPU, "gpu_tile", 0},
      {&square, 256, 16383, CLRS_EXECUTION_GPU, "gpu_tile", 128},
      {&square, 256, 4096, CLRS_EXECUTION_GPU, "gpu_tile", 64},
      {&square, 256, 4095, CLRS_EXECUTION_GPU, "gpu_rows", 0},
      {&square, 255, 32768, CLRS_EXECUTION_GPU, "gpu_tile", 128},
      {&turned, 128, 32768, CLRS_EXECUTION_GPU, "gpu_tile", 128},
      {&small, 127, 32768, CLRS_EXECUTION_GPU, "gpu_short", 64},
      {&dense, 64, 0, CLRS_EXECUTION_GPU, "gpu_rows", 64},
      {&dense, 63, 32768, CLRS_EXECUTION_GPU, "gpu_any", 0},
      {&small, 63, 32768, CLRS_EXECUTION_GPU, "gpu_any", 0},
      {&turned, 0, 0, CLRS_EXECUTION_GPU, "gpu_any", 0},
  };
  for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
    clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
    clrs_plan plan;
    limits.execution = devices[i].execution;
    limits.max_group_items = devices[i].group_items;
    limits.local_bytes = devices[i].local_bytes;
    const clrs_move move = {{devices[i].source, 0, 128}, {NULL, 0, 1}, CLRS_COPY_ALWAYS};
    CHECK_OK(clrs_plan_move(&move, &limits, &plan, &error), error);
    if (strcmp(plan.launches[0].kernel_class, devices[i].expected) != 0)
      fail_msg("device %zu: %s", i, plan.launches[0].kernel_class);
    char text[500], groups[40];
    (void)clrs_plan_explain(&plan, text, sizeof text);
    (void)snprintf(groups, sizeof groups, "32-bit index, groups of %d, ", devices[i].halved);
    if ((strstr(text, "groups") != NULL) != (devices[i].halved > 0) ||
        (devices[i].halved > 0 && strstr(text, groups) == NULL))
      fail_msg("device %zu: %s", i, text);
  }
}

TEST(a_fill_fills_and_does_nothing_else) {
  const clrs_view view = view_strided(CLRS_F32, PITCHED, 0);
  const clrs_operand destination = {&view, 0, 128};
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  clrs_plan plan;
  limits.required_class = "fill";
  CHECK_OK(clrs_plan_fill(&destination, &limits, &plan, &error), error);
  assert_string_equal(plan.launches[0].kernel_class, "fill");
  limits.required_class = "gpu_any";
  CHECK_FAILS(clrs_plan_fill(&destination, &limits, &plan, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "gpu_any");
  CHECK_SAYS(error, "fills");
}

TEST(an_alias_has_no_class) {
  const clrs_view view = view_strided(CLRS_F32, PITCHED, 0);
  const clrs_move move = {{&view, 0, 128}, {NULL, 0, 1}, CLRS_COPY_IF_NEEDED};
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  clrs_plan plan;
  limits.required_class = "cpu_tile";
  CHECK_OK(clrs_plan_move(&move, &limits, &plan, &error), error);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_ALIAS);
}

TEST(a_class_that_does_not_exist_is_an_invalid_argument) {
  const clrs_view view = view_strided(CLRS_F32, PITCHED, 0);
  const clrs_move move = {{&view, 0, 128}, {NULL, 0, 1}, CLRS_COPY_ALWAYS};
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  clrs_plan plan;
  limits.required_class = "no_rows";
  CHECK_FAILS(clrs_plan_move(&move, &limits, &plan, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "no_rows");
}

TESTS(NULL, NULL)
