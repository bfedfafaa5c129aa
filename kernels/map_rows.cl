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
#ifndef CLRS_MAP_CONVERT_CL
#include "map_convert.cl"
#endif

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
  const bool is_uniform = all_stay(move), shares_lanes = share_lanes(move);
  const runs_t runs = find_runs(move);
  const index_t stride = move->axes[move->axis_count - 1].strides[CLRS_TO];
  FROM_T planes[4][CLRS_MAPPED_STAGE];
  stages_t stages;
  places_t staged_at;
  stages.spread = SPREAD_NOT;
  for (count_t i = first; i < end; i++) {
    part_t part = find_part(move, i);
    const index_t order = planes_interleaved(move, part.rows);
    if (order != 0) {
      const index_t lowest = order < 0 ? 1 - part.rows : 0;
      stage_planes(source, part.row.places.at[CLRS_FROM] + part.row.column * part.rows + lowest,
                   part.rows, part.row.count, planes);
    }
    for (index_t r = 0; r < part.rows; r++) {
      const index_t plane = order < 0 ? part.rows - 1 - r : order * r;
      const codes_ref codes = order == 0 ? find_codes(source, move, &runs, part.row, planes[0])
                                         : AS_CODES_REF(planes[plane]);
      target_t target = {destination, part.row.places.at[CLRS_TO] + part.row.column * stride,
                         stride, SPREAD_NOT};
      parameters_t uniform = no_parameters();
      if (is_uniform) {
        uniform = uniform_parameters(move, tensors, part.row);
      } else {
        const bool in_lanes = shares_lanes && is_on_lanes(target, part.row.count);
        target.spread = in_lanes ? SPREAD_IN_LANES : SPREAD_ALONG;
        if (!are_staged(move, part.row, target.spread, &stages, &staged_at)) {
          stages.spread = target.spread;
          stage_parameters(move, tensors, &runs, part.row, &stages);
        }
      }
      convert_row(codes, part.row.count, &stages, uniform, target);
      next_row(move, &part.row);
    }
  }
}

MAP_KERNEL(map_rows)
