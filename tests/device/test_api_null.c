/*
 * NULL and nonsense in every parameter of every function that takes a device: a status and a
 * sentence, nothing written, nothing enqueued.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"

/* Each call leaves its outputs as they were. */
#define REFUSED(call, status) CHECK_FAILS((call), (status), error)
#define NULL_REFUSED(call)                                                                         \
  do {                                                                                             \
    REFUSED(call, CLRS_INVALID_ARGUMENT);                                                          \
    CHECK_SAYS(error, "NULL");                                                                     \
  } while (0)

static void context_create(void **state) {
  api *a = *state;
  clrs_error error;
  clrs_context *context = NULL;
  clrs_context_options good = CLRS_CONTEXT_OPTIONS_INIT, options;
  good.context = a->device.context;
  good.device = a->device.device;
  NULL_REFUSED(clrs_context_create(NULL, &context, &error));
  NULL_REFUSED(clrs_context_create(&good, NULL, &error));
  options = good;
  options.context = NULL;
  NULL_REFUSED(clrs_context_create(&options, &context, &error));
  options = good;
  options.device = NULL;
  NULL_REFUSED(clrs_context_create(&options, &context, &error));
  options = good;
  options.struct_size = 0;
  REFUSED(clrs_context_create(&options, &context, &error), CLRS_INVALID_ARGUMENT);
  options = good;
  options.limits.min_index_bits = 17;
  if (clrs_context_create(&options, &context, &error) ==
      CLRS_OK) { /* may wait for the first plan */
    clrs_plan plan;
    const clrs_layout layout = api_layout(CLRS_F32, 1, LIST(4), NULL);
    clrs_tensor *tensor = api_wrap(context, a->source, 0, &layout);
    REFUSED(clrs_tensor_plan(context, tensor, NULL, CLRS_COPY_ALWAYS, &plan, &error),
            CLRS_INVALID_ARGUMENT);
    clrs_tensor_release(tensor);
    clrs_context_release(context);
    context = NULL;
  }
  assert_null(context);
}

static void context_calls(void **state) {
  api *a = *state;
  clrs_error error;
  clrs_context_retain(NULL);
  clrs_context_release(NULL);
  assert_int_equal(clrs_context_program_count(NULL), 0);
  NULL_REFUSED(clrs_context_warm_up(NULL, CLRS_CLASS_GATHER, 32, &error));
  REFUSED(clrs_context_warm_up(a->library, CLRS_CLASS_GATHER, 7, &error), CLRS_INVALID_ARGUMENT);
  CHECK_SAYS(error, "7");
  REFUSED(clrs_context_warm_up(a->library, CLRS_CLASS_BITS, 8, &error), CLRS_INVALID_ARGUMENT);
  REFUSED(clrs_context_warm_up(a->library, CLRS_CLASS_GATHER, 256, &error), CLRS_INVALID_ARGUMENT);
  REFUSED(clrs_context_warm_up(a->library, (clrs_class)99, 32, &error), CLRS_INVALID_ARGUMENT);
  assert_int_equal(clrs_context_program_count(a->library), 0);
}

static void tensor_wrap(void **state) {
  api *a = *state;
  clrs_error error;
  clrs_tensor *tensor = NULL;
  const clrs_layout layout = api_layout(CLRS_F32, 1, LIST(4), NULL);
  const clrs_storage storage = {a->source, 0}, none = {NULL, 0};
  NULL_REFUSED(clrs_tensor_wrap(NULL, &storage, &layout, &tensor, &error));
  NULL_REFUSED(clrs_tensor_wrap(a->library, NULL, &layout, &tensor, &error));
  NULL_REFUSED(clrs_tensor_wrap(a->library, &storage, NULL, &tensor, &error));
  NULL_REFUSED(clrs_tensor_wrap(a->library, &storage, &layout, NULL, &error));
  NULL_REFUSED(clrs_tensor_wrap(a->library, &none, &layout, &tensor, &error));
  assert_null(tensor);
}

