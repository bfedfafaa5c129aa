/*
 * nibbles: the tile of 4-bit units. The nest counts bytes: two units along a row of the source, two
 * along a column of the destination. So two neighbouring columns of the source hold, byte by byte,
 * squares of 2 by 2 units; exchanging their halves leaves bytes that move like any tile's, even rows
 * from one vector and odd rows from the other. For core devices.
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

inline void move_square_of_pairs(global const uchar *source, global uchar *destination,
                                 steps_t steps) {
  uchar16 even[16], odd[16];
#pragma unroll
  for (int i = 0; i < 16; i++) {
    global const uchar *pair = source + i * steps.source;
    const uchar16 first = ((global const any_side_t *)pair)->value;
    const uchar16 second = ((global const any_side_t *)(pair + steps.source_half))->value;
    even[i] = (first & (uchar16)0x0f) | (second << (uchar16)4);
    odd[i] = (first >> (uchar16)4) | (second & (uchar16)0xf0);
  }
  transpose_square(even);
  transpose_square(odd);
#pragma unroll
  for (int i = 0; i < 16; i++) {
    global uchar *row = destination + i * steps.destination;
    ((global any_side_t *)row)->value = even[i];
    ((global any_side_t *)(row + steps.destination_half))->value = odd[i];
  }
}

inline void move_pair(global const uchar *source, global uchar *destination, steps_t steps) {
  const uint first = source[0], second = source[steps.source_half];
  destination[0] = (uchar)((first & 0x0f) | (second << 4));
  destination[steps.destination_half] = (uchar)((first >> 4) | (second & 0xf0));
}

kernel void nibbles(global const uchar *source, ulong source_start, global uchar *destination,
                    ulong destination_start, const move_t move) {
  const steps_t steps = {move.column.source_stride, move.column.source_stride / 2,
                         move.row.destination_stride, move.row.destination_stride / 2};
  for (count_t i = first_block(&move); i < end_block(&move); i++) {
    const block_t block = find_block(&move, i);
    global const uchar *from = source + source_start + block.from;
    global uchar *to = destination + destination_start + block.to;
    const bool is_small = block.rows < 16 || block.columns < 16;
    const index_t side = is_small ? 1 : 16;
    for (index_t r = 0; r < block.rows; r += side) {
      const index_t row = min(r, block.rows - side);
      for (index_t c = 0; c < block.columns; c += side) {
        const index_t column = min(c, block.columns - side);
        global const uchar *square = from + row + column * steps.source;
        global uchar *corner = to + row * steps.destination + column;
        if (is_small) {
          move_pair(square, corner, steps);
        } else {
          move_square_of_pairs(square, corner, steps);
        }
      }
    }
  }
}
