/*
 * The rows of a gather or a scatter, for CPUs. All units of a row are contiguous on both sides and
 * share an index. A row may be one unit. The program is cpu_rows with INDEXED.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_NAMED_ROWS_CL
#define CLRS_NAMED_ROWS_CL
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_ADDRESS_CL
#include "address.cl"
#endif
#ifndef CLRS_LINES_CL
#include "lines.cl"
#endif

#if SCATTERS
#define LISTED(axis) (axis).source_stride
#define NAMED(axis) (axis).destination_stride
#else
#define LISTED(axis) (axis).destination_stride
#define NAMED(axis) (axis).source_stride
#endif

/* The rows of a chunk: the first row on both sides, with place 0 on the named side, and the first
 * index. These are separate variables, because a compiler cannot know that a store leaves the words
 * of a launch unchanged. */
typedef struct rows_t {
  global const UNIT *source;
  global UNIT *destination;
  global const uchar *indices;
  chunk_axis_t row;
  index_t count, columns, digit_count, stride, first_index, index_rules;
  index_rules_t rules;
} rows_t;

INLINED rows_t rows_of(global const UNIT *source, global UNIT *destination, address_t address,
                       move_ref move, chunk_t chunk) {
  const rows_t rows = {source + chunk.from,
                       destination + chunk.to,
                       address.indices,
                       move->row,
                       chunk.rows,
                       chunk.columns,
                       move->digit_count,
                       move->digits[0].stride,
                       chunk.index,
                       move->rules,
                       rules_of(move->extent, move->rules)};
  return rows;
}

/* ---- positions of the named rows ----
 * The indices of some rows are read together, before the first of these rows is moved, so that
 * compilers vectorize the loop. */
#define MOST_NAMED 128
#define SKIPPED ((index_t)1 << (INDEX_BITS - 1))

typedef struct named_rows_t {
  index_t first, count, at[MOST_NAMED]; /* SKIPPED: the index names no row */
  bool is_any_outside, is_any_skipped;
} named_rows_t;

HELPER void load_indices(const rows_t *rows, named_rows_t *named) {
  const index_t step = rows->row.index_stride, count = named->count;
  const index_t first = rows->first_index + named->first * step;
#define LOAD_NAMED(ENTRY, type)                                                                    \
  for (index_t i = 0; i < count; i++) {                                                            \
    named->at[i] = (index_t)ENTRY(type, rows->indices, first + i * step);                          \
  }
  AS_THEIR_TYPE(rows->index_rules, LOAD_NAMED)
}

/* Finds the places that the indices name, and clamps indices out of range. The rules are those of
 * find_place. Example: the indices are 2, -1 and 9, and negative indices count from the end of 5
 * places. The places are 2, 4 and 4, and one index is out of range. */
INLINED bool find_places(const rows_t *rows, named_rows_t *named) {
  const index_t count = named->count;
  const sum_t extent = (sum_t)rows->rules.extent, last = extent - 1;
  const sum_t added = rows->rules.is_from_end ? extent : 0;
  sum_t outside = 0;
  load_indices(rows, named);
  for (index_t i = 0; i < count; i++) {
    const sum_t index = (sum_t)named->at[i];
    const sum_t found = index < 0 ? index + added : index;
    const sum_t place = found < 0 ? 0 : found > last ? last : found;
    outside |= place ^ found;
    named->at[i] = (index_t)place;
  }
  return outside != 0;
}

HELPER void mark_skipped(const rows_t *rows, named_rows_t *named) {
  for (index_t i = 0; i < named->count; i++) {
    const index_t at = rows->first_index + (named->first + i) * rows->row.index_stride;
    const sum_t index = load_index(rows->indices, at, rows->index_rules);
    count_t place;
    bool is_outside;
    if (!find_place(index, rows->rules, &place, &is_outside)) {
      named->at[i] = SKIPPED;
      named->is_any_skipped = true;
    }
  }
}

