/* SPDX-License-Identifier: Apache-2.0 */
#include "class.h"

#include <stddef.h>
#include <string.h>

#include "checked.h"
#include "compose.h"

uint32_t clrs__job_aligned_bits(const clrs__job *job) {
  enum { WIDEST_UNIT_BYTES = 16 };
  return 8 * (uint32_t)clrs__lowest_bit(job->source_alignment | job->destination_alignment |
                                        WIDEST_UNIT_BYTES);
}

bool clrs__cut_take_blocks(const clrs__job *job, clrs__cut *cut) {
  enum { WORD_BITS = 32 };
  cut->wide_destination =
      job->destination_alignment >= CLRS_BLOCK_BYTES && job->source_alignment >= WORD_BITS / 8;
  if (cut->wide_destination && cut->aligned_bits < WORD_BITS) {
    cut->aligned_bits = WORD_BITS;
  }
  return cut->wide_destination;
}

void clrs__cut_start(const clrs__job *job, clrs__cut *cut) {
  cut->unit_bits = cut->aligned_bits = job->unit_bits;
  cut->index_bits = job->index_bits;
  cut->from = job->from;
  cut->level_axes = job->from == CLRS__FROM_STACK ? clrs__count_level_axes(job->stack) : 0;
  cut->msb_first = job->msb_first;
  cut->address = job->address;
  cut->share = 0;
  cut->wide_source = cut->wide_destination = cut->loops = false;
  memset(&cut->as, 0, sizeof cut->as);
  clrs__nest_copy(&cut->nest, &job->nest);
}

void clrs__cut_copy(clrs__cut *to, const clrs__cut *from) {
  memcpy(to, from, offsetof(clrs__cut, nest));
  clrs__nest_copy(&to->nest, &from->nest);
}

/* ---- room ---- */

/* The axes of the nest that the words have room for. In 64 bits, a move along a stack with a simple
 * nest gives some of that room to the levels of the stack. */
static uint32_t nest_room(uint32_t from, uint32_t index_bits, uint32_t axis_count) {
  if (from == CLRS__BY_INDEX) {
    return CLRS__INDEXED_NEST_AXES;
  }
  if (from != CLRS__FROM_STACK) {
    return index_bits == 32 ? CLRS__NEST_AXES_32 : CLRS__NEST_AXES_64;
  }
  if (index_bits == 32) {
    return CLRS__STACKED_NEST_AXES_32;
  }
  return axis_count <= CLRS__SIMPLE_NEST_AXES ? CLRS__SIMPLE_NEST_AXES : CLRS__STACKED_NEST_AXES_64;
}

uint32_t clrs__job_nest_room(const clrs__job *job) {
  return nest_room(job->from, job->index_bits, job->nest.axis_count);
}

uint32_t clrs__cut_nest_room(const clrs__cut *cut) {
  return nest_room(cut->from, cut->index_bits, cut->nest.axis_count);
}

uint32_t clrs__cut_level_room(const clrs__cut *cut) {
  if (cut->from != CLRS__FROM_STACK) {
    return 0;
  }
  if (cut->index_bits == 32) {
    return cut->level_axes <= CLRS__FEW_LEVEL_AXES ? CLRS__FEW_LEVEL_AXES : CLRS__LEVEL_AXES_32;
  }
  return cut->nest.axis_count <= CLRS__SIMPLE_NEST_AXES ? CLRS__SIMPLE_LEVEL_AXES_64
                                                        : CLRS__LEVEL_AXES_64;
}

uint32_t clrs__cut_axis_count(const clrs__cut *cut) {
  const uint32_t axes = cut->nest.axis_count;
  if (cut->kind == CLRS__CUT_BOXES) {
    const uint32_t cuts = cut->as.boxes.slow_cut >= 0 ? 2 : cut->as.boxes.fast_cut >= 0 ? 1 : 0;
    return 2 * axes + cuts + cut->as.boxes.axis_count;
  }
  if (cut->kind == CLRS__CUT_SHORT) {
    return axes + (cut->as.short_axes.row_extent != cut->as.short_axes.rows) +
           (cut->as.short_axes.column_extent != cut->as.short_axes.columns);
  }
  return cut->kind == CLRS__CUT_VOLUMES ? axes + cut->as.volumes.more_axes : axes;
}

