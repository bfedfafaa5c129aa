/*
 * Tensors in buffers of random bytes. See region.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "region.h"

static cl_command_queue unordered_queue(const test_device *device) {
  cl_command_queue_properties offered = 0;
  CL_OK(
      clGetDeviceInfo(device->device, CL_DEVICE_QUEUE_PROPERTIES, sizeof offered, &offered, NULL));
  return device_queue(device, offered & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

int workshop_open(void **state) {
  static const clrs_execution ways[] = {CLRS_EXECUTION_AUTO, CLRS_EXECUTION_CPU,
                                        CLRS_EXECUTION_GPU};
  workshop *shop = calloc(1, sizeof *shop);
  assert_non_null(shop);
  device_open(&shop->opencl);
  shop->unordered = unordered_queue(&shop->opencl);
  for (size_t i = 0; i < 3; i++) {
    clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
    limits.execution = ways[i];
    shop->libraries[i] = device_library(&shop->opencl, &limits);
  }
  *state = shop;
  return 0;
}

int workshop_close(void **state) {
  workshop *shop = *state;
  for (size_t i = 0; i < 3; i++)
    clrs_context_release(shop->libraries[i]);
  CL_OK(clReleaseCommandQueue(shop->unordered));
  device_close(&shop->opencl);
  free(shop);
  return 0;
}

cl_command_queue workshop_queue(const workshop *shop, test_rng *rng) {
  return rng_percent(rng, 50) ? shop->unordered : shop->opencl.queue;
}

clrs_dtype dtype_random(test_rng *rng) {
  for (;;) {
    const clrs_dtype dtype = (clrs_dtype)rng_between(rng, 0, CLRS_DTYPE_COUNT - 1);
    const uint32_t bits = clrs_dtype_bits(dtype);
    if (bits % 3 != 0) /* documented: only views of elements that straddle bytes */
      return dtype;
  }
}

clrs_layout region_layout(test_rng *rng, clrs_dtype dtype, const clrs_shape *shape,
                          bool allow_repeats) {
  return layout_random_of_shape(rng, dtype, shape, allow_repeats, rng_between(rng, 0, 9));
}

region region_random(const workshop *shop, clrs_context *library, test_rng *rng,
                     const clrs_layout *layout) {
  region made = {.layout = *layout, .where = oracle_from_layout(layout)};
  const uint32_t element = clrs_dtype_bits(layout->dtype) / 8;
  int64_t lowest = 0, highest = 0;
  uint64_t before = (uint64_t)rng_between(rng, 0, 5) * (element ? element : 1);
  before = rng_percent(rng, 20) ? (uint64_t)rng_between(rng, 0, 40) : before;
  made.span = bits_of(layout->dtype, before);
  oracle_range(&made.where, &lowest, &highest);
  made.size = (size_t)bits_end(&made.span, highest) + (size_t)rng_between(rng, 0, 20);
  made.bytes = malloc(made.size);
  assert_non_null(made.bytes);
  rng_fill(rng, made.bytes, made.size);
  made.buffer = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, made.size);
  device_write(&shop->opencl, made.buffer, made.size, made.bytes);
  const clrs_storage storage = {made.buffer, before};
  CHECK_OK(clrs_tensor_wrap(library, &storage, layout, &made.tensor, &error), error);
  return made;
}

void region_free(region *made) {
  clrs_tensor_release(made->tensor);
  CL_OK(clReleaseMemObject(made->buffer));
  oracle_free(&made->where);
  free(made->bytes);
}

void region_put_element(region *made, const unsigned char *element) {
  const bit_span one = {0, made->span.width, false};
  for (int64_t k = 0; k < made->where.count; k++)
    bits_copy(&one, element, 0, &made->span, made->bytes, made->where.positions[k]);
}

void region_put(region *made, const region *source, const int64_t *begins) {
  oracle part = oracle_copy(&made->where);
  clrs_slice slices[CLRS_MAX_RANK];
  const uint32_t rank = made->layout.rank, outer = rank - source->layout.rank;
  for (uint32_t d = 0; d < rank; d++) {
    const int64_t extent = d < outer ? 1 : source->layout.dims[d - outer];
    slices[d] = (clrs_slice){d, begins[d], begins[d] + extent, 1};
  }
  oracle_slice(&part, rank, slices);
  bits_move(&source->span, source->bytes, &source->where, &made->span, made->bytes, &part);
  oracle_free(&part);
}

void region_require(const workshop *shop, const region *made, uint64_t seed, const char *what) {
  unsigned char *got = malloc(made->size);
  char text[512];
  assert_non_null(got);
  device_read(&shop->opencl, made->buffer, made->size, got);
  size_t at = 0;
  while (at < made->size && got[at] == made->bytes[at])
    at++;
  free(got);
  print_layout(&made->layout, text, sizeof text);
  CHECK_SEEDED(at == made->size, seed, "%s: byte %zu of %zu is wrong; %s", what, at, made->size,
               text);
}
