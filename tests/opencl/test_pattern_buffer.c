/*
 * Patterns that live in a buffer: every integer type, any offset, wait lists, producers that fail,
 * and only the calling thread blocked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "api.h"

static const clrs_rules onnx = {CLRS_ONNX, CLRS_ZERO_COPIES};
static const clrs_rules openvino = {CLRS_OPENVINO, CLRS_ZERO_IS_LITERAL};

/* Description of a pattern in a buffer. */
typedef struct described {
  clrs_dtype dtype;
  size_t rank;
  const int64_t *dims;
} described;

static clrs_status read_pattern(const api *a, const clrs_rules *rules, uint64_t byte_offset,
                                const described *tensor, clrs_pattern *pattern, clrs_error *error) {
  const clrs_storage storage = {a->destination, byte_offset};
  return clrs_pattern_read_buffer(a->library, rules, &storage, tensor->dtype, tensor->rank,
                                  tensor->dims, pattern, ON(a->device.queue), error);
}

static void write_at(const api *a, size_t offset, size_t size, const void *bytes) {
  device_write_at(&a->device, a->destination, offset, size, bytes);
}

/* Writes value as an integer of `bytes` bytes, least significant first, as on all OpenCL devices
 * here. */
static void put_integer(int64_t value, size_t bytes, unsigned char *to) {
  for (size_t i = 0; i < bytes; i++)
    to[i] = (unsigned char)((uint64_t)value >> (8 * i));
}

typedef struct integer_row {
  clrs_dtype dtype;
  size_t bytes;
  int64_t values[4]; /* legal extremes, and values that a sign bit changes */
} integer_row;

API_TEST(every_integer_type_is_read_from_any_offset) {
  static const integer_row rows[] = {
      {CLRS_I8, 1, {2, -1, 0, 127}},        {CLRS_U8, 1, {2, 0, 128, 255}},
      {CLRS_I16, 2, {2, -1, 0, 32767}},     {CLRS_U16, 2, {2, 0, 32768, 65535}},
      {CLRS_I32, 4, {2, -1, 0, INT32_MAX}}, {CLRS_U32, 4, {2, 0, 2147483648, UINT32_MAX}},
      {CLRS_I64, 8, {2, -1, 0, INT64_MAX}}, {CLRS_U64, 8, {2, 0, 2147483648, INT64_MAX}},
  };
  static const uint64_t offsets[] = {0, 1, 3, 8, 100};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    for (size_t o = 0; o < sizeof offsets / sizeof offsets[0]; o++) {
      const described tensor = {rows[i].dtype, 1, LIST(4)};
      unsigned char bytes[32];
      clrs_pattern pattern;
      for (size_t k = 0; k < 4; k++)
        put_integer(rows[i].values[k], rows[i].bytes, bytes + k * rows[i].bytes);
      write_at(a, offsets[o], 4 * rows[i].bytes, bytes);
      CHECK_OK(read_pattern(a, &openvino, offsets[o], &tensor, &pattern, &error), error);
      assert_int_equal(pattern.dialect, CLRS_OPENVINO);
      assert_int_equal(pattern.zero_mode, CLRS_ZERO_IS_LITERAL);
      assert_int_equal(pattern.length, 4);
      assert_memory_equal(pattern.values, rows[i].values, sizeof rows[i].values);
    }
  }
}

API_TEST(patterns_end_at_the_end_of_their_buffer) {
  const described two = {CLRS_I64, 1, LIST(2)};
  const int64_t values[] = {6, -1};
  clrs_pattern pattern;
  write_at(a, API_BYTES - sizeof values, sizeof values, values);
  CHECK_OK(read_pattern(a, &onnx, API_BYTES - sizeof values, &two, &pattern, &error), error);
  assert_memory_equal(pattern.values, values, sizeof values);
  CHECK_FAILS(read_pattern(a, &onnx, API_BYTES - 15, &two, &pattern, &error), CLRS_OUT_OF_BOUNDS,
              error);
  CHECK_SAYS(error, "4096");
  CHECK_FAILS(read_pattern(a, &onnx, API_BYTES + 1, &two, &pattern, &error), CLRS_OUT_OF_BOUNDS,
              error);
  CHECK_FAILS(read_pattern(a, &onnx, UINT64_MAX, &two, &pattern, &error), CLRS_OUT_OF_BOUNDS,
              error);
}

