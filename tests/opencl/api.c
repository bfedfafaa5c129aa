/*
 * Shared by the tests of the interface. See api.h. See api.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"

int api_open(void **state) {
  api *a = calloc(1, sizeof *a);
  assert_non_null(a);
  device_open(&a->device);
  device_open(&a->foreign);
  a->library = device_library(&a->device, NULL);
  a->foreign_library = device_library(&a->foreign, NULL);
  a->source = device_buffer(&a->device, CL_MEM_READ_WRITE, API_BYTES);
  a->destination = device_buffer(&a->device, CL_MEM_READ_WRITE, API_BYTES);
  for (int i = 0; i < API_BYTES; i++) {
    a->bytes[i] = (unsigned char)(i % 251);
    a->poison[i] = (unsigned char)(0xC3 ^ (i * 7));
  }
  device_write(&a->device, a->source, API_BYTES, a->bytes);
  cl_int code;
  a->in_host = clCreateBuffer(a->device.context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, API_BYTES,
                              a->bytes, &code);
  CL_OK(code);
  api_poison(a);
  *state = a;
  return 0;
}

int api_close(void **state) {
  api *a = *state;
  clrs_context_release(a->library);
  clrs_context_release(a->foreign_library);
  device_require_references(a->source, 1);
  device_require_references(a->destination, 1);
  device_require_references(a->in_host, 1);
  CL_OK(clReleaseMemObject(a->in_host));
  CL_OK(clReleaseMemObject(a->source));
  CL_OK(clReleaseMemObject(a->destination));
  device_close(&a->device);
  device_close(&a->foreign);
  free(a);
  return 0;
}

clrs_layout api_layout(clrs_dtype dtype, uint32_t rank, const int64_t *dims,
                       const int64_t *strides) {
  clrs_shape shape;
  clrs_layout layout;
  CHECK_OK(clrs_shape_init(rank, dims, &shape, &error), error);
  CHECK_OK(clrs_layout_init(dtype, &shape, strides, 0, &layout, &error), error);
  return layout;
}

clrs_tensor *api_wrap(clrs_context *library, cl_mem buffer, uint64_t byte_offset,
                      const clrs_layout *layout) {
  clrs_tensor *tensor = NULL;
  const clrs_storage storage = {buffer, byte_offset};
  CHECK_OK(clrs_tensor_wrap(library, &storage, layout, &tensor, &error), error);
  return tensor;
}

cl_mem api_sub_buffer(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size) {
  const cl_buffer_region region = {origin, size};
  cl_int code;
  cl_mem part = clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  CL_OK(code);
  return part;
}

clrs_tensor *api_transposed(const api *a) {
  const clrs_layout layout = api_layout(CLRS_F32, 2, LIST(6, 4), LIST(1, 6));
  return api_wrap(a->library, a->source, 0, &layout);
}

clrs_tensor *api_target(const api *a) {
  const clrs_layout layout = api_layout(CLRS_F32, 2, LIST(6, 4), NULL);
  return api_wrap(a->library, a->destination, 0, &layout);
}

void api_poison(api *a) {
  device_write(&a->device, a->destination, API_BYTES, a->poison);
}

void api_expect_untouched(api *a) {
  unsigned char got[API_BYTES];
  device_read(&a->device, a->destination, API_BYTES, got);
  assert_memory_equal(got, a->poison, API_BYTES);
}

void api_expect_transposed(api *a) {
  unsigned char got[API_BYTES], expected[API_BYTES];
  memcpy(expected, a->poison, API_BYTES);
  for (int row = 0; row < 6; row++)
    for (int column = 0; column < 4; column++)
      memcpy(expected + (row * 4 + column) * 4, a->bytes + (column * 6 + row) * 4, 4);
  device_read(&a->device, a->destination, API_BYTES, got);
  assert_memory_equal(got, expected, API_BYTES);
}
