/*
 * gpu_short: many short axes, such as a reversed order of 3 x 3 x 3 x ..., channels of pixels,
 * small windows, and transposed sub-byte units. For GPUs.
 *
 * The fastest axes of the source and the fastest axes of the destination make a volume that fits
 * into local memory. A work-group reads a volume in the order of the source, puts each unit at its
 * place in the order of the destination, and writes the volume in that order. An access on either
 * side has 16 bytes, or one unit if runs are shorter. The host chooses the kind of access. A
 * sub-byte unit takes a whole byte of local memory.
 *
 * Runs may begin anywhere. Then 16 bytes of the source are cut out of the words that hold these
 * bytes. The destination is written in aligned blocks, which are cut out of local memory. If a
 * source run is not a multiple of accesses, the last access of the run begins earlier: 35 bytes are
 * read from 0, 16 and 19 on.
 *
 * The start of each access is found once for all volumes of a group. A table lists the places of
 * the units inside a read of several units. The table covers a number of consecutive source units,
 * and later units have the same places relative to another start. Example: RGB pixels become
 * planes, with 16 units a read and 256 pixels a volume. Units 0 1 2 3 of the source go to bytes 0
 * 256 512 1, and unit 48, the first of pixel 16, to byte 16. So a table of 48 units is enough: unit
 * 99 is unit 3 of the table past 2 * 16, byte 33.
 *
 * An axis need not be a multiple of volumes. Then the last volume along the axis begins earlier,
 * and leaves out the part that the preceding volume has written. Example: 311 pixels in volumes of
 * 80. The fourth volume is read from pixel 231 on, and does not write pixels 231 to 239.
 *
 * The words have axes of four kinds. The first kind numbers the volumes. The second kind are the
 * axes of a volume in the order of the destination, with bytes of local memory for source strides.
 * The third kind are the same axes in the order of the source, with bytes of local memory for
 * destination strides. The last axis of the second kind counts accesses. If there is a table, the
 * last axis of the third kind counts accesses too. The fourth kind are the axes of the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_ACCESSES_CL
#include "accesses.cl"
#endif

/* ---- reading ---- */

/* Returns true if this item has a k-th access. */
INLINED bool is_access(int k, uint accesses) {
  return (uint)get_local_id(0) + k * GROUP_ITEMS < accesses;
}

INLINED void read_volume(move_ref move, global const uchar *from, index_t slot, index_t first,
                         const accesses_t *reads, uint *words) {
  (void)slot; /* only sub-byte units have a slot */
  const uint kind = read_kind(move), count = (uint)move->read_accesses;
  if (kind != CLRS_ACCESS_UNIT) {
#pragma unroll
    for (int k = 0; k < WIDE_ACCESSES; k++) {
      if (is_access(k, count)) {
        uint *to = words + k * WIDE_WORDS;
        if (!WIDE_DESTINATION || kind == CLRS_ACCESS_WIDE) {
          load_wide(to, from + bytes_to(reads->at[k]));
        } else {
          const bool is_last = first + reads->at[k] > move->last_word_read;
          load_anywhere(to, from, slot, reads->at[k], is_last);
        }
      }
    }
    return;
  }
#pragma unroll
  for (int k = 0; k < MOST_ACCESSES; k++) {
    if (is_access(k, count)) {
      read_unit(words + k * UNIT_WORDS, from, slot, reads->at[k]);
    }
  }
}

/* ---- local memory ---- */

