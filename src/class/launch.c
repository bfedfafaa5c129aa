/*
 * What a launch is: the axes that its kernel has room for, its blocks, and the work that its
 * work-items share out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "launch.h"

#include "checked.h"

/* ---- axes ---- */

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

uint32_t clrs__launch_argument_axes(const clrs_launch *launch) {
  const uint32_t axes = launch->nest.axis_count;
  const bool twice = launch->kernel_class == CLRS_CLASS_GPU_SHORT;
  return twice ? 2 * axes - launch->outer_axis_count : axes;
}

/* ---- blocks ---- */

bool clrs__launch_is_blocked(const clrs_launch *launch) {
  return launch->chunks_per_item > 0 && launch->kernel_class != CLRS_CLASS_SUBBYTE &&
         launch->kernel_class != CLRS_CLASS_COMPOSED;
}

bool clrs__launch_is_grouped(const clrs_launch *launch) {
  return launch->kernel_class == CLRS_CLASS_GPU_ROWS ||
         launch->kernel_class == CLRS_CLASS_GPU_TILE ||
         launch->kernel_class == CLRS_CLASS_GPU_SHORT;
}

const clrs_nest_axis *clrs__block_axis(const clrs_launch *launch, uint32_t which) {
  return &launch->nest.axes[launch->nest.axis_count - 2 + which];
}

int64_t clrs__launch_block_count(const clrs_launch *launch, uint32_t which) {
  return clrs__divide_up(clrs__block_axis(launch, which)->extent, launch->chunk_extents[which]);
}

int64_t clrs__launch_blocks(const clrs_launch *launch) {
  if (launch->kernel_class == CLRS_CLASS_CPU_SHORT) {
    return clrs__nest_repeats(&launch->nest, launch->outer_axis_count);
  }
  int64_t blocks = clrs__nest_repeats(&launch->nest, launch->nest.axis_count - 2);
  for (uint32_t which = 0; which < 2; which++) {
    bool fits = clrs__multiply(blocks, clrs__launch_block_count(launch, which), &blocks);
    blocks = fits ? blocks : 0; /* never: there are no more blocks than units */
  }
  return blocks;
}

/* ---- lanes ---- */

bool clrs__launch_has_lanes(const clrs_launch *launch) {
  return launch->kernel_class == CLRS_CLASS_COMPOSED && launch->chunks_per_item > 0;
}

int64_t clrs__launch_lane_blocks(const clrs_launch *launch) {
  const int64_t units = clrs__nest_count(&launch->nest);
  if (launch->chunk_extents[0] == 0) {
    return clrs__divide_up(units, CLRS__LANES);
  }
  const int64_t rows = launch->nest.axes[0].extent, period = launch->chunk_extents[1];
  return clrs__divide_up(units / rows, CLRS__LANES) *
         clrs__divide_up(period, launch->chunk_extents[0]) * (rows / period);
}

/* ---- work ---- */

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
  if (launch->kernel_class == CLRS_CLASS_GPU_SHORT) {
    return clrs__nest_repeats(&launch->nest, launch->outer_axis_count);
  }
  if (launch->kernel_class != CLRS_CLASS_SUBBYTE) {
    return clrs__nest_count(&launch->nest);
  }
  const int64_t blocks = clrs__nest_repeats(&launch->nest, launch->outer_axis_count);
  int64_t work = 0;
  bool fits = clrs__multiply(blocks, clrs__launch_bytes_per_block(launch), &work);
  return fits ? work : 0; /* never: blocks are disjoint and the destination fits in 64 bits */
}
