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

/* ---- where the named runs are ----
 * The indices of some runs are read together, before the first of these runs is moved: compilers
 * make vectors of such loops. */
#define MOST_NAMED 128
#define SKIPPED ((index_t)1 << (INDEX_BITS - 1))

typedef struct named_t {
  index_t count, at[MOST_NAMED]; /* SKIPPED: the index names no run */
  bool is_any_outside, is_any_skipped;
} named_t;

/* The places that the indices name, from number `first` on: those outside are clamped. The rules
 * are those of find_place. An example: of the indices 2, -1 and 9, of which negative ones count
 * from the end of 5 places, the places are 2, 4 and 4, and one index is outside. */
INLINED bool find_places(const sides_t *sides, const common_t *common, index_t first,
                         named_t *named) {
  const index_t step = common->step.index_stride, count = named->count;
  const sum_t extent = (sum_t)common->rules.extent, last = extent - 1;
  const sum_t added = common->rules.is_from_end ? extent : 0;
  global const index_entry_t *indices = sides->indices + first;
  sum_t outside = 0;
  for (index_t i = 0; i < count; i++) {
    const sum_t index = (sum_t)indices[i * step].value;
    const sum_t found = index < 0 ? index + added : index;
    const sum_t place = found < 0 ? 0 : found > last ? last : found;
    outside |= place ^ found;
    named->at[i] = (index_t)place;
  }
  return outside != 0;
}

inline void mark_skipped(const sides_t *sides, const common_t *common, index_t first,
                         named_t *named) {
  for (index_t i = 0; i < named->count; i++) {
    const sum_t index = (sum_t)sides->indices[first + i * common->step.index_stride].value;
    count_t place;
    bool is_outside;
    if (!find_place(index, common->rules, &place, &is_outside)) {
      named->at[i] = SKIPPED;
      named->is_any_skipped = true;
    }
  }
}

/* Of named->count rows, from this one on. */
inline void find_named(const sides_t *sides, const indexed_t *move, const common_t *common,
                       const indexed_at_t *start, index_t row, named_t *named) {
  const index_t first = start->index + row * common->step.index_stride, count = named->count;
  const index_t step = common->step.named_stride, stride = common->stride;
  const index_t begin = start->named + row * step;
  named->is_any_skipped = false;
  named->is_any_outside = find_places(sides, common, first, named);
  if (common->digit_count == 1) {
    for (index_t i = 0; i < count; i++) {
      named->at[i] = begin + i * step + named->at[i] * stride;
    }
  } else {
    for (index_t i = 0; i < count; i++) {
      named->at[i] = begin + i * step + units_to_place(move, (count_t)named->at[i]);
    }
  }
  if (named->is_any_outside) {
    mark_skipped(sides, common, first, named);
  }
}

/* ---- short runs ----
 * No hardware foresees where the next ones are, so those LATER_BYTES further on, but no more than
 * MOST_NAMED runs, are fetched meanwhile: a core waits for few loads at once, and for no fetch.
 * Runs of which all lie within NEAR_BYTES are near enough. Measured on PoCL, as is STREAMED_BYTES.
 */
#define LATER_BYTES 8192
#define NEAR_BYTES 262144
#define STREAMED_BYTES 2048

/* Chunks of a run begin at a multiple of 16 bytes from the run's start, and so with the value's
 * first unit. */
INLINED void skip_run(const sides_t *sides, index_t listed, index_t columns) {
#if SCATTERS
  (void)sides, (void)listed, (void)columns;
#else
  for (index_t i = 0; i < columns; i++) {
    sides->destination[listed + i] = unit_of(sides->value, i);
  }
#endif
}

#define RUN_FROM(i) (SCATTERS ? listed + (i)*step : named->at[i])
#define RUN_TO(i) (SCATTERS ? named->at[i] : listed + (i)*step)

/* Each as two parts that overlap or meet, as lines.cl has them. */
#define MOVE_PARTS(type, space, part)                                                              \
  if (bytes >= (index_t)sizeof(type)) {                                                            \
    const index_t last = bytes - (index_t)sizeof(type);                                            \
    for (index_t i = 0; i < count; i++) {                                                          \
      space const uchar *from = (space const uchar *)(source + RUN_FROM(i));                       \
      space uchar *to = (space uchar *)(destination + RUN_TO(i));                                  \
      const type head = ((space const part *)from)->value;                                         \
      const type tail = ((space const part *)(from + last))->value;                                \
      ((space part *)to)->value = head;                                                            \
      ((space part *)(to + last))->value = tail;                                                   \
    }                                                                                              \
    return;                                                                                        \
  }

