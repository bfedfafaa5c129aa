/*
 * Feeds the random tests from the fuzzer's input. Linked instead of support/rng.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_FUZZ_RNG_H
#define CLRS_FUZZ_RNG_H

#include "fuzz.h"
#include "harness/rng.h"

void fuzz_rng_feed(const uint8_t *data, size_t size);

#endif
