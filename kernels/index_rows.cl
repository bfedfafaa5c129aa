/*
 * index_rows: a gather or a scatter in chunks of runs, for CPUs. All units of a run are neighbours
 * on both sides and share an index; a run may be a unit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_LINES_CL
#include "lines.cl"
#endif
#ifndef CLRS_INDEXED_CL
#include "indexed.cl"
#endif

/* The runs of a chunk, from here on. */
typedef struct runs_t {
  indexed_at_t at;
  index_t rows, columns;
} runs_t;

inline runs_t find_runs(const indexed_t *move, count_t i) {
  count_t rest = i;
  runs_t runs = {{0, 0, 0}, 0, 0};
  const index_t column =
      take_digit(&rest, move->column_chunks, move->column_chunks_divisor) * move->chunk_columns;
  const index_t row =
      take_digit(&rest, move->row_chunks, move->row_chunks_divisor) * move->chunk_rows;
  runs.columns = min(move->chunk_columns, move->loops[0].extent - column);
  runs.rows = min(move->chunk_rows, move->loops[1].extent - row);
  step_along(move->loops[0], column, &runs.at);
  step_along(move->loops[1], row, &runs.at);
  for (index_t k = 2; k < move->loop_count; k++) {
    const indexed_loop_t loop = move->loops[k];
    step_along(loop, take_digit(&rest, loop.extent, loop.extent_divisor), &runs.at);
  }
  return runs;
}

inline void move_run(global const UNIT *from, global UNIT *to, index_t columns) {
  if (columns == 1) {
    *to = *from;
  } else {
    stream_run(from, to, columns);
  }
}

#if !SCATTERS
/* Chunks of a run begin at a multiple of 16 bytes from the run's start, and so with the value's
 * first unit. */
inline void fill_run(uint4 value, global UNIT *to, index_t columns) {
  for (index_t i = 0; i < columns; i++) {
    to[i] = unit_of_value(value, i);
  }
}
#endif

inline void move_runs(const sides_t *sides, const indexed_t *move, runs_t runs) {
  for (index_t row = 0; row < runs.rows; row++) {
    count_t place;
    if (find_place(sides, runs.at.index, move->extent, move->rules, &place)) {
      indexed_at_t at = runs.at;
      at.named += units_to_place(move, place);
      move_run(sides->source + FROM_OF(at), sides->destination + TO_OF(at), runs.columns);
    }
#if !SCATTERS
    else {
      fill_run(sides->value, sides->destination + runs.at.listed, runs.columns);
    }
#endif
    step_along(move->loops[1], 1, &runs.at);
  }
}

kernel IN_LINES void index_rows(INDEXED_PARAMETERS, const indexed_t move) {
  const sides_t sides = SIDES;
  const count_t first = first_index() * (count_t)move.count_per_item;
  const count_t end = min(first + (count_t)move.count_per_item, (count_t)move.count);
  for (count_t i = first; i < end; i++) {
    move_runs(&sides, &move, find_runs(&move, i));
  }
}