API_TEST(empty_and_scalar_patterns_are_read) {
  const described none = {CLRS_I64, 1, LIST(0)}, scalar = {CLRS_U8, 0, NULL};
  const unsigned char one = 1;
  clrs_pattern pattern;
  CHECK_OK(read_pattern(a, &onnx, 0, &none, &pattern, &error), error);
  assert_int_equal(pattern.length, 0);
  write_at(a, 7, 1, &one);
  CHECK_OK(read_pattern(a, &openvino, 7, &scalar, &pattern, &error), error);
  const clrs_shape input = {3, {1, 1, 1}};
  clrs_shape shape;
  CHECK_OK(clrs_pattern_resolve(&pattern, &input, &shape, &error), error);
  assert_int_equal(shape.rank, 0);
}

/* ---- waiting ---- */

/* Reads that the driver has accepted. */
static atomic_int reads;

/* Stands in front of the loader. POSIX defines the conversion of a symbol, ISO C does not. */
__attribute__((visibility("default"))) cl_int CL_API_CALL clEnqueueReadBuffer(
    cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *to,
    cl_uint waits, const cl_event *wait_list, cl_event *event) {
  cl_int (*next)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint,
                 const cl_event *, cl_event *);
  void *symbol = dlsym(RTLD_NEXT, "clEnqueueReadBuffer");
  memcpy(&next, &symbol, sizeof symbol);
  const cl_int code = next(queue, buffer, blocking, offset, size, to, waits, wait_list, event);
  atomic_fetch_add(&reads, 1);
  return code;
}

typedef struct reader {
  const api *a;
  pthread_t thread;
  cl_event gate; /* NULL: no thread of this reader runs */
  clrs_status status;
  clrs_pattern pattern;
  clrs_error error;
  atomic_bool done;
} reader;

/* Outside of the tests, so that close_reader can clean up after a failed test. */
static reader mine;

static void *read_behind_the_gate(void *argument) {
  (void)argument;
  const clrs_storage storage = {mine.a->destination, 0};
  mine.status = clrs_pattern_read_buffer(
      mine.a->library, &onnx, &storage, CLRS_I64, 1, LIST(2), &mine.pattern,
      &(clrs_on){mine.a->device.queue, 1, &mine.gate}, &mine.error);
  atomic_store(&mine.done, true);
  return NULL;
}

static cl_event user_event(const api *a) {
  cl_int code;
  cl_event gate = clCreateUserEvent(a->device.context, &code);
  CL_OK(code);
  return gate;
}

/* PoCL 3 never ends a command that is enqueued behind a failed event, so a gate may not fail before
 * the read is enqueued. No standard says which references a driver then holds. */
static void reader_start(const api *a) {
  const struct timespec pause = {0, 1000000};
  memset(&mine, 0, sizeof mine);
  mine.a = a;
  atomic_store(&reads, 0);
  cl_event gate = user_event(a);
  mine.gate = gate;
  if (pthread_create(&mine.thread, NULL, read_behind_the_gate, NULL) != 0) {
    mine.gate = NULL;
    fail_msg("no thread");
  }
  for (int tries = 0; atomic_load(&reads) == 0 && tries < 10000; tries++)
    (void)nanosleep(&pause, NULL);
  assert_int_equal(atomic_load(&reads), 1);
}

static void reader_finish(cl_int status) {
  cl_event gate = mine.gate;
  (void)clSetUserEventStatus(gate, status);
  (void)pthread_join(mine.thread, NULL);
  mine.gate = NULL;
  CL_OK(clReleaseEvent(gate));
}

