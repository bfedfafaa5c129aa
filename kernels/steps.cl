/*
 * The steps of a map, and the numbers of these steps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_STEPS_CL
#define CLRS_STEPS_CL
#ifndef CLRS_SMALL_FLOATS_CL
#include "small_floats.cl"
#endif
#if DIVISION == CLRS_DIVIDES_FUSED
#ifndef CLRS_QUOTIENT_H
#include "quotient.h"
#endif
#endif

/* DO(n) for each step n, and for each step except the last, which makes the result's code. */
#define EACH_OF_0(DO)
#define EACH_OF_1(DO) DO(0)
#define EACH_OF_2(DO) EACH_OF_1(DO) DO(1)
#define EACH_OF_3(DO) EACH_OF_2(DO) DO(2)
#define EACH_OF_4(DO) EACH_OF_3(DO) DO(3)
#define EACH_OF_5(DO) EACH_OF_4(DO) DO(4)
#define EACH_OF_6(DO) EACH_OF_5(DO) DO(5)
#define EACH_OF_7(DO) EACH_OF_6(DO) DO(6)
#define EACH_OF_8(DO) EACH_OF_7(DO) DO(7)
#define EACH_OF_9(DO) EACH_OF_8(DO) DO(8)
#define EACH_OF_10(DO) EACH_OF_9(DO) DO(9)
#define EACH_OF_11(DO) EACH_OF_10(DO) DO(10)
#define EACH_OF_12(DO) EACH_OF_11(DO) DO(11)
#define EACH_OF_13(DO) EACH_OF_12(DO) DO(12)
#define EACH_OF_14(DO) EACH_OF_13(DO) DO(13)
#define EACH_OF_15(DO) EACH_OF_14(DO) DO(14)
#define EACH_OF_16(DO) EACH_OF_15(DO) DO(15)
#define EACH_OF_JOINED(count) EACH_OF_##count
#define EACH_OF(count) EACH_OF_JOINED(count)
#define EACH_STEP(DO) EACH_OF(STEP_COUNT)(DO)
#define EACH_BEFORE_LAST(DO) EACH_OF(LAST)(DO)

typedef struct step_t {
  int op;
  element_t type; /* type of the computation, or of the rounded result */
  int rounding, overflow;
} step_t;
#define STEP_OF(n) ((step_t){OP_##n, {AS_##n}, ROUNDING_##n, OVERFLOW_##n})
#define STEP(n) STEP_OF(n)

INLINED bool rounds(const step_t step) {
  return step.op == CLRS_OP_ROUND || step.op == CLRS_OP_ROUND_AND_ADD;
}

/* Returns true if the step's parameter is a zero point, which is added or subtracted exactly. */
INLINED bool takes_integers(const step_t step) {
  return step.op == CLRS_OP_ROUND_AND_ADD ||
         (step.op != CLRS_OP_ROUND && step.type.kind == CLRS_KIND_INTEGER && step.type.bits == 64);
}

/* Returns true if the step computes with 32-bit integers. */
INLINED bool computes_integers(const step_t step) {
  return !rounds(step) && step.type.kind == CLRS_KIND_INTEGER && step.type.bits == 32;
}

/* Returns step n, or the last step if n is larger. */
#define STEP_IF(k) step = n >= k ? STEP_OF(k) : step;
INLINED step_t step_at(int n) {
  step_t step = STEP_OF(0);
  EACH_STEP(STEP_IF)
  return step;
}

/* ---- numbers of a step's type ---- */

INLINED bool is_float_of_value(const element_t type) {
  return type.kind == CLRS_KIND_FLOAT && type.bits == VALUE_BITS;
}

#if WAY != CLRS_WAY_INTEGERS
/* Rounds a value to the nearest float of a type that values hold. */
INLINED value_t round_to_float(const element_t type, value_t x) {
  if (type.bits == VALUE_BITS) {
    return x;
  }
  if (type.bits == 32) {
    return CAST(value_t, CAST(LANED(float), x));
  }
  return float_of_small(type, small_of_float(type, x, 0, true));
}
#endif

/* ---- lanes that are marked ---- */

#if LANES > 1 && WAY == CLRS_WAY_FLOATS
/* Marks, with 1, lanes whose magnitude is not from 2^-exponent to 2^exponent. */
INLINED codes_t is_beyond(value_t x, int exponent) {
  const uint least = (uint)(127 - exponent) << 23, most = (uint)(127 + exponent) << 23;
  const codes_t value = AS_CODES(x) & 0x7fffffffu, out = (codes_t)1, in = (codes_t)0;
  return value - least > HELD(most - least) ? out : in;
}

INLINED bool is_any(const codes_t marks) {
  const uint8 eight = marks.lo | marks.hi;
  const uint4 four = eight.lo | eight.hi;
  const uint2 two = four.lo | four.hi;
  return (two.x | two.y) != 0;
}

