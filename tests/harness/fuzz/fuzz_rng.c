/*
 * The random numbers of the tests, taken from the fuzzer's input, so the fuzzer steers the draws of
 * random tests. After the end of the input, pseudo-random numbers follow.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz_rng.h"

#include <string.h>

static fuzz_source source;

void fuzz_rng_feed(const uint8_t *data, size_t size) {
  source = (fuzz_source){data, size};
}

test_rng rng_start(uint64_t seed) {
  return (test_rng){seed};
}

uint64_t rng_next(test_rng *rng) {
  if (source.left >= 2) {
    const uint64_t high = fuzz_byte(&source);
    return high << 8 | fuzz_byte(&source);
  }
  rng->state = rng->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return rng->state >> 33;
}

/* All draws of the tests are from small ranges. A wider range takes several numbers. */
int64_t rng_between(test_rng *rng, int64_t low, int64_t high) {
  const uint64_t width = (uint64_t)high - (uint64_t)low + 1;
  uint64_t value = rng_next(rng);
  if (width == 0 || width > 65536) {
    value = value << 48 ^ rng_next(rng) << 32 ^ rng_next(rng) << 16 ^ rng_next(rng);
  }
  return (int64_t)((uint64_t)low + (width ? value % width : value));
}

/* Contents need no steering, and would use the input up. */
void rng_fill(test_rng *rng, void *bytes, size_t size) {
  unsigned char *to = bytes;
  for (size_t i = 0; i < size; i++) {
    rng->state = rng->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    to[i] = (unsigned char)(rng->state >> 56);
  }
}

uint64_t test_seed(uint64_t otherwise) {
  return otherwise;
}

int64_t test_cases(int64_t otherwise) {
  return otherwise;
}
