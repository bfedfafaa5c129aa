/*
 * Which number of a parameter an element gets.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/map.h"

/* A view of a parameter's numbers, in place, becomes one of `shape`, as `spread` says. O(rank). A
 * dim that does not fit is CLRS_COUNT_MISMATCH, with its number, both extents and the block. */
clrs_status clrs__spread_view(const clrs_spread *spread, const clrs_shape *shape, clrs_view *view,
                              clrs_error *error);