#endif

/* ---- quotients ---- */

#if DIVISION == CLRS_DIVIDES_WIDE && VALUE_BITS != 64
typedef LANED(double) doubles_t;
#elif DIVISION == CLRS_DIVIDES_FUSED
CLRS_QUOTIENT(fused_quotient, value_t, fma)
#endif

INLINED value_t quotient(value_t x, value_t p) {
#if DIVISION == CLRS_DIVIDES_WIDE && VALUE_BITS != 64
  return CAST(value_t, CAST(doubles_t, x) / CAST(doubles_t, p));
#elif DIVISION == CLRS_DIVIDES_FUSED
  return fused_quotient(x, p, (value_t)1.0f / p);
#else
  return x / p;
#endif
}

/* A vector division takes as long as eight multiplications, and many elements share a divisor. So
 * two numbers are kept for each divisor, inverse and low, and the sum of the two is nearly 1 / p. A
 * quotient is x * inverse + x * low: the second product is rounded, and then the sum (Brisebarre,
 * Muller and Raina, IEEE Transactions on Computers 53, 2004). The function divides_all tests
 * whether the quotient is the correctly rounded x / p for all x. 79 of 80 divisors pass. The other
 * divisors use a division.
 *
 * No intermediate number may overflow or underflow. This holds for x from 2^-48 to 2^48 and p from
 * 2^-30 to 2^30: 1 - p * inverse is a multiple of 2^-47, so x * low is 0 or at least 2^-126. Lanes
 * with other x are marked in *beyond, and their row is divided again. A quotient of 0 gets the sign
 * of x, because p has no sign.
 *
 * No mark is needed if x is a sum of an integer and of numbers from 2^-25 to 2^25. The sum is a
 * multiple of the last place of one of the numbers, and so of 2^-48. The sum is never -0.
 *
 * A quotient needs less if it is only rounded to a 16-bit integer, half to even. If x is less than
 * 2^-48, its products are less than 2^-17, and the integer is correctly 0. The same holds for -0.
 * If x is more than 2^48, the result is more than 2^17, and the integer is an end of the range. If
 * x is infinite, or both products overflow, infinity minus infinity gives NaN, which is marked. */
#if (DIVISION == CLRS_DIVIDES || DIVISION == CLRS_DIVIDES_INTEGERS) && LANES > 1 &&                \
    WAY == CLRS_WAY_FLOATS && defined(__FMA__)
#define HAS_INVERSES

INLINED value_t quotient_by_inverse(value_t x, value_t inverse, value_t low) {
  return fma(x, inverse, x * low);
}

/* Marks, with 1, lanes where the quotient by the inverse is not x / p. */
INLINED codes_t divides_not(codes_t whole, value_t p, value_t inverse, value_t low) {
  const value_t x = CAST(value_t, AS_WHOLES(whole));
  const codes_t one = (codes_t)1, zero = (codes_t)0;
  return quotient_by_inverse(x, inverse, low) != x / p ? one : zero;
}

/* Returns 2^-24 modulo an odd number of 24 bits. Modulo 2^3 an odd number is its own inverse, and
 * each round doubles the bits. For 5 the result is 1, as 5 * m + 1 is 2^24 for m = 3355443. */
INLINED codes_t power_modulo(codes_t odd) {
  typedef LANED(ulong) ulongs_t;
  codes_t inverse = odd;
  PLAIN_LOOP
  for (int bits = 3; bits < 24; bits *= 2) {
    inverse *= (codes_t)2 - odd * inverse;
  }
  const codes_t m = ((codes_t)0 - inverse) & 0xffffffu;
  return CAST(codes_t, (CAST(ulongs_t, odd) * CAST(ulongs_t, m) + (ulongs_t)1) >> (ulongs_t)24);
}

/* Returns true if the quotient by the inverse is correct for all x and each p.
 *
 * Before rounding, the sum differs from x / p by less than 2^-47 of x / p. So the sum can be
 * rounded the wrong way only if x / p is that near to a midpoint of two floats. Let X and P be the
 * 24 bits of x and p, and k = 23, or 24 if X < P, so that X * 2^k / P has 24 bits before its point.
 * The distance from the midpoint M + 1/2 is j / (2 * P) with j = X * 2^(k+1) - (2 * M + 1) * P. j
 * is not 0, and is odd exactly if P is odd. Near means |j| < X * 2^(k-45) / 2, so |j| is less than
 * 2, or less than 4 if k is 24.
 *
 * Among all 2^23 P, every P with a wrong quotient is odd, and has a wrong X with j = 1 or j = -1.
 * Modulo P, this X is j * 2^-24 if k is 23, and j * 2^-25 if k is 24. These four X are tried. */
