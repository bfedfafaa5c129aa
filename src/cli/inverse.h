/*
 * Where elements go: the other way to read a view.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/core.h>

/* `view` shows a dense tensor of shape `shape` otherwise. If it shows each element once, *inverse
 * has that shape and says where in the view, made dense, each element is. CLRS_UNSUPPORTED if it
 * does not, or if one walk does not lead there. */
clrs_status cli_view_inverse(const clrs_view *view, const clrs_shape *shape, clrs_view *inverse,
                             clrs_error *error);
