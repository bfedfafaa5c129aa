/*
 * Plans of gathers and scatters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "plan.h"

/* Has the move nothing to do? Nothing is moved, and no index is looked at, if there are no elements
 * to list. Nor is an index looked at if a scatter has no place to name and no flag is there to be
 * raised. */
bool clrs__indexed_is_empty(const clrs__indexed_move *move);

/* Puts what a plan keeps of indices into the plan. */
clrs_status clrs__plan_take_indices(const clrs__indexed_move *move, clrs_plan *plan,
                                    clrs_error *error);

/* The plan relies on the alignment of the indices, unless the rules say that there is none. */
void clrs__plan_rely_on_indices(uint32_t rules, clrs_plan *plan);

/* The plan of a move by indices whose views were checked. */
clrs_status clrs__plan_indexed(const clrs__indexed_move *move, clrs_plan *plan, clrs_error *error);
