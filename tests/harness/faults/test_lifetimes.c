/*
 * Sequences of 64 random actions on tensors that overlap in one buffer: moves, fills and copies, on
 * views in the root and in sub-buffers. Tensors, queues, library contexts and events are released
 * in random order, with work still in flight. After each sequence the whole buffer is compared with
 * a shadow copy from the oracle. This detects a byte written outside a view but inside the buffer,
 * which no other tool detects. At the end of the process the fault layer reports live objects. That
 * nothing is left alive, the fault layer says at the end of the process.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/bits.h"
#include "harness/driver_defects.h"
#include "harness/fault_layer.h"
#include "harness/rng.h"
#include "harness/tensors.h"
#include "opencl/api.h"

enum { ACTIONS = 64, TENSORS = 8, WHOLE = API_BYTES };

static fault_layer layer;

typedef struct slot {
  clrs_tensor *tensor; /* NULL: free */
  uint64_t begin;      /* byte offset of the storage in the root */
  clrs_layout layout;
} slot;

typedef struct world {
  const api *a;
  test_rng rng;
  uint64_t seed;
  clrs_context *library;
  cl_command_queue queue; /* in order, so that the shadow needs no events */
  cl_event last;          /* event of the last command, or NULL */
  slot slots[TENSORS];
  bool root_only;
  unsigned char shadow[WHOLE];
  int done, refused;
} world;

/* ---- making and dropping ---- */

/* All sequences share a context, because a new context would build the kernels again. */
static void share_library(world *w) {
  w->library = w->a->library;
  clrs_context_retain(w->library);
}

/* Creates a new queue after the old queue has finished. */
static void renew_queue(world *w) {
  if (w->last)
    CL_OK(clWaitForEvents(1, &w->last));
  CL_OK(clReleaseCommandQueue(w->queue));
  w->queue = device_queue(&w->a->device, 0);
}

static void drop(world *w, slot *s) {
  (void)w;
  clrs_tensor_release(s->tensor);
  s->tensor = NULL;
}

/* All tensors belong to the library context, and retain the parts of the context that tensors
 * need. */
static void renew_library(world *w) {
  for (int i = 0; i < TENSORS; i++)
    drop(w, &w->slots[i]);
  clrs_context_release(w->library);
  w->library = device_library(&w->a->device, NULL);
}

/* A sub-buffer of the root, or the root itself. The tensor retains the buffer. On a driver that
 * does not allow the release of sub-buffers with work in flight, always the root. */
static cl_mem storage_buffer(world *w, uint64_t *begin) {
  const size_t origin = (size_t)rng_between(&w->rng, 0, 15) * 128;
  *begin = 0;
  if (rng_percent(&w->rng, 50) || w->root_only) {
    CL_OK(clRetainMemObject(w->a->destination));
    return w->a->destination;
  }
  *begin = origin;
  return api_sub_buffer(w->a->destination, CL_MEM_READ_WRITE, origin, WHOLE / 2);
}

static void make(world *w, slot *s) {
  static const clrs_dtype dtypes[] = {CLRS_BITS1, CLRS_U4, CLRS_U8, CLRS_F16, CLRS_F32};
  static const layout_wish wish = {4, 8, 200, 5, false};
  clrs_error error = {0};
  if (s->tensor)
    drop(w, s);
  const clrs_dtype dtype = dtypes[rng_between(&w->rng, 0, 4)];
  s->layout = layout_random(&w->rng, dtype, &wish, rng_between(&w->rng, 0, 40));
  cl_mem buffer = storage_buffer(w, &s->begin);
  const clrs_storage storage = {buffer, 0};
  const clrs_status status = clrs_tensor_wrap(w->library, &storage, &s->layout, &s->tensor, &error);
  CHECK_SEEDED(status == CLRS_OK || status == CLRS_OUT_OF_BOUNDS, w->seed, "%s", error.message);
  CL_OK(clReleaseMemObject(buffer));
}

/* ---- work ---- */

static bit_span span_of(const slot *s) {
  return bits_of(s->layout.dtype, s->begin);
}

static void keep_event(world *w, cl_event event) {
  if (w->last)
    CL_OK(clReleaseEvent(w->last)); /* perhaps before the command has run */
  w->last = event;
}

static void fill(world *w, slot *s) {
  const unsigned char element[16] = {(unsigned char)rng_next(&w->rng), 0x5A, 0xC3, 0x0F};
  cl_event event = NULL;
  clrs_error error = {0};
  const clrs_status status = clrs_enqueue_fill(s->tensor, element, ON(w->queue), &event, &error);
  CHECK_SEEDED(status == CLRS_OK, w->seed, "fill: %s", error.message);
  const bit_span from = bits_of(s->layout.dtype, 0), to = span_of(s);
  oracle where = oracle_from_layout(&s->layout);
  for (int64_t k = 0; k < where.count; k++)
    bits_copy(&from, element, 0, &to, w->shadow, where.positions[k]);
  oracle_free(&where);
  keep_event(w, event);
  w->done++;
}

