/*
 * Axes of a nest, put where a kernel takes them, and parts of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_AXES_H
#define CLRS_CLASS_AXES_H

#include "class.h"

/* The largest divisor of a number that is at most `most`. */
int64_t clrs__largest_divisor(int64_t number, int64_t most);
/* The largest of equal parts of an extent, of at most `most`. The last part, which may be smaller,
 * is not smaller than `least` if that can be: 100 in parts of at most 32 is 25 each; 101 with a
 * `least` of 8 is 26, 26, 26 and 23. */
int64_t clrs__equal_part(int64_t extent, int64_t most, int64_t least);
/* About equal parts of an extent, of at most `most`, each but the last a multiple of `whole`, of
 * which `most` is at least one. 97 in parts of at most 40, by 16s: 32, 32, 32 and 1. */
int64_t clrs__part_of_wholes(int64_t extent, int64_t most, int64_t whole);

/* Moves an axis; the others keep their order. */
void clrs__move_axis(clrs__nest *nest, uint32_t from, uint32_t to);
/* An axis of one step, at this place. */
void clrs__insert_axis(clrs__nest *nest, uint32_t at);

/* Makes the last axis a run of both sides, be it of one unit: a row of a gather or a scatter. */
void clrs__end_in_run(clrs__nest *nest);

/* ---- sets of axes ----
 * Short axes are moved several at a time. Which ones, a search decides axis by axis: it marks each
 * one, or the faster part of it, with the set that takes it. */
typedef struct clrs__marked_nest {
  clrs__nest nest;
  uint8_t marks[CLRS_MAX_AXES]; /* what they mean is up to the search; 0 at first */
} clrs__marked_nest;

void clrs__marked_start(const clrs__nest *nest, clrs__marked_nest *marked);
/* Marks `part` steps of an axis, a divisor of its extent. A part that is not all of it becomes an
 * axis of its own behind it, with its marks too. False if that has no room. */
bool clrs__mark(clrs__marked_nest *marked, uint32_t at, int64_t part, uint8_t marks);
/* Appends the axes with these of the marks `among`, in their order. */
void clrs__append_marked(const clrs__marked_nest *marked, uint8_t among, uint8_t marks,
                         clrs__nest *nest);

#endif
