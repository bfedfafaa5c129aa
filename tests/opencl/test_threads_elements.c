/*
 * Eight threads on one library context, four with separate queues: maps, gathers, tensors lent
 * through DLPack and back, all of one shared tensor. The first run uses programs that the threads
 * have built. The second run uses imported programs that the threads build from binaries.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clreshape/clreshape.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/device.h"
#include "harness/rng.h"
#include "harness/works.h"

enum { THREADS = 8, REQUESTS = 60, ROWS = 37, COLUMNS = 50, COUNT = ROWS * COLUMNS, PICKED = 64 };

typedef struct shared {
  test_device device;
  clrs_context *library;
  clrs_tensor *source, *indices; /* [ROWS, COLUMNS] of U8, [PICKED] of I32 */
  unsigned char bytes[COUNT];
  cl_int rows[PICKED];
} shared;

typedef struct worker {
  shared *all;
  cl_command_queue queue;
  pthread_t thread;
  int number;
  int64_t requests;
  char failure[400]; /* empty: no failure. cmocka cannot fail from here */
} worker;

/* The result of a request, in a type of at most 4 bytes. */
typedef struct outcome {
  clrs_tensor *tensor;
  size_t size;
  unsigned char expected[4 * COUNT];
} outcome;

static void put(outcome *out, const void *value, size_t size) {
  memcpy(out->expected + out->size, value, size);
  out->size += size;
}

/* ---- requests ---- */

typedef clrs_status request(worker *w, outcome *out, clrs_error *error);

static clrs_status chain(worker *w, const char *text, outcome *out, clrs_error *error) {
  return clrs_enqueue_chain(w->all->source, text, CLRS_COPY_ALWAYS, NULL, &out->tensor,
                            ON(w->queue), NULL, error);
}

static clrs_status cast_turned(worker *w, outcome *out, clrs_error *error) {
  for (int k = 0; k < COUNT; k++) {
    const float value = w->all->bytes[k % ROWS * COLUMNS + k / ROWS];
    put(out, &value, sizeof value);
  }
  return chain(w, "permute=1,0 cast=f32", out, error);
}

static clrs_status unsigned_of(worker *w, outcome *out, clrs_error *error) {
  for (int k = 0; k < COUNT; k++) {
    const uint32_t value = w->all->bytes[k];
    put(out, &value, sizeof value);
  }
  return chain(w, "cast=u32", out, error);
}

static clrs_status widened(worker *w, outcome *out, clrs_error *error) {
  for (int k = 0; k < COUNT; k++) {
    const int16_t value = w->all->bytes[k / COLUMNS * COLUMNS + COLUMNS - 1 - k % COLUMNS];
    put(out, &value, sizeof value);
  }
  return chain(w, "flip=1 cast=i16", out, error);
}

/* The rows that the indices name, by a call or as a batch of a single task. */
static clrs_status gather(worker *w, bool in_batch, outcome *out, clrs_error *error) {
  const clrs_shape shape = {2, {PICKED, COLUMNS}};
  const clrs_indices indices = {.tensor = w->all->indices, .from_end = true}, *list = &indices;
  for (int k = 0; k < PICKED; k++) {
    const cl_int row = w->all->rows[k];
    put(out, w->all->bytes + (row < 0 ? row + ROWS : row) * COLUMNS, COLUMNS);
  }
  const clrs_status status =
      clrs_tensor_allocate(w->all->library, NULL, CLRS_U8, &shape, &out->tensor, error);
  const test_moves moves = {
      .count = 1, .sources = &w->all->source, .destinations = &out->tensor, .gathers = &list};
  return status != CLRS_OK ? status
         : in_batch        ? test_enqueue_moves(w->all->library, &moves, ON(w->queue), NULL, error)
                    : clrs_enqueue_gather(w->all->source, &indices, out->tensor, NULL, ON(w->queue),
                                          NULL, error);
}

static clrs_status gathered(worker *w, outcome *out, clrs_error *error) {
  return gather(w, false, out, error);
}

static clrs_status gathered_in_batch(worker *w, outcome *out, clrs_error *error) {
  return gather(w, true, out, error);
}

static clrs_status lent_and_turned(worker *w, outcome *out, clrs_error *error) {
  struct DLManagedTensorVersioned *managed = NULL;
  clrs_tensor *lent = NULL;
  for (int k = 0; k < COUNT; k++)
    put(out, w->all->bytes + k % ROWS * COLUMNS + k / ROWS, 1);
  clrs_status status = clrs_tensor_to_dlpack_versioned(w->all->source, 0, &managed, error);
  if (status == CLRS_OK)
    status = clrs_tensor_from_dlpack_versioned(w->all->library, managed, &lent, error);
  if (status == CLRS_OK)
    status = clrs_enqueue_chain(lent, "permute=1,0", CLRS_COPY_ALWAYS, NULL, &out->tensor,
                                ON(w->queue), NULL, error);
  clrs_tensor_release(lent);
  return status;
}

