/*
 * Plans of mapped views: the bytes that a pass reads and writes, the number of launches, the
 * kernel, and views without a plan. That a device carries out as many launches is tests/opencl's to
 * show.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"
#include "harness/tensors.h"

#include "plan/plan.h"

static const clrs_move anywhere = {{NULL, 0, 128}, {NULL, 0, 128}, CLRS_COPY_IF_NEEDED};

static clrs_device_limits limits_of(clrs_execution execution) {
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  limits.execution = execution;
  return limits;
}

/* A dense tensor after a chain. */
static clrs_mapped after(clrs_dtype dtype, uint32_t rank, const int64_t *dims, const char *text) {
  const clrs_view view = view_strided(dtype, rank, dims, NULL, 0);
  return mapped_after(&view, text);
}

static clrs_plan plan_of(const clrs_mapped *mapped, clrs_execution execution) {
  const clrs_device_limits limits = limits_of(execution);
  clrs_plan plan;
  CHECK_OK(clrs_plan_mapped(mapped, &anywhere, &limits, &plan, &error), error);
  return plan;
}

static void require_text(const clrs_plan *plan, const char *expected) {
  char text[400];
  clrs_plan_explain(plan, text, sizeof text);
  assert_string_equal(text, expected);
}

TEST(a_pass_says_what_it_reads_and_writes) {
  const clrs_mapped mapped =
      after(CLRS_U8, 3, LIST(10, 20, 3), "cast=f32 mean=1,2,3 permute=2,0,1");
  clrs_plan plan = plan_of(&mapped, CLRS_EXECUTION_CPU);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_MAPPED);
  assert_int_equal(plan.result.dtype, CLRS_F32);
  assert_int_equal(plan.result.dims[0], 3);
  assert_int_equal(plan.result.strides[0], 200);
  require_text(&plan,
               "clreshape,v1,mapped: 1 launch of map_rows, 32-bit units, 32-bit index, reads "
               "600 and writes 2400 bytes, nest [[3,1,200],[200,3,1]]; because its elements are "
               "computed when it is moved");
  plan = plan_of(&mapped, CLRS_EXECUTION_GPU);
  require_text(&plan, "clreshape,v1,mapped: 1 launch of map_any, 32-bit units, 32-bit index, reads "
                      "600 and writes 2400 bytes, nest [[3,1,200],[200,3,1]]; because its "
                      "elements are computed when it is moved");
}

TEST(json_has_the_fields_of_other_plans) {
  const clrs_mapped mapped = after(CLRS_F32, 1, LIST(5), "quantize=u4,0.5,8");
  const clrs_plan plan = plan_of(&mapped, CLRS_EXECUTION_CPU);
  char text[400];
  clrs_plan_explain_json(&plan, text, sizeof text);
  assert_string_equal(
      text, "{\"outcome\":\"mapped\",\"launches\":1,\"class\":\"map_any\",\"nest\":[[5,1,1]],"
            "\"bytes_read\":20,\"bytes_written\":3,\"reasons\":[\"its elements are "
            "computed when it is moved\"]}");
}

TEST(a_map_that_keeps_bits_is_planned_as_a_move) {
  const clrs_mapped mapped = after(CLRS_U16, 2, LIST(4, 6), "bitcast=bf16 reshape=24");
  const clrs_plan plan = plan_of(&mapped, CLRS_EXECUTION_CPU);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_ALIAS);
  assert_int_equal(plan.result.dtype, CLRS_BF16);
}

static void require_kernel(const clrs_plan *plan, const char *name) {
  char text[400];
  clrs_plan_explain(plan, text, sizeof text);
  assert_non_null(strstr(text, name));
}

TEST(packed_rows_of_bytes_go_by_rows) {
  const int64_t counts[] = {1, 15, 16, 33};
  for (int i = 0; i < 4; i++) {
    const clrs_mapped mapped = after(CLRS_F32, 1, &counts[i], "quantize=u4,0.5,8");
    const clrs_plan plan = plan_of(&mapped, CLRS_EXECUTION_CPU);
    require_kernel(&plan, counts[i] < 16 ? "map_any" : "map_rows");
  }
}

