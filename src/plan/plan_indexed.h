/*
 * Plans of gathers and scatters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "plan.h"

/* The plan of a move by indices whose views were checked. Nothing is moved, and no index is looked
 * at, if there are no elements to list. Nor is an index looked at if a scatter has no place to name
 * and no flag is there to be raised. */
clrs_status clrs__plan_indexed(const clrs__indexed_move *move, clrs_plan *plan, clrs_error *error);
