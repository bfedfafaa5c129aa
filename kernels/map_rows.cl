/*
 * map_rows: any strides, for CPUs. A chunk is some steps of one axis, the rows, by a part of what
 * lies in one run of the destination. Of each row the source's codes are staged in the
 * destination's order, so are the parameters that change along it; then one loop converts the
 * stage, which compilers make vectors of, and the result is written in lines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_CONVERT_CL
#include "convert.cl"
#endif
#ifndef CLRS_LINES_CL
#include "lines.cl"
#endif

/* Where each operand stands before a row, and the row's part that is moved. */
typedef struct row_t {
  places_t places;
  index_t column, count;
} row_t;

INLINED index_t first_run_axis(mapped_ref move) {
  return move->axis_count - move->run_axes;
}

/* Goes through a row's part in pieces that lie at one stride of the last axis: the place of the
 * piece, from where it is in the part, and how long it is. */
typedef struct piece_t {
  index_t digits[AXES];
  index_t at, done, length;
} piece_t;

INLINED void start_pieces(mapped_ref move, const row_t row, int operand, piece_t *piece) {
  count_t rest = (count_t)row.column;
  piece->at = row.places.at[operand];
  for (index_t k = move->axis_count; k-- > first_run_axis(move);) {
    piece->digits[k] = take_digit(&rest, move->axes[k].extent, move->axes[k].divisor);
    piece->at += piece->digits[k] * move->axes[k].strides[operand];
  }
  const index_t last = move->axis_count - 1;
  piece->done = 0;
  piece->length = min(move->axes[last].extent - piece->digits[last], row.count);
}

/* False if there is no next one. */
INLINED bool next_piece(mapped_ref move, const row_t row, int operand, piece_t *piece) {
  index_t k = move->axis_count - 1;
  piece->done += piece->length;
  if (piece->done >= row.count) {
    return false;
  }
  piece->at -= piece->digits[k] * move->axes[k].strides[operand];
  piece->digits[k] = 0;
  while (--k >= first_run_axis(move)) {
    piece->at += move->axes[k].strides[operand];
    if (++piece->digits[k] < move->axes[k].extent) {
      break;
    }
    piece->at -= move->axes[k].extent * move->axes[k].strides[operand];
    piece->digits[k] = 0;
  }
  piece->length = min(move->axes[move->axis_count - 1].extent, row.count - piece->done);
  return true;
}

/* ---- the source ---- */

#define STAGE_AT(stride)                                                                           \
  for (index_t i = 0; i < count; i++) {                                                            \
    staged[i] = (FROM_T)load_code(from, source, at + i * (stride));                                \
  }

INLINED void stage_piece(global const uchar *source, index_t at, index_t stride, FROM_T *staged,
                         index_t count) {
  const element_t from = ELEMENT(FROM);
  if (stride == 1) {
    STAGE_AT(1)
  } else if (stride == 0) {
    const FROM_T code = (FROM_T)load_code(from, source, at);
    for (index_t i = 0; i < count; i++) {
      staged[i] = code;
    }
  } else if (stride == 3) {
    STAGE_AT(3)
  } else if (stride == 4) {
    STAGE_AT(4)
  } else if (stride == -1) {
    STAGE_AT(-1)
  } else {
    STAGE_AT(stride)
  }
}

INLINED void stage_source(global const uchar *source, mapped_ref move, const row_t row,
                          FROM_T *staged) {
  const index_t stride = move->axes[move->axis_count - 1].strides[CLRS_FROM];
  piece_t piece;
  start_pieces(move, row, CLRS_FROM, &piece);
  do {
    stage_piece(source, piece.at, stride, staged + piece.done, piece.length);
  } while (next_piece(move, row, CLRS_FROM, &piece));
}

/* Planes that lie interleaved, read once for all rows of a chunk: all members of each group of
 * loads are used, so that compilers make wide ones of them. */
#define STAGE_PLANES(count)                                                                        \
  for (index_t i = 0; i < columns; i++) {                                                          \
    _Pragma("unroll") for (index_t p = 0; p < count; p++) {                                        \
      planes[p][i] = (FROM_T)load_code(from, source, at + i * count + p);                          \
    }                                                                                              \
  }

INLINED void stage_planes(global const uchar *source, index_t at, index_t count, index_t columns,
                          FROM_T planes[4][CLRS_MAPPED_STAGE]) {
  const element_t from = ELEMENT(FROM);
  if (count == 2) {
    STAGE_PLANES(2)
  } else if (count == 3) {
    STAGE_PLANES(3)
  } else {
    STAGE_PLANES(4)
  }
}