TEST(no_elements_are_no_launch) {
  const clrs_mapped mapped = after(CLRS_U8, 2, LIST(0, 6), "cast=f32 mean=1");
  clrs_plan plan = plan_of(&mapped, CLRS_EXECUTION_CPU);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_EMPTY);
  assert_int_equal(plan.launch_count, 0);
  const clrs_device_limits limits = limits_of(CLRS_EXECUTION_CPU);
  clrs_move never = anywhere;
  never.policy = CLRS_COPY_NEVER; /* nothing is copied */
  CHECK_OK(clrs_plan_mapped(&mapped, &never, &limits, &plan, &error), error);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_EMPTY);
}

/* ---- how far positions reach ---- */

typedef struct reach_row {
  clrs_dtype from;
  int64_t extent, stride;
  uint32_t least, bits; /* min_index_bits, and the launch's index bits */
} reach_row;

/* 32 bits hold counts and positions below 2^30. A step may lead so far that twice as much does not
 * fit in 64 bits. */
TEST(positions_decide_the_width_of_an_index) {
  static const reach_row rows[] = {
      {CLRS_U8, 5, 1, 32, 32},
      {CLRS_U8, 5, 1, 64, 64},
      {CLRS_U8, (1 << 30) - 1, 1, 32, 32},
      {CLRS_U8, 1 << 30, 1, 32, 64},
      {CLRS_U8, 1 << 30, 0, 32, 64},
      {CLRS_U8, 2, (1 << 30) - 1, 32, 32},
      {CLRS_U8, 2, 1 << 30, 32, 64},
      {CLRS_U2, 2, INT64_C(1) << 61, 32, 64},
      {CLRS_U1, 2, INT64_C(1) << 62, 32, 64},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const clrs_view view = view_strided(rows[i].from, 1, &rows[i].extent, &rows[i].stride, 0);
    const clrs_rules numpy = {CLRS_NUMPY, CLRS_ZERO_COPIES};
    clrs_device_limits limits = limits_of(CLRS_EXECUTION_CPU);
    clrs_mapped mapped;
    clrs_chain chain;
    clrs_plan plan;
    limits.min_index_bits = rows[i].least;
    CHECK_OK(clrs_chain_parse("cast=f16", &chain, &error), error);
    CHECK_OK(clrs_mapped_init(&view, &mapped, &error), error);
    CHECK_OK(clrs_chain_map(&chain, &numpy, &mapped, &error), error);
    CHECK_OK(clrs_plan_mapped(&mapped, &anywhere, &limits, &plan, &error), error);
    assert_int_equal(plan.launch_count, 1);
    assert_int_equal(plan.launches[0].index_bits, rows[i].bits);
  }
}

/* ---- what has no pass ---- */

static void refuse_to(const clrs_mapped *mapped, const clrs_view *to, clrs_status status,
                      const char *says) {
  const clrs_device_limits limits = limits_of(CLRS_EXECUTION_CPU);
  clrs_move move = anywhere;
  clrs_plan plan;
  move.destination.view = to;
  CHECK_FAILS(clrs_plan_mapped(mapped, &move, &limits, &plan, &error), status, error);
  CHECK_SAYS(error, says);
}

static void refuse(const clrs_mapped *mapped, clrs_status status, const char *says) {
  refuse_to(mapped, NULL, status, says);
}

/* A step more, by a tensor of that view. */
static void add_tensor(clrs_mapped *mapped, const clrs_view *view) {
  const clrs_numbers tensor = {0, NULL, {0}};
  clrs_map map;
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, mapped->dtype, mapped->dtype, &map, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD, mapped->dtype, &tensor, &error), error);
  CHECK_OK(clrs_mapped_then(mapped, &map, &(clrs_map_tensors){.steps = {view}}, &error), error);
}

/* Or by a list of the map's own. */
static void add_list(clrs_mapped *mapped, int64_t axis, size_t count, int64_t block) {
  const double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const clrs_numbers list = {count, values, {CLRS_SPREAD_AXIS, axis, block}};
  clrs_map map;
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, mapped->dtype, mapped->dtype, &map, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD, mapped->dtype, &list, &error), error);
  CHECK_OK(clrs_mapped_then(mapped, &map, NULL, &error), error);
}

static clrs_view moved(clrs_view view, const char *text) {
  CHECK_OK(clrs_view_apply(&view, text, &error), error);
  return view;
}

