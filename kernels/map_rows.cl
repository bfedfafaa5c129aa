/*
 * map_rows: any strides, for CPUs. A chunk is some steps of one axis, the rows, by a part of what
 * lies in one run of the destination. Of each row the source's codes are staged in the
 * destination's order, if they are not neighbours already, and so are the parameters that change
 * along it; what comes of them is written in lines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_MAP_TURN_CL
#include "map_turn.cl"
#endif
#ifndef CLRS_MAP_TABLE_CL
#include "map_table.cl"
#endif

#define PLANES (HAS_VIEWS ? 4 : 1)

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

/* Rows that are parts of one run end with the run. */
INLINED void end_row(mapped_ref move, row_t *row) {
  if (move->reach > 0) {
    const index_t done = row->places.at[CLRS_TO] - move->starts[CLRS_TO] + row->column;
    row->count = min(row->count, move->reach - done);
  }
}

/* How the rows of a part are staged: each by itself, or all with the first of them. Row r's codes
 * are at first + r * pitch then. */
typedef struct staging_t {
  bool is_of_all;
  index_t rows_turned, first, pitch;
} staging_t;

INLINED staging_t find_staging(mapped_ref move, const part_t part) {
  const index_t order = planes_interleaved(move, part.rows);
  staging_t staging = {true, 0, order < 0 ? (part.rows - 1) * CLRS_MAPPED_STAGE : 0,
                       order * CLRS_MAPPED_STAGE};
  if (order == 0) {
    staging.is_of_all = may_turn(move, part.rows, part.row.count);
    staging.rows_turned = staging.is_of_all ? part.rows : 0;
    staging.pitch = turned_pitch(part.row.count);
  }
  return staging;
}

INLINED bool is_interleaved(const staging_t staging) {
  return staging.is_of_all && staging.rows_turned == 0;
}

/* The codes of row r, which are staged unless they have been. */
INLINED codes_ref stage_row(global const uchar *source, mapped_ref move, const runs_t *runs,
                            const part_t part, index_t r, const staging_t staging, FROM_T *staged) {
  if (r == 0 && is_interleaved(staging)) {
    const index_t lowest = staging.pitch < 0 ? 1 - part.rows : 0;
    stage_planes(source, part.row.places.at[CLRS_FROM] + part.row.column * part.rows + lowest,
                 part.rows, part.row.count, staged);
  } else if (r == 0 || !staging.is_of_all) {
    return find_codes(source, move, runs, part.row, staging.rows_turned, staged);
  }
  return AS_CODES_REF(staged + staging.first + r * staging.pitch);
}

/* What is the same for all rows of a work-item. */
typedef struct rows_t {
  global const uchar *source;
  global uchar *destination;
  mapped_ref move;
  runs_t runs;
  index_t group;
} rows_t;

INLINED target_t target_of(const rows_t *of, const row_t row) {
  const index_t stride = of->move->axes[of->move->axis_count - 1].strides[CLRS_TO];
  const target_t target = {of->destination, row.places.at[CLRS_TO] + row.column * stride, stride};
  return target;
}

INLINED void move_part(const rows_t *of, const tensors_t tensors, part_t part, FROM_T *staged,
                       stages_t *stages) {
  const staging_t staging = find_staging(of->move, part);
  for (index_t r = 0; r < part.rows && part.row.count > 0; r++) {
    const target_t target = target_of(of, part.row);
    const int shift = group_shift(of->move, of->group, head_of(target, part.row.count));
    stages_t *of_row = &stages[is_interleaved(staging) ? r % PLANES : 0];
    if (!are_staged(of->move, part.row, of_row, shift)) {
      of_row->shift = shift;
      stage_parameters(of->move, tensors, &of->runs, part.row, of_row);
    }
    if (!convert_by_table(of->source, of->move, &of->runs, part.row, of_row, target)) {
      const codes_ref codes = stage_row(of->source, of->move, &of->runs, part, r, staging, staged);
      convert_row(codes, part.row.count, of_row, target);
    }
    next_row(of->move, &part.row);
    end_row(of->move, &part.row);
  }
}

INLINED void move_map_rows(global const uchar *source, global uchar *destination, mapped_ref move,
                           const tensors_t tensors) {
  const count_t first = first_index() * (count_t)move->chunks_per_item;
  const count_t end = min(first + (count_t)move->chunks_per_item, (count_t)move->count);
  const rows_t rows = {source, destination, move, find_runs(move), shared_group(move)};
  FROM_T staged[STAGED_CODES];
  stages_t stages[PLANES]; /* planes have parameters of their own, chunk after chunk the same */
  for (int plane = 0; plane < PLANES; plane++) {
    stages[plane].count = 0;
  }
  for (count_t i = first; i < end; i++) {
    part_t part = find_part(move, i);
    end_row(move, &part.row);
    move_part(&rows, tensors, part, staged, stages);
  }
}

MAP_KERNEL(map_rows)
