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

/* A part of an axis, at most `most` steps of `inner_bytes` bytes each. The part is a divisor of the
 * extent if some divisor is at least half of `most`. */
int64_t clrs__short_part(int64_t extent, int64_t most, int64_t inner_bytes);
/* A divisor of the extent, at most `most`. Returns 1 if there is no divisor nearby. */
int64_t clrs__short_even_part(int64_t extent, int64_t most, int64_t inner_bytes);

/* Each function makes a chunk of several rows, or returns false and leaves the cut unchanged.
 *
 * clrs__short_turned: rows follow each other in the source unit by unit, and are transposed like
 * the rows of a tile. A chunk has at least a lane of rows and of columns. Units are at most 8
 * bytes. */
bool clrs__short_turned(const clrs__job *job, clrs__cut *cut);
/* Rows that begin anywhere in the source. The rows together use up the source lines that the
 * columns of a row read. */
bool clrs__short_rows(const clrs__job *job, clrs__cut *cut);

#endif
