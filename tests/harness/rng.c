/*
 * Reproducible random numbers for tests: splitmix64, which needs no warm-up for nearby seeds.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rng.h"

#include <stdlib.h>
#include <string.h>

test_rng rng_start(uint64_t seed) {
  return (test_rng){seed * 0x9E3779B97F4A7C15u ^ 0xD1B54A32D192ED03u};
}

uint64_t rng_next(test_rng *rng) {
  uint64_t z = rng->state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

int64_t rng_between(test_rng *rng, int64_t low, int64_t high) {
  const uint64_t width = (uint64_t)high - (uint64_t)low + 1;
  const uint64_t step = width ? rng_next(rng) % width : rng_next(rng);
  return (int64_t)((uint64_t)low + step);
}

void rng_fill(test_rng *rng, void *bytes, size_t size) {
  unsigned char *at = bytes;
  while (size > 0) {
    const uint64_t value = rng_next(rng);
    const size_t part = size < sizeof value ? size : sizeof value;
    memcpy(at, &value, part);
    at += part;
    size -= part;
  }
}

static uint64_t number_from_environment(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

uint64_t test_seed(uint64_t otherwise) {
  return number_from_environment("CLRS_TEST_SEED", otherwise);
}

int64_t test_cases(int64_t otherwise) {
  return (int64_t)number_from_environment("CLRS_TEST_CASES", (uint64_t)otherwise);
}
