/*
 * Plans of mapped moves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pass.h"

/* The plan of a mapped move, of which only the views have been checked; and into a new dense
 * buffer, whatever the move's destination. */
clrs_status clrs__plan_mapped(const clrs__mapped_move *move, clrs_plan *plan, clrs_error *error);
clrs_status clrs__plan_mapped_result(const clrs__mapped_move *move, clrs_copy_policy policy,
                                     clrs_plan *plan, clrs_error *error);
