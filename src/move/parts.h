/*
 * Parts of a view: neighbouring elements of it, in row-major order. Of a stack of walks, a small
 * part is one walk, though the whole is none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

/* Elements [first, last] of a view that has them: all of it, or what comes of splitting. */
typedef struct clrs__part {
  int64_t first, last;
} clrs__part;

/* All elements of a view that was checked and has some. */
clrs__part clrs__part_whole(const clrs_view *view);

/* A walk that touches every element of the part. True if it touches no other: so it is for a view
 * of one walk, for one element, and for a part that no digit of a lower walk carries in. */
bool clrs__part_walk(const clrs_view *view, const clrs__part *part, clrs__walk *walk);

/* Halves a part of more than one element along its outermost axis: *part keeps the front. */
clrs__part clrs__part_split(const clrs_view *view, clrs__part *part);

/* The lowest and the highest position of a walk that a view is made of. */
clrs_bounds clrs__walk_bounds(const clrs__walk *walk);

/* The same of all that a view touches, which was checked. Of a stack the bounds may be wider than
 * that where the view has more than some 500 elements, and are within its lowest level's. */
clrs_bounds clrs__touched_bounds(const clrs_view *view);
