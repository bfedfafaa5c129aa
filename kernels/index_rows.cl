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

/* What all runs of a chunk have in common, in variables of its own: a compiler cannot know that a
 * store leaves the words of the launch alone. */
typedef struct common_t {
  indexed_loop_t step;
  index_rules_t rules;
  index_t digit_count, stride, columns;
} common_t;

inline common_t common_of(const indexed_t *move, index_t columns) {
  const common_t common = {move->loops[1], rules_of(move->extent, move->rules), move->digit_count,
                           move->digits[0].stride, columns};
  return common;
}

/* Where the named run of the index here is. False if the index is skipped. */
INLINED bool find_run(const sides_t *sides, const indexed_t *move, const common_t *common,
                      const indexed_at_t *at, index_t *named, bool *is_outside) {
  count_t place;
  const bool is_there =
      find_place((long)sides->indices[at->index].value, common->rules, &place, is_outside);
  *named = at->named + (common->digit_count == 1 ? (index_t)place * common->stride
                                                 : units_to_place(move, place));
  return is_there;
}

INLINED index_t from_of(const indexed_at_t *at, index_t named) {
  return SCATTERS ? at->listed : named;
}

INLINED index_t to_of(const indexed_at_t *at, index_t named) {
  return SCATTERS ? named : at->listed;
}

/* Chunks of a run begin at a multiple of 16 bytes from the run's start, and so with the value's
 * first unit. */
INLINED void skip_run(const sides_t *sides, const indexed_at_t *at, index_t columns) {
#if SCATTERS
  (void)sides, (void)at, (void)columns;
#else
  for (index_t i = 0; i < columns; i++) {
    sides->destination[at->listed + i] = unit_of(sides->value, i);
  }
#endif
}

/* ---- short runs ----
 * No hardware foresees where the next ones are, so those LATER_BYTES further on, but no more than
 * MOST_LATER runs, are fetched meanwhile: a core waits for few loads at once, and for no fetch.
 * Measured on PoCL, as is STREAMED_BYTES. */
#define LATER_BYTES 8192
#define MOST_LATER 128
#define STREAMED_BYTES 2048

INLINED void fetch_run(const sides_t *sides, const indexed_t *move, const common_t *common,
                       const runs_t *runs, index_t ahead) {
#if !SCATTERS
  indexed_at_t at = runs->at;
  index_t named;
  bool is_outside;
  step_along(common->step, ahead, &at);
  if (find_run(sides, move, common, &at, &named, &is_outside)) {
    for (index_t i = 0; i < common->columns; i += UNITS_PER_LINE) {
      PREFETCH_FAR(sides->source + named + i);
    }
  }
#else
  (void)sides, (void)move, (void)common, (void)runs, (void)ahead;
#endif
}

/* Runs of a unit. */
inline bool move_units(const sides_t *sides, const indexed_t *move, runs_t runs) {
  const common_t common = common_of(move, 1);
  global const UNIT *source = sides->source;
  global UNIT *destination = sides->destination;
  bool is_any_outside = false;
  for (index_t row = 0; row < runs.rows; row++) {
    index_t named;
    bool is_outside;
    if (row + MOST_LATER < runs.rows) {
      fetch_run(sides, move, &common, &runs, MOST_LATER);
    }
    if (find_run(sides, move, &common, &runs.at, &named, &is_outside)) {
      destination[to_of(&runs.at, named)] = source[from_of(&runs.at, named)];
    } else {
      skip_run(sides, &runs.at, 1);
    }
    is_any_outside |= is_outside;
    step_along(common.step, 1, &runs.at);
  }
  return is_any_outside;
}

