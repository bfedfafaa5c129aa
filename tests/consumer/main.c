/*
 * Runs example.c as its user would: with an OpenCL context, queue, buffer and event of its own,
 * and compares every element. Compiles as C and as C++.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <clreshape/clreshape.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool split_heads(const clrs_context_options *options, cl_command_queue queue, cl_mem hidden,
                 cl_event ready, float *result, clrs_error *error);

enum { BATCH = 8, TOKENS = 128, HEADS = 12, CHANNELS = 64, COUNT = BATCH * TOKENS * 768 };

static float hidden[COUNT], result[COUNT];

static void require(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "failed: %s\n", what);
    exit(1);
  }
}

/* The first device of any kind; exits if there is none. */
static cl_device_id find_device(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_device_id device = NULL;
  if (clGetPlatformIDs(16, platforms, &count) == CL_SUCCESS) {
    for (cl_uint i = 0; i < count && i < 16 && device == NULL; i++) {
      if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
        device = NULL;
      }
    }
  }
  if (device == NULL) {
    const char *required = getenv("CLRS_REQUIRE_DEVICE");
    fputs("no OpenCL device\n", stderr);
    exit(required != NULL && strcmp(required, "1") == 0 ? 1 : 77);
  }
  return device;
}

static void compare(void) {
  size_t at = 0;
  for (int batch = 0; batch < BATCH; batch++) {
    for (int head = 0; head < HEADS; head++) {
      for (int token = 0; token < TOKENS; token++) {
        for (int channel = 0; channel < CHANNELS; channel++) {
          const int from = ((batch * TOKENS + token) * HEADS + head) * CHANNELS + channel;
          require(result[at++] == (float)from, "every element is where it belongs");
        }
      }
    }
  }
}

int main(void) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  clrs_error error = {CLRS_OK, 0, ""};
  cl_event ready = NULL;
  for (int i = 0; i < COUNT; i++) {
    hidden[i] = (float)i;
    result[i] = -1;
  }
  options.device = find_device();
  options.context = clCreateContext(NULL, 1, &options.device, NULL, NULL, NULL);
  require(options.context != NULL, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(options.context, options.device, 0, NULL);
  require(queue != NULL, "clCreateCommandQueue");
  cl_mem buffer = clCreateBuffer(options.context, CL_MEM_READ_ONLY, sizeof hidden, NULL, NULL);
  require(buffer != NULL, "clCreateBuffer");
  require(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof hidden, hidden, 0, NULL,
                               &ready) == CL_SUCCESS,
          "clEnqueueWriteBuffer");
  require(split_heads(&options, queue, buffer, ready, result, &error), error.message);
  compare();
  require(clReleaseEvent(ready) == CL_SUCCESS && clReleaseMemObject(buffer) == CL_SUCCESS &&
              clReleaseCommandQueue(queue) == CL_SUCCESS &&
              clReleaseContext(options.context) == CL_SUCCESS,
          "releasing");
  puts("every element is where it belongs");
  return 0;
}
