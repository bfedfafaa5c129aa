/*
 * Walks: an offset and a list of axes (extent, stride), enumerated row-major. A walk gives the
 * position of the k-th element, without a shape.
 *
 * All walks here hold the invariants of the public header. Extents are at least 2. Two neighbouring
 * axes that can be merged are merged. The extents multiply to a count that fits in 64 bits, so a
 * walk has at most 62 axes.
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

/* The axes of a walk, distributed over the dims of a shape. */
typedef struct clrs__dim_axes {
  int64_t offset;
  uint32_t dim_count;
  clrs__axis_span dims[CLRS_MAX_RANK]; /* into axes */
  clrs_axis axes[CLRS_MAX_AXES];
} clrs__dim_axes;

/* Brings any list of axes into normal form. */
void clrs__walk_normalize(clrs__walk *walk);

/* Starts a walk without axes. The array of axes stays unchanged. */
void clrs__walk_start(clrs__walk *walk, int64_t offset);

/* Appends an innermost axis without normalizing. */
void clrs__walk_append(clrs__walk *walk, clrs_axis axis);

/* Distributes the axes over dims that multiply to the walk's count. Splits an axis if a boundary
 * falls inside it at a divisor. Returns false if a boundary falls anywhere else. Example: an axis
 * of 6 splits for the dims [2,3], but the axes 4 and 3 do not deal out to [3,4]. */
bool clrs__walk_deal(const clrs__walk *walk, const clrs_shape *shape, clrs__dim_axes *dealt);

/* Appends the axes of one dim, without normalizing. */
void clrs__walk_append_dim(clrs__walk *walk, const clrs__dim_axes *dealt, uint32_t dim);

/* The reverse of clrs__walk_deal, without normalizing. */
void clrs__walk_from_dealt(clrs__walk *walk, const clrs__dim_axes *dealt);

/* Reverses an axis and moves *offset to its other end. Returns false on overflow. */
bool clrs__axis_reverse(clrs_axis *axis, int64_t *offset);
