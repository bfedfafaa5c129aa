/*
 * Division by a number that is known before, as kernels do it: kernels/move.cl says how.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdint.h>

typedef struct clrs__divisor {
  int64_t magic, shift;
} clrs__divisor;

/* The divisor_t of kernels/move.cl: shift = ceil(log2(d)) and
 * magic = floor(2^bits * (2^shift - d) / d) + 1. */
static inline clrs__divisor clrs__divisor_of(int64_t number, uint32_t bits) {
  __extension__ typedef unsigned __int128 twice_64;
  const uint64_t d = (uint64_t)number;
  int shift = 0;
  while (((uint64_t)1 << shift) < d) {
    shift++;
  }
  const twice_64 numerator = (twice_64)(((uint64_t)1 << shift) - d) << bits;
  return (clrs__divisor){(int64_t)((uint64_t)(numerator / d) + 1), shift};
}
