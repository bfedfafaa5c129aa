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

INLINED value_t round_to_arithmetic(value_t x) {
#if ARITHMETIC_BITS != 16
  return x;
#elif WAY == CLRS_WAY_EXACT
  const element_t element = ELEMENT(ARITHMETIC), wide = ELEMENT(FLOAT_32);
  const ulong code = nearest(element, value_of(wide, CODE_OF_ARITH(x)));
  return AS_ARITH(nearest(wide, value_of(element, code)));
#else
  const element_t element = ELEMENT(ARITHMETIC);
  return float_of_small(element, small_of_float(element, x, 0));
#endif
}

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

/* A vector's division takes as long as ten fused multiplications, and many elements share a
 * divisor. With its inverse, correctly rounded, x * inverse is off by less than two units in the
 * last place, one correction brings that under one, and another gives the quotient correctly
 * rounded (Markstein, IBM Journal of Research and Development 34, 1990). The proof asks that no
 * number on the way overflows or underflows: x from 2^-90 to 2^90 and p from 2^-30 to 2^30 see to
 * that. Lanes whose x is outside are marked in *beyond, and their row is divided again. A quotient
 * that is 0 gets the sign of x and p.
 *
 * An x that is a sum of an integer and of numbers from 2^-60 to 2^60 needs no mark: the sum is a
 * multiple of the last place of one of them, so of 2^-83, and no such sum is -0. */
#if (DIVISION == CLRS_DIVIDES || DIVISION == CLRS_DIVIDES_INTEGERS) && LANES > 1 && defined(__FMA__)
#define HAS_INVERSES

INLINED codes_t is_beyond(value_t x, int exponent) {
  const uint least = (uint)(127 - exponent) << 23, most = (uint)(127 + exponent) << 23;
  const codes_t value = AS_CODES(x) & 0x7fffffffu, out = (codes_t)1, in = (codes_t)0;
  return value - least > most - least ? out : in;
}

INLINED value_t quotient_by_inverse(value_t x, value_t p, value_t inverse, codes_t *beyond) {
  const value_t near = x * inverse, nearer = fma(fma(-p, near, x), inverse, near);
  const value_t result = fma(fma(-p, nearer, x), inverse, nearer);
  const codes_t zero = (codes_t)0, outside = is_beyond(x, 90);
  if (DIVISION == CLRS_DIVIDES_INTEGERS) {
    return result;
  }
  *beyond |= (AS_CODES(x) & 0x7fffffffu) == 0 ? zero : outside;
  return AS_FLOATS(AS_CODES(result) | ((AS_CODES(x) ^ AS_CODES(p)) & 0x80000000u));
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
  codes_t *beyond; /* what could not be divided so is marked there */
#endif
  bool by_inverses;
  zero_t zero;
} parameters_t;

INLINED parameters_t no_parameters(void) {
  parameters_t p;
#define NO_PARAMETER(n) p.p##n = (value_t)0;
  EACH_STEP(NO_PARAMETER)
#ifdef HAS_INVERSES
#define NO_INVERSE(n) p.inverse##n = (value_t)0;
  EACH_STEP(NO_INVERSE)
  p.beyond = 0;
#endif
  p.by_inverses = false;
  p.zero = (zero_t)0;
  return p;
}

#ifdef HAS_INVERSES
#define TAKE_STEP(n)                                                                               \
  x = OP_##n == CLRS_OP_DIVIDE && p.by_inverses                                                    \
          ? round_to_arithmetic(quotient_by_inverse(x, p.p##n, p.inverse##n, p.beyond))            \
          : take_step(OP_##n, x, p.p##n);
#else
#define TAKE_STEP(n) x = take_step(OP_##n, x, p.p##n);
#endif
INLINED value_t take_steps(value_t x, const parameters_t p) {
  EACH_STEP(TAKE_STEP)
  (void)p;
  return x;
}

#endif
