/*
 * Composed launches of core execution, against a second reading of the rules: which axis is decoded
 * as rows, how many of them make a block, and how much a work-item takes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include <stdlib.h>

#include "nests.h"

/* Units that kernels/composed.cl decodes together; and what a first-level cache holds. */
enum { LANES = 256, BLOCK_BYTES = 32768, ITEM_BYTES = 131072 };

typedef struct row {
  int64_t length, step, wraps_at;
} row;

typedef struct lanes {
  int axis; /* of the rows, or -1 */
  int64_t block_rows, period, share, blocks;
} lanes;

static int64_t up(int64_t number, int64_t unit) {
  return number / unit + (number % unit > 0);
}

/* Steps from element 0 along an axis become steps of each digit of each level; of two digits that
 * are as near to 0 the one that has the step's sign. A digit's steps end where its extent does. */
static row follow(const clrs_view *stack, clrs_nest_axis axis) {
  row found = {axis.extent, axis.source_stride, INT64_MAX};
  for (int level = (int)stack->depth - 1; level >= 0 && found.length > 1; level--) {
    uint32_t first = 0;
    for (int i = 0; i < level; i++)
      first += stack->levels[i].axis_count;
    int64_t step = 0;
    int64_t rest = found.step;
    for (uint32_t i = stack->levels[level].axis_count; i-- > 0;) {
      const clrs_axis of = stack->axes[first + i];
      int64_t digit = rest;
      if (i > 0) {
        digit = rest % of.extent;
        if (2 * llabs(digit) > of.extent && !(of.extent % 2 == 1 && 2 * llabs(digit) < of.extent))
          digit += digit > 0 ? -of.extent : of.extent;
        rest = (rest - digit) / of.extent;
        if (llabs(digit) == 1 && of.extent < found.wraps_at)
          found.wraps_at = of.extent;
      }
      if (digit != 0 && up(of.extent, llabs(digit)) < found.length)
        found.length = up(of.extent, llabs(digit));
      step += digit * of.stride;
    }
    found.step = step;
  }
  return found;
}

/* Rows of at least 4 that leave a batch full, those whose steps in the storage are the smallest. */
static lanes expected_lanes(const clrs_view *stack, const clrs_nest *nest, int64_t unit_bits) {
  const int64_t count = nest_units(nest, 0, nest->axis_count);
  const int64_t batch_bytes = LANES * unit_bits / 8;
  row best = {0, 0, 0};
  lanes result = {-1, 0, 0, 0, up(count, LANES)};
  for (int i = 0; i + 1 < (int)nest->axis_count; i++) {
    const row found = follow(stack, nest->axes[i]);
    if (found.length >= 4 && count / nest->axes[i].extent >= LANES &&
        (result.axis < 0 || llabs(found.step) < llabs(best.step))) {
      result.axis = i;
      best = found;
    }
  }
  int64_t block_rows = 1, periods = 1;
  if (result.axis >= 0) {
    const int64_t rows = nest->axes[result.axis].extent;
    result.period = rows;
    for (int64_t parts = 1; parts <= 32 && rows / parts >= 16; parts++)
      if (rows % parts == 0 && best.wraps_at % (rows / parts) == 0) {
        result.period = rows / parts;
        break;
      }
    periods = rows / result.period;
    block_rows = BLOCK_BYTES / batch_bytes;
    block_rows = block_rows < result.period ? block_rows : result.period;
    result.block_rows = block_rows;
    result.blocks = up(count / rows, LANES) * up(result.period, block_rows) * periods;
  }
  while (result.share * block_rows * batch_bytes < ITEM_BYTES - block_rows * batch_bytes + 1)
    result.share += 1;
  result.share = up(result.share, periods) * periods;
  result.share = result.share < result.blocks ? result.share : result.blocks;
  return result;
}

static clrs_view draw_stack(test_rng *rng) {
  clrs_view stack = {.dtype = CLRS_I8, .depth = (uint32_t)rng_between(rng, 1, 3)};
  uint32_t next = 0;
  for (uint32_t level = 0; level < stack.depth; level++) {
    stack.levels[level].axis_count = (uint32_t)rng_between(rng, 1, 4);
    for (uint32_t i = 0; i < stack.levels[level].axis_count; i++) {
      int64_t extent = rng_between(rng, 2, 9);
      extent = rng_percent(rng, 30) ? 16 * extent : extent;
      stack.axes[next++] = (clrs_axis){extent, rng_between(rng, -20, 20)};
    }
  }
  for (; next < CLRS_VIEW_AXES; next++)
    stack.axes[next] = (clrs_axis){3, 5};
  return stack;
}

