/*
 * Walks: an offset and a list of axes (extent, stride), enumerated row-major. A walk answers where
 * the k-th element is and knows nothing of shapes.
 *
 * All walks here hold the invariants of the public header: extents of at least 2, merged where two
 * neighbours can be one, extents multiplying to a count that fits in 64 bits (so at most 62 axes).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "layout.h"

typedef struct clrs__walk {
  int64_t offset;
  uint32_t axis_count;
  clrs_axis axes[CLRS_MAX_AXES];
} clrs__walk;

typedef struct clrs__axis_span {
  uint32_t first, count;
} clrs__axis_span;

/* The axes of a walk, dealt out to the dims of a shape. */
typedef struct clrs__dim_axes {
  int64_t offset;
  uint32_t dim_count;
  clrs__axis_span dims[CLRS_MAX_RANK]; /* into axes */
  clrs_axis axes[CLRS_MAX_AXES];
} clrs__dim_axes;

/* Brings any list of axes into normal form. */
void clrs__walk_normalize(clrs__walk *walk);

/* A walk without axes yet; the array behind them stays as it is. */
void clrs__walk_start(clrs__walk *walk, int64_t offset);

/* Appends an innermost axis without normalizing. */
void clrs__walk_append(clrs__walk *walk, clrs_axis axis);

/* Deals the axes out to dims that multiply to the walk's count, splitting an axis where a boundary
 * falls inside it at a divisor. False if a boundary falls anywhere else. */
bool clrs__walk_deal(const clrs__walk *walk, const clrs_shape *shape, clrs__dim_axes *dealt);

/* Appends the axes of one dim, without normalizing. */
void clrs__walk_append_dim(clrs__walk *walk, const clrs__dim_axes *dealt, uint32_t dim);

/* The way back, without bringing the axes into normal form. */
void clrs__walk_from_dealt(clrs__walk *walk, const clrs__dim_axes *dealt);

/* Reverses an axis: *offset moves to its other end. False on overflow. */
bool clrs__axis_reverse(clrs_axis *axis, int64_t *offset);
