/*
 * From a nest of elements to a launch: the unit that the kernel moves, the width of its index
 * arithmetic, and the kernel class.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "checked.h"
#include "dtype.h"
#include "plan.h"

enum { WIDEST_UNIT_BITS = 128 };

/* In 64-bit arithmetic a stacked launch with a simple nest leaves its room to the levels. */
static bool has_simple_nest(const clrs_launch *launch) {
  return launch->nest.axis_count <= CLRS__SIMPLE_NEST_AXES;
}

uint32_t clrs__launch_nest_axes(const clrs_launch *launch) {
  if (!launch->follows_stack) {
    return launch->index_bits == 32 ? CLRS__NEST_AXES_32 : CLRS__NEST_AXES_64;
  }
  if (launch->index_bits == 32) {
    return CLRS__STACKED_NEST_AXES_32;
  }
  return has_simple_nest(launch) ? CLRS__SIMPLE_NEST_AXES : CLRS__STACKED_NEST_AXES_64;
}

uint32_t clrs__launch_level_axes(const clrs_launch *launch) {
  if (!launch->follows_stack) {
    return 0;
  }
  if (launch->index_bits == 32) {
    return CLRS__LEVEL_AXES_32;
  }
  return has_simple_nest(launch) ? CLRS__SIMPLE_LEVEL_AXES_64 : CLRS__LEVEL_AXES_64;
}

/* ---- units ---- */

/* The largest power of two, in bytes, that both sides are aligned to. */
static uint64_t common_alignment(const clrs_move *move) {
  const uint64_t bits = move->source.byte_offset | move->destination.byte_offset |
                        move->source.alignment | move->destination.alignment;
  return bits & (~bits + 1);
}

static bool scale_walk(clrs_walk *walk, int64_t ratio) {
  for (uint32_t i = 0; i < walk->axis_count; i++) {
    if (!clrs__multiply(walk->axes[i].stride, ratio, &walk->axes[i].stride)) {
      return false;
    }
  }
  if (ratio > 1) {
    clrs__walk_append(walk, (clrs_axis){ratio, 1});
    clrs__walk_normalise(walk);
  }
  return clrs__multiply(walk->offset, ratio, &walk->offset);
}

static bool scale_nest(clrs_nest *nest, int64_t ratio) {
  bool fits = clrs__multiply(nest->source_offset, ratio, &nest->source_offset) &&
              clrs__multiply(nest->destination_offset, ratio, &nest->destination_offset);
  for (uint32_t i = 0; fits && i < nest->axis_count; i++) {
    clrs_nest_axis *axis = &nest->axes[i];
    fits = clrs__multiply(axis->source_stride, ratio, &axis->source_stride) &&
           clrs__multiply(axis->destination_stride, ratio, &axis->destination_stride);
  }
  if (ratio > 1) {
    nest->axes[nest->axis_count++] = (clrs_nest_axis){ratio, 1, 1};
    clrs__nest_normalise(nest);
  }
  return fits;
}

/* Rebuilds the stack level by level: each may need one axis more than it had. */
static clrs_status scale_stack(clrs_view *stack, int64_t ratio, int64_t start, clrs_error *error) {
  clrs_view scaled = {.dtype = stack->dtype, .shape = stack->shape};
  for (uint32_t level = 0; level < stack->depth; level++) {
    clrs_walk walk;
    clrs__view_level(stack, level, &walk);
    if (!scale_walk(&walk, ratio) || (level == 0 && !clrs__add(walk.offset, start, &walk.offset))) {
      return clrs__fail(error, CLRS_OVERFLOW, "a position of the source does not fit in 64 bits");
    }
    scaled.depth = level + 1;
    CLRS_TRY(clrs__view_set_top(&scaled, &walk, error));
  }
  *stack = scaled;
  return CLRS_OK;
}

