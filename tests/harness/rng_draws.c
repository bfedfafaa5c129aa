/*
 * Draws from random numbers of any origin: rng.c, or a fuzzer's input.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rng.h"

bool rng_percent(test_rng *rng, int percent) {
  return rng_between(rng, 0, 99) < percent;
}

void rng_permutation(test_rng *rng, size_t count, int64_t *order) {
  for (size_t i = 0; i < count; i++) {
    const size_t j = (size_t)rng_between(rng, 0, (int64_t)i);
    order[i] = order[j];
    order[j] = (int64_t)i;
  }
}
