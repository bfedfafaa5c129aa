/* SPDX-License-Identifier: Apache-2.0 */
#include "examples.h"

#include "axes.h"
#include "grid.h"
#include "table.h"
#include "view.h"

enum { NESTS = 10 };

/* Examples of all kinds of axes that some variant is for. The first are two rows transposed, a run,
 * a cube with its axes reversed. The next are axes that interleave in the destination, and
 * transposes of 3 by 3 without vectors on either side. Transposes of 16 by 16 consist of vectors of
 * any unit: on both sides, on the source alone, and on the destination alone. The last two are a
 * run of several blocks, and, for units under a byte, runs of a block that lie a little apart in
 * the source. */
#define AXIS(extent, source_stride, destination_stride)                                            \
  {                                                                                                \
    extent, {                                                                                      \
      { destination_stride, source_stride }                                                        \
    }                                                                                              \
  }
static const clrs__nest nests[NESTS] = {
    {2, 2, {{0}}, {AXIS(2, 1, 2), AXIS(2, 2, 1)}},
    {2, 1, {{0}}, {AXIS(8, 1, 1)}},
    {2, 3, {{0}}, {AXIS(2, 1, 4), AXIS(2, 2, 2), AXIS(2, 4, 1)}},
    {2, 2, {{0}}, {AXIS(2, 3, 3), AXIS(3, 1, 2)}},
    {2, 2, {{0}}, {AXIS(3, 1, 3), AXIS(3, 3, 1)}},
    {2, 2, {{0}}, {AXIS(16, 1, 16), AXIS(16, 16, 1)}},
    {2, 2, {{0}}, {AXIS(16, 1, 17), AXIS(16, 16, 1)}},
    {2, 2, {{0}}, {AXIS(16, 1, 16), AXIS(16, 17, 1)}},
    {2, 1, {{0}}, {AXIS(256, 1, 1)}},
    {2, 2, {{0}}, {AXIS(64, 1, 4), AXIS(4, 66, 1)}},
};

/* The examples are trials as well, and each nest is also tried with more axes. */
enum { TRIAL_NESTS = CLRS__TRIALS / 3 - NESTS };

/* Nests for trials, larger than the tiles and blocks of the kernels, with odd extents and tails.
 * Three axes reversed, a transpose, rows with gaps on both sides, a run, and rows that are read
 * backwards. The next are transposes of 80 by 48, with vectors on both sides, on the destination
 * and on the source. The last are nine axes reversed, and rows of the same value. */
static const clrs__nest trials[TRIAL_NESTS] = {
    {2, 3, {{0}}, {AXIS(5, 1, 627), AXIS(33, 5, 19), AXIS(19, 165, 1)}},
    {2, 2, {{0}}, {AXIS(67, 1, 37), AXIS(37, 67, 1)}},
    {2, 2, {{0}}, {AXIS(13, 139, 131), AXIS(127, 1, 1)}},
    {2, 1, {{0}}, {AXIS(1031, 1, 1)}},
    {2, 2, {{0, 36}}, {AXIS(23, 37, 41), AXIS(37, -1, 1)}},
    {2, 2, {{0}}, {AXIS(80, 1, 48), AXIS(48, 80, 1)}},
    {2, 2, {{0}}, {AXIS(80, 1, 48), AXIS(48, 81, 1)}},
    {2, 2, {{0}}, {AXIS(80, 1, 49), AXIS(48, 80, 1)}},
    {2,
     9,
     {{0}},
     {AXIS(2, 1, 768), AXIS(2, 2, 384), AXIS(2, 4, 192), AXIS(2, 8, 96), AXIS(2, 16, 48),
      AXIS(2, 32, 24), AXIS(2, 64, 12), AXIS(2, 128, 6), AXIS(5, 256, 1)}},
    {2, 2, {{0}}, {AXIS(29, 0, 139), AXIS(139, 2, 1)}},
};

static clrs__nest nest_of_value(const clrs__nest *nest) {
  clrs__nest filled;
  clrs__nest_copy(&filled, nest);
  for (uint32_t i = 0; i < filled.axis_count; i++) {
    filled.axes[i].source_stride = 0;
  }
  return filled;
}

/* Keeps cuts[count] if no earlier cut has the same variant. The last place of `cuts` is only for
 * the new cut. */
static size_t keep_example(clrs__cut *cuts, size_t count) {
  const clrs__variant variant = clrs__cut_variant(&cuts[count]);
  for (size_t i = 0; i < count; i++) {
    if (clrs__variant_equal(clrs__cut_variant(&cuts[i]), variant)) {
      return count;
    }
  }
  return count + 1 < CLRS__MOST_EXAMPLES ? count + 1 : count;
}

/* Adds the cut that the class makes of the job, and the same one where the kernel loops. */
static size_t add_example(clrs__class_number kernel_class, const clrs__job *job, clrs__cut *cuts,
                          size_t count) {
  for (int loops = 0; loops < 2; loops++) {
    if (clrs__class_ask(kernel_class, job, true, &cuts[count]) &&
        (loops == 0 || clrs__cut_may_loop(&cuts[count]))) {
      cuts[count].loops = loops == 1;
      count = keep_example(cuts, count);
    }
  }
  return count;
}

