/*
 * Transposes six numbers on the first OpenCL device and compares every one. Where there is no
 * device it says so, which is no failure of the package, unless CLRS_REQUIRE_DEVICE=1 asks for one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <clreshape/clreshape.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 2, COLUMNS = 3, COUNT = ROWS * COLUMNS };

static clrs_error error;

static void require(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "failed: %s %s\n", what, error.message);
    exit(1);
  }
}

static cl_device_id find_device(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_device_id device = NULL;
  if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) {
    return NULL;
  }
  for (cl_uint i = 0; i < count && i < 16; i++) {
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS) {
      return device;
    }
  }
  return NULL;
}

static void transpose(const clrs_context_options *options, cl_command_queue queue, cl_mem source,
                      int32_t *result, size_t size) {
  const int64_t dims[] = {ROWS, COLUMNS};
  clrs_context *context = NULL;
  clrs_tensor *matrix = NULL, *transposed = NULL;
  cl_event moved = NULL, read = NULL;
  require(clrs_context_create(options, &context, &error) == CLRS_OK, "context:");
  require(clrs_tensor_wrap_dense(context, source, CLRS_I32, 2, dims, &matrix, &error) == CLRS_OK,
          "tensor:");
  require(clrs_enqueue_chain(matrix, "permute=1,0", CLRS_COPY_ALWAYS, NULL, &transposed,
                             &(clrs_on){.queue = queue}, &moved, &error) == CLRS_OK,
          "chain:");
  require(clrs_enqueue_read(transposed, result, size, &(clrs_on){queue, 1, &moved}, &read,
                            &error) == CLRS_OK,
          "read:");
  require(clWaitForEvents(1, &read) == CL_SUCCESS, "waiting");
  clReleaseEvent(read);
  clReleaseEvent(moved);
  clrs_tensor_release(transposed);
  clrs_tensor_release(matrix);
  clrs_context_release(context);
}

int main(void) {
  const char *required = getenv("CLRS_REQUIRE_DEVICE");
  const int32_t expected[COUNT] = {10, 13, 11, 14, 12, 15};
  int32_t numbers[COUNT] = {10, 11, 12, 13, 14, 15}, result[COUNT] = {0};
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  options.device = find_device();
  if (options.device == NULL) {
    puts("clreshape is linked; there is no OpenCL device to move anything on");
    return required != NULL && strcmp(required, "1") == 0;
  }
  options.context = clCreateContext(NULL, 1, &options.device, NULL, NULL, NULL);
  require(options.context != NULL, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(options.context, options.device, 0, NULL);
  cl_mem source = clCreateBuffer(options.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                 sizeof numbers, numbers, NULL);
  require(queue != NULL && source != NULL, "clCreateCommandQueue and clCreateBuffer");
  transpose(&options, queue, source, result, sizeof result);
  require(memcmp(result, expected, sizeof expected) == 0, "an element is not where it belongs");
  clReleaseMemObject(source);
  clReleaseCommandQueue(queue);
  clReleaseContext(options.context);
  puts("clreshape moved every element to its place");
  return 0;
}
