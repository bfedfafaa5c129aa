/*
 * The same bits as elements of another width, as numpy.ndarray.view has them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

/* The last axis has more or fewer elements. In each level those must be neighbours, or the axis
 * must have one element: CLRS_WOULD_COPY where neither is so. */
clrs_status clrs__view_bitcast(clrs_view *view, clrs_dtype to, clrs_error *error);
