/*
 * Quotients of floats by products and sums that are rounded once (fma), correctly rounded, for a
 * device whose own are not. It is valid C11 and valid OpenCL C.
 *
 * A value near 1 / p, off by a few last places, becomes the nearest float to 1 / p in two rounds, of
 * which each squares its relative error. That is so for all p but those whose 24 bits are all 1, as
 * tests/mapped/test_tame.c tries for every p. Where `inverse` is that float, and q one of the two
 * neighbours of x / p, x - q * p is a float, and q + (x - q * p) * inverse, rounded once, is x / p,
 * rounded correctly (Markstein, IBM Journal of Research and Development 34, 1990). x * inverse is
 * off by less than 1.5 last places, and the same correction makes a neighbour of it first.
 *
 * No number on the way may overflow or be denormal: src/mapped/tame.c sees to that. A quotient that
 * is infinite, NaN or 0 is the product itself, whose sign is right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_QUOTIENT_H
#define CLRS_QUOTIENT_H

#ifndef CLRS_NUMBERS_H
#include "numbers.h"
#endif

/* Functions name(x, p, near) and name_inverse(p, near) of one float or of many. */
#define CLRS_QUOTIENT(name, floats_t, FMA)                                                         \
  CLRS_INLINE floats_t name##_inverse(floats_t p, floats_t near) {                                 \
    const floats_t one = (floats_t)1.0f, once = FMA(FMA(-p, near, one), near, near);               \
    return FMA(FMA(-p, once, one), once, once);                                                    \
  }                                                                                                \
  CLRS_INLINE floats_t name(floats_t x, floats_t p, floats_t near) {                               \
    const floats_t inverse = name##_inverse(p, near), product = x * inverse;                       \
    const floats_t neighbour = FMA(FMA(-p, product, x), inverse, product);                         \
    const floats_t quotient = FMA(FMA(-p, neighbour, x), inverse, neighbour);                      \
    const floats_t finite = product - product == 0.0f ? quotient : product;                        \
    return product == 0.0f ? product : finite;                                                     \
  }

#endif