/* A failed test leaves the gate shut, and api_close would wait for ever. */
static int close_reader(void **state) {
  if (mine.gate)
    reader_finish(CL_COMPLETE);
  return api_close(state);
}

/* While one thread waits for a pattern, this thread uses the same context, to the end. */
TEST_IN(only_the_caller_is_blocked, api_open, close_reader) {
  api *a = *state;
  const int64_t values[] = {6, -1};
  cl_event event = NULL;
  cl_command_queue other = device_queue(&a->device, 0);
  write_at(a, 0, sizeof values, values);
  reader_start(a);
  cl_mem buffer = device_buffer(&a->device, CL_MEM_READ_WRITE, 96);
  const clrs_layout layout = api_layout(CLRS_F32, 2, LIST(6, 4), NULL);
  clrs_tensor *source = api_transposed(a);
  clrs_tensor *target = api_wrap(a->library, buffer, 0, &layout);
  CHECK_OK(clrs_enqueue_move(source, target, ON(other), &event, &error), error);
  device_finish_event(event);
  assert_false(atomic_load(&mine.done)); /* the gate is still shut */
  reader_finish(CL_COMPLETE);
  assert_int_equal(mine.status, CLRS_OK);
  assert_memory_equal(mine.pattern.values, values, sizeof values);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
  CL_OK(clReleaseMemObject(buffer));
  CL_OK(clReleaseCommandQueue(other));
}

/* The pattern is the producer's output, not the earlier contents. */
API_TEST(the_wait_list_is_honoured) {
  const int64_t before[] = {1, 1}, after[] = {12, -1};
  cl_event written = NULL;
  cl_command_queue producer = device_queue(&a->device, 0);
  write_at(a, 0, sizeof before, before);
  cl_event gate = user_event(a);
  CL_OK(clEnqueueWriteBuffer(producer, a->destination, CL_FALSE, 0, sizeof after, after, 1, &gate,
                             &written));
  device_flush(&a->device, producer);
  memset(&mine, 0, sizeof mine);
  mine.a = a;
  mine.gate = written;
  const int refused = pthread_create(&mine.thread, NULL, read_behind_the_gate, NULL);
  (void)clSetUserEventStatus(gate, CL_COMPLETE);
  assert_int_equal(refused, 0);
  assert_int_equal(pthread_join(mine.thread, NULL), 0);
  mine.gate = NULL;
  assert_int_equal(mine.status, CLRS_OK);
  assert_memory_equal(mine.pattern.values, after, sizeof after);
  CL_OK(clReleaseEvent(written));
  CL_OK(clReleaseEvent(gate));
  CL_OK(clReleaseCommandQueue(producer));
}

TEST_IN(a_failed_producer_is_an_error, api_open, close_reader) {
  const api *a = *state;
  const int64_t values[] = {6, -1};
  write_at(a, 0, sizeof values, values);
  reader_start(a);
  reader_finish(-42);
  assert_int_equal(mine.status, CLRS_OPENCL_ERROR);
  assert_true(mine.error.opencl_code < 0);
  assert_int_equal(mine.pattern.length, 0); /* not written */
}

/* A driver may wait for ever for a command that depends on a failed event. */
API_TEST(a_failure_before_the_call_is_an_error) {
  const clrs_storage storage = {a->destination, 0};
  clrs_pattern pattern = {.length = 7};
  cl_event failed = user_event(a);
  CL_OK(clSetUserEventStatus(failed, -42));
  CHECK_FAILS(clrs_pattern_read_buffer(a->library, &onnx, &storage, CLRS_I64, 1, LIST(2), &pattern,
                                       &(clrs_on){a->device.queue, 1, &failed}, &error),
              CLRS_OPENCL_ERROR, error);
  assert_int_equal(error.opencl_code, -42);
  assert_int_equal(pattern.length, 7);
  CL_OK(clReleaseEvent(failed));
}

TESTS_UNLESS(device_missing(), NULL, NULL)
