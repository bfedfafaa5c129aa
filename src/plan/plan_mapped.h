/*
 * Plans of mapped moves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pass.h"

/* Makes the plan of a mapped move. Only the views were checked. The second function plans a move
 * into a new dense buffer, and ignores the move's destination. */
clrs_status clrs__plan_mapped(const clrs__mapped_move *move, clrs_plan *plan, clrs_error *error);
clrs_status clrs__plan_mapped_result(const clrs__mapped_move *move, clrs_copy_policy policy,
                                     clrs_plan *plan, clrs_error *error);
