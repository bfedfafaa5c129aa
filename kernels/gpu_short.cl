/*
 * gpu_short: many short axes, such as 3 x 3 x 3 x ... turned around, channels of pixels, small
 * windows, and units under a byte that are transposed. For GPUs.
 *
 * The axes that are fastest in the source and those that are fastest in the destination make a
 * volume that fits into local memory. A work-group reads a volume in the order of the source, puts
 * each unit down at its place in the order of the destination, and writes the volume in that order.
 * An access is of 16 bytes, of a word, or of one unit, whatever alignment and runs allow, on either
 * side; the host knows which. A unit under a byte has a byte of local memory to itself.
 *
 * Where an access begins is found once for all volumes of a group. The units inside a read of
 * several ones lie where a table says: it lists the places of so many neighbours of the source that
 * the next ones lie alike, past another start. An example: RGB pixels become planes, 16 units a
 * read and 256 pixels a volume. Units 0 1 2 3 of the source go to bytes 0 256 512 1, and unit 48,
 * the first of pixel 16, to byte 16. So a table of 48 units says it all: unit 99 is unit 3 of the
 * table past 2 * 16, byte 33.
 *
 * The axes of its words are those that number the volumes; then those of the volume as the
 * destination orders them, with bytes of local memory for source strides; then as the source orders
 * them, with bytes of local memory for destination strides; then those of the table. Where there is
 * a table, the last axis of the third kind counts its units.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
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
 * there is one; else the place is swizzled. */
typedef struct accesses_t {
  index_t at[MOST_ACCESSES];
  uint place[MOST_ACCESSES];
} accesses_t;

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

/* Neighbouring reads often go to places a power of two apart, which are all in one bank. So the
 * vectors of 16 bytes in each 128 change places by higher bits of theirs, of one or of two places
 * at once. An example: of places 0 4096 8192 12288 and a shift of 8, the vectors become 0 1 2 3 of
 * their 128 bytes. */
INLINED uint swizzle(uint places, uint shift) {
  return places ^ (places >> shift & 0x00700070u);
}

/* This item's first `count` accesses of so many units each, decoded together, one digit of each
 * after the other, by the axes [first, end). Reads have their place by destination strides, and the
 * last axis is the table's, if there is one. */
INLINED void find_accesses(local const nest_axis_t *axes, uint first, uint end, uint width,
                           bool is_read, bool has_table, int count, uint shift, accesses_t *found) {
  uint rest[MOST_ACCESSES];
#pragma unroll
  for (int k = 0; k < MOST_ACCESSES; k++) {
    rest[k] = ((uint)get_local_id(0) + k * GROUP_ITEMS) * width;
    found->at[k] = 0;
    found->place[k] = 0;
  }
  if (has_table) {
    const nest_axis_t axis = axes[--end];
#pragma unroll
    for (int k = 0; k < MOST_ACCESSES; k++) {
      if (k < count) {
        const uint unit = take_volume_digit(&rest[k], (uint)axis.extent, axis.divisor);
        found->at[k] = (index_t)unit;
        found->place[k] = unit << 16;
      }
    }
  }
#pragma unroll 1
  for (uint i = end; i-- > first;) {
    const nest_axis_t axis = axes[i];
    const index_t step = is_read ? axis.source_stride : axis.destination_stride;
    const uint place_step = (uint)(is_read ? axis.destination_stride : axis.source_stride);
#pragma unroll
    for (int k = 0; k < MOST_ACCESSES; k++) {
      if (k < count) {
        const uint digit = take_volume_digit(&rest[k], (uint)axis.extent, axis.divisor);
        found->at[k] += (index_t)digit * step;
        found->place[k] += digit * place_step;
      }
    }
  }
#pragma unroll
  for (int k = 0; k < MOST_ACCESSES; k++) {
    found->place[k] = has_table ? found->place[k] : swizzle(found->place[k], shift);
  }
}

/* Lists the places of the table's units. */
INLINED void list_places(local const nest_axis_t *axes, uint first, uint end,
                         local aliased_ushort_t *table) {
  const uint units = (uint)axes[first - 1].extent;
  for (uint unit = (uint)get_local_id(0); unit < units; unit += GROUP_ITEMS) {
    uint rest = unit, place = 0;
    for (uint i = end; i-- > first;) {
      const nest_axis_t axis = axes[i];
      place +=
          take_volume_digit(&rest, (uint)axis.extent, axis.divisor) * (uint)axis.destination_stride;
    }
    table[unit] = (ushort)place;
  }
}

