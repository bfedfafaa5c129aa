/*
 * Words of global memory, and the units in these words. An access has 16 bytes, a word, or one
 * unit. A sub-byte unit takes a byte of local memory. For GPUs.
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

/* With WIDE_DESTINATION one side or both sides use blocks. */
#define WIDE_BYTES CLRS_WIDE_BYTES(UNIT_BITS)
#define WIDE_UNITS (WIDE_BYTES * 8 / UNIT_BITS)
#define HAS_WORDS (UNIT_BITS < 8 && WIDE_BYTES > 4)
#define HAS_BLOCKS (WIDE_DESTINATION && UNIT_BITS >= 8 && UNIT_BITS <= 16)
#define MOST_PAIRS (WIDE_UNITS > 4 ? WIDE_UNITS / 2 : 4)

/* The words that an item holds between reads and writes. */
#define WIDE_WORDS (WIDE_BYTES / 4)
#define WIDE_ACCESSES (WIDE_DESTINATION ? CLRS_MOST_BLOCKS : CLRS_MOST_WIDE_ACCESSES)
#define WORDS (WIDE_ACCESSES * 4)
#define UNIT_WORDS (UNIT_BITS > 32 ? UNIT_BITS / 32 : 1)
#define MOST_ACCESSES CLRS_MOST_ACCESSES(UNIT_BITS)

#if UNIT_BITS < 8
#define BYTE_SHIFT (UNIT_BITS == 1 ? 3 : UNIT_BITS == 2 ? 2 : 1) /* shift from units to bytes */
#define BYTE_UNITS UNITS_PER_BYTE
#else
#define BYTE_UNITS 1
#endif
#define READS_BLOCKS (WIDE_DESTINATION && UNIT_BITS > 1 && UNIT_BITS <= 16)
#define SLOTS (READS_BLOCKS ? WORD_UNITS : BYTE_UNITS)

/* Swizzles one place, or two places at once. Neighbouring reads often go to places a power of two
 * apart, which are all in one bank. So the 16-byte vectors in each 128 bytes are permuted by higher
 * bits of their places. Example: places 0 4096 8192 12288 and a shift of 8 get the vectors 0 1 2 3
 * of their 128 bytes. */
INLINED uint swizzle(uint places, uint shift) {
  return places ^ (places >> shift & 0x00700070u);
}

/* ---- from global memory ---- */

/* Returns the bit at which unit `unit` of a word begins. */
INLINED uint bit_of(int unit) {
#if UNIT_BITS < 8
  return (uint)(unit / UNITS_PER_BYTE * 8) + slot_shift((uint)(unit % UNITS_PER_BYTE));
#else
  return (uint)(unit * UNIT_BITS) % 32;
#endif
}

/* Returns unit `unit` of an access that begins with these words. */
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

/* Returns the byte offset of a unit. */
INLINED ptrdiff_t bytes_to(index_t unit) {
#if UNIT_BITS < 8
  return unit >> BYTE_SHIFT;
#else
  return (ptrdiff_t)unit * (ptrdiff_t)sizeof(UNIT);
#endif
}

/* Reads one unit. Position 0 is unit `slot` of the byte `from`, or of the word `from` if a slot is
 * one of a word's units. */
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

#if READS_BLOCKS
/* Like load_wide, for units that begin anywhere, cut out of the words that hold these units. With
 * is_last, reads only bytes that hold these units. */
INLINED void load_anywhere(uint *words, global const uchar *from, index_t slot, index_t at,
                           bool is_last) {
  uint block[BLOCK_WORDS];
  const index_t unit = slot + at;
  const uint shift = (uint)unit % WORD_UNITS * UNIT_BITS;
  global const uchar *word = from + bytes_to(unit & -WORD_UNITS);
  if (is_last) {
    load_last_block(word, shift, block);
  } else {
    load_block(word, shift, block);
  }
#pragma unroll
  for (int i = 0; i < BLOCK_WORDS; i++) {
    words[i] = turn_word(block[i]);
  }
}
#else
#define load_anywhere(words, from, slot, at, is_last)                                              \
  {                                                                                                \
    (void)(is_last);                                                                               \
    load_wide(words, (from) + bytes_to(at));                                                       \
  }
#endif

/* ---- to global memory ---- */

#if UNIT_BITS < 8
/* Packs four units of a byte each, as units from `unit` on of a word. */
INLINED uint pack_four(uint four, int unit) {
  uint packed = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    packed |= (four >> (8 * k) & UNIT_MASK) << bit_of(unit + k);
  }
  return packed;
}

/* Packs the units of a word. The vectors of the word are swizzled like the first vector. */
SHARING uint pack_word(local const uchar *volume, uint place) {
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

/* Packs the units of a byte. */
SHARING UNIT pack_byte(local const uchar *volume, uint place) {
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
/* Loads 16 bytes of local memory from byte `place` on. Bytes outside the volume are 0. */
SHARING void cut_block(local const uchar *volume, int place, uint shift, uint *words) {
  const int bytes = CLRS_VOLUME_UNITS(UNIT_BITS, GROUP_ITEMS) * (int)sizeof(UNIT);
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

SHARING void write_wide(local const uchar *volume, uint place, global uchar *to) {
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