/* ---- parameters ---- */

INLINED bool stays(mapped_ref move, int operand) {
  bool all = true;
  for (index_t k = first_run_axis(move); k < move->axis_count; k++) {
    all = all && move->axes[k].strides[operand] == 0;
  }
  return all;
}

/* Stages what VALUE gives at the positions of an operand along the row. */
#define STAGE_PARAMETER(operand, staged, VALUE)                                                    \
  {                                                                                                \
    const index_t stride = move->axes[move->axis_count - 1].strides[operand];                      \
    piece_t piece;                                                                                 \
    start_pieces(move, row, operand, &piece);                                                      \
    do {                                                                                           \
      if (stride == 0) {                                                                           \
        const index_t position = piece.at;                                                         \
        const arith_or_zero value = VALUE;                                                         \
        for (index_t i = 0; i < piece.length; i++) {                                               \
          staged[piece.done + i] = value;                                                          \
        }                                                                                          \
      } else {                                                                                     \
        for (index_t i = 0; i < piece.length; i++) {                                               \
          const index_t position = piece.at + i * stride;                                          \
          staged[piece.done + i] = VALUE;                                                          \
        }                                                                                          \
      }                                                                                            \
    } while (next_piece(move, row, operand, &piece));                                              \
  }

#define STEP_STAYS(n) all = all && (ORIGIN_##n == CLRS_ORIGIN_NUMBER || stays(move, VIEW_##n));
INLINED bool all_stay(mapped_ref move) {
  bool all = true;
  EACH_STEP(STEP_STAYS)
#if ZERO_PLACE != 0
  STEP_STAYS(8)
#endif
  return all;
}

/* ---- rows ---- */

#define TAKE_PLACE(n)                                                                              \
  p.p##n = PARAMETER(n, ORIGIN_##n == CLRS_ORIGIN_NUMBER ? 0 : row.places.at[VIEW_##n]);