static request *const requests[] = {cast_turned,     gathered, unsigned_of,
                                    lent_and_turned, widened,  gathered_in_batch};
enum { KINDS = sizeof requests / sizeof requests[0] };

/* ---- threads ---- */

static void ask(worker *w, request *one) {
  outcome out = {.tensor = NULL};
  clrs_error error = {0};
  clrs_byte_range range;
  unsigned char got[sizeof out.expected];
  clrs_status status = one(w, &out, &error);
  if (status == CLRS_OK)
    status = clrs_tensor_bytes(out.tensor, &range, &error);
  if (status != CLRS_OK)
    (void)snprintf(w->failure, sizeof w->failure, "%.300s", error.message);
  else if (range.size != out.size ||
           clEnqueueReadBuffer(w->queue, range.buffer, CL_TRUE, range.offset, range.size, got, 0,
                               NULL, NULL) != CL_SUCCESS ||
           memcmp(got, out.expected, out.size) != 0)
    (void)snprintf(w->failure, sizeof w->failure, "wrong bytes, or the read failed");
  clrs_tensor_release(out.tensor);
}

static void *work(void *argument) {
  worker *w = argument;
  for (int64_t i = 0; i < w->requests && w->failure[0] == '\0'; i++)
    ask(w, requests[(i + w->number) % KINDS]);
  return NULL;
}

static void run_threads(shared *all) {
  static worker workers[THREADS];
  for (int t = 0; t < THREADS; t++) {
    workers[t] = (worker){.all = all, .number = t, .requests = test_cases(REQUESTS)};
    workers[t].queue = t < THREADS / 2 ? device_queue(&all->device, 0) : all->device.queue;
    assert_int_equal(pthread_create(&workers[t].thread, NULL, work, &workers[t]), 0);
  }
  for (int t = 0; t < THREADS; t++)
    assert_int_equal(pthread_join(workers[t].thread, NULL), 0);
  for (int t = 0; t < THREADS; t++) {
    if (workers[t].failure[0])
      fail_msg("thread %d: %s", t, workers[t].failure);
    if (t < THREADS / 2)
      CL_OK(clReleaseCommandQueue(workers[t].queue));
  }
}

/* ---- contexts ---- */

static clrs_tensor *wrap(shared *all, clrs_dtype dtype, const clrs_shape *shape, size_t size,
                         const void *bytes) {
  clrs_tensor *made = NULL;
  clrs_layout layout;
  clrs_error error;
  const clrs_storage storage = {device_buffer(&all->device, CL_MEM_READ_WRITE, size), 0};
  device_write(&all->device, storage.buffer, size, bytes);
  CHECK_OK(clrs_layout_init(dtype, shape, NULL, 0, &layout, &error), error);
  CHECK_OK(clrs_tensor_wrap(all->library, &storage, &layout, &made, &error), error);
  CL_OK(clReleaseMemObject(storage.buffer));
  return made;
}

/* Imports these programs at first, and exports the final programs. The caller frees the export. */
static void *share(shared *all, const void *programs, size_t *size) {
  void *blob = NULL;
  clrs_error error;
  all->library = device_library(&all->device, NULL);
  if (programs)
    CHECK_OK(clrs_context_import_programs(all->library, programs, *size, &error), error);
  const size_t before = clrs_context_program_count(all->library);
  all->source = wrap(all, CLRS_U8, &(clrs_shape){2, {ROWS, COLUMNS}}, COUNT, all->bytes);
  all->indices = wrap(all, CLRS_I32, &(clrs_shape){1, {PICKED}}, sizeof all->rows, all->rows);
  run_threads(all);
  const size_t after = clrs_context_program_count(all->library);
  assert_true(programs ? after == before : before == 0 && after >= KINDS - 1);
  CHECK_OK(clrs_context_export_programs(all->library, NULL, 0, size, &error), error);
  blob = malloc(*size);
  assert_non_null(blob);
  CHECK_OK(clrs_context_export_programs(all->library, blob, *size, size, &error), error);
  clrs_tensor_release(all->indices);
  clrs_tensor_release(all->source);
  clrs_context_release(all->library);
  return blob;
}

TEST(eight_threads_build_and_import) {
  static shared all;
  test_rng rng = rng_start(test_seed(77));
  size_t size = 0;
  device_open(&all.device);
  rng_fill(&rng, all.bytes, COUNT);
  for (int k = 0; k < PICKED; k++)
    all.rows[k] = (cl_int)rng_between(&rng, -ROWS, ROWS - 1);
  void *built = share(&all, NULL, &size);
  void *again = share(&all, built, &size);
  free(again);
  free(built);
  device_close(&all.device);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
