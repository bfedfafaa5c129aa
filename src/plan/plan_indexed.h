/*
 * Plans of gathers and scatters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "plan.h"

/* Returns true if the move has nothing to do. Without elements to list, nothing is moved and no
 * index is read. A scatter without places to name and without a flag reads no index either. */
bool clrs__indexed_is_empty(const clrs__indexed_move *move);

/* Copies the plan's data about indices into the plan. */
clrs_status clrs__plan_take_indices(const clrs__indexed_move *move, clrs_plan *plan,
                                    clrs_error *error);

/* Makes the plan rely on the alignment of the indices, unless the rules exclude alignment. */
void clrs__plan_rely_on_indices(uint32_t rules, clrs_plan *plan);

/* Makes the plan of a move by indices whose views were checked. */
clrs_status clrs__plan_indexed(const clrs__indexed_move *move, clrs_plan *plan, clrs_error *error);
