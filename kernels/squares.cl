/*
 * Squares of units, transposed in registers. Transposing SIDE vectors takes log2(SIDE) rounds, each
 * of which interleaves vector i with vector i + SIDE / 2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_SQUARES_CL
#define CLRS_SQUARES_CL
#ifndef CLRS_STREAMS_CL
#include "streams.cl"
#endif

#if UNIT_BITS <= 64
#if UNIT_BITS == 64
#define SIDE 8
#else
#define SIDE 16
#endif


#define JOIN(a, b) a##b
#define VECTOR_OF(unit, side) JOIN(unit, side)
typedef VECTOR_OF(UNIT, SIDE) side_t;
typedef struct __attribute__((packed)) any_side_t {
  side_t value;
} any_side_t;

inline void transpose_square(side_t *v) {
#pragma unroll
  for (int round = 1; round < SIDE; round *= 2) {
    side_t w[SIDE];
#pragma unroll
    for (int i = 0; i < SIDE / 2; i++) {
      w[2 * i].even = v[i].lo;
      w[2 * i].odd = v[i + SIDE / 2].lo;
      w[2 * i + 1].even = v[i].hi;
      w[2 * i + 1].odd = v[i + SIDE / 2].hi;
    }
#pragma unroll
    for (int i = 0; i < SIDE; i++) {
      v[i] = w[i];
    }
  }
}
#endif

#endif
