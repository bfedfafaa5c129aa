/*
 * cpu_rows: source and destination share their fastest axis, so a chunk is rows of contiguous
 * units. Copies, pitched rows, head split and merge. For CPUs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_LINES_CL
#include "lines.cl"
#endif

#define ROWS_AHEAD 6

/* Rows of whole lines that begin at lines: nothing to look at in between. Short rows lie apart in
 * the source, where no hardware foresees the next one. */
inline void move_lines(move_ref move, chunk_t chunk, global const UNIT *from, global UNIT *to) {
  for (index_t row = 0; row < chunk.rows; row++) {
    if (row + ROWS_AHEAD < chunk.rows) {
      PREFETCH(from + ROWS_AHEAD * move->row.source_stride);
    }
    for (index_t i = 0; i < chunk.columns; i += UNITS_PER_LINE) {
      STORE_LINE(((global const any_line_t *)(from + i))->value, (global uint16 *)(to + i));
    }
    from += move->row.source_stride;
    to += move->row.destination_stride;
  }
}

inline void move_cpu_rows(global const UNIT *source, ulong source_start, global UNIT *destination,
                          ulong destination_start, move_ref move) {
  const bool steps_by_lines = (size_t)move->row.destination_stride * sizeof(UNIT) % LINE_BYTES == 0;
  for (count_t i = first_chunk(move); i < end_chunk(move); i++) {
    const chunk_t chunk = find_chunk(move, i);
    global const UNIT *from = source + source_start + chunk.from;
    global UNIT *to = destination + destination_start + chunk.to;
    if (steps_by_lines && (size_t)to % LINE_BYTES == 0 && chunk.columns % UNITS_PER_LINE == 0) {
      move_lines(move, chunk, from, to);
      continue;
    }
    for (index_t row = 0; row < chunk.rows; row++) {
      stream_run(from, to, chunk.columns);
      from += move->row.source_stride;
      to += move->row.destination_stride;
    }
  }
}

MOVE_KERNEL(cpu_rows)
