/*
 * What a launch is: for those who make it and for those who carry it out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CORE_LAUNCH_H
#define CLRS_CORE_LAUNCH_H

#include "nest.h"

/* Axes that a kernel's arguments have room for. OpenCL promises 1024 bytes for all arguments; in
 * 32-bit arithmetic 31 axes of extent 2 are already every nest there is. */
enum {
  CLRS__NEST_AXES_32 = 31,
  CLRS__NEST_AXES_64 = 21,
  CLRS__STACKED_NEST_AXES_32 = 16,
  CLRS__STACKED_NEST_AXES_64 = 8,
  CLRS__SIMPLE_NEST_AXES = 2,
  CLRS__LEVEL_AXES_32 = 32,
  CLRS__LEVEL_AXES_64 = 14,
  CLRS__SIMPLE_LEVEL_AXES_64 = 21
};

/* Room for a kernel's nest, and for all its levels together. */
uint32_t clrs__launch_nest_axes(const clrs_launch *launch);
uint32_t clrs__launch_level_axes(const clrs_launch *launch);
/* Axes that the kernel's arguments hold. */
uint32_t clrs__launch_argument_axes(const clrs_launch *launch);

/* The last two axes of the nest are cut into blocks, for a work-item or for a work-group. */
bool clrs__launch_is_blocked(const clrs_launch *launch);
/* Is a block moved by a whole work-group, of CLRS__GROUP_ITEMS? */
bool clrs__launch_is_grouped(const clrs_launch *launch);
enum { CLRS__GROUP_ITEMS = 256 }; /* as in kernels/work_group.cl */
/* The axis of the rows (0) or of the columns (1). */
const clrs_nest_axis *clrs__block_axis(const clrs_launch *launch, uint32_t which);
/* Blocks of rows (0) or of columns (1), the last of which may be smaller. */
int64_t clrs__launch_block_count(const clrs_launch *launch, uint32_t which);
/* All blocks of the launch. */
int64_t clrs__launch_blocks(const clrs_launch *launch);

/* CLRS_CLASS_COMPOSED in core execution: blocks of lanes, units decoded together, by rows. */
bool clrs__launch_has_lanes(const clrs_launch *launch);
enum { CLRS__LANES = 256 }; /* as in kernels/composed.cl */
int64_t clrs__launch_lane_blocks(const clrs_launch *launch);

/* CLRS_CLASS_SUBBYTE: units from the first to the last of a block of inner axes, and the bytes that
 * it can touch, wherever in a byte it begins. */
int64_t clrs__launch_inner_span(const clrs_launch *launch);
int64_t clrs__launch_bytes_per_block(const clrs_launch *launch);

/* What work-items share out: blocks in the core classes, destination bytes where units are smaller
 * than those, else units. */
int64_t clrs__launch_work(const clrs_launch *launch);

/* Raises what each work-item takes until the launch has no more of them than it may have. */
void clrs__launch_limit_items(const clrs_device_limits *limits, clrs_launch *launch);

/* Work-items of a launch, and of each of its groups, in two dimensions under 65536. */
typedef struct clrs__range {
  uint64_t global[2], group[2];
} clrs__range;
clrs__range clrs__launch_range(const clrs_launch *launch, const clrs_device_limits *limits);

#endif
