/*
 * tile: the source is contiguous along rows of the block's first axis, the destination along its
 * second. For core devices.
 *
 * A square of units is read as vectors along the source, transposed in registers, and written as
 * vectors along the destination. Transposing SIDE vectors takes log2(SIDE) rounds, each of which
 * interleaves vector i with vector i + SIDE / 2. An edge that is no multiple of SIDE is covered by
 * a last square that overlaps the one before; an edge shorter than a square goes unit by unit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BLOCKED
#define BLOCKED 1
#endif
#ifndef CLRS_STREAMS_CL
#include "streams.cl"
#endif

#if UNIT_BITS == 64
#define SIDE 8
#else
#define SIDE 16
#endif

#define JOIN(a, b) a##b
#define VECTOR_OF(unit, side) JOIN(unit, side)
typedef VECTOR_OF(UNIT, SIDE) side_t;
typedef struct __attribute__((packed)) any_side_t {
  side_t value;
} any_side_t;

inline void transpose_square(side_t *v) {
#pragma unroll
  for (int round = 1; round < SIDE; round *= 2) {
    side_t w[SIDE];
#pragma unroll
    for (int i = 0; i < SIDE / 2; i++) {
      w[2 * i].even = v[i].lo;
      w[2 * i].odd = v[i + SIDE / 2].lo;
      w[2 * i + 1].even = v[i].hi;
      w[2 * i + 1].odd = v[i + SIDE / 2].hi;
    }
#pragma unroll
    for (int i = 0; i < SIDE; i++) {
      v[i] = w[i];
    }
  }
}

inline void move_square(global const UNIT *source, index_t source_stride, global UNIT *destination,
                        index_t destination_stride, bool is_aligned) {
  side_t v[SIDE];
#pragma unroll
  for (int i = 0; i < SIDE; i++) {
    v[i] = ((global const any_side_t *)(source + i * source_stride))->value;
  }
  transpose_square(v);
  if (is_aligned) {
#pragma unroll
    for (int i = 0; i < SIDE; i++) {
      STORE_LINE(v[i], (global side_t *)(destination + i * destination_stride));
    }
  } else {
#pragma unroll
    for (int i = 0; i < SIDE; i++) {
      ((global any_side_t *)(destination + i * destination_stride))->value = v[i];
    }
  }
}

kernel void tile(global const UNIT *source, ulong source_start, global UNIT *destination,
                 ulong destination_start, const move_t move) {
  const index_t source_stride = move.column.source_stride;
  const index_t destination_stride = move.row.destination_stride;
  for (count_t i = first_block(&move); i < end_block(&move); i++) {
    const block_t block = find_block(&move, i);
    global const UNIT *from = source + source_start + block.from;
    global UNIT *to = destination + destination_start + block.to;
    if (block.rows < SIDE || block.columns < SIDE) {
      for (index_t row = 0; row < block.rows; row++) {
        for (index_t column = 0; column < block.columns; column++) {
          to[row * destination_stride + column] = from[row + column * source_stride];
        }
      }
      continue;
    }
    for (index_t r = 0; r < block.rows; r += SIDE) {
      const index_t row = min(r, block.rows - SIDE);
      for (index_t c = 0; c < block.columns; c += SIDE) {
        const index_t column = min(c, block.columns - SIDE);
        global UNIT *corner = to + row * destination_stride + column;
        const bool is_aligned =
            sizeof(side_t) == LINE_BYTES && (size_t)corner % LINE_BYTES == 0 &&
            (size_t)destination_stride * sizeof(UNIT) % LINE_BYTES == 0;
        move_square(from + row + column * source_stride, source_stride, corner, destination_stride,
                    is_aligned);
      }
    }
  }
}
