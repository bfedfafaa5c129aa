/*
 * Chains applied and enqueued in a single call: the moved elements, the destinations, and the
 * failures.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"

enum { B = 2, T = 3, H = 4, D = 2, COUNT = B * T * H * D };

static const char split_heads[] = "rearrange=b t (h d) -> b h t d, h=4";

static clrs_tensor *dense(const api *a, cl_mem buffer, size_t rank, const int64_t *dims) {
  clrs_tensor *tensor = NULL;
  CHECK_OK(clrs_tensor_wrap_dense(a->library, buffer, CLRS_F32, rank, dims, &tensor, &error),
           error);
  return tensor;
}

/* The words of the source as [B, H, T, D]. */
static void put_heads(const api *a, unsigned char *bytes) {
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++)
      for (int h = 0; h < H; h++)
        for (int d = 0; d < D; d++)
          memcpy(bytes + 4 * (((b * H + h) * T + t) * D + d),
                 a->bytes + 4 * (((b * T + t) * H + h) * D + d), 4);
}

/* Three calls and the releases, as in the README. */
API_TEST(a_chain_moves_into_a_result_of_its_own) {
  unsigned char expected[4 * COUNT], got[4 * COUNT];
  clrs_tensor *result = NULL;
  clrs_byte_range bytes;
  cl_event event = NULL;
  clrs_tensor *source = dense(a, a->source, 3, LIST(B, T, H * D));
  CHECK_OK(clrs_enqueue_chain(source, split_heads, CLRS_COPY_IF_NEEDED, NULL, &result,
                              ON(a->device.queue), &event, &error),
           error);
  clrs_tensor_release(source);
  device_finish_event(event);
  CHECK_OK(clrs_enqueue_chain(result, "flatten=0", CLRS_COPY_ALWAYS, NULL, &source,
                              ON(a->device.queue), NULL, &error),
           error);
  CHECK_OK(clrs_tensor_bytes(source, &bytes, &error), error);
  assert_int_equal(bytes.size, sizeof got);
  CL_OK(clEnqueueReadBuffer(a->device.queue, bytes.buffer, CL_TRUE, bytes.offset, bytes.size, got,
                            0, NULL, NULL));
  put_heads(a, expected);
  assert_memory_equal(got, expected, sizeof expected);
  const clrs_shape shape = {4, {B, H, T, D}};
  assert_true(clrs_shape_equal(&clrs_tensor_view(result)->shape, &shape));
  clrs_tensor_release(result);
  clrs_tensor_release(source);
}

API_TEST(a_chain_moves_into_a_destination) {
  unsigned char expected[API_BYTES], got[API_BYTES];
  cl_event event = NULL;
  memcpy(expected, a->poison, API_BYTES);
  put_heads(a, expected);
  clrs_tensor *source = dense(a, a->source, 3, LIST(B, T, H * D));
  clrs_tensor *destination = dense(a, a->destination, 4, LIST(B, H, T, D));
  CHECK_OK(clrs_enqueue_chain(source, split_heads, CLRS_COPY_ALWAYS, destination, NULL,
                              ON(a->device.queue), &event, &error),
           error);
  clrs_tensor_release(source);
  clrs_tensor_release(destination);
  device_finish_event(event);
  device_read(&a->device, a->destination, API_BYTES, got);
  assert_memory_equal(got, expected, API_BYTES);
}

/* Only the elements that the chain keeps count: the first rows are moved onto the last rows. */
API_TEST(a_chain_may_leave_the_destination_free) {
  unsigned char got[64];
  cl_event event = NULL;
  const clrs_layout rows = api_layout(CLRS_F32, 2, LIST(2, 4), NULL);
  clrs_tensor *source = dense(a, a->source, 2, LIST(4, 4));
  clrs_tensor *last = api_wrap(a->library, a->source, 32, &rows);
  CHECK_FAILS(clrs_enqueue_chain(source, "slice=1:3", CLRS_COPY_ALWAYS, last, NULL,
                                 ON(a->device.queue), &event, &error),
              CLRS_OVERLAP, error);
  assert_null(event);
  CHECK_OK(clrs_enqueue_chain(source, "slice=0:2 flip=0", CLRS_COPY_ALWAYS, last, NULL,
                              ON(a->device.queue), &event, &error),
           error);
  device_finish_event(event);
  device_read(&a->device, a->source, sizeof got, got);
  assert_memory_equal(got, a->bytes, 32);
  assert_memory_equal(got + 32, a->bytes + 16, 16);
  assert_memory_equal(got + 48, a->bytes, 16);
  clrs_tensor_release(source);
  clrs_tensor_release(last);
}

/* No queue is looked at, and no byte is moved. */
API_TEST(a_chain_may_be_an_alias) {
  clrs_tensor *result = NULL;
  clrs_tensor *source = dense(a, a->source, 3, LIST(B, T, H * D));
  CHECK_OK(clrs_enqueue_chain(source, split_heads, CLRS_COPY_NEVER, NULL, &result,
                              ON(a->device.queue), NULL, &error),
           error);
  assert_ptr_equal(clrs_tensor_storage(result).buffer, a->source);
  clrs_tensor *none = NULL;
  CHECK_FAILS(clrs_enqueue_chain(result, "flatten=0", CLRS_COPY_NEVER, NULL, &none,
                                 ON(a->device.queue), NULL, &error),
              CLRS_WOULD_COPY, error);
  assert_null(none);
  clrs_tensor_release(result);
  clrs_tensor_release(source);
}

API_TEST(a_dense_tensor_begins_with_its_buffer) {
  clrs_tensor *scalar = dense(a, a->source, 0, NULL);
  assert_int_equal(clrs_tensor_view(scalar)->shape.rank, 0);
  clrs_tensor_release(scalar);
  clrs_tensor *whole = dense(a, a->source, 2, LIST(API_BYTES / 8, 2)), *none = NULL;
  assert_int_equal(clrs_tensor_storage(whole).byte_offset, 0);
  clrs_tensor_release(whole);
  CHECK_FAILS(clrs_tensor_wrap_dense(a->library, a->source, CLRS_F32, 1, LIST(API_BYTES / 4 + 1),
                                     &none, &error),
              CLRS_OUT_OF_BOUNDS, error);
  CHECK_SAYS(error, "4096");
  cl_mem part = api_sub_buffer(a->source, CL_MEM_READ_WRITE, 1024, 8);
  clrs_tensor *inside = dense(a, part, 1, LIST(2));
  assert_int_equal(clrs_tensor_storage(inside).byte_offset, 1024);
  CHECK_FAILS(clrs_tensor_wrap_dense(a->library, part, CLRS_F32, 1, LIST(3), &none, &error),
              CLRS_OUT_OF_BOUNDS, error);
  assert_null(none);
  clrs_tensor_release(inside);
  CL_OK(clReleaseMemObject(part));
}

TESTS_UNLESS(device_missing(), NULL, NULL)
