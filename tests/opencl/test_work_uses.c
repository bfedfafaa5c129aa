/*
 * Uses of sequences: maps from slot to slot, appends to many caches as one launch, threads that
 * share a sequence.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/works.h"
#include <pthread.h>

#include "harness/tensors.h"
#include "harness/works.h"
#include "region.h"

/* ---- maps ---- */

typedef struct mapped_task {
  clrs_dtype from;
  clrs_shape shape;
  const char *chain;
} mapped_task;

static const mapped_task mapped_tasks[] = {
    {CLRS_U8, {3, {9, 7, 3}}, "cast=f32 mean=1,2,3 std=4,5,6 permute=2,0,1"},
    {CLRS_U4, {2, {6, 40}}, "dequantize=f16,0.5,3 permute=1,0"},
    {CLRS_F32, {2, {5, 17}}, "flip=1 quantize=u8,0.25,7"},
    {CLRS_F16, {1, {33}}, "bitcast=i16"},
    {CLRS_U8, {2, {0, 3}}, "cast=f32 mean=1,2,3"},
};

enum { MAPPED_BYTES = 4096, MAPPED_START = 512 };

/* The host's reference for the source, `advance` elements behind MAPPED_START. */
static void expect_mapped(const mapped_task *task, int64_t advance, const unsigned char *source,
                          unsigned char *expected) {
  const clrs_view view =
      view_strided(task->from, task->shape.rank, task->shape.dims, NULL, advance);
  const clrs_mapped mapped = mapped_after(&view, task->chain);
  const clrs_map_data data = {.source = {source + MAPPED_START, MAPPED_BYTES - MAPPED_START}};
  CHECK_OK(clrs_map_apply(&mapped.map, &mapped.views, &data, expected, MAPPED_BYTES, &error),
           error);
}

static clrs_work *sequence_of(clrs_context *library, const mapped_task *task, clrs_mapped *mapped) {
  clrs_view from, to;
  clrs_work *sequence = NULL;
  CHECK_OK(clrs_view_dense(task->from, &task->shape, &from, &error), error);
  *mapped = mapped_after(&from, task->chain);
  CHECK_OK(clrs_view_dense(mapped->dtype, &mapped->views.source.shape, &to, &error), error);
  const test_task one = {.destination = 1, .mapped = mapped, .to = &to};
  const test_tasks tasks = {2, 1, &one};
  CHECK_OK(test_work_of_tasks(library, &tasks, &sequence, &error), error);
  return sequence;
}

/* Both slots lie behind some bytes, and the elements behind some elements. */
static void run_mapped(const workshop *shop, clrs_context *library, const mapped_task *task) {
  static unsigned char source[MAPPED_BYTES], want[MAPPED_BYTES], got[MAPPED_BYTES],
      mapped_bytes[MAPPED_BYTES];
  clrs_mapped mapped;
  test_rng rng = rng_start(7);
  clrs_work *sequence = sequence_of(library, task, &mapped);
  cl_mem from = device_buffer(&shop->opencl, CL_MEM_READ_ONLY, MAPPED_BYTES),
         to = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, MAPPED_BYTES);
  const int64_t bits = clrs_dtype_bits(mapped.dtype);
  const size_t size = (size_t)(oracle_count(&mapped.views.source.shape) * bits / 8);
  rng_fill(&rng, source, sizeof source);
  device_write(&shop->opencl, from, MAPPED_BYTES, source);
  for (int64_t advance = 0; advance < 6; advance++) {
    const clrs_slot slots[2] = {{.storage = {from, MAPPED_START}, .advance = advance},
                                {.storage = {to, 64}, .advance = 5 - advance}};
    rng_fill(&rng, want, sizeof want);
    device_write(&shop->opencl, to, MAPPED_BYTES, want);
    CHECK_OK(test_enqueue_slots(sequence, slots, ON(shop->opencl.queue), NULL, &error), error);
    expect_mapped(task, advance, source, mapped_bytes);
    memcpy(want + 64 + (5 - advance) * bits / 8, mapped_bytes, size);
    device_read(&shop->opencl, to, MAPPED_BYTES, got);
    CHECK_SEEDED(memcmp(got, want, MAPPED_BYTES) == 0, (uint64_t)advance, "%s", task->chain);
  }
  CL_OK(clReleaseMemObject(from));
  CL_OK(clReleaseMemObject(to));
  clrs_work_release(sequence);
}

SHOP_TEST(maps_go_from_slot_to_slot) {
  for (size_t i = 0; i < sizeof mapped_tasks / sizeof *mapped_tasks; i++)
    for (size_t library = 1; library < 3; library++)
      run_mapped(shop, shop->libraries[library], &mapped_tasks[i]);
}

enum { HALF = 31 }; /* half of the axes of a view of 62 axes */

/* The lower half of the bits of a number backwards, before or behind the upper half. */
static void turn_lower_half(clrs_view *view, bool before) {
  clrs_shape cut = {.rank = HALF + 1, .dims = {(int64_t)1 << HALF}};
  int64_t order[HALF + 1] = {0};
  for (int i = 1; i <= HALF; i++) {
    cut.dims[i] = 2;
    order[before ? i - 1 : i] = HALF + 1 - i;
  }
  order[before ? HALF : 0] = 0;
  CHECK_OK(clrs_view_reshape(view, &cut, &error), error);
  CHECK_OK(clrs_view_permute(view, HALF + 1, order, &error), error);
}

/* More bits than any memory has. Only a sequence, which has no buffers yet, can be asked for such a
 * view: the bits of a position backwards, so that no two axes merge. */
