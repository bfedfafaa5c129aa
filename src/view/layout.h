/*
 * Layouts: one strided placement of a shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "shape.h"

/* Row-major strides without gaps. A dim of 0 counts as 1. The shape was checked. Example: [2,3,4]
 * has the strides 12, 4 and 1. */
void clrs__dense_strides(const clrs_shape *shape, int64_t *strides);

/* Elements of the storage that a layout touches. It is checked first. */
clrs_status clrs__layout_bounds(const clrs_layout *layout, clrs_bounds *bounds, clrs_error *error);
