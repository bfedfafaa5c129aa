/*
 * What gathers and scatters by indices share: their arguments, the loops, and what a gather writes
 * where an index names no place.
 *
 * Build options beside those of move.cl and indices.cl: SCATTERS (the indices name places of the
 * destination, not of the source).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_INDEXED_CL
#define CLRS_INDEXED_CL
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif
#ifndef CLRS_VALUE_CL
#include "value.cl"
#endif
#ifndef CLRS_INDICES_CL
#include "indices.cl"
#endif
#ifndef SCATTERS
#define SCATTERS 0
#endif

/* A kernel takes INDEXED_PARAMETERS: the buffers and where in them, the flag that it may raise, and
 * the element that a gather writes for an index that is skipped, repeated to 16 bytes. Without a
 * flag the words say so, and the buffer is another one. */
#define INDEXED_PARAMETERS                                                                         \
  global const UNIT *source, ulong source_start, global UNIT *destination,                         \
      ulong destination_start, global const uchar *indices, ulong index_start, global uint *flag,  \
      ulong flag_start, const uint4 value

typedef struct sides_t {
  global const UNIT *source;
  global UNIT *destination;
  global const index_entry_t *indices;
  global uint *flag;
  uint4 value;
} sides_t;

#define SIDES                                                                                      \
  {                                                                                                \
    source + source_start, destination + destination_start,                                        \
        (global const index_entry_t *)(indices + index_start), flag + flag_start, value            \
  }

/* Positions in the operands. */
typedef struct indexed_at_t {
  index_t listed, named, index;
} indexed_at_t;

/* Where both sides of a unit are: the named one is read or written. */
#if SCATTERS
#define FROM_OF(at) ((at).listed)
#define TO_OF(at) ((at).named)
#else
#define FROM_OF(at) ((at).named)
#define TO_OF(at) ((at).listed)
#endif

/* ---- loops ---- */

#define INDEXED_DIVISOR(name) divisor_t name##_divisor;
typedef struct indexed_loop_t {
  CLRS_INDEXED_LOOP_WORDS(DECLARE_WORD, INDEXED_DIVISOR)
} indexed_loop_t;
typedef struct indexed_digit_t {
  CLRS_INDEXED_DIGIT_WORDS(DECLARE_WORD, INDEXED_DIVISOR)
} indexed_digit_t;
typedef struct indexed_t {
  CLRS_INDEXED_WORDS(DECLARE_WORD, INDEXED_DIVISOR)
  indexed_digit_t digits[CLRS_INDEXED_DIGITS];
  indexed_loop_t loops[CLRS_INDEXED_LOOPS];
} indexed_t;

/* From a place of the axis to units of the named side. The last digit takes what is left. */
INLINED index_t units_to_place(const indexed_t *move, count_t place) {
  index_t units = 0;
  EACH_AXIS(k, 0, CLRS_INDEXED_DIGITS, move->digit_count) {
    const indexed_digit_t digit = move->digits[k];
    if (k + 1 == move->digit_count) {
      units += (index_t)place * digit.stride;
    } else {
      units += take_digit(&place, digit.extent, digit.extent_divisor) * digit.stride;
    }
  }
  return units;
}

INLINED void step_along(const indexed_loop_t loop, index_t steps, indexed_at_t *at) {
  at->listed += steps * loop.listed_stride;
  at->named += steps * loop.named_stride;
  at->index += steps * loop.index_stride;
}

#endif
