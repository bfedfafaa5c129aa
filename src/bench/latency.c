/*
 * clreshape bench --latency: what the small things cost, on the host's clock.
 *
 * The first small move comes before anything else has used its kernel. Its time depends on what the
 * driver keeps on disk of earlier runs, so it says most on a machine that has not run it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "latency.h"

#include <string.h>

#include "fail.h"
#include "latency_host.h"
#include "latency_print.h"
#include "sets.h"
#include "thousand_moves.h"

enum { SAMPLES = 101, CALLS = 256, WAITS = 301, NEW_SHAPES = 32 };

/* A move with its buffers, source and destination. */
typedef struct small_move {
  bench_case given;
  bench_sets sets;
  clrs_tensor *whole, *source, *destination; /* source: `whole`, permuted */
} small_move;

typedef struct session {
  bench_setup *setup;
  small_move move; /* 64 x 64 f32, transposed: 16 KiB */
  clrs_view view;  /* to be planned */
  clrs_plan plan;
  cl_program program;
  cl_kernel empty;
  latency_report report;
} session;

/* ---- a move to time ---- */

static clrs_status open_tensors(clrs_context *context, small_move *move, clrs_error *error) {
  const clrs_storage from = {move->sets.sets[0].source, 0};
  const clrs_storage to = {move->sets.sets[0].destination, 0};
  const bench_stage *stage = &move->given.stages[0];
  CLRS_TRY(clrs_tensor_wrap(context, &from, &move->given.source, &move->whole, error));
  clrs_view view = *clrs_tensor_view(move->whole);
  CLRS_TRY(clrs_view_permute(&view, stage->rank, stage->perm, error));
  CLRS_TRY(clrs_tensor_with_view(move->whole, &view, &move->source, error));
  return clrs_tensor_wrap(context, &to, &move->given.destination, &move->destination, error);
}

/* To be closed also after a failure. */
static clrs_status open_move(const bench_setup *setup, small_move *move, clrs_error *error) {
  CLRS_TRY(bench_sets_open(setup, &move->given, &move->sets, error));
  CLRS_TRY(bench_sets_fill(&move->sets, (move->sets.source_bytes + 63) / 64 * 64, error));
  return open_tensors(setup->host.clreshape, move, error);
}

static void close_move(small_move *move) {
  clrs_tensor_release(move->whole);
  clrs_tensor_release(move->source);
  clrs_tensor_release(move->destination);
  bench_sets_close(&move->sets);
}

static clrs_status run_move(const bench_setup *setup, const small_move *move, double *seconds,
                            clrs_error *error) {
  cl_event event = NULL;
  const double begin = bench_now();
  CLRS_TRY(clrs_enqueue_move(setup->host.clreshape, move->source, move->destination,
                             setup->host.queue, 0, NULL, &event, error));
  const clrs_status status = cli_host_wait(event, "the move", error);
  *seconds = bench_now() - begin;
  return status;
}

static clrs_status check_move(small_move *move, clrs_error *error) {
  char wrong[160] = "";
  CLRS_TRY(bench_sets_check(&move->sets, 0, wrong, error));
  return wrong[0] == '\0'
             ? CLRS_OK
             : clrs__fail(error, CLRS_OPENCL_ERROR, "the small move is wrong: %s", wrong);
}

/* ---- what is timed ---- */

typedef clrs_status (*step_fn)(session *run, clrs_error *error);

static clrs_status resolve(session *run, clrs_error *error) {
  (void)run;
  return latency_resolve(error);
}

static clrs_status view_operations(session *run, clrs_error *error) {
  clrs_view view;
  (void)run;
  return latency_view(&view, error);
}

static clrs_status plan_alone(session *run, clrs_error *error) {
  return latency_plan(&run->view, &run->plan, error);
}

static clrs_status view_and_plan(session *run, clrs_error *error) {
  return latency_view_and_plan(&run->plan, error);
}

static clrs_status chain_and_plan(session *run, clrs_error *error) {
  return latency_chain_and_plan(&run->plan, error);
}

static clrs_status alias(session *run, clrs_error *error) {
  const int64_t values[] = {16, -1};
  clrs_pattern pattern;
  clrs_tensor *result = NULL;
  CLRS_TRY(clrs_pattern_init(CLRS_ONNX, CLRS_ZERO_COPIES, 2, values, &pattern, error));
  CLRS_TRY(clrs_enqueue_reshape(run->setup->host.clreshape, run->move.whole, &pattern,
                                CLRS_COPY_IF_NEEDED, &result, run->setup->host.queue, 0, NULL, NULL,
                                error));
  clrs_tensor_release(result);
  return CLRS_OK;
}

