/*
 * The same bits as elements of another width, as numpy.ndarray.view has them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

/* The last axis gets more or fewer elements. In each level the elements must be neighbours, or the
 * axis must have one element. Returns CLRS_WOULD_COPY otherwise. */
clrs_status clrs__view_bitcast(clrs_view *view, clrs_dtype to, clrs_error *error);