/* Finds the next rows, at most `most`. */
HELPER void find_named_rows(move_ref move, const rows_t *rows, index_t first, index_t most,
                            named_rows_t *named) {
  const index_t count = min(most, rows->count - first), step = NAMED(rows->row);
  const index_t begin = first * step, stride = rows->stride;
  named->first = first;
  named->count = count;
  named->is_any_skipped = false;
  named->is_any_outside = find_places(rows, named);
  if (rows->digit_count == 1) {
    for (index_t i = 0; i < count; i++) {
      named->at[i] = begin + i * step + named->at[i] * stride;
    }
  } else {
    for (index_t i = 0; i < count; i++) {
      named->at[i] = begin + i * step + units_to_place(move, (count_t)named->at[i]);
    }
  }
  if (named->is_any_outside) {
    mark_skipped(rows, named);
  }
}

/* ---- rows that are moved ---- */

/* Writes the value to a skipped row. Parts of a row begin at a multiple of 16 bytes from the row's
 * start, so each part begins with the first unit of the value. */
INLINED void skip_row(const rows_t *rows, address_t address, index_t listed) {
#if SCATTERS
  (void)rows, (void)address, (void)listed;
#else
  for (index_t i = 0; i < rows->columns; i++) {
    rows->destination[listed + i] = unit_of(address.value, i);
  }
#endif
}

#define ROW_FROM(i) (SCATTERS ? listed + (i)*step : named->at[i])
#define ROW_TO(i) (SCATTERS ? named->at[i] : listed + (i)*step)

/* Moves each row as two parts that overlap or meet, like COPY_PARTS in lines.cl. */
#define MOVE_PARTS(type, space, part)                                                              \
  if (bytes >= (index_t)sizeof(type)) {                                                            \
    const index_t last = bytes - (index_t)sizeof(type);                                            \
    for (index_t i = 0; i < count; i++) {                                                          \
      space const uchar *from = (space const uchar *)(source + ROW_FROM(i));                       \
      space uchar *to = (space uchar *)(destination + ROW_TO(i));                                  \
      const type head = ((space const part *)from)->value;                                         \
      const type tail = ((space const part *)(from + last))->value;                                \
      ((space part *)to)->value = head;                                                            \
      ((space part *)(to + last))->value = tail;                                                   \
    }                                                                                              \
    return;                                                                                        \
  }

/* Moves rows without a skipped row: rows of a single unit, rows shorter than two lines, and other
 * rows. */
