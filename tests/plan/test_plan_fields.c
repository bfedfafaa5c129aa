/*
 * The fields of a plan beside the launches, one by one: written down for a move of each outcome, in
 * memory that holds other data.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "plan/plan.h"

#include "harness/tensors.h"
#include "plans_equal.h"

static const clrs_device_limits any_device = CLRS_DEVICE_LIMITS_INIT;

static void reshape(clrs_view *view, uint32_t rank, const int64_t *dims) {
  clrs_shape shape;
  CHECK_OK(clrs_shape_init(rank, dims, &shape, &error), error);
  CHECK_OK(clrs_view_reshape(view, &shape, &error), error);
}

static void permute(clrs_view *view, uint32_t rank, const int64_t *axes) {
  CHECK_OK(clrs_view_permute(view, rank, axes, &error), error);
}

static void plan_move(const clrs_move *move, clrs_plan *plan) {
  memset(plan, 0x5a, sizeof *plan);
  CHECK_OK(clrs_plan_move(move, &any_device, plan, &error), error);
}

static void check_footprint(const clrs_footprint *found, uint64_t begin, uint64_t end,
                            uint32_t alignment) {
  assert_int_equal(found->begin, begin);
  assert_int_equal(found->end, end);
  assert_int_equal(found->alignment, alignment);
}

static void check_reason(const clrs_plan *plan, uint32_t at, clrs__reason_kind kind, int64_t first,
                         int64_t second) {
  assert_true(at < clrs__plan_data_in(plan)->reason_count);
  assert_int_equal(clrs__plan_data_in(plan)->reasons[at].kind, kind);
  assert_int_equal(clrs__plan_data_in(plan)->reasons[at].values[0], first);
  assert_int_equal(clrs__plan_data_in(plan)->reasons[at].values[1], second);
}

static void check_moves_nothing(const clrs_plan *plan) {
  const clrs__plan_data *data = clrs__plan_data_in(plan);
  assert_int_equal(plan->bytes_read, 0);
  assert_int_equal(plan->bytes_written, 0);
  assert_int_equal(data->nest.axis_count, 0);
  assert_int_equal(data->nest.source_offset, 0);
  assert_int_equal(data->nest.destination_offset, 0);
  assert_int_equal(data->stack.depth, 0);
  assert_int_equal(clrs__plan_data_in(plan)->reason_count, 0);
  assert_int_equal(plan->launch_count, 0);
  assert_false(data->in_order);
}

TEST(nothing_to_do_touches_nothing) {
  clrs_plan plan;
  const clrs_view view = view_strided(CLRS_F32, 2, LIST(0, 6), NULL, 3);
  const clrs_operand side = {&view, 40, 128};
  const clrs_move move = {side, side, CLRS_COPY_ALWAYS};
  for (int fills = 0; fills < 2; fills++) {
    memset(&plan, 0x5a, sizeof plan);
    if (fills)
      CHECK_OK(clrs_plan_fill(&side, &any_device, &plan, &error), error);
    else
      plan_move(&move, &plan);
    assert_int_equal(plan.outcome, CLRS_OUTCOME_EMPTY);
    check_moves_nothing(&plan);
    check_footprint(&plan.source, 0, 0, 1);
    check_footprint(&plan.destination, 0, 0, 1);
  }
}

TEST(an_alias_relies_on_its_source_alone) {
  clrs_plan plan;
  const clrs_view view = view_strided(CLRS_F32, 2, LIST(3, 4), LIST(8, 1), 2);
  const clrs_move move = {{&view, 16, 64}, {NULL, 0, 1}, CLRS_COPY_NEVER};
  plan_move(&move, &plan);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_ALIAS);
  check_moves_nothing(&plan);
  check_footprint(&plan.source, 16 + 2 * 4, 16 + (2 + 16 + 4) * 4, 64);
  check_footprint(&plan.destination, 0, 0, 1);
}

/* Bytes: of an odd number in a row, so that no unit is wider than an element, or two of each. */
TEST(a_copy_is_dense_and_begins_at_the_start_of_its_buffer) {
  clrs_plan plan;
  const clrs_view view = view_strided(CLRS_U8, 2, LIST(3, 5), LIST(1, 3), 7);
  const clrs_move move = {{&view, 2, 128}, {NULL, 0, 1}, CLRS_COPY_ALWAYS};
  plan_move(&move, &plan);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_AFFINE);
  assert_int_equal(plan.result.dtype, CLRS_U8);
  assert_int_equal(plan.result.rank, 2);
  assert_int_equal(plan.result.offset, 0);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(plan.result.dims[i], LIST(3, 5)[i]);
    assert_int_equal(plan.result.strides[i], LIST(5, 1)[i]);
  }
  check_footprint(&plan.source, 9, 24, 4); /* bytes move as parts of aligned words */
  check_footprint(&plan.destination, 0, 15, 4);
  assert_int_equal(plan.launch_count, 1);
  assert_int_equal(clrs__plan_data_in(&plan)->nest.source_offset, 7);
  assert_int_equal(clrs__plan_data_in(&plan)->cuts[0].nest.destination_offset, 0);
  assert_int_equal(clrs__plan_data_in(&plan)->cuts[0].nest.source_offset, 9);
  assert_false(clrs__plan_data_in(&plan)->in_order);
  assert_int_equal(clrs__plan_data_in(&plan)->reason_count, 1);
  check_reason(&plan, 0, CLRS__REASON_COPY_REQUESTED, 0, 0);
}

