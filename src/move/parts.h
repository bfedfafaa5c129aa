/*
 * Parts of a view: neighbouring elements in row-major order. A small part of a stack of walks is
 * one walk, although the whole view is not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

/* Elements [first, last] of a view that has elements: the whole view, or a result of splitting. */
typedef struct clrs__part {
  int64_t first, last;
} clrs__part;

/* All elements of a view that was checked and is not empty. */
clrs__part clrs__part_whole(const clrs_view *view);

/* Makes a walk that touches every element of the part. Returns true if the walk touches no other
 * element. That holds for a view of one walk, for one element, and for a part in which no digit of
 * a lower walk carries. */
bool clrs__part_walk(const clrs_view *view, const clrs__part *part, clrs__walk *walk);

/* Halves a part of more than one element along the outermost axis. *part keeps the front half.
 * Returns the other half. */
clrs__part clrs__part_split(const clrs_view *view, clrs__part *part);

/* The lowest and the highest position of a walk of a view. */
clrs_bounds clrs__walk_bounds(const clrs__walk *walk);

/* The lowest and the highest position that a checked view touches. The bounds of a stack with more
 * than about 500 elements may be wider, but stay within the bounds of the lowest level. */
clrs_bounds clrs__touched_bounds(const clrs_view *view);
/* Widens *all to contain *more. */
void clrs__bounds_widen(clrs_bounds *all, const clrs_bounds *more);
