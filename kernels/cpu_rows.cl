/*
 * cpu_rows: source and destination share the fastest axis, so a chunk consists of rows of
 * contiguous units. Moves of this class are copies, pitched rows, and head split and merge. For
 * CPUs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_LINES_CL
#include "lines.cl"
#endif
#if INDEXED
#ifndef CLRS_NAMED_ROWS_CL
#include "named_rows.cl"
#endif
#else

/* The rows of a chunk, with the source and destination of the first row. */
typedef struct rows_t {
  global const UNIT *from;
  global UNIT *to;
  index_t count, columns;
  global const UNIT *ahead; /* rows of the next chunk, if any */
  index_t ahead_count;
} rows_t;

COPY_SHORT_ROWS(copy_short_rows, global)

#if NATIVE_CODE
HELPER void fetch_row_ahead(rows_t rows, index_t row, index_t step) {
  if (row < rows.ahead_count) {
    prefetch_run(rows.ahead + row * step, rows.columns);
  }
}

/* Moves rows of whole lines that begin at lines, without any test between lines. */
HELPER void move_lines(move_ref move, rows_t rows) {
  for (index_t row = 0; row < rows.count; row++) {
    fetch_row_ahead(rows, row, move->row.source_stride);
    for (index_t i = 0; i < rows.columns; i += UNITS_PER_LINE) {
      STORE_LINE(((global const any_line_t *)(rows.from + i))->value,
                 (global uint16 *)(rows.to + i));
    }
    rows.from += move->row.source_stride;
    rows.to += move->row.destination_stride;
  }
}

/* Moves rows of less than a line, with gaps in the destination. The rows are prefetched if each row
 * is in a different line, because the hardware does not prefetch such rows. */
HELPER void move_short_rows(move_ref move, rows_t rows) {
  const index_t step = move->row.source_stride;
  if (max(step, -step) >= UNITS_PER_LINE) {
    for (index_t row = 0; row < rows.ahead_count; row++) {
      prefetch_run(rows.ahead + row * step, rows.columns);
    }
  }
  copy_short_rows(rows.from, step, rows.to, move->row.destination_stride, rows.count, rows.columns);
}

HELPER void move_rows(move_ref move, rows_t rows) {
  for (index_t row = 0; row < rows.count; row++) {
    fetch_row_ahead(rows, row, move->row.source_stride);
    stream_run(rows.from, rows.to, rows.columns);
    rows.from += move->row.source_stride;
    rows.to += move->row.destination_stride;
  }
}

HELPER void move_chunk(move_ref move, rows_t rows) {
  const bool steps_by_lines = (size_t)move->row.destination_stride * sizeof(UNIT) % LINE_BYTES == 0;
  if (steps_by_lines && (size_t)rows.to % LINE_BYTES == 0 && rows.columns % UNITS_PER_LINE == 0) {
    move_lines(move, rows);
  } else if (rows.columns < UNITS_PER_LINE) {
    move_short_rows(move, rows);
  } else {
    move_rows(move, rows);
  }
}
#else
HELPER void move_chunk(move_ref move, rows_t rows) {
  copy_short_rows(rows.from, move->row.source_stride, rows.to, move->row.destination_stride,
                  rows.count, rows.columns);
}
#endif

BODY void move_cpu_rows(const work_t work, global const UNIT *source, ulong source_start,
                        global UNIT *destination, ulong destination_start, move_ref move) {
  const bool are_fetched = move->column.extent <= CLRS_FETCHED_ROW_BYTES / (index_t)sizeof(UNIT);
  chunk_t next = find_chunk(move, first_chunk(move, work));
  for (count_t i = first_chunk(move, work); i < end_chunk(move, work); i++) {
    const chunk_t chunk = next;
    next = find_chunk(move, i + 1);
    const rows_t rows = {source + source_start + chunk.from,
                         destination + destination_start + chunk.to,
                         chunk.rows,
                         chunk.columns,
                         source + source_start + next.from,
                         are_fetched && i + 1 < (count_t)move->count ? next.rows : 0};
    move_chunk(move, rows);
  }
}
#endif

MOVE_KERNEL(cpu_rows)