static bool check_lanes(const clrs_view *stack, const clrs_nest *nest, uint32_t unit_bits,
                        uint64_t seed) {
  clrs_launch launch = launch_of(unit_bits, *nest);
  launch.kernel_class = CLRS_CLASS_COMPOSED;
  launch.follows_stack = true;
  launch.outer_axis_count = 7;
  launch.interleaves = true;
  const lanes expected = expected_lanes(stack, nest, unit_bits);
  clrs_nest moved = *nest;
  for (int i = expected.axis; i > 0; i--)
    moved.axes[i] = nest->axes[i - 1];
  if (expected.axis > 0)
    moved.axes[0] = nest->axes[expected.axis];
  clrs__launch_choose_lanes(stack, &launch);
  CHECK_SEEDED(memcmp(launch.nest.axes, moved.axes, sizeof moved.axes) == 0, seed,
               "rows are not axis %d", expected.axis);
  CHECK_SEEDED(launch.chunk_extents[0] == expected.block_rows &&
                   launch.chunk_extents[1] == expected.period,
               seed, "%lld rows of %lld, not %lld of %lld", (long long)launch.chunk_extents[0],
               (long long)launch.chunk_extents[1], (long long)expected.block_rows,
               (long long)expected.period);
  CHECK_SEEDED(launch.chunks_per_item == expected.share, seed, "%lld blocks each, not %lld",
               (long long)launch.chunks_per_item, (long long)expected.share);
  CHECK_SEEDED(clrs__launch_has_lanes(&launch) && clrs__launch_work(&launch) == expected.blocks,
               seed, "%lld blocks", (long long)clrs__launch_work(&launch));
  CHECK_SEEDED(launch.outer_axis_count == 0 && !launch.interleaves, seed, "left from bits");
  return expected.axis >= 0;
}

static void random_stacks_get_the_rows_of_the_rules(void **state) {
  (void)state;
  const uint64_t seed = test_seed(770000);
  const int64_t cases = test_cases(30000);
  int64_t with_rows = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const clrs_view stack = draw_stack(&rng);
    clrs_nest nest = nest_random(&rng, rng_percent(&rng, 50) ? 12 : 200);
    for (uint32_t a = 0; a < nest.axis_count; a++) {
      nest.axes[a].extent *= rng_percent(&rng, 20) ? 16 : 1;
      nest.axes[a].source_stride = rng_percent(&rng, 40)
                                       ? rng_between(&rng, -1, 1) * stack.axes[0].extent
                                       : rng_between(&rng, -200, 200);
    }
    with_rows +=
        check_lanes(&stack, &nest, (uint32_t)1 << rng_between(&rng, 0, 7), seed + (uint64_t)i);
  }
  if (cases >= 30000)
    assert_true(with_rows * 20 > cases && with_rows * 20 < 19 * cases);
}

/* Sizes near every bound: rows of 4, a batch of 256, a period of 16, 32 periods. */
static void every_length_of_rows(void **state) {
  (void)state;
  for (int64_t rows = 2; rows < 1200; rows += 1 + (rows > 40) * 3)
    for (int64_t batch = 250; batch < 262; batch++)
      for (int64_t wrap = 15; wrap < 18; wrap++) {
        clrs_view stack = {.dtype = CLRS_I8, .depth = 1, .levels = {{0, 2}}};
        stack.axes[0] = (clrs_axis){5000, 3};
        stack.axes[1] = (clrs_axis){wrap, 1000};
        const clrs_nest nest = nest_of(AXES({rows, 1, batch}, {batch, 50000, 1}));
        (void)check_lanes(&stack, &nest, 32, (uint64_t)(rows * 1000 + batch));
        stack.axes[0].extent = rows; /* the rows end at a digit without wrapping */
        const clrs_nest long_steps = nest_of(AXES({rows, wrap, batch}, {batch, 50000, 1}));
        (void)check_lanes(&stack, &long_steps, 32, (uint64_t)(rows * 1000 + batch));
      }
}

/* A step that does not fit in 64 bits is that of no row. */
static void steps_that_overflow_are_no_rows(void **state) {
  (void)state;
  clrs_view stack = {.dtype = CLRS_I8, .depth = 1, .levels = {{0, 1}}};
  stack.axes[0] = (clrs_axis){1000, INT64_MAX / 2};
  const clrs_nest nest = nest_of(AXES({300, 3, 300}, {300, 1000, 1}));
  clrs_launch launch = launch_of(32, nest);
  launch.kernel_class = CLRS_CLASS_COMPOSED;
  clrs__launch_choose_lanes(&stack, &launch);
  assert_int_equal(launch.chunk_extents[0], 0);
  const clrs_nest fits = nest_of(AXES({300, 2, 300}, {300, 1000, 1}));
  assert_true(check_lanes(&stack, &fits, 32, 0));
}

/* By enumeration: does every byte of the destination get all its units from neighbouring steps of
 * the last axis? */
