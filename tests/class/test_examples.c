/*
 * Each variant that a move can need has a trial, which a self-test can run on small buffers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "class/examples.h"

static const char *describe(const clrs__variant *variant) {
  static char text[CLRS__OPTIONS_BYTES];
  clrs__variant_options(*variant, text, sizeof text);
  return text;
}

static void check_positions(const clrs__nest *nest) {
  for (uint32_t side = 0; side < 2; side++) {
    assert_true(clrs__axes_span(nest->axes, nest->axis_count, side) < CLRS__TRIAL_UNITS);
    assert_true(nest->offsets[side] >= 0 && nest->offsets[side] < 64);
  }
}

/* Finds the first trial with this variant. */
static void check_trial(const clrs__variant *variant, const clrs_device_limits *limits) {
  clrs_view stack;
  CHECK_OK(clrs__trial_stack(variant->level_axes > CLRS__FEW_LEVEL_AXES, &stack, &error), error);
  assert_int_equal(stack.depth, 2);
  for (int at = 0; at < CLRS__TRIALS; at++) {
    clrs__nest nest;
    clrs__cut cut;
    if (clrs__variant_trial(variant, limits, &stack, at, &nest, &cut) &&
        clrs__variant_equal(clrs__cut_variant(&cut), *variant)) {
      check_positions(&nest);
      return;
    }
  }
  fail_msg("no trial is %s %s", clrs__variant_name(variant), describe(variant));
}

/* With few axes in nest and stack, and with many. Returns the number of variants. */
static size_t check_class(clrs__class_number number, uint32_t width,
                          const clrs_device_limits *limits) {
  clrs__cut cuts[CLRS__MOST_EXAMPLES];
  clrs_view stack;
  const clrs_shape units = {1, {CLRS__EXAMPLE_UNITS}};
  CHECK_OK(clrs_view_dense(CLRS_U8, &units, &stack, &error), error);
  const size_t count = clrs__class_examples(number, width, limits, &stack, cuts);
  for (size_t i = 0; i < 2 * count; i++) {
    clrs__cut *cut = &cuts[i % count];
    cut->nest.axis_count = i < count ? cut->nest.axis_count : CLRS__FEW_NEST_AXES + 1;
    cut->level_axes = i < count ? cut->level_axes : CLRS__FEW_LEVEL_AXES + 1;
    const clrs__variant variant = clrs__cut_variant(cut);
    check_trial(&variant, limits);
  }
  return 2 * count;
}

TEST(every_variant_has_a_trial) {
  size_t variants = 0;
  for (int choice = 0; choice < 4; choice++) {
    clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
    limits.min_index_bits = choice % 2 == 0 ? 32 : 64;
    limits.execution = choice < 2 ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
    for (int c = CLRS__CLASS_ANY + 1; c < CLRS__CLASS_COUNT; c++)
      for (uint32_t width = 1; width <= 128; width *= 2)
        variants += check_class((clrs__class_number)c, width, &limits);
  }
  assert_in_range(variants, 1000, 2000);
}

TESTS(NULL, NULL)
