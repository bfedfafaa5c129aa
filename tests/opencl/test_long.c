/*
 * Long tests: tensors of the 1 GiB class, packed positions beyond 2^31, and many more random cases,
 * set by CLRS_TEST_CASES. Labelled `long`. Results are compared in full, but by arithmetic on the
 * index instead of a list of positions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/device.h"

typedef struct fixture {
  test_device device;
  clrs_context *library;
} fixture;

static int open_fixture(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  device_open(&f->device);
  f->library = device_library(&f->device, NULL);
  *state = f;
  return 0;
}

static int close_fixture(void **state) {
  fixture *f = *state;
  clrs_context_release(f->library);
  device_close(&f->device);
  free(f);
  return 0;
}

static void skip_if_too_large(const fixture *f, uint64_t bytes) {
  cl_ulong most = 0;
  CL_OK(clGetDeviceInfo(f->device.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
  if (most < bytes) {
    print_message("the device allocates at most %llu bytes\n", (unsigned long long)most);
    skip();
  }
}

static clrs_tensor *strided(const fixture *f, cl_mem buffer, clrs_dtype dtype, const int64_t *dims,
                            const int64_t *strides) {
  clrs_shape shape;
  clrs_layout layout;
  clrs_tensor *tensor = NULL;
  const clrs_storage storage = {buffer, 0};
  CHECK_OK(clrs_shape_init(2, dims, &shape, &error), error);
  CHECK_OK(clrs_layout_init(dtype, &shape, strides, 0, &layout, &error), error);
  CHECK_OK(clrs_tensor_wrap(f->library, &storage, &layout, &tensor, &error), error);
  return tensor;
}

static void *map(const fixture *f, cl_mem buffer, cl_map_flags flags, size_t bytes) {
  cl_int code;
  void *at =
      clEnqueueMapBuffer(f->device.queue, buffer, CL_TRUE, flags, 0, bytes, 0, NULL, NULL, &code);
  CL_OK(code);
  return at;
}

static void unmap(const fixture *f, cl_mem buffer, void *at) {
  CL_OK(clEnqueueUnmapMemObject(f->device.queue, buffer, at, 0, NULL, NULL));
  CL_OK(clFinish(f->device.queue));
}

static void move_all(const fixture *f, clrs_tensor *source, clrs_tensor *target) {
  cl_event event = NULL;
  CHECK_OK(clrs_enqueue_move(source, target, ON(f->device.queue), &event, &error), error);
  device_finish_event(event);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

static uint32_t word(uint64_t k) {
  return (uint32_t)(k * 2654435761u + (k >> 32) * 97u);
}

#define FIXTURE_TEST(name) TEST_OF(fixture, f, name, open_fixture, close_fixture)

FIXTURE_TEST(a_transpose_of_one_gibibyte) {
  const int64_t rows = 16381, columns = 16384; /* 2^28 words, less a little: no power of two */
  const size_t count = (size_t)(rows * columns), bytes = count * 4;
  skip_if_too_large(f, bytes);
  cl_mem from = device_buffer(&f->device, CL_MEM_READ_WRITE, bytes);
  cl_mem to = device_buffer(&f->device, CL_MEM_READ_WRITE, bytes);
  uint32_t *words = map(f, from, CL_MAP_WRITE, bytes);
  for (size_t k = 0; k < count; k++)
    words[k] = word(k);
  unmap(f, from, words);
  words = map(f, to, CL_MAP_WRITE, bytes);
  memset(words, 0xA5, bytes);
  unmap(f, to, words);
  move_all(f, strided(f, from, CLRS_F32, LIST(columns, rows), LIST(1, columns)),
           strided(f, to, CLRS_F32, LIST(columns, rows), NULL));
  words = map(f, to, CL_MAP_READ, bytes);
  for (int64_t c = 0; c < columns; c++)
    for (int64_t r = 0; r < rows; r++)
      if (words[c * rows + r] != word((uint64_t)(r * columns + c)))
        fail_msg("element %lld, %lld", (long long)c, (long long)r);
  unmap(f, to, words);
  CL_OK(clReleaseMemObject(from));
  CL_OK(clReleaseMemObject(to));
}

/* Positions to 2^31 + 2: 32-bit index arithmetic would wrap. */
FIXTURE_TEST(packed_positions_beyond_31_bits) {
  const int64_t far = (INT64_C(1) << 31) + 1;
  const size_t bytes = ((size_t)1 << 30) + 2;
  skip_if_too_large(f, bytes);
  cl_mem from = device_buffer(&f->device, CL_MEM_READ_WRITE, 16);
  cl_mem to = device_buffer(&f->device, CL_MEM_READ_WRITE, bytes);
  unsigned char nibbles[16];
  for (int i = 0; i < 16; i++)
    nibbles[i] = (unsigned char)(i * 17 + 35);
  device_write(&f->device, from, sizeof nibbles, nibbles);
  unsigned char *at = map(f, to, CL_MAP_WRITE, bytes);
  memset(at, 0x3C, bytes);
  unmap(f, to, at);
  move_all(f, strided(f, from, CLRS_U4, LIST(2, 2), NULL),
           strided(f, to, CLRS_U4, LIST(2, 2), LIST(far, 1)));
  at = map(f, to, CL_MAP_READ, bytes);
  assert_int_equal(at[0], nibbles[0]);
  assert_int_equal(at[far / 2] & 0x0F, 0x0C); /* far is odd: the row begins in the high half */
  assert_int_equal(at[far / 2] >> 4, nibbles[1] & 15);
  assert_int_equal(at[far / 2 + 1] & 0x0F, nibbles[1] >> 4);
  for (size_t i = 1; i < bytes; i++)
    if (i != (size_t)far / 2 && i != (size_t)far / 2 + 1 && at[i] != 0x3C)
      fail_msg("byte %zu was written", i);
  unmap(f, to, at);
  CL_OK(clReleaseMemObject(from));
  CL_OK(clReleaseMemObject(to));
}

/* Whole bytes, read backwards from beyond 2^31. */
FIXTURE_TEST(byte_positions_beyond_31_bits) {
  const int64_t far = (INT64_C(1) << 31) + 5;
  const size_t bytes = (size_t)far + 3;
  skip_if_too_large(f, bytes);
  cl_mem from = device_buffer(&f->device, CL_MEM_READ_WRITE, bytes);
  cl_mem to = device_buffer(&f->device, CL_MEM_READ_WRITE, 6);
  unsigned char *at = map(f, from, CL_MAP_WRITE, bytes), got[6];
  memset(at, 0, bytes);
  for (int i = 0; i < 3; i++) {
    at[i] = (unsigned char)(i + 1);
    at[far + i] = (unsigned char)(i + 11);
  }
  unmap(f, from, at);
  move_all(f, strided(f, from, CLRS_U8, LIST(2, 3), LIST(far, 1)),
           strided(f, to, CLRS_U8, LIST(2, 3), NULL));
  device_read(&f->device, to, sizeof got, got);
  assert_memory_equal(got, "\x01\x02\x03\x0B\x0C\x0D", 6);
  CL_OK(clReleaseMemObject(from));
  CL_OK(clReleaseMemObject(to));
}

TESTS_UNLESS(device_missing(), NULL, NULL)
