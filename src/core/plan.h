/*
 * Planning: which outcome, and for a pass the launch that carries it out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CORE_PLAN_H
#define CLRS_CORE_PLAN_H

#include "pieces.h"

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

/* CLRS_INVALID_ARGUMENT naming the first field that no device can have. */
clrs_status clrs__limits_check(const clrs_device_limits *limits, clrs_error *error);

/* Room for a kernel's nest, and for all its levels together. */
uint32_t clrs__launch_nest_axes(const clrs_launch *launch);
uint32_t clrs__launch_level_axes(const clrs_launch *launch);

/* Completes plan->launches[plan->launch_count], of which follows_stack and the nest, in elements,
 * are set, and counts it. Where it follows the stack, plan->stack is put into units too, which may
 * be wider than an element only if no other launch of the plan follows it. */
clrs_status clrs__plan_launch(const clrs_move *move, const clrs_device_limits *limits, bool is_only,
                              clrs_plan *plan, clrs_error *error);

/* CLRS_CLASS_BITS: units from the first to the last of a block of inner axes, and the bytes that it
 * can touch, wherever in a byte it begins. */
int64_t clrs__launch_inner_span(const clrs_launch *launch);
int64_t clrs__launch_bytes_per_block(const clrs_launch *launch);

/* What work-items share out: blocks in the core classes, destination bytes where units are smaller
 * than those, else units. */
int64_t clrs__launch_work(const clrs_launch *launch);

/* The last two axes of the nest are cut into blocks, for a work-item or for a work-group. */
bool clrs__launch_is_blocked(const clrs_launch *launch);
/* Makes the launch CLRS_CLASS_PACKED, if that is required or the canonical nest has a long enough
 * run of the destination for it: outer_axis_count axes, then those of the run. */
bool clrs__launch_become_packed(const clrs_nest *canonical, bool required, clrs_launch *launch);
/* The same by rows and columns: outer_axis_count axes, those of the rows, those of the columns. */
bool clrs__launch_become_turned(const clrs_nest *canonical, clrs_launch *launch);
/* Orders a nest's first axes so that what follows in time lies near, on either side. */
void clrs__nest_sort_outer_axes(clrs_nest *nest, uint32_t count);

/* CLRS_CLASS_COMPOSED in core execution: blocks of lanes, units decoded together, by rows. */
bool clrs__launch_has_lanes(const clrs_launch *launch);
int64_t clrs__launch_lane_blocks(const clrs_launch *launch);
/* May a launch through a stack be made of lanes: do units that share a byte of the destination lie
 * along the last axis, each byte full? */
bool clrs__launch_writes_whole_bytes(const clrs_launch *launch);
/* Chooses the axis of the rows, if any, which becomes the first, and how large a block is. */
void clrs__launch_choose_lanes(const clrs_view *stack, clrs_launch *launch);
/* Blocks of rows (0) or of columns (1), the last of which may be smaller. */
int64_t clrs__launch_block_count(const clrs_launch *launch, uint32_t which);
/* All blocks of the launch. */
int64_t clrs__launch_blocks(const clrs_launch *launch);
/* Gives a launch its core class, the required one if it is eligible: which axes make a block, and
 * how large. */
void clrs__launch_choose_blocks(const clrs_view *stack, clrs_launch *launch, clrs_class required);
/* Of a class that has blocks, whose rows and columns are the last axes. */
void clrs__launch_choose_extents(clrs_launch *launch);

/* Gives a launch the class of a wide device that suits it, or the required one if it is eligible:
 * which axes make the block of a work-group. */
void clrs__launch_choose_groups(const clrs_device_limits *limits, clrs_launch *launch);
/* Makes it of class CLRS_CLASS_LOCAL_VOLUME, if it can be one and that is worth it or required. */
bool clrs__launch_choose_volume(const clrs_device_limits *limits, clrs_launch *launch);
/* Of that class: the axes of the volume once more, in the order of the source, with steps in local
 * memory for destination strides. */
clrs_launch clrs__launch_in_both_orders(const clrs_launch *launch);
/* Axes that the kernel's arguments hold. */
uint32_t clrs__launch_argument_axes(const clrs_launch *launch);

/* Is a block moved by a whole work-group, of CLRS__GROUP_ITEMS? */
bool clrs__launch_is_grouped(const clrs_launch *launch);
enum { CLRS__GROUP_ITEMS = 256 }; /* as in kernels/groups.cl */

/* Raises what each work-item takes until the launch has no more of them than it may have. */
void clrs__launch_limit_items(const clrs_device_limits *limits, clrs_launch *launch);

/* Work-items of a launch, and of each of its groups, in two dimensions under 65536. */
typedef struct clrs__range {
  uint64_t global[2], group[2];
} clrs__range;
clrs__range clrs__launch_range(const clrs_launch *launch, const clrs_device_limits *limits);

/* From the general class of a launch to its own. CLRS_UNSUPPORTED if that is not the required one.
 */
clrs_status clrs__launch_choose_class(const clrs_device_limits *limits, const clrs_view *stack,
                                      clrs_launch *launch, clrs_error *error);

#endif
