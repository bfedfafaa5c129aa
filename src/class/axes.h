/*
 * Axes of a nest: divided into parts, and selected in sets.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_AXES_H
#define CLRS_CLASS_AXES_H

#include "class.h"
#include "nest.h"

/* The largest divisor of a number that is at most `most`. */
int64_t clrs__largest_divisor(int64_t number, int64_t most);
/* The size of equal parts of an extent, at most `most`. The last part may be smaller. If possible
 * the last part has at least `least` steps. Examples: 100 in parts of at most 32 is 25 each. 101
 * with a `least` of 8 is 26, 26, 26 and 23. */
int64_t clrs__equal_part(int64_t extent, int64_t most, int64_t least);
/* The size of about equal parts of an extent, at most `most`. Each part but the last is a multiple
 * of `whole`, and `most` is at least `whole`. Example: 97 in parts of at most 40, by 16s, is 32,
 * 32, 32 and 1. */
int64_t clrs__part_of_wholes(int64_t extent, int64_t most, int64_t whole);

/* Makes the last axis a run of both sides, at least a run of one unit. The run is a row of a gather
 * or a scatter. */
void clrs__end_in_run(clrs__nest *nest);

/* ---- sets of axes ----
 * Short axes are moved several at a time. A search selects the axes in turn, and marks each axis,
 * or the faster part of an axis, with the set that takes the axis. */
typedef struct clrs__marked_nest {
  clrs__nest nest;
  uint8_t marks[CLRS_MAX_AXES]; /* bits with a meaning for the search, 0 at first */
} clrs__marked_nest;

void clrs__marked_start(const clrs__nest *nest, clrs__marked_nest *marked);
/* Marks `part` steps of an axis. `part` divides the extent. A part smaller than the extent becomes
 * a new axis behind the rest of its axis, and keeps the axis' marks. Returns false if the nest has
 * no room. */
bool clrs__mark(clrs__marked_nest *marked, uint32_t at, int64_t part, uint8_t marks);
/* Appends the axes whose marks, among the bits `among`, are exactly `marks`, in the order of the
 * nest. */
void clrs__append_marked(const clrs__marked_nest *marked, uint8_t among, uint8_t marks,
                         clrs__nest *nest);

#endif
