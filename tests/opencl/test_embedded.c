/*
 * A device of the embedded profile without 64-bit integers is refused with a sentence. The fault
 * layer plays the device: CLRS_LAYER_LIMITS is "embedded".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/device.h"

TEST(a_device_without_long_integers_is_refused) {
  test_device device;
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  clrs_context *context = NULL;
  device_open(&device);
  options.context = device.context;
  options.device = device.device;
  CHECK_FAILS(clrs_context_create(&options, &context, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "cles_khr_int64");
  assert_null(context);
  device_close(&device);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
