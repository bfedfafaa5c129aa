/*
 * tile: the source is contiguous along rows of the block's first axis, the destination along its
 * second. For core devices.
 *
 * A square of units is read as vectors along the source, transposed in registers, and written as
 * vectors along the destination. An edge that is no multiple of the side is covered
 * by a last square that overlaps the one before. A block that is narrower than SIDE is made of
 * squares of 4, and one that is narrower still goes unit by unit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BLOCKED
#define BLOCKED 1
#endif
#ifndef CLRS_SQUARES_CL
#include "squares.cl"
#endif

#define SQUARES_PER_LINE (UNITS_PER_LINE / SIDE)
#define LOOK_AHEAD UNITS_PER_LINE

/* SIDE vectors along the source, transposed: vector i then runs along row i of the destination. */
inline void load_square(global const UNIT *source, index_t source_stride, side_t *v) {
#pragma unroll
  for (int i = 0; i < SIDE; i++) {
    global const UNIT *run = source + i * source_stride;
    PREFETCH(run + LOOK_AHEAD);
    v[i] = ((global const any_side_t *)run)->value;
  }
  transpose_square(v);
}

/* Squares side by side that fill a line of the destination. */
inline void move_line_of_squares(global const UNIT *source, index_t source_stride,
                                 global UNIT *destination, index_t destination_stride) {
  side_t v[SQUARES_PER_LINE][SIDE];
#pragma unroll
  for (int square = 0; square < SQUARES_PER_LINE; square++) {
    load_square(source + square * SIDE * source_stride, source_stride, v[square]);
  }
#pragma unroll
  for (int i = 0; i < SIDE; i++) {
    side_t line[SQUARES_PER_LINE];
#pragma unroll
    for (int square = 0; square < SQUARES_PER_LINE; square++) {
      line[square] = v[square][i];
    }
    STORE_LINE(*(uint16 *)line, (global uint16 *)(destination + i * destination_stride));
  }
}

/* Rows of one square that follow each other without a gap are lines too. */
inline void store_dense_square(const side_t *v, global UNIT *destination) {
#pragma unroll
  for (int i = 0; i < SIDE; i += SQUARES_PER_LINE) {
    side_t line[SQUARES_PER_LINE];
#pragma unroll
    for (int row = 0; row < SQUARES_PER_LINE; row++) {
      line[row] = v[i + row];
    }
    STORE_LINE(*(uint16 *)line, (global uint16 *)(destination + i * SIDE));
  }
}

inline void move_square(global const UNIT *source, index_t source_stride, global UNIT *destination,
                        index_t destination_stride) {
  side_t v[SIDE];
  load_square(source, source_stride, v);
  if (destination_stride == SIDE && (size_t)destination % LINE_BYTES == 0) {
    store_dense_square(v, destination);
    return;
  }
#pragma unroll
  for (int i = 0; i < SIDE; i++) {
    ((global any_side_t *)(destination + i * destination_stride))->value = v[i];
  }
}

/* Rows [row, row + SIDE) of a block, all columns. */
inline void move_band(global const UNIT *source, index_t source_stride, global UNIT *destination,
                      index_t destination_stride, index_t columns) {
  index_t column = 0;
  const bool rows_are_aligned = (size_t)destination_stride * sizeof(UNIT) % LINE_BYTES == 0;
  const index_t head = rows_are_aligned ? (index_t)units_before_line(destination) : columns;
  while (column < columns) {
    if (column >= head && column + UNITS_PER_LINE <= columns) {
      move_line_of_squares(source + column * source_stride, source_stride, destination + column,
                           destination_stride);
      column += UNITS_PER_LINE;
    } else {
      /* up to the first line, or to the end, the last square overlapping the one before */
      const index_t end = column < head ? min(head, columns) : columns;
      const index_t start = max((index_t)0, min(column, end - SIDE));
      move_square(source + start * source_stride, source_stride, destination + start,
                  destination_stride);
      column = min(end, start + SIDE);
    }
  }
}

typedef VECTOR_OF(UNIT, 4) small_t;
typedef struct __attribute__((packed)) any_small_t {
  small_t value;
} any_small_t;

inline void move_small_square(global const UNIT *source, index_t source_stride,
                              global UNIT *destination, index_t destination_stride) {
  const small_t a = ((global const any_small_t *)source)->value;
  const small_t b = ((global const any_small_t *)(source + source_stride))->value;
  const small_t c = ((global const any_small_t *)(source + 2 * source_stride))->value;
  const small_t d = ((global const any_small_t *)(source + 3 * source_stride))->value;
  const small_t rows[4] = {(small_t)(a.x, b.x, c.x, d.x), (small_t)(a.y, b.y, c.y, d.y),
                           (small_t)(a.z, b.z, c.z, d.z), (small_t)(a.w, b.w, c.w, d.w)};
#pragma unroll
  for (int i = 0; i < 4; i++) {
    ((global any_small_t *)(destination + i * destination_stride))->value = rows[i];
  }
}

inline void move_small_squares(global const UNIT *source, index_t source_stride,
                               global UNIT *destination, index_t destination_stride,
                               block_t block) {
  for (index_t r = 0; r < block.rows; r += 4) {
    const index_t row = min(r, block.rows - 4);
    for (index_t c = 0; c < block.columns; c += 4) {
      const index_t column = min(c, block.columns - 4);
      move_small_square(source + row + column * source_stride, source_stride,
                        destination + row * destination_stride + column, destination_stride);
    }
  }
}

inline void move_by_unit(global const UNIT *source, index_t source_stride, global UNIT *destination,
                         index_t destination_stride, block_t block) {
  for (index_t row = 0; row < block.rows; row++) {
    for (index_t column = 0; column < block.columns; column++) {
      destination[row * destination_stride + column] = source[row + column * source_stride];
    }
  }
}

inline void move_tile(global const UNIT *source, ulong source_start, global UNIT *destination,
                      ulong destination_start, move_ref move) {
  const index_t source_stride = move->column.source_stride;
  const index_t destination_stride = move->row.destination_stride;
  for (count_t i = first_block(move); i < end_block(move); i++) {
    const block_t block = find_block(move, i);
    global const UNIT *from = source + source_start + block.from;
    global UNIT *to = destination + destination_start + block.to;
    if (block.rows < 4 || block.columns < 4) {
      move_by_unit(from, source_stride, to, destination_stride, block);
      continue;
    }
    if (block.rows < SIDE || block.columns < SIDE) {
      move_small_squares(from, source_stride, to, destination_stride, block);
      continue;
    }
    for (index_t r = 0; r < block.rows; r += SIDE) {
      const index_t row = min(r, block.rows - SIDE);
      move_band(from + row, source_stride, to + row * destination_stride, destination_stride,
                block.columns);
    }
  }
}

MOVE_KERNEL(tile)
