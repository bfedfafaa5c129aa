/*
 * Division by a number that is known before, as kernels do it: kernels/move.cl says how.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct clrs__divisor {
  int64_t magic, shift;
} clrs__divisor;

/* floor(2^64 * rest / d) for rest < d < 2^63, digit by digit: compilers have no 128 bits for
 * machines of 32. An example: rest 1 and d 3 give 0x5555555555555555, as 2, 4 and 1 follow each
 * other as rests: 2 is less than 3, a digit 0; 4 is not, a digit 1, and leaves 1. */
static inline uint64_t clrs__divide_shifted(uint64_t rest, uint64_t d) {
  uint64_t quotient = 0;
  for (int i = 0; i < 64; i++) {
    rest <<= 1;
    const bool fits = rest >= d;
    quotient = quotient << 1 | fits;
    rest -= fits ? d : 0;
  }
  return quotient;
}

/* The divisor_t of kernels/move.cl: shift = ceil(log2(d)) and
 * magic = floor(2^bits * (2^shift - d) / d) + 1. */
static inline clrs__divisor clrs__divisor_of(int64_t number, uint32_t bits) {
  const uint64_t d = (uint64_t)number;
  int shift = 0;
  while (((uint64_t)1 << shift) < d) {
    shift++;
  }
  const uint64_t rest = ((uint64_t)1 << shift) - d; /* less than d */
  const uint64_t quotient = bits == 32 ? (rest << 32) / d : clrs__divide_shifted(rest, d);
  return (clrs__divisor){(int64_t)(quotient + 1), shift};
}