/* Rows are filled in lanes of 16 bytes, if the buffer is aligned to lanes. */
TEST(a_fill_relies_on_its_lanes_or_units_and_has_one_reason) {
  static const struct { uint32_t given, relied; } rows[] = {{128, 16}, {16, 16}, {8, 1}, {1, 1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    clrs_plan plan;
    const clrs_view view = view_strided(CLRS_U8, 2, LIST(3, 5), LIST(7, 1), 1);
    const clrs_operand destination = {&view, 2, rows[i].given};
    memset(&plan, 0x5a, sizeof plan);
    CHECK_OK(clrs_plan_fill(&destination, &any_device, &plan, &error), error);
    check_footprint(&plan.source, 0, 0, 1);
    check_footprint(&plan.destination, 3, 22, rows[i].relied);
    assert_int_equal(plan.bytes_read, 0);
    assert_int_equal(plan.bytes_written, 15);
    assert_int_equal(clrs__plan_data_in(&plan)->reason_count, 1);
    check_reason(&plan, 0, CLRS__REASON_DESTINATION_GIVEN, 0, 0);
  }
}

/* 6 by 4 words of eight bytes, transposed, as 8 by 3: no common axes, and a pass through two walks.
 * Each step of the walks leads to whole words. */
static clrs_view stacked_words(void) {
  clrs_view view = view_strided(CLRS_U8, 3, LIST(6, 4, 8), LIST(8, 48, 1), 0);
  reshape(&view, 3, LIST(8, 3, 8));
  permute(&view, 3, LIST(1, 0, 2));
  assert_int_equal(view.depth, 2);
  return view;
}

TEST(one_composed_launch_has_wide_units) {
  clrs_plan plan;
  const clrs_view view = stacked_words();
  const clrs_view destination = view_strided(CLRS_U8, 3, LIST(3, 8, 8), NULL, 0);
  const clrs_move move = {{&view, 0, 128}, {&destination, 0, 128}, CLRS_COPY_ALWAYS};
  plan_move(&move, &plan);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_COMPOSED);
  assert_int_equal(plan.launch_count, 1);
  assert_int_equal(plan.launches[0].unit_bits, 64);
  check_footprint(&plan.source, 0, 192, 8);
  check_footprint(&plan.destination, 0, 192, 8);
  assert_int_equal(clrs__plan_data_in(&plan)->reason_count, 2);
  check_reason(&plan, 0, CLRS__REASON_DESTINATION_GIVEN, 0, 0);
}

