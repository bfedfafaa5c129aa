/*
 * A decoding step: 64 new rows of [4,64] f32, each to its place in a cache of [4,256,64], at
 * another position every time. What the host spends on enqueuing them as kept work, beside OpenCL's
 * own copies and an empty kernel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include <clreshape/sequence.h>

#include "fail.h"
#include "latency_report.h"
#include "transfer.h"

enum { APPENDS = 64, HEADS = 4, LENGTH = 256, WIDTH = 64, REPETITIONS = 301 };
enum { ROW_COUNT = APPENDS * HEADS * WIDTH, CACHE_COUNT = ROW_COUNT * LENGTH };

/* What is enqueued in turn. */
enum { EMPTY, ONE_KEPT, ALL_KEPT, RECTANGLES, KINDS };

typedef struct appends {
  const bench_setup *setup;
  cl_kernel empty;
  float *values; /* of the rows, and then of the cache */
  cl_mem rows, cache;
  clrs_tensor *row_tensor, *cache_tensor; /* of the whole buffers: slots */
  clrs_sequence *one, *all;
  clrs_view from[APPENDS], to[APPENDS];
  clrs_task tasks[APPENDS];
  double seconds[KINDS][REPETITIONS];
} appends;

/* ---- what there is ---- */

static clrs_status open_buffers(appends *run, clrs_error *error) {
  const cli_host *host = &run->setup->host;
  const int64_t rows = ROW_COUNT, cache = CACHE_COUNT;
  CLRS_TRY(cli_host_buffer(host, ROW_COUNT * sizeof(float), &run->rows, error));
  CLRS_TRY(cli_host_buffer(host, CACHE_COUNT * sizeof(float), &run->cache, error));
  CLRS_TRY(clrs_tensor_wrap_dense(host->clreshape, run->rows, CLRS_F32, 1, &rows, &run->row_tensor,
                                  error));
  return clrs_tensor_wrap_dense(host->clreshape, run->cache, CLRS_F32, 1, &cache,
                                &run->cache_tensor, error);
}

static clrs_status view_of(int64_t offset, int64_t head_step, clrs_view *view, clrs_error *error) {
  const clrs_layout layout = {CLRS_F32, 2, {HEADS, WIDTH}, {head_step, 1}, offset};
  return clrs_view_from_layout(&layout, view, error);
}

static clrs_status open_sequences(appends *run, clrs_error *error) {
  clrs_context *context = run->setup->host.clreshape;
  const clrs_tasks one = {2, 1, run->tasks}, all = {2, APPENDS, run->tasks};
  for (int64_t i = 0; i < APPENDS; i++) {
    CLRS_TRY(view_of(i * HEADS * WIDTH, WIDTH, &run->from[i], error));
    CLRS_TRY(view_of(i * HEADS * LENGTH * WIDTH, (int64_t)LENGTH * WIDTH, &run->to[i], error));
    run->tasks[i] = (clrs_task){.destination = 1, .from = &run->from[i], .to = &run->to[i]};
  }
  CLRS_TRY(clrs_sequence_create(context, &one, &run->one, error));
  return clrs_sequence_create(context, &all, &run->all, error);
}

