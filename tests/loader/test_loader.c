/*
 * The loader where there is no OpenCL: every function says so, and none is called. loader.sh sets
 * the environment.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

#include "clreshape/device.h"

enum { NO_PLATFORM = -1001 };

TEST(functions_say_that_there_is_no_platform) {
  cl_int code = 0;
  assert_int_equal(clFinish(NULL), NO_PLATFORM);
  assert_int_equal(clGetDeviceInfo(NULL, CL_DEVICE_NAME, 0, NULL, NULL), NO_PLATFORM);
  assert_int_equal(clWaitForEvents(0, NULL), NO_PLATFORM);
  assert_null(clCreateBuffer(NULL, 0, 0, NULL, &code));
  assert_int_equal(code, NO_PLATFORM);
  assert_null(clCreateBuffer(NULL, 0, 0, NULL, NULL));
  assert_null(clGetExtensionFunctionAddressForPlatform(NULL, "clFinish"));
}

TESTS(NULL, NULL)