static void tensor_allocate_and_with_view(void **state) {
  api *a = *state;
  clrs_error error;
  clrs_tensor *tensor = NULL, *result = NULL;
  const clrs_shape shape = {1, {4}}, wide = {2, {INT64_MAX, 1}}, wider = {2, {INT64_MAX, 2}};
  NULL_REFUSED(clrs_tensor_allocate(NULL, CLRS_F32, &shape, &tensor, &error));
  NULL_REFUSED(clrs_tensor_allocate(a->library, CLRS_F32, NULL, &tensor, &error));
  NULL_REFUSED(clrs_tensor_allocate(a->library, CLRS_F32, &shape, NULL, &error));
  REFUSED(clrs_tensor_allocate(a->library, CLRS_F32, &wider, &tensor, &error), CLRS_OVERFLOW);
  REFUSED(clrs_tensor_allocate(a->library, CLRS_C128, &wide, &tensor, &error), CLRS_OVERFLOW);
  REFUSED(clrs_tensor_allocate(a->library, CLRS_DTYPE_COUNT, &shape, &tensor, &error),
          CLRS_INVALID_ARGUMENT);
  assert_null(tensor);
  CHECK_OK(clrs_tensor_allocate(a->library, CLRS_F32, &shape, &tensor, &error), error);
  NULL_REFUSED(clrs_tensor_with_view(NULL, clrs_tensor_view(tensor), &result, &error));
  NULL_REFUSED(clrs_tensor_with_view(tensor, NULL, &result, &error));
  NULL_REFUSED(clrs_tensor_with_view(tensor, clrs_tensor_view(tensor), NULL, &error));
  assert_null(result);
  clrs_tensor_retain(NULL);
  clrs_tensor_release(NULL);
  assert_null(clrs_tensor_view(NULL));
  assert_null(clrs_tensor_storage(NULL).buffer);
  clrs_tensor_release(tensor);
}

static void enqueue_materialize(void **state) {
  api *a = *state;
  clrs_error error;
  clrs_tensor *tensor = api_transposed(a), *result = NULL;
  cl_event event = NULL;
  cl_command_queue queue = a->device.queue;
  NULL_REFUSED(clrs_enqueue_materialize(NULL, tensor, CLRS_COPY_ALWAYS, &result, queue, 0, NULL,
                                        &event, &error));
  NULL_REFUSED(clrs_enqueue_materialize(a->library, NULL, CLRS_COPY_ALWAYS, &result, queue, 0, NULL,
                                        &event, &error));
  NULL_REFUSED(clrs_enqueue_materialize(a->library, tensor, CLRS_COPY_ALWAYS, NULL, queue, 0, NULL,
                                        &event, &error));
  NULL_REFUSED(clrs_enqueue_materialize(a->library, tensor, CLRS_COPY_ALWAYS, &result, NULL, 0,
                                        NULL, &event, &error));
  REFUSED(clrs_enqueue_materialize(a->library, tensor, CLRS_COPY_ALWAYS, &result, queue, 1, NULL,
                                   &event, &error),
          CLRS_INVALID_ARGUMENT);
  REFUSED(clrs_enqueue_materialize(a->library, tensor, CLRS_COPY_ALWAYS, &result, queue, 0, &event,
                                   &event, &error),
          CLRS_INVALID_ARGUMENT);
  REFUSED(clrs_enqueue_materialize(a->library, tensor, (clrs_copy_policy)9, &result, queue, 0, NULL,
                                   &event, &error),
          CLRS_INVALID_ARGUMENT);
  assert_true(result == NULL && event == NULL);
  clrs_tensor_release(tensor);
}

