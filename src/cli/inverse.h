/*
 * Where elements go: the other way to read a view.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

/* Fields that are not in use are not compared. */
bool cli_view_is_same(const clrs_view *a, const clrs_view *b);

/* `view` shows a dense tensor of shape `shape` otherwise. If it shows each element once, *inverse
 * has that shape and says where in the view, made dense, each element is. CLRS_UNSUPPORTED if it
 * does not, or if the view is neither one walk nor a roll of the tensor. */
clrs_status cli_view_inverse(const clrs_view *view, const clrs_shape *shape, clrs_view *inverse,
                             clrs_error *error);

/* The same for what has the shape of the view, such as a parameter that is spread over it: *other
 * becomes a view of shape `shape`, which shows for each element there what it showed in the view.
 */
clrs_status cli_view_return(const clrs_view *view, const clrs_shape *shape, clrs_view *other,
                            clrs_error *error);
