/* SPDX-License-Identifier: Apache-2.0 */
#include "map_fixture.h"

void map_libraries_open(const test_device *device, clrs_context *libraries[2]) {
  for (int i = 0; i < 2; i++) {
    clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
    limits.execution = i == 0 ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
    libraries[i] = device_library(device, &limits);
  }
}

clrs_tensor *map_dense(clrs_context *library, cl_mem buffer, clrs_dtype dtype, size_t rank,
                       const int64_t *dims) {
  clrs_tensor *tensor = NULL;
  CHECK_OK(clrs_tensor_wrap_dense(library, buffer, dtype, rank, dims, &tensor, &error), error);
  return tensor;
}

int map_fixture_open(void **state) {
  map_fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  device_open(&f->device);
  map_libraries_open(&f->device, f->libraries);
  f->source = device_buffer(&f->device, CL_MEM_READ_WRITE, CASE_BYTES);
  f->destination = device_buffer(&f->device, CL_MEM_READ_WRITE, CASE_BYTES);
  f->parameters = device_buffer(&f->device, CL_MEM_READ_WRITE, CASE_BYTES);
  f->bytes = malloc(CASE_BYTES);
  f->poison = malloc(CASE_BYTES);
  f->got = malloc(CASE_BYTES);
  f->numbers = malloc(CASE_BYTES);
  assert_true(f->bytes && f->poison && f->got && f->numbers);
  *state = f;
  return 0;
}

int map_fixture_close(void **state) {
  map_fixture *f = *state;
  clrs_context_release(f->libraries[0]);
  clrs_context_release(f->libraries[1]);
  device_require_references(f->source, 1);
  device_require_references(f->destination, 1);
  device_require_references(f->parameters, 1);
  CL_OK(clReleaseMemObject(f->source));
  CL_OK(clReleaseMemObject(f->destination));
  CL_OK(clReleaseMemObject(f->parameters));
  device_close(&f->device);
  free(f->bytes);
  free(f->poison);
  free(f->got);
  free(f->numbers);
  free(f);
  return 0;
}
