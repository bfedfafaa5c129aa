/*
 * One library context used by eight threads at once, four with separate queues and four with a
 * shared queue. Every result is compared. Then aliases of one tensor, made and released by eight
 * threads: each alias must belong to a single thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/bits.h"
#include "harness/chain.h"
#include "harness/tensors.h"

enum { THREADS = 8, REQUESTS = 500, BYTES = 1 << 14 };

static const clrs_dtype dtypes[] = {CLRS_BITS1, CLRS_U4, CLRS_I8, CLRS_F16, CLRS_F32, CLRS_C128};

typedef struct shared {
  test_device device;
  clrs_context *library;
  cl_mem source;
  unsigned char bytes[BYTES];
} shared;

typedef struct worker {
  shared *all;
  cl_command_queue queue;
  uint64_t seed;
  int64_t requests;
  int64_t launched;
  char failure[400]; /* empty: no failure. cmocka cannot fail from here */
} worker;

/* Makes the chain's view of the shared source. Returns NULL, with the failure, on error. */
static clrs_tensor *draw_source(worker *w, test_rng *rng, oracle *expected) {
  const layout_wish wish = {4, 9, 250, 0, true};
  const clrs_dtype dtype = dtypes[rng_between(rng, 0, sizeof dtypes / sizeof dtypes[0] - 1)];
  clrs_layout layout;
  do
    layout = layout_random(rng, dtype, &wish, rng_between(rng, 0, 9));
  while (layout.offset > 800);
  clrs_error error = {0};
  clrs_tensor *whole = NULL, *viewed = NULL;
  const clrs_storage storage = {w->all->source, 0};
  *expected = oracle_from_layout(&layout);
  clrs_status status = clrs_tensor_wrap(w->all->library, &storage, &layout, &whole, &error);
  if (status == CLRS_OK) {
    clrs_view view = *clrs_tensor_view(whole);
    for (int i = 0; i < 3 && status == CLRS_OK; i++) {
      const move step = move_random(rng, &view.shape, 400);
      status = move_apply_view(&step, &view, &error);
      move_apply_oracle(&step, expected);
    }
    if (status == CLRS_OK)
      status = clrs_tensor_with_view(whole, &view, &viewed, &error);
  }
  clrs_tensor_release(whole);
  if (status == CLRS_OUT_OF_BOUNDS) /* the layout was larger than the buffer */
    return NULL;
  if (status != CLRS_OK)
    (void)snprintf(w->failure, sizeof w->failure, "view: %.300s", error.message);
  return viewed;
}

static void compare(worker *w, const clrs_tensor *result, const oracle *expected) {
  const bit_span span = bits_of(clrs_tensor_view(result)->dtype, 0);
  unsigned char got[BYTES], wanted[BYTES];
  const size_t size = (size_t)bits_end(&span, expected->count - 1);
  const cl_mem buffer = clrs_tensor_storage(result).buffer;
  const cl_int code = clEnqueueReadBuffer(w->queue, buffer, CL_TRUE, 0, size, got, 0, NULL, NULL);
  memcpy(wanted, got, size); /* bits behind the last element are nobody's */
  for (int64_t k = 0; k < expected->count; k++)
    bits_copy(&span, w->all->bytes, expected->positions[k], &span, wanted, k);
  if (code != CL_SUCCESS || memcmp(got, wanted, size) != 0)
    (void)snprintf(w->failure, sizeof w->failure, "wrong result, or read failed: %d", (int)code);
}

static void request(worker *w, test_rng *rng) {
  oracle expected;
  clrs_error error = {0};
  clrs_tensor *result = NULL;
  cl_event event = NULL;
  clrs_tensor *source = draw_source(w, rng, &expected);
  if (source && expected.count > 0) {
    const clrs_status status = clrs_enqueue_chain(source, "", CLRS_COPY_ALWAYS, NULL, &result,
                                                  ON(w->queue), &event, &error);
    if (status != CLRS_OK) {
      (void)snprintf(w->failure, sizeof w->failure, "enqueue: %.300s", error.message);
    } else {
      if (clWaitForEvents(1, &event) != CL_SUCCESS)
        (void)snprintf(w->failure, sizeof w->failure, "the event failed");
      (void)clReleaseEvent(event);
      compare(w, result, &expected);
      w->launched++;
    }
  }
  clrs_tensor_release(result);
  clrs_tensor_release(source);
  oracle_free(&expected);
}

static void *work(void *argument) {
  worker *w = argument;
  for (int64_t i = 0; i < w->requests && w->failure[0] == '\0'; i++) {
    test_rng rng = rng_start(w->seed + (uint64_t)i);
    request(w, &rng);
  }
  return NULL;
}

/* A library context with the default pool: released results lend bytes to results of other
 * threads. */
static clrs_context *library_with_pool(const test_device *device) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  clrs_context *library = NULL;
  clrs_error error;
  options.context = device->context;
  options.device = device->device;
  CHECK_OK(clrs_context_create(&options, &library, &error), error);
  return library;
}

