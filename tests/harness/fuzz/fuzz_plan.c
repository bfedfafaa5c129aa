/*
 * Views, nests and plans: the fuzzer steers the random test of plans. A chain of operations is
 * applied to a view and to the explicit list of all positions. The plan of the move is enumerated
 * unit by unit, and must lead each bit from the listed source position to the listed destination
 * position.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define main main_of_the_random_test
#include "plan/test_plan_random.c"
#undef main

#include "fuzz_rng.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static plan_case c;
  tally seen = {0};
  memset(&c, 0, sizeof c);
  fuzz_rng_feed(data, size);
  test_rng rng = rng_start(size);
  run_case(&c, &rng, &seen);
  oracle_free(&c.read);
  oracle_free(&c.written);
  return 0;
}
