/*
 * What every operation on dims begins and ends with.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

/* The axes of the top walk, dealt out to the dims. Where they do not factor, a dense walk is put
 * on top first, which factors into anything. */
clrs_status clrs__view_deal(clrs_view *view, clrs__dim_axes *dealt, clrs_error *error);

/* The way back: the axes, in the order of the dims, become the top walk, and the stack is
 * collapsed. */
clrs_status clrs__view_collect(clrs_view *view, const clrs__dim_axes *dealt, clrs_error *error);

/* Puts `walk` on top of *next, whose shape is then `shape`, and stores it in *view. */
clrs_status clrs__view_finish(clrs_view *view, clrs_view *next, clrs__walk *walk,
                              const clrs_shape *shape, clrs_error *error);