/* The same without the runtime's help: the shape is known. */
static clrs_status alias_of_view(session *run, clrs_error *error) {
  const clrs_shape shape = {2, {16, 256}};
  clrs_view view = *clrs_tensor_view(run->move.whole);
  clrs_tensor *result = NULL;
  CLRS_TRY(clrs_view_reshape(&view, &shape, error));
  CLRS_TRY(clrs_tensor_with_view(run->move.whole, &view, &result, error));
  clrs_tensor_release(result);
  return CLRS_OK;
}

static clrs_status empty_kernel(session *run, clrs_error *error) {
  const size_t one = 1;
  cl_event event = NULL;
  const cl_int code = clEnqueueNDRangeKernel(run->setup->host.queue, run->empty, 1, NULL, &one,
                                             &one, 0, NULL, &event);
  return code == CL_SUCCESS ? cli_host_wait(event, "an empty kernel", error)
                            : clrs__fail_opencl(error, code, "clEnqueueNDRangeKernel");
}

static clrs_status copy_buffer(session *run, clrs_error *error) {
  const bench_set *set = &run->move.sets.sets[0];
  cl_event event = NULL;
  const cl_int code =
      clEnqueueCopyBuffer(run->setup->host.queue, set->copy_source, set->copy_destination, 0, 0,
                          (size_t)run->move.sets.copy_bytes, 0, NULL, &event);
  return code == CL_SUCCESS ? cli_host_wait(event, "clEnqueueCopyBuffer", error)
                            : clrs__fail_opencl(error, code, "clEnqueueCopyBuffer");
}

static clrs_status move_again(session *run, clrs_error *error) {
  double seconds;
  return run_move(run->setup, &run->move, &seconds, error);
}

static clrs_status move_planned(session *run, clrs_error *error) {
  const bench_set *set = &run->move.sets.sets[0];
  cl_event event = NULL;
  CLRS_TRY(clrs_enqueue_plan(run->setup->host.clreshape, &run->plan, set->source, set->destination,
                             run->setup->host.queue, 0, NULL, &event, error));
  return cli_host_wait(event, "the move", error);
}

/* ---- measuring ---- */

static void add_row(session *run, const char *name, const char *what, size_t count,
                    double *samples) {
  const bench_spread spread = bench_spread_of(count, samples);
  run->report.rows[run->report.row_count++] =
      (latency_row){name, what, spread.median, spread.least, spread.most};
}

struct task {
  const char *name, *what;
  step_fn step;
  size_t samples, calls; /* calls of each sample */
};

static clrs_status measure(session *run, const struct task *task, clrs_error *error) {
  double samples[WAITS];
  CLRS_TRY(task->step(run, error));
  for (size_t i = 0; i < task->samples; i++) {
    const double begin = bench_now();
    for (size_t k = 0; k < task->calls; k++) {
      CLRS_TRY(task->step(run, error));
    }
    samples[i] = (bench_now() - begin) / (double)task->calls;
  }
  add_row(run, task->name, task->what, task->samples, samples);
  return CLRS_OK;
}

static clrs_status measure_first_move(session *run, clrs_error *error) {
  double seconds;
  CLRS_TRY(run_move(run->setup, &run->move, &seconds, error));
  CLRS_TRY(check_move(&run->move, error));
  add_row(run, "small_move_first", "16 KiB, the first of this process: builds its kernel", 1,
          &seconds);
  return CLRS_OK;
}

/* Shape number `index` of one of two families, each of one class of move. */
static void make_new_shape(size_t index, bool is_split, bench_case *given) {
  static const int64_t transpose[] = {1, 0}, split[] = {0, 2, 1, 3};
  const int64_t step = (int64_t)index;
  const clrs_shape image = {2, {64 + 32 * step, 96 + 64 * step}};
  const clrs_shape tokens = {4, {2, 40 + 8 * step, 12, 64}};
  bench_case_of(is_split ? CLRS_F16 : CLRS_F32, is_split ? &tokens : &image,
                is_split ? split : transpose, given);
}

static clrs_status time_new_shape(session *run, size_t index, bool is_split, double *seconds,
                                  clrs_error *error) {
  small_move move;
  memset(&move, 0, sizeof move);
  make_new_shape(index, is_split, &move.given);
  clrs_status status = open_move(run->setup, &move, error);
  if (status == CLRS_OK) {
    status = run_move(run->setup, &move, seconds, error);
  }
  if (status == CLRS_OK) {
    status = check_move(&move, error);
  }
  close_move(&move);
  return status;
}