#define DECLARE_STAGE(n) arith_t stage_##n[CLRS_MAPPED_STAGE];
#define FILL_STAGE(n)                                                                              \
  if (ORIGIN_##n == CLRS_ORIGIN_NUMBER) {                                                          \
    const arith_t value = PARAMETER(n, 0);                                                         \
    for (index_t i = 0; i < row.count; i++) {                                                      \
      stage_##n[i] = value;                                                                        \
    }                                                                                              \
  } else {                                                                                         \
    STAGE_PARAMETER(VIEW_##n, stage_##n, PARAMETER(n, position))                                   \
  }
#define TAKE_STAGED(n) p.p##n = stage_##n[i];

/* Each element has parameters of its own. */
#define arith_or_zero arith_t
INLINED void convert_varying(mapped_ref move, const tensors_t tensors, const row_t row,
                             const FROM_T *staged, TO_T *result) {
#if STEP_COUNT > 0 || ZERO_PLACE != 0
  EACH_STEP(DECLARE_STAGE)
  EACH_STEP(FILL_STAGE)
#if ZERO_PLACE != 0
  int zeros[CLRS_MAPPED_STAGE]; /* 32 bits of it, with or without a sign */
#undef arith_or_zero
#define arith_or_zero int
  if (ORIGIN_8 == CLRS_ORIGIN_NUMBER) {
    for (index_t i = 0; i < row.count; i++) {
      zeros[i] = (int)ZERO_PARAMETER(0);
    }
  } else {
    STAGE_PARAMETER(VIEW_8, zeros, (int)ZERO_PARAMETER(position))
  }
#endif
  for (index_t i = 0; i < row.count; i++) {
    parameters_t p = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    EACH_STEP(TAKE_STAGED)
#if ZERO_PLACE != 0
    p.zero = ZERO_SIGNED ? (long)zeros[i] : (long)(uint)zeros[i];
#endif
    result[i] = CONVERT(staged[i], p);
  }
#endif
  (void)tensors;
}

INLINED void convert_uniform(mapped_ref move, const tensors_t tensors, const row_t row,
                             const FROM_T *staged, TO_T *result) {
  parameters_t p = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  EACH_STEP(TAKE_PLACE)
#if ZERO_PLACE != 0
  p.zero = ZERO_PARAMETER(ORIGIN_8 == CLRS_ORIGIN_NUMBER ? 0 : row.places.at[VIEW_8]);
#endif
  for (index_t i = 0; i < row.count; i++) {
    result[i] = CONVERT(staged[i], p);
  }
  (void)tensors;
  (void)move;
}

/* The run's axes make one stride of the destination. */
INLINED void write_row(global uchar *destination, mapped_ref move, const row_t row,
                       const TO_T *result) {
  const index_t stride = move->axes[move->axis_count - 1].strides[CLRS_TO];
  const index_t at = row.places.at[CLRS_TO] + row.column * stride;
#if !UNALIGNED
  if (stride == 1) {
    stream_staged((const UNIT *)result, (global UNIT *)destination + at, row.count);
    return;
  }
#endif
  for (index_t i = 0; i < row.count; i++) {
    store_code(ELEMENT(TO), destination, at + i * stride, result[i]);
  }
}

INLINED void map_row(const FROM_T *staged, global uchar *destination, mapped_ref move,
                     const tensors_t tensors, const row_t row, bool is_uniform) {
  TO_T result[CLRS_MAPPED_STAGE];
  if (is_uniform) {
    convert_uniform(move, tensors, row, staged, result);
  } else {
    convert_varying(move, tensors, row, staged, result);
  }
  write_row(destination, move, row, result);
}

/* 1 if the rows of a chunk are planes that lie interleaved in the source, -1 if in reverse. */
INLINED index_t planes_interleaved(mapped_ref move, index_t rows) {
  const index_t row_step = move->axes[first_run_axis(move) - 1].strides[CLRS_FROM];
  const bool are_planes = move->run_axes == 1 && rows >= 2 && rows <= 4 &&
                          move->axes[move->axis_count - 1].strides[CLRS_FROM] == rows;
  return are_planes && (row_step == 1 || row_step == -1) ? row_step : 0;
}

/* Row axis: the one before the run's. */
INLINED void map_chunk(global const uchar *source, global uchar *destination, mapped_ref move,
                       const tensors_t tensors, count_t i, bool is_uniform) {
  const index_t row_axis = first_run_axis(move) - 1;
  count_t rest = i;
  row_t row;
  const index_t row_chunk = take_digit(&rest, move->row_chunks, move->row_chunks_divisor);
  const index_t column_chunk = take_digit(&rest, move->column_chunks, move->column_chunks_divisor);
  const index_t first = row_chunk * move->chunk_rows;
  for (int operand = 0; operand < OPERANDS; operand++) {
    row.places.at[operand] = move->starts[operand] + first * move->axes[row_axis].strides[operand];
  }
  for (index_t k = row_axis; k-- > 0;) {
    const index_t digit = take_digit(&rest, move->axes[k].extent, move->axes[k].divisor);
    for (int operand = 0; operand < OPERANDS; operand++) {
      row.places.at[operand] += digit * move->axes[k].strides[operand];
    }
  }
  row.column = column_chunk * move->chunk_columns;
  row.count = min(move->chunk_columns, move->run - row.column);
  const index_t rows = min(move->chunk_rows, move->rows - first);
  FROM_T planes[4][CLRS_MAPPED_STAGE];
  const index_t order = planes_interleaved(move, rows);
  if (order != 0) {
    const index_t last = order < 0 ? 1 - rows : 0;
    stage_planes(source, row.places.at[CLRS_FROM] + row.column * rows + last, rows, row.count,
                 planes);
  }
  for (index_t r = 0; r < rows; r++) {
    FROM_T *staged = order == 0 ? planes[0] : planes[order > 0 ? r : rows - 1 - r];
    if (order == 0) {
      stage_source(source, move, row, staged);
    }
    map_row(staged, destination, move, tensors, row, is_uniform);
    for (int operand = 0; operand < OPERANDS; operand++) {
      row.places.at[operand] += move->axes[row_axis].strides[operand];
    }
  }
}

INLINED void move_map_rows(global const uchar *source, global uchar *destination, mapped_ref move,
                           const tensors_t tensors) {
  const count_t first = first_index() * (count_t)move->chunks_per_item;
  const count_t end = min(first + (count_t)move->chunks_per_item, (count_t)move->count);
  const bool is_uniform = all_stay(move);
  for (count_t i = first; i < end; i++) {
    map_chunk(source, destination, move, tensors, i, is_uniform);
  }
}

MAP_KERNEL(map_rows)
