/*
 * A map's steps, and the numbers that they compute with.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_STEPS_CL
#define CLRS_STEPS_CL
#ifndef CLRS_SMALL_FLOATS_CL
#include "small_floats.cl"
#endif

/* DO(n) for each step n. */
#if STEP_COUNT > 0
#define EACH_STEP_0(DO) DO(0)
#else
#define EACH_STEP_0(DO)
#endif
#if STEP_COUNT > 1
#define EACH_STEP_1(DO) EACH_STEP_0(DO) DO(1)
#else
#define EACH_STEP_1(DO) EACH_STEP_0(DO)
#endif
#if STEP_COUNT > 2
#define EACH_STEP_2(DO) EACH_STEP_1(DO) DO(2)
#else
#define EACH_STEP_2(DO) EACH_STEP_1(DO)
#endif
#if STEP_COUNT > 3
#define EACH_STEP_3(DO) EACH_STEP_2(DO) DO(3)
#else
#define EACH_STEP_3(DO) EACH_STEP_2(DO)
#endif
#if STEP_COUNT > 4
#define EACH_STEP_4(DO) EACH_STEP_3(DO) DO(4)
#else
#define EACH_STEP_4(DO) EACH_STEP_3(DO)
#endif
#if STEP_COUNT > 5
#define EACH_STEP_5(DO) EACH_STEP_4(DO) DO(5)
#else
#define EACH_STEP_5(DO) EACH_STEP_4(DO)
#endif
#if STEP_COUNT > 6
#define EACH_STEP_6(DO) EACH_STEP_5(DO) DO(6)
#else
#define EACH_STEP_6(DO) EACH_STEP_5(DO)
#endif
#if STEP_COUNT > 7
#define EACH_STEP(DO) EACH_STEP_6(DO) DO(7)
#else
#define EACH_STEP(DO) EACH_STEP_6(DO)
#endif

/* ---- numbers of the arithmetic type ---- */

INLINED arith_t arithmetic_of(const clrs__number number) {
  const element_t arithmetic = ELEMENT(ARITHMETIC);
  const ulong code = nearest(arithmetic, number);
#if ARITHMETIC_BITS == 16
  return AS_ARITH(nearest(ELEMENT(FLOAT_32), value_of(arithmetic, code)));
#else
  return AS_ARITH(code);
#endif
}

#if WAY == CLRS_WAY_EXACT
/* A NaN that comes of steps has no sign and no payload. */
INLINED clrs__number number_of_arithmetic(arith_t x) {
#if ARITHMETIC_BITS == 64
  const element_t element = ELEMENT(ARITHMETIC);
#else
  const element_t element = ELEMENT(FLOAT_32);
#endif
  clrs__number number = value_of(element, CODE_OF_ARITH(x));
  number.sign = number.kind == CLRS_NAN ? 0 : number.sign;
  return number;
}
#endif

INLINED value_t round_to_arithmetic(value_t x) {
#if ARITHMETIC_BITS == VALUE_BITS
  return x;
#elif ARITHMETIC_BITS == 32
  return CAST(value_t, CAST(LANED(float), x));
#elif WAY == CLRS_WAY_EXACT
  const element_t element = ELEMENT(ARITHMETIC), wide = ELEMENT(FLOAT_32);
  const ulong code = nearest(element, value_of(wide, CODE_OF_ARITH(x)));
  return AS_ARITH(nearest(wide, value_of(element, code)));
#else
  const element_t element = ELEMENT(ARITHMETIC);
  return float_of_small(element, small_of_float(element, x, 0));
#endif
}

/* ---- lanes that are marked ---- */

#if LANES > 1 && WAY == CLRS_WAY_FLOATS
/* 1 where the magnitude is not from 2^-exponent to 2^exponent. */
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

#if DIVISION == CLRS_DIVIDES_WIDE && ARITHMETIC_BITS != 64
typedef LANED(double) doubles_t;
#endif

INLINED value_t quotient(value_t x, value_t p) {
#if DIVISION == CLRS_DIVIDES_WIDE && ARITHMETIC_BITS != 64
  return CAST(value_t, CAST(doubles_t, x) / CAST(doubles_t, p));
#else
  return x / p;
#endif
}

