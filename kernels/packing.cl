/*
 * packing: words of global memory, and the units in them. An access is of 16 bytes, of a word, or
 * of one unit; in local memory a unit under a byte has a byte to itself. For GPUs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_PACKING_CL
#define CLRS_PACKING_CL
#ifndef CLRS_WORK_GROUP_CL
#include "work_group.cl"
#endif
#ifndef CLRS_BLOCKS_CL
#include "blocks.cl"
#endif

#ifndef WIDE_DESTINATION
#define WIDE_DESTINATION 0 /* or one side, or both, go in blocks */
#endif

#define WIDE_BYTES CLRS_WIDE_BYTES(UNIT_BITS)
#define WIDE_UNITS (WIDE_BYTES * 8 / UNIT_BITS)
#define HAS_WORDS (UNIT_BITS < 8 && WIDE_BYTES > 4)
#define HAS_BLOCKS (WIDE_DESTINATION && UNIT_BITS >= 8 && UNIT_BITS <= 16)
#define MOST_PAIRS (WIDE_UNITS > 4 ? WIDE_UNITS / 2 : 4)
#define WORD_UNITS (UNIT_BITS < 32 ? 32 / UNIT_BITS : 1)

/* What an item has on its way. */
#define WIDE_WORDS (WIDE_BYTES / 4)
#define WIDE_ACCESSES (WIDE_DESTINATION ? CLRS_MOST_BLOCKS : CLRS_MOST_WIDE_ACCESSES)
#define WORDS (WIDE_ACCESSES * 4)
#define UNIT_WORDS (UNIT_BITS > 32 ? UNIT_BITS / 32 : 1)
#define MOST_ACCESSES CLRS_MOST_ACCESSES(UNIT_BITS)

#if UNIT_BITS < 8
#define BYTE_SHIFT (UNIT_BITS == 1 ? 3 : UNIT_BITS == 2 ? 2 : 1) /* from units to bytes */
#define BYTE_UNITS UNITS_PER_BYTE
#else
#define BYTE_UNITS 1
#endif

/* Neighbouring reads often go to places a power of two apart, which are all in one bank. So the
 * vectors of 16 bytes in each 128 change places by higher bits of theirs, of one or of two places
 * at once. An example: of places 0 4096 8192 12288 and a shift of 8, the vectors become 0 1 2 3 of
 * their 128 bytes. */
INLINED uint swizzle(uint places, uint shift) {
  return places ^ (places >> shift & 0x00700070u);
}

/* ---- from global memory ---- */

/* The bit of a word at which its unit of this number begins. */
INLINED uint bit_of(int unit) {
#if UNIT_BITS < 8
  return (uint)(unit / UNITS_PER_BYTE * 8) + slot_shift((uint)(unit % UNITS_PER_BYTE));
#else
  return (uint)(unit * UNIT_BITS) % 32;
#endif
}

/* Unit `unit` of an access that begins with these words. */
INLINED UNIT unit_in(const uint *words, int unit) {
#if UNIT_BITS < 8
  return (UNIT)(words[unit / WORD_UNITS] >> bit_of(unit % WORD_UNITS) & UNIT_MASK);
#elif UNIT_BITS <= 32
  return (UNIT)(words[unit / WORD_UNITS] >> bit_of(unit % WORD_UNITS));
#elif UNIT_BITS == 64
  return (ulong)words[2 * unit] | (ulong)words[2 * unit + 1] << 32;
#else
  return (uint4)(words[4 * unit], words[4 * unit + 1], words[4 * unit + 2], words[4 * unit + 3]);
#endif
}

INLINED void load_wide(uint *words, global const uchar *from) {
#if WIDE_BYTES == 16
  const uint4 value = *(global const uint4 *)from;
  words[0] = value.x;
  words[1] = value.y;
  words[2] = value.z;
  words[3] = value.w;
#else
  words[0] = *(global const uint *)from;
#endif
}

/* How many bytes on this unit is. */
INLINED ptrdiff_t bytes_to(index_t unit) {
#if UNIT_BITS < 8
  return unit >> BYTE_SHIFT;
#else
  return (ptrdiff_t)unit * (ptrdiff_t)sizeof(UNIT);
#endif
}

/* One unit, from a byte on whose unit `slot` is that of position 0. */
INLINED void read_unit(uint *words, global const uchar *from, index_t slot, index_t at) {
  global const UNIT *unit = (global const UNIT *)(from + bytes_to(slot + at));
#if UNIT_BITS < 8
  words[0] = (uint)*unit >> slot_shift((uint)(slot + at) & (UNITS_PER_BYTE - 1)) << bit_of(0);
#elif UNIT_BITS <= 32
  words[0] = *unit;
#elif UNIT_BITS == 64
  words[0] = (uint)*unit;
  words[1] = (uint)(*unit >> 32);
#else
  load_wide(words, (global const uchar *)unit);
#endif
}

