/*
 * A work-group finds the starts of its items' accesses on both sides, and the places of the table's
 * units, once for all volumes of the group. The start of each volume is found here too.
 * gpu_short.cl explains volumes.
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

/* The contents of local memory. A sub-byte unit takes a byte. */
#define VOLUME_VECTORS (CLRS_VOLUME_UNITS(UNIT_BITS, GROUP_ITEMS) * (int)sizeof(UNIT) / 16)
#define TABLE_VECTORS (CLRS_TABLE_UNITS / 8)

typedef struct room_t {
  local uchar *volume;
  local aliased_ushort_t *table;
  local nest_axis_t *axes;
  uint shift; /* shift of swizzled places */
} room_t;

/* The accesses of one side. `at` is the start in global memory, relative to the start of the
 * volume. `place` is the byte of local memory. The upper 16 bits of a place are the first unit in
 * the table, or the unit of the run at which a block begins. Without a table or blocks the place is
 * swizzled. `steps` is for writes: the steps of the two axes that may end in a part of a volume, 16
 * bits each. */
typedef struct accesses_t {
  index_t at[MOST_ACCESSES];
  uint place[MOST_ACCESSES], steps[MOST_ACCESSES];
} accesses_t;

/* A volume: its start, and the parts that are already written. `written` has steps of two axes as
 * in accesses_t, and `run_written` has units of each run. The first unit of the volume has a number
 * in the destination's buffer, and `number` has the low bits. */
typedef struct volume_t {
  positions_t start;
  uint written, number;
  int run_written;
} volume_t;

/* The kind of the reads, and of the writes. */
INLINED uint read_kind(move_ref move) {
  return (uint)move->access_kinds % 4;
}

INLINED uint write_kind(move_ref move) {
  return (uint)move->access_kinds / 4;
}

/* ---- once for a group ---- */

/* Copies the axes to local memory, so that each group reads the axes once. Indices of arguments
 * must be constants, because some compilers otherwise copy all arguments to private memory. So a
 * single item stores each axis in turn. */
SHARING void stage_axes(move_ref move, local nest_axis_t *axes) {
#if BATCHED
  const uint words = (uint)(sizeof(nest_axis_t) / sizeof(index_t)) * (uint)move->axis_count;
  for (uint i = (uint)get_local_id(0); i < words; i += GROUP_ITEMS) {
    ((local index_t *)axes)[i] = ((global const index_t *)move->axes)[i];
  }
#else
  if (get_local_id(0) == 0) {
    /* Intel's compiler unrolls stores only in a loop with one exit. */
    UNROLLED for (int k = 0; k < NEST_AXES; k++) {
      if (k < move->axis_count) {
        axes[k] = move->axes[k];
      }
    }
  }
#endif
}

/* Like take_digit, for a count of units of a volume, which always has 32 bits. */
INLINED uint take_volume_digit(uint *n, uint extent, divisor_t divisor) {
  const uint quotient = (mul_hi(*n, (uint)divisor.magic) + *n) >> (uint)divisor.shift;
  const uint digit = *n - quotient * extent;
  *n = quotient;
  return digit;
}

/* The first unit of an access to the table. The last access ends with the table: with 48 units and
 * accesses of 32, access 1 begins at unit 16. */
INLINED uint first_in_table(uint table_units, uint access) {
  return min(access * WIDE_UNITS, table_units - WIDE_UNITS);
}

/* Finds the first `count` accesses of this item by the axes [first, end). All accesses are decoded
 * together, one digit after the other. Reads have places by destination strides. The last axis is
 * handled separately for reads with a table and for written blocks. */
SHARING void find_accesses(move_ref move, local const nest_axis_t *axes, uint first, uint end,
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

/* Returns the unit of the table that row `row` of the list of places is for. The last access begins
 * earlier, and the preceding access puts the units that both read. The last access puts these units
 * at the place of its last unit, which it puts there afterwards, because two work-items must not
 * write one place. Example: a table of 35 bytes is read from 0, 16 and 19 on. Rows 32 to 44 are
 * for bytes 19 to 31, which access 1 puts. These rows list byte 34, as row 47 does. */
INLINED uint unit_of_row(uint row, uint table_units) {
  const uint access = row / WIDE_UNITS;
  const uint unit = first_in_table(table_units, access) + row % WIDE_UNITS;
  return unit < access * WIDE_UNITS ? table_units - 1 : unit;
}

/* Lists the places of the table's units, access by access. */
SHARING void list_places(move_ref move, local const nest_axis_t *axes,
                         local aliased_ushort_t *table) {
  const uint first = (uint)move->read_axis_end, end = (uint)move->axis_count;
  const uint rows = (uint)axes[first - 1].extent * WIDE_UNITS;
  for (uint row = (uint)get_local_id(0); row < rows; row += GROUP_ITEMS) {
    uint rest = unit_of_row(row, (uint)move->table_units);
    uint place = 0;
    for (uint i = end; i-- > first;) {
      const nest_axis_t axis = axes[i];
      place +=
          take_volume_digit(&rest, (uint)axis.extent, axis.divisor) * (uint)axis.destination_stride;
    }
    table[row] = (ushort)place;
  }
}

/* Moves the start of the last volume along a ragged axis back. */
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

SHARING volume_t find_volume(move_ref move, local const nest_axis_t *axes, count_t i) {
  volume_t volume = {{0, 0}, 0, 0, 0};
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
