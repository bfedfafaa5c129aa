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
#ifndef CLRS_PARAMETERS_CL
#include "parameters.cl"
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

/* The axes of a run as one operand sees them: the last of them may be one for it, though not for
 * another. */
typedef struct runs_t {
  index_t first[OPERANDS];  /* the axes from here on are one */
  index_t extent[OPERANDS]; /* of that one */
} runs_t;

INLINED runs_t find_runs(mapped_ref move) {
  runs_t runs;
  for (int operand = 0; operand < OPERANDS; operand++) {
    index_t k = move->axis_count - 1;
    const index_t stride = move->axes[k].strides[operand];
    index_t extent = move->axes[k].extent;
    while (k > first_run_axis(move) && move->axes[k - 1].strides[operand] == stride * extent) {
      k--;
      extent *= move->axes[k].extent;
    }
    runs.first[operand] = k;
    runs.extent[operand] = extent;
  }
  return runs;
}

/* Goes through a row's part in pieces that lie at one stride: where one is, in the operand and in
 * the part, and how long it is. */
typedef struct piece_t {
  index_t digits[AXES];
  index_t at, inner, done, length;
} piece_t;

INLINED void start_pieces(mapped_ref move, const runs_t *runs, const row_t row, int operand,
                          piece_t *piece) {
  count_t rest = (count_t)row.column;
  index_t scale = 1;
  piece->at = row.places.at[operand];
  piece->inner = 0;
  for (index_t k = move->axis_count; k-- > first_run_axis(move);) {
    const index_t digit = take_digit(&rest, move->axes[k].extent, move->axes[k].divisor);
    piece->at += digit * move->axes[k].strides[operand];
    piece->digits[k] = digit;
    if (k >= runs->first[operand]) {
      piece->inner += digit * scale;
      scale *= move->axes[k].extent;
    }
  }
  piece->done = 0;
  piece->length = min(runs->extent[operand] - piece->inner, row.count);
}