/* The top walk and a destination in rows have common axes: the launch goes through the lower walk
 * only. */
TEST(a_common_top_walk_is_not_followed) {
  clrs_plan plan;
  const clrs_view view = stacked_words();
  const clrs_view destination = view_strided(CLRS_U8, 3, LIST(3, 8, 8), LIST(80, 8, 1), 0);
  const clrs_move move = {{&view, 0, 128}, {&destination, 0, 128}, CLRS_COPY_ALWAYS};
  plan_move(&move, &plan);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_COMPOSED);
  assert_int_equal(clrs__plan_data_in(&plan)->stack.depth, 1);
  assert_int_equal(plan.launches[0].unit_bits, 64);
  const clrs_axis words[] = {{6, 1}, {4, 6}}; /* and no axis for the bytes of a word */
  assert_int_equal(clrs__plan_data_in(&plan)->stack.levels[0].axis_count, 2);
  for (int i = 0; i < 2; i++)
    assert_true(clrs__plan_data_in(&plan)->stack.axes[i].extent == words[i].extent &&
                clrs__plan_data_in(&plan)->stack.axes[i].stride == words[i].stride);
}

/* Launches are dear, but the rectangles are not one composed launch: the plan is the plan of cheap
 * launches. */
static void require_rectangles(const clrs_view *source, const clrs_view *destination,
                               uint32_t index_bits) {
  static clrs_plan cheap, dear;
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  const clrs_move move = {{source, 0, 128}, {destination, 0, 128}, CLRS_COPY_ALWAYS};
  limits.min_index_bits = index_bits;
  limits.launch_bytes = 0;
  CHECK_OK(clrs_plan_move(&move, &limits, &cheap, &error), error);
  assert_int_equal(cheap.launch_count, 2);
  memset(&dear, 0x5a, sizeof dear);
  limits.launch_bytes = UINT64_MAX;
  CHECK_OK(clrs_plan_move(&move, &limits, &dear, &error), error);
  assert_int_equal(dear.outcome, CLRS_OUTCOME_AFFINE);
  assert_true(plans_equal(&cheap, &dear));
}

/* 30 channels in blocks of 16 are written as two rectangles, also by a composed launch. */
TEST(rectangles_of_a_destination_stay_rectangles) {
  clrs_view destination = view_strided(CLRS_F32, 3, LIST(2, 4, 16), NULL, 0);
  CHECK_OK(clrs_view_apply(&destination, "permute=0,2,1 reshape=32,4 slice=0:30", &error), error);
  const clrs_view source = view_strided(CLRS_F32, 2, LIST(30, 4), NULL, 0);
  require_rectangles(&source, &destination, 32);
}

/* Twenty bits in the opposite order, and two blocks of four, of which 7 are read. The lower walk
 * has 22 axes, and a composed kernel has room for 21. Each rectangle has 21 axes. */
TEST(rectangles_that_a_composed_launch_has_no_room_for_stay_rectangles) {
  enum { BITS = 20 };
  int64_t dims[BITS + 2], order[BITS + 2];
  clrs_shape merged = {.rank = BITS + 1};
  for (int i = 0; i < BITS + 2; i++)
    dims[i] = i > BITS ? 4 : 2;
  for (int i = 0; i < BITS; i++) {
    order[i] = BITS - i;
    merged.dims[i] = 2;
  }
  order[BITS] = 0;
  order[BITS + 1] = BITS + 1;
  merged.dims[BITS] = 8;
  clrs_view source = view_strided(CLRS_U8, BITS + 2, dims, NULL, 0);
  permute(&source, BITS + 2, order);
  reshape(&source, merged.rank, merged.dims);
  CHECK_OK(clrs_view_slice(&source, 1, &(clrs_slice){BITS, 0, 7, 1}, &error), error);
  const clrs_view destination =
      view_strided(CLRS_U8, source.shape.rank, source.shape.dims, NULL, 0);
  require_rectangles(&source, &destination, 64);
}