inline bool move_short_runs(const sides_t *sides, const indexed_t *move, runs_t runs) {
  const common_t common = common_of(move, runs.columns);
  const index_t ahead =
      min((index_t)(LATER_BYTES * 8 / UNIT_BITS) / common.columns, (index_t)MOST_LATER);
  bool is_any_outside = false;
  for (index_t row = 0; row < runs.rows; row++) {
    index_t named;
    bool is_outside;
    if (row + ahead < runs.rows) {
      fetch_run(sides, move, &common, &runs, ahead);
    }
    if (find_run(sides, move, &common, &runs.at, &named, &is_outside)) {
      stream_run(sides->source + from_of(&runs.at, named),
                 sides->destination + to_of(&runs.at, named), common.columns);
    } else {
      skip_run(sides, &runs.at, common.columns);
    }
    is_any_outside |= is_outside;
    step_along(common.step, 1, &runs.at);
  }
  return is_any_outside;
}

/* ---- long runs ----
 * Several at a time: a core reads as many streams at once as it can. */
#define STREAMS 4

typedef struct streams_t {
  global const UNIT *from[STREAMS];
  global UNIT *to[STREAMS];
  int count;
} streams_t;

/* To the first line of each destination, then lines of all, then the rest of each. */
inline void stream_all(streams_t *streams, index_t count) {
  const index_t lines = count / UNITS_PER_LINE - 1;
  index_t left[STREAMS];
  for (int k = 0; k < STREAMS; k++) {
    const index_t head = (index_t)units_before_line(streams->to[k]);
    for (index_t i = 0; i < head; i++) {
      streams->to[k][i] = streams->from[k][i];
    }
    streams->from[k] += head;
    streams->to[k] += head;
    left[k] = count - head - lines * UNITS_PER_LINE;
  }
  for (index_t i = 0; i < lines * UNITS_PER_LINE; i += UNITS_PER_LINE) {
#pragma unroll
    for (int k = 0; k < STREAMS; k++) {
      STORE_LINE(((global const any_line_t *)(streams->from[k] + i))->value,
                 (global uint16 *)(streams->to[k] + i));
    }
  }
  for (int k = 0; k < STREAMS; k++) {
    stream_run(streams->from[k] + lines * UNITS_PER_LINE, streams->to[k] + lines * UNITS_PER_LINE,
               left[k]);
  }
  streams->count = 0;
}

inline bool move_long_runs(const sides_t *sides, const indexed_t *move, runs_t runs) {
  const common_t common = common_of(move, runs.columns);
  streams_t streams;
  bool is_any_outside = false;
  streams.count = 0;
  for (index_t row = 0; row < runs.rows; row++) {
    index_t named;
    bool is_outside;
    if (find_run(sides, move, &common, &runs.at, &named, &is_outside)) {
      streams.from[streams.count] = sides->source + from_of(&runs.at, named);
      streams.to[streams.count] = sides->destination + to_of(&runs.at, named);
      streams.count++;
    } else {
      skip_run(sides, &runs.at, common.columns);
    }
    if (streams.count == STREAMS) {
      stream_all(&streams, common.columns);
    }
    is_any_outside |= is_outside;
    step_along(common.step, 1, &runs.at);
  }
  for (int k = 0; k < streams.count; k++) {
    stream_run(streams.from[k], streams.to[k], common.columns);
  }
  return is_any_outside;
}

kernel IN_LINES void index_rows(INDEXED_PARAMETERS, const indexed_t move) {
  const sides_t sides = SIDES;
  const count_t first = first_index() * (count_t)move.count_per_item;
  const count_t end = min(first + (count_t)move.count_per_item, (count_t)move.count);
  bool is_any_outside = false;
  for (count_t i = first; i < end; i++) {
    const runs_t runs = find_runs(&move, i);
    is_any_outside |= runs.columns == 1 ? move_units(&sides, &move, runs)
                      : runs.columns < STREAMED_BYTES * 8 / UNIT_BITS
                          ? move_short_runs(&sides, &move, runs)
                          : move_long_runs(&sides, &move, runs);
  }
  if (is_any_outside) {
    raise_flag(&sides, move.rules);
  }
}
