/*
 * A thousand transposes of 64 x 64 f32, 16 KiB each, that follow each other in two buffers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "latency_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batches.h"
#include "fail.h"
#include "sets.h"

enum { MOVES = 1000, SIDE = 64, REPETITIONS = 15 };

/* What runs in turn. */
enum { PREPARED, AT_ONCE, ONE_BY_ONE, COPY_BUFFER, COPY_KERNEL, KINDS };

typedef struct thousand {
  const bench_setup *setup;
  char line[64]; /* of the case, which reading cuts */
  bench_case given;
  bench_sets sets;
  bench_moves moves;
  clrs_batch *batch;
  clrs_tensor *copy_source, *copy_destination;
  double seconds[KINDS][REPETITIONS], device[REPETITIONS];
} thousand;

/* ---- the moves ---- */

static clrs_status open_moves(thousand *run, clrs_error *error) {
  clrs_tensor *source = NULL, *destination = NULL;
  clrs_status status = bench_sets_wrap(&run->sets, 0, &source, &destination, error);
  if (status == CLRS_OK) {
    status = bench_moves_open(source, destination, &run->moves, error);
  }
  clrs_tensor_release(source);
  clrs_tensor_release(destination);
  return status;
}

static clrs_status open_copy(thousand *run, clrs_error *error) {
  const int64_t bytes = (int64_t)run->sets.copy_bytes;
  const bench_set *set = &run->sets.sets[0];
  clrs_context *context = run->setup->host.clreshape;
  CLRS_TRY(clrs_tensor_wrap_dense(context, set->copy_source, CLRS_BITS8, 1, &bytes,
                                  &run->copy_source, error));
  return clrs_tensor_wrap_dense(context, set->copy_destination, CLRS_BITS8, 1, &bytes,
                                &run->copy_destination, error);
}

/* To be closed also after a failure. */
static clrs_status open_thousand(thousand *run, clrs_error *error) {
  snprintf(run->line, sizeof run->line, "batch\tlatency\tf32\t%d*%dx%d\tC\t0,2,1\tC", MOVES, SIDE,
           SIDE);
  CLRS_TRY(bench_case_parse(run->line, &run->given, error));
  CLRS_TRY(bench_sets_open(run->setup, &run->given, &run->sets, error));
  CLRS_TRY(bench_sets_fill(&run->sets, run->sets.source_bytes, error));
  CLRS_TRY(open_moves(run, error));
  return open_copy(run, error);
}

static void close_thousand(thousand *run) {
  clrs_batch_release(run->batch);
  bench_moves_close(&run->moves);
  clrs_tensor_release(run->copy_source);
  clrs_tensor_release(run->copy_destination);
  bench_sets_close(&run->sets);
}

/* ---- running ---- */

static clrs_status start_one_by_one(const thousand *run, cl_event *event, clrs_error *error) {
  for (size_t i = 0; i < MOVES; i++) {
    CLRS_TRY(clrs_enqueue_move(run->setup->host.clreshape, run->moves.sources[i],
                               run->moves.destinations[i], run->setup->queue, 0, NULL,
                               i + 1 == MOVES ? event : NULL, error));
  }
  return CLRS_OK;
}

static clrs_status start(const thousand *run, int kind, cl_event *event, clrs_error *error) {
  const clrs_batch_moves moves = {
      .count = MOVES, .sources = run->moves.sources, .destinations = run->moves.destinations};
  clrs_context *context = run->setup->host.clreshape;
  cl_command_queue queue = run->setup->queue;
  switch (kind) {
  case PREPARED:
    return clrs_enqueue_batch(run->batch, queue, 0, NULL, event, error);
  case AT_ONCE:
    return clrs_enqueue_moves(context, &moves, queue, 0, NULL, event, error);
  case ONE_BY_ONE:
    return start_one_by_one(run, event, error);
  case COPY_KERNEL:
    return clrs_enqueue_move(context, run->copy_source, run->copy_destination, queue, 0, NULL,
                             event, error);
  default:
    return bench_sets_copy(&run->sets, 0, queue, event, error);
  }
}