static void enqueue_reshape(void **state) {
  api *a = *state;
  clrs_error error;
  clrs_tensor *tensor = api_transposed(a), *result = NULL;
  cl_event event = NULL;
  cl_command_queue queue = a->device.queue;
  const clrs_pattern flat = {CLRS_ONNX, CLRS_ZERO_COPIES, 1, {-1}};
  const clrs_pattern twice = {CLRS_ONNX, CLRS_ZERO_COPIES, 2, {-1, -1}};
  NULL_REFUSED(clrs_enqueue_reshape(NULL, tensor, &flat, CLRS_COPY_ALWAYS, &result, queue, 0, NULL,
                                    &event, &error));
  NULL_REFUSED(clrs_enqueue_reshape(a->library, NULL, &flat, CLRS_COPY_ALWAYS, &result, queue, 0,
                                    NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_reshape(a->library, tensor, NULL, CLRS_COPY_ALWAYS, &result, queue, 0,
                                    NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_reshape(a->library, tensor, &flat, CLRS_COPY_ALWAYS, NULL, queue, 0,
                                    NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_reshape(a->library, tensor, &flat, CLRS_COPY_ALWAYS, &result, NULL, 0,
                                    NULL, &event, &error));
  REFUSED(clrs_enqueue_reshape(a->library, tensor, &twice, CLRS_COPY_ALWAYS, &result, queue, 0,
                               NULL, &event, &error),
          CLRS_INVALID_PATTERN);
  REFUSED(clrs_enqueue_reshape(a->library, tensor, &flat, CLRS_COPY_NEVER, &result, queue, 0, NULL,
                               &event, &error),
          CLRS_WOULD_COPY);
  assert_true(result == NULL && event == NULL);
  clrs_tensor_release(tensor);
}

static void enqueue_move(void **state) {
  api *a = *state;
  clrs_error error;
  clrs_tensor *source = api_transposed(a), *destination = api_target(a);
  cl_event event = NULL;
  cl_command_queue queue = a->device.queue;
  NULL_REFUSED(clrs_enqueue_move(NULL, source, destination, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_move(a->library, NULL, destination, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_move(a->library, source, NULL, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_move(a->library, source, destination, NULL, 0, NULL, &event, &error));
  REFUSED(clrs_enqueue_move(a->library, source, destination, queue, 2, NULL, &event, &error),
          CLRS_INVALID_ARGUMENT);
  assert_null(event);
  api_expect_untouched(a);
  clrs_tensor_release(source);
  clrs_tensor_release(destination);
}

static void plan_and_enqueue_plan(void **state) {
  api *a = *state;
  clrs_error error;
  clrs_tensor *source = api_transposed(a), *destination = api_target(a);
  cl_event event = NULL;
  cl_command_queue queue = a->device.queue;
  clrs_plan plan;
  NULL_REFUSED(clrs_tensor_plan(NULL, source, NULL, CLRS_COPY_ALWAYS, &plan, &error));
  NULL_REFUSED(clrs_tensor_plan(a->library, NULL, NULL, CLRS_COPY_ALWAYS, &plan, &error));
  NULL_REFUSED(clrs_tensor_plan(a->library, source, NULL, CLRS_COPY_ALWAYS, NULL, &error));
  CHECK_OK(clrs_tensor_plan(a->library, source, destination, CLRS_COPY_ALWAYS, &plan, &error),
           error);
  NULL_REFUSED(
      clrs_enqueue_plan(NULL, &plan, a->source, a->destination, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_plan(a->library, NULL, a->source, a->destination, queue, 0, NULL,
                                 &event, &error));
  NULL_REFUSED(
      clrs_enqueue_plan(a->library, &plan, NULL, a->destination, queue, 0, NULL, &event, &error));
  NULL_REFUSED(
      clrs_enqueue_plan(a->library, &plan, a->source, NULL, queue, 0, NULL, &event, &error));
  NULL_REFUSED(clrs_enqueue_plan(a->library, &plan, a->source, a->destination, NULL, 0, NULL,
                                 &event, &error));
  assert_null(event);
  api_expect_untouched(a);
  clrs_tensor_release(source);
  clrs_tensor_release(destination);
}

int main(void) {
  const int missing = device_missing();
  if (missing)
    return missing;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(context_create, api_open, api_close),
      cmocka_unit_test_setup_teardown(context_calls, api_open, api_close),
      cmocka_unit_test_setup_teardown(tensor_wrap, api_open, api_close),
      cmocka_unit_test_setup_teardown(tensor_allocate_and_with_view, api_open, api_close),
      cmocka_unit_test_setup_teardown(enqueue_materialize, api_open, api_close),
      cmocka_unit_test_setup_teardown(enqueue_reshape, api_open, api_close),
      cmocka_unit_test_setup_teardown(enqueue_move, api_open, api_close),
      cmocka_unit_test_setup_teardown(plan_and_enqueue_plan, api_open, api_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
