/*
 * Steps of floats by integer operations only. These give the same bits on a device that flushes
 * denormal floats to 0, or does not round quotients correctly. The file is valid C11 and valid
 * OpenCL C, like numbers.h.
 *
 * A result is magnitude * 2^exponent with more bits than a 32-bit float. A product is exact. The
 * lowest bit of a quotient is 1 if the division left a rest, which is all that rounding needs.
 * Example: 1 / 3 begins as 2^63 / 3 * 2^-63, and the integer below is 3074457345618258602. With the
 * bit for the rest the quotient is 3074457345618258603 * 2^-63.
 *
 * A sum has 62 bits. Bits of the smaller number behind these are dropped. That number has 24 bits,
 * and then begins at least 38 bits behind the first bit of the sum. So the nearest float is the
 * same with or without the dropped bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_SOFT_H
#define CLRS_SOFT_H

#ifndef CLRS_MAPPED_H
#include "mapped.h"
#endif
#ifndef CLRS_NUMBERS_H
#include "numbers.h"
#endif

CLRS_INLINE clrs__number clrs__special(int kind, int sign) {
  const clrs__number number = {kind, sign, 0, 0};
  return number;
}

/* Returns true if |a| <= |b|. Both are finite. */
CLRS_INLINE int clrs__is_smaller(clrs__number a, clrs__number b) {
  if (a.magnitude == 0 || b.magnitude == 0) {
    return a.magnitude == 0;
  }
  const int a_zeros = CLRS_LEADING_ZEROS(a.magnitude), b_zeros = CLRS_LEADING_ZEROS(b.magnitude);
  const int a_top = a.exponent - a_zeros, b_top = b.exponent - b_zeros;
  return a_top != b_top ? a_top < b_top : a.magnitude << a_zeros <= b.magnitude << b_zeros;
}

/* Adds finite numbers. A sum of 0 is +0, except for -0 plus -0. */
CLRS_INLINE clrs__number clrs__add_finite(clrs__number x, clrs__number p) {
  const int x_is_smaller = clrs__is_smaller(x, p);
  const clrs__number small = x_is_smaller ? x : p;
  clrs__number large = x_is_smaller ? p : x;
  if (small.magnitude == 0) {
    large.sign = large.magnitude == 0 ? x.sign & p.sign : large.sign;
    return large;
  }
  const int up = CLRS_LEADING_ZEROS(large.magnitude) - 1; /* leaves a bit for a carry */
  const int down = large.exponent - up - small.exponent;
  const clrs__word other = down > 63  ? 0
                           : down > 0 ? small.magnitude >> down
                                      : small.magnitude << -down;
  large.magnitude <<= up;
  large.exponent -= up;
  large.magnitude = large.sign == small.sign ? large.magnitude + other : large.magnitude - other;
  large.sign = large.magnitude == 0 ? 0 : large.sign;
  return large;
}

CLRS_INLINE clrs__number clrs__add(clrs__number x, clrs__number p) {
  if (x.kind == CLRS_INFINITE && p.kind == CLRS_INFINITE && x.sign != p.sign) {
    return clrs__special(CLRS_NAN, 0);
  }
  if (x.kind == CLRS_INFINITE || p.kind == CLRS_INFINITE) {
    return x.kind == CLRS_INFINITE ? x : p;
  }
  return clrs__add_finite(x, p);
}

CLRS_INLINE clrs__number clrs__multiply(clrs__number x, clrs__number p) {
  const int sign = x.sign ^ p.sign;
  const int is_zero =
      (x.kind == CLRS_FINITE && x.magnitude == 0) || (p.kind == CLRS_FINITE && p.magnitude == 0);
  if (x.kind == CLRS_INFINITE || p.kind == CLRS_INFINITE) {
    return clrs__special(is_zero ? CLRS_NAN : CLRS_INFINITE, is_zero ? 0 : sign);
  }
  const clrs__number product = {CLRS_FINITE, sign, x.exponent + p.exponent,
                                x.magnitude * p.magnitude};
  return product;
}

CLRS_INLINE clrs__number clrs__divide(clrs__number x, clrs__number p) {
  const int sign = x.sign ^ p.sign;
  const int is_by_zero = p.kind == CLRS_FINITE && p.magnitude == 0;
  if (x.kind == CLRS_INFINITE || is_by_zero) {
    const int is_nan = x.kind == CLRS_INFINITE ? p.kind == CLRS_INFINITE : x.magnitude == 0;
    return clrs__special(is_nan ? CLRS_NAN : CLRS_INFINITE, is_nan ? 0 : sign);
  }
  if (p.kind == CLRS_INFINITE || x.magnitude == 0) {
    return clrs__special(CLRS_FINITE, sign);
  }
  const int up = CLRS_LEADING_ZEROS(x.magnitude);
  const clrs__word dividend = x.magnitude << up, whole = dividend / p.magnitude;
  const clrs__number quotient = {CLRS_FINITE, sign, x.exponent - up - p.exponent,
                                 whole | (clrs__word)(whole * p.magnitude != dividend)};
  return quotient;
}

/* Returns x < p for numbers that are not NaN. -0 equals +0. */
CLRS_INLINE int clrs__is_less(clrs__number x, clrs__number p) {
  p.sign = !p.sign;
  const clrs__number distance = clrs__add(x, p);
  return distance.kind != CLRS_NAN && distance.sign != 0 &&
         (distance.kind == CLRS_INFINITE || distance.magnitude != 0);
}

/* Computes the step CLRS_OP_... of two floats of up to 24 bits, before rounding. */
CLRS_INLINE clrs__number clrs__compute(int op, clrs__number x, clrs__number p) {
  if (op == CLRS_OP_AT_LEAST || op == CLRS_OP_AT_MOST) {
    const int is_number = x.kind != CLRS_NAN && p.kind != CLRS_NAN;
    const int takes_p =
        is_number && (op == CLRS_OP_AT_LEAST ? clrs__is_less(x, p) : clrs__is_less(p, x));
    return takes_p ? p : x;
  }
  if (x.kind == CLRS_NAN || p.kind == CLRS_NAN) {
    return clrs__special(CLRS_NAN, 0);
  }
  p.sign ^= op == CLRS_OP_SUBTRACT;
  return op == CLRS_OP_MULTIPLY ? clrs__multiply(x, p)
         : op == CLRS_OP_DIVIDE ? clrs__divide(x, p)
                                : clrs__add(x, p);
}

#endif
