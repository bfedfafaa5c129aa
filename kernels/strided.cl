/*
 * strided: any strides, for core devices. Each row of a block is one loop; the strides that real
 * moves have most - broadcast, reversed - have loops of their own, so that the compiler sees them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BLOCKED
#define BLOCKED 1
#endif
#ifndef CLRS_STREAMS_CL
#include "streams.cl"
#endif

inline void move_row(global const UNIT *source, index_t source_stride, global UNIT *destination,
                     index_t destination_stride, index_t count) {
  if (destination_stride != 1) {
    for (index_t i = 0; i < count; i++) {
      destination[i * destination_stride] = source[i * source_stride];
    }
  } else if (source_stride == 0) {
    const UNIT value = *source;
    for (index_t i = 0; i < count; i++) {
      destination[i] = value;
    }
  } else if (source_stride == -1) {
    for (index_t i = 0; i < count; i++) {
      destination[i] = source[-i];
    }
  } else {
    for (index_t i = 0; i < count; i++) {
      destination[i] = source[i * source_stride];
    }
  }
}

kernel void strided(global const UNIT *source, ulong source_start, global UNIT *destination,
                    ulong destination_start, const move_t move) {
  for (count_t i = first_block(&move); i < end_block(&move); i++) {
    const block_t block = find_block(&move, i);
    global const UNIT *from = source + source_start + block.from;
    global UNIT *to = destination + destination_start + block.to;
    for (index_t row = 0; row < block.rows; row++) {
      move_row(from, move.column.source_stride, to, move.column.destination_stride, block.columns);
      from += move.row.source_stride;
      to += move.row.destination_stride;
    }
  }
}
