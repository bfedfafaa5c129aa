/*
 * Runs of bits that are contiguous on both sides, at any alignment. The destination is written in
 * blocks of 16 bytes, and the source is read in aligned words of 4 bytes. Each word of a block is
 * cut out of two neighbouring source words. Example: bytes 3 to 18 of the source are a block. The
 * first word of the block is byte 3 of word 0 and bytes 0, 1 and 2 of word 1, cut out by a shift of
 * 24.
 *
 * A source word is read as a whole if all its bytes belong to the run. A word at the start or end
 * of a run is composed of bytes, so that no byte outside the run is read.
 *
 * Blocks and words count from the start of the buffers. With WIDE_DESTINATION the destination's
 * buffer is aligned to blocks, and the source's to words. Otherwise both may begin at any byte.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_BLOCKS_CL
#define CLRS_BLOCKS_CL
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif
#ifndef WIDE_DESTINATION
#define WIDE_DESTINATION 0
#endif

#define BLOCK_BYTES CLRS_BLOCK_BYTES
#define BLOCK_WORDS (BLOCK_BYTES / 4)
#define BLOCK_UNITS (BLOCK_BYTES * 8 / UNIT_BITS)

#if WIDE_DESTINATION
#define IN_BUFFERS ALIASED
#else
#define IN_BUFFERS ANY_BYTES
#endif
typedef struct IN_BUFFERS buffer_word_t {
  uint value;
} buffer_word_t;
typedef struct IN_BUFFERS buffer_block_t {
  uint4 value;
} buffer_block_t;

/* Converts between a word in memory and a word for shifts. In a word for shifts, the first bit in
 * memory is the lowest bit, or the highest bit with MSB_FIRST. The bytes are reversed if the
 * memory's byte order differs from that. */
#ifdef __ENDIAN_LITTLE__
#define TURNS_WORDS MSB_FIRST
#else
#define TURNS_WORDS (!MSB_FIRST)
#endif
INLINED uint turn_word(uint word) {
  return TURNS_WORDS ? as_uint(as_uchar4(word).wzyx) : word;
}

/* The shift of byte `byte` in a word. */
INLINED uint byte_shift(uint byte) {
  return MSB_FIRST ? 24 - 8 * byte : 8 * byte;
}

/* Returns 32 bits of the 64 bits of two words, from bit `shift` of the first word on. `shift` is 0
 * to 31. Compilers turn this form into one instruction, and the form also holds for 0. */
INLINED uint cut_word(uint first, uint second, uint shift) {
#if MSB_FIRST
  return (first << shift) | ((second >> 1) >> (shift ^ 31));
#else
  return (first >> shift) | ((second << 1) << (shift ^ 31));
#endif
}

/* A mask of the first `bits` bits of a word, at most 32. */
INLINED uint first_bits(int bits) {
#if MSB_FIRST
  return (uint)(0xffffffff00000000ul >> bits);
#else
  return (uint)((1ul << bits) - 1);
#endif
}

/* The words of a block, and a mask of the bits that are known. */
typedef struct block_t {
  uint words[BLOCK_WORDS], known[BLOCK_WORDS];
} block_t;

/* ---- whole blocks ----
 * A run begins at bit `shift`, 0 to 31, of the word `from`. */

INLINED uint word_of(global const uchar *from, int word) {
  return turn_word(((global const buffer_word_t *)from)[word].value);
}

/* Bytes that are read for a block, from the byte on in which the run begins. */
INLINED index_t bytes_read(uint shift) {
  return BLOCK_BYTES + (shift > 0 ? 4 : 0) - (index_t)shift / 8;
}

/* Loads a block in whole words. */
INLINED void load_block(global const uchar *from, uint shift, uint *words) {
  uint read[BLOCK_WORDS + 1];
#pragma unroll
  for (int i = 0; i < BLOCK_WORDS; i++) {
    read[i] = word_of(from, i);
  }
  read[BLOCK_WORDS] = shift > 0 ? word_of(from, BLOCK_WORDS) : 0;
#pragma unroll
  for (int i = 0; i < BLOCK_WORDS; i++) {
    words[i] = cut_word(read[i], read[i + 1], shift);
  }
}

INLINED void store_words(global uchar *to, const uint *words) {
  ((global buffer_block_t *)to)->value =
      (uint4)(turn_word(words[0]), turn_word(words[1]), turn_word(words[2]), turn_word(words[3]));
}

/* ---- blocks in parts ---- */

/* Returns word `word` of the words from `from` on. Bytes before `first` and from `end` on are not
 * read, and are 0. */
INLINED uint load_within(global const uchar *from, int word, int first, int end) {
  const int byte = 4 * word;
  if (byte >= first && byte + 4 <= end) {
    return word_of(from, word);
  }
  if (byte + 4 <= first || byte >= end) {
    return 0;
  }
  uint parts = 0;
  UNROLLED for (int i = 0; i < 4; i++) {
    if (byte + i >= first && byte + i < end) {
      parts |= (uint)from[byte + i] << byte_shift((uint)i);
    }
  }
  return parts;
}

