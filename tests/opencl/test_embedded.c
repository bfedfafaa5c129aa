/*
 * A device of the embedded profile is refused with a sentence, unless the device has 64-bit
 * integers. The fault layer plays the device: CLRS_LAYER_LIMITS is "embedded", with "integers" for
 * 64-bit integers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/device.h"

#include "harness/fault_layer.h"

static fault_layer layer;

static clrs_status create(const test_device *device, clrs_context **context, clrs_error *error) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  options.context = device->context;
  options.device = device->device;
  return clrs_context_create(&options, context, error);
}

static bool has_integers(void) {
  return strstr(getenv("CLRS_LAYER_LIMITS"), "integers") != NULL;
}

TEST(a_device_without_long_integers_is_refused) {
  test_device device;
  clrs_context *context = NULL;
  device_open(&device);
  const clrs_status status = create(&device, &context, &error);
  if (has_integers()) {
    CHECK_OK(status, error);
    assert_int_equal(clrs_context_limits(context).max_group_items, 64); /* of one dimension */
  } else {
    assert_int_equal(status, CLRS_UNSUPPORTED);
    CHECK_SAYS(error, "cles_khr_int64");
    assert_null(context);
  }
  clrs_context_release(context);
  device_close(&device);
}

/* A list of extensions that cannot be had is an error, and no lack of integers. */
TEST(every_call_before_the_answer_may_fail) {
  fault f = {1, CL_OUT_OF_RESOURCES, false, FAULT_BEFORE};
  test_device device;
  bool failed = true;
  device_open(&device);
  for (; failed && f.nth < 100; f.nth++) {
    clrs_context *context = NULL;
    layer.arm(&f);
    const clrs_status status = create(&device, &context, &error);
    failed = layer.failed() != NULL;
    layer.arm(NULL);
    assert_int_equal(status, failed           ? CLRS_OPENCL_ERROR
                             : has_integers() ? CLRS_OK
                                              : CLRS_UNSUPPORTED);
    assert_true((context != NULL) == (status == CLRS_OK));
    clrs_context_release(context);
  }
  assert_false(failed);
  assert_true(f.nth > 2);
  device_close(&device);
}

TESTS_UNLESS(device_and_layer_missing(&layer), NULL, NULL)
