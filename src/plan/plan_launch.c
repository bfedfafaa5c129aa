/*
 * From a nest of elements to a launch: the unit that the kernel moves, the width of its index
 * arithmetic, and the kernel class.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plan.h"

#include "checked.h"
#include "dtype.h"
#include "unit_width.h"

/* ---- index arithmetic ---- */

/* Adds what an axis spans; saturates. */
static void add_span(uint64_t *span, int64_t extent, int64_t stride) {
  uint64_t reach;
  if (__builtin_mul_overflow((uint64_t)extent - 1, clrs__magnitude(stride), &reach) ||
      __builtin_add_overflow(*span, reach, span)) {
    *span = UINT64_MAX;
  }
}

/* The largest number that the kernel's index arithmetic meets; the starts of both sides are added
 * in 64 bits always. */
static uint64_t largest_index(const clrs_plan *plan, const clrs_launch *launch) {
  const clrs_nest *nest = &launch->nest;
  uint64_t spans[3] = {(uint64_t)clrs__nest_count(nest), 0, 0};
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    add_span(&spans[1], nest->axes[i].extent, nest->axes[i].source_stride);
    add_span(&spans[2], nest->axes[i].extent, nest->axes[i].destination_stride);
  }
  uint64_t largest = spans[0] > spans[1] ? spans[0] : spans[1];
  largest = spans[2] > largest ? spans[2] : largest;
  for (uint32_t level = 0; launch->follows_stack && level < plan->stack.depth; level++) {
    clrs_walk walk;
    clrs__view_level(&plan->stack, level, &walk);
    uint64_t span = level == 0 ? 0 : clrs__magnitude(walk.offset);
    for (uint32_t i = 0; i < walk.axis_count; i++) {
      add_span(&span, walk.axes[i].extent, walk.axes[i].stride);
    }
    largest = span > largest ? span : largest;
  }
  return largest;
}

static void choose_index_bits(const clrs_device_limits *limits, const clrs_plan *plan,
                              clrs_launch *launch) {
  /* A few units of slack: a packed kernel also looks at the other units of a byte. */
  const bool small = largest_index(plan, launch) < (uint64_t)INT32_MAX - 64;
  launch->index_bits = small && limits->min_index_bits <= 32 ? 32 : 64;
}

/* ---- class ---- */

/* Orders the destination of a packed move by byte. Axes that leave at least a byte free between
 * their steps are outer; the inner ones are found again from a position by division, at once if
 * each steps over all that lies inside it. */
static clrs_status choose_outer_axes(clrs_launch *launch, clrs_error *error) {
  const clrs_nest *nest = &launch->nest;
  const int64_t units_per_byte = 8 / (int64_t)launch->unit_bits;
  int64_t span = 0;
  launch->outer_axis_count = nest->axis_count;
  for (uint32_t i = nest->axis_count; i > 0;) {
    i--;
    const clrs_nest_axis axis = nest->axes[i];
    const int64_t gap = axis.destination_stride - span;
    launch->interleaves = launch->interleaves || gap < 1;
    if (gap < units_per_byte) {
      launch->outer_axis_count = i;
    }
    if (!clrs__multiply_add(span, axis.extent - 1, axis.destination_stride, &span)) {
      return clrs__fail(error, CLRS_OVERFLOW, "the destination's span does not fit in 64 bits");
    }
  }
  return CLRS_OK;
}

static clrs_status check_axis_room(const clrs_plan *plan, const clrs_launch *launch,
                                   clrs_error *error) {
  uint32_t level_axes = 0;
  for (uint32_t level = 0; launch->follows_stack && level < plan->stack.depth; level++) {
    level_axes += plan->stack.levels[level].axis_count;
  }
  if (clrs__launch_argument_axes(launch) > clrs__launch_nest_axes(launch) ||
      level_axes > clrs__launch_level_axes(launch)) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the move needs a nest of %u axes over a stack of %u; in %u-bit arithmetic a "
                      "kernel takes %u and %u",
                      launch->nest.axis_count, level_axes, launch->index_bits,
                      clrs__launch_nest_axes(launch), clrs__launch_level_axes(launch));
  }
  return CLRS_OK;
}

static void require_alignment(const clrs_launch *launch, clrs_footprint *footprint) {
  const uint32_t bytes = launch->unit_bits < 8 ? 1 : launch->unit_bits / 8;
  footprint->alignment = bytes > footprint->alignment ? bytes : footprint->alignment;
}

static clrs_class general_class(const clrs_launch *launch) {
  if (launch->unit_bits < 8) {
    return CLRS_CLASS_SUBBYTE;
  }
  if (launch->fills) {
    return CLRS_CLASS_FILL;
  }
  return launch->follows_stack ? CLRS_CLASS_COMPOSED : CLRS_CLASS_GPU_ANY;
}

clrs_status clrs__plan_launch(const clrs_move *move, const clrs_device_limits *limits, bool is_only,
                              clrs_plan *plan, clrs_error *error) {
  clrs_launch *launch = &plan->launches[plan->launch_count];
  const clrs_dtype dtype = move->destination.view->dtype;
  CLRS_TRY(clrs__launch_choose_unit(move, plan, error));
  const bool stays_packed = limits->required_class == CLRS_CLASS_SUBBYTE && launch->unit_bits < 8;
  if ((!launch->follows_stack || is_only) && !stays_packed) {
    clrs__launch_widen_unit(move, plan, launch);
  }
  choose_index_bits(limits, plan, launch);
  launch->msb_first = clrs__dtype_is_msb_first(dtype);
  launch->outer_axis_count = 0;
  launch->interleaves = false;
  launch->chunks_per_item = 0;
  launch->chunk_extents[0] = launch->chunk_extents[1] = 0;
  launch->kernel_class = general_class(launch);
  if (launch->kernel_class == CLRS_CLASS_SUBBYTE) {
    CLRS_TRY(choose_outer_axes(launch, error));
  }
  CLRS_TRY(clrs__launch_choose_class(limits, &plan->stack, launch, error));
  CLRS_TRY(check_axis_room(plan, launch, error));
  require_alignment(launch, &plan->source);
  require_alignment(launch, &plan->destination);
  plan->launch_count++;
  return CLRS_OK;
}
