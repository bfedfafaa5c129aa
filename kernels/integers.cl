/*
 * A map from integers or bools to integers or bools, with all steps of such types.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_INTEGERS_CL
#define CLRS_INTEGERS_CL
#ifndef CLRS_STEPS_CL
#include "steps.cl"
#endif

#if WAY == CLRS_WAY_INTEGERS
typedef LANED(ulong) wide_codes_t;

INLINED longs_t long_of_code(const element_t element, wide_codes_t code) {
  const int unused = 64 - element.bits;
  const longs_t bits = LANED(as_long)(code << unused);
  return element.is_signed ? bits >> unused : LANED(as_long)(code);
}

/* Returns the nearest integer of the type. A value of an unsigned 64-bit source is never negative,
 * whatever its highest bit. */
INLINED longs_t saturate_long(const element_t from, const element_t to, longs_t value) {
  if (from.is_signed == to.is_signed && from.bits <= to.bits) {
    return value;
  }
  const long most = (long)clrs__ones(to.bits - (to.is_signed || to.bits == 64));
  const long least = to.is_signed ? -most - 1 : 0;
  if (from.bits == 64 && !from.is_signed) {
    return value < 0 || value > most ? (longs_t)most : value;
  }
  const longs_t least_of_all = (longs_t)least, most_of_all = (longs_t)most;
  const longs_t high = value < least ? least_of_all : value;
  return high > most ? most_of_all : high;
}

/* 1 for every number but 0. */
INLINED longs_t truth_of(longs_t value) {
  return value != 0 ? CAST(longs_t, HELD(1)) : (longs_t)0;
}

/* Rounds an integer of one type to another type. */
INLINED longs_t round_long(const element_t from, const step_t step, longs_t value) {
  const element_t to = step.type;
  if (to.kind == CLRS_KIND_BOOL) {
    return truth_of(value);
  }
  return step.overflow == CLRS_SATURATES
             ? saturate_long(from, to, value)
             : long_of_code(to, LANED(as_ulong)(value) & (ulong)clrs__ones(to.bits));
}

#define ROUND_LONG(n)                                                                              \
  value = round_long(at, STEP(n), value);                                                          \
  at = ELEMENT(AS_##n);
INLINED wide_codes_t convert_integers(wide_codes_t code) {
  element_t at = ELEMENT(FROM);
  longs_t value =
      at.kind == CLRS_KIND_BOOL ? truth_of(LANED(as_long)(code)) : long_of_code(at, code);
  EACH_STEP(ROUND_LONG)
  return LANED(as_ulong)(value) & (ulong)clrs__ones(at.bits);
}

#define CONVERT(codes, p) ((void)(p), convert_integers(CAST(wide_codes_t, codes)))
#endif

#endif