/* 7 by 9 bits, transposed, are 63 in a row: two blocks of 16 bytes if the bits begin in the last
 * bits of a block. The work-items of a core device take 1024 blocks each. */
TEST(packed_bytes_are_shared_out_on_core_devices) {
  static const struct { int64_t rows, columns, share; } rows[] = {{7, 9, 2}, {701, 903, 1024}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const clrs_view view =
        view_strided(CLRS_U1, 2, LIST(rows[i].rows, rows[i].columns), LIST(1, rows[i].rows), 0);
    const clrs_move move = {{&view, 0, 128}, {NULL, 0, 1}, CLRS_COPY_ALWAYS};
    clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
    clrs_plan plan;
    limits.required_class = "subbyte";
    for (int way = CLRS_EXECUTION_CPU; way <= CLRS_EXECUTION_GPU; way++) {
      limits.execution = (clrs_execution)way;
      memset(&plan, 0x5a, sizeof plan);
      CHECK_OK(clrs_plan_move(&move, &limits, &plan, &error), error);
      assert_string_equal(plan.launches[0].kernel_class, "subbyte");
      assert_int_equal(clrs__plan_data_in(&plan)->cuts[0].share,
                       way == CLRS_EXECUTION_CPU ? rows[i].share : 0);
    }
  }
}

static void check_refused_for_overlap(const clrs_view *destination) {
  clrs_plan plan;
  const clrs_operand side = {destination, 0, 128};
  CHECK_FAILS(clrs_plan_fill(&side, &any_device, &plan, &error), CLRS_OVERLAP, error);
  CHECK_SAYS(error, "two elements of the destination");
}

/* Data behind the counted levels of a view does not matter. */
static void spoil_unused_levels(clrs_view *view) {
  uint32_t axes = 0;
  for (uint32_t level = 0; level < view->depth; level++)
    axes += view->levels[level].axis_count;
  view->levels[view->depth] = (clrs_level){0, 1};
  view->axes[axes] = (clrs_axis){2, 0};
}

TEST(every_walk_of_a_destination_is_looked_at_and_no_other) {
  clrs_plan plan;
  clrs_view view = stacked_words();
  const clrs_view source = view_strided(CLRS_U8, 3, LIST(3, 8, 8), NULL, 0);
  spoil_unused_levels(&view);
  const clrs_move move = {{&source, 0, 128}, {&view, 0, 128}, CLRS_COPY_ALWAYS};
  const clrs_status status = clrs_plan_move(&move, &any_device, &plan, &error);
  assert_int_not_equal(status, CLRS_OVERLAP);
  const clrs_shape repeated = {4, {2, 3, 8, 8}};
  view = stacked_words();
  CHECK_OK(clrs_view_expand(&view, &repeated, &error), error);
  assert_int_equal(view.depth, 2);
  check_refused_for_overlap(&view);
}

/* Every other element of 9 by 7, transposed and flattened: each row begins at another step. */
TEST(a_destination_that_needs_too_many_pieces_is_refused_with_the_reason) {
  clrs_plan plan;
  const clrs_slice odd = {0, 1, 63, 2};
  clrs_view view = view_strided(CLRS_U8, 2, LIST(9, 7), LIST(1, 9), 0);
  reshape(&view, 1, LIST(63));
  CHECK_OK(clrs_view_slice(&view, 1, &odd, &error), error);
  const clrs_operand side = {&view, 0, 128};
  assert_int_equal(view.depth, 2);
  CHECK_FAILS(clrs_plan_fill(&side, &any_device, &plan, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "this destination cannot be filled: ");
  CHECK_SAYS(error, "more than 8 launches");
  const clrs_view source = view_strided(CLRS_U8, 1, LIST(31), NULL, 0);
  const clrs_move move = {{&source, 0, 128}, side, CLRS_COPY_ALWAYS};
  CHECK_FAILS(clrs_plan_move(&move, &any_device, &plan, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "the destination is a stack of 2 walks; ");
  CHECK_SAYS(error, "more than 8 launches");
}

TESTS(NULL, NULL)
