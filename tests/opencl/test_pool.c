/*
 * The pool of results: when the bytes of one result become the bytes of another.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <time.h>

#include "harness/driver_defects.h"
#include "harness/works.h"
#include "pool_fixture.h"

static clrs_tensor *make(const pools *p, int queue) {
  return make_on(p, p->library, 0, COUNT, p->queues[queue], NULL);
}

POOL_TEST(on_an_ordered_queue_they_come_back_at_once) {
  cl_event gate = close_gate(p, 0);
  clrs_tensor *first = make(p, 0);
  const cl_mem buffer = buffer_of(first);
  clrs_tensor_release(first);
  clrs_tensor *second = make(p, 0);
  assert_ptr_equal(buffer_of(second), buffer);
  open_gate(&gate);
  clrs_tensor_release(second);
  const clrs_pool_statistics statistics = clrs_context_pool(p->library);
  assert_int_equal(statistics.created, 1);
  assert_int_equal(statistics.reused, 1);
  assert_int_equal(statistics.idle_bytes, sizeof(uint32_t) * COUNT);
}

POOL_TEST(a_view_of_a_result_keeps_its_bytes) {
  clrs_tensor *first = make(p, 0), *view = NULL;
  const cl_mem buffer = buffer_of(first);
  CHECK_OK(clrs_tensor_with_view(first, clrs_tensor_view(first), &view, &error), error);
  clrs_tensor_release(first);
  clrs_tensor *second = make(p, 0);
  assert_ptr_not_equal(buffer_of(second), buffer);
  clrs_tensor_release(view);
  clrs_tensor_release(second);
}

POOL_TEST(strings_with_characters_keep_the_bytes_of_a_result) {
  const clrs_shape shape = {1, {COUNT / 4}}; /* of 16 bytes */
  clrs_tensor *first = NULL, *told = NULL;
  CHECK_OK(clrs_tensor_allocate(p->library, p->queues[0], CLRS_STRING, &shape, &first, &error),
           error);
  CHECK_OK(clrs_tensor_with_characters(first, 1, &p->sink, &told, &error), error);
  const cl_mem buffer = buffer_of(first);
  clrs_tensor_release(first);
  clrs_tensor *second = make(p, 0);
  assert_ptr_not_equal(buffer_of(second), buffer);
  clrs_tensor_release(told);
  clrs_tensor *third = make(p, 0);
  assert_ptr_equal(buffer_of(third), buffer);
  clrs_tensor_release(second);
  clrs_tensor_release(third);
}

/* The buffer of a result. Held, so that no new buffer has the address once the result is released.
 */
static cl_mem hold_buffer(const clrs_tensor *result) {
  CL_OK(clRetainMemObject(buffer_of(result)));
  return buffer_of(result);
}

/* Makes a result on `home`, perhaps uses the result on `other`, and requests another on `by` while
 * `held` has a gate. */
static bool comes_back(const pools *p, int home, int other, int held, int by) {
  cl_event gate = close_gate(p, held);
  clrs_tensor *first = make(p, home);
  const cl_mem buffer = hold_buffer(first);
  clrs_error error;
  if (other != home)
    CHECK_OK(clrs_tensor_use_on(first, p->queues[other], &error), error);
  clrs_tensor_release(first);
  clrs_tensor *second = make(p, by);
  const bool same = buffer_of(second) == buffer;
  open_gate(&gate);
  CL_OK(clReleaseMemObject(buffer));
  clrs_tensor_release(second);
  for (int i = 0; i < QUEUES; i++)
    CL_OK(clFinish(p->queues[i]));
  clrs_context_trim_pool(p->library, 0);
  assert_int_equal(clrs_context_pool(p->library).idle_bytes, 0);
  return same;
}

POOL_TEST(other_queues_wait_for_what_was_enqueued) {
  assert_false(comes_back(p, 0, 0, 0, 1)); /* home has not run */
  assert_false(comes_back(p, 2, 2, 2, 2)); /* home runs without order */
  assert_false(comes_back(p, 0, 1, 1, 0)); /* a queue that the caller named has not run */
  assert_true(comes_back(p, 0, 0, 1, 0));  /* nobody uses the bytes there */
}

