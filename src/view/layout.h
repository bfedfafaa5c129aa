/*
 * Layouts: one strided placement of a shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "shape.h"

clrs_shape clrs__layout_shape(const clrs_layout *layout);

/* Row-major strides without gaps; a dim of 0 counts as 1. The shape was checked. */
void clrs__dense_strides(const clrs_shape *shape, int64_t *strides);
