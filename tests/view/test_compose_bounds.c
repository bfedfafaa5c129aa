/*
 * Results of lowering at the limits of numbers: at 64 bits, at the room of a nest, at the longest
 * axis.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "view/compose.h"

static clrs__nest nest_of(int64_t source_offset, int64_t source_stride,
                          int64_t destination_stride) {
  clrs__nest nest;
  memset(&nest, 0, sizeof nest);
  nest.source_offset = source_offset;
  nest.operand_count = 2;
  nest.axis_count = 1;
  nest.axes[0] = CLRS__NEST_AXIS(2, source_stride, destination_stride);
  return nest;
}

static void expect_no_split(clrs__nest *nest, int64_t extent) {
  const clrs__nest before = *nest;
  assert_false(clrs__nest_split_axis(nest, 0, extent));
  assert_memory_equal(nest, &before, sizeof before);
}

TEST(a_nest_that_cannot_be_split_stays_as_it_is) {
  const int64_t far = (int64_t)1 << 62;
  clrs__nest nest = nest_of(0, far, 1);
  nest.axes[0].extent = 4;
  expect_no_split(&nest, 2);
  nest = nest_of(0, 1, far);
  nest.axes[0].extent = 4;
  expect_no_split(&nest, 2);
  nest = nest_of(0, 1, 1);
  nest.axes[0].extent = 4;
  nest.axis_count = CLRS_MAX_AXES;
  expect_no_split(&nest, 2);
  nest.axis_count = CLRS_MAX_AXES - 1;
  assert_true(clrs__nest_split_axis(&nest, 0, 2));
  assert_int_equal(nest.axis_count, CLRS_MAX_AXES);
}

/* Four elements, which lie so far apart that the last has no position. */
static const clrs__walk far_apart = {.axis_count = 2,
                                     .axes = {{2, (int64_t)1 << 62}, {2, (int64_t)1 << 62}}};

TEST(what_has_no_position_is_not_composed) {
  const clrs__walk last = {.offset = 3}, ends = {.axis_count = 1, .axes = {{2, 3}}};
  const clrs__walk third = {.offset = 2};
  clrs__walk both;
  assert_false(clrs__walk_compose(&far_apart, &last, &both));
  assert_false(clrs__walk_compose(&far_apart, &ends, &both));
  assert_true(clrs__walk_compose(&far_apart, &third, &both));
  assert_int_equal(both.axis_count, 0);
  assert_true(both.offset == (int64_t)1 << 62);
}

TEST(only_an_axis_of_negative_source_stride_is_turned) {
  const clrs__walk line = {.axis_count = 1, .axes = {{4, 1}}};
  clrs__axis_cut cut;
  clrs__nest back = nest_of(3, -1, INT64_MIN); /* transposed, the destination would step by 2^63 */
  assert_int_equal(clrs__nest_lower(&line, CLRS__FROM, &back, &cut), CLRS__STUCK);
  clrs__nest still = nest_of(1, 0, INT64_MIN);
  const clrs__nest before = still;
  assert_int_equal(clrs__nest_lower(&line, CLRS__FROM, &still, &cut), CLRS__LOWERED);
  assert_memory_equal(&still, &before, sizeof before);
}

TEST(the_longest_walk_composes_with_its_reverse) {
  const int64_t count = INT64_MAX;
  const clrs__walk line = {.axis_count = 1, .axes = {{count, 1}}};
  const clrs__walk reverse = {.offset = count - 1, .axis_count = 1, .axes = {{count, -1}}};
  clrs__walk both;
  assert_true(clrs__walk_compose(&line, &reverse, &both));
  assert_int_equal(both.axis_count, 1);
  assert_true(both.offset == count - 1 && both.axes[0].extent == count &&
              both.axes[0].stride == -1);
}

TESTS(NULL, NULL)
