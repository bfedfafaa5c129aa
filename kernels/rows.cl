/*
 * rows: source and destination share their fastest axis, so a block is rows of contiguous units.
 * Copies, pitched rows, head split and merge. For core devices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BLOCKED
#define BLOCKED 1
#endif
#ifndef CLRS_STREAMS_CL
#include "streams.cl"
#endif

#define ROWS_AHEAD 6

/* Rows of whole lines that begin at lines: nothing to look at in between. Short rows lie apart in
 * the source, where no hardware foresees the next one. */
inline void move_lines(move_ref move, block_t block, global const UNIT *from, global UNIT *to) {
  for (index_t row = 0; row < block.rows; row++) {
    if (row + ROWS_AHEAD < block.rows) {
      PREFETCH(from + ROWS_AHEAD * move->row.source_stride);
    }
    for (index_t i = 0; i < block.columns; i += UNITS_PER_LINE) {
      STORE_LINE(((global const any_line_t *)(from + i))->value, (global uint16 *)(to + i));
    }
    from += move->row.source_stride;
    to += move->row.destination_stride;
  }
}

inline void move_rows(global const UNIT *source, ulong source_start, global UNIT *destination,
                      ulong destination_start, move_ref move) {
  const bool steps_by_lines = (size_t)move->row.destination_stride * sizeof(UNIT) % LINE_BYTES == 0;
  for (count_t i = first_block(move); i < end_block(move); i++) {
    const block_t block = find_block(move, i);
    global const UNIT *from = source + source_start + block.from;
    global UNIT *to = destination + destination_start + block.to;
    if (steps_by_lines && (size_t)to % LINE_BYTES == 0 && block.columns % UNITS_PER_LINE == 0) {
      move_lines(move, block, from, to);
      continue;
    }
    for (index_t row = 0; row < block.rows; row++) {
      stream_run(from, to, block.columns);
      from += move->row.source_stride;
      to += move->row.destination_stride;
    }
  }
}

MOVE_KERNEL(rows)
