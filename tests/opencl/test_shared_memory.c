/*
 * Tensors in shared virtual memory: moves between such memory and buffers, from any offset, with
 * unchanged bytes outside.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 200
#include "harness/device.h"

#include "harness/check.h"
#include "harness/fault_layer.h"

enum { COUNT = 4096, ROWS = 40, COLUMNS = 50, OFFSET = 4 * 7 };

typedef struct shared {
  test_device device;
  clrs_context *library;
  uint32_t *from, *into; /* in shared memory */
} shared;

/* The host may access the memory until the unmap call. */
static void map(const shared *s, uint32_t *memory) {
  CL_OK(clEnqueueSVMMap(s->device.queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, memory,
                        COUNT * sizeof *memory, 0, NULL, NULL));
}

static void unmap(const shared *s, uint32_t *memory) {
  CL_OK(clEnqueueSVMUnmap(s->device.queue, memory, 0, NULL, NULL));
  CL_OK(clFinish(s->device.queue));
}

static clrs_tensor *wrap(const shared *s, uint32_t *memory, uint64_t byte_offset,
                         const int64_t *strides) {
  const clrs_shared_memory where = {memory, COUNT * sizeof *memory, byte_offset};
  const clrs_layout layout = {
      CLRS_U32, 2, {ROWS, COLUMNS}, {strides ? strides[0] : COLUMNS, strides ? strides[1] : 1}, 0};
  clrs_tensor *tensor = NULL;
  CHECK_OK(clrs_tensor_wrap_shared(s->library, &where, &layout, &tensor, &error), error);
  return tensor;
}

static void fill(const shared *s) {
  map(s, s->from);
  map(s, s->into);
  for (uint32_t i = 0; i < COUNT; i++) {
    s->from[i] = i;
    s->into[i] = 0xA5A5A5A5u;
  }
  unmap(s, s->from);
  unmap(s, s->into);
}

static void a_move_reads_and_writes_shared_memory(void **state) {
  const shared *s = *state;
  fill(s);
  clrs_tensor *source = wrap(s, s->from, 4, (int64_t[]){1, ROWS}); /* columns one at a time */
  clrs_tensor *target = wrap(s, s->into, OFFSET, NULL);
  cl_event event = NULL;
  CHECK_OK(clrs_enqueue_move(source, target, ON(s->device.queue), &event, &error), error);
  device_finish_event(event);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
  map(s, s->into);
  for (uint32_t i = 0; i < COUNT; i++) {
    const uint32_t at = i - OFFSET / 4;
    const bool inside = i >= OFFSET / 4 && at < ROWS * COLUMNS;
    const uint32_t want = inside ? 1 + at % COLUMNS * ROWS + at / COLUMNS : 0xA5A5A5A5u;
    assert_int_equal(s->into[i], want);
  }
  unmap(s, s->into);
}

static void shared_memory_becomes_a_result_in_a_buffer(void **state) {
  const shared *s = *state;
  static uint32_t got[ROWS * COLUMNS];
  clrs_tensor *result = NULL;
  fill(s);
  clrs_tensor *source = wrap(s, s->from, 0, NULL);
  CHECK_OK(clrs_enqueue_chain(source, "permute=1,0", CLRS_COPY_ALWAYS, NULL, &result,
                              ON(s->device.queue), NULL, &error),
           error);
  clrs_tensor_release(source);
  cl_event event = NULL;
  CHECK_OK(clrs_enqueue_read(result, got, sizeof got, ON(s->device.queue), &event, &error), error);
  device_finish_event(event);
  clrs_tensor_release(result);
  for (uint32_t i = 0; i < ROWS * COLUMNS; i++)
    assert_int_equal(got[i], i % ROWS * COLUMNS + i / ROWS);
}

static void a_tensor_that_would_leave_the_memory_is_refused(void **state) {
  const shared *s = *state;
  const clrs_shared_memory short_of_it = {s->from, ROWS * COLUMNS * 4 - 1, 0};
  const clrs_layout layout = {CLRS_U32, 2, {ROWS, COLUMNS}, {COLUMNS, 1}, 0};
  clrs_tensor *tensor = NULL;
  CHECK_FAILS(clrs_tensor_wrap_shared(s->library, &short_of_it, &layout, &tensor, &error),
              CLRS_OUT_OF_BOUNDS, error);
  assert_null(tensor);
}

/* Like a driver before OpenCL 2.0, which does not know the query. */
static void a_device_that_does_not_say_has_no_shared_memory(void **state) {
  const shared *s = *state;
  const clrs_shared_memory where = {s->from, COUNT * sizeof *s->from, 0};
  const clrs_layout layout = {CLRS_U32, 1, {COUNT}, {1}, 0};
  const fault first = {1, CL_INVALID_VALUE, false, FAULT_BEFORE};
  clrs_tensor *tensor = NULL;
  fault_layer layer;
  if (!fault_layer_find(&layer))
    skip();
  layer.arm(&first);
  CHECK_FAILS(clrs_tensor_wrap_shared(s->library, &where, &layout, &tensor, &error),
              CLRS_UNSUPPORTED, error);
  assert_string_equal(layer.failed(), "clGetDeviceInfo");
  layer.arm(NULL);
  CHECK_SAYS(error, "CL_DEVICE_SVM_CAPABILITIES");
  assert_null(tensor);
}

int main(void) {
  const int missing = device_missing();
  static shared s;
  cl_device_svm_capabilities capabilities = 0;
  if (missing)
    return missing;
  device_open(&s.device);
  if (clGetDeviceInfo(s.device.device, CL_DEVICE_SVM_CAPABILITIES, sizeof capabilities,
                      &capabilities, NULL) != CL_SUCCESS ||
      capabilities == 0) {
    print_message("the device has no shared virtual memory\n");
    device_close(&s.device);
    return 77;
  }
  s.library = device_library(&s.device, NULL);
  s.from = clSVMAlloc(s.device.context, CL_MEM_READ_WRITE, COUNT * sizeof *s.from, 0);
  s.into = clSVMAlloc(s.device.context, CL_MEM_READ_WRITE, COUNT * sizeof *s.into, 0);
  if (s.from == NULL || s.into == NULL)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(a_move_reads_and_writes_shared_memory, &s),
      cmocka_unit_test_prestate(shared_memory_becomes_a_result_in_a_buffer, &s),
      cmocka_unit_test_prestate(a_tensor_that_would_leave_the_memory_is_refused, &s),
      cmocka_unit_test_prestate(a_device_that_does_not_say_has_no_shared_memory, &s),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  clrs_context_release(s.library);
  clSVMFree(s.device.context, s.from);
  clSVMFree(s.device.context, s.into);
  device_close(&s.device);
  return failed;
}
