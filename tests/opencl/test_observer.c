/*
 * The observer: called once for every launch, with the bytes that all launches write together and a
 * separate event.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/device.h"

#include "harness/check.h"
#include "harness/works.h"

enum { BYTES = 1 << 16, MOST = 64 };

typedef struct log {
  size_t count;
  clrs_launched launches[MOST];
} log;

typedef struct watched {
  test_device device;
  cl_command_queue queue; /* with profiling */
  clrs_context *library;
  cl_mem source, destination;
  log log;
} watched;

static void note(void *user_data, const clrs_launched *launched) {
  log *to = user_data;
  assert_in_range(to->count, 0, MOST - 1);
  assert_non_null(launched->event);
  CL_OK(clRetainEvent(launched->event));
  to->launches[to->count++] = *launched;
}

static int open_watched(void **state) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  watched *w = calloc(1, sizeof *w);
  assert_non_null(w);
  device_open(&w->device);
  w->queue = device_queue(&w->device, CL_QUEUE_PROFILING_ENABLE);
  w->source = device_buffer(&w->device, CL_MEM_READ_WRITE, BYTES);
  w->destination = device_buffer(&w->device, CL_MEM_READ_WRITE, BYTES);
  options.context = w->device.context;
  options.device = w->device.device;
  options.observer = (clrs_observer){&w->log, note};
  CHECK_OK(clrs_context_create(&options, &w->library, &error), error);
  *state = w;
  return 0;
}

static void forget(watched *w) {
  for (size_t i = 0; i < w->log.count; i++)
    CL_OK(clReleaseEvent(w->log.launches[i].event));
  w->log.count = 0;
}

static int close_watched(void **state) {
  watched *w = *state;
  forget(w);
  clrs_context_release(w->library);
  CL_OK(clFinish(w->queue));
  CL_OK(clReleaseCommandQueue(w->queue));
  CL_OK(clReleaseMemObject(w->source));
  CL_OK(clReleaseMemObject(w->destination));
  device_close(&w->device);
  free(w);
  return 0;
}

static clrs_tensor *dense(const watched *w, cl_mem buffer, clrs_dtype dtype, size_t rank,
                          const int64_t *dims) {
  clrs_tensor *tensor = NULL;
  CHECK_OK(clrs_tensor_wrap_dense(w->library, buffer, dtype, rank, dims, &tensor, &error), error);
  return tensor;
}

/* Checks the reports of one call: numbers in order, events that a profiler can query, and the
 * bytes. With packed elements the last byte of each launch may be partial. */
