/*
 * A checksum like FNV-1a, over words of eight bytes. Each step is a bijection of the sum for a
 * given word, and a bijection of the word for a given sum. A change of a single word therefore
 * always changes the checksum.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CLRS__CHECKSUM_START UINT64_C(0xcbf29ce484222325)

/* Eight bytes as a number, least significant byte first. Written so that a compiler emits one
 * load. */
static inline uint64_t clrs__checksum_word(const unsigned char *b) {
  return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
         (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

/* The shift mixes the high bits of the sum into the low bits. A multiplication alone never does. */
static inline uint64_t clrs__checksum_step(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * UINT64_C(0x100000001b3);
  return sum ^ sum >> 32;
}

/* Returns the checksum of all earlier bytes followed by these bytes. A last word of fewer than
 * eight bytes is padded with 0. */
static inline uint64_t clrs__checksum_add(uint64_t sum, const unsigned char *bytes, size_t count) {
  unsigned char rest[8] = {0};
  for (; count >= 8; bytes += 8, count -= 8) {
    sum = clrs__checksum_step(sum, clrs__checksum_word(bytes));
  }
  for (size_t i = 0; i < count; i++) {
    rest[i] = bytes[i];
  }
  return count > 0 ? clrs__checksum_step(sum, clrs__checksum_word(rest)) : sum;
}