SHOP_TEST(a_map_of_too_many_axes_is_refused) {
  const clrs_shape all = {1, {(int64_t)1 << 2 * HALF}};
  const double one = 1;
  clrs_view from, to;
  clrs_map map;
  clrs_mapped mapped;
  clrs_work *sequence = NULL;
  CHECK_OK(clrs_view_dense(CLRS_U1, &all, &from, &error), error);
  turn_lower_half(&from, true);
  turn_lower_half(&from, false);
  CHECK_OK(clrs_view_dense(CLRS_U1, &from.shape, &to, &error), error);
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_U1, CLRS_U1, &map, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD, CLRS_F32, &(clrs_numbers){1, &one, {0}}, &error),
           error);
  CHECK_OK(clrs_map_round(&map, CLRS_U1, CLRS_ROUND_EVEN, CLRS_OVERFLOW_SATURATE, &error), error);
  CHECK_OK(clrs_mapped_init(&from, &mapped, &error), error);
  CHECK_OK(clrs_mapped_then(&mapped, &map, NULL, &error), error);
  const test_task task = {.destination = 1, .mapped = &mapped, .to = &to};
  const test_tasks tasks = {2, 1, &task};
  CHECK_FAILS(test_work_of_tasks(shop->libraries[0], &tasks, &sequence, &error),
              CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "the mapped move has 62 axes; the limit is 61");
  assert_null(sequence);
}

/* ---- how many launches ---- */

enum { COLUMNS = 8 };

/* Appends to `count` caches: rows of `columns` f32, `length` rows apart. */
static void appends(const workshop *shop, size_t count, size_t launches) {
  enum { ROWS = 4, LENGTH = 16 };
  test_task *tasks = calloc(count, sizeof *tasks);
  clrs_view *views = calloc(2 * count, sizeof *views);
  clrs_work *sequence = NULL;
  assert_true(tasks && views);
  for (size_t i = 0; i < count; i++) {
    const int64_t at = (int64_t)i * ROWS * COLUMNS;
    views[2 * i] = view_strided(CLRS_F32, 2, (const int64_t[]){ROWS, COLUMNS}, NULL, at);
    views[2 * i + 1] = view_strided(CLRS_F32, 2, (const int64_t[]){ROWS, COLUMNS},
                                    (const int64_t[]){LENGTH * COLUMNS, 1}, at * LENGTH);
    tasks[i] = (test_task){.destination = 1, .from = &views[2 * i], .to = &views[2 * i + 1]};
  }
  const test_tasks all = {2, count, tasks};
  CHECK_OK(test_work_of_tasks(shop->libraries[0], &all, &sequence, &error), error);
  assert_int_equal(clrs_work_launches(sequence), launches);
  clrs_work_release(sequence);
  free(tasks);
  free(views);
}

TEST(appends_are_one_launch) {
  const workshop *shop = *state;
  appends(shop, 0, 0);
  appends(shop, 1, 1);
  appends(shop, 64, device_shares_launches(shop->opencl.device) ? 1 : 64);
}

/* ---- threads ---- */

enum { THREADS = 4, TURNS = 40, ROOM = TURNS * COLUMNS * (int)sizeof(float) };

typedef struct appender {
  const workshop *shop;
  clrs_work *sequence;
  cl_command_queue queue;
  cl_mem row, cache;
  pthread_t thread;
  bool failed;
} appender;

/* Appends a separate row to each place of a separate cache. */
static void *append_rows(void *of) {
  appender *self = of;
  for (int64_t turn = 0; turn < TURNS; turn++) {
    const clrs_slot slots[2] = {{.storage = {self->row, 0}},
                                {.storage = {self->cache, 0}, .advance = turn * COLUMNS}};
    self->failed = self->failed || test_enqueue_slots(self->sequence, slots, ON(self->queue), NULL,
                                                      NULL) != CLRS_OK;
  }
  self->failed = self->failed || clFinish(self->queue) != CL_SUCCESS;
  return NULL;
}

static void require_rows(const appender *of, float value) {
  float got[TURNS * COLUMNS];
  device_read(&of->shop->opencl, of->cache, ROOM, got);
  assert_false(of->failed);
  for (size_t i = 0; i < TURNS * COLUMNS; i++)
    assert_true(got[i] == value);
}

SHOP_TEST(threads_share_a_sequence) {
  const clrs_view row = view_strided(CLRS_F32, 1, (const int64_t[]){COLUMNS}, NULL, 0);
  const test_task task = {.destination = 1, .from = &row, .to = &row};
  const test_tasks tasks = {2, 1, &task};
  appender appenders[THREADS] = {{NULL}};
  clrs_work *sequence = NULL;
  CHECK_OK(test_work_of_tasks(shop->libraries[0], &tasks, &sequence, &error), error);
  for (size_t i = 0; i < THREADS; i++) {
    const size_t bytes = COLUMNS * sizeof(float);
    float values[COLUMNS];
    for (size_t k = 0; k < COLUMNS; k++)
      values[k] = (float)(i + 1);
    appenders[i] = (appender){.shop = shop,
                              .sequence = sequence,
                              .queue = device_queue(&shop->opencl, 0),
                              .row = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, bytes),
                              .cache = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, ROOM)};
    device_write(&shop->opencl, appenders[i].row, bytes, values);
    assert_int_equal(pthread_create(&appenders[i].thread, NULL, append_rows, &appenders[i]), 0);
  }
  for (size_t i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(appenders[i].thread, NULL), 0);
    require_rows(&appenders[i], (float)(i + 1));
    CL_OK(clReleaseMemObject(appenders[i].row));
    CL_OK(clReleaseMemObject(appenders[i].cache));
    CL_OK(clReleaseCommandQueue(appenders[i].queue));
  }
  clrs_work_release(sequence);
}

TESTS_UNLESS(device_missing(), workshop_open, workshop_close)