static bool writes_whole_bytes(const clrs_nest *nest, int64_t per_byte) {
  const int64_t count = nest_units(nest, 0, nest->axis_count);
  if (per_byte == 1)
    return true;
  if (nest->axis_count == 0 || nest->axes[nest->axis_count - 1].extent % per_byte != 0)
    return false;
  for (int64_t k = 0; k < count; k += per_byte) {
    int64_t from, first, to;
    nest_step(nest, 0, k, &from, &first);
    for (int64_t unit = 0; unit < per_byte; unit++) {
      nest_step(nest, 0, k + unit, &from, &to);
      if ((nest->destination_offset + first) % per_byte != 0 || to != first + unit)
        return false;
    }
  }
  return true;
}

static void whole_bytes_are_found_by_enumeration_too(void **state) {
  (void)state;
  const uint64_t seed = test_seed(780000);
  const int64_t cases = test_cases(5000);
  int64_t whole = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const uint32_t unit_bits = (uint32_t)1 << rng_between(&rng, 0, 3);
    clrs_nest nest = nest_random(&rng, 5);
    nest.axis_count -= rng_percent(&rng, 5) ? nest.axis_count : 0;
    for (uint32_t a = 0; a < nest.axis_count && rng_percent(&rng, 80); a++)
      nest.axes[a].destination_stride *= a + 1 < nest.axis_count ? 8 : 1;
    if (nest.axis_count > 0 && rng_percent(&rng, 60))
      nest.axes[nest.axis_count - 1].extent *= 8;
    nest.destination_offset = rng_percent(&rng, 70) ? 8 : rng_between(&rng, 0, 8);
    nest_poison(&nest);
    const clrs_launch launch = launch_of(unit_bits, nest);
    const bool expected = writes_whole_bytes(&nest, 8 / (int64_t)unit_bits);
    CHECK_SEEDED(clrs__launch_writes_whole_bytes(&launch) == expected, seed + (uint64_t)i,
                 "whole bytes of %u bits: %d", unit_bits, expected);
    whole += expected && unit_bits < 8;
  }
  if (cases >= 5000)
    assert_true(whole > 200 && whole < 3000);
}

/* What lies behind the axes would be whole bytes, and has no part in it. */
static void no_axes_are_no_whole_bytes(void **state) {
  (void)state;
  clrs_nest nest = nest_of(AXES({8, 1, 1}));
  clrs_launch launch = launch_of(1, nest);
  assert_true(clrs__launch_writes_whole_bytes(&launch));
  launch.nest.axis_count = 0;
  assert_false(clrs__launch_writes_whole_bytes(&launch));
}

/* Only composed launches have lanes, and those of wide devices, which count no blocks, have none.
 */
static void only_composed_launches_in_blocks_have_lanes(void **state) {
  (void)state;
  clrs_launch launch = launch_of(32, nest_of(AXES({3, 1, 1000}, {1000, 3, 1})));
  launch.kernel_class = CLRS_CLASS_COMPOSED;
  launch.follows_stack = true;
  assert_false(clrs__launch_has_lanes(&launch));
  assert_int_equal(clrs__launch_work(&launch), 3000);
  launch.chunks_per_item = 1;
  assert_true(clrs__launch_has_lanes(&launch));
  assert_int_equal(clrs__launch_work(&launch), 12);
  launch.kernel_class = CLRS_CLASS_CPU_ANY;
  assert_false(clrs__launch_has_lanes(&launch));
}

/* Units of half a byte through a stack: composed where each byte is written whole, and not asked to
 * stay bits. */
static void packed_units_of_whole_bytes_are_composed(void **state) {
  (void)state;
  clrs_view stack = {.dtype = CLRS_U4, .depth = 1, .levels = {{0, 1}}};
  stack.axes[0] = (clrs_axis){4000, 2};
  for (int64_t columns = 9; columns <= 10; columns++)
    for (int is_required = 0; is_required < 2; is_required++) {
      clrs_launch launch = launch_of(4, nest_of(AXES({3, 20, 10}, {columns, 1, 1})));
      launch.follows_stack = true;
      clrs__launch_choose_blocks(&stack, &launch,
                                 is_required ? CLRS_CLASS_SUBBYTE : CLRS_CLASS_ANY);
      const clrs_class expected =
          columns == 10 && !is_required ? CLRS_CLASS_COMPOSED : CLRS_CLASS_SUBBYTE;
      assert_int_equal(launch.kernel_class, expected);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_stacks_get_the_rows_of_the_rules),
      cmocka_unit_test(every_length_of_rows),
      cmocka_unit_test(steps_that_overflow_are_no_rows),
      cmocka_unit_test(no_axes_are_no_whole_bytes),
      cmocka_unit_test(only_composed_launches_in_blocks_have_lanes),
      cmocka_unit_test(packed_units_of_whole_bytes_are_composed),
      cmocka_unit_test(whole_bytes_are_found_by_enumeration_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