/* Do elements share a byte? Tries all pairs. */
static bool share_bytes(const slot *a, const slot *b) {
  static unsigned char touched[WHOLE * 2];
  const slot *both[] = {a, b};
  bool shared = false;
  memset(touched, 0, sizeof touched);
  for (int which = 0; which < 2; which++) {
    const slot *s = both[which];
    const bit_span span = span_of(s);
    oracle where = oracle_from_layout(&s->layout);
    for (int64_t k = 0; k < where.count; k++) {
      const uint64_t first = s->begin + (uint64_t)where.positions[k] * span.width / 8;
      for (uint64_t at = first; at < first + (span.width < 8 ? 1 : span.width / 8); at++) {
        shared = shared || (which == 1 && touched[at]);
        touched[at] = which == 0 ? 1 : touched[at];
      }
    }
    oracle_free(&where);
  }
  return shared;
}

/* Moves into a new tensor of the same shape and type. If the two overlap, the library must report
 * the overlap and write nothing, else the shadow follows. */
static void move_to(world *w, slot *from, slot *to) {
  clrs_error error = {0};
  cl_event event = NULL;
  clrs_shape shape = {.rank = from->layout.rank};
  memcpy(shape.dims, from->layout.dims, sizeof shape.dims);
  drop(w, to);
  to->layout = layout_random_of_shape(&w->rng, from->layout.dtype, &shape, false,
                                      rng_between(&w->rng, 0, 900));
  cl_mem buffer = storage_buffer(w, &to->begin);
  const clrs_storage storage = {buffer, 0};
  clrs_status status = clrs_tensor_wrap(w->library, &storage, &to->layout, &to->tensor, &error);
  CL_OK(clReleaseMemObject(buffer));
  if (status != CLRS_OK)
    return;
  status = clrs_enqueue_move(from->tensor, to->tensor, ON(w->queue), &event, &error);
  if (status == CLRS_OVERLAP) {
    CHECK_SEEDED(share_bytes(from, to) || from->layout.dtype == CLRS_BITS1 ||
                     from->layout.dtype == CLRS_U4,
                 w->seed, "no overlap: %s", error.message);
    w->refused++;
    return;
  }
  CHECK_SEEDED(status == CLRS_OK, w->seed, "move: %s", error.message);
  CHECK_SEEDED(!share_bytes(from, to), w->seed, "overlap not seen");
  const bit_span source_span = span_of(from), target_span = span_of(to);
  oracle source = oracle_from_layout(&from->layout), target = oracle_from_layout(&to->layout);
  bits_move(&source_span, w->shadow, &source, &target_span, w->shadow, &target);
  oracle_free(&source);
  oracle_free(&target);
  keep_event(w, event);
  w->done++;
}

/* Makes a copy and drops the copy at once, with the command still in flight. */
static void copy_and_forget(world *w, slot *s) {
  clrs_error error = {0};
  clrs_tensor *result = NULL;
  const clrs_status status = clrs_enqueue_chain(s->tensor, "", CLRS_COPY_ALWAYS, NULL, &result,
                                                ON(w->queue), NULL, &error);
  CHECK_SEEDED(status == CLRS_OK, w->seed, "copy: %s", error.message);
  clrs_tensor_release(result);
  w->done++;
}

static void act(world *w) {
  slot *s = &w->slots[rng_between(&w->rng, 0, TENSORS - 1)];
  slot *other = &w->slots[rng_between(&w->rng, 0, TENSORS - 1)];
  const int64_t what = rng_between(&w->rng, 0, 99);
  if (!s->tensor || what < 10)
    make(w, s);
  else if (what < 30)
    fill(w, s);
  else if (what < 80 && other != s)
    move_to(w, s, other);
  else if (what < 90)
    copy_and_forget(w, s);
  else if (what < 96)
    drop(w, s);
  else if (what < 99)
    renew_queue(w);
  else if (rng_percent(&w->rng, 10))
    renew_library(w);
}

/* ---- a sequence ---- */

static void require_shadow(const world *w) {
  unsigned char got[WHOLE];
  size_t at = 0;
  device_read(&w->a->device, w->a->destination, WHOLE, got);
  while (at < WHOLE && got[at] == w->shadow[at])
    at++;
  CHECK_SEEDED(at == WHOLE, w->seed, "byte %zu is wrong after %d commands", at, w->done);
}

static void run_sequence(const api *a, uint64_t seed, int *done, int *refused) {
  static world w;
  w = (world){.a = a, .rng = rng_start(seed), .seed = seed, .queue = device_queue(&a->device, 0)};
  w.root_only = driver_has_defect(a->device.device, DEFECT_SUB_BUFFER_RELEASE);
  rng_fill(&w.rng, w.shadow, WHOLE);
  device_write(&a->device, a->destination, WHOLE, w.shadow);
  share_library(&w);
  for (int i = 0; i < ACTIONS; i++)
    act(&w);
  for (int i = 0; i < TENSORS; i++)
    drop(&w, &w.slots[i]);
  clrs_context_release(w.library);
  CL_OK(clFinish(w.queue));
  if (w.last)
    device_finish_event(w.last);
  CL_OK(clReleaseCommandQueue(w.queue));
  require_shadow(&w);
  *done += w.done;
  *refused += w.refused;
}

API_TEST(random_actions_on_overlapping_views) {
  const uint64_t seed = test_seed(640000);
  const int64_t cases = test_cases(100);
  int done = 0, refused = 0;
  for (int64_t i = 0; i < cases; i++)
    run_sequence(*state, seed + (uint64_t)i, &done, &refused);
  print_message("%lld sequences, %d commands, %d overlaps refused\n", (long long)cases, done,
                refused);
  assert_true(cases < 50 || (done > cases * 10 && refused > cases));
}

TESTS_UNLESS(device_and_layer_missing(&layer), NULL, NULL)
