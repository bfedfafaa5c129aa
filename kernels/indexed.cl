/*
 * What gathers and scatters by indices share: how an index is read, which place it names, and what
 * a gather writes where it names none. An index comes from memory that anybody may have written: no
 * address is made of one before it was compared with the axis.
 *
 * Build options beside those of move.cl: ENTRY_BITS (of an index, 32 or 64), UNALIGNED (indices may
 * begin at any byte), SCATTERS (the indices name places of the destination, not of the source).
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
#ifndef CLRS_INDEXED_WORDS_H
#include "indexed_words.h"
#endif

#ifndef ENTRY_BITS
#define ENTRY_BITS 64
#endif
#ifndef UNALIGNED
#define UNALIGNED 0
#endif
#ifndef SCATTERS
#define SCATTERS 0
#endif

#if ENTRY_BITS == 32
typedef int entry_value_t;
#else
typedef long entry_value_t;
#endif
#if UNALIGNED
typedef struct ANY_BYTES index_entry_t {
  entry_value_t value;
} index_entry_t;
#else
typedef struct ALIASED index_entry_t {
  entry_value_t value;
} index_entry_t;
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

/* What is asked of every index: words of the launch, in variables of their own. */
typedef struct index_rules_t {
  index_t extent;
  bool is_from_end, clamps;
} index_rules_t;

INLINED index_rules_t rules_of(index_t extent, index_t rules) {
  const index_rules_t made = {extent, (rules & CLRS_INDEX_FROM_END) != 0,
                              (rules & CLRS_INDEX_CLAMPS) != 0};
  return made;
}

/* Wide enough for an index, and for the sum of a negative one and the extent. */
#if INDEX_BITS == 32 && ENTRY_BITS == 32
typedef int sum_t;
#else
typedef long sum_t;
#endif

/* The place that an index names. False if it is outside and skipped. Nothing here overflows: an
 * extent is not negative, and it is added to negative numbers only. */
INLINED bool find_place(sum_t index, const index_rules_t rules, count_t *place, bool *is_outside) {
  const sum_t last = (sum_t)rules.extent - 1;
  const sum_t found = rules.is_from_end && index < 0 ? index + (sum_t)rules.extent : index;
  *is_outside = found < 0 || found > last;
  *place = (count_t)(found < 0 ? 0 : found > last ? last : found);
  return !*is_outside || (rules.clamps && rules.extent > 0);
}

INLINED void raise_flag(const sides_t *sides, index_t rules) {
  if ((rules & CLRS_INDEX_HAS_FLAG) != 0) {
    atomic_or((volatile global uint *)sides->flag, 1u);
  }
}

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
