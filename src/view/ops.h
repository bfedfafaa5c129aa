/*
 * What every operation on dims begins and ends with.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

/* The axes of the top walk, dealt out to the dims. Where they do not factor, a dense walk is put
 * on top first, which factors into anything. */
clrs_status clrs__view_group(clrs_view *view, clrs__dim_axes *groups, clrs_error *error);

/* The way back: the groups, in their order, become the top walk, and the stack is collapsed. */
clrs_status clrs__view_ungroup(clrs_view *view, const clrs__dim_axes *groups, clrs_error *error);

/* The axes of one dim behind those of the walk. */
void clrs__walk_append_group(clrs__walk *walk, const clrs__dim_axes *groups, uint32_t dim);

/* Puts `walk` on top of *next, whose shape is then `shape`, and stores it in *view. */
clrs_status clrs__view_finish(clrs_view *view, clrs_view *next, clrs__walk *walk,
                              const clrs_shape *shape, clrs_error *error);