TEST(elements_across_bytes_are_refused_on_every_side) {
  const char *says = "f6e2m3 elements lie across bytes; only views of them are offered";
  const clrs_view sixes = view_strided(CLRS_F6E2M3, 1, LIST(4), NULL, 0);
  const clrs_mapped from = after(CLRS_F6E2M3, 1, LIST(4), "cast=f32");
  const clrs_mapped to = after(CLRS_F32, 1, LIST(4), "cast=f6e2m3");
  clrs_mapped by = after(CLRS_F32, 1, LIST(4), "scale=2");
  refuse(&from, CLRS_UNSUPPORTED, says);
  refuse(&to, CLRS_UNSUPPORTED, says);
  add_tensor(&by, &sixes);
  refuse(&by, CLRS_UNSUPPORTED, says);
}

TEST(bits_the_other_way_round_are_refused) {
  const clrs_mapped mapped = after(CLRS_U1, 1, LIST(16), "bitcast=bits1");
  refuse(&mapped, CLRS_UNSUPPORTED, "the bits of u1 and bits1 lie the other way round in a byte");
}

TEST(packed_elements_are_written_in_rows) {
  const clrs_mapped mapped = after(CLRS_F32, 3, LIST(2, 2, 2), "quantize=u4,0.5");
  const clrs_view to = view_strided(CLRS_U4, 3, LIST(2, 2, 2), LIST(100, 10, 1), 0);
  refuse_to(&mapped, &to, CLRS_UNSUPPORTED,
            "a map to u4 of which some pieces are no rows of the destination in order");
}

TEST(a_destination_has_bytes_that_can_be_counted) {
  const clrs_mapped mapped = after(CLRS_U8, 1, LIST(2), "cast=f64");
  const clrs_view to = view_strided(CLRS_F64, 1, LIST(2), LIST(INT64_C(1) << 60), 0);
  refuse_to(&mapped, &to, CLRS_OVERFLOW, "destination");
}

/* No buffer has such a tensor, so only a plan is requested. */
TEST(a_parameter_has_bytes_that_can_be_counted) {
  clrs_view far = view_strided(CLRS_F64, 1, LIST(4), NULL, INT64_C(1) << 61);
  clrs_mapped mapped = after(CLRS_F32, 1, LIST(4), "cast=f64");
  add_tensor(&mapped, &far);
  refuse(&mapped, CLRS_OVERFLOW, "the parameter reaches a byte that does not fit in 64 bits");
  far = view_strided(CLRS_F64, 1, LIST(4), LIST(-1), 0);
  mapped = after(CLRS_F32, 1, LIST(4), "cast=f64");
  add_tensor(&mapped, &far);
  refuse(&mapped, CLRS_OUT_OF_BOUNDS, "the parameter reaches element -3");
}

/* The words of a launch have room for all numbers, also where two parameters share some. */
TEST(numbers_that_are_shared_have_room) {
  clrs_mapped mapped = after(CLRS_F32, 2, LIST(32, 3), "cast=f32");
  clrs_map *map = &mapped.map;
  map->number_count = 32;
  map->step_count = 2;
  map->steps[0] = map->steps[1] =
      (clrs_step){.kind = CLRS_STEP_ADD, .parameter = {.count = 32}, .dtype = CLRS_F32};
  mapped.views.count = 1;
  mapped.views.views[0] = view_strided(CLRS_F64, 2, LIST(32, 3), LIST(1, 0), 0);
  mapped.views.of_step[0] = mapped.views.of_step[1] = 0;
  assert_int_equal(plan_of(&mapped, CLRS_EXECUTION_CPU).launch_count, 1);
  map->steps[1].parameter.count = 33;
  map->number_count = 33;
  refuse(&mapped, CLRS_LIMIT_EXCEEDED, "the parameters have 65 numbers together");
}

/* Bits in the opposite order, each axis a separate loop. */
TEST(more_loops_than_a_launch_has_are_refused) {
  clrs_view view = view_strided(CLRS_U1, 1, LIST(INT64_C(1) << 62), NULL, 0);
  view.levels[0].axis_count = 62;
  for (uint32_t i = 0; i < 62; i++) {
    view.axes[i] = (clrs_axis){2, INT64_C(1) << i};
  }
  const clrs_numbers one = {1, (const double[]){1}, {0}};
  clrs_mapped mapped;
  clrs_map map;
  CHECK_OK(clrs_mapped_init(&view, &mapped, &error), error);
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_U1, CLRS_U1, &map, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_MULTIPLY, CLRS_F32, &one, &error), error);
  CHECK_OK(clrs_map_round(&map, CLRS_U1, CLRS_ROUND_EVEN, CLRS_OVERFLOW_SATURATE, &error), error);
  CHECK_OK(clrs_mapped_then(&mapped, &map, NULL, &error), error);
  refuse(&mapped, CLRS_LIMIT_EXCEEDED, "the mapped move has 62 axes; the limit is 61");
}