/* Counts from the start of the buffers, in units of the largest size that both are aligned to. */
static clrs_status choose_unit(const clrs_move *move, clrs_plan *plan, clrs_error *error) {
  clrs_launch *launch = &plan->launches[plan->launch_count];
  const uint32_t width = clrs_dtype_bits(move->destination.view->dtype);
  const uint64_t aligned_bits = common_alignment(move) * 8;
  launch->unit_bits = aligned_bits < width ? (uint32_t)aligned_bits : width;
  const int64_t ratio = width / launch->unit_bits;
  const int64_t source_start = (int64_t)(move->source.byte_offset * 8 / launch->unit_bits);
  const int64_t destination_start =
      (int64_t)(move->destination.byte_offset * 8 / launch->unit_bits);
  clrs_nest *nest = &launch->nest;
  if (!scale_nest(nest, ratio) ||
      !clrs__add(nest->destination_offset, destination_start, &nest->destination_offset)) {
    return clrs__fail(error, CLRS_OVERFLOW, "a position of the move does not fit in 64 bits");
  }
  if (launch->follows_stack) { /* the launches of a plan share its stack */
    return plan->launch_count > 0 ? CLRS_OK : scale_stack(&plan->stack, ratio, source_start, error);
  }
  if (!clrs__add(nest->source_offset, source_start, &nest->source_offset)) {
    return clrs__fail(error, CLRS_OVERFLOW, "a position of the source does not fit in 64 bits");
  }
  return CLRS_OK;
}

/* Can every two neighbouring units be moved as one? */
static bool can_pair_units(const clrs_launch *launch) {
  const clrs_nest *nest = &launch->nest;
  if (nest->axis_count == 0 || nest->source_offset % 2 != 0 || nest->destination_offset % 2 != 0) {
    return false;
  }
  const clrs_nest_axis inner = nest->axes[nest->axis_count - 1];
  /* The value of a fill is repeated: a pair of it is read where one is. */
  const bool reads_pairs = inner.source_stride == (launch->fills ? 0 : 1);
  bool even = inner.extent % 2 == 0 && reads_pairs && inner.destination_stride == 1;
  for (uint32_t i = 0; i + 1 < nest->axis_count; i++) {
    even =
        even && nest->axes[i].source_stride % 2 == 0 && nest->axes[i].destination_stride % 2 == 0;
  }
  return even;
}

static void pair_units(clrs_nest *nest) {
  nest->source_offset /= 2;
  nest->destination_offset /= 2;
  for (uint32_t i = 0; i + 1 < nest->axis_count; i++) {
    nest->axes[i].source_stride /= 2;
    nest->axes[i].destination_stride /= 2;
  }
  clrs_nest_axis *inner = &nest->axes[nest->axis_count - 1];
  inner->extent /= 2;
  if (inner->extent == 1) {
    nest->axis_count--;
  }
}

/* Do every two neighbouring positions of the walk lead to neighbours, the first of which is even?
 */
static bool can_pair_walk(const clrs_walk *walk) {
  const clrs_axis *inner = &walk->axes[walk->axis_count > 0 ? walk->axis_count - 1 : 0];
  bool even =
      walk->axis_count > 0 && walk->offset % 2 == 0 && inner->extent % 2 == 0 && inner->stride == 1;
  for (uint32_t i = 0; even && i + 1 < walk->axis_count; i++) {
    even = walk->axes[i].stride % 2 == 0;
  }
  return even;
}

static void pair_walk(clrs_walk *walk) {
  walk->offset /= 2;
  for (uint32_t i = 0; i + 1 < walk->axis_count; i++) {
    walk->axes[i].stride /= 2;
  }
  walk->axes[walk->axis_count - 1].extent /= 2;
  clrs__walk_normalise(walk);
}

/* The stack in units of two, or as it was. */
static bool pair_stack(clrs_view *stack) {
  clrs_view paired = {.dtype = stack->dtype, .shape = stack->shape};
  for (uint32_t level = 0; level < stack->depth; level++) {
    clrs_walk walk;
    clrs__view_level(stack, level, &walk);
    if (!can_pair_walk(&walk)) {
      return false;
    }
    pair_walk(&walk);
    paired.depth = level + 1;
    if (clrs__view_set_top(&paired, &walk, NULL) != CLRS_OK) {
      return false; /* never: it has no more axes than before */
    }
  }
  clrs__view_copy(stack, &paired);
  return true;
}

