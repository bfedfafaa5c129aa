/*
 * What fill, pad, concat, string tensors and patterns in buffers refuse.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"

#define REFUSED(call, status) CHECK_FAILS((call), (status), error)
#define NULL_REFUSED(call)                                                                         \
  do {                                                                                             \
    REFUSED(call, CLRS_INVALID_ARGUMENT);                                                          \
    CHECK_SAYS(error, "NULL");                                                                     \
  } while (0)

static void fill(void **state) {
  api *a = *state;
  clrs_error error;
  clrs_tensor *target = api_target(a);
  cl_event event = NULL;
  const float one = 1;
  cl_command_queue queue = a->device.queue;
  NULL_REFUSED(clrs_enqueue_fill(NULL, target, &one, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_fill(a->library, NULL, &one, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_fill(a->library, target, NULL, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_fill(a->library, target, &one, NULL, 0, NULL, &event, &error));
  REFUSED(clrs_enqueue_fill(a->library, target, &one, a->foreign.queue, 0, NULL, &event, &error),
          CLRS_INVALID_ARGUMENT);
  REFUSED(clrs_enqueue_fill(a->foreign_library, target, &one, a->foreign.queue, 0, NULL, &event,
                            &error),
          CLRS_INVALID_ARGUMENT);
  assert_null(event);
  api_expect_untouched(a);
  clrs_tensor_release(target);
}

static void pad(void **state) {
  api *a = *state;
  clrs_error error;
  clrs_tensor *source = api_transposed(a), *target = api_target(a);
  cl_event event = NULL;
  const float one = 1;
  const clrs_padding good = {NULL, &one}, no_element = {NULL, NULL};
  const clrs_padding shifted = {LIST(1, 0), &one}, before = {LIST(0, -1), &one};
  cl_command_queue queue = a->device.queue;
  NULL_REFUSED(clrs_enqueue_pad(NULL, source, target, &good, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_pad(a->library, NULL, target, &good, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_pad(a->library, source, NULL, &good, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_pad(a->library, source, target, NULL, queue, 0, NULL, &event, &error));
  NULL_REFUSED(
      clrs_enqueue_pad(a->library, source, target, &no_element, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_pad(a->library, source, target, &good, NULL, 0, NULL, &event, &error));
  const clrs_padding *outside[] = {&shifted, &before};
  for (int i = 0; i < 2; i++) {
    memset(&error, 0, sizeof error);
    assert_int_not_equal(
        clrs_enqueue_pad(a->library, source, target, outside[i], queue, 0, NULL, &event, &error),
        CLRS_OK);
    assert_true(error.message[0]);
  }
  CHECK_SAYS(error, "-1");
  assert_null(event);
  api_expect_untouched(a);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

static void concat(void **state) {
  api *a = *state;
  clrs_error error;
  clrs_tensor *source = api_transposed(a), *target = api_target(a);
  cl_event event = NULL;
  clrs_tensor *const list[] = {source}, *const twice[] = {source, source}, *const none[] = {NULL};
  const clrs_sources good = {1, list}, two = {2, twice}, hole = {1, none}, unlisted = {1, NULL};
  const clrs_sources empty = {0, list};
  const clrs_layout other = api_layout(CLRS_I32, 2, LIST(6, 4), NULL);
  clrs_tensor *integers = api_wrap(a->library, a->source, 0, &other);
  clrs_tensor *const mixed_list[] = {integers};
  const clrs_sources mixed = {1, mixed_list};
  cl_command_queue queue = a->device.queue;
  NULL_REFUSED(clrs_enqueue_concat(NULL, &good, 0, target, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_concat(a->library, NULL, 0, target, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_concat(a->library, &hole, 0, target, queue, 0, NULL, &event, &error));
  NULL_REFUSED(
      clrs_enqueue_concat(a->library, &unlisted, 0, target, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_concat(a->library, &good, 0, NULL, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_concat(a->library, &good, 0, target, NULL, 0, NULL, &event, &error));
  REFUSED(clrs_enqueue_concat(a->library, &good, 2, target, queue, 0, NULL, &event, &error),
          CLRS_INVALID_ARGUMENT);
  CHECK_SAYS(error, "2");
  REFUSED(clrs_enqueue_concat(a->library, &mixed, 0, target, queue, 0, NULL, &event, &error),
          CLRS_INVALID_ARGUMENT);
  const clrs_sources *wrong[] = {&two, &empty}; /* 12 rows for 6, and none for 6 */
  for (int i = 0; i < 2; i++)
    assert_int_not_equal(
        clrs_enqueue_concat(a->library, wrong[i], 0, target, queue, 0, NULL, &event, &error),
        CLRS_OK);
  assert_null(event);
  api_expect_untouched(a);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
  clrs_tensor_release(integers);
}

