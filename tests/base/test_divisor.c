/*
 * Divisors of kernels: a quotient by magic and shift is that of the machine's division.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/divisor.h"

#include "harness/check.h"
#include "harness/rng.h"

/* The formula of kernels/move.cl: (mul_hi(n, magic) + n) >> shift. mul_hi of 64 bits out of four
 * halves. */
static uint64_t high_half(uint64_t a, uint64_t b) {
  const uint64_t low = UINT32_MAX;
  const uint64_t middle = (a >> 32) * (b & low) + ((a & low) * (b & low) >> 32);
  const uint64_t other = (a & low) * (b >> 32) + (middle & low);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

static void check_divisor(int64_t d, uint64_t n, uint32_t bits) {
  const clrs__divisor by = clrs__divisor_of(d, bits);
  const uint64_t magic = (uint64_t)by.magic;
  const uint64_t high = bits == 32 ? (n & UINT32_MAX) * magic >> 32 : high_half(n, magic);
  if (bits == 32) {
    assert_true(magic <= UINT32_MAX);
  }
  if ((high + n) >> by.shift != n / (uint64_t)d) {
    fail_msg("%llu / %lld by %u bits", (unsigned long long)n, (long long)d, bits);
  }
}

/* Counts have a bit less than an index. */
TEST(quotients_are_those_of_division) {
  test_rng rng = {20261127};
  for (uint32_t bits = 32; bits <= 64; bits += 32) {
    const int64_t most = bits == 32 ? INT32_MAX : INT64_MAX;
    for (int i = 0; i < 20000; i++) {
      const int64_t d = i < 300   ? i + 1
                        : i < 310 ? most - (i - 300)
                                  : rng_between(&rng, 1, most >> i % (int)(bits - 2));
      const int64_t n = rng_between(&rng, 0, most);
      check_divisor(d, (uint64_t)n, bits);
      check_divisor(d, (uint64_t)(n / d * d), bits);
      check_divisor(d, (uint64_t)(n / d * d > 0 ? n / d * d - 1 : 0), bits);
      check_divisor(d, (uint64_t)most, bits);
    }
  }
}

TESTS(NULL, NULL)