static clrs_status open_appends(appends *run, clrs_error *error) {
  run->values = calloc(CACHE_COUNT, sizeof *run->values);
  if (run->values == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  CLRS_TRY(open_buffers(run, error));
  CLRS_TRY(bench_write(run->setup, run->cache, run->values, CACHE_COUNT * sizeof(float), error));
  for (int i = 0; i < ROW_COUNT; i++) {
    run->values[i] = (float)(i + 1);
  }
  CLRS_TRY(bench_write(run->setup, run->rows, run->values, ROW_COUNT * sizeof(float), error));
  return open_sequences(run, error);
}

static void close_appends(appends *run) {
  clrs_sequence_release(run->one);
  clrs_sequence_release(run->all);
  clrs_tensor_release(run->row_tensor);
  clrs_tensor_release(run->cache_tensor);
  bench_release(run->rows);
  bench_release(run->cache);
  free(run->values);
}

/* ---- running ---- */

static cl_int copy_rectangles(const appends *run, size_t position) {
  const size_t row = WIDTH * sizeof(float), region[3] = {row, HEADS, 1};
  cl_int code = CL_SUCCESS;
  for (size_t i = 0; i < APPENDS && code == CL_SUCCESS; i++) {
    const size_t from[3] = {0, i * HEADS, 0};
    const size_t to[3] = {position * row, i * HEADS, 0};
    code = clEnqueueCopyBufferRect(run->setup->host.queue, run->rows, run->cache, from, to, region,
                                   row, 0, LENGTH * row, 0, 0, NULL, NULL);
  }
  return code;
}

static clrs_status start(const appends *run, int kind, size_t position, clrs_error *error) {
  const size_t one = 1;
  cl_command_queue queue = run->setup->host.queue;
  const clrs_slot slots[2] = {
      {.tensor = run->row_tensor},
      {.tensor = run->cache_tensor, .advance = (int64_t)(position * WIDTH)}};
  if (kind == ONE_KEPT || kind == ALL_KEPT) {
    return clrs_enqueue_sequence(kind == ONE_KEPT ? run->one : run->all, slots, queue, 0, NULL,
                                 NULL, error);
  }
  const cl_int code =
      kind == EMPTY ? clEnqueueNDRangeKernel(queue, run->empty, 1, NULL, &one, &one, 0, NULL, NULL)
                    : copy_rectangles(run, position);
  return code == CL_SUCCESS ? CLRS_OK : clrs__fail_opencl(error, code, "an enqueue call");
}

static clrs_status time_one(appends *run, int kind, size_t repetition, clrs_error *error) {
  const double begin = bench_now();
  CLRS_TRY(start(run, kind, repetition % LENGTH, error));
  run->seconds[kind][repetition] = bench_now() - begin;
  const cl_int code = clFinish(run->setup->host.queue);
  return code == CL_SUCCESS ? CLRS_OK : clrs__fail_opencl(error, code, "clFinish");
}

/* Of the rows that were put at every third position, those are there and the others not. */
static clrs_status check(appends *run, int kind, clrs_error *error) {
  cl_event event = NULL;
  memset(run->values, 0, CACHE_COUNT * sizeof *run->values);
  CLRS_TRY(bench_write(run->setup, run->cache, run->values, CACHE_COUNT * sizeof(float), error));
  for (size_t position = 0; position < LENGTH; position += 3) {
    CLRS_TRY(start(run, kind, position, error));
  }
  CLRS_TRY(clrs_enqueue_read(run->setup->host.clreshape, run->cache_tensor, run->values,
                             CACHE_COUNT * sizeof *run->values, run->setup->host.queue, 0, NULL,
                             &event, error));
  CLRS_TRY(cli_host_wait(event, "reading the caches", error));
  for (size_t i = 0; i < CACHE_COUNT; i++) {
    const size_t head = i / WIDTH / LENGTH, position = i / WIDTH % LENGTH;
    const float want = position % 3 == 0 ? (float)(head * WIDTH + i % WIDTH + 1) : 0;
    if (run->values[i] != want) {
      return clrs__fail(error, CLRS_OPENCL_ERROR, "element %zu of the caches is %g, not %g", i,
                        (double)run->values[i], (double)want);
    }
  }
  return CLRS_OK;
}

static clrs_status run_appends(appends *run, clrs_error *error) {
  CLRS_TRY(open_appends(run, error));
  CLRS_TRY(check(run, ALL_KEPT, error));
  CLRS_TRY(check(run, RECTANGLES, error));
  for (size_t i = 0; i < REPETITIONS; i++) {
    for (size_t k = 0; k < KINDS; k++) {
      CLRS_TRY(time_one(run, (int)((i + k) % KINDS), i, error));
    }
  }
  return CLRS_OK;
}

static void add_rows(appends *run, latency_report *report) {
  static const char *const names[KINDS] = {"empty_enqueue", "kept_enqueue", "appends_enqueue",
                                           "copies_enqueue"};
  static const char *const what[KINDS] = {
      "host time of launching an empty kernel", "of one kept move, at another place every time",
      "of 64 kept appends to caches, likewise", "of the same as 64 clEnqueueCopyBufferRect"};
  for (size_t kind = 0; kind < KINDS; kind++) {
    latency_add(report, names[kind], what[kind], REPETITIONS, run->seconds[kind]);
  }
}

clrs_status latency_appends(const bench_setup *setup, cl_kernel empty, latency_report *report,
                            clrs_error *error) {
  appends *run = calloc(1, sizeof *run);
  if (run == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  run->setup = setup;
  run->empty = empty;
  const clrs_status status = run_appends(run, error);
  if (status == CLRS_OK) {
    add_rows(run, report);
  }
  clFinish(setup->host.queue); /* after a failure a command may still use the buffers */
  close_appends(run);
  free(run);
  return status;
}