/* False if there is no next one. */
INLINED bool next_piece(mapped_ref move, const runs_t *runs, const row_t row, int operand,
                        piece_t *piece) {
  index_t k = runs->first[operand];
  piece->done += piece->length;
  if (piece->done >= row.count) {
    return false;
  }
  piece->at -= piece->inner * move->axes[move->axis_count - 1].strides[operand];
  piece->inner = 0;
  while (--k >= first_run_axis(move)) {
    piece->at += move->axes[k].strides[operand];
    if (++piece->digits[k] < move->axes[k].extent) {
      break;
    }
    piece->at -= move->axes[k].extent * move->axes[k].strides[operand];
    piece->digits[k] = 0;
  }
  piece->length = min(runs->extent[operand], row.count - piece->done);
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

INLINED void stage_source(global const uchar *source, mapped_ref move, const runs_t *runs,
                          const row_t row, FROM_T *staged) {
  const index_t stride = move->axes[move->axis_count - 1].strides[CLRS_FROM];
  piece_t piece;
  start_pieces(move, runs, row, CLRS_FROM, &piece);
  do {
    stage_piece(source, piece.at, stride, staged + piece.done, piece.length);
  } while (next_piece(move, runs, row, CLRS_FROM, &piece));
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
    start_pieces(move, runs, row, operand, &piece);                                                \
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
    } while (next_piece(move, runs, row, operand, &piece));                                        \
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
#define DECLARE_STAGE(n) arith_t step_##n[CLRS_MAPPED_STAGE];
#define FILL_STAGE(n)                                                                              \
  if (ORIGIN_##n == CLRS_ORIGIN_NUMBER) {                                                          \
    const arith_t value = PARAMETER(n, 0);                                                         \
    for (index_t i = 0; i < row.count; i++) {                                                      \
      stages->step_##n[i] = value;                                                                 \
    }                                                                                              \
  } else {                                                                                         \
    STAGE_PARAMETER(VIEW_##n, stages->step_##n, PARAMETER(n, position))                            \
  }
#define TAKE_STAGED(n) p.p##n = stages->step_##n[i];

/* The parameters of a row's elements, where they change along it. */
typedef struct stages_t {
  EACH_STEP(DECLARE_STAGE)
  int zeros[ZERO_PLACE != 0 ? CLRS_MAPPED_STAGE : 1]; /* 32 bits of it, with or without a sign */
} stages_t;

#define arith_or_zero arith_t
INLINED void stage_steps(mapped_ref move, const tensors_t tensors, const runs_t *runs,
                         const row_t row, stages_t *stages) {
  EACH_STEP(FILL_STAGE)
  (void)tensors;
  (void)runs;
}
#undef arith_or_zero

#define arith_or_zero int
INLINED void stage_zeros(mapped_ref move, const tensors_t tensors, const runs_t *runs,
                         const row_t row, stages_t *stages) {
#if ZERO_PLACE != 0
  if (ORIGIN_8 == CLRS_ORIGIN_NUMBER) {
    for (index_t i = 0; i < row.count; i++) {
      stages->zeros[i] = (int)ZERO_PARAMETER(0);
    }
  } else {
    STAGE_PARAMETER(VIEW_8, stages->zeros, (int)ZERO_PARAMETER(position))
  }
#endif
  (void)move;
  (void)tensors;
  (void)runs;
  (void)row;
  (void)stages;
}

/* Are the row's parameters those that are staged? So they are where each part begins at a period of
 * them, and no other step moves them. */
INLINED bool are_staged(mapped_ref move, const row_t row, places_t *staged_at, bool is_first) {
  bool same = !is_first && move->period != 0;
  for (int operand = CLRS_FIRST_VIEW; operand < OPERANDS; operand++) {
    same = same && staged_at->at[operand] == row.places.at[operand];
    staged_at->at[operand] = row.places.at[operand];
  }
  return same;
}

/* Each element has parameters of its own. */
INLINED void convert_varying(const row_t row, const stages_t *stages, const FROM_T *staged,
                             TO_T *result) {
  for (index_t i = 0; i < row.count; i++) {
    parameters_t p = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    EACH_STEP(TAKE_STAGED)
#if ZERO_PLACE != 0
    p.zero = ZERO_SIGNED ? (long)stages->zeros[i] : (long)(uint)stages->zeros[i];
#endif
    result[i] = CONVERT(staged[i], p);
  }
  (void)stages;
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

/* 1 if the rows of a chunk are planes that lie interleaved in the source, -1 if in reverse. */
INLINED index_t planes_interleaved(mapped_ref move, index_t rows) {
  const index_t row_step = move->axes[first_run_axis(move) - 1].strides[CLRS_FROM];
  const bool are_planes = move->run_axes == 1 && rows >= 2 && rows <= 4 &&
                          move->axes[move->axis_count - 1].strides[CLRS_FROM] == rows;
  return are_planes && (row_step == 1 || row_step == -1) ? row_step : 0;
}

/* Some rows of the axis before the run's, and a part of each. */
typedef struct part_t {
  row_t row;
  index_t rows;
} part_t;

INLINED part_t find_part(mapped_ref move, count_t i) {
  const index_t row_axis = first_run_axis(move) - 1;
  count_t rest = i;
  part_t part;
  const index_t row_chunk = take_digit(&rest, move->row_chunks, move->row_chunks_divisor);
  const index_t column_chunk = take_digit(&rest, move->column_chunks, move->column_chunks_divisor);
  const index_t first = row_chunk * move->chunk_rows;
  for (int operand = 0; operand < OPERANDS; operand++) {
    part.row.places.at[operand] =
        move->starts[operand] + first * move->axes[row_axis].strides[operand];
  }
  for (index_t k = row_axis; k-- > 0;) {
    const index_t digit = take_digit(&rest, move->axes[k].extent, move->axes[k].divisor);
    for (int operand = 0; operand < OPERANDS; operand++) {
      part.row.places.at[operand] += digit * move->axes[k].strides[operand];
    }
  }
  part.row.column = column_chunk * move->chunk_columns;
  part.row.count = min(move->chunk_columns, move->run - part.row.column);
  part.rows = min(move->chunk_rows, move->rows - first);
  return part;
}

INLINED void next_row(mapped_ref move, row_t *row) {
  for (int operand = 0; operand < OPERANDS; operand++) {
    row->places.at[operand] += move->axes[first_run_axis(move) - 1].strides[operand];
  }
}

/* Stages parameters of a whole part, even if this one is shorter: the next may have more of them.
 */
INLINED void stage_parameters(mapped_ref move, const tensors_t tensors, const runs_t *runs,
                              row_t row, stages_t *stages) {
  row.count = move->period != 0 ? move->chunk_columns : row.count;
  stage_steps(move, tensors, runs, row, stages);
  stage_zeros(move, tensors, runs, row, stages);
}

INLINED void move_map_rows(global const uchar *source, global uchar *destination, mapped_ref move,
                           const tensors_t tensors) {
  const count_t first = first_index() * (count_t)move->chunks_per_item;
  const count_t end = min(first + (count_t)move->chunks_per_item, (count_t)move->count);
  const bool is_uniform = all_stay(move);
  const runs_t runs = find_runs(move);
  FROM_T planes[4][CLRS_MAPPED_STAGE];
  TO_T result[CLRS_MAPPED_STAGE];
  stages_t stages;
  places_t staged_at;
  bool is_first = true;
  for (count_t i = first; i < end; i++) {
    part_t part = find_part(move, i);
    const index_t order = planes_interleaved(move, part.rows);
    if (order != 0) {
      const index_t lowest = order < 0 ? 1 - part.rows : 0;
      stage_planes(source, part.row.places.at[CLRS_FROM] + part.row.column * part.rows + lowest,
                   part.rows, part.row.count, planes);
    }
    for (index_t r = 0; r < part.rows; r++) {
      FROM_T *staged = order == 0 ? planes[0] : planes[order > 0 ? r : part.rows - 1 - r];
      if (order == 0) {
        stage_source(source, move, &runs, part.row, staged);
      }
      if (is_uniform) {
        convert_uniform(move, tensors, part.row, staged, result);
      } else {
        if (!are_staged(move, part.row, &staged_at, is_first)) {
          stage_parameters(move, tensors, &runs, part.row, &stages);
        }
        is_first = false;
        convert_varying(part.row, &stages, staged, result);
      }
      write_row(destination, move, part.row, result);
      next_row(move, &part.row);
    }
  }
}

MAP_KERNEL(map_rows)
