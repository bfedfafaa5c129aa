/*
 * Chunks of a CPU: a work-item moves a rectangle of two axes, rows and columns. The rectangle is
 * chosen so that its source and its destination stay in the cache.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_CHUNKS_H
#define CLRS_CLASS_CHUNKS_H

#include "axes.h"

/* How the two axes relate. */
typedef enum clrs__geometry {
  CLRS__RUN,        /* the columns are contiguous on both sides, or there is one column */
  CLRS__TRANSPOSED, /* rows are contiguous in the source, forward or backward, and columns in the
                       destination, both long */
  CLRS__ANY_STRIDES
} clrs__geometry;

/* Puts the two axes of the best chunks last, rows before columns. A nest of fewer than two axes
 * gets axes of one step. */
clrs__geometry clrs__arrange(clrs__nest *nest);

/* The steps of clrs__arrange. */
void clrs__complete_axes(clrs__nest *nest);
/* The axis with the smallest step in the source becomes the rows if that step is smaller than the
 * columns' step. Neighbours along the axis then share lines of the source. */
void clrs__choose_row_axis(clrs__nest *nest);
/* Finding a chunk costs as much as moving some units. If the two axes make a tiny chunk, the
 * longest axis becomes the rows. */
void clrs__avoid_tiny_chunks(clrs__nest *nest);
bool clrs__is_run(const clrs__nest *nest);
bool clrs__is_transposed(const clrs__nest *nest);

/* Returns true if no axis steps by `units` in the destination, so that nothing follows a run of
 * that many units directly. */
bool clrs__leaves_gaps(const clrs__nest *nest, int64_t units);

/* For a nest that is cut into tiles: returns true if all rows of all tiles begin at lines of the
 * destination when its buffer does. With lines of 16 units, the strides of all axes but the columns
 * must be multiples of 16. Returns false if rows are read backward, because cpu_tile stages
 * backward rows in any case. */
bool clrs__writes_lines(const clrs__nest *nest, int64_t line_units);

/* Zips: planes become pixels, rows are pixels, and columns are planes. Unzips: pixels become
 * planes, rows are planes, and columns are pixels. cpu_any.cl zips 2 to 4 planes into pixels of any
 * size. It unzips pixels of 2 to 4 units, and 3 planes out of pixels of 4 units. */
bool clrs__zips_planes(const clrs__nest *nest);
bool clrs__unzips_planes(const clrs__nest *nest);

/* Axis rows (0) or columns (1) of a nest whose last axes are rows and columns. */
static inline const clrs__nest_axis *clrs__chunk_axis(const clrs__nest *nest, uint32_t which) {
  return &nest->axes[nest->axis_count - 2 + which];
}

/* The number of all chunks, after their extents and the order of the axes are chosen. */
int64_t clrs__chunk_count(const clrs__cut *cut);
/* The least bytes of a work-item. Small moves have smaller work-items, so that every core gets
 * work. */
int64_t clrs__item_bytes(const clrs__nest *nest, uint32_t unit_bits);
/* Shares chunks of the cut's extents out to work-items. */
void clrs__share_chunks(clrs__cut *cut);

#endif
