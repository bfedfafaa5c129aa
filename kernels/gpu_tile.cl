/*
 * gpu_tile: the source is contiguous along rows of the chunk's first axis, the destination along
 * its second. For GPUs.
 *
 * A square tile passes through local memory, so that both sides are read and written along their
 * own direction. Local memory holds vectors: of 4 units, or as many as 16 bytes take. An item reads
 * a little square, one vector from each of as many runs of the source, turns it in registers, and
 * puts it down as vectors along the destination's direction; what it takes up again it stores as
 * it is. Each row of the tile keeps its vectors in another order (column XOR a twist of the row),
 * so that neither a column nor a row of vectors meets in one bank. A side that is not aligned for
 * vectors goes unit by unit, still with neighbouring items at neighbouring units.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_WORK_GROUP_CL
#include "work_group.cl"
#endif

#define TILE_SIDE CLRS_TILE_SIDE(UNIT_BITS)
/* Units of a vector, as a number that makes the name of a type. */
#if CLRS_TILE_WIDTH(UNIT_BITS) == 4
#define WIDTH 4
#elif CLRS_TILE_WIDTH(UNIT_BITS) == 2
#define WIDTH 2
#else
#define WIDTH 1
#endif
#define VECTORS (TILE_SIDE / WIDTH)
#define ROWS_AT_ONCE (GROUP_ITEMS / VECTORS)
#define PASSES (VECTORS / ROWS_AT_ONCE)

#define JOIN_NAME(a, b) a##b
#define WIDE_UNIT(unit, width) JOIN_NAME(unit, width)
#if WIDTH > 1
typedef WIDE_UNIT(UNIT, WIDTH) vector_t;
#else
typedef UNIT vector_t;
#endif

/* Where a row of the tile keeps its vector of this column. Any VECTORS neighbouring rows, and rows
 * that are WIDTH apart, have different twists. */
INLINED int place_in_tile(int row, int column) {
  const int twist = WIDTH > 1 ? row ^ (row / WIDTH) : row;
  return row * VECTORS + (column ^ (twist & (VECTORS - 1)));
}

/* Vector i becomes the i-th units of all. */
INLINED void turn_square(vector_t *v) {
#if WIDTH == 4
  const vector_t a = v[0], b = v[1], c = v[2], d = v[3];
  v[0] = (vector_t)(a.x, b.x, c.x, d.x);
  v[1] = (vector_t)(a.y, b.y, c.y, d.y);
  v[2] = (vector_t)(a.z, b.z, c.z, d.z);
  v[3] = (vector_t)(a.w, b.w, c.w, d.w);
#elif WIDTH == 2
  const vector_t a = v[0], b = v[1];
  v[0] = (vector_t)(a.x, b.x);
  v[1] = (vector_t)(a.y, b.y);
#else
  (void)v;
#endif
}

/* May runs of `extent` units from here on, `stride` apart, be taken as vectors? */
INLINED bool is_made_of_vectors(global const UNIT *start, index_t stride, index_t extent) {
  const size_t offset = (size_t)start | (size_t)stride * sizeof(UNIT);
  return offset % sizeof(vector_t) == 0 && extent % WIDTH == 0;
}

/* Of PASSES, as many as the chunk has columns for. A compiler cannot unroll them all: with the 64
 * reads of a tile of bytes, each under a condition of its own, some took more than 2 s. */
INLINED int passes_of(chunk_t chunk) {
  const int columns_at_once = ROWS_AT_ONCE * WIDTH;
  return ((int)chunk.columns + columns_at_once - 1) / columns_at_once;
}

/* As read_vectors, for a source of any alignment: rows lie VECTORS apart instead of side by side,
 * so that neighbouring items are at neighbouring units and there is nothing to turn. At most 16
 * reads are under way at once. */
#define PASSES_AT_ONCE (16 / (WIDTH * WIDTH) < PASSES ? 16 / (WIDTH * WIDTH) : PASSES)

