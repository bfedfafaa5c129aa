/*
 * A pass in pieces: the nests that carry out one move between views. One in nearly every case; a
 * few disjoint rectangles where an axis has to be cut, as at the tail of a blocked layout.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "nest.h"

/* Three dims that are rolled, or blocked with a tail each. */
enum { CLRS__MAX_PIECES = 8 };
_Static_assert((int)CLRS__MAX_PIECES == CLRS_MAX_LAUNCHES, "a launch for each piece");

typedef struct clrs__pieces {
  uint32_t count;
  clrs__nest nests[CLRS__MAX_PIECES];
} clrs__pieces;

/* Returns false if the views have no common axes, not even cut into this many pieces. The reason
 * says which of the two. views[CLRS__TO] is the destination, views[CLRS__FROM] the source, the
 * others are those of further operands. All have elements, the same number. */
bool clrs__pieces_find(const clrs_view *const *views, uint32_t count, clrs__pieces *pieces,
                       clrs__reason *reason);
