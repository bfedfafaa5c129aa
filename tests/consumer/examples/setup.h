/*
 * Shared by the examples in C: a device, a queue, buffers, and checks. An example ends with an
 * error message at the first failed call. A real program returns the status instead.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <clreshape/clreshape.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct setup {
  cl_device_id device;
  cl_context opencl;
  cl_command_queue queue; /* in order, so the examples need no events */
  clrs_context *library;
} setup;

static clrs_error error;

static inline void require(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "failed: %s\n", what);
    exit(1);
  }
}

static inline void ok(clrs_status status) {
  require(status == CLRS_OK, error.message);
}

/* The first device of the first platform. Without a device the test is skipped, or fails if
 * CLRS_REQUIRE_DEVICE is 1. */
static inline setup set_up(void) {
  setup s = {0};
  cl_platform_id platform = NULL;
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &s.device, NULL) != CL_SUCCESS) {
    const char *required = getenv("CLRS_REQUIRE_DEVICE");
    fputs("skipped: no OpenCL device\n", stderr);
    exit(required != NULL && strcmp(required, "1") == 0 ? 1 : 77);
  }
  s.opencl = clCreateContext(NULL, 1, &s.device, NULL, NULL, NULL);
  require(s.opencl != NULL, "clCreateContext");
  s.queue = clCreateCommandQueue(s.opencl, s.device, 0, NULL);
  require(s.queue != NULL, "clCreateCommandQueue");
  options.context = s.opencl;
  options.device = s.device;
  ok(clrs_context_create(&options, &s.library, &error));
  return s;
}

static inline void tear_down(const setup *s) {
  clrs_context_release(s->library);
  clReleaseCommandQueue(s->queue);
  clReleaseContext(s->opencl);
  puts("every element is where it belongs");
}

static inline cl_mem upload(const setup *s, size_t size, void *bytes) {
  cl_mem buffer =
      clCreateBuffer(s->opencl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, bytes, NULL);
  require(buffer != NULL, "clCreateBuffer");
  return buffer;
}

/* The elements of a tensor, then releases the tensor. */
static inline void read_back(const setup *s, clrs_tensor *tensor, size_t size, void *bytes) {
  const clrs_on on = {s->queue, 0, NULL};
  cl_event done = NULL;
  ok(clrs_enqueue_read(tensor, bytes, size, &on, &done, &error));
  require(clWaitForEvents(1, &done) == CL_SUCCESS, "the read");
  clReleaseEvent(done);
  clrs_tensor_release(tensor);
}

/* The tensor as a chain of movements shows the tensor. No byte moves. */
static inline clrs_tensor *view_of(clrs_tensor *tensor, const char *text) {
  clrs_chain chain;
  clrs_tensor *view = NULL;
  ok(clrs_chain_parse(text, &chain, &error));
  ok(clrs_tensor_with_chain(tensor, &chain, NULL, &view, &error));
  return view;
}
