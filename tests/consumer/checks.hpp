/*
 * Shared by the tests of consumers in C++: a check of a condition, and a device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/clreshape.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

inline void require(bool condition, const char *what) {
  if (!condition) {
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
  }
}

/* A device of the first platform. Without a device the test is skipped, or fails if
 * CLRS_REQUIRE_DEVICE is 1. */
inline cl_device_id find_device() {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) {
    const char *required = std::getenv("CLRS_REQUIRE_DEVICE");
    std::fputs("skipped: no OpenCL device\n", stderr);
    std::exit(required != nullptr && std::strcmp(required, "1") == 0 ? 1 : 77);
  }
  return device;
}
