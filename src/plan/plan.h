/*
 * Planning: which outcome, and for a pass the launches that carry it out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CORE_PLAN_H
#define CLRS_CORE_PLAN_H

#include "cut_axes.h"
#include "launch.h"

/* CLRS_INVALID_ARGUMENT naming the first field that no device can have. */
clrs_status clrs__limits_check(const clrs_device_limits *limits, clrs_error *error);

/* Completes plan->launches[plan->launch_count], of which follows_stack and the nest, in elements,
 * are set, and counts it. Where it follows the stack, plan->stack is put into units too, which may
 * be wider than an element only if no other launch of the plan follows it. */
clrs_status clrs__plan_launch(const clrs_move *move, const clrs_device_limits *limits, bool is_only,
                              clrs_plan *plan, clrs_error *error);

/* From the general class of a launch to its own. CLRS_UNSUPPORTED if that is not the required one.
 */
clrs_status clrs__launch_choose_class(const clrs_device_limits *limits, const clrs_view *stack,
                                      clrs_launch *launch, clrs_error *error);

#endif