/* If a marker may end the process, the library cannot know that all commands have ended. */
POOL_TEST(what_has_ended_is_for_every_queue) {
  if (driver_has_defect(p->device.device, DEFECT_SEVERAL_FAILED))
    skip();
  clrs_tensor *first = make(p, 2);
  const cl_mem buffer = buffer_of(first);
  clrs_tensor_release(first);
  CL_OK(clFinish(p->queues[2]));
  clrs_tensor *second = make(p, 0);
  assert_ptr_equal(buffer_of(second), buffer);
  clrs_tensor_release(second);
}

/* A batch reads and writes tensors that nobody else has any more. */
POOL_TEST(a_batch_keeps_the_bytes_of_its_tensors) {
  clrs_tensor *source = make_on(p, p->library, 3, COUNT, p->queues[0], NULL);
  clrs_tensor *target = make_on(p, p->library, 4, COUNT, p->queues[0], NULL);
  const cl_mem into = buffer_of(target);
  clrs_work *batch = NULL;
  uint32_t got[COUNT];
  CHECK_OK(test_work_of_moves(
               p->library, &(test_moves){.count = 1, .sources = &source, .destinations = &target},
               &batch, &error),
           error);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
  clrs_tensor *others[3];
  for (int i = 0; i < 3; i++)
    others[i] = make_on(p, p->library, 5, COUNT, p->queues[0], NULL);
  CHECK_OK(clrs_enqueue_work(batch, 0, NULL, ON(p->queues[0]), NULL, &error), error);
  CL_OK(clEnqueueReadBuffer(p->queues[0], into, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  for (int k = 0; k < COUNT; k++)
    assert_int_equal(got[k], p->elements[3][COUNT - 1 - k]);
  for (int i = 0; i < 3; i++)
    clrs_tensor_release(others[i]);
  clrs_work_release(batch);
}

POOL_TEST(no_more_is_kept_than_the_limit) {
  const int64_t limits[] = {0, 4 * COUNT - 1, 3 * 4 * COUNT + 100}, kept[] = {0, 0, 3};
  for (int i = 0; i < 3; i++) {
    clrs_context *library = library_with(p, NULL, limits[i]);
    clrs_tensor *live[5];
    for (int k = 0; k < 5; k++)
      live[k] = make_on(p, library, k, COUNT, p->queues[0], NULL);
    for (int k = 0; k < 5; k++)
      clrs_tensor_release(live[k]);
    assert_int_equal(clrs_context_pool(library).used_bytes, 0);
    assert_int_equal(clrs_context_pool(library).idle_bytes, kept[i] * 4 * COUNT);
    clrs_context_trim_pool(library, 4 * COUNT + 1);
    assert_int_equal(clrs_context_pool(library).idle_bytes, kept[i] > 0 ? 4 * COUNT : 0);
    clrs_context_release(library);
  }
}

POOL_TEST(no_more_results_are_kept_than_there_is_room_for) {
  enum { ROOM = 64, MADE = ROOM + 2 };
  clrs_tensor *live[MADE];
  for (int k = 0; k < MADE; k++)
    live[k] = allocate_on(p->library, 1, p->queues[0]);
  const cl_mem last = buffer_of(live[MADE - 1]);
  for (int k = 0; k < MADE; k++)
    clrs_tensor_release(live[k]);
  assert_int_equal(clrs_context_pool(p->library).idle_bytes, ROOM * 4);
  assert_int_equal(clrs_context_pool(p->library).used_bytes, 0);
  live[0] = allocate_on(p->library, 1, p->queues[0]);
  assert_ptr_equal(buffer_of(live[0]), last); /* the oldest made room */
  clrs_tensor_release(live[0]);
}

/* The calls that a caller makes when the driver reports the end of a buffer, from a driver thread
 * in PoCL 7.1 and later. */
typedef struct asking {
  clrs_context *library;
  _Atomic int times;
  uint64_t idle_bytes[2];
} asking;

static void CL_CALLBACK ask(cl_mem buffer, void *user_data) {
  asking *of = user_data;
  (void)buffer;
  clrs_context_trim_pool(of->library, 0);
  if (of->times < 2)
    of->idle_bytes[of->times] = clrs_context_pool(of->library).idle_bytes;
  of->times++;
}

static void release_asking(clrs_tensor *tensor, asking *of) {
  CL_OK(clSetMemObjectDestructorCallback(buffer_of(tensor), ask, of));
  clrs_tensor_release(tensor);
}

static void require_times(const asking *of, int times) {
  const struct timespec pause = {0, 1000000};
  for (int tries = 0; tries < 2000 && of->times < times; tries++)
    (void)nanosleep(&pause, NULL);
  assert_int_equal(of->times, times);
}

/* The pool accepts calls while buffers are returned, in a trim or for a newer result. */
POOL_TEST(a_buffer_s_end_may_ask_the_pool) {
  asking trimmed = {.library = p->library};
  clrs_tensor *first = make(p, 0), *second = make(p, 0);
  CL_OK(clFinish(p->queues[0]));
  release_asking(first, &trimmed);
  release_asking(second, &trimmed);
  assert_int_equal(clrs_context_pool(p->library).idle_bytes, 2 * 4 * COUNT);
  clrs_context_trim_pool(p->library, 0);
  require_times(&trimmed, 2);
  assert_int_equal(trimmed.idle_bytes[0], 0);
  assert_int_equal(trimmed.idle_bytes[1], 0);
}

POOL_TEST(a_newer_result_s_room_may_ask_the_pool) {
  asking replaced = {.library = library_with(p, NULL, 4 * COUNT)};
  clrs_tensor *first = make_on(p, replaced.library, 0, COUNT, p->queues[0], NULL);
  clrs_tensor *second = make_on(p, replaced.library, 1, COUNT, p->queues[0], NULL);
  CL_OK(clFinish(p->queues[0]));
  release_asking(first, &replaced);
  assert_int_equal(replaced.times, 0);
  clrs_tensor_release(second);
  require_times(&replaced, 1);
  assert_int_equal(replaced.idle_bytes[0], 0);
  assert_int_equal(clrs_context_pool(replaced.library).idle_bytes, 0);
  clrs_context_release(replaced.library);
}

/* ---- any number of queues ---- */

/* A separate queue uses the tensor, finishes and is released, so often. */
static void use_on_passing_queues(const pools *p, clrs_tensor *tensor, int times) {
  clrs_error error;
  for (int i = 0; i < times; i++) {
    cl_command_queue queue = device_queue(&p->device, 0);
    CHECK_OK(clrs_tensor_use_on(tensor, queue, &error), error);
    CL_OK(clFinish(queue));
    CL_OK(clReleaseCommandQueue(queue));
  }
}

/* Forgotten queues are waited for all the same. Queues that are waited for once are not kept. */
POOL_TEST(a_result_is_followed_on_any_number_of_queues) {
  enum { USED = 40 };
  cl_command_queue queues[USED];
  cl_event gate = close_gate(p, 1);
  clrs_tensor *first = make(p, 0);
  const cl_mem buffer = hold_buffer(first);
  CHECK_OK(clrs_tensor_use_on(first, p->queues[1], &error), error);
  use_on_passing_queues(p, first, 3 * USED);
  for (int i = 0; i < 2 * USED; i++) { /* each is told of twice */
    if (i < USED)
      queues[i] = device_queue(&p->device, 0);
    CHECK_OK(clrs_tensor_use_on(first, queues[i % USED], &error), error);
  }
  clrs_tensor_release(first);
  for (int i = 0; i < USED; i++)
    CL_OK(clFinish(queues[i]));
  clrs_tensor *second = make(p, 0); /* asks for markers where no markers exist yet */
  assert_ptr_not_equal(buffer_of(second), buffer);
  open_gate(&gate);
  for (int i = 0; i < USED; i++)
    CL_OK(clFinish(queues[i]));
  CL_OK(clFinish(p->queues[1]));
  CL_OK(clFinish(p->queues[0]));
  clrs_tensor *third = make(p, 0);
  if (!driver_has_defect(p->device.device, DEFECT_SEVERAL_FAILED))
    assert_ptr_equal(buffer_of(third), buffer);
  clrs_tensor_release(second);
  clrs_tensor_release(third);
  CL_OK(clReleaseMemObject(buffer));
  clrs_context_trim_pool(p->library, 0);
  for (int i = 0; i < USED; i++)
    CL_OK(clReleaseCommandQueue(queues[i]));
}

/* ---- released with events ---- */

/* Does the next result, made on that queue, have this memory? */
static bool is_given(const pools *p, cl_mem buffer, int by, clrs_tensor **next) {
  *next = make(p, by);
  return buffer_of(*next) == buffer;
}

POOL_TEST(what_is_released_with_events_waits_for_them) {
  for (int by = 0; by < 2; by++) { /* home, and another queue */
    cl_event gates[2] = {close_gate(p, 2), close_gate(p, 2)};
    clrs_tensor *first = make(p, 0), *view = NULL, *others[3];
    const cl_mem buffer = hold_buffer(first);
    CHECK_OK(clrs_tensor_with_view(first, clrs_tensor_view(first), &view, &error), error);
    CL_OK(clFinish(p->queues[0]));
    CHECK_OK(clrs_tensor_release_after(first, 2, gates, &error), error);
    CHECK_OK(clrs_tensor_release_after(view, 0, NULL, &error), error);
    assert_false(is_given(p, buffer, by, &others[0]));
    open_gate(&gates[1]);
    assert_false(is_given(p, buffer, by, &others[1]));
    open_gate(&gates[0]);
    CL_OK(clFinish(p->queues[0])); /* on the queue that may have a marker */
    assert_true(is_given(p, buffer, by, &others[2]) ||
                (by != 0 && driver_has_defect(p->device.device, DEFECT_SEVERAL_FAILED)));
    for (int i = 0; i < 3; i++)
      clrs_tensor_release(others[i]);
    CL_OK(clReleaseMemObject(buffer));
    for (int i = 0; i < QUEUES; i++)
      CL_OK(clFinish(p->queues[i]));
    clrs_context_trim_pool(p->library, 0);
  }
}

/* Copies on a second queue read results that have been released, while new results are made on the
 * first queue. Each copy has the elements of the copied result. */
POOL_TEST(a_second_queue_reads_what_was_released_after_it) {
  enum { RESULTS = 20 };
  static uint32_t got[RESULTS][COUNT];
  cl_event gate = close_gate(p, 1);
  for (int i = 0; i < RESULTS; i++) {
    cl_event made = NULL, copied = NULL;
    clrs_tensor *result = make_on(p, p->library, i % SOURCES, COUNT, p->queues[0], &made);
    CL_OK(clEnqueueCopyBuffer(p->queues[1], buffer_of(result), p->sink, 0,
                              (size_t)i * sizeof got[0], sizeof got[0], 1, &made, &copied));
    CHECK_OK(clrs_tensor_release_after(result, 1, &copied, &error), error);
    CL_OK(clReleaseEvent(made));
    CL_OK(clReleaseEvent(copied));
  }
  CL_OK(clFinish(p->queues[0]));
  open_gate(&gate);
  CL_OK(clFinish(p->queues[1]));
  device_read(&p->device, p->sink, sizeof got, got);
  for (int i = 0; i < RESULTS; i++)
    for (int k = 0; k < COUNT; k++)
      assert_int_equal(got[i][k], p->elements[i % SOURCES][COUNT - 1 - k]);
}

/* An event that ended before, well or badly, is not waited for. Whatever is wrong with a list, the
 * tensor stays. */
POOL_TEST(events_that_have_ended_hold_nothing_back) {
  cl_int code;
  cl_event ended[2];
  for (int i = 0; i < 2; i++) {
    ended[i] = clCreateUserEvent(p->device.context, &code);
    CL_OK(code);
    CL_OK(clSetUserEventStatus(ended[i], i == 0 ? CL_COMPLETE : -5));
  }
  clrs_tensor *first = make(p, 0);
  const cl_mem buffer = buffer_of(first);
  CHECK_FAILS(clrs_tensor_release_after(first, 1, NULL, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_OK(clrs_tensor_release_after(first, 2, ended, &error), error);
  clrs_tensor *second = make(p, 0);
  assert_ptr_equal(buffer_of(second), buffer);
  clrs_tensor_release(second);
  CL_OK(clReleaseEvent(ended[0]));
  CL_OK(clReleaseEvent(ended[1]));
}

POOL_TEST(a_caller_s_own_tensor_comes_from_the_pool_on_a_queue) {
  const clrs_shape shape = {1, {COUNT}};
  clrs_tensor *tensor = make(p, 1), *mine = NULL, *plain = NULL;
  const cl_mem buffer = buffer_of(tensor);
  clrs_tensor_release(tensor);
  CHECK_OK(clrs_tensor_allocate(p->library, NULL, CLRS_U32, &shape, &plain, &error), error);
  assert_ptr_not_equal(buffer_of(plain), buffer);
  CHECK_OK(clrs_tensor_allocate(p->library, p->queues[1], CLRS_U32, &shape, &mine, &error), error);
  assert_ptr_equal(buffer_of(mine), buffer);
  clrs_tensor_release(mine);
  clrs_tensor_release(plain);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
