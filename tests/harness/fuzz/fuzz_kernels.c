/*
 * Plan, run, compare. The fuzzer steers the random test of exact buffers, with kernels that run
 * under the microscope. Fill the kernel cache before, because a kernel takes a moment to compile.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define main main_of_the_random_test
#include "harness/microscope/test_exact.c"
#undef main

#include "fuzz_rng.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static void *state;
  if (state == NULL) {
    REQUIRE(device_missing() == 0 && fixture_open(&state) == 0);
  }
  tally seen = {0};
  exact_case c = {.seed = size};
  fuzz_rng_feed(data, size);
  test_rng rng = rng_start(size);
  if (case_draw(state, &c, &rng)) {
    case_run(state, &c, &rng, &seen);
  }
  clrs_tensor_release(c.source);
  clrs_tensor_release(c.destination);
  unplace(&c.from);
  unplace(&c.to);
  return 0;
}
