/*
 * Float steps by integer operations must equal the host's float results, to the last bit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "soft.h"

#include "harness/check.h"
#include "harness/float_code.h"
#include "harness/rng.h"

enum { CASES = 4000000 };

static float step(int op, float x, float p) {
  switch (op) {
  case CLRS_OP_SUBTRACT:
    return x - p;
  case CLRS_OP_ADD:
    return x + p;
  case CLRS_OP_MULTIPLY:
    return x * p;
  case CLRS_OP_DIVIDE:
    return x / p;
  case CLRS_OP_AT_LEAST:
    return x < p ? p : x;
  default:
    return x > p ? p : x;
  }
}

static uint32_t soft_step(int op, uint32_t x, uint32_t p) {
  const clrs__format format = {8, 23, 127, CLRS_SPECIALS_IEEE};
  const clrs__conversion nearest = {format, CLRS_EVEN, 0};
  clrs__number result = clrs__compute(op, clrs__decode(format, x), clrs__decode(format, p));
  result.sign = result.kind == CLRS_NAN ? 0 : result.sign;
  return (uint32_t)clrs__encode(nearest, result);
}

static void expect_steps(uint32_t x, uint32_t p) {
  for (int op = CLRS_OP_SUBTRACT; op <= CLRS_OP_AT_MOST; op++) {
    const uint32_t expected = mapped_code_of(step(op, float_of(x), float_of(p)));
    const uint32_t got = soft_step(op, x, p);
    if (got != expected)
      fail_msg("step %d of %08x and %08x gave %08x, expected %08x", op, x, p, got, expected);
  }
}

TEST(steps_at_turning_points) {
  static const uint32_t some[] = {0x00000000u, 0x00000001u, 0x00000002u, 0x007fffffu, 0x00800000u,
                                  0x00800001u, 0x01000000u, 0x33800000u, 0x34000000u, 0x34000001u,
                                  0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0x3fffffffu, 0x40000000u,
                                  0x4b7fffffu, 0x4b800000u, 0x4b800001u, 0x7f000000u, 0x7f7fffffu,
                                  0x7f800000u, 0x7fc00000u, 0x7f800001u};
  enum { COUNT = sizeof some / sizeof *some };
  for (size_t i = 0; i < COUNT; i++)
    for (size_t k = 0; k < COUNT; k++)
      for (uint32_t signs = 0; signs < 4; signs++)
        expect_steps(some[i] | (signs & 1) << 31, some[k] | (signs & 2) << 30);
}

/* Any bits, exponents near each other so that sums cancel, and few bits with ties as results. */
TEST(random_steps) {
  test_rng rng = rng_start(test_seed(9300));
  for (int64_t i = 0; i < test_cases(CASES); i++) {
    const uint64_t bits = rng_next(&rng);
    uint32_t x = (uint32_t)bits, p = (uint32_t)(bits >> 32);
    if (i % 4 == 1)
      p = (p & 0x807fffffu) | ((((x >> 23 & 0xffu) + (p >> 24 & 7u) + 252u) % 255u) << 23);
    if (i % 4 == 2)
      x &= 0xffff0000u, p &= 0xfff00000u;
    if (i % 4 == 3)
      p &= 0x80ffffffu;
    expect_steps(x, p);
  }
}

TESTS(NULL, NULL)
