/*
 * map_tile: rows that are neighbours in the source, for CPUs. The codes of all rows of a chunk are
 * read at once, and squares of 16 rows by 16 columns are turned in registers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_PARTS_CL
#include "map_parts.cl"
#endif

#if LANES > 1

/* From row to row of what is turned: whole lanes are written, so up to LANES - 1 codes too many. */
INLINED index_t turned_pitch(index_t columns) {
  return columns + LANES;
}

/* Vector i becomes lane i of all: in each of four rounds vector i is interleaved with vector i + 8.
 * Four rounds in a row, without a loop, would be compiled for half a second. */
INLINED void turn_square(from_lanes_t *v) {
  PLAIN_LOOP
  for (int round = 1; round < LANES; round *= 2) {
    from_lanes_t w[LANES];
#pragma unroll
    for (int i = 0; i < LANES / 2; i++) {
      const from_lanes_t a = v[i], b = v[i + LANES / 2];
      w[2 * i] = __builtin_shufflevector(a, b, EACH_LANE(INTERLEAVED_OF, 0, 0));
      w[2 * i + 1] = __builtin_shufflevector(a, b, EACH_LANE(INTERLEAVED_OF, 8, 0));
    }
#pragma unroll
    for (int i = 0; i < LANES; i++) {
      v[i] = w[i];
    }
  }
}

/* Columns at one distance, of which there are some or LANES: the codes of row r are at r. */
typedef struct columns_t {
  codes_ref first;
  index_t step, count, rows;
} columns_t;

/* The square of these columns from row r on, or, if fewer rows are left, of the last ones. */
INLINED void turn_rows(const columns_t columns, index_t r, FROM_T *staged, index_t pitch) {
  const index_t row = max(min(r, columns.rows - LANES), (index_t)0);
  from_lanes_t v[LANES];
  PLAIN_LOOP
  for (int c = 0; c < LANES; c++) {
    const codes_ref codes = columns.first + min((index_t)c, columns.count - 1) * columns.step + row;
    PREFETCH(codes + LINE_BYTES / sizeof(FROM_T));
    v[c] = ((global const any_from_t *)codes)->value;
  }
  turn_square(v);
  PLAIN_LOOP
  for (index_t i = 0; i < LANES && i < columns.rows; i++) {
    ((any_from_t *)(staged + (row + i) * pitch))->value = v[i];
  }
}

/* Codes of less than a byte, and columns of less than a square, by way of bytes. */
INLINED columns_t copy_columns(global const uchar *source, index_t at, index_t step, index_t count,
                               index_t rows, FROM_T *copied) {
  PLAIN_LOOP
  for (index_t c = 0; c < count; c++) {
    FROM_T *column = copied + c * CLRS_MAPPED_TURNED_ROWS;
    if (ELEMENT(FROM).bits < 8) {
      stage_packed(source, at + c * step, column, rows);
      continue;
    }
    PLAIN_LOOP
    for (index_t r = 0; r < rows; r++) {
      column[r] = (FROM_T)load_code(ELEMENT(FROM), source, at + c * step + r);
    }
  }
  const columns_t columns = {AS_CODES_REF(copied), CLRS_MAPPED_TURNED_ROWS, count, rows};
  return columns;
}

/* Few columns are read together, for each is a stream, of which the hardware follows 32 or so. */
#define TURNED_STREAMS (2 * LANES)

INLINED void turn_squares(global const uchar *source, index_t at, index_t stride, index_t length,
                          index_t rows, FROM_T *staged, index_t pitch) {
  global const FROM_T *from = (global const FROM_T *)source + at;
  PLAIN_LOOP
  for (index_t first = 0; first < length; first += TURNED_STREAMS) {
    PLAIN_LOOP
    for (index_t r = 0; r < rows; r += LANES) {
      PLAIN_LOOP
      for (index_t c = first; c < min(first + TURNED_STREAMS, length); c += LANES) {
        const columns_t columns = {from + c * stride, stride, min(length - c, (index_t)LANES),
                                   rows};
        turn_rows(columns, r, staged + c, pitch);
      }
    }
  }
}

INLINED void turn_copied(global const uchar *source, index_t at, index_t stride, index_t length,
                         index_t rows, FROM_T *staged, index_t pitch) {
  FROM_T copied[CLRS_MAPPED_TURNED_ROWS * LANES];
  PLAIN_LOOP
  for (index_t c = 0; c < length; c += LANES) {
    const columns_t columns = copy_columns(source, at + c * stride, stride,
                                           min(length - c, (index_t)LANES), rows, copied);
    PLAIN_LOOP
    for (index_t r = 0; r < rows; r += LANES) {
      turn_rows(columns, r, staged + c, pitch);
    }
  }
}

/* Columns at one distance, of all rows. Codes of 64 bits, and few wide ones, are moved one by one.
 */
INLINED void turn_piece(global const uchar *source, index_t at, index_t stride, index_t length,
                        index_t rows, FROM_T *staged, index_t pitch) {
  const bool is_whole = ELEMENT(FROM).bits >= 8, is_narrow = sizeof(FROM_T) <= 4;
  if (is_whole && is_narrow && rows >= LANES) {
    turn_squares(source, at, stride, length, rows, staged, pitch);
    return;
  }
  if (sizeof(FROM_T) == 1) {
    turn_copied(source, at, stride, length, rows, staged, pitch);
    return;
  }
  PLAIN_LOOP
  for (index_t c = 0; c < length; c++) {
    PLAIN_LOOP
    for (index_t r = 0; r < rows; r++) {
      staged[r * pitch + c] = (FROM_T)load_code(ELEMENT(FROM), source, at + c * stride + r);
    }
  }
}
#else
INLINED index_t turned_pitch(index_t columns) {
  return columns;
}

INLINED void turn_piece(global const uchar *source, index_t at, index_t stride, index_t length,
                        index_t rows, FROM_T *staged, index_t pitch) {
  for (index_t c = 0; c < length; c++) {
    for (index_t r = 0; r < rows; r++) {
      staged[r * pitch + c] = (FROM_T)load_code(ELEMENT(FROM), source, at + c * stride + r);
    }
  }
}
#endif

INLINED void turn_part(const rows_t *of, const part_t part, FROM_T *staged) {
  const index_t stride = of->move->axes[of->move->axis_count - 1].strides[CLRS_FROM];
  const index_t pitch = turned_pitch(part.row.count);
  piece_t piece;
  start_pieces(of->move, &of->runs, part.row, CLRS_FROM, &piece);
  do {
    turn_piece(of->source, piece.at, stride, piece.length, part.rows, staged + piece.done, pitch);
  } while (next_piece(of->move, &of->runs, part.row, CLRS_FROM, &piece));
}

INLINED void move_row(const rows_t *of, const part_t part, index_t r, const stages_t *stages,
                      const target_t target, FROM_T *staged) {
  if (r == 0) {
    turn_part(of, part, staged);
  }
  convert_row(AS_CODES_REF(staged + r * turned_pitch(part.row.count)), part.row.count, stages,
              target);
}

/* With the codes too many behind each row. */
MAP_PARTS_KERNEL(map_tile, 1, CLRS_MAPPED_TURNED + CLRS_MAPPED_TURNED_ROWS * LANES)