static void check_call(watched *w, uint64_t bytes, size_t moves) {
  uint64_t written = 0;
  size_t carried = 0;
  CL_OK(clFinish(w->queue));
  assert_true(w->log.count > 0);
  for (size_t i = 0; i < w->log.count; i++) {
    const clrs_launched *launched = &w->log.launches[i];
    cl_ulong begin = 0, end = 0;
    assert_int_equal(launched->number, i);
    assert_int_equal(launched->count, w->log.count);
    assert_ptr_equal(launched->queue, w->queue);
    CL_OK(clGetEventProfilingInfo(launched->event, CL_PROFILING_COMMAND_START, sizeof begin, &begin,
                                  NULL));
    CL_OK(
        clGetEventProfilingInfo(launched->event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    assert_true(begin > 0 && begin <= end);
    written += launched->bytes_written;
    carried += launched->moves;
  }
  assert_in_range(written, bytes, bytes + w->log.count - 1);
  assert_in_range(carried, moves, moves + w->log.count - 1);
  forget(w);
}

/* ---- moves ---- */

typedef struct row {
  clrs_dtype dtype;
  size_t rank;
  int64_t dims[4];
  const char *chain;
  clrs_dtype result;
} row;

static const row rows[] = {
    {CLRS_F32, 2, {64, 48}, "permute=1,0", CLRS_F32},
    {CLRS_U8, 4, {2, 24, 20, 3}, "permute=0,3,1,2", CLRS_U8},
    {CLRS_F16, 3, {5, 30, 12}, "flip=2 slice=1:29", CLRS_F16},
    {CLRS_C128, 2, {7, 9}, "permute=1,0", CLRS_C128},
    {CLRS_U4, 2, {32, 48}, "permute=1,0", CLRS_U4},
    {CLRS_BITS1, 2, {9, 13}, "permute=1,0", CLRS_BITS1},
    {CLRS_F32, 2, {6, 4}, "permute=1,0 reshape=8,3 permute=1,0", CLRS_F32}, /* composed */
    {CLRS_F32, 2, {600, 24}, "permute=1,0 reshape=16,900 slice=1:15", CLRS_F32},
    {CLRS_U8, 3, {20, 30, 3}, "cast=f32 permute=2,0,1", CLRS_F32}};

#define FIXTURE_TEST(name) TEST_OF(watched, w, name, open_watched, close_watched)

FIXTURE_TEST(a_move_is_told) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const row *r = &rows[i];
    clrs_tensor *source = dense(w, w->source, r->dtype, r->rank, r->dims), *result = NULL;
    int64_t count = 1;
    CHECK_OK(clrs_enqueue_chain(source, r->chain, CLRS_COPY_ALWAYS, NULL, &result, ON(w->queue),
                                NULL, &error),
             error);
    const clrs_shape *shape = &clrs_tensor_view(result)->shape;
    for (uint32_t dim = 0; dim < shape->rank; dim++)
      count *= shape->dims[dim];
    check_call(w, ((uint64_t)count * clrs_dtype_bits(r->result) + 7) / 8, 1);
    clrs_tensor_release(source);
    clrs_tensor_release(result);
  }
}

/* The caller gets an event of the same command, and releases this event. The observer's event lives
 * on. */
FIXTURE_TEST(the_caller_has_an_event_all_the_same) {
  clrs_tensor *source = dense(w, w->source, CLRS_F32, 2, LIST(64, 48)), *result = NULL;
  cl_event event = NULL;
  CHECK_OK(clrs_enqueue_chain(source, "permute=1,0", CLRS_COPY_ALWAYS, NULL, &result, ON(w->queue),
                              &event, &error),
           error);
  assert_ptr_equal(event, w->log.launches[0].event);
  assert_int_equal(w->log.launches[0].launch.unit_bits, 32);
  assert_string_not_equal(w->log.launches[0].launch.kernel_class, "any");
  CL_OK(clWaitForEvents(1, &event));
  CL_OK(clReleaseEvent(event));
  check_call(w, 64 * 48 * 4, 1);
  clrs_tensor_release(source);
  clrs_tensor_release(result);
}

/* ---- several launches ---- */

FIXTURE_TEST(every_launch_of_a_pad_is_told) {
  const uint32_t border = 7;
  clrs_tensor *source = dense(w, w->source, CLRS_F32, 2, LIST(6, 4)), *result = NULL;
  CHECK_OK(clrs_enqueue_pad(
               source,
               &(clrs_padding){.begins = LIST(1, 2), .element = &border, .ends = LIST(3, 4)}, NULL,
               &result, ON(w->queue), NULL, &error),
           error);
  assert_int_equal(w->log.count, 5); /* four sides and the source */
  check_call(w, 10 * 10 * 4, 5);
  clrs_tensor_release(source);
  clrs_tensor_release(result);
}

