/*
 * gpu_rows: rows of units, any strides, neighbouring work-items along a row. Copies, pitched
 * rows, head split and merge, reversed and repeated rows. For GPUs.
 *
 * A chunk has a power of two of columns, so an item's units are found by shifts: a long row keeps
 * the whole group side by side, short rows lie below each other. The position of the chunk is
 * decoded once for all of its units.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_WORK_GROUP_CL
#include "work_group.cl"
#endif

#define LOADS CLRS_LOADS(UNIT_BITS)

INLINED void move_gpu_rows(global const UNIT *source, ulong source_start, global UNIT *destination,
                           ulong destination_start, move_ref move) {
  const index_t item = (index_t)get_local_id(0);
  const index_t last_column = move->column.chunk_extent - 1;
  const index_t row_shift = popcount(last_column);
  FOR_EACH(i, first_group(), group_step(), move->count) {
    const chunk_t chunk = find_group_chunk(move, i);
    global const UNIT *from = source + source_start + chunk.from;
    global UNIT *to = destination + destination_start + chunk.to;
    UNIT units[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
      const index_t row = (item + k * GROUP_ITEMS) >> row_shift;
      const index_t column = (item + k * GROUP_ITEMS) & last_column;
      if (row < chunk.rows && column < chunk.columns) {
        units[k] = from[row * move->row.source_stride + column * move->column.source_stride];
      }
    }
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
      const index_t row = (item + k * GROUP_ITEMS) >> row_shift;
      const index_t column = (item + k * GROUP_ITEMS) & last_column;
      if (row < chunk.rows && column < chunk.columns) {
        to[row * move->row.destination_stride + column * move->column.destination_stride] =
            units[k];
      }
    }
  }
}

kernel WHOLE_GROUP void gpu_rows(MOVE_PARAMETERS) {
  move_gpu_rows(MOVE_ARGUMENTS);
}
