/*
 * Inverts views: finds the place to which each element goes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

/* Are both views the same? Unused fields are not compared. */
bool cli_view_is_same(const clrs_view *a, const clrs_view *b);

/* Applies the inverse of `view`, a view of a dense tensor of shape `shape`, to another view with
 * the shape of `view`, such as a parameter spread over the view. *other then has shape `shape`.
 * Each element of the new view shows what *other showed at the element's place in `view`. Returns
 * CLRS_UNSUPPORTED if `view` does not show each element once, or is neither one walk nor a roll. */
clrs_status cli_view_return(const clrs_view *view, const clrs_shape *shape, clrs_view *other,
                            clrs_error *error);
