/*
 * Correctly rounded quotients of floats, for a device that does not round quotients correctly but
 * has fma. The text is valid C11 and valid OpenCL C.
 *
 * The caller gives `near`, which is off from 1 / p by a few last places. Two rounds make the
 * nearest float to 1 / p of `near`, and each round squares the relative error. The two rounds
 * suffice for every p except a p with 24 bits of 1, as tests/mapped/test_tame.c tries for every p.
 *
 * The product x * inverse is off from x / p by less than 1.5 last places. A first correction gives
 * a neighbour q of x / p. Then x - q * p is a float, and q + (x - q * p) * inverse, rounded once,
 * is the correctly rounded x / p (Markstein, IBM Journal of Research and Development 34, 1990).
 *
 * No intermediate number may overflow or be denormal. src/mapped/tame.c proves this for a map. If
 * the product is infinite, NaN or 0, the product is the result, and has the right sign.
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
