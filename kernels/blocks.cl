/*
 * Runs of bits that both sides have, wherever in a word either begins: the destination is written
 * in blocks of 16 bytes, and the source is read in the aligned words of 4 bytes that hold them.
 * Each word of a block is cut out of two neighbouring words. An example: bytes 3 to 18 of the
 * source are a block. Its first word is byte 3 of word 0 and bytes 0, 1 and 2 of word 1: both,
 * shifted by 24.
 *
 * Words are read as a whole where all their bytes belong to the run. Where a run begins or ends
 * inside of a word, that word is put together from bytes, so that no byte outside is read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_BLOCKS_CL
#define CLRS_BLOCKS_CL
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif

#define BLOCK_BYTES CLRS_BLOCK_BYTES
#define BLOCK_WORDS (BLOCK_BYTES / 4)
#define BLOCK_UNITS (BLOCK_BYTES * 8 / UNIT_BITS)

/* A word as it is shifted here: its first bit in memory is the lowest, or where a byte begins with
 * its high bits, the highest. Memory's order of bytes may be the other one: then they are turned.
 */
#ifdef __ENDIAN_LITTLE__
#define TURNS_WORDS MSB_FIRST
#else
#define TURNS_WORDS (!MSB_FIRST)
#endif
INLINED uint turn_word(uint word) {
  return TURNS_WORDS ? as_uint(as_uchar4(word).wzyx) : word;
}

/* How far byte `byte` of a word is shifted in it. */
INLINED uint byte_shift(uint byte) {
  return MSB_FIRST ? 24 - 8 * byte : 8 * byte;
}

/* 32 of the 64 bits of two words, from bit `shift` of the first on, which is under 32. Compilers
 * know this form of it, which also holds for 0, as one instruction. */
INLINED uint cut_word(uint first, uint second, uint shift) {
#if MSB_FIRST
  return (first << shift) | ((second >> 1) >> (shift ^ 31));
#else
  return (first >> shift) | ((second << 1) << (shift ^ 31));
#endif
}

/* The first `bits` of a word, of at most 32. */
INLINED uint first_bits(int bits) {
#if MSB_FIRST
  return (uint)(0xffffffff00000000ul >> bits);
#else
  return (uint)((1ul << bits) - 1);
#endif
}

/* Words of a block, and which of their bits are known. */
typedef struct block_t {
  uint words[BLOCK_WORDS], known[BLOCK_WORDS];
} block_t;

/* ---- whole blocks ---- */

/* Bytes from the aligned word on that the byte `at` lies in. */
INLINED uint bytes_into_word(global const uchar *at) {
  return (uint)((size_t)at & 3);
}

/* Bytes that are read behind `at` for the block from bit `past` of that byte on. */
INLINED index_t bytes_read(global const uchar *at, uint past) {
  const uint shift = bytes_into_word(at) * 8 + past;
  return (index_t)(BLOCK_BYTES + (shift > 0 ? 4 : 0)) - (index_t)bytes_into_word(at);
}

/* The block from bit `past` of the byte `at` on. Its words are read as a whole. */
INLINED void load_block(global const uchar *at, uint past, uint *words) {
  const uint shift = bytes_into_word(at) * 8 + past;
  global const aliased_uint_t *from = (global const aliased_uint_t *)(at - bytes_into_word(at));
  uint read[BLOCK_WORDS + 1];
#pragma unroll
  for (int i = 0; i < BLOCK_WORDS; i++) {
    read[i] = turn_word(from[i]);
  }
  read[BLOCK_WORDS] = shift > 0 ? turn_word(from[BLOCK_WORDS]) : 0;
#pragma unroll
  for (int i = 0; i < BLOCK_WORDS; i++) {
    words[i] = cut_word(read[i], read[i + 1], shift);
  }
}

INLINED void store_words(global uchar *to, const uint *words) {
  *(global aliased_uint4_t *)to =
      (uint4)(turn_word(words[0]), turn_word(words[1]), turn_word(words[2]), turn_word(words[3]));
}

/* ---- blocks in parts ---- */

/* Word `word` of those from `from` on, which is aligned; bytes before `first` and from `end` on are
 * not read, and are 0. */
INLINED uint load_within(global const uchar *from, int word, int first, int end) {
  const int byte = 4 * word;
  if (byte >= first && byte + 4 <= end) {
    return turn_word(((global const aliased_uint_t *)from)[word]);
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

/* Bits [at, at + count) of the block are these of the words. */
INLINED void put_words(block_t *block, const uint *words, int at, int count) {
#pragma unroll
  for (int i = 0; i < BLOCK_WORDS; i++) {
    const int begin = max(at - 32 * i, 0), end = min(at + count - 32 * i, 32);
    const uint mask = end > begin ? first_bits(end) & ~first_bits(begin) : 0;
    block->words[i] |= words[i] & mask;
    block->known[i] |= mask;
  }
}

/* Bits [at, at + count) of the block come from bit `past` of the byte `from` on. No byte is read
 * that has none of them. */
INLINED void put_run(block_t *block, int at, int count, global const uchar *from, uint past) {
  const int first = (int)bytes_into_word(from);
  const int end = first + (int)(past + (uint)count + 7) / 8;
  const int start = first * 8 + (int)past - at; /* where the block would begin */
  uint read[BLOCK_WORDS + 1], words[BLOCK_WORDS];
  UNROLLED for (int i = 0; i <= BLOCK_WORDS; i++) {
    read[i] = load_within(from - first, (start >> 5) + i, first, end);
  }
#pragma unroll
  for (int i = 0; i < BLOCK_WORDS; i++) {
    words[i] = cut_word(read[i], read[i + 1], (uint)start & 31);
  }
  put_words(block, words, at, count);
}

/* Stores the bits that are known; others of the block keep what they hold. */
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
/* A block of a row: where its first unit comes from and goes to, how many units of the row are
 * before it, and how many from it on. Of the row's first block `before` may be negative. */
typedef struct row_block_t {
  global const UNIT *from;
  global UNIT *to;
  index_t before, left;
} row_block_t;

/* Is the block whole, and do the words that it is read from lie in the row? */
INLINED bool is_whole(row_block_t block) {
  global const uchar *from = (global const uchar *)block.from;
  const int unit = (int)sizeof(UNIT);
  const index_t units_before = ((index_t)bytes_into_word(from) + unit - 1) / unit;
  const index_t units_left = (bytes_read(from, 0) + unit - 1) / unit;
  return block.before >= units_before && block.left >= BLOCK_UNITS && block.left >= units_left;
}

/* The first block of a row, or its last, unit by unit. */
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