/* Loads the places of `units` units from this row of the table on, two places in each word. */
SHARING void load_places(local const aliased_ushort_t *table, uint row, int units, uint *pairs) {
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

/* Puts the units of one access into the volume, relative to the access' place. A place has at most
 * 15 bits, so both halves of a word are added to at once. Loops have constant bounds: some
 * compilers unroll before they inline, and an array in a loop that stays rolled is kept in
 * memory. */
SHARING void put_units(const room_t room, const uint *words, uint place, int units) {
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

/* Puts the units of wide access number `k`, if there is one. */
SHARING void put_wide(const room_t room, const accesses_t *reads, const uint *words, int k,
                      uint count) {
  if (is_access(k, count)) {
    put_units(room, words + k * WIDE_WORDS, reads->place[k], WIDE_UNITS);
  }
}

/* Wide accesses take no loop. Intel's compiler unrolls no loop over accesses of 64 units, and keeps
 * the accesses in private memory. */
SHARING void put_volume(move_ref move, const room_t room, const accesses_t *reads,
                        const uint *words) {
  const uint count = (uint)move->read_accesses;
  if (read_kind(move) != CLRS_ACCESS_UNIT) {
    put_wide(room, reads, words, 0, count);
    put_wide(room, reads, words, 1, count);
#if WIDE_ACCESSES > 2
    put_wide(room, reads, words, 2, count);
#endif
#if WIDE_ACCESSES > 3
#error "put_volume has calls for three wide accesses"
#endif
    return;
  }
#pragma unroll
  for (int k = 0; k < MOST_ACCESSES; k++) {
    if (is_access(k, count)) {
      put_units(room, words + k * UNIT_WORDS, reads->place[k], 1);
    }
  }
}

/* ---- writing ---- */

/* Returns true if both steps are at or past the steps already written. Steps have 15 bits, so the
 * 16th bit of each difference is the answer. */
INLINED bool is_unwritten(uint steps, uint written) {
  return (((steps | 0x80008000u) - written) & 0x80008000u) == 0x80008000u;
}

#if HAS_BLOCKS
/* Writes one block of a run, from the block's start to the `past` bytes before `at`. If the run
 * began at a block's start, the block would begin at unit `place >> 16`. The run has `end` units,
 * and units before `first` are not written. Example: a run of 20 bytes from byte 3 of a block on.
 * Block 0 has units -3 to 12, of which 0 to 12 are written. Block 1 has units 13 to 28, of which 13
 * to 19 are written. */
SHARING void write_block(const room_t room, global uchar *at, int past, uint place, int first,
                         int end) {
  const int begin = (int)(place >> 16) - past / (int)sizeof(UNIT);
  uint words[4];
  cut_block(room.volume, (int)(place & 0xffffu) - past, room.shift, words);
  global uchar *to = at - past;
  if (begin >= first && begin + WIDE_UNITS <= end) {
    *(global uint4 *)to = (uint4)(words[0], words[1], words[2], words[3]);
    return;
  }
#pragma unroll
  for (int i = 0; i < WIDE_UNITS; i++) {
    if (begin + i >= first && begin + i < end) {
      ((global UNIT *)to)[i] = unit_in(words, i);
    }
  }
}
#endif

SHARING void write_volume(move_ref move, const room_t room, global uchar *to,
                          const accesses_t *writes, const volume_t volume) {
  const uint kind = write_kind(move), count = (uint)move->write_accesses;
  if (kind >= CLRS_ACCESS_WIDE) {
#pragma unroll
    for (int k = 0; k < WIDE_ACCESSES; k++) {
      if (is_access(k, count) && is_unwritten(writes->steps[k], volume.written)) {
        global uchar *at = to + bytes_to(writes->at[k]);
#if HAS_BLOCKS
        if (kind == CLRS_ACCESS_BLOCK) {
          const int past = (int)((volume.number + (uint)writes->at[k]) * (uint)sizeof(UNIT) % 16);
          write_block(room, at, past, writes->place[k], volume.run_written, (int)move->run_units);
          continue;
        }
#endif
        write_wide(room.volume, writes->place[k], at);
      }
    }
    return;
  }
#if HAS_WORDS
  if (kind == CLRS_ACCESS_WORD) {
#pragma unroll
    for (int k = 0; k < MOST_ACCESSES; k++) {
      if (is_access(k, count) && is_unwritten(writes->steps[k], volume.written)) {
        *(global uint *)(to + bytes_to(writes->at[k])) = pack_word(room.volume, writes->place[k]);
      }
    }
    return;
  }
#endif
#pragma unroll
  for (int k = 0; k < MOST_ACCESSES; k++) {
    if (is_access(k, count) && is_unwritten(writes->steps[k], volume.written)) {
      *(global UNIT *)(to + bytes_to(writes->at[k])) = pack_byte(room.volume, writes->place[k]);
    }
  }
}

/* ---- all of it ---- */

/* Finds the accesses of one side. A work-item has fewer wide accesses than others. */
SHARING void find_side(move_ref move, const room_t room, bool is_read, accesses_t *found) {
  const uint first = (uint)(is_read ? move->write_axis_end : move->outer_axis_count);
  const uint end = (uint)(is_read ? move->read_axis_end : move->write_axis_end);
  const uint kind = is_read ? read_kind(move) : write_kind(move);
  const bool is_apart = is_read ? kind != CLRS_ACCESS_UNIT : kind == CLRS_ACCESS_BLOCK;
  find_accesses(move, room.axes, first, end, is_read, is_apart,
                kind >= CLRS_ACCESS_WIDE ? WIDE_ACCESSES : MOST_ACCESSES, room.shift, found);
}

SHARING void move_gpu_short(global const UNIT *source, ulong source_start, global UNIT *destination,
                            ulong destination_start, move_ref move, room_t room) {
  accesses_t reads, writes;
  const count_t count = (count_t)move->count;
  room.shift = (uint)move->swizzle_shift;
  stage_axes(move, room.axes);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (read_kind(move) != CLRS_ACCESS_UNIT) {
    list_places(move, room.axes, room.table);
  }
  find_side(move, room, true, &reads);
  find_side(move, room, false, &writes);
  for (count_t i = first_group(); i < count; i += group_step()) {
    volume_t volume = find_volume(move, room.axes, i);
    const ulong from = source_start + (ulong)(long)volume.start.from;
    const ulong to = destination_start + (ulong)(long)volume.start.to;
    uint words[WORDS];
    volume.number = (uint)to;
    read_volume(move, (global const uchar *)(source + from / SLOTS * (SLOTS / BYTE_UNITS)),
                (index_t)(from % SLOTS), volume.start.from, &reads, words);
    barrier(CLK_LOCAL_MEM_FENCE); /* the preceding volume has been written */
    put_volume(move, room, &reads, words);
    barrier(CLK_LOCAL_MEM_FENCE);
    write_volume(move, room, (global uchar *)(destination + to / BYTE_UNITS), &writes, volume);
  }
}

kernel WHOLE_GROUP void gpu_short(MOVE_PARAMETERS) {
  local uint4 volume[VOLUME_VECTORS], table[TABLE_VECTORS];
  local nest_axis_t axes[NEST_AXES];
  const room_t room = {(local uchar *)volume, (local aliased_ushort_t *)table, axes, 0};
  move_gpu_short(MOVE_ARGUMENTS, room);
}