/* Index 0 builds what its class needs and is not counted. */
static clrs_status measure_new_shapes(session *run, clrs_error *error) {
  double samples[2 * NEW_SHAPES], ignored;
  CLRS_TRY(time_new_shape(run, 0, false, &ignored, error));
  CLRS_TRY(time_new_shape(run, 0, true, &ignored, error));
  const size_t programs = clrs_context_program_count(run->setup->host.clreshape);
  for (size_t i = 0; i < NEW_SHAPES; i++) {
    CLRS_TRY(time_new_shape(run, i + 1, false, &samples[2 * i], error));
    CLRS_TRY(time_new_shape(run, i + 1, true, &samples[2 * i + 1], error));
  }
  run->report.new_shapes = (size_t)2 * NEW_SHAPES;
  run->report.programs_built = clrs_context_program_count(run->setup->host.clreshape) - programs;
  add_row(run, "new_shape", "shapes never seen, of known classes, 24 KiB to 8 MiB: plan and move",
          (size_t)2 * NEW_SHAPES, samples);
  return CLRS_OK;
}

static clrs_status plan_small_move(session *run, clrs_error *error) {
  return clrs_tensor_plan(run->setup->host.clreshape, run->move.source, run->move.destination,
                          CLRS_COPY_ALWAYS, &run->plan, error);
}

static clrs_status measure_all(session *run, clrs_error *error) {
  static const struct task host[] = {
      {"resolve", "a pattern of 4 values", resolve, SAMPLES, CALLS},
      {"view", "dense, reshape and permute to rank 4", view_operations, SAMPLES, CALLS},
      {"plan", "of the move of that view", plan_alone, SAMPLES, CALLS},
      {"view_and_plan", "such a view and the plan of its move", view_and_plan, SAMPLES, CALLS},
      {"chain_and_plan", "eight operations, a window partition with heads, and the plan",
       chain_and_plan, SAMPLES, CALLS},
      {"alias", "clrs_enqueue_reshape of a tensor to a view of it", alias, SAMPLES, CALLS},
      {"alias_of_view", "clrs_view_reshape and clrs_tensor_with_view", alias_of_view, SAMPLES,
       CALLS}};
  static const struct task device[] = {
      {"empty_kernel", "launch of one work-item, and wait", empty_kernel, WAITS, 1},
      {"copy_buffer", "clEnqueueCopyBuffer of 16 KiB, and wait", copy_buffer, WAITS, 1},
      {"small_move", "16 KiB: plan, launch and wait", move_again, WAITS, 1},
      {"small_move_planned", "16 KiB: launch and wait", move_planned, WAITS, 1}};
  CLRS_TRY(measure_first_move(run, error));
  CLRS_TRY(latency_view(&run->view, error));
  for (size_t i = 0; i < sizeof host / sizeof host[0]; i++) {
    CLRS_TRY(measure(run, &host[i], error));
  }
  CLRS_TRY(plan_small_move(run, error));
  for (size_t i = 0; i < sizeof device / sizeof device[0]; i++) {
    CLRS_TRY(measure(run, &device[i], error));
  }
  CLRS_TRY(check_move(&run->move, error));
  CLRS_TRY(latency_batch(run->setup, &run->report, error));
  return measure_new_shapes(run, error);
}

/* ---- the command ---- */

static clrs_status build_empty_kernel(session *run, clrs_error *error) {
  const char *source = "kernel void empty(void) {}";
  cl_int code = CL_SUCCESS;
  run->program = clCreateProgramWithSource(run->setup->host.context, 1, &source, NULL, &code);
  if (run->program == NULL) {
    return clrs__fail_opencl(error, code, "clCreateProgramWithSource");
  }
  code = clBuildProgram(run->program, 1, &run->setup->host.device, "", NULL, NULL);
  if (code != CL_SUCCESS) {
    return clrs__fail_opencl(error, code, "clBuildProgram");
  }
  run->empty = clCreateKernel(run->program, "empty", &code);
  return run->empty != NULL ? CLRS_OK : clrs__fail_opencl(error, code, "clCreateKernel");
}

static clrs_status run_session(session *run, clrs_error *error) {
  const clrs_shape square = {2, {64, 64}};
  const int64_t perm[] = {1, 0};
  bench_case_of(CLRS_F32, &square, perm, &run->move.given);
  CLRS_TRY(open_move(run->setup, &run->move, error));
  CLRS_TRY(build_empty_kernel(run, error));
  return measure_all(run, error);
}

clrs_status bench_latency(bench_setup *setup, enum bench_format format, clrs_error *error) {
  session run;
  memset(&run, 0, sizeof run);
  run.setup = setup;
  setup->repetitions = 1; /* one set of buffers for each move */
  const clrs_status status = run_session(&run, error);
  if (status == CLRS_OK) {
    latency_print(&setup->device, &run.report, format);
  }
  clFinish(setup->host.queue); /* after a failure a command may still use the buffers */
  if (run.empty != NULL) {
    clReleaseKernel(run.empty);
  }
  if (run.program != NULL) {
    clReleaseProgram(run.program);
  }
  close_move(&run.move);
  return status;
}