INLINED positions_t find_volume(local const nest_axis_t *axes, uint outer_axes, count_t i) {
  positions_t start = {0, 0};
  for (uint k = outer_axes; k-- > 0;) {
    const nest_axis_t axis = axes[k];
    const index_t digit = take_digit(&i, axis.extent, axis.divisor);
    start.from += digit * axis.source_stride;
    start.to += digit * axis.destination_stride;
  }
  return start;
}

/* ---- reading ---- */

/* Is there a k-th access of this item? */
INLINED bool is_in_volume(int k, uint width, uint units) {
  return ((uint)get_local_id(0) + k * GROUP_ITEMS) * width < units;
}

INLINED void read_volume(global const uchar *from, index_t slot, const accesses_t *reads,
                         uint width, uint units, uint *words) {
  (void)slot; /* only units under a byte have one */
  if (width == WIDE_UNITS) {
#pragma unroll
    for (int k = 0; k < WIDE_ACCESSES; k++) {
      if (is_in_volume(k, WIDE_UNITS, units)) {
        load_wide(words + k * WIDE_WORDS, from + bytes_to(reads->at[k]));
      }
    }
    return;
  }
#if HAS_WORDS
  if (width == WORD_UNITS) {
#pragma unroll
    for (int k = 0; k < MOST_ACCESSES; k++) {
      if (is_in_volume(k, WORD_UNITS, units)) {
        words[k] = *(global const uint *)(from + bytes_to(reads->at[k]));
      }
    }
    return;
  }
#endif
#if HAS_UNITS
#pragma unroll
  for (int k = 0; k < MOST_ACCESSES; k++) {
    if (is_in_volume(k, 1, units)) {
      read_unit(words + k * UNIT_WORDS, from, slot, reads->at[k]);
    }
  }
#endif
}

/* ---- local memory ---- */

/* The places of `units` units from this row of the table on, two in each word. */
INLINED void load_places(local const aliased_ushort_t *table, uint row, int units, uint *pairs) {
  local const aliased_ushort_t *places = table + row;
  if (units == 2) {
    pairs[0] = *(local const aliased_uint_t *)places;
  } else if (units == 4) {
    const uint2 two = *(local const aliased_uint2_t *)places;
    pairs[0] = two.x;
    pairs[1] = two.y;
  }
#pragma unroll
  for (int k = 0; k < MOST_PAIRS / 4; k++) {
    if (8 * k < units && units >= 8) {
      const uint4 four = ((local const aliased_uint4_t *)places)[k];
      pairs[4 * k] = four.x;
      pairs[4 * k + 1] = four.y;
      pairs[4 * k + 2] = four.z;
      pairs[4 * k + 3] = four.w;
    }
  }
}

/* The units of one access, past its place. No place has more than 15 bits, so both halves of a word
 * are added to at once. Loops have constant bounds: some compilers unroll them before they inline,
 * and what they do not unroll keeps arrays in memory. */
INLINED void put_units(const room_t room, const uint *words, uint place, int units) {
  if (units == 1) {
    *(local aliased_unit_t *)(room.volume + place) = unit_in(words, 0);
    return;
  }
  uint pairs[MOST_PAIRS];
  load_places(room.table, place >> 16, units, pairs);
#pragma unroll
  for (int k = 0; k < MOST_PAIRS; k++) {
    if (2 * k < units) {
      const uint both = swizzle(pairs[k] + (place & 0xffffu) * 0x10001u, room.shift);
      *(local aliased_unit_t *)(room.volume + (both & 0xffffu)) = unit_in(words, 2 * k);
      *(local aliased_unit_t *)(room.volume + (both >> 16)) = unit_in(words, 2 * k + 1);
    }
  }
}