static clrs_status time_one(thousand *run, int kind, size_t repetition, clrs_error *error) {
  static const char *const names[] = {"the batch", "the moves", "the last move",
                                      "clEnqueueCopyBuffer", "the copy"};
  cl_event event = NULL;
  const double begin = bench_now();
  CLRS_TRY(start(run, kind, &event, error));
  clWaitForEvents(1, &event); /* how it ended, cli_host_wait asks */
  run->seconds[kind][repetition] = bench_now() - begin;
  if (kind == PREPARED) {
    run->device[repetition] = bench_device_seconds(event);
  }
  return cli_host_wait(event, names[kind], error);
}

static clrs_status check(thousand *run, int kind, clrs_error *error) {
  char wrong[160] = "";
  CLRS_TRY(kind < COPY_BUFFER ? bench_sets_check(&run->sets, 0, wrong, error)
                              : bench_sets_check_copy(&run->sets, 0, wrong, error));
  return wrong[0] == '\0'
             ? CLRS_OK
             : clrs__fail(error, CLRS_OPENCL_ERROR, "of %d small moves, %s, one is wrong: %s",
                          MOVES, kind == ONE_BY_ONE ? "one by one" : "as a batch", wrong);
}

/* Each kind alone and from poison, once; builds what must be built. */
static clrs_status warm_up(thousand *run, clrs_error *error) {
  for (int kind = 0; kind < KINDS; kind++) {
    CLRS_TRY(bench_sets_poison(&run->sets, 1, error));
    CLRS_TRY(time_one(run, kind, 0, error));
    CLRS_TRY(check(run, kind, error));
  }
  return CLRS_OK;
}

static clrs_status run_all(thousand *run, clrs_error *error) {
  CLRS_TRY(warm_up(run, error));
  for (size_t i = 0; i < REPETITIONS; i++) {
    for (size_t k = 0; k < KINDS; k++) {
      CLRS_TRY(time_one(run, (int)((i + k) % KINDS), i, error));
    }
  }
  return check(run, PREPARED, error);
}

static void add_rows(thousand *run, latency_report *report) {
  const bool kernel = bench_spread_of(REPETITIONS, run->seconds[COPY_KERNEL]).median <
                      bench_spread_of(REPETITIONS, run->seconds[COPY_BUFFER]).median;
  latency_add(report, "batch", "1000 moves of 16 KiB as a clrs_batch: launch and wait", REPETITIONS,
              run->seconds[PREPARED]);
  latency_add(report, "batch_device", "what the device took of that", REPETITIONS, run->device);
  latency_add(report, "batch_at_once", "the moves in one call: plan, launch and wait", REPETITIONS,
              run->seconds[AT_ONCE]);
  latency_add(report, "batch_one_by_one", "the same moves in 1000 calls", REPETITIONS,
              run->seconds[ONE_BY_ONE]);
  latency_add(report, "copy_of_batch", "one copy of as many bytes, and wait", REPETITIONS,
              run->seconds[kernel ? COPY_KERNEL : COPY_BUFFER]);
  report->batch_moves = MOVES;
  report->batch_launches = clrs_batch_launches(run->batch);
}

static clrs_status run_thousand(thousand *run, clrs_error *error) {
  CLRS_TRY(open_thousand(run, error));
  const clrs_batch_moves moves = {
      .count = MOVES, .sources = run->moves.sources, .destinations = run->moves.destinations};
  CLRS_TRY(clrs_batch_create(run->setup->host.clreshape, &moves, &run->batch, error));
  return run_all(run, error);
}

clrs_status latency_batch(const bench_setup *setup, latency_report *report, clrs_error *error) {
  thousand *run = calloc(1, sizeof *run);
  if (run == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  run->setup = setup;
  const clrs_status status = run_thousand(run, error);
  if (status == CLRS_OK) {
    add_rows(run, report);
  }
  clFinish(setup->queue); /* after a failure a command may still use the buffers */
  close_thousand(run);
  free(run);
  return status;
}
