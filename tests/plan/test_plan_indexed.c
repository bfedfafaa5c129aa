/*
 * Plans of gathers and scatters: the bytes of each buffer, alignments, and the value for
 * skipped indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"
#include "harness/tensors.h"

#include "plan/plan_indexed.h"

static clrs_view listed, named, indices, flag;
static clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
static const float element[] = {1.5f};

/* Three rows of ten of 16 elements. */
static clrs__indexed_move make_move(bool scatters) {
  named = view_strided(CLRS_F32, 2, LIST(10, 16), NULL, 0);
  listed = view_strided(CLRS_F32, 2, LIST(3, 16), NULL, 0);
  indices = view_strided(CLRS_I64, 1, LIST(3), NULL, 0);
  flag = view_strided(CLRS_U32, 1, LIST(1), NULL, 0);
  return (clrs__indexed_move){.operands = {[CLRS_LISTED] = {&listed, 64, 128},
                                           [CLRS_NAMED] = {&named, 16, 128},
                                           [CLRS_INDEX] = {&indices, 8, 8}},
                              .flag = {&flag, 12, 4},
                              .element = element,
                              .scatters = scatters,
                              .limits = &limits};
}

static clrs_plan plan_of(const clrs__indexed_move *move) {
  clrs_plan plan;
  memset(&plan, 0x5a, sizeof plan);
  CHECK_OK(clrs__plan_indexed(move, &plan, &error), error);
  return plan;
}

static void require_footprint(const clrs_footprint *found, uint64_t begin, uint64_t end,
                              uint32_t alignment) {
  assert_int_equal(found->begin, begin);
  assert_int_equal(found->end, end);
  assert_int_equal(found->alignment, alignment);
}

TEST(each_buffer_has_its_bytes) {
  for (int scatters = 0; scatters < 2; scatters++) {
    const clrs__indexed_move move = make_move(scatters);
    const clrs_plan plan = plan_of(&move);
    const clrs__plan_data *data = clrs__plan_data_in(&plan);
    assert_int_equal(plan.outcome, CLRS_OUTCOME_INDEXED);
    assert_int_equal(plan.bytes_read, 3 * 16 * 4);
    assert_int_equal(plan.bytes_written, 3 * 16 * 4);
    assert_int_equal(plan.launch_count, 1);
    assert_int_equal(plan.launches[0].unit_bits, 128);
    require_footprint(scatters ? &plan.destination : &plan.source, 16, 16 + 640, 16);
    require_footprint(scatters ? &plan.source : &plan.destination, 64, 64 + 192, 16);
    require_footprint(&data->indices.read, 8, 32, 8);
    require_footprint(&data->indices.flag, 12, 16, 4);
    assert_int_equal(data->indices.dtype, CLRS_F32);
    assert_true(clrs__plan_has_indices(&plan) && !clrs__plan_is_any_indexed(&plan));
    assert_int_equal(data->reason_count, 1);
    assert_int_equal(data->reasons[0].kind, CLRS__REASON_INDEXED);
    assert_int_equal(data->nest.axis_count, 0);
  }
}

/* Only a gather writes a value for a skipped index: the element, or zeros. */
TEST(skipped_indices_have_a_value) {
  static const unsigned char zeros[16];
  for (int i = 0; i < 3; i++) {
    clrs__indexed_move move = make_move(i == 1);
    move.element = i == 2 ? NULL : element;
    const clrs_plan plan = plan_of(&move);
    const unsigned char *value = clrs__plan_data_in(&plan)->indices.element;
    assert_memory_equal(value, i == 0 ? (const void *)element : zeros, sizeof element);
    assert_memory_equal(value + sizeof element, zeros, 16 - sizeof element);
  }
}

TEST(without_flag_or_alignment_nothing_is_relied_on) {
  clrs__indexed_move move = make_move(false);
  move.flag.view = NULL;
  move.operands[CLRS_INDEX].byte_offset = 4;
  const clrs_plan plan = plan_of(&move);
  require_footprint(&clrs__plan_data_in(&plan)->indices.read, 4, 28, 1);
  require_footprint(&clrs__plan_data_in(&plan)->indices.flag, 0, 0, 1);
}

/* A scatter without places still has to raise the flag. */
TEST(nothing_to_list_is_no_launch) {
  clrs__indexed_move move = make_move(true);
  named = view_strided(CLRS_F32, 2, LIST(0, 16), NULL, 0);
  assert_int_equal(plan_of(&move).outcome, CLRS_OUTCOME_INDEXED);
  move.flag.view = NULL;
  assert_int_equal(plan_of(&move).outcome, CLRS_OUTCOME_EMPTY);
  move = make_move(false);
  listed = view_strided(CLRS_F32, 2, LIST(0, 16), NULL, 0);
  const clrs_plan plan = plan_of(&move);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_EMPTY);
  assert_int_equal(plan.launch_count, 0);
}

/* Indices in an order that no loops have: each element is found separately. */
TEST(elements_without_loops_are_found_separately) {
  clrs__indexed_move move = make_move(false);
  indices = view_strided(CLRS_I64, 2, LIST(6, 4), LIST(1, 6), 0);
  CHECK_OK(clrs_view_apply(&indices, "reshape=8,3 permute=1,0 reshape=24", &error), error);
  listed = view_strided(CLRS_F32, 2, LIST(24, 16), NULL, 0);
  const clrs_plan plan = plan_of(&move);
  assert_true(clrs__plan_has_indices(&plan) && clrs__plan_is_any_indexed(&plan));
  assert_int_equal(plan.launches[0].unit_bits, 32);
  require_footprint(&plan.source, 16, 16 + 640, 4);
  require_footprint(&plan.destination, 64, 64 + 24 * 16 * 4, 4);
}

TESTS(NULL, NULL)
