/*
 * A result of the library's own: made, written by a transpose, waited for and released, with the
 * pool of the context and without one, beside the same move into a destination that is there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "fail.h"
#include "latency_report.h"
#include "transfer.h"

enum { REPETITIONS = 51, SIZES = 2 };
enum { THERE, POOLED, NEW, KINDS };

typedef struct results {
  const bench_setup *setup;
  clrs_context *without; /* a pool */
  int64_t side;          /* of a square of f32 */
  float *values;
  cl_mem from, into;
  clrs_tensor *source[KINDS], *destination; /* sources: transposed, of the kind's context */
  double seconds[KINDS][REPETITIONS];
} results;

/* ---- what there is ---- */

static clrs_context *context_of(const results *run, int kind) {
  return kind == NEW ? run->without : run->setup->host.clreshape;
}

static clrs_status open_context(results *run, clrs_error *error) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  options.context = run->setup->host.context;
  options.device = run->setup->host.device;
  options.limits = clrs_context_limits(run->setup->host.clreshape);
  options.pool_bytes = 0;
  return clrs_context_create(&options, &run->without, error);
}

static clrs_status open_source(results *run, int kind, clrs_error *error) {
  const int64_t dims[] = {run->side, run->side};
  clrs_tensor *whole = NULL;
  clrs_chain swap;
  CLRS_TRY(clrs_chain_parse("permute=1,0", &swap, error));
  CLRS_TRY(
      clrs_tensor_wrap_dense(context_of(run, kind), run->from, CLRS_F32, 2, dims, &whole, error));
  const clrs_status status = clrs_tensor_with_chain(whole, &swap, NULL, &run->source[kind], error);
  clrs_tensor_release(whole);
  return status;
}

static clrs_status open_results(results *run, clrs_error *error) {
  const cli_host *host = &run->setup->host;
  const int64_t dims[] = {run->side, run->side};
  const size_t count = (size_t)run->side * (size_t)run->side;
  run->values = malloc(count * sizeof *run->values);
  if (run->values == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  for (size_t i = 0; i < count; i++) {
    run->values[i] = (float)i;
  }
  CLRS_TRY(open_context(run, error));
  CLRS_TRY(cli_host_buffer(host, count * sizeof(float), &run->from, error));
  CLRS_TRY(cli_host_buffer(host, count * sizeof(float), &run->into, error));
  CLRS_TRY(bench_write(run->setup, run->from, run->values, count * sizeof(float), error));
  CLRS_TRY(clrs_tensor_wrap_dense(host->clreshape, run->into, CLRS_F32, 2, dims, &run->destination,
                                  error));
  for (int kind = 0; kind < KINDS; kind++) {
    CLRS_TRY(open_source(run, kind, error));
  }
  return CLRS_OK;
}

static void close_results(results *run) {
  for (int kind = 0; kind < KINDS; kind++) {
    clrs_tensor_release(run->source[kind]);
  }
  clrs_tensor_release(run->destination);
  clrs_context_release(run->without);
  bench_release(run->from);
  bench_release(run->into);
  free(run->values);
}

/* ---- running ---- */

/* The result is the caller's; NULL of the kind that has a destination. */
static clrs_status run_once(const results *run, int kind, clrs_tensor **result, clrs_error *error) {
  clrs_context *context = context_of(run, kind);
  cl_command_queue queue = run->setup->host.queue;
  cl_event event = NULL;
  *result = NULL;
  CLRS_TRY(kind == THERE ? clrs_enqueue_move(context, run->source[kind], run->destination, queue, 0,
                                             NULL, &event, error)
                         : clrs_enqueue_materialize(context, run->source[kind], CLRS_COPY_ALWAYS,
                                                    result, queue, 0, NULL, &event, error));
  return cli_host_wait(event, "the move", error);
}

static clrs_status time_one(results *run, int kind, size_t repetition, clrs_error *error) {
  clrs_tensor *result = NULL;
  const double begin = bench_now();
  const clrs_status status = run_once(run, kind, &result, error);
  clrs_tensor_release(result);
  run->seconds[kind][repetition] = bench_now() - begin;
  return status;
}

static clrs_status compare(const results *run, clrs_error *error) {
  const size_t side = (size_t)run->side;
  for (size_t i = 0; i < side * side; i++) {
    const size_t from = i % side * side + i / side;
    const float want = (float)from;
    if (run->values[i] != want) {
      return clrs__fail(error, CLRS_OPENCL_ERROR, "element %zu of a result is %g, not %g", i,
                        (double)run->values[i], (double)want);
    }
  }
  return CLRS_OK;
}

static clrs_status check(results *run, int kind, clrs_error *error) {
  const size_t bytes = sizeof(float) * (size_t)run->side * (size_t)run->side;
  clrs_context *context = context_of(run, kind);
  clrs_tensor *result = NULL;
  cl_event event = NULL;
  CLRS_TRY(run_once(run, kind, &result, error));
  clrs_status status =
      clrs_enqueue_read(context, kind == THERE ? run->destination : result, run->values, bytes,
                        run->setup->host.queue, 0, NULL, &event, error);
  if (status == CLRS_OK) {
    status = cli_host_wait(event, "reading a result", error);
  }
  clrs_tensor_release(result);
  return status == CLRS_OK ? compare(run, error) : status;
}

static clrs_status run_results(results *run, clrs_error *error) {
  CLRS_TRY(open_results(run, error));
  for (size_t i = 0; i < REPETITIONS; i++) {
    for (size_t k = 0; k < KINDS; k++) {
      CLRS_TRY(time_one(run, (int)((i + k) % KINDS), i, error));
    }
  }
  for (int kind = 0; kind < KINDS; kind++) {
    CLRS_TRY(check(run, kind, error));
  }
  return CLRS_OK;
}

static void add_rows(results *run, size_t size, latency_report *report) {
  static const char *const names[SIZES][KINDS] = {
      {"small_into", "small_result", "small_new_result"},
      {"large_into", "large_result", "large_new_result"}};
  static const char *const what[SIZES][KINDS] = {
      {"256 KiB transposed into a buffer that is there, and wait",
       "the same into a result, from the pool", "likewise, without a pool"},
      {"64 MiB transposed into a buffer that is there, and wait",
       "the same into a result, from the pool", "likewise, without a pool"}};
  for (size_t kind = 0; kind < KINDS; kind++) {
    latency_add(report, names[size][kind], what[size][kind], REPETITIONS, run->seconds[kind]);
  }
}

static clrs_status measure(const bench_setup *setup, size_t size, latency_report *report,
                           clrs_error *error) {
  results *run = calloc(1, sizeof *run);
  if (run == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  run->setup = setup;
  run->side = size == 0 ? 256 : 4096;
  const clrs_status status = run_results(run, error);
  if (status == CLRS_OK) {
    add_rows(run, size, report);
  }
  clFinish(setup->host.queue); /* after a failure a command may still use the buffers */
  close_results(run);
  free(run);
  return status;
}

clrs_status latency_results(const bench_setup *setup, latency_report *report, clrs_error *error) {
  for (size_t size = 0; size < SIZES; size++) {
    CLRS_TRY(measure(setup, size, report, error));
  }
  return CLRS_OK;
}