/* Like load_block. Reads only bytes that hold some of the bits. */
INLINED void load_last_block(global const uchar *from, uint shift, uint *words) {
  const int first = (int)shift / 8, end = ((int)shift + 7) / 8 + BLOCK_BYTES;
  uint read[BLOCK_WORDS + 1];
  UNROLLED for (int i = 0; i <= BLOCK_WORDS; i++) {
    read[i] = load_within(from, i, first, end);
  }
#pragma unroll
  for (int i = 0; i < BLOCK_WORDS; i++) {
    words[i] = cut_word(read[i], read[i + 1], shift);
  }
}

/* Sets bits [at, at + count) of the block to the same bits of the words. */
INLINED void put_words(block_t *block, const uint *words, int at, int count) {
#pragma unroll
  for (int i = 0; i < BLOCK_WORDS; i++) {
    const int begin = max(at - 32 * i, 0), end = min(at + count - 32 * i, 32);
    const uint mask = end > begin ? first_bits(end) & ~first_bits(begin) : 0;
    block->words[i] |= words[i] & mask;
    block->known[i] |= mask;
  }
}

/* Sets bits [at, at + count) of the block to the first bits of the run. Reads only bytes that hold
 * some of these bits. */
INLINED void put_run(block_t *block, int at, int count, global const uchar *from, uint shift) {
  const int first = (int)shift / 8, end = ((int)shift + count + 7) / 8;
  const int start = (int)shift - at; /* bit at which the block would begin */
  uint read[BLOCK_WORDS + 1], words[BLOCK_WORDS];
  UNROLLED for (int i = 0; i <= BLOCK_WORDS; i++) {
    read[i] = load_within(from, (start >> 5) + i, first, end);
  }
#pragma unroll
  for (int i = 0; i < BLOCK_WORDS; i++) {
    words[i] = cut_word(read[i], read[i + 1], (uint)start & 31);
  }
  put_words(block, words, at, count);
}

/* Stores the known bits. The other bits of the block in memory stay. */
INLINED void store_known(const block_t *block, global uchar *to) {
  if ((block->known[0] & block->known[1] & block->known[2] & block->known[3]) == 0xffffffffu) {
    store_words(to, block->words);
    return;
  }
  UNROLLED for (uint i = 0; i < BLOCK_BYTES; i++) {
    const uint shift = byte_shift(i % 4);
    const uint known = block->known[i / 4] >> shift & 0xff;
    const uint byte_value = block->words[i / 4] >> shift & 0xff;
    if (known == 0xff) {
      to[i] = (uchar)byte_value;
    } else if (known != 0) {
      to[i] = (uchar)((to[i] & ~known) | byte_value);
    }
  }
}

/* ---- blocks of a row of whole bytes ---- */

#if UNIT_BITS >= 8
/* The first unit of a row on both sides, and the low bits of its number in each buffer. */
typedef struct row_start_t {
  global const UNIT *from;
  global UNIT *to;
  uint from_number, to_number;
} row_start_t;

INLINED row_start_t later_row(row_start_t row, index_t from, index_t to) {
  const row_start_t later = {row.from + from, row.to + to, row.from_number + (uint)from,
                             row.to_number + (uint)to};
  return later;
}

/* A block of a row: the source and destination of the first unit. `into` has the bytes of the
 * source word before that unit. `before` has the units of the row before the block, and may be
 * negative in the first block of a row. `left` has the units from the block to the row's end. */
typedef struct row_block_t {
  global const UNIT *from;
  global UNIT *to;
  uint into;
  index_t before, left;
} row_block_t;

/* Finds block `number` of a row, or of the part of a row behind `before` units. Example: units of 2
 * bytes, and a row of 20 units from byte 6 of a block on. Block 0 is the block from unit -3 on, and
 * block 1 the block from unit 5 on, where 15 units are left. */
INLINED row_block_t find_row_block(row_start_t row, index_t number, index_t before, index_t units) {
  const index_t at = number * BLOCK_UNITS - (index_t)(row.to_number % BLOCK_UNITS);
  const row_start_t start = later_row(row, at, at);
  const row_block_t block = {start.from, start.to,
                             start.from_number % WORD_UNITS * (uint)sizeof(UNIT), before + at,
                             units - before - at};
  return block;
}

/* Returns true if the block is whole and all source words of the block lie in the row. */
INLINED bool is_whole(row_block_t block) {
  const int unit = (int)sizeof(UNIT);
  const index_t units_before = ((index_t)block.into + unit - 1) / unit;
  const index_t units_left = (bytes_read(block.into * 8) + unit - 1) / unit;
  return block.before >= units_before && block.left >= BLOCK_UNITS && block.left >= units_left;
}

INLINED void load_row_block(row_block_t block, uint *words) {
  load_block((global const uchar *)block.from - block.into, block.into * 8, words);
}

/* Moves the first or the last block of a row unit by unit. */
INLINED void move_part(row_block_t block) {
  UNIT units[BLOCK_UNITS];
#pragma unroll
  for (int i = 0; i < BLOCK_UNITS; i++) {
    if (block.before + i >= 0 && i < block.left) {
      units[i] = block.from[i];
    }
  }
#pragma unroll
  for (int i = 0; i < BLOCK_UNITS; i++) {
    if (block.before + i >= 0 && i < block.left) {
      block.to[i] = units[i];
    }
  }
}
#endif

#endif