INLINED void read_units(global const UNIT *from, index_t stride, chunk_t chunk,
                       local vector_t *tile) {
  const int lane = (int)get_local_id(0) % VECTORS, first = (int)get_local_id(0) / VECTORS;
  for (int pass = 0; pass < passes_of(chunk); pass += PASSES_AT_ONCE) {
    UNIT units[PASSES_AT_ONCE][WIDTH][WIDTH];
#pragma unroll
    for (int k = 0; k < PASSES_AT_ONCE * WIDTH * WIDTH; k++) {
      const int ahead = k / (WIDTH * WIDTH), down = k / WIDTH % WIDTH, right = k % WIDTH;
      const index_t row = lane + down * VECTORS;
      const index_t column = (first + (pass + ahead) * ROWS_AT_ONCE) * WIDTH + right;
      if (row < chunk.rows && column < chunk.columns) {
        units[ahead][down][right] = from[row + column * stride];
      }
    }
#pragma unroll
    for (int k = 0; k < PASSES_AT_ONCE * WIDTH; k++) {
      const int ahead = k / WIDTH, down = k % WIDTH;
      const int place =
          place_in_tile(lane + down * VECTORS, first + (pass + ahead) * ROWS_AT_ONCE);
#pragma unroll
      for (int right = 0; right < WIDTH; right++) {
        ((local UNIT *)(tile + place))[right] = units[ahead][down][right];
      }
    }
  }
}

/* 32 bytes of each item, or more, are on their way at once. */
#define VECTOR_PASSES_AT_ONCE (8 / WIDTH < PASSES ? 8 / WIDTH : PASSES)

INLINED void read_vectors(global const UNIT *from, index_t stride, chunk_t chunk,
                         local vector_t *tile) {
  const int lane = (int)get_local_id(0) % VECTORS, first = (int)get_local_id(0) / VECTORS;
  const index_t row = lane * WIDTH;
  for (int pass = 0; pass < passes_of(chunk); pass += VECTOR_PASSES_AT_ONCE) {
    vector_t squares[VECTOR_PASSES_AT_ONCE][WIDTH];
#pragma unroll
    for (int k = 0; k < VECTOR_PASSES_AT_ONCE * WIDTH; k++) {
      const index_t column = (first + (pass + k / WIDTH) * ROWS_AT_ONCE) * WIDTH + k % WIDTH;
      if (row < chunk.rows && column < chunk.columns) {
        squares[k / WIDTH][k % WIDTH] = *(global const vector_t *)(from + row + column * stride);
      }
    }
#pragma unroll
    for (int ahead = 0; ahead < VECTOR_PASSES_AT_ONCE; ahead++) {
      turn_square(squares[ahead]);
#pragma unroll
      for (int down = 0; down < WIDTH; down++) {
        tile[place_in_tile((int)row + down, first + (pass + ahead) * ROWS_AT_ONCE)] =
            squares[ahead][down];
      }
    }
  }
}

INLINED void write_vectors(local const vector_t *tile, global UNIT *to, index_t stride,
                          chunk_t chunk) {
  const int lane = (int)get_local_id(0) % VECTORS, first = (int)get_local_id(0) / VECTORS;
#pragma unroll 4
  for (int pass = 0; pass < PASSES * WIDTH; pass++) {
    const int row = first + pass * ROWS_AT_ONCE;
    if (row < chunk.rows && lane * WIDTH < chunk.columns) {
      *(global vector_t *)(to + row * stride + lane * WIDTH) = tile[place_in_tile(row, lane)];
    }
  }
}

INLINED void write_units(local const vector_t *tile, global UNIT *to, index_t stride,
                        chunk_t chunk) {
  for (int k = (int)get_local_id(0); k < TILE_SIDE * TILE_SIDE; k += GROUP_ITEMS) {
    const int row = k / TILE_SIDE, column = k % TILE_SIDE;
    if (row < chunk.rows && column < chunk.columns) {
      local const UNIT *units = (local const UNIT *)(tile + place_in_tile(row, column / WIDTH));
      to[row * stride + column] = units[column % WIDTH];
    }
  }
}

INLINED void move_gpu_tile(local vector_t *tile, global const UNIT *source, ulong source_start,
                            global UNIT *destination, ulong destination_start, move_ref move) {
  FOR_EACH(i, first_group(), group_step(), move->count) {
    const chunk_t chunk = find_group_chunk(move, i);
    global const UNIT *from = source + source_start + chunk.from;
    global UNIT *to = destination + destination_start + chunk.to;
    const index_t source_stride = move->column.source_stride;
    const index_t destination_stride = move->row.destination_stride;
    if (is_made_of_vectors(from, source_stride, chunk.rows)) {
      read_vectors(from, source_stride, chunk, tile);
    } else {
      read_units(from, source_stride, chunk, tile);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_made_of_vectors(to, destination_stride, chunk.columns)) {
      write_vectors(tile, to, destination_stride, chunk);
    } else {
      write_units(tile, to, destination_stride, chunk);
    }
    END_CHUNK();
  }
}

kernel WHOLE_GROUP void gpu_tile(MOVE_PARAMETERS) {
  local vector_t tile[TILE_SIDE * VECTORS];
  move_gpu_tile(tile, MOVE_ARGUMENTS);
}