HELPER void move_named(const rows_t *rows, const named_rows_t *named) {
  const index_t columns = rows->columns, step = LISTED(rows->row), count = named->count;
  const index_t listed = named->first * step;
  global const UNIT *source = rows->source;
  global UNIT *destination = rows->destination;
  if (columns == 1) {
    for (index_t i = 0; i < count; i++) {
      destination[ROW_TO(i)] = source[ROW_FROM(i)];
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
    stream_run(source + ROW_FROM(i), destination + ROW_TO(i), columns);
  }
}

HELPER void move_some(const rows_t *rows, address_t address, const named_rows_t *named) {
  const index_t step = LISTED(rows->row), listed = named->first * step;
  for (index_t i = 0; i < named->count; i++) {
    if (named->at[i] == SKIPPED) {
      skip_row(rows, address, listed + i * step);
    } else {
      stream_run(rows->source + ROW_FROM(i), rows->destination + ROW_TO(i), rows->columns);
    }
  }
}

/* ---- rows that are prefetched ----
 * The hardware cannot predict the next named rows. So rows up to LATER_BYTES further on are
 * prefetched, but no more than MOST_NAMED rows. A core waits for loads, of which few are under way
 * at once, but never for a prefetch. Rows that all lie within NEAR_BYTES are near enough. The sizes
 * were measured on PoCL. */
#define LATER_BYTES 8192
#define NEAR_BYTES 262144

INLINED void fetch_named(const rows_t *rows, const named_rows_t *named) {
  for (index_t i = 0; i < named->count; i++) {
    for (index_t k = 0; k < rows->columns && named->at[i] != SKIPPED; k += UNITS_PER_LINE) {
      PREFETCH_FAR(rows->source + named->at[i] + k);
    }
  }
}

/* Returns true if source rows are near enough to need no prefetch. */
HELPER bool is_near(const rows_t *rows) {
  const index_t stride = rows->stride, extent = rows->rules.extent;
  return rows->digit_count == 1 && stride < NEAR_BYTES && stride > -NEAR_BYTES &&
         extent < NEAR_BYTES &&
         (ulong)extent * (ulong)(stride < 0 ? -stride : stride) < NEAR_BYTES * 8 / UNIT_BITS;
}

HELPER bool move_named_chunk(address_t address, move_ref move, const rows_t *rows) {
  const index_t fetched = (index_t)(LATER_BYTES * 8 / UNIT_BITS) / rows->columns;
  const index_t most = max(min(fetched, (index_t)MOST_NAMED), (index_t)4);
  const bool fetches = !SCATTERS && !is_near(rows);
  named_rows_t both[2];
  bool is_any_outside = false;
  find_named_rows(move, rows, 0, most, &both[0]);
  for (index_t row = 0, turn = 0; row < rows->count; turn ^= 1) {
    const named_rows_t *named = &both[turn];
    named_rows_t *next = &both[turn ^ 1];
    row += named->count;
    find_named_rows(move, rows, row, most, next);
    if (fetches) {
      fetch_named(rows, next);
    }
    if (named->is_any_skipped) {
      move_some(rows, address, named);
    } else {
      move_named(rows, named);
    }
    is_any_outside |= named->is_any_outside;
  }
  return is_any_outside;
}

/* ---- rows that are streamed ----
 * Several rows are streamed at once, because a core can read several streams at once. Compared in
 * turn with prefetched rows on a busy machine, streamed rows of 2 KiB took 0.4 to 1.1 times as
 * long. Streamed rows of 4 KiB and more took 1.4 to 2.4 times as long. */
#define STREAMED_BYTES 2048
#define FETCHED_BYTES 4096
#define STREAMS 4

typedef struct streams_t {
  global const UNIT *from[STREAMS];
  global UNIT *to[STREAMS];
  int count;
} streams_t;

/* Moves each row up to the first line of its destination, then the lines of all rows in turn, then
 * the rest of each row. */
HELPER void stream_all(streams_t *streams, index_t count) {
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

HELPER bool stream_named_chunk(address_t address, move_ref move, const rows_t *rows) {
  const index_t step = LISTED(rows->row);
  named_rows_t one, *named = &one;
  streams_t streams;
  bool is_any_outside = false;
  streams.count = 0;
  for (index_t row = 0; row < rows->count; row++) {
    const index_t listed = row * step;
    find_named_rows(move, rows, row, 1, &one);
    if (one.is_any_skipped) {
      skip_row(rows, address, listed);
    } else {
      streams.from[streams.count] = rows->source + ROW_FROM(0);
      streams.to[streams.count] = rows->destination + ROW_TO(0);
      streams.count++;
    }
    if (streams.count == STREAMS) {
      stream_all(&streams, rows->columns);
    }
    is_any_outside |= one.is_any_outside;
  }
  for (int k = 0; k < streams.count; k++) {
    stream_run(streams.from[k], streams.to[k], rows->columns);
  }
  return is_any_outside;
}

BODY void move_cpu_rows(const work_t work, global const UNIT *source, ulong source_start,
                        global UNIT *destination, ulong destination_start, address_t address,
                        move_ref move) {
  bool is_any_outside = false;
  for (count_t i = first_chunk(move, work); i < end_chunk(move, work); i++) {
    const rows_t rows = rows_of(source + source_start, destination + destination_start, address,
                                move, find_chunk(move, i));
    const index_t bytes = rows.columns * (UNIT_BITS / 8);
    is_any_outside |= bytes >= STREAMED_BYTES && bytes < FETCHED_BYTES
                          ? stream_named_chunk(address, move, &rows)
                          : move_named_chunk(address, move, &rows);
  }
  if (is_any_outside) {
    raise_flag(address.flag, move->rules);
  }
}

#endif
