/*
 * composed: a gather whose source has no common axes with the destination. The nest gives the
 * position in the enumeration of the source's top walk; the stack of walks leads from there to the
 * storage, level by level. Still one read and one write per unit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef LEVEL_AXES
#define LEVEL_AXES 16
#endif
#ifndef CLRS_COMMON_CL
#include "common.cl"
#endif

inline void move_composed(global const UNIT *source, ulong source_start, global UNIT *destination,
                          ulong destination_start, move_ref move) {
  const count_t share = (count_t)move->blocks_per_item;
  source += source_start;
  destination += destination_start;
  for (count_t start = first_index() * share; start < (count_t)move->count;
       start += index_step() * share) {
    const count_t end = min(start + share, (count_t)move->count);
    for (count_t i = start; i < end; i++) {
      const positions_t unit = find_positions(move, i);
      destination[unit.to] = source[follow_stack(move, move->first_position + unit.from)];
    }
  }
}

MOVE_KERNEL(composed)