/* A vector's division takes as long as eight multiplications, and many elements share a divisor.
 * With two numbers whose sum is nearly 1 / p, inverse + low, a quotient is x * inverse + x * low,
 * where the second product is rounded and then the sum (Brisebarre, Muller and Raina, IEEE
 * Transactions on Computers 53, 2004). divides_all says whether that is x / p, correctly rounded,
 * for all x: so it is for 79 of 80 divisors. The others divide.
 *
 * No number on the way may overflow or underflow: x from 2^-48 to 2^48 and p from 2^-30 to 2^30 see
 * to that, for 1 - p * inverse is a multiple of 2^-47, so that x * low is 0 or at least 2^-126.
 * Lanes whose x is outside are marked in *beyond, and their row is divided again. A quotient that
 * is 0 gets the sign of x; p has none.
 *
 * An x that is a sum of an integer and of numbers from 2^-25 to 2^25 needs no mark: the sum is a
 * multiple of the last place of one of them, so of 2^-48, and no such sum is -0.
 *
 * A quotient that is only rounded to an integer of 16 bits, half to even, needs less. Where x is
 * less than 2^-48, its products are less than 2^-17: the integer is 0, as it must be, and so it is
 * for -0. Where x is more than 2^48, the result is more than 2^17, and the integer is an end of the
 * range; if x is infinite, or both products overflow, an infinity less an infinity is NaN, which is
 * marked. */
#if (DIVISION == CLRS_DIVIDES || DIVISION == CLRS_DIVIDES_INTEGERS) && LANES > 1 &&                \
    WAY == CLRS_WAY_FLOATS && defined(__FMA__)
#define HAS_INVERSES

INLINED value_t quotient_by_inverse(value_t x, value_t inverse, value_t low) {
  return fma(x, inverse, x * low);
}

/* 1 where x is not divided so. */
INLINED codes_t divides_not(codes_t whole, value_t p, value_t inverse, value_t low) {
  const value_t x = CAST(value_t, AS_WHOLES(whole));
  const codes_t one = (codes_t)1, zero = (codes_t)0;
  return quotient_by_inverse(x, inverse, low) != x / p ? one : zero;
}

/* 2^-24 modulo an odd number of 24 bits, whose inverse modulo 2^3 it is itself; each round doubles
 * the bits. Of 5 it is 1, as 5 * m + 1 is 2^24 for m = 3355443. */
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

/* Are all x divided by their p so? The sum is off x / p by less than 2^-47 of it before it is
 * rounded, so it can be rounded the wrong way only if x / p is as near to a midpoint of two floats.
 * Let X and P be the 24 bits of x and p, and k = 23, or 24 if X < P, so that X * 2^k / P has 24
 * bits before its point. Its distance from the midpoint M + 1/2 is j / (2 * P) with
 * j = X * 2^(k+1) - (2 * M + 1) * P, which is not 0 and as odd as P, and near means that
 * |j| < X * 2^(k-45) / 2, so less than 2, or 4 if k is 24. Of all 2^23 P those by which an x is
 * divided wrongly are odd, and have such an x with j = 1 or j = -1: modulo P, X is j * 2^-24 if k
 * is 23, and j * 2^-25 if k is 24. These four are tried. */
INLINED bool divides_all(value_t p, value_t inverse, value_t low) {
  const codes_t odd = (AS_CODES(p) & 0x7fffffu) | 0x800000u; /* or even, when none is wrong */
  const codes_t one = power_modulo(odd), sum = one + odd;
  const codes_t halved = (one & 1u) != 0 ? sum >> 1u : one >> 1u;
  return !is_any(divides_not(sum, p, inverse, low) | divides_not(odd + odd - one, p, inverse, low) |
                 divides_not(halved, p, inverse, low) | divides_not(odd - halved, p, inverse, low));
}

/* Is the last step a quotient, of which such an integer is made? An integer that wraps needs every
 * bit of a quotient that is beyond its range. */
#define LAST_OP(n) last = OP_##n;
INLINED bool ends_in_short_integers(void) {
  const element_t to = ELEMENT(TO);
  const bool saturates = OVERFLOW_RULE == CLRS_SATURATES;
  const bool is_short = to.kind == CLRS_KIND_INTEGER && to.bits <= 16 && saturates;
  const bool is_even = ROUNDING == CLRS_EVEN, divides = DIVISION == CLRS_DIVIDES;
  const bool is_wide = ARITHMETIC_BITS == 32;
  int last = CLRS_OP_ADD;
  EACH_STEP(LAST_OP)
  return last == CLRS_OP_DIVIDE && is_short && is_even && divides && is_wide;
}

