/*
 * The numbers where 32- and 64-bit arithmetic and doubles go wrong, and products that cannot.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_BOUNDARY_H
#define CLRS_TEST_BOUNDARY_H

#include <stdint.h>

__extension__ typedef __int128 wide;

#define BOUNDARY_AROUND(power)                                                                     \
  (INT64_C(1) << (power)) - 1, INT64_C(1) << (power), (INT64_C(1) << (power)) + 1

static const int64_t boundary_values[] = {0,
                                          1,
                                          2,
                                          3,
                                          INT64_C(1) << 30,
                                          BOUNDARY_AROUND(31),
                                          BOUNDARY_AROUND(32),
                                          BOUNDARY_AROUND(53),
                                          BOUNDARY_AROUND(62),
                                          INT64_MAX - 1,
                                          INT64_MAX,
                                          -1,
                                          -2,
                                          INT64_MIN + 1,
                                          INT64_MIN};

enum { BOUNDARY_COUNT = sizeof boundary_values / sizeof boundary_values[0] };

/* Exact up to the first product over INT64_MAX, then some larger number for ever (given b >= 1). */
static inline wide wide_multiply(wide a, int64_t b) {
  return a > INT64_MAX ? a : a * b;
}

#endif