/* ---- stacks of walks ---- */

/* Reversed rows of [5,7] that are cut in another place each time: an additional walk each time,
 * unless all rows lie in one line. */
#define TURN "reshape=7,5 flip=1 reshape=5,7 flip=1;"
#define TURN_TO_EIGHT TURN TURN TURN "reshape=7,5 flip=1 reshape=5,7"

/* The part seen of a mapped tensor is another walk on each operand, and so is a piece. */
TEST(full_stacks_are_refused) {
  const char *says = "the view needs a stack of more than 8 walks; copy it first";
  const clrs_view rows = view_strided(CLRS_F32, 2, LIST(5, 7), LIST(10, 1), 0);
  const clrs_view full = moved(rows, TURN_TO_EIGHT);
  const clrs_view one = view_strided(CLRS_F32, 2, LIST(5, 7), LIST(0, 0), 0);
  clrs_mapped mapped = mapped_after(&full, "scale=2");
  assert_int_equal(full.depth, CLRS_MAX_DEPTH);
  refuse(&mapped, CLRS_LIMIT_EXCEEDED, says);
  mapped = after(CLRS_F32, 2, LIST(5, 7), "scale=2");
  refuse_to(&mapped, &full, CLRS_UNSUPPORTED, "takes more than 8 launches");
  mapped = mapped_after(&one, "mean=1,2,3,4,5,6,7;" TURN_TO_EIGHT);
  assert_int_equal(mapped.views.source.depth, 1);
  assert_int_equal(mapped.views.views[0].depth, CLRS_MAX_DEPTH);
  refuse(&mapped, CLRS_LIMIT_EXCEEDED, says);
}

/* Blocks of 4 along 7 elements are two pieces, and along all four dims sixteen pieces. */
TEST(more_pieces_than_launches_are_refused) {
  const char *says = "takes more than 8 launches";
  clrs_mapped mapped = after(CLRS_F32, 4, LIST(7, 7, 7, 7), "roll=3,3 scale=2");
  add_list(&mapped, 0, 2, 4);
  assert_int_equal(plan_of(&mapped, CLRS_EXECUTION_CPU).launch_count, 4);
  add_list(&mapped, 1, 2, 4);
  assert_int_equal(plan_of(&mapped, CLRS_EXECUTION_CPU).launch_count, 8);
  add_list(&mapped, 2, 2, 4);
  refuse(&mapped, CLRS_UNSUPPORTED, says);
  mapped = after(CLRS_F32, 3, LIST(6, 7, 5), "roll=2,1 scale=2");
  add_list(&mapped, 0, 2, 4);
  add_list(&mapped, 1, 2, 4);
  add_list(&mapped, 0, 2, 3); /* cuts the first four of eight pieces, and not the later pieces */
  refuse(&mapped, CLRS_UNSUPPORTED, says);
}

/* A source that is a single walk by the dims, and two walks by the numbers of the elements. The
 * list cuts that walk into two pieces. */
TEST(a_walk_by_dims_is_cut_into_pieces) {
  const clrs_view rows = view_strided(CLRS_F32, 2, LIST(5, 5), LIST(6, 1), 0);
  const clrs_view source = moved(rows, "reshape=25 slice=2::3 slice=:6 reshape=3,2");
  clrs_mapped mapped = mapped_after(&source, "scale=2");
  assert_int_equal(plan_of(&mapped, CLRS_EXECUTION_CPU).launch_count, 1);
  add_list(&mapped, 0, 2, 2);
  assert_int_equal(plan_of(&mapped, CLRS_EXECUTION_CPU).launch_count, 2);
}

/* Four windows of 7, where a list takes the first 4 columns apart. The columns are 16 neighbours,
 * where a tensor has blocks of 5, and such a block is no part of windows and columns. */
TEST(parts_that_cross_a_piece_are_refused) {
  const clrs_view numbers = view_strided(CLRS_F32, 1, LIST(4), NULL, 0);
  const clrs_view blocks = moved(numbers, "repeat=0,5 slice=:19 window=0,7,4");
  clrs_mapped mapped = after(CLRS_F32, 2, LIST(4, 7), "scale=2");
  add_list(&mapped, 1, 2, 4);
  add_tensor(&mapped, &blocks);
  refuse(&mapped, CLRS_UNSUPPORTED, "cannot be moved so in one pass");
}

TESTS(NULL, NULL)
