/*
 * The frame that map_rows and map_tile share. A chunk has some steps of one axis, the rows, and a
 * part of a destination run. Parameters that change along a row are staged in the order of the row.
 * Each kernel finds its own source codes. Results are written in lines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_PARTS_CL
#define CLRS_MAP_PARTS_CL
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_MAP_CONVERT_CL
#include "map_convert.cl"
#endif
#if RESAMPLES
#ifndef CLRS_MAP_LINES_CL
#include "map_lines.cl"
#endif
#endif

/* Some rows of the axis before the run axes, and a part of each row. */
typedef struct part_t {
  row_t row;
  index_t rows;
  index_t ahead; /* elements of the source from here to the next chunk */
} part_t;

/* Finds part number i. The digits of i are the row chunk, the column chunk, and the steps of the
 * axes before the rows. Example: 20 rows in chunks of 8, and 100 columns in chunks of 64, are 3 * 2
 * parts. Part 4 (4 = 1 * 3 + 1) is row chunk 1, the rows 8 to 15, of column chunk 1, the columns 64
 * to 99. */
APART part_t find_part(mapped_ref move, count_t i) {
  const index_t row_axis = first_run_axis(move) - 1;
  count_t rest = i;
  part_t part;
  part.ahead = 0;
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

INLINED index_t source_place(mapped_ref move, const row_t row) {
  return row.places.at[CLRS_FROM] +
         row.column * move->axes[move->axis_count - 1].strides[CLRS_FROM];
}

/* Ends a row at the end of the run, if rows are parts of one run. */
INLINED void end_row(mapped_ref move, row_t *row) {
  if (move->reach > 0) {
    const index_t done = row->places.at[CLRS_TO] - move->starts[CLRS_TO] + row->column;
    row->count = min(row->count, move->reach - done);
  }
}

/* The values that all rows of a work-item share. */
typedef struct rows_t {
  global const uchar *source;
  global uchar *destination;
  mapped_ref move;
  runs_t runs;
  index_t group;
#if RESAMPLES
  lines_t *lines;
#elif MIXES
  global const uchar *u, *v;
#endif
} rows_t;

INLINED target_t target_of(const rows_t *of, const row_t row) {
  const index_t stride = of->move->axes[of->move->axis_count - 1].strides[CLRS_TO];
  const target_t target = {of->destination, row.places.at[CLRS_TO] + row.column * stride, stride,
                           0};
  return target;
}

/* Returns true if the rows are a few planes. Each plane has separate parameters, which are the same
 * in every chunk. */
INLINED bool are_planes(mapped_ref move, const part_t part);

/* Moves row r of the part to the target. part.row has the places of row r. The first row may stage
 * codes for later rows in `staged`. */
INLINED void move_row(const rows_t *of, const part_t part, index_t r, const stages_t *stages,
                      const target_t target, FROM_T *staged);

/* Writes the result of a gather for a row whose index is skipped. */
INLINED void write_skipped(const rows_t *of, const row_t row, const tensors_t tensors) {
  const target_t target = target_of(of, row);
  const index_t count = SCATTERS ? 0 : row.count;
  for (index_t i = 0; i < count; i++) {
    store_code(ELEMENT(TO), target.destination, target.at + i * target.stride, SKIPPED_CODE);
  }
  (void)tensors;
}

INLINED void move_part(const rows_t *of, const tensors_t tensors, part_t part, stages_t *stages,
                       FROM_T *staged) {
  bool is_any_outside = false;
  for (index_t r = 0; r < part.rows && part.row.count > 0; r++) {
    part_t named = part;
    if (!name_place(of->move, tensors, &named.row.places, &is_any_outside)) {
      write_skipped(of, part.row, tensors);
    } else {
      const target_t target = target_of(of, named.row);
      const int shift = group_shift(of->move, of->group, head_of(target, named.row.count));
      stages_t *of_row = &stages[are_planes(of->move, part) ? r : 0];
      stage_row_parameters(of->move, tensors, &of->runs, named.row, shift, of_row);
      move_row(of, named, r, of_row, target, staged);
    }
    next_row(of->move, &part.row);
    end_row(of->move, &part.row);
  }
  end_indices(of->move, tensors, is_any_outside);
}

INLINED void move_parts(const rows_t *of, const work_t work, const tensors_t tensors,
                        stages_t *stages, index_t stage_count, FROM_T *staged) {
  const count_t first = work.first * (count_t)of->move->chunks_per_item;
  const count_t end = min(first + (count_t)of->move->chunks_per_item, (count_t)of->move->count);
  for (index_t k = 0; k < stage_count; k++) {
    stages[k].count = 0;
  }
  part_t next = find_part(of->move, first);
  for (count_t i = first; i < end; i++) {
    part_t part = next;
    if (i + 1 < end) {
      next = find_part(of->move, i + 1);
      part.ahead = source_place(of->move, next.row) - source_place(of->move, part.row);
    }
    end_row(of->move, &part.row);
    move_part(of, tensors, part, stages, staged);
  }
}

#if RESAMPLES
#define DECLARE_LINES                                                                              \
  lines_t lines;                                                                                   \
  START_LINES(lines)
#define LINES_REF , &lines
#elif MIXES
#define DECLARE_LINES
#define LINES_REF , tensors.u, tensors.v
#else
#define DECLARE_LINES
#define LINES_REF
#endif

/* Defines a kernel. Its move_row must come before, and stages `code_count` codes of a chunk. */
#define MAP_PARTS_KERNEL(name, stage_count, code_count)                                            \
  BODY void move_##name(const work_t work, global const uchar *source, global uchar *destination,  \
                        mapped_ref move, const tensors_t tensors) {                                \
    DECLARE_LINES                                                                                  \
    rows_t rows = {source, destination, move, {{0}, {0}}, shared_group(move) LINES_REF};           \
    find_runs(move, &rows.runs);                                                                   \
    stages_t stages[stage_count];                                                                  \
    FROM_T staged[code_count];                                                                     \
    move_parts(&rows, work, tensors, stages, stage_count, staged);                                 \
  }                                                                                                \
  MAP_KERNEL(name)

#endif
