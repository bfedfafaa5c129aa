/*
 * packed: the fastest axes of both sides are short, so neither has runs of its own worth the name;
 * but several of the destination's axes together fill a run without gaps. For core devices.
 *
 * A block is such a run. Where each of its units comes from is the same in every block but for one
 * offset, so a work-item finds that out once, in a table, and then gathers block after block into
 * the cache and writes each in whole lines. Blocks that share lines of the source follow each
 * other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BLOCKED
#define BLOCKED 1
#endif
#ifndef CLRS_STREAMS_CL
#include "streams.cl"
#endif

/* The planner makes no block of more bytes or units. */
#define BLOCK_BYTES 8192
#define MOST_UNITS 2048
#define BLOCK_UNITS (UNIT_BITS > 32 ? BLOCK_BYTES * 8 / UNIT_BITS : MOST_UNITS)

/* Fills the table for the axes of a block; returns how many units it has. */
inline index_t find_sources(move_ref move, index_t *table) {
  index_t count = 1;
  table[0] = 0;
  for (index_t k = move->axis_count; k-- > move->outer_axis_count;) {
    const index_t inner = count, step = move->axes[k].source_stride;
    for (index_t digit = 1; digit < move->axes[k].extent; digit++) {
      for (index_t i = 0; i < inner; i++) {
        table[count + i] = table[i] + digit * step;
      }
      count += inner;
    }
  }
  return count;
}

inline positions_t find_run(move_ref move, count_t i) {
  positions_t run = {0, 0};
  count_t rest = i;
  for (index_t k = move->outer_axis_count; k-- > 0;) {
    const nest_axis_t axis = move->axes[k];
    const index_t digit = take_digit(&rest, axis.extent, axis.divisor);
    run.from += digit * axis.source_stride;
    run.to += digit * axis.destination_stride;
  }
  return run;
}

inline void move_packed(global const UNIT *source, ulong source_start, global UNIT *destination,
                        ulong destination_start, move_ref move) {
  index_t table[BLOCK_UNITS];
  UNIT staged[BLOCK_UNITS];
  const index_t count = find_sources(move, table);
  for (count_t i = first_block(move); i < end_block(move); i++) {
    const positions_t run = find_run(move, i);
    global const UNIT *from = source + source_start + run.from;
    for (index_t unit = 0; unit < count; unit++) {
      staged[unit] = from[table[unit]];
    }
    stream_staged(staged, destination + destination_start + run.to, count);
  }
}

MOVE_KERNEL(packed)
