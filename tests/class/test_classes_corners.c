/*
 * Cases of classes that random nests do not reach: boxes with images that have gaps, axes of few
 * divisors, as many axes as the words have room for, steps as long as positions allow.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "asked.h"

static clrs_device_limits limits_of(clrs_execution execution) {
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  limits.execution = execution;
  limits.max_group_items = 256;
  limits.local_bytes = 32768;
  return limits;
}

static clrs__job job_of(uint32_t unit_bits, uint32_t index_bits, clrs__nest nest,
                        const clrs_device_limits *limits) {
  return (clrs__job){.unit_bits = unit_bits,
                     .index_bits = index_bits,
                     .from = CLRS__FROM_SOURCE,
                     .limits = limits,
                     .source_alignment = 16,
                     .destination_alignment = 16,
                     .nest = nest};
}

/* ---- on paper ---- */

typedef struct corner {
  const char *name;
  uint32_t unit_bits, index_bits;
  clrs__class_number asked; /* and whether it can */
  bool can;
  size_t axis_count;
  const test_axis *axes;
} corner;

static const corner corners[] = {
    /* An image of 12 units spans 225 units. Each step of the runs is 4 times as long as the span
     * inside, so no stage has room for a box. */
    {"no_box_has_room", 1, 32, CLRS__CLASS_CPU_SUBBYTE, false,
     AXES({2, 180, 180}, {3, 20, 60}, {2, 4, 30}, {2, 34428, 15}, {5, 8100, 3}, {3, 900, 1})},
    {"short_runs_far_apart", 4, 32, CLRS__CLASS_CPU_SUBBYTE, true,
     AXES({4, 300, 192}, {4, 1200, 48}, {48, 1, 1})},
    /* The search for the rest of a line went round and round at the axis of one element. */
    {"an_axis_of_one_element", 32, 64, CLRS__CLASS_CPU_SHORT, true,
     AXES({1, 12, 12}, {3, 1, 4}, {4, 3, 1})},
    {"a_prime_line_is_ragged_volumes", 8, 32, CLRS__CLASS_GPU_SHORT, true, AXES({389, 2, 1})},
    {"many_axes_of_two", 8, 64, CLRS__CLASS_GPU_SHORT, true,
     AXES({2, 1, 2048}, {2, 2, 1024}, {2, 4, 512}, {2, 8, 256}, {2, 16, 128}, {2, 32, 64},
          {2, 64, 32}, {2, 128, 16}, {2, 256, 8}, {2, 512, 4}, {2, 1024, 2}, {2, 2048, 1})},
    {"a_step_of_half_of_all_positions", 1, 64, CLRS__CLASS_GPU_SHORT, true,
     AXES({256, 1, 2}, {2, INT64_C(1) << 62, 1})},
};

TEST(corners_move_each_unit_once) {
  for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++)
    for (int way = CLRS_EXECUTION_CPU; way <= CLRS_EXECUTION_GPU; way++) {
      static tally seen;
      const corner *c = &corners[i];
      const clrs_device_limits limits = limits_of((clrs_execution)way);
      const clrs__job job =
          job_of(c->unit_bits, c->index_bits, nest_of(c->axis_count, c->axes), &limits);
      clrs__cut cut;
      print_message("%s, execution %d\n", c->name, way);
      ask_all(&job, i, &seen);
      const bool is_here = clrs__class_of(c->asked)->execution == (clrs_execution)way;
      assert_int_equal(is_here && clrs__class_ask(c->asked, &job, true, &cut), is_here && c->can);
    }
}

/* ---- too large for paper ---- */

/* Up to `most` axes of 2, some axes longer, in another order on either side. */
static clrs__nest draw_many_axes(test_rng *rng, uint32_t most) {
  clrs__nest nest = {.operand_count = 2, .axis_count = most - (uint32_t)rng_between(rng, 0, 3)};
  int64_t order[CLRS__NEST_AXES_32], step = 1;
  for (uint32_t i = 0; i < nest.axis_count; i++)
    nest.axes[i].extent = 2;
  for (int longer = rng_percent(rng, 70) ? 2 : 0; longer-- > 0;)
    nest.axes[nest.axis_count - 1 - rng_between(rng, 0, 3)].extent = rng_between(rng, 3, 30) * 97;
  for (uint32_t i = nest.axis_count; i-- > 0; step *= nest.axes[i].extent)
    nest.axes[i].destination_stride = step;
  step = 1;
  rng_permutation(rng, nest.axis_count, order);
  for (uint32_t i = 0; i < nest.axis_count; i++) {
    clrs__nest_axis *axis = &nest.axes[order[i]];
    axis->source_stride = step;
    step *= axis->extent;
  }
  clrs__nest_normalize(&nest);
  nest_poison(&nest);
  return nest;
}

/* The words have room for any cut of so many axes. */
TEST(words_have_room_for_all_axes) {
  const uint64_t seed = test_seed(830000);
  int64_t answers = 0;
  for (int64_t i = 0; i < test_cases(1000); i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const bool is_narrow = rng_percent(&rng, 30);
    const uint32_t most = is_narrow ? 24 : CLRS__NEST_AXES_64;
    const clrs_device_limits limits =
        limits_of(rng_percent(&rng, 50) ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU);
    clrs__nest nest = draw_many_axes(&rng, most);
    const bool fits = clrs__nest_count(&nest) < INT32_MAX;
    const clrs__job job =
        job_of(1u << rng_between(&rng, 0, 7), is_narrow && fits ? 32 : 64, nest, &limits);
    for (int c = CLRS__CLASS_ANY + 1; c < CLRS__CLASS_COUNT; c++)
      for (int required = 0; required < 2 && nest.axis_count <= clrs__job_nest_room(&job);
           required++) {
        clrs__words words;
        clrs__cut cut;
        if (clrs__class_ask((clrs__class_number)c, &job, required == 1, &cut)) {
          check_sizes(&cut, &words, seed + (uint64_t)i);
          answers++;
        }
      }
  }
  assert_true(answers > 0);
}

/* 8192 bytes of local memory, the longest step between reads: bit 12, the last that is looked at,
 * comes to bit 4. */
TEST(the_longest_step_in_local_memory_is_swizzled) {
  const clrs_device_limits limits = limits_of(CLRS_EXECUTION_GPU);
  const clrs__job job = job_of(
      1, 32,
      nest_of(AXES({128, 16384, 16384}, {2, 32, 8192}, {256, 64, 32}, {2, 1, 16}, {16, 2, 1})),
      &limits);
  clrs__words words;
  clrs__cut cut;
  assert_true(clrs__class_ask(CLRS__CLASS_GPU_SHORT, &job, false, &cut));
  check_sizes(&cut, &words, 0);
  assert_int_equal(cut.as.volumes.units, 16384);
  assert_int_equal(words.swizzle_shift, 12 - 4);
}

TESTS(NULL, NULL)
