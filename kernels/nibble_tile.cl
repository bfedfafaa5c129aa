/*
 * nibble_tile: the tile of 4-bit units. The nest counts bytes: two units along a row of the source, two
 * along a column of the destination. So two neighbouring columns of the source hold, byte by byte,
 * squares of 2 by 2 units; exchanging their halves leaves bytes that move like any tile's, even
 * rows from one vector and odd rows from the other. Without native code it goes pair by pair. For
 * CPUs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef UNIT
#define UNIT uchar
#define UNIT_BITS 8
#endif
#ifndef CLRS_TRANSPOSE_CL
#include "transpose.cl"
#endif

/* What leads from one of a pair to the other: half a step. */
typedef struct steps_t {
  index_t source, source_half, destination, destination_half;
} steps_t;

#ifdef HAS_SQUARES
/* A square of pairs from this far on in each of 16 pairs of columns, transposed: vector i of either
 * array then runs along a row. */
inline void turn_square_of_pairs(const uchar16 *first, const uchar16 *second, uchar16 *even,
                                 uchar16 *odd) {
#pragma unroll
  for (int i = 0; i < 16; i++) {
    even[i] = (first[i] & (uchar16)0x0f) | (second[i] << (uchar16)4);
    odd[i] = (first[i] >> (uchar16)4) | (second[i] & (uchar16)0xf0);
  }
  transpose_square(even);
  transpose_square(odd);
}

inline void move_square_of_pairs(global const uchar *source, global uchar *destination,
                                 steps_t steps) {
  uchar16 first[16], second[16], even[16], odd[16];
#pragma unroll
  for (int i = 0; i < 16; i++) {
    global const uchar *pair = source + i * steps.source;
    first[i] = ((global const any_side_t *)pair)->value;
    second[i] = ((global const any_side_t *)(pair + steps.source_half))->value;
  }
  turn_square_of_pairs(first, second, even, odd);
#pragma unroll
  for (int i = 0; i < 16; i++) {
    global uchar *row = destination + i * steps.destination;
    ((global any_side_t *)row)->value = even[i];
    ((global any_side_t *)(row + steps.destination_half))->value = odd[i];
  }
}

#define SQUARES_PER_LINE 4

/* Of 16 pairs of columns a line each, turned: square `square` of the lines of all rows. Each line
 * is read at once; columns are often a power of 2 apart, so that few of them fit in the cache. */
inline void turn_lines_of_pairs(global const uchar *source, steps_t steps, int square,
                                uint16 *lines) {
  uint16 pairs[2][16];
#pragma unroll
  for (int i = 0; i < 16; i++) {
    global const uchar *pair = source + i * steps.source;
    PREFETCH_FAR(pair + LINE_BYTES);
    PREFETCH_FAR(pair + steps.source_half + LINE_BYTES);
    pairs[0][i] = ((global const any_line_t *)pair)->value;
    pairs[1][i] = ((global const any_line_t *)(pair + steps.source_half))->value;
  }
  for (int band = 0; band < SQUARES_PER_LINE; band++) {
    uchar16 first[16], second[16], even[16], odd[16];
#pragma unroll
    for (int i = 0; i < 16; i++) {
      first[i] = ((const uchar16 *)&pairs[0][i])[band];
      second[i] = ((const uchar16 *)&pairs[1][i])[band];
    }
    turn_square_of_pairs(first, second, even, odd);
#pragma unroll
    for (int i = 0; i < 16; i++) {
      ((uchar16 *)&lines[2 * (band * 16 + i)])[square] = even[i];
      ((uchar16 *)&lines[2 * (band * 16 + i) + 1])[square] = odd[i];
    }
  }
}

