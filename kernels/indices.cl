/*
 * Indices: reads an index and finds the place that it names. The memory of an index is untrusted:
 * no address is computed from an index before the index is compared with the axis.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_INDICES_CL
#define CLRS_INDICES_CL
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif

/* Wide enough for an index, and for the sum of a negative index and the extent. */
#if INDEX_BITS == 32
typedef int sum_t;
INLINED sum_t sum_of_long(long index) {
  return index < INT_MIN ? INT_MIN : index > INT_MAX ? INT_MAX : (sum_t)index;
}
#else
typedef long sum_t;
#define sum_of_long(index) (index)
#endif

typedef struct ALIASED int_entry_t {
  int value;
} int_entry_t;
typedef struct ALIASED long_entry_t {
  long value;
} long_entry_t;
typedef struct ANY_BYTES any_int_entry_t {
  int value;
} any_int_entry_t;
typedef struct ANY_BYTES any_long_entry_t {
  long value;
} any_long_entry_t;

#define INT_ENTRY(type, indices, at) (sum_t)((global const type *)(indices))[at].value
#define LONG_ENTRY(type, indices, at) sum_of_long(((global const type *)(indices))[at].value)

/* Expands DO for the index type of a launch. DO gets the macro that reads an index, and the type of
 * an index. All indices of a launch have one type, so a loop in DO has no branch. With 32-bit
 * positions, a 64-bit index becomes the nearest 32-bit number: 2^40 becomes INT_MAX. An axis has at
 * most INT_MAX places, so both numbers are out of range. */
#define AS_THEIR_TYPE(rules, DO)                                                                   \
  if (((rules)&CLRS_INDEX_IS_UNALIGNED) != 0) {                                                    \
    if (((rules)&CLRS_INDEX_IS_LONG) != 0) {                                                       \
      DO(LONG_ENTRY, any_long_entry_t)                                                             \
    } else {                                                                                       \
      DO(INT_ENTRY, any_int_entry_t)                                                               \
    }                                                                                              \
  } else if (((rules)&CLRS_INDEX_IS_LONG) != 0) {                                                  \
    DO(LONG_ENTRY, long_entry_t)                                                                   \
  } else {                                                                                         \
    DO(INT_ENTRY, int_entry_t)                                                                     \
  }

INLINED sum_t load_index(global const uchar *indices, index_t at, index_t rules) {
#define RETURN_INDEX(ENTRY, type) return ENTRY(type, indices, at);
  AS_THEIR_TYPE(rules, RETURN_INDEX)
}

/* The rules for every index: words of the launch, in separate variables. */
typedef struct index_rules_t {
  index_t extent;
  bool is_from_end, clamps;
} index_rules_t;

INLINED index_rules_t rules_of(index_t extent, index_t rules) {
  const index_rules_t made = {extent, (rules & CLRS_INDEX_FROM_END) != 0,
                              (rules & CLRS_INDEX_CLAMPS) != 0};
  return made;
}

/* Finds the place that an index names. Returns false if the index is out of range and skipped.
 * Nothing here overflows: an extent is not negative, and it is added to negative numbers only. */
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