static void share_one_context(bool has_pool) {
  static shared all;
  static worker workers[THREADS];
  pthread_t threads[THREADS];
  test_rng rng = rng_start(test_seed(4242));
  device_open(&all.device);
  all.library = has_pool ? library_with_pool(&all.device) : device_library(&all.device, NULL);
  all.source = device_buffer(&all.device, CL_MEM_READ_ONLY, BYTES);
  rng_fill(&rng, all.bytes, BYTES);
  device_write(&all.device, all.source, BYTES, all.bytes);
  for (int t = 0; t < THREADS; t++) {
    workers[t] = (worker){.all = &all, .seed = test_seed(4242) + (uint64_t)t * 100000};
    workers[t].requests = test_cases(REQUESTS);
    workers[t].queue = t < THREADS / 2 ? device_queue(&all.device, 0) : all.device.queue;
    assert_int_equal(pthread_create(&threads[t], NULL, work, &workers[t]), 0);
  }
  int64_t launched = 0;
  for (int t = 0; t < THREADS; t++) {
    assert_int_equal(pthread_join(threads[t], NULL), 0);
    launched += workers[t].launched;
  }
  for (int t = 0; t < THREADS; t++) {
    if (workers[t].failure[0])
      fail_msg("thread %d: %s", t, workers[t].failure);
    if (t < THREADS / 2)
      CL_OK(clReleaseCommandQueue(workers[t].queue));
  }
  print_message("%lld results, %zu programs\n", (long long)launched,
                clrs_context_program_count(all.library));
  assert_true(launched * 10 > THREADS * test_cases(REQUESTS) * 8);
  assert_true((clrs_context_pool(all.library).reused > 0) == has_pool);
  clrs_context_release(all.library);
  device_require_references(all.source, 1);
  CL_OK(clReleaseMemObject(all.source));
  device_close(&all.device);
}

TEST(eight_threads_share_one_context) {
  share_one_context(false);
}

TEST(eight_threads_share_one_pool) {
  share_one_context(true);
}

/* ---- aliases of one tensor ---- */

enum { KEPT = 3, ALIASES = 20000 };

typedef struct aliaser {
  clrs_context *library;
  clrs_tensor *whole; /* 2 to the 12th elements, shared */
  cl_command_queue queue;
  uint32_t rank; /* rank of this thread's views */
  int64_t aliases;
  char failure[400];
} aliaser;

/* The rank identifies the thread, and the place of the 2 identifies the alias within the thread. */
static void alias(aliaser *a, int64_t number, clrs_tensor **made) {
  clrs_error error = {0};
  clrs_pattern pattern = {.dialect = CLRS_ONNX, .length = a->rank + 1};
  for (uint32_t dim = 0; dim < a->rank; dim++)
    pattern.values[dim] = 1;
  pattern.values[number % a->rank] = 2;
  pattern.values[a->rank] = -1;
  if (clrs_enqueue_reshape(a->whole, &pattern, CLRS_COPY_NEVER, made, ON(a->queue), NULL, &error) !=
      CLRS_OK)
    (void)snprintf(a->failure, sizeof a->failure, "reshape: %.300s", error.message);
}

static bool is_mine(const aliaser *a, int64_t number, const clrs_tensor *made) {
  const clrs_view *view = clrs_tensor_view(made);
  bool mine = view->shape.rank == a->rank + 1 && view->shape.dims[a->rank] == 1 << 11;
  for (uint32_t dim = 0; mine && dim < a->rank; dim++)
    mine = view->shape.dims[dim] == (dim == (uint32_t)(number % a->rank) ? 2 : 1);
  return mine;
}

static void *make_aliases(void *argument) {
  aliaser *a = argument;
  clrs_tensor *kept[KEPT] = {NULL};
  for (int64_t i = 0; i < a->aliases && a->failure[0] == '\0'; i++) {
    clrs_tensor **slot = &kept[i % KEPT];
    if (*slot && !is_mine(a, i - KEPT, *slot))
      (void)snprintf(a->failure, sizeof a->failure, "view %lld is another's", (long long)i - KEPT);
    clrs_tensor_release(*slot);
    *slot = NULL;
    alias(a, i, slot);
  }
  for (int i = 0; i < KEPT; i++)
    clrs_tensor_release(kept[i]);
  return NULL;
}

TEST(eight_threads_alias_one_tensor) {
  static aliaser aliasers[THREADS];
  pthread_t threads[THREADS];
  test_device device;
  clrs_tensor *whole = NULL;
  const clrs_shape shape = {1, {1 << 12}};
  device_open(&device);
  clrs_context *library = device_library(&device, NULL);
  CHECK_OK(clrs_tensor_allocate(library, NULL, CLRS_U8, &shape, &whole, &error), error);
  for (int t = 0; t < THREADS; t++) {
    aliasers[t] = (aliaser){library, whole, device.queue, (uint32_t)t + 2, test_cases(ALIASES), ""};
    assert_int_equal(pthread_create(&threads[t], NULL, make_aliases, &aliasers[t]), 0);
  }
  for (int t = 0; t < THREADS; t++)
    assert_int_equal(pthread_join(threads[t], NULL), 0);
  for (int t = 0; t < THREADS; t++) {
    if (aliasers[t].failure[0])
      fail_msg("thread %d: %s", t, aliasers[t].failure);
  }
  clrs_tensor_release(whole);
  clrs_context_release(library);
  device_close(&device);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
