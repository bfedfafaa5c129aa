/*
 * An index: how it is read, and which place it names. An index comes from memory that anybody may
 * have written: no address is made of one before it was compared with the axis.
 *
 * Build options beside those of move.cl: ENTRY_BITS (of an index, 32 or 64), UNALIGNED (indices may
 * begin at any byte).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_INDICES_CL
#define CLRS_INDICES_CL
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif

#ifndef ENTRY_BITS
#define ENTRY_BITS 64
#endif
#ifndef UNALIGNED
#define UNALIGNED 0
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

INLINED void raise_flag(global uint *flag, index_t rules) {
  if ((rules & CLRS_INDEX_HAS_FLAG) != 0) {
    atomic_or((volatile global uint *)flag, 1u);
  }
}

#endif
