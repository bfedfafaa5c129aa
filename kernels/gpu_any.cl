/*
 * gpu_any: one unit of whole bytes per step, from any strides to any strides. The general move and
 * the reference for every other class.
 *
 * The index counts the nest row-major, destination strides descending, so neighbouring work-items
 * write neighbouring units.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif

INLINED void move_gpu_any(global const UNIT *source, ulong source_start, global UNIT *destination,
                        ulong destination_start, move_ref move) {
  source += source_start;
  destination += destination_start;
  FOR_EACH(i, first_index(), index_step(), move->count) {
    const positions_t unit = find_positions(move, i);
    destination[unit.to] = source[unit.from];
  }
}

MOVE_KERNEL(gpu_any)
