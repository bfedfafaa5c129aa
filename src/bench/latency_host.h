/*
 * The parts of `clreshape bench --latency` that need no device: what is timed on the host alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/core.h>

/* A pattern of 4 values. */
clrs_status latency_resolve(clrs_error *error);
/* Head split: a dense view, a reshape and a permutation. */
clrs_status latency_view(clrs_view *view, clrs_error *error);
/* The plan of the move of that view to a dense buffer. */
clrs_status latency_plan(const clrs_view *view, clrs_plan *plan, clrs_error *error);
/* Both. */
clrs_status latency_view_and_plan(clrs_plan *plan, clrs_error *error);
/* Eight operations and the plan of the move that they come to. */
clrs_status latency_chain_and_plan(clrs_plan *plan, clrs_error *error);
