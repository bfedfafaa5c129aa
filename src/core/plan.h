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
  CLRS__NEST_AXES_64 = 22,
  CLRS__STACKED_NEST_AXES_32 = 16,
  CLRS__STACKED_NEST_AXES_64 = 8,
  CLRS__LEVEL_AXES_32 = 28,
  CLRS__LEVEL_AXES_64 = 14
};

/* Room for a kernel's nest, and for all its levels together. */
uint32_t clrs__launch_nest_axes(const clrs_launch *launch);
uint32_t clrs__launch_level_axes(const clrs_launch *launch);

/* Completes plan->launches[plan->launch_count], of which follows_stack and the nest, in elements,
 * are set, and counts it. Where it follows the stack, plan->stack is put into units too. */
clrs_status clrs__plan_launch(const clrs_move *move, const clrs_device_limits *limits,
                              clrs_plan *plan, clrs_error *error);

/* CLRS_CLASS_BITS: units from the first to the last of a block of inner axes, and the bytes that it
 * can touch, wherever in a byte it begins. */
int64_t clrs__launch_inner_span(const clrs_launch *launch);
int64_t clrs__launch_bytes_per_block(const clrs_launch *launch);

/* Units to be moved, or destination bytes to be written where units are smaller than those. */
int64_t clrs__launch_work(const clrs_launch *launch);

#endif
