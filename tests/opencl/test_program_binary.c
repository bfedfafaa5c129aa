/*
 * The owner of a binary: programs of the same device with other arguments, or compiled in another
 * way, must not be confused.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "opencl/program/program_binary.h"

#include "harness/device.h"

TEST(each_way_of_building_has_an_identity) {
  enum { WAYS = 4 };
  test_device device;
  device_open(&device);
  const clrs__program_target ways[WAYS] = {
      {.device = device.device, .compile_path = CLRS_COMPILE_PATH_NATIVE},
      {.device = device.device, .compile_path = CLRS_COMPILE_PATH_PORTABLE},
      {.device = device.device, .compile_path = CLRS_COMPILE_PATH_NATIVE, .words_in_buffer = true},
      {.device = device.device,
       .compile_path = CLRS_COMPILE_PATH_PORTABLE,
       .words_in_buffer = true},
  };
  char identity[WAYS][CLRS__IDENTITY_BYTES];
  for (int i = 0; i < WAYS; i++) {
    CHECK_OK(clrs__programs_identity(&ways[i], identity[i], sizeof identity[i], &error), error);
    for (int j = 0; j < i; j++)
      assert_string_not_equal(identity[i], identity[j]);
  }
  device_close(&device);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
