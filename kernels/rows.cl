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

kernel void rows(global const UNIT *source, ulong source_start, global UNIT *destination,
                 ulong destination_start, const move_t move) {
  for (count_t i = first_block(&move); i < end_block(&move); i++) {
    const block_t block = find_block(&move, i);
    global const UNIT *from = source + source_start + block.from;
    global UNIT *to = destination + destination_start + block.to;
    for (index_t row = 0; row < block.rows; row++) {
      stream_run(from, to, block.columns);
      from += move.row.source_stride;
      to += move.row.destination_stride;
    }
  }
}
