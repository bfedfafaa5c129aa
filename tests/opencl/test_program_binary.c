/*
 * For whom a binary is: one device's programs that take other arguments, or are compiled in another
 * way, must not be taken for each other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "opencl/program/program_binary.h"

#include <string.h>

#include "harness/device.h"

static void each_way_of_building_has_an_identity(void **state) {
  enum { WAYS = 3 };
  (void)state;
  test_device device;
  device_open(&device);
  const clrs__program_target ways[WAYS] = {
      {.device = device.device, .compile_path = CLRS_COMPILE_PATH_NATIVE},
      {.device = device.device, .compile_path = CLRS_COMPILE_PATH_PORTABLE},
      {.device = device.device, .compile_path = CLRS_COMPILE_PATH_PORTABLE, .copies_words = true},
  };
  char identity[WAYS][CLRS__IDENTITY_BYTES];
  clrs_error error;
  for (int i = 0; i < WAYS; i++) {
    CHECK_OK(clrs__programs_identity(&ways[i], identity[i], sizeof identity[i], &error), error);
    for (int j = 0; j < i; j++)
      assert_string_not_equal(identity[i], identity[j]);
  }
  device_close(&device);
}

int main(void) {
  const int missing = device_missing();
  if (missing)
    return missing;
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_way_of_building_has_an_identity)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
