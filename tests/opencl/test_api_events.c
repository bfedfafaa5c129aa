/*
 * Events: always valid, even without a launch. The wait list is honoured. The failure of a
 * waited-for event reaches the caller, and then nothing is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"
#include "harness/driver_defects.h"
#include "harness/works.h"

#include <time.h>

static cl_event user_event(const api *a) {
  cl_int code;
  cl_event event = clCreateUserEvent(a->device.context, &code);
  CL_OK(code);
  return event;
}

/* Gives a command that wrongly did not wait ample time to show itself. */
static void expect_still_waiting(cl_event event) {
  const struct timespec pause = {0, 2000000};
  for (int i = 0; i < 25; i++) {
    assert_true(device_event_status(event) > CL_COMPLETE);
    (void)nanosleep(&pause, NULL);
  }
}

/* The enqueued work: with a launch, as an alias, with several launches, or without elements. */
typedef enum work {
  WORK_MOVE,
  WORK_ALIAS,
  WORK_EMPTY,
  WORK_COPY,
  WORK_PLAN,
  WORK_BATCH,
  WORK_COUNT
} work;

static void enqueue(api *a, work what, cl_command_queue queue, cl_uint count, const cl_event *waits,
                    cl_event *event) {
  clrs_plan plan;
  const clrs_layout none = api_layout(CLRS_F32, 2, LIST(0, 4), NULL);
  clrs_tensor *source =
      what == WORK_EMPTY ? api_wrap(a->library, NULL, 0, &none) : api_transposed(a);
  clrs_tensor *target = api_target(a), *result = NULL;
  if (what == WORK_MOVE) {
    CHECK_OK(clrs_enqueue_move(source, target, &(clrs_on){queue, count, waits}, event, &error),
             error);
  } else if (what == WORK_PLAN) {
    CHECK_OK(clrs_tensor_plan(source, target, CLRS_COPY_ALWAYS, &plan, &error), error);
    CHECK_OK(
        clrs_enqueue_plan(a->library, &plan,
                          &(clrs_plan_buffers){.source = a->source, .destination = a->destination},
                          &(clrs_on){queue, count, waits}, event, &error),
        error);
  } else if (what == WORK_BATCH) {
    const test_moves moves = {.count = 1, .sources = &source, .destinations = &target};
    CHECK_OK(test_enqueue_moves(a->library, &moves, &(clrs_on){queue, count, waits}, event, &error),
             error);
  } else {
    const clrs_copy_policy policy = what == WORK_ALIAS ? CLRS_COPY_NEVER : CLRS_COPY_ALWAYS;
    CHECK_OK(clrs_enqueue_chain(source, "", policy, NULL, &result, &(clrs_on){queue, count, waits},
                                event, &error),
             error);
  }
  clrs_tensor_release(source);
  clrs_tensor_release(target);
  clrs_tensor_release(result);
}

API_TEST(every_success_gives_an_event_that_completes) {
  for (int what = 0; what < WORK_COUNT; what++) {
    cl_event event = NULL;
    enqueue(a, (work)what, a->device.queue, 0, NULL, &event);
    assert_non_null(event);
    device_finish_event(event);
  }
  api_expect_transposed(a);
}

API_TEST(an_event_need_not_be_asked_for) {
  for (int what = 0; what < WORK_COUNT; what++)
    enqueue(a, (work)what, a->device.queue, 0, NULL, NULL);
  CL_OK(clFinish(a->device.queue));
  api_expect_transposed(a);
}