/* A line of each of 64 pairs of columns becomes a line of each of 64 pairs of rows. */
inline void move_lines_of_pairs(global const uchar *source, global uchar *destination,
                                steps_t steps, bool is_aligned) {
  uint16 lines[2 * LINE_BYTES];
  for (int square = 0; square < SQUARES_PER_LINE; square++) {
    turn_lines_of_pairs(source + square * 16 * steps.source, steps, square, lines);
  }
  for (int i = 0; i < LINE_BYTES; i++) {
    global uchar *row = destination + i * steps.destination;
    if (is_aligned) {
      STORE_LINE(lines[2 * i], (global uint16 *)row);
      STORE_LINE(lines[2 * i + 1], (global uint16 *)(row + steps.destination_half));
    } else {
      ((global any_line_t *)row)->value = lines[2 * i];
      ((global any_line_t *)(row + steps.destination_half))->value = lines[2 * i + 1];
    }
  }
}

#endif

inline void move_pair(global const uchar *source, global uchar *destination, steps_t steps) {
  const uint first = source[0], second = source[steps.source_half];
  destination[0] = (uchar)((first & 0x0f) | (second << 4));
  destination[steps.destination_half] = (uchar)((first >> 4) | (second & 0xf0));
}

#ifdef HAS_SQUARES
/* Rows of pairs, at least 16 by 16, in squares; the last of each kind overlap others. */
inline void move_by_square(global const uchar *source, global uchar *destination, steps_t steps,
                           index_t rows, index_t columns) {
  for (index_t r = 0; r < rows; r += 16) {
    const index_t row = min(r, rows - 16);
    for (index_t c = 0; c < columns; c += 16) {
      const index_t column = min(c, columns - 16);
      move_square_of_pairs(source + column * steps.source + row,
                           destination + row * steps.destination + column, steps);
    }
  }
}

/* Lines as far as there are whole ones, squares for the rest. */
inline void move_by_line(global const uchar *source, global uchar *destination, steps_t steps,
                         chunk_t chunk) {
  const index_t rows = chunk.rows & -LINE_BYTES, columns = chunk.columns & -LINE_BYTES;
  const bool is_aligned =
      (size_t)destination % LINE_BYTES == 0 && (size_t)steps.destination_half % LINE_BYTES == 0;
  for (index_t row = 0; row < rows; row += LINE_BYTES) {
    for (index_t column = 0; column < columns; column += LINE_BYTES) {
      move_lines_of_pairs(source + column * steps.source + row,
                          destination + row * steps.destination + column, steps, is_aligned);
    }
  }
  if (columns < chunk.columns && rows > 0) {
    const index_t column = min(columns, chunk.columns - 16);
    move_by_square(source + column * steps.source, destination + column, steps, rows,
                   chunk.columns - column);
  }
  if (rows < chunk.rows) {
    const index_t row = min(rows, chunk.rows - 16);
    move_by_square(source + row, destination + row * steps.destination, steps, chunk.rows - row,
                   chunk.columns);
  }
}

#endif

inline void move_by_pair(global const uchar *source, global uchar *destination, steps_t steps,
                         chunk_t chunk) {
  for (index_t row = 0; row < chunk.rows; row++) {
    for (index_t column = 0; column < chunk.columns; column++) {
      move_pair(source + row + column * steps.source,
                destination + row * steps.destination + column, steps);
    }
  }
}

inline void move_nibble_tile(global const uchar *source, ulong source_start, global uchar *destination,
                         ulong destination_start, move_ref move) {
  const steps_t steps = {move->column.source_stride, move->column.source_stride / 2,
                         move->row.destination_stride, move->row.destination_stride / 2};
  for (count_t i = first_chunk(move); i < end_chunk(move); i++) {
    const chunk_t chunk = find_chunk(move, i);
    global const uchar *from = source + source_start + chunk.from;
    global uchar *to = destination + destination_start + chunk.to;
#ifdef HAS_SQUARES
    if (chunk.rows >= 16 && chunk.columns >= 16) {
      move_by_line(from, to, steps, chunk);
      continue;
    }
#endif
    move_by_pair(from, to, steps, chunk);
  }
}

MOVE_KERNEL(nibble_tile)
