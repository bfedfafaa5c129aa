/*
 * A pass in pieces: the nests that carry out one move between views. Nearly every move is one nest.
 * If an axis has to be cut, a move is a few disjoint rectangles, for example at the tail of a
 * blocked layout.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "nest.h"

/* Enough for three dims that are rolled, or that are blocked with a tail. */
enum { CLRS__MAX_PIECES = 8 };
_Static_assert((int)CLRS__MAX_PIECES == CLRS_MAX_LAUNCHES, "a launch for each piece");

typedef struct clrs__pieces {
  uint32_t count;
  clrs__nest nests[CLRS__MAX_PIECES];
} clrs__pieces;

/* Finds the nests of a move. Returns false if the views have no common axes, or need more than
 * CLRS__MAX_PIECES pieces. The cause is in *reason. The destination is views[CLRS__TO], and the
 * source is views[CLRS__FROM]. More views belong to further operands. All views have the same
 * number of elements, at least one. */
bool clrs__pieces_find(const clrs_view *const *views, uint32_t count, clrs__pieces *pieces,
                       clrs__reason *reason);
