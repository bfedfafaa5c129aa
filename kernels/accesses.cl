/*
 * accesses: a work-group finds out once, for all volumes that the group moves, where the accesses
 * of its items begin on both sides, and where the units of the table lie. The start of each volume
 * is found here too. gpu_short.cl says what volumes are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_ACCESSES_CL
#define CLRS_ACCESSES_CL
#ifndef OWN_WORDS
#define OWN_WORDS volume
#endif
#ifndef CLRS_PACKING_CL
#include "packing.cl"
#endif

/* What lies in local memory: a UNIT, which is a byte for units under a byte. */
#define VOLUME_VECTORS (CLRS_VOLUME_UNITS(UNIT_BITS) * (int)sizeof(UNIT) / 16)
#define TABLE_VECTORS (CLRS_TABLE_UNITS / 8)

typedef struct room_t {
  local uchar *volume;
  local aliased_ushort_t *table;
  local nest_axis_t *axes;
  uint shift; /* of swizzled places */
} room_t;

/* Accesses of one side: where they begin in global memory, past the start of the volume, and at
 * which byte of local memory. The upper 16 bits of a place are the first unit in the table, if
 * there is one, or the unit of its run that a block begins at; else the place is swizzled. Of
 * writes, also the steps of the two axes that may end in a part of a volume, 16 bits each. */
typedef struct accesses_t {
  index_t at[MOST_ACCESSES];
  uint place[MOST_ACCESSES], steps[MOST_ACCESSES];
} accesses_t;

/* A volume's start, and what is written of it: steps, two as of accesses, and units of each run. */
typedef struct volume_t {
  positions_t start;
  uint written;
  int run_written;
} volume_t;

/* What words hold of accesses of one side. */
INLINED uint read_kind(move_ref move) {
  return (uint)move->access_kinds % 4;
}

INLINED uint write_kind(move_ref move) {
  return (uint)move->access_kinds / 4;
}

/* ---- once for a group ---- */

/* The axes lie in local memory, so that they are read once for each group. Indices of arguments
 * must be constants, or else some compilers copy all of them to private memory first; so one item
 * stores them, axis by axis. */
INLINED void stage_axes(move_ref move, local nest_axis_t *axes) {
#if BATCHED
  const uint words = (uint)(sizeof(nest_axis_t) / sizeof(index_t)) * (uint)move->axis_count;
  for (uint i = (uint)get_local_id(0); i < words; i += GROUP_ITEMS) {
    ((local index_t *)axes)[i] = ((global const index_t *)move->axes)[i];
  }
#else
  if (get_local_id(0) == 0) {
    /* Intel's compiler unrolls stores in a loop of one exit only. */
    UNROLLED for (int k = 0; k < NEST_AXES; k++) {
      if (k < move->axis_count) {
        axes[k] = move->axes[k];
      }
    }
  }
#endif
}

/* As take_digit, of a count of units of a volume: 32 bits always. */
INLINED uint take_volume_digit(uint *n, uint extent, divisor_t divisor) {
  const uint quotient = (mul_hi(*n, (uint)divisor.magic) + *n) >> (uint)divisor.shift;
  const uint digit = *n - quotient * extent;
  *n = quotient;
  return digit;
}

/* The first unit of an access to the table: the last one ends with the table. */
INLINED uint first_in_table(uint table_units, uint access) {
  return min(access * WIDE_UNITS, table_units - WIDE_UNITS);
}

/* This item's first `count` accesses, decoded together, one digit of each after the other, by the
 * axes [first, end). Reads have their place by destination strides. The last axis is apart where
 * reads go by a table, and where blocks are written. */
