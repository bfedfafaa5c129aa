/*
 * nibbles: the tile of 4-bit units. The nest counts bytes: two units along a row of the source, two
 * along a column of the destination. So two neighbouring columns of the source hold, byte by byte,
 * squares of 2 by 2 units; exchanging their halves leaves bytes that move like any tile's, even
 * rows from one vector and odd rows from the other. For core devices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BLOCKED
#define BLOCKED 1
#endif
#ifndef UNIT
#define UNIT uchar
#define UNIT_BITS 8
#endif
#ifndef CLRS_SQUARES_CL
#include "squares.cl"
#endif

/* What leads from one of a pair to the other: half a step. */
typedef struct steps_t {
  index_t source, source_half, destination, destination_half;
} steps_t;

/* A square of pairs, transposed: vector i of either array then runs along a row. */
inline void load_square_of_pairs(global const uchar *source, steps_t steps, uchar16 *even,
                                 uchar16 *odd) {
#pragma unroll
  for (int i = 0; i < 16; i++) {
    global const uchar *pair = source + i * steps.source;
    PREFETCH(pair + LINE_BYTES);
    PREFETCH(pair + steps.source_half + LINE_BYTES);
    const uchar16 first = ((global const any_side_t *)pair)->value;
    const uchar16 second = ((global const any_side_t *)(pair + steps.source_half))->value;
    even[i] = (first & (uchar16)0x0f) | (second << (uchar16)4);
    odd[i] = (first >> (uchar16)4) | (second & (uchar16)0xf0);
  }
  transpose_square(even);
  transpose_square(odd);
}

inline void move_square_of_pairs(global const uchar *source, global uchar *destination,
                                 steps_t steps) {
  uchar16 even[16], odd[16];
  load_square_of_pairs(source, steps, even, odd);
#pragma unroll
  for (int i = 0; i < 16; i++) {
    global uchar *row = destination + i * steps.destination;
    ((global any_side_t *)row)->value = even[i];
    ((global any_side_t *)(row + steps.destination_half))->value = odd[i];
  }
}

/* Four squares side by side fill a line of the destination. */
inline void move_line_of_pairs(global const uchar *source, global uchar *destination,
                               steps_t steps) {
  uchar16 even[4][16], odd[4][16];
#pragma unroll
  for (int square = 0; square < 4; square++) {
    load_square_of_pairs(source + square * 16 * steps.source, steps, even[square], odd[square]);
  }
#pragma unroll
  for (int i = 0; i < 16; i++) {
    const uchar16 even_line[4] = {even[0][i], even[1][i], even[2][i], even[3][i]};
    const uchar16 odd_line[4] = {odd[0][i], odd[1][i], odd[2][i], odd[3][i]};
    global uchar *row = destination + i * steps.destination;
    STORE_LINE(*(const uint16 *)even_line, (global uint16 *)row);
    STORE_LINE(*(const uint16 *)odd_line, (global uint16 *)(row + steps.destination_half));
  }
}

inline void move_pair(global const uchar *source, global uchar *destination, steps_t steps) {
  const uint first = source[0], second = source[steps.source_half];
  destination[0] = (uchar)((first & 0x0f) | (second << 4));
  destination[steps.destination_half] = (uchar)((first >> 4) | (second & 0xf0));
}

/* Sixteen rows of pairs of a block; lines where they begin at one, squares for the rest. */
inline void move_band_of_pairs(global const uchar *source, global uchar *destination, steps_t steps,
                               index_t columns) {
  const bool rows_are_aligned =
      (size_t)destination % LINE_BYTES == 0 && (size_t)steps.destination_half % LINE_BYTES == 0;
  for (index_t c = 0; c < columns;) {
    if (rows_are_aligned && c % LINE_BYTES == 0 && c + LINE_BYTES <= columns) {
      move_line_of_pairs(source + c * steps.source, destination + c, steps);
      c += LINE_BYTES;
    } else {
      const index_t column = min(c, columns - 16);
      move_square_of_pairs(source + column * steps.source, destination + column, steps);
      c = column + 16;
    }
  }
}

inline void move_by_pair(global const uchar *source, global uchar *destination, steps_t steps,
                         block_t block) {
  for (index_t row = 0; row < block.rows; row++) {
    for (index_t column = 0; column < block.columns; column++) {
      move_pair(source + row + column * steps.source,
                destination + row * steps.destination + column, steps);
    }
  }
}

inline void move_nibbles(global const uchar *source, ulong source_start, global uchar *destination,
                         ulong destination_start, move_ref move) {
  const steps_t steps = {move->column.source_stride, move->column.source_stride / 2,
                         move->row.destination_stride, move->row.destination_stride / 2};
  for (count_t i = first_block(move); i < end_block(move); i++) {
    const block_t block = find_block(move, i);
    global const uchar *from = source + source_start + block.from;
    global uchar *to = destination + destination_start + block.to;
    if (block.rows < 16 || block.columns < 16) {
      move_by_pair(from, to, steps, block);
      continue;
    }
    for (index_t r = 0; r < block.rows; r += 16) {
      const index_t row = min(r, block.rows - 16);
      move_band_of_pairs(from + row, to + row * steps.destination, steps, block.columns);
    }
  }
}

MOVE_KERNEL(nibbles)