/* Runs none of which is skipped: units, runs shorter than two lines, then any. */
inline void move_named(const sides_t *sides, const common_t *common, index_t listed,
                       const named_t *named) {
  const index_t columns = common->columns, step = common->step.listed_stride, count = named->count;
  global const UNIT *source = sides->source;
  global UNIT *destination = sides->destination;
  if (columns == 1) {
    for (index_t i = 0; i < count; i++) {
      destination[RUN_TO(i)] = source[RUN_FROM(i)];
    }
    return;
  }
#if NATIVE_CODE
  const index_t bytes = columns * (UNIT_BITS / 8);
  if (bytes < 2 * LINE_BYTES && bytes != LINE_BYTES) {
    MOVE_PARTS(uint16, global, any_line_t)
    WIDEST_FIRST(MOVE_PARTS, global)
  }
#endif
  for (index_t i = 0; i < count; i++) {
    stream_run(source + RUN_FROM(i), destination + RUN_TO(i), columns);
  }
}

inline void move_some(const sides_t *sides, const common_t *common, index_t listed,
                      const named_t *named) {
  const index_t step = common->step.listed_stride;
  for (index_t i = 0; i < named->count; i++) {
    if (named->at[i] == SKIPPED) {
      skip_run(sides, listed + i * step, common->columns);
    } else {
      stream_run(sides->source + RUN_FROM(i), sides->destination + RUN_TO(i), common->columns);
    }
  }
}

INLINED void fetch_named(const sides_t *sides, index_t columns, const named_t *named) {
  for (index_t i = 0; i < named->count; i++) {
    for (index_t k = 0; k < columns && named->at[i] != SKIPPED; k += UNITS_PER_LINE) {
      PREFETCH_FAR(sides->source + named->at[i] + k);
    }
  }
}

/* Need runs of the source not be fetched? */
inline bool is_near(const indexed_t *move) {
  const index_t stride = move->digits[0].stride, extent = move->extent;
  return move->digit_count == 1 && stride < NEAR_BYTES && stride > -NEAR_BYTES &&
         extent < NEAR_BYTES &&
         (ulong)extent * (ulong)(stride < 0 ? -stride : stride) < NEAR_BYTES * 8 / UNIT_BITS;
}

inline bool move_short_runs(const sides_t *sides, const indexed_t *move, runs_t runs) {
  const common_t common = common_of(move, runs.columns);
  const index_t most =
      max(min((index_t)(LATER_BYTES * 8 / UNIT_BITS) / common.columns, (index_t)MOST_NAMED),
          (index_t)4);
  const bool fetches = !SCATTERS && !is_near(move);
  named_t both[2];
  bool is_any_outside = false;
  both[0].count = min(most, runs.rows);
  find_named(sides, move, &common, &runs.at, 0, &both[0]);
  for (index_t row = 0, turn = 0; row < runs.rows; turn ^= 1) {
    const named_t *named = &both[turn];
    named_t *next = &both[turn ^ 1];
    const index_t listed = runs.at.listed + row * common.step.listed_stride;
    row += named->count;
    next->count = min(most, runs.rows - row);
    find_named(sides, move, &common, &runs.at, row, next);
    if (fetches) {
      fetch_named(sides, common.columns, next);
    }
    if (named->is_any_skipped) {
      move_some(sides, &common, listed, named);
    } else {
      move_named(sides, &common, listed, named);
    }
    is_any_outside |= named->is_any_outside;
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
  const index_t step = common.step.listed_stride;
  named_t one, *named = &one;
  streams_t streams;
  bool is_any_outside = false;
  streams.count = 0;
  one.count = 1;
  for (index_t row = 0; row < runs.rows; row++) {
    const index_t listed = runs.at.listed + row * step;
    find_named(sides, move, &common, &runs.at, row, &one);
    if (one.is_any_skipped) {
      skip_run(sides, listed, common.columns);
    } else {
      streams.from[streams.count] = sides->source + RUN_FROM(0);
      streams.to[streams.count] = sides->destination + RUN_TO(0);
      streams.count++;
    }
    if (streams.count == STREAMS) {
      stream_all(&streams, common.columns);
    }
    is_any_outside |= one.is_any_outside;
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
    is_any_outside |= runs.columns < STREAMED_BYTES * 8 / UNIT_BITS
                          ? move_short_runs(&sides, &move, runs)
                          : move_long_runs(&sides, &move, runs);
  }
  if (is_any_outside) {
    raise_flag(sides.flag, move.rules);
  }
}
