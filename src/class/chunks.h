/*
 * Chunks of a CPU: a work-item moves a rectangle of two axes, rows and columns, chosen so that what
 * it reads and what it writes stay in its cache while it does.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_CHUNKS_H
#define CLRS_CLASS_CHUNKS_H

#include "axes.h"

/* What the two axes are to each other. */
typedef enum clrs__geometry {
  CLRS__RUN,        /* the columns are contiguous on both sides, or one */
  CLRS__TRANSPOSED, /* rows are contiguous in the source, be it backwards, columns in the
                     * destination, both long */
  CLRS__ANY_STRIDES
} clrs__geometry;

/* Puts the two axes last that make the best chunks, the rows before the columns; a nest of fewer
 * gets axes of one step. */
clrs__geometry clrs__arrange(clrs__nest *nest);

/* Its parts. */
void clrs__complete_axes(clrs__nest *nest);
/* Makes rows of the axis whose neighbours share lines of the source, if the columns' do not. */
void clrs__choose_row_axis(clrs__nest *nest);
/* Finding a chunk costs as much as moving some units: where the two axes make a tiny one, the
 * longest axis becomes the row. */
void clrs__avoid_tiny_chunks(clrs__nest *nest);
bool clrs__is_run(const clrs__nest *nest);
bool clrs__is_transposed(const clrs__nest *nest);

/* Does no axis go on in the destination where so many units end? */
bool clrs__leaves_gaps(const clrs__nest *nest, int64_t units);

/* Of a nest that is cut into tiles: do all rows of all tiles begin at lines of the destination, if
 * its buffer does? With lines of 16 units, they do if all strides but the columns' own are
 * multiples of 16. No, if rows are read backwards: cpu_tile stages these in any case. */
bool clrs__writes_lines(const clrs__nest *nest, int64_t line_units);

/* Are rows the units of a pixel, and columns its planes, or the other way round? cpu_any.cl has
 * loops for 2 to 4 planes, into pixels of any size, and out of those of 2 to 4 for 3 out of 4. */
bool clrs__zips_planes(const clrs__nest *nest);
bool clrs__unzips_planes(const clrs__nest *nest);

/* Of a nest whose last axes are rows (0) and columns (1). */
static inline const clrs__nest_axis *clrs__chunk_axis(const clrs__nest *nest, uint32_t which) {
  return &nest->axes[nest->axis_count - 2 + which];
}

/* All chunks, once their extents and the order of the axes are chosen. */
int64_t clrs__chunk_count(const clrs__cut *cut);
/* What a work-item takes at least, if there is as much: less of a small move, so that every core
 * has something to do. */
int64_t clrs__item_bytes(const clrs__nest *nest, uint32_t unit_bits);
/* The cut has chunks of these extents: shares them out to work-items. */
void clrs__share_chunks(clrs__cut *cut);

#endif
