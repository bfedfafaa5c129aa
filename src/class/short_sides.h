/*
 * The sides of a chunk of short axes, for cpu_short: which axes, or parts of axes, are its rows and
 * which its columns.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_SHORT_SIDES_H
#define CLRS_CLASS_SHORT_SIDES_H

#include "axes.h"

enum { CLRS__LANE_BYTES = CLRS_LINE_BYTES / CLRS_LANES_PER_LINE };

/* Units that lie in a row on both sides. */
int64_t clrs__common_run(const clrs__nest *nest);

/* A part of an axis, of at most `most` steps, each of which is so many bytes: a divisor of its
 * extent if that is no less than half of `most`. */
int64_t clrs__short_part(int64_t extent, int64_t most, int64_t inner_bytes);
/* A divisor of the extent, of at most `most`; 1 if there is none nearby. */
int64_t clrs__short_even_part(int64_t extent, int64_t most, int64_t inner_bytes);

/* Each makes a chunk of several rows, or answers false and leaves the cut as it is.
 *
 * Rows that follow each other in the source unit by unit are turned like those of a tile, if a
 * chunk has a lane of them and of columns. Units are of at most 8 bytes. */
bool clrs__short_turned(const clrs__job *job, clrs__cut *cut);
/* Rows that begin anywhere in the source, and use up the lines that the columns of one of them
 * read. */
bool clrs__short_rows(const clrs__job *job, clrs__cut *cut);

#endif