INLINED void put_volume(const room_t room, const accesses_t *reads, uint width, uint units,
                        const uint *words) {
  if (width == WIDE_UNITS) {
#pragma unroll
    for (int k = 0; k < WIDE_ACCESSES; k++) {
      if (is_in_volume(k, WIDE_UNITS, units)) {
        put_units(room, words + k * WIDE_WORDS, reads->place[k], WIDE_UNITS);
      }
    }
    return;
  }
#if HAS_WORDS
  if (width == WORD_UNITS) {
#pragma unroll
    for (int k = 0; k < MOST_ACCESSES; k++) {
      if (is_in_volume(k, WORD_UNITS, units)) {
        put_units(room, words + k, reads->place[k], WORD_UNITS);
      }
    }
    return;
  }
#endif
#if HAS_UNITS
#pragma unroll
  for (int k = 0; k < MOST_ACCESSES; k++) {
    if (is_in_volume(k, 1, units)) {
      put_units(room, words + k * UNIT_WORDS, reads->place[k], 1);
    }
  }
#endif
}

/* ---- writing ---- */

INLINED void write_volume(const room_t room, global uchar *to, const accesses_t *writes, uint width,
                          uint units) {
  if (width == WIDE_UNITS) {
#pragma unroll
    for (int k = 0; k < WIDE_ACCESSES; k++) {
      if (is_in_volume(k, WIDE_UNITS, units)) {
        write_wide(room.volume, writes->place[k], to + bytes_to(writes->at[k]));
      }
    }
    return;
  }
#if HAS_WORDS
  if (width == WORD_UNITS) {
#pragma unroll
    for (int k = 0; k < MOST_ACCESSES; k++) {
      if (is_in_volume(k, WORD_UNITS, units)) {
        *(global uint *)(to + bytes_to(writes->at[k])) = pack_word(room.volume, writes->place[k]);
      }
    }
    return;
  }
#endif
#if HAS_UNITS
#pragma unroll
  for (int k = 0; k < MOST_ACCESSES; k++) {
    if (is_in_volume(k, BYTE_UNITS, units)) {
      *(global UNIT *)(to + bytes_to(writes->at[k])) = pack_byte(room.volume, writes->place[k]);
    }
  }
#endif
}

/* ---- all of it ---- */

/* Wide accesses are fewer than others. */
INLINED void find_side(move_ref move, const room_t room, bool is_read, accesses_t *found) {
  const uint first = (uint)(is_read ? move->write_axis_end : move->outer_axis_count);
  const uint end = (uint)(is_read ? move->read_axis_end : move->write_axis_end);
  const uint width = (uint)(is_read ? move->read_width : move->write_width);
  const bool has_table = is_read && width > 1;
  find_accesses(room.axes, first, end, width, is_read, has_table,
                width == WIDE_UNITS ? WIDE_ACCESSES : MOST_ACCESSES, room.shift, found);
}

INLINED void move_gpu_short(global const UNIT *source, ulong source_start, global UNIT *destination,
                            ulong destination_start, move_ref move, room_t room) {
  accesses_t reads, writes;
  const uint units = (uint)move->volume_units, outer_axes = (uint)move->outer_axis_count;
  const uint read_width = (uint)move->read_width, write_width = (uint)move->write_width;
  const count_t count = (count_t)move->count;
  room.shift = (uint)move->swizzle_shift;
  stage_axes(move, room.axes);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (read_width > 1) {
    list_places(room.axes, (uint)move->read_axis_end, (uint)move->axis_count, room.table);
  }
  find_side(move, room, true, &reads);
  find_side(move, room, false, &writes);
  for (count_t i = first_group(); i < count; i += group_step()) {
    const positions_t volume = find_volume(room.axes, outer_axes, i);
    const ulong from = source_start + (ulong)(long)volume.from;
    const ulong to = destination_start + (ulong)(long)volume.to;
    uint words[WORDS];
    read_volume((global const uchar *)(source + from / BYTE_UNITS), (index_t)(from % BYTE_UNITS),
                &reads, read_width, units, words);
    barrier(CLK_LOCAL_MEM_FENCE); /* the volume before has been written */
    put_volume(room, &reads, read_width, units, words);
    barrier(CLK_LOCAL_MEM_FENCE);
    write_volume(room, (global uchar *)(destination + to / BYTE_UNITS), &writes, write_width,
                 units);
  }
}

kernel WHOLE_GROUP void gpu_short(MOVE_PARAMETERS) {
  local uint4 volume[VOLUME_VECTORS], table[TABLE_VECTORS];
  local nest_axis_t axes[NEST_AXES];
  const room_t room = {(local uchar *)volume, (local aliased_ushort_t *)table, axes, 0};
  move_gpu_short(MOVE_ARGUMENTS, room);
}