FIXTURE_TEST(a_batch_says_how_many_moves_it_carries) {
  clrs_tensor *sources[12], *targets[12];
  for (int64_t i = 0; i < 12; i++) {
    const clrs_layout from = {CLRS_F32, 2, {8, 6}, {1, 8}, i * 48};
    const clrs_layout to = {CLRS_F32, 2, {8, 6}, {6, 1}, i * 48};
    CHECK_OK(
        clrs_tensor_wrap(w->library, &(clrs_storage){w->source, 0}, &from, &sources[i], &error),
        error);
    CHECK_OK(
        clrs_tensor_wrap(w->library, &(clrs_storage){w->destination, 0}, &to, &targets[i], &error),
        error);
  }
  CHECK_OK(test_enqueue_moves(
               w->library, &(test_moves){.count = 12, .sources = sources, .destinations = targets},
               ON(w->queue), NULL, &error),
           error);
  const size_t launches = device_shares_launches(w->device.device) ? 1 : 12;
  assert_int_equal(w->log.count, launches);
  assert_int_equal(w->log.launches[0].moves, 12 / launches);
  check_call(w, 12 * 48 * 4, 12);
  for (int i = 0; i < 12; i++) {
    clrs_tensor_release(sources[i]);
    clrs_tensor_release(targets[i]);
  }
}

FIXTURE_TEST(a_sequence_is_told_each_time) {
  const clrs_slot slots[] = {{.storage = {w->source, 0}}, {.storage = {w->destination, 0}}};
  const clrs_shape shape = {1, {100}};
  clrs_work *sequence = NULL;
  clrs_view view;
  CHECK_OK(clrs_view_dense(CLRS_F32, &shape, &view, &error), error);
  const test_task task = {.source = 0, .destination = 1, .from = &view, .to = &view};
  CHECK_OK(test_work_of_tasks(w->library, &(test_tasks){2, 1, &task}, &sequence, &error), error);
  for (int i = 0; i < 3; i++) {
    CHECK_OK(test_enqueue_slots(sequence, slots, ON(w->queue), NULL, &error), error);
    check_call(w, 400, 1);
  }
  clrs_work_release(sequence);
}

/* Plans for 64 other beginnings of slots take the place of the first plan. */
FIXTURE_TEST(a_warm_up_is_for_slots_at_whole_vectors) {
  clrs_slot slots[] = {{.storage = {w->source, 0}}, {.storage = {w->destination, 0}}};
  const clrs_shape shape = {1, {4096}};
  clrs_work *work = NULL;
  clrs_view view;
  CHECK_OK(clrs_view_dense(CLRS_U1, &shape, &view, &error), error);
  const test_task task = {.source = 0, .destination = 1, .from = &view, .to = &view};
  CHECK_OK(test_work_of_tasks(w->library, &(test_tasks){2, 1, &task}, &work, &error), error);
  CHECK_OK(clrs_work_warm_up(work, &error), error);
  const clrs_launch first = w->log.launches[0].launch;
  forget(w);
  for (int i = 0; i < 64; i++) {
    slots[0].advance = i % 8;
    slots[1].advance = i / 8;
    CHECK_OK(test_enqueue_slots(work, slots, ON(w->queue), NULL, &error), error);
    check_call(w, 512, 1);
  }
  CHECK_OK(clrs_work_warm_up(work, &error), error);
  assert_memory_equal(&w->log.launches[0].launch, &first, sizeof first);
  clrs_work_release(work);
}

/* An alias, and a move of nothing, launch nothing. */
FIXTURE_TEST(nothing_is_told_of_what_launches_nothing) {
  clrs_tensor *source = dense(w, w->source, CLRS_F32, 2, LIST(6, 4)), *result = NULL;
  clrs_tensor *empty = dense(w, NULL, CLRS_F32, 2, LIST(0, 4)), *nothing = NULL;
  CHECK_OK(clrs_enqueue_chain(source, "reshape=4,6", CLRS_COPY_NEVER, NULL, &result, ON(w->queue),
                              NULL, &error),
           error);
  CHECK_OK(
      clrs_enqueue_chain(empty, "", CLRS_COPY_ALWAYS, NULL, &nothing, ON(w->queue), NULL, &error),
      error);
  assert_int_equal(w->log.count, 0);
  clrs_tensor_release(source);
  clrs_tensor_release(result);
  clrs_tensor_release(empty);
  clrs_tensor_release(nothing);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
