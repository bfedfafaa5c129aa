/*
 * What every operation on dims begins and ends with.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_VIEW_OPS_H
#define CLRS_VIEW_OPS_H

#include "view.h"

/* The axes of the top walk, dealt out to the dims. Where they do not factor, a dense walk is put
 * on top first, which factors into anything. */
clrs_status clrs__view_group(clrs_view *view, clrs__groups *groups, clrs_error *error);

/* The way back: the groups, in their order, become the top walk, and the stack is collapsed. */
clrs_status clrs__view_ungroup(clrs_view *view, const clrs__groups *groups, clrs_error *error);

#endif
