/*
 * Squares of units, transposed in registers. The transpose of N vectors takes log2(N) rounds. Each
 * round interleaves vector i with vector i + N / 2.
 *
 * Only native code has squares. Vectors of SPIR-V have 16 elements at most, and rusticl's compiler
 * took more than a minute over a square of 16 by 16.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TRANSPOSE_CL
#define CLRS_TRANSPOSE_CL
#ifndef CLRS_LINES_CL
#include "lines.cl"
#endif

#if NATIVE_CODE
#if UNIT_BITS <= 64 /* a wider unit fills a lane */
#define HAS_SQUARES
#endif

/* Vectors of a line hold units of any width. Squares are then transposed inside each 16-byte lane
 * of a line: four squares at once, with instructions that do not cross lanes. */
#define HAS_LANES
#define LINE_LANES CLRS_LANES_PER_LINE
#define LINE_UNITS (LINE_BYTES * 8 / (UNIT_BITS < 8 ? 8 : UNIT_BITS)) /* units of whole bytes */
#define LANE_UNITS (LINE_UNITS / LINE_LANES)
#ifdef HAS_SQUARES
typedef UNIT line_t __attribute__((ext_vector_type(LINE_UNITS)));
typedef UNIT lane_t __attribute__((ext_vector_type(LANE_UNITS)));
#else
typedef uint16 line_t;
typedef UNIT lane_t;
#endif
typedef struct ANY_BYTES any_lane_t {
  lane_t value;
} any_lane_t;
typedef struct ANY_BYTES any_units_t { /* a line that may begin at any byte */
  line_t value;
} any_units_t;

#ifdef HAS_SQUARES
/* Alternating units of a and b, from unit k of each lane on. The units of b are numbered after the
 * units of a. */
#define PAIR(k) k, k + LINE_UNITS
#define PAIRS_2(k) PAIR(k), PAIR(k + 1)
#define PAIRS_4(k) PAIRS_2(k), PAIRS_2(k + 2)
#define PAIRS_8(k) PAIRS_4(k), PAIRS_4(k + 4)
#if UNIT_BITS <= 8
#define HALF_LANE(k) PAIRS_8(k)
#elif UNIT_BITS == 16
#define HALF_LANE(k) PAIRS_4(k)
#elif UNIT_BITS == 32
#define HALF_LANE(k) PAIRS_2(k)
#else
#define HALF_LANE(k) PAIR(k)
#endif
#define HALF_LANES(k)                                                                              \
  HALF_LANE(k), HALF_LANE(k + LANE_UNITS), HALF_LANE(k + 2 * LANE_UNITS),                          \
      HALF_LANE(k + 3 * LANE_UNITS)

HELPER void transpose_lanes(line_t *v) {
#pragma unroll
  for (int round = 1; round < LANE_UNITS; round *= 2) {
    line_t w[LANE_UNITS];
#pragma unroll
    for (int i = 0; i < LANE_UNITS / 2; i++) {
      const line_t a = v[i], b = v[i + LANE_UNITS / 2];
      w[2 * i] = __builtin_shufflevector(a, b, HALF_LANES(0));
      w[2 * i + 1] = __builtin_shufflevector(a, b, HALF_LANES(LANE_UNITS / 2));
    }
#pragma unroll
    for (int i = 0; i < LANE_UNITS; i++) {
      v[i] = w[i];
    }
  }
}
#else
HELPER void transpose_lanes(line_t *v) {
  (void)v;
}
#endif

/* Loads and transposes the lanes of four squares, which lie below each other. Vector i becomes a
 * line of row i of the destination. */
#define LOAD_LANES(v, lane_at)                                                                     \
  _Pragma("unroll") for (int i = 0; i < LANE_UNITS; i++) {                                         \
    union {                                                                                        \
      lane_t lanes[LINE_LANES];                                                                    \
      line_t line;                                                                                 \
    } line;                                                                                        \
    _Pragma("unroll") for (int lane = 0; lane < LINE_LANES; lane++) {                              \
      line.lanes[lane] = lane_at(lane * LANE_UNITS + i);                                           \
    }                                                                                              \
    v[i] = line.line;                                                                              \
  }                                                                                                \
  transpose_lanes(v);

/* Transposed rows wait in the first-level cache until they fill lines. rows_turned is the number of
 * rows that fit, rounded down to whole lines of the source, but at least `least`. */
#define TURNED_ROOM (CLRS_TURNED_BYTES * 8 / UNIT_BITS)
HELPER index_t rows_turned(index_t columns, index_t least) {
  return max((index_t)TURNED_ROOM / columns & -(index_t)UNITS_PER_LINE, least);
}
#endif

#endif
