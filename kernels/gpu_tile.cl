/*
 * gpu_tile: the source is contiguous along the chunk's first axis (rows), and the destination along
 * the second axis (columns). For GPUs.
 *
 * A tile passes through local memory, so that each side is read or written along its contiguous
 * direction, in vectors of 16 bytes. Local memory has a row of the tile for each unit of the
 * source's runs. A cell has 32 bits, or one wider unit. An item reads a vector from each of the
 * neighbouring runs of a cell, transposes the vectors in registers, and puts a cell into each of
 * the rows. For bytes: a vector from each of 4 runs, which become 16 cells. Then an item takes a
 * vector of a row and stores the vector unchanged.
 *
 * WIDE_SOURCE and WIDE_DESTINATION mean that all runs of that side consist of whole vectors. Any
 * other side is accessed unit by unit, with neighbouring items at neighbouring units. The planner
 * chooses, so that a kernel does not need the registers of both ways.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_GPU_TURN_CL
#include "gpu_turn.cl"
#endif
#ifndef WIDE_SOURCE
#define WIDE_SOURCE 0
#endif
#ifndef WIDE_DESTINATION
#define WIDE_DESTINATION 0
#endif

/* ---- writing ---- */

SHARING void write_vectors(local const uint4 *tile, global UNIT *to, index_t stride,
                           chunk_t chunk) {
  const int column = (int)get_local_id(0) % VECTORS, first = (int)get_local_id(0) / VECTORS;
#pragma unroll
  for (int k = 0; k < VECTORS_PER_ITEM; k++) {
    const int row = first + k * (GROUP_ITEMS / VECTORS);
    if (row < chunk.rows && column * WIDTH < chunk.columns) {
      *(global uint4 *)(to + row * stride + column * WIDTH) =
          tile[place_in_tile(row / WIDTH * WIDTH, row % WIDTH, column)];
    }
  }
}

SHARING void write_units(local const uint4 *tile, global UNIT *to, index_t stride, chunk_t chunk) {
  const int column = (int)get_local_id(0) % TILE_COLUMNS;
  const int first = (int)get_local_id(0) / TILE_COLUMNS, apart = GROUP_ITEMS / TILE_COLUMNS;
  const int rows = column < chunk.columns ? (int)chunk.rows : 0;
  global UNIT *unit = to + first * stride + column;
#pragma unroll 8
  for (int row = first; row < rows; row += apart) {
    const int place = place_in_tile(row / WIDTH * WIDTH, row % WIDTH, column / WIDTH);
    *unit = ((local const aliased_unit_t *)&tile[place])[column % WIDTH];
    unit += apart * stride;
  }
}

SHARING void move_gpu_tile(local uint4 *tile, global const UNIT *source, ulong source_start,
                           global UNIT *destination, ulong destination_start, move_ref move) {
  FOR_EACH(i, first_group(), group_step(), move->count) {
    const chunk_t chunk = find_group_chunk(move, i);
    global const UNIT *from = source + source_start + chunk.from;
    global UNIT *to = destination + destination_start + chunk.to;
    if (WIDE_SOURCE) {
      read_vectors(from, move->column.source_stride, chunk, tile);
    } else {
      read_units(from, move->column.source_stride, chunk, tile);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (WIDE_DESTINATION) {
      write_vectors(tile, to, move->row.destination_stride, chunk);
    } else {
      write_units(tile, to, move->row.destination_stride, chunk);
    }
    END_CHUNK();
  }
}

kernel WHOLE_GROUP void gpu_tile(MOVE_PARAMETERS) {
  local uint4 tile[TILE_ROWS * VECTORS];
  move_gpu_tile(tile, MOVE_ARGUMENTS);
}