/* Parts of 4-bit elements share bytes, so the parts are written in sequence. */
API_TEST(nor_one_for_parts_in_order) {
  enum { AT = 100 };
  const unsigned char zero = 0;
  const clrs_padding padding = {.begins = LIST(2), .element = &zero};
  const clrs_layout three = api_layout(CLRS_U4, 1, LIST(3), NULL);
  const clrs_layout six = api_layout(CLRS_U4, 1, LIST(6), NULL);
  clrs_tensor *source = api_wrap(a->library, a->source, AT, &three);
  clrs_tensor *target = api_wrap(a->library, a->destination, 0, &six);
  CHECK_OK(clrs_enqueue_pad(source, &padding, target, NULL, ON(a->device.queue), NULL, &error),
           error);
  CL_OK(clFinish(a->device.queue));
  a->poison[0] = 0;
  a->poison[1] = a->bytes[AT];
  a->poison[2] = a->bytes[AT + 1] & 15;
  api_expect_untouched(a);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

API_TEST(commands_wait_for_the_wait_list) {
  cl_command_queue queue = device_queue(&a->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (int what = 0; what < WORK_COUNT; what++) {
    cl_event gates[2] = {user_event(a), user_event(a)}, event = NULL;
    enqueue(a, (work)what, queue, 2, gates, &event);
    device_flush(&a->device, queue);
    CL_OK(clSetUserEventStatus(gates[0], CL_COMPLETE));
    expect_still_waiting(event);
    if (what == WORK_MOVE)
      api_expect_untouched(a);
    CL_OK(clSetUserEventStatus(gates[1], CL_COMPLETE));
    device_finish_event(event);
    CL_OK(clReleaseEvent(gates[0]));
    CL_OK(clReleaseEvent(gates[1]));
  }
  api_expect_transposed(a);
  CL_OK(clReleaseCommandQueue(queue));
}

/* The producer writes the source only when the gate opens. The move must read the written data. */
API_TEST(a_move_reads_what_its_producer_wrote) {
  cl_command_queue queue = device_queue(&a->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event gate = user_event(a), written = NULL, moved = NULL;
  for (int i = 0; i < API_BYTES; i++)
    a->bytes[i] = (unsigned char)(a->bytes[i] ^ 0x5A);
  CL_OK(
      clEnqueueWriteBuffer(queue, a->source, CL_FALSE, 0, API_BYTES, a->bytes, 1, &gate, &written));
  enqueue(a, WORK_MOVE, queue, 1, &written, &moved);
  device_flush(&a->device, queue);
  expect_still_waiting(moved);
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  device_finish_event(moved);
  api_expect_transposed(a);
  CL_OK(clReleaseEvent(written));
  CL_OK(clReleaseEvent(gate));
  CL_OK(clReleaseCommandQueue(queue));
}

/* Also without a launch: the reader of an alias must learn of the producer's failure. */
API_TEST(a_failed_producer_fails_the_event) {
  const bool in_order_only = driver_has_defect(a->device.device, DEFECT_FINISH_AFTER_FAILED);
  for (int what = 0; what < WORK_COUNT; what++) {
    cl_command_queue queue = device_queue(
        &a->device, what % 2 && !in_order_only ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    cl_event gate = user_event(a), event = NULL;
    enqueue(a, (work)what, queue, 1, &gate, &event);
    device_flush(&a->device, queue);
    CL_OK(clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES));
    assert_true(device_event_fails(&a->device, event));
    CL_OK(clReleaseEvent(event));
    CL_OK(clReleaseEvent(gate));
    (void)clFinish(queue);
    CL_OK(clReleaseCommandQueue(queue));
    api_expect_untouched(a);
  }
}

/* PoCL 3 would never end a command behind the failed event. */
API_TEST(an_event_that_has_failed_already_fails_the_call) {
  cl_event gates[2] = {user_event(a), user_event(a)}, event = NULL;
  clrs_tensor *source = api_transposed(a), *target = api_target(a), *result = NULL;
  const test_moves moves = {.count = 1, .sources = &source, .destinations = &target};
  CL_OK(clSetUserEventStatus(gates[1], CL_OUT_OF_RESOURCES));
  CHECK_FAILS(
      clrs_enqueue_move(source, target, &(clrs_on){a->device.queue, 2, gates}, &event, &error),
      CLRS_OPENCL_ERROR, error);
  assert_int_equal(error.opencl_code, CL_OUT_OF_RESOURCES);
  CHECK_SAYS(error, "number 1 of 2");
  CHECK_FAILS(
      test_enqueue_moves(a->library, &moves, &(clrs_on){a->device.queue, 2, gates}, &event, &error),
      CLRS_OPENCL_ERROR, error);
  for (int policy = CLRS_COPY_NEVER; policy <= CLRS_COPY_ALWAYS; policy++)
    CHECK_FAILS(clrs_enqueue_chain(source, "", (clrs_copy_policy)policy, NULL, &result,
                                   &(clrs_on){a->device.queue, 2, gates}, &event, &error),
                CLRS_OPENCL_ERROR, error);
  assert_true(event == NULL && result == NULL);
  /* Nothing is enqueued for an alias without an event. */
  CHECK_OK(clrs_enqueue_chain(source, "", CLRS_COPY_NEVER, NULL, &result,
                              &(clrs_on){a->device.queue, 2, gates}, NULL, &error),
           error);
  clrs_tensor_release(result);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
  CL_OK(clSetUserEventStatus(gates[0], CL_COMPLETE));
  CL_OK(clReleaseEvent(gates[0]));
  CL_OK(clReleaseEvent(gates[1]));
  api_expect_untouched(a);
}

/* A chain of two moves and a marker on an unordered queue, tied by events only. */
API_TEST(events_tie_a_chain_together) {
  cl_command_queue queue = device_queue(&a->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_mem between = device_buffer(&a->device, CL_MEM_READ_WRITE, 96);
  const clrs_layout rows = api_layout(CLRS_F32, 2, LIST(6, 4), NULL);
  for (int i = 0; i < 200; i++) {
    cl_event first = NULL, second = NULL, alias = NULL;
    clrs_tensor *source = api_transposed(a), *target = api_target(a), *same = NULL;
    clrs_tensor *middle = api_wrap(a->library, between, 0, &rows);
    CL_OK(clEnqueueFillBuffer(queue, between, "\xEE", 1, 0, 96, 0, NULL, &first));
    CL_OK(clWaitForEvents(1, &first));
    CL_OK(clReleaseEvent(first));
    CHECK_OK(clrs_enqueue_move(source, middle, ON(queue), &first, &error), error);
    CHECK_OK(clrs_enqueue_chain(middle, "", CLRS_COPY_NEVER, NULL, &same,
                                &(clrs_on){queue, 1, &first}, &alias, &error),
             error);
    CHECK_OK(clrs_enqueue_move(same, target, &(clrs_on){queue, 1, &alias}, &second, &error), error);
    device_finish_event(second);
    api_expect_transposed(a);
    api_poison(a);
    CL_OK(clReleaseEvent(first));
    CL_OK(clReleaseEvent(alias));
    clrs_tensor_release(source);
    clrs_tensor_release(middle);
    clrs_tensor_release(same);
    clrs_tensor_release(target);
  }
  CL_OK(clFinish(queue));
  CL_OK(clReleaseCommandQueue(queue));
  CL_OK(clReleaseMemObject(between));
}

TESTS_UNLESS(device_missing(), NULL, NULL)
