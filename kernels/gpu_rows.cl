/*
 * gpu_rows: rows of units with any strides, for GPUs. Neighbouring work-items are neighbours along
 * a row. Moves of this class are copies, pitched rows, head split and merge, and reversed and
 * repeated rows.
 *
 * A chunk has a power of two of columns, so an item's units are found by shifts. A long row keeps
 * the whole group side by side, and short rows lie below each other. The position of a chunk is
 * decoded once for all units of the chunk.
 *
 * With WIDE_DESTINATION rows are contiguous on both sides. An item then moves blocks of 16 bytes,
 * which are aligned in the destination (blocks.cl). A row may begin anywhere in the first block.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_WORK_GROUP_CL
#include "work_group.cl"
#endif
#ifndef CLRS_BLOCKS_CL
#include "blocks.cl"
#endif

#if WIDE_DESTINATION

#define BLOCKS CLRS_ROW_BLOCKS

/* The k-th block of this item. There is no block if `left` is not positive. */
INLINED row_block_t find_block(move_ref move, row_start_t first_row, chunk_t chunk,
                               index_t first_column, int k) {
  const index_t last = move->column.chunk_extent / BLOCK_UNITS - 1;
  const index_t number = (index_t)get_local_id(0) + k * GROUP_ITEMS;
  const index_t row = number >> popcount(last);
  const row_start_t start =
      later_row(first_row, row * move->row.source_stride, row * move->row.destination_stride);
  row_block_t block = find_row_block(start, number & last, first_column, move->column.extent);
  block.left = row < chunk.rows ? block.left : 0;
  return block;
}

INLINED void move_gpu_rows(global const UNIT *source, ulong source_start, global UNIT *destination,
                           ulong destination_start, move_ref move) {
  const row_start_t starts = {source + source_start, destination + destination_start,
                              (uint)source_start, (uint)destination_start};
  FOR_EACH(i, first_group(), group_step(), move->count) {
    const chunk_t chunk = find_group_chunk(move, i);
    count_t rest = i;
    const index_t first_column =
        take_digit(&rest, move->axes[0].extent, move->axes[0].divisor) * move->column.chunk_extent;
    const row_start_t first = later_row(starts, chunk.from, chunk.to);
    uint words[BLOCKS][BLOCK_WORDS];
#pragma unroll
    for (int k = 0; k < BLOCKS; k++) {
      const row_block_t block = find_block(move, first, chunk, first_column, k);
      if (is_whole(block)) {
        load_row_block(block, words[k]);
      }
    }
#pragma unroll
    for (int k = 0; k < BLOCKS; k++) {
      const row_block_t block = find_block(move, first, chunk, first_column, k);
      if (is_whole(block)) {
        store_words((global uchar *)block.to, words[k]);
      }
    }
#pragma unroll 1
    for (int k = 0; k < BLOCKS; k++) {
      const row_block_t block = find_block(move, first, chunk, first_column, k);
      if (block.left > 0 && !is_whole(block)) {
        move_part(block);
      }
    }
  }
}

#else

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

#endif

kernel WHOLE_GROUP void gpu_rows(MOVE_PARAMETERS) {
  move_gpu_rows(MOVE_ARGUMENTS);
}
