/*
 * The pool of results: when the bytes of one become those of another.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <time.h>

#include "clreshape/indexed.h"
#include "clreshape/sequence.h"
#include "harness/driver_defects.h"
#include "pool_fixture.h"

static clrs_tensor *make(const pools *p, int queue) {
  return make_on(p, p->library, 0, COUNT, p->queues[queue], NULL);
}

static void on_an_ordered_queue_they_come_back_at_once(void **state) {
  const pools *p = *state;
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

static void a_view_of_a_result_keeps_its_bytes(void **state) {
  const pools *p = *state;
  clrs_tensor *first = make(p, 0), *view = NULL;
  const cl_mem buffer = buffer_of(first);
  clrs_error error;
  CHECK_OK(clrs_tensor_with_view(first, clrs_tensor_view(first), &view, &error), error);
  clrs_tensor_release(first);
  clrs_tensor *second = make(p, 0);
  assert_ptr_not_equal(buffer_of(second), buffer);
  clrs_tensor_release(view);
  clrs_tensor_release(second);
}

static void strings_with_characters_keep_the_bytes_of_a_result(void **state) {
  const pools *p = *state;
  const clrs_shape shape = {1, {COUNT / 4}}; /* of 16 bytes */
  clrs_tensor *first = NULL, *told = NULL;
  clrs_error error;
  CHECK_OK(clrs_tensor_allocate_on(p->library, p->queues[0], CLRS_STRING, &shape, &first, &error),
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

/* Made on `home`, perhaps used on `other`; asked for on `by` while `held` has a gate. */
static bool comes_back(const pools *p, int home, int other, int held, int by) {
  cl_event gate = close_gate(p, held);
  clrs_tensor *first = make(p, home);
  const cl_mem buffer = buffer_of(first);
  clrs_error error;
  if (other != home)
    CHECK_OK(clrs_tensor_use_on(first, p->queues[other], &error), error);
  clrs_tensor_release(first);
  clrs_tensor *second = make(p, by);
  const bool same = buffer_of(second) == buffer;
  open_gate(&gate);
  clrs_tensor_release(second);
  for (int i = 0; i < QUEUES; i++)
    CL_OK(clFinish(p->queues[i]));
  clrs_context_trim_pool(p->library, 0);
  assert_int_equal(clrs_context_pool(p->library).idle_bytes, 0);
  return same;
}

static void other_queues_wait_for_what_was_enqueued(void **state) {
  const pools *p = *state;
  assert_false(comes_back(p, 0, 0, 0, 1)); /* home has not run */
  assert_false(comes_back(p, 2, 2, 2, 2)); /* home runs without order */
  assert_false(comes_back(p, 0, 1, 1, 0)); /* a queue that the caller named has not run */
  assert_true(comes_back(p, 0, 0, 1, 0));  /* nobody uses the bytes there */
}

/* Where a marker may end the process, nobody can know that all has ended. */
static void what_has_ended_is_for_every_queue(void **state) {
  const pools *p = *state;
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
static void a_batch_keeps_the_bytes_of_its_tensors(void **state) {
  const pools *p = *state;
  clrs_tensor *source = make_on(p, p->library, 3, COUNT, p->queues[0], NULL);
  clrs_tensor *target = make_on(p, p->library, 4, COUNT, p->queues[0], NULL);
  const cl_mem into = buffer_of(target);
  clrs_batch *batch = NULL;
  clrs_error error;
  uint32_t got[COUNT];
  CHECK_OK(clrs_batch_create(p->library, &(clrs_batch_moves){1, &source, &target}, &batch, &error),
           error);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
  clrs_tensor *others[3];
  for (int i = 0; i < 3; i++)
    others[i] = make_on(p, p->library, 5, COUNT, p->queues[0], NULL);
  CHECK_OK(clrs_enqueue_batch(batch, p->queues[0], 0, NULL, NULL, &error), error);
  CL_OK(clEnqueueReadBuffer(p->queues[0], into, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  for (int k = 0; k < COUNT; k++)
    assert_int_equal(got[k], p->elements[3][COUNT - 1 - k]);
  for (int i = 0; i < 3; i++)
    clrs_tensor_release(others[i]);
  clrs_batch_release(batch);
}

static void no_more_is_kept_than_the_limit(void **state) {
  const pools *p = *state;
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

static void no_more_results_are_kept_than_there_is_room_for(void **state) {
  const pools *p = *state;
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

/* What a caller asks when the driver says that a buffer is going, from a thread of the driver's own
 * in PoCL 7.1, and later. */
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

/* The pool is free for calls while it gives buffers back, in a trim or for a newer result. */
static void a_buffer_s_end_may_ask_the_pool(void **state) {
  const pools *p = *state;
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

static void a_newer_result_s_room_may_ask_the_pool(void **state) {
  const pools *p = *state;
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

/* ---- more queues than a result is followed on ---- */

static clrs_tensor *dense_u32(const pools *p, cl_mem buffer) {
  clrs_tensor *tensor = NULL;
  clrs_error error;
  CHECK_OK(clrs_tensor_wrap_dense(p->library, buffer, CLRS_U32, 1, LIST(COUNT), &tensor, &error),
           error);
  return tensor;
}

static clrs_tensor *as_indices(clrs_tensor *tensor) {
  clrs_view view = *clrs_tensor_view(tensor);
  clrs_tensor *indices = NULL;
  clrs_error error;
  view.dtype = CLRS_I32;
  CHECK_OK(clrs_tensor_with_view(tensor, &view, &indices, &error), error);
  return indices;
}

static clrs_tensor *as_floats(clrs_tensor *tensor) {
  clrs_tensor *floats = NULL;
  clrs_map cast;
  clrs_error error;
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_U32, CLRS_F32, &cast, &error), error);
  CHECK_OK(clrs_tensor_with_map(tensor, &cast, NULL, &floats, &error), error);
  return floats;
}

#define REFUSED(call)                                                                              \
  do {                                                                                             \
    CHECK_FAILS(call, CLRS_LIMIT_EXCEEDED, error);                                                 \
    CHECK_SAYS(error, "used on 16 queues; a result's memory is followed on no more");              \
  } while (0)
#define ON_QUEUE queue, 0, NULL, NULL, &error

/* `full` has been used on as many queues as it can be, and `queue` is none of them. */
static void expect_no_calls(const pools *p, clrs_tensor *full, cl_command_queue queue) {
  static uint32_t got[COUNT];
  clrs_context *library = p->library;
  clrs_tensor *from = dense_u32(p, p->sources[0]), *to = dense_u32(p, p->sink), *result = NULL;
  clrs_tensor *mapped = as_floats(full), *full_indices = as_indices(full);
  clrs_tensor *plain_indices = as_indices(from);
  const clrs_indices plain = {.tensor = plain_indices}, followed = {.tensor = full_indices};
  clrs_error error;
  REFUSED(clrs_enqueue_move(library, full, to, ON_QUEUE));
  REFUSED(clrs_enqueue_move(library, from, full, ON_QUEUE));
  REFUSED(clrs_enqueue_materialize(library, full, CLRS_COPY_ALWAYS, &result, ON_QUEUE));
  REFUSED(clrs_enqueue_materialize(library, mapped, CLRS_COPY_IF_NEEDED, &result, ON_QUEUE));
  REFUSED(clrs_enqueue_read(library, full, got, sizeof got, ON_QUEUE));
  REFUSED(clrs_enqueue_gather(library, full, &plain, to, ON_QUEUE));
  REFUSED(clrs_enqueue_gather(library, from, &followed, to, ON_QUEUE));
  REFUSED(clrs_enqueue_scatter(library, to, &plain, full, ON_QUEUE));
  assert_null(result);
  clrs_tensor *const all[] = {from, to, mapped, full_indices, plain_indices};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    clrs_tensor_release(all[i]);
}

/* The same of calls that take several tensors. */
static void expect_no_calls_of_several(const pools *p, clrs_tensor *full, cl_command_queue queue) {
  clrs_tensor *to = dense_u32(p, p->sink);
  const clrs_view *view = clrs_tensor_view(to);
  const clrs_task copy = {.destination = 1, .from = view, .to = view};
  const clrs_slot slots[] = {{.tensor = full}, {.tensor = to}};
  const clrs_batch_moves moves = {1, &full, &to};
  clrs_sequence *sequence = NULL;
  clrs_error error;
  CHECK_OK(clrs_sequence_create(p->library, &(clrs_tasks){2, 1, &copy}, &sequence, &error), error);
  REFUSED(clrs_enqueue_moves(p->library, &moves, ON_QUEUE));
  REFUSED(clrs_enqueue_concat(p->library, 1, &full, 0, to, ON_QUEUE));
  REFUSED(clrs_enqueue_sequence(sequence, slots, ON_QUEUE));
  clrs_sequence_release(sequence);
  clrs_tensor_release(to);
}

static void a_result_is_followed_on_sixteen_other_queues(void **state) {
  const pools *p = *state;
  static uint32_t got[COUNT];
  clrs_tensor *tensor = make(p, 0);
  cl_command_queue queues[17];
  clrs_error error;
  for (int i = 0; i < 17; i++)
    queues[i] = device_queue(&p->device, 0);
  for (int i = 0; i < 32; i++) /* each is told of twice */
    CHECK_OK(clrs_tensor_use_on(tensor, queues[i % 16], &error), error);
  device_write(&p->device, p->sink, sizeof got, p->elements[7]);
  CHECK_FAILS(clrs_tensor_use_on(tensor, queues[16], &error), CLRS_LIMIT_EXCEEDED, error);
  expect_no_calls(p, tensor, queues[16]);
  expect_no_calls_of_several(p, tensor, queues[16]);
  CL_OK(clFinish(queues[16]));
  device_read(&p->device, p->sink, sizeof got, got);
  assert_memory_equal(got, p->elements[7], sizeof got);
  CHECK_OK(clrs_tensor_use_on(tensor, p->queues[0], &error), error);
  clrs_tensor_release(tensor);
  clrs_context_trim_pool(p->library, 0);
  for (int i = 0; i < 17; i++)
    CL_OK(clReleaseCommandQueue(queues[i]));
}

static void a_caller_s_own_tensor_comes_from_the_pool_on_a_queue(void **state) {
  const pools *p = *state;
  const clrs_shape shape = {1, {COUNT}};
  clrs_tensor *tensor = make(p, 1), *mine = NULL, *plain = NULL;
  const cl_mem buffer = buffer_of(tensor);
  clrs_error error;
  clrs_tensor_release(tensor);
  CHECK_OK(clrs_tensor_allocate(p->library, CLRS_U32, &shape, &plain, &error), error);
  assert_ptr_not_equal(buffer_of(plain), buffer);
  CHECK_OK(clrs_tensor_allocate_on(p->library, p->queues[1], CLRS_U32, &shape, &mine, &error),
           error);
  assert_ptr_equal(buffer_of(mine), buffer);
  clrs_tensor_release(mine);
  clrs_tensor_release(plain);
}

int main(void) {
  const int missing = device_missing();
  if (missing)
    return missing;
  const struct CMUnitTest tests[] = {
      POOL_TEST(on_an_ordered_queue_they_come_back_at_once),
      POOL_TEST(a_view_of_a_result_keeps_its_bytes),
      POOL_TEST(strings_with_characters_keep_the_bytes_of_a_result),
      POOL_TEST(other_queues_wait_for_what_was_enqueued),
      POOL_TEST(what_has_ended_is_for_every_queue),
      POOL_TEST(a_batch_keeps_the_bytes_of_its_tensors),
      POOL_TEST(no_more_is_kept_than_the_limit),
      POOL_TEST(no_more_results_are_kept_than_there_is_room_for),
      POOL_TEST(a_buffer_s_end_may_ask_the_pool),
      POOL_TEST(a_newer_result_s_room_may_ask_the_pool),
      POOL_TEST(a_result_is_followed_on_sixteen_other_queues),
      POOL_TEST(a_caller_s_own_tensor_comes_from_the_pool_on_a_queue),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