int64_t clrs__chunk_parts(const clrs__cut *cut, uint32_t which) {
  if (which == 1 && cut->as.chunks.column_parts > 0) {
    return cut->as.chunks.column_parts;
  }
  const clrs__nest_axis *axis = &cut->nest.axes[cut->nest.axis_count - 2 + which];
  return clrs__divide_up(axis->extent, cut->as.chunks.extents[which]);
}

/* ---- words ---- */

void clrs__encode_axes(const clrs__cut *cut, const clrs__nest *nest, clrs__words *words) {
  words->source_start = nest->source_offset;
  words->destination_start = nest->destination_offset;
  words->count = cut->work;
  words->axis_count = nest->axis_count;
  words->outer_axis_count = 0;
  words->narrow_axes = nest->axis_count;
  words->chunks_per_item = cut->share > 0 ? cut->share : 1;
  words->address = clrs__is_indexed(&cut->address) ? &cut->address : NULL;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    const clrs__nest_axis axis = nest->axes[i];
    words->axes[i] =
        (clrs__nest_axis_words){axis.extent, axis.source_stride, axis.destination_stride,
                                axis.extent, words->address != NULL ? axis.strides[CLRS_INDEX] : 0};
  }
}

/* Returns axis `at` as the axis of a chunk. The axis in the words becomes the axis that numbers
 * chunks. Example: 97 steps of stride 2 in chunks of 48 become an axis of 3 steps of stride 96. */
static clrs__chunk_axis_words split_chunks(int64_t chunk_extent, int64_t parts, int64_t at,
                                           clrs__words *words) {
  clrs__nest_axis_words *axis = &words->axes[at];
  const clrs__chunk_axis_words whole = {
      axis->extent, axis->source_stride, axis->destination_stride, chunk_extent,
      at,           axis->index_stride};
  axis->extent = axis->divisor = parts;
  /* A step from chunk to chunk lies within the axis' span, if there is one. */
  const int64_t step = axis->extent > 1 ? chunk_extent : 0;
  axis->source_stride = clrs__exact_multiply(axis->source_stride, step);
  axis->destination_stride = clrs__exact_multiply(axis->destination_stride, step);
  axis->index_stride = clrs__exact_multiply(axis->index_stride, step);
  return whole;
}

static void turn_axes(clrs__words *words) {
  for (int64_t i = 0; i < words->axis_count / 2; i++) {
    const int64_t j = words->axis_count - 1 - i;
    const clrs__nest_axis_words axis = words->axes[i];
    words->axes[i] = words->axes[j];
    words->axes[j] = axis;
  }
}

void clrs__encode_pieces(const clrs__cut *cut, clrs__words *words) {
  clrs__encode_axes(cut, &cut->nest, words);
  if (cut->kind == CLRS__CUT_CHUNKS) {
    const int64_t *extents = cut->as.chunks.extents;
    const int64_t rows = clrs__chunk_parts(cut, 0), columns = clrs__chunk_parts(cut, 1);
    words->row = split_chunks(extents[0], rows, words->axis_count - 2, words);
    words->column = split_chunks(extents[1], columns, words->axis_count - 1, words);
  } else if (cut->kind == CLRS__CUT_UNITS) { /* for a GPU */
    turn_axes(words);
  }
}

void clrs__encode_group_pieces(const clrs__cut *cut, clrs__words *words) {
  clrs__encode_pieces(cut, words);
  turn_axes(words);
  words->row.parts_axis = words->axis_count - 1 - words->row.parts_axis;
  words->column.parts_axis = words->axis_count - 1 - words->column.parts_axis;
}