INLINED value_t tame_quotient(value_t x, value_t inverse, value_t low, bool is_last,
                              codes_t *beyond) {
  const value_t result = quotient_by_inverse(x, inverse, low);
  const codes_t zero = (codes_t)0, nan = (codes_t)1;
  if (DIVISION == CLRS_DIVIDES_INTEGERS) {
    return result;
  }
  if (is_last && ends_in_short_integers()) {
    *beyond |= result != result ? nan : zero;
    return result;
  }
  *beyond |= (AS_CODES(x) & 0x7fffffffu) == 0 ? zero : is_beyond(x, 48);
  return AS_FLOATS(AS_CODES(result) | (AS_CODES(x) & 0x80000000u));
}
#endif

/* ---- steps ---- */

INLINED value_t take_step(int kind, value_t x, value_t p) {
  switch (kind) {
  case CLRS_OP_SUBTRACT:
    return round_to_arithmetic(x - p);
  case CLRS_OP_ADD:
    return round_to_arithmetic(x + p);
  case CLRS_OP_MULTIPLY:
    return round_to_arithmetic(x * p);
  case CLRS_OP_DIVIDE:
    return round_to_arithmetic(quotient(x, p));
  case CLRS_OP_AT_LEAST:
    return x < p ? p : x;
  default:
    return x > p ? p : x;
  }
}

/* The parameters of one element, or of LANES. */
typedef struct parameters_t {
  value_t p0, p1, p2, p3, p4, p5, p6, p7;
#ifdef HAS_INVERSES
  value_t inverse0, inverse1, inverse2, inverse3, inverse4, inverse5, inverse6, inverse7;
  value_t low0, low1, low2, low3, low4, low5, low6, low7;
  codes_t *beyond; /* what could not be divided so is marked there */
#endif
  bool is_tame; /* map_stage.cl */
  zero_t zero;
} parameters_t;

INLINED parameters_t no_parameters(void) {
  parameters_t p;
#define NO_PARAMETER(n) p.p##n = (value_t)0;
  EACH_STEP(NO_PARAMETER)
#ifdef HAS_INVERSES
#define NO_INVERSE(n) p.inverse##n = p.low##n = (value_t)0;
  EACH_STEP(NO_INVERSE)
  p.beyond = 0;
#endif
  p.is_tame = false;
  p.zero = (zero_t)0;
  return p;
}

/* Of integers and these steps NaN comes only where a parameter is wild: sums stay finite, and the
 * one product or quotient of them, which may be infinite, is not multiplied again. */
#define COUNT_PRODUCT(n) +(OP_##n == CLRS_OP_MULTIPLY || OP_##n == CLRS_OP_DIVIDE)
INLINED bool never_gives_nan(void) {
  const element_t from = ELEMENT(FROM);
  const int products = 0 EACH_STEP(COUNT_PRODUCT);
  const bool is_of_floats = ARITHMETIC_BITS == 32, is_in_floats = VALUE_BITS == 32;
  const bool has_steps = STEP_COUNT > 0, has_lanes = LANES > 1, is_one = products <= 1;
  return from.kind != CLRS_KIND_FLOAT && is_of_floats && is_in_floats && has_steps && has_lanes &&
         is_one;
}

#ifdef HAS_INVERSES
#define TAMES true
#define TAKE_STEP(n)                                                                               \
  x = OP_##n == CLRS_OP_DIVIDE && p.is_tame                                                        \
          ? round_to_arithmetic(                                                                   \
                tame_quotient(x, p.inverse##n, p.low##n, n == STEP_COUNT - 1, p.beyond))           \
          : take_step(OP_##n, x, p.p##n);
#else
#define TAMES never_gives_nan()
#define ends_in_short_integers() false
#define TAKE_STEP(n) x = take_step(OP_##n, x, p.p##n);
#endif
INLINED value_t take_steps(value_t x, const parameters_t p) {
  EACH_STEP(TAKE_STEP)
  (void)p;
  return x;
}

#endif
