/*
 * Reproducible random numbers for tests. Case number i of a test runs with seed (base + i), so the
 * seed that a failure prints, given as CLRS_TEST_SEED with CLRS_TEST_CASES=1, repeats that case.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_RNG_H
#define CLRS_TEST_RNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct test_rng {
  uint64_t state;
} test_rng;

test_rng rng_start(uint64_t seed);
uint64_t rng_next(test_rng *rng);
/* Uniform in [low, high], both included. */
int64_t rng_between(test_rng *rng, int64_t low, int64_t high);
bool rng_percent(test_rng *rng, int percent);
/* A random order of 0..count-1. */
void rng_permutation(test_rng *rng, size_t count, int64_t *order);
void rng_fill(test_rng *rng, void *bytes, size_t size);

/* CLRS_TEST_SEED and CLRS_TEST_CASES from the environment, or the test's own defaults. */
uint64_t test_seed(uint64_t otherwise);
int64_t test_cases(int64_t otherwise);

#endif
