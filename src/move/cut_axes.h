/*
 * A pass in pieces: the nests that carry out one move between two views. One in nearly every case;
 * a few disjoint rectangles where an axis has to be cut, as at the tail of a blocked layout.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "nest.h"

enum { CLRS__MAX_PIECES = 4 }; /* two blocked dims with a tail each */

typedef struct clrs__pieces {
  uint32_t count;
  clrs__nest nests[CLRS__MAX_PIECES];
} clrs__pieces;

/* False where the walks have no common axes, not even cut into this many pieces; the reason says
 * which of the two. Both views have elements, the same number. */
bool clrs__pieces_find(const clrs_view *source, const clrs_view *destination, clrs__pieces *pieces,
                       clrs_reason *reason);