INLINED bool divides_all(value_t p, value_t inverse, value_t low) {
  const codes_t odd = (AS_CODES(p) & 0x7fffffu) | 0x800000u; /* if even, no quotient is wrong */
  const codes_t one = power_modulo(odd), sum = one + odd;
  const codes_t halved = (one & 1u) != 0 ? sum >> 1u : one >> 1u;
  return !is_any(divides_not(sum, p, inverse, low) | divides_not(odd + odd - one, p, inverse, low) |
                 divides_not(halved, p, inverse, low) | divides_not(odd - halved, p, inverse, low));
}

/* Returns true if step n is a quotient that the next step rounds to such a 16-bit integer. An
 * integer that wraps needs every bit of a quotient beyond its range. */
INLINED bool gives_short_integer(int n) {
  const step_t step = step_at(n), next = step_at(n + 1);
  const bool is_quotient = n >= 0 && step.op == CLRS_OP_DIVIDE && step.type.bits == 32;
  const bool is_short = next.type.kind == CLRS_KIND_INTEGER && next.type.bits <= 16;
  const bool divides = DIVISION == CLRS_DIVIDES;
  return is_quotient && is_short && rounds(next) && next.overflow == CLRS_SATURATES &&
         next.rounding == CLRS_EVEN && divides;
}

INLINED value_t tame_quotient(value_t x, value_t inverse, value_t low, bool is_short,
                              codes_t *beyond) {
  const value_t result = quotient_by_inverse(x, inverse, low);
  const codes_t zero = (codes_t)0, nan = (codes_t)1;
  if (DIVISION == CLRS_DIVIDES_INTEGERS) {
    return result;
  }
  if (is_short) {
    *beyond |= result != result ? nan : zero;
    return result;
  }
  *beyond |= (AS_CODES(x) & 0x7fffffffu) == 0 ? zero : is_beyond(x, 48);
  return AS_FLOATS(AS_CODES(result) | (AS_CODES(x) & 0x80000000u));
}
#endif

/* ---- steps ---- */

/* Computes a step, before rounding. */
INLINED value_t operate(int op, value_t x, value_t p) {
  switch (op) {
  case CLRS_OP_SUBTRACT:
    return x - p;
  case CLRS_OP_ADD:
  case CLRS_OP_ADD_TERM:
    return x + p;
  case CLRS_OP_MULTIPLY:
    return x * p;
  case CLRS_OP_DIVIDE:
    return quotient(x, p);
  case CLRS_OP_AT_LEAST:
    return x < p ? p : x;
  default:
    return x > p ? p : x;
  }
}

/* The parameters of one element, or of LANES elements. */
#define DECLARE_PARAMETER(n) parameters_of_lanes_t p##n;
#define DECLARE_INVERSE(n) value_t inverse##n, low##n;
typedef struct parameters_t {
  EACH_STEP(DECLARE_PARAMETER)
#ifdef HAS_INVERSES
  EACH_STEP(DECLARE_INVERSE)
  codes_t *beyond; /* marks of lanes without a quotient by the inverse */
#endif
  bool is_tame; /* map_stage.cl */
} parameters_t;

INLINED parameters_t no_parameters(void) {
  parameters_t p;
#define NO_PARAMETER(n) p.p##n = (parameters_of_lanes_t)0;
  EACH_STEP(NO_PARAMETER)
#ifdef HAS_INVERSES
#define NO_INVERSE(n) p.inverse##n = p.low##n = (value_t)0;
  EACH_STEP(NO_INVERSE)
  p.beyond = 0;
#endif
  p.is_tame = false;
  return p;
}

/* Returns true if NaN arises only from a wild parameter. This holds for integers and steps that
 * compute with floats. Sums stay finite, and at most one product or quotient, which may be
 * infinite, is not multiplied again. Maps with a rounding step before the last, or with terms, are
 * not analysed. */
#define COUNT_PRODUCT(n) +(OP_##n == CLRS_OP_MULTIPLY || OP_##n == CLRS_OP_DIVIDE)
#define COUNT_OTHERS(n)                                                                            \
  +(rounds(STEP(n)) || OP_##n == CLRS_OP_TERM ||                                                   \
    !(takes_integers(STEP(n)) || is_float_of_value(STEP(n).type)))
INLINED bool never_gives_nan(void) {
  const element_t from = ELEMENT(FROM);
  const int products = 0 EACH_STEP(COUNT_PRODUCT), others = 0 EACH_BEFORE_LAST(COUNT_OTHERS);
  const bool is_in_floats = VALUE_BITS == 32, has_steps = LAST > 0, has_lanes = LANES > 1;
  const bool is_one = products <= 1, is_plain = others == 0;
  return from.kind != CLRS_KIND_FLOAT && is_in_floats && has_steps && has_lanes && is_one &&
         is_plain;
}

#ifdef HAS_INVERSES
#define TAMES true
#else
#define TAMES never_gives_nan()
#define gives_short_integer(n) false
#endif

#endif