static void widen_unit(const clrs_move *move, clrs_plan *plan, clrs_launch *launch) {
  const uint64_t alignment = move->source.alignment | move->destination.alignment;
  const uint64_t base_bits = (alignment & (~alignment + 1)) * 8;
  while (launch->unit_bits < WIDEST_UNIT_BITS && (uint64_t)launch->unit_bits * 2 <= base_bits &&
         can_pair_units(launch) && (!launch->follows_stack || pair_stack(&plan->stack))) {
    pair_units(&launch->nest);
    launch->unit_bits *= 2;
  }
}

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
    return CLRS_CLASS_BITS;
  }
  if (launch->fills) {
    return CLRS_CLASS_FILL;
  }
  return launch->follows_stack ? CLRS_CLASS_COMPOSED : CLRS_CLASS_GATHER;
}

clrs_status clrs__plan_launch(const clrs_move *move, const clrs_device_limits *limits, bool is_only,
                              clrs_plan *plan, clrs_error *error) {
  clrs_launch *launch = &plan->launches[plan->launch_count];
  const clrs_dtype dtype = move->destination.view->dtype;
  CLRS_TRY(choose_unit(move, plan, error));
  const bool stays_packed = limits->required_class == CLRS_CLASS_BITS && launch->unit_bits < 8;
  if ((!launch->follows_stack || is_only) && !stays_packed) {
    widen_unit(move, plan, launch);
  }
  choose_index_bits(limits, plan, launch);
  launch->msb_first = clrs__dtype_is_msb_first(dtype);
  launch->outer_axis_count = 0;
  launch->interleaves = false;
  launch->blocks_per_item = 0;
  launch->block_extents[0] = launch->block_extents[1] = 0;
  launch->kernel_class = general_class(launch);
  if (launch->kernel_class == CLRS_CLASS_BITS) {
    CLRS_TRY(choose_outer_axes(launch, error));
  }
  CLRS_TRY(clrs__launch_choose_class(limits, &plan->stack, launch, error));
  CLRS_TRY(check_axis_room(plan, launch, error));
  require_alignment(launch, &plan->source);
  require_alignment(launch, &plan->destination);
  plan->launch_count++;
  return CLRS_OK;
}

int64_t clrs__launch_inner_span(const clrs_launch *launch) {
  int64_t span = 0;
  for (uint32_t i = launch->outer_axis_count; i < launch->nest.axis_count; i++) {
    const clrs_nest_axis axis = launch->nest.axes[i];
    bool fits = clrs__multiply_add(span, axis.extent - 1, axis.destination_stride, &span);
    span = fits ? span : 0; /* never: the plan added the same numbers */
  }
  return span;
}

int64_t clrs__launch_bytes_per_block(const clrs_launch *launch) {
  const int64_t units_per_byte = 8 / (int64_t)launch->unit_bits;
  return (clrs__launch_inner_span(launch) + 2 * units_per_byte - 1) / units_per_byte;
}

int64_t clrs__launch_work(const clrs_launch *launch) {
  if (clrs__launch_is_blocked(launch)) {
    return clrs__launch_blocks(launch);
  }
  if (clrs__launch_has_lanes(launch)) {
    return clrs__launch_lane_blocks(launch);
  }
  if (launch->kernel_class == CLRS_CLASS_LOCAL_VOLUME) {
    return clrs__nest_repeats(&launch->nest, launch->outer_axis_count);
  }
  if (launch->kernel_class != CLRS_CLASS_BITS) {
    return clrs__nest_count(&launch->nest);
  }
  const int64_t blocks = clrs__nest_repeats(&launch->nest, launch->outer_axis_count);
  int64_t work = 0;
  bool fits = clrs__multiply(blocks, clrs__launch_bytes_per_block(launch), &work);
  return fits ? work : 0; /* never: blocks are disjoint and the destination fits in 64 bits */
}
