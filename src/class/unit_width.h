/*
 * Units: what a kernel moves at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CORE_UNITS_H
#define CLRS_CORE_UNITS_H

#include "launch.h"

/* From elements to units of the largest size that both sides are aligned to: the nest of
 * plan->launches[plan->launch_count], which then counts from the start of the buffers, and, once
 * for all launches that follow it, plan->stack. */
clrs_status clrs__launch_choose_unit(const clrs_move *move, clrs_plan *plan, clrs_error *error);
/* Makes units of several, as many as move as one. */
void clrs__launch_widen_unit(const clrs_move *move, clrs_plan *plan, clrs_launch *launch);

#endif