static void characters(void **state) {
  api *a = *state;
  clrs_error error;
  size_t count = 77;
  const clrs_layout strings = api_layout(CLRS_STRING, 1, LIST(3), NULL);
  clrs_tensor *tensor = api_wrap(a->library, a->source, 0, &strings), *result = NULL;
  clrs_tensor *numbers = api_transposed(a);
  const cl_mem buffers[] = {a->destination}, hole[] = {NULL};
  NULL_REFUSED(clrs_tensor_with_characters(NULL, 1, buffers, &result, &error));
  NULL_REFUSED(clrs_tensor_with_characters(tensor, 1, NULL, &result, &error));
  NULL_REFUSED(clrs_tensor_with_characters(tensor, 1, hole, &result, &error));
  NULL_REFUSED(clrs_tensor_with_characters(tensor, 1, buffers, NULL, &error));
  REFUSED(clrs_tensor_with_characters(numbers, 1, buffers, &result, &error), CLRS_INVALID_ARGUMENT);
  cl_mem foreign = device_buffer(&a->foreign, CL_MEM_READ_WRITE, 64);
  REFUSED(clrs_tensor_with_characters(tensor, 1, &foreign, &result, &error), CLRS_INVALID_ARGUMENT);
  CL_OK(clReleaseMemObject(foreign));
  assert_null(result);
  assert_null(clrs_tensor_characters(numbers, &count));
  assert_int_equal(count, 0);
  CHECK_OK(clrs_tensor_with_characters(tensor, 1, buffers, &result, &error), error);
  clrs_tensor_release(tensor);
  assert_int_equal(device_references(a->destination), 2);
  assert_ptr_equal(clrs_tensor_characters(result, &count)[0], a->destination);
  assert_int_equal(count, 1);
  clrs_tensor_release(result);
  clrs_tensor_release(numbers);
}

static void pattern_in_a_buffer(void **state) {
  api *a = *state;
  clrs_error error;
  const clrs_pattern rules = {CLRS_ONNX, CLRS_ZERO_COPIES, 0, {0}};
  const int64_t values[2] = {-1, 4}, two = 2, long_dim = API_BYTES / 8 + 1;
  const clrs_pattern_tensor tensor = {CLRS_I64, 1, &two, NULL};
  const clrs_pattern_tensor too_long = {CLRS_I64, 1, &long_dim, NULL};
  const clrs_storage storage = {a->destination, 24}, past = {a->destination, API_BYTES - 15};
  clrs_pattern pattern;
  cl_command_queue queue = a->device.queue;
#define READ(context, rules, storage, tensor, pattern, queue)                                      \
  clrs_pattern_read_buffer(context, rules, storage, tensor, pattern, queue, 0, NULL, &error)
  NULL_REFUSED(READ(NULL, &rules, &storage, &tensor, &pattern, queue));
  NULL_REFUSED(READ(a->library, NULL, &storage, &tensor, &pattern, queue));
  NULL_REFUSED(READ(a->library, &rules, NULL, &tensor, &pattern, queue));
  NULL_REFUSED(READ(a->library, &rules, &storage, NULL, &pattern, queue));
  NULL_REFUSED(READ(a->library, &rules, &storage, &tensor, NULL, queue));
  NULL_REFUSED(READ(a->library, &rules, &storage, &tensor, &pattern, NULL));
  REFUSED(READ(a->library, &rules, &past, &tensor, &pattern, queue), CLRS_OUT_OF_BOUNDS);
  assert_int_not_equal(READ(a->library, &rules, &storage, &too_long, &pattern, queue), CLRS_OK);
  CL_OK(clEnqueueWriteBuffer(queue, a->destination, CL_TRUE, 24, 16, values, 0, NULL, NULL));
  CHECK_OK(READ(a->library, &rules, &storage, &tensor, &pattern, queue), error);
  assert_int_equal(pattern.length, 2);
  assert_memory_equal(pattern.values, values, sizeof values);
  assert_int_equal(pattern.dialect, CLRS_ONNX);
}

int main(void) {
  const int missing = device_missing();
  if (missing)
    return missing;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(fill, api_open, api_close),
      cmocka_unit_test_setup_teardown(pad, api_open, api_close),
      cmocka_unit_test_setup_teardown(concat, api_open, api_close),
      cmocka_unit_test_setup_teardown(characters, api_open, api_close),
      cmocka_unit_test_setup_teardown(pattern_in_a_buffer, api_open, api_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
