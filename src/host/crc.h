/*
 * The CRC-32 of ZIP archives (polynomial 0xedb88320), byte after byte.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct cli_crc {
  uint32_t table[256]; /* the effect of a byte on the sum */
  uint32_t sum;        /* complemented */
} cli_crc;

static inline void cli_crc_start(cli_crc *crc) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; bit++) {
      value = (value >> 1) ^ ((value & 1) != 0 ? 0xedb88320u : 0);
    }
    crc->table[i] = value;
  }
  crc->sum = UINT32_MAX;
}

static inline void cli_crc_add(cli_crc *crc, const void *bytes, size_t size) {
  const unsigned char *next = bytes;
  for (size_t i = 0; i < size; i++) {
    crc->sum = crc->table[(crc->sum ^ next[i]) & 0xff] ^ (crc->sum >> 8);
  }
}

/* Returns the checksum of all bytes so far: 0xcbf43926 for "123456789". */
static inline uint32_t cli_crc_of(const cli_crc *crc) {
  return ~crc->sum;
}
