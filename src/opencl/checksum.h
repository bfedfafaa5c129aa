/*
 * FNV-1a over any bytes. Each step is a bijection of the sum for a given byte, and of the byte for
 * a given sum: no single byte can change without it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CLRS__CHECKSUM_START UINT64_C(0xcbf29ce484222325)

/* The checksum of what was summed before and these bytes behind it. */
static inline uint64_t clrs__checksum_add(uint64_t sum, const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
  }
  return sum;
}
