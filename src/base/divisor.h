/*
 * Division by a number that is known beforehand, as in kernels. kernels/move.cl explains the
 * method.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct clrs__divisor {
  int64_t magic, shift;
} clrs__divisor;

/* floor(2^64 * rest / d) for rest < d < 2^63, digit by digit, because compilers for 32-bit machines
 * have no 128-bit integers. Example: rest 1 and d 3 give 0x5555555555555555. The rests are 2, 4 and
 * 1 in turn. 2 is less than 3 and gives the digit 0. 4 gives the digit 1 and leaves 1. */
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

/* The divisor_t of kernels/move.cl: shift = ceil(log2(d)) and magic = floor(2^bits * (2^shift - d)
 * / d) + 1. Example: 3 in 32 bits has the shift 2 and the magic 0x55555556. */
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