#if WIDE_DESTINATION && UNIT_BITS > 1 && UNIT_BITS <= 16
/* As load_wide, of units that begin anywhere, out of the words that hold them. */
INLINED void load_anywhere(uint *words, global const uchar *from, index_t slot, index_t at) {
  uint block[BLOCK_WORDS];
  const uint past = (uint)(slot + at) % BYTE_UNITS * UNIT_BITS;
  load_block(from + bytes_to(slot + at), past, block);
#pragma unroll
  for (int i = 0; i < BLOCK_WORDS; i++) {
    words[i] = turn_word(block[i]);
  }
}

/* The same, one by one. */
INLINED void load_units(uint *words, global const uchar *from, index_t slot, index_t at) {
#pragma unroll
  for (int i = 0; i < BLOCK_WORDS; i++) {
    words[i] = 0;
#pragma unroll
    for (int k = 0; k < WORD_UNITS; k++) {
      uint unit;
      read_unit(&unit, from, slot, at + i * WORD_UNITS + k);
      words[i] |= (unit >> bit_of(0) & ((1u << UNIT_BITS) - 1u)) << bit_of(k);
    }
  }
}
#else
#define load_anywhere(words, from, slot, at) load_wide(words, (from) + bytes_to(at))
#define load_units load_anywhere
#endif

/* ---- to global memory ---- */

#if UNIT_BITS < 8
/* Four units that have a byte each, as units `unit` and on of their word. */
INLINED uint pack_four(uint four, int unit) {
  uint packed = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    packed |= (four >> (8 * k) & UNIT_MASK) << bit_of(unit + k);
  }
  return packed;
}

/* The units of a word, whose vectors are swizzled as the first is. */
INLINED uint pack_word(local const uchar *volume, uint place) {
#if UNIT_BITS == 4
  const uint2 two = *(local const aliased_uint2_t *)(volume + place);
  return pack_four(two.x, 0) | pack_four(two.y, 4);
#else
  uint packed = 0;
#pragma unroll
  for (int k = 0; k < WORD_UNITS / 16; k++) {
    const uint4 four = *(local const aliased_uint4_t *)(volume + (place ^ 16 * k));
    packed |= pack_four(four.x, 16 * k) | pack_four(four.y, 16 * k + 4) |
              pack_four(four.z, 16 * k + 8) | pack_four(four.w, 16 * k + 12);
  }
  return packed;
#endif
}

/* The units of a byte. */
INLINED UNIT pack_byte(local const uchar *volume, uint place) {
  uint packed = 0;
#pragma unroll
  for (uint slot = 0; slot < UNITS_PER_BYTE; slot++) {
    packed |= (uint)volume[place + slot] << slot_shift(slot);
  }
  return (UNIT)packed;
}
#else
#define pack_word(volume, place) (*(local const aliased_uint_t *)((volume) + (place)))
#define pack_byte(volume, place) (*(local const aliased_unit_t *)((volume) + (place)))
#endif

#if HAS_BLOCKS
/* 16 bytes of local memory, the byte `place` and those behind it, where there is a volume. */
INLINED void cut_block(local const uchar *volume, int place, uint shift, uint *words) {
  const int bytes = CLRS_VOLUME_UNITS(UNIT_BITS) * (int)sizeof(UNIT);
  const uint bits = (uint)(place & 3) * 8;
  uint found[5];
#pragma unroll
  for (int i = 0; i < 5; i++) {
    const uint word = (uint)((place & ~3) + 4 * i);
    found[i] = 0;
    if (word < (uint)bytes && (i < 4 || bits > 0)) {
      found[i] = *(local const aliased_uint_t *)(volume + swizzle(word, shift));
    }
  }
#pragma unroll
  for (int i = 0; i < 4; i++) {
    words[i] = cut_word(found[i], found[i + 1], bits);
  }
}
#endif

INLINED void write_wide(local const uchar *volume, uint place, global uchar *to) {
#if UNIT_BITS >= 8
  *(global uint4 *)to = *(local const aliased_uint4_t *)(volume + place);
#elif WIDE_BYTES == 16
  *(global uint4 *)to =
      (uint4)(pack_word(volume, place), pack_word(volume, place ^ WORD_UNITS),
              pack_word(volume, place ^ 2 * WORD_UNITS), pack_word(volume, place ^ 3 * WORD_UNITS));
#else
  *(global uint *)to = pack_word(volume, place);
#endif
}

#endif
