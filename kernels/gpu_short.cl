/*
 * gpu_short: many short axes, such as 3 x 3 x 3 x ... turned around, channels of pixels, small
 * windows. For GPUs.
 *
 * The axes that are fastest in the source and those that are fastest in the destination make a
 * volume that fits into local memory. A work-group reads a volume in the order of the source, so
 * neighbouring items read neighbouring units, puts each unit down at its place in the order of the
 * destination, and writes the volume in that order. Of its launch's axes the outer ones number the
 * volumes; then come those of the volume as the destination orders them, then the same ones as the
 * source orders them, whose destination stride is a step in local memory. One unit in 33 of local
 * memory stays empty, so that steps of powers of two do not meet in one bank.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_WORK_GROUP_CL
#include "work_group.cl"
#endif

#define AT_ONCE 4

inline int place_in_volume(index_t at) {
  return (int)CLRS_VOLUME_ROOM(at);
}

inline void read_volume(global const UNIT *from, move_ref move, local UNIT *volume) {
  const index_t end = move->axis_count, first = (move->outer_axis_count + end) / 2;
  for (index_t i = (index_t)get_local_id(0); i < move->inner_units; i += AT_ONCE * GROUP_ITEMS) {
    UNIT units[AT_ONCE];
    int places[AT_ONCE];
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
      if (i + k * GROUP_ITEMS < move->inner_units) {
        const positions_t unit = find_in_axes(move, first, end, (count_t)(i + k * GROUP_ITEMS));
        units[k] = from[unit.from];
        places[k] = place_in_volume(unit.to);
      }
    }
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
      if (i + k * GROUP_ITEMS < move->inner_units) {
        volume[places[k]] = units[k];
      }
    }
  }
}

inline void write_volume(local const UNIT *volume, global UNIT *to, move_ref move) {
  const index_t first = move->outer_axis_count, end = (first + move->axis_count) / 2;
  for (index_t i = (index_t)get_local_id(0); i < move->inner_units; i += GROUP_ITEMS) {
    to[find_in_axes(move, first, end, (count_t)i).to] = volume[place_in_volume(i)];
  }
}

inline void move_gpu_short(global const UNIT *source, ulong source_start,
                              global UNIT *destination, ulong destination_start, move_ref move,
                              local UNIT *volume) {
  FOR_EACH(i, first_group(), group_step(), move->count) {
    const positions_t start = find_in_axes(move, 0, move->outer_axis_count, i);
    read_volume(source + source_start + start.from, move, volume);
    barrier(CLK_LOCAL_MEM_FENCE);
    write_volume(volume, destination + destination_start + start.to, move);
    END_CHUNK();
  }
}

kernel WHOLE_GROUP void gpu_short(MOVE_PARAMETERS) {
  local UNIT volume[CLRS_VOLUME_ROOM(CLRS_VOLUME_UNITS(UNIT_BITS))];
  move_gpu_short(MOVE_ARGUMENTS, volume);
}