/* Limits of a device that has the memory and the execution that the class requires, and groups of
 * `items`. */
static clrs_device_limits limits_for(const clrs__class *of, uint32_t items,
                                     const clrs_device_limits *limits) {
  clrs_device_limits rich = *limits;
  rich.execution = of->execution != CLRS_EXECUTION_AUTO ? of->execution : limits->execution;
  rich.max_group_items = items;
  rich.local_bytes = UINT64_MAX;
  return rich;
}

size_t clrs__class_examples(clrs__class_number kernel_class, uint32_t unit_bits,
                            const clrs_device_limits *limits, const clrs_view *stack,
                            clrs__cut cuts[CLRS__MOST_EXAMPLES]) {
  const clrs__class *of = clrs__class_of(kernel_class);
  size_t count = 0;
  if (of == NULL || unit_bits == 0 || (unit_bits & (unit_bits - 1)) != 0) {
    return 0; /* no class, or no width */
  }
  const bool has_groups = clrs__group_halvings(limits) <= CLRS_MOST_HALVINGS;
  const clrs_device_limits rich =
      limits_for(of, has_groups ? limits->max_group_items : UINT32_MAX, limits);
  clrs__job job = {.unit_bits = unit_bits,
                   .index_bits = limits->min_index_bits,
                   .limits = &rich,
                   .source_alignment = 16,
                   .destination_alignment = 16,
                   .stack = stack};
  for (job.from = CLRS__FROM_SOURCE; job.from <= CLRS__FROM_VALUE; job.from *= 2) {
    for (int i = 0; i < NESTS; i++) {
      job.nest = job.from == CLRS__FROM_VALUE ? nest_of_value(&nests[i]) : nests[i];
      job.msb_first = false;
      count = add_example(kernel_class, &job, cuts, count);
      job.msb_first = unit_bits == 1; /* one type has the other order of bits */
      count = add_example(kernel_class, &job, cuts, count);
    }
  }
  return count;
}

/* ---- trials ---- */

/* A dim of 4 ends inside an axis of the permuted walk, so the last permutation needs a second
 * walk. */
clrs_status clrs__trial_stack(bool has_many_axes, clrs_view *stack, clrs_error *error) {
  static const clrs_shape few = {3, {18, 64, 7}};
  static const clrs_shape many = {10, {2, 3, 7, 2, 2, 3, 2, 2, 2, 2}};
  static const clrs_shape flat = {1, {CLRS__TRIAL_UNITS}}, fours = {3, {63, 32, 4}};
  static const int64_t back[] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  const clrs_shape *first = has_many_axes ? &many : &few;
  const int64_t *axes = back + 10 - first->rank;
  clrs__view_make_dense(CLRS_U8, first, stack);
  CLRS_TRY(clrs_view_permute(stack, first->rank, axes, error));
  CLRS_TRY(clrs_view_reshape(stack, &fours, error));
  CLRS_TRY(clrs_view_permute(stack, 3, &back[7], error));
  return clrs_view_reshape(stack, &flat, error);
}

/* Puts axes of one step in front, for kernels with room for many axes. */
static clrs__nest trial_nest(const clrs__variant *variant, int at) {
  static const uint32_t least_axes[] = {0, CLRS__SIMPLE_NEST_AXES + 1, CLRS__FEW_NEST_AXES + 1};
  const int number = at % (TRIAL_NESTS + NESTS);
  const clrs__nest *given =
      number < TRIAL_NESTS ? &trials[number] : &nests[TRIAL_NESTS + NESTS - 1 - number];
  clrs__nest nest = variant->fills ? nest_of_value(given) : *given;
  while (nest.axis_count < least_axes[at / (TRIAL_NESTS + NESTS)]) {
    clrs__insert_axis(&nest, 0);
    nest.axes[0].source_stride = nest.axes[0].destination_stride = CLRS__TRIAL_UNITS;
  }
  return nest;
}

bool clrs__variant_trial(const clrs__variant *variant, const clrs_device_limits *limits,
                         const clrs_view *stack, int at, clrs__nest *nest, clrs__cut *cut) {
  const clrs__class *of = clrs__class_of(variant->kernel_class);
  clrs_device_limits rich = limits_for(of, CLRS_GROUP_ITEMS >> variant->halvings, limits);
  if (of->execution == CLRS_EXECUTION_AUTO) { /* these classes make chunks only on CPUs */
    rich.execution = variant->is_chunked ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
  }
  const bool begins_anywhere =
      variant->kernel_class == CLRS__CLASS_SUBBYTE && !variant->wide_destination;
  *nest = trial_nest(variant, at);
  clrs__job job = {.unit_bits = variant->unit_bits,
                   .index_bits = variant->index_bits,
                   .limits = &rich,
                   .from = variant->level_axes > 0 ? CLRS__FROM_STACK
                           : variant->fills        ? CLRS__FROM_VALUE
                                                   : CLRS__FROM_SOURCE,
                   .msb_first = variant->msb_first,
                   .source_alignment = 16,
                   .destination_alignment = begins_anywhere ? 1 : 16,
                   .stack = stack};
  clrs__nest_copy(&job.nest, nest);
  const bool fits = clrs__class_ask(variant->kernel_class, &job, true, cut);
  cut->loops = variant->loops;
  return fits;
}