INLINED void find_accesses(move_ref move, local const nest_axis_t *axes, uint first, uint end,
                           bool is_read, bool is_apart, int count, uint shift, accesses_t *found) {
  uint rest[MOST_ACCESSES];
#pragma unroll
  for (int k = 0; k < MOST_ACCESSES; k++) {
    rest[k] = (uint)get_local_id(0) + k * GROUP_ITEMS;
    found->at[k] = 0;
    found->place[k] = found->steps[k] = 0;
  }
  if (is_apart) {
    const nest_axis_t axis = axes[--end];
#pragma unroll
    for (int k = 0; k < MOST_ACCESSES; k++) {
      if (k < count) {
        const uint access = take_volume_digit(&rest[k], (uint)axis.extent, axis.divisor);
        const uint unit = access * WIDE_UNITS;
        found->at[k] = (index_t)(is_read ? first_in_table((uint)move->table_units, access) : unit);
        found->place[k] = (unit << 16) + (is_read ? 0 : unit * (uint)sizeof(UNIT));
      }
    }
  }
#pragma unroll 1
  for (uint i = end; i-- > first;) {
    const nest_axis_t axis = axes[i];
    const index_t step = is_read ? axis.source_stride : axis.destination_stride;
    const uint place_step = (uint)(is_read ? axis.destination_stride : axis.source_stride);
    const uint fast_step = i == (uint)move->ragged_axes % 64 ? 1 : 0;
    const uint slow_step = i == (uint)move->ragged_axes / 64 ? 1u << 16 : 0;
#pragma unroll
    for (int k = 0; k < MOST_ACCESSES; k++) {
      if (k < count) {
        const uint digit = take_volume_digit(&rest[k], (uint)axis.extent, axis.divisor);
        found->at[k] += (index_t)digit * step;
        found->place[k] += digit * place_step;
        found->steps[k] += digit * (fast_step + slow_step);
      }
    }
  }
#pragma unroll
  for (int k = 0; k < MOST_ACCESSES; k++) {
    found->place[k] = is_apart ? found->place[k] : swizzle(found->place[k], shift);
  }
}

/* Lists the places of the table's units, access by access. */
INLINED void list_places(move_ref move, local const nest_axis_t *axes,
                         local aliased_ushort_t *table) {
  const uint first = (uint)move->read_axis_end, end = (uint)move->axis_count;
  const uint units = (uint)axes[first - 1].extent * WIDE_UNITS;
  for (uint unit = (uint)get_local_id(0); unit < units; unit += GROUP_ITEMS) {
    uint rest = first_in_table((uint)move->table_units, unit / WIDE_UNITS) + unit % WIDE_UNITS;
    uint place = 0;
    for (uint i = end; i-- > first;) {
      const nest_axis_t axis = axes[i];
      place +=
          take_volume_digit(&rest, (uint)axis.extent, axis.divisor) * (uint)axis.destination_stride;
    }
    table[unit] = (ushort)place;
  }
}

/* The last volume along a ragged axis begins earlier. */
INLINED void begin_earlier(volume_t *volume, index_t back_from, index_t back_to, uint axis,
                           uint written, uint shift) {
  volume->start.from -= back_from;
  volume->start.to -= back_to;
  volume->written |= axis == CLRS_RUN_AXIS ? 0 : written << shift;
  volume->run_written = axis == CLRS_RUN_AXIS ? (int)written : volume->run_written;
}

INLINED bool is_last_step(const nest_axis_t axis, count_t *rest) {
  return take_digit(rest, axis.extent, axis.divisor) + 1 == axis.extent;
}

INLINED volume_t find_volume(move_ref move, local const nest_axis_t *axes, count_t i) {
  volume_t volume = {{0, 0}, 0, 0};
  const uint outer_axes = (uint)move->outer_axis_count, ragged = (uint)move->ragged_axes;
  count_t rest = i;
#pragma unroll 1
  for (uint k = outer_axes; k-- > 0;) {
    take_axis(axes[k], &rest, &volume.start);
  }
  if (move->written != 0) {
    rest = i;
    if (is_last_step(axes[outer_axes - 1], &rest)) {
      begin_earlier(&volume, move->fast_back_from, move->fast_back_to, ragged % 64,
                    (uint)move->written % 65536, 0);
    }
    if (move->written >> 16 != 0 && is_last_step(axes[outer_axes - 2], &rest)) {
      begin_earlier(&volume, move->slow_back_from, move->slow_back_to, ragged / 64,
                    (uint)move->written >> 16, 16);
    }
  }
  return volume;
}

#endif
