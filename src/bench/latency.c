/*
 * clreshape bench --latency: what the small things cost, on the host's clock.
 *
 * The first small move comes before anything else has used its kernel. Its time depends on what the
 * driver keeps on disk of earlier runs, so it says most on a machine that has not run it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "latency_report.h"

#include <stdio.h>
#include <string.h>

#include "fail.h"
#include "sets.h"

enum { SAMPLES = 101, CALLS = 256, WAITS = 301, NEW_SHAPES = 32 };

/* A move with its buffers, source and destination. */
typedef struct small_move {
  char line[64]; /* of a case file; reading cuts it */
  bench_case given;
  bench_sets sets;
  clrs_tensor *whole, *source, *destination; /* source: `whole`, permuted */
} small_move;

typedef struct session {
  bench_setup *setup;
  small_move move; /* 64 x 64 f32, transposed: 16 KiB */
  clrs_view view;  /* what the host made last, to be planned */
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
  CLRS_TRY(bench_case_parse(move->line, &move->given, error));
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

/* A pattern of 4 values. */
static clrs_status resolve(session *run, clrs_error *error) {
  const int64_t values[] = {0, -1, 12, 64};
  const clrs_shape input = {3, {8, 1024, 768}};
  clrs_pattern pattern;
  clrs_shape shape;
  (void)run;
  CLRS_TRY(clrs_pattern_init(CLRS_ONNX, CLRS_ZERO_COPIES, 4, values, &pattern, error));
  return clrs_pattern_resolve(&pattern, &input, &shape, error);
}

/* [8,1024,768] -> [8,1024,12,64] -> [8,12,1024,64] */
static clrs_status view_operations(session *run, clrs_error *error) {
  clrs_view *view = &run->view;
  const clrs_shape joined = {3, {8, 1024, 768}}, split = {4, {8, 1024, 12, 64}};
  const int64_t perm[] = {0, 2, 1, 3};
  CLRS_TRY(clrs_view_dense(CLRS_F16, &joined, view, error));
  CLRS_TRY(clrs_view_reshape(view, &split, error));
  return clrs_view_permute(view, 4, perm, error);
}

static clrs_status plan_alone(session *run, clrs_error *error) {
  const clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  const clrs_move move = {.source = {.view = &run->view, .alignment = 128},
                          .destination = {.alignment = 128},
                          .policy = CLRS_COPY_ALWAYS};
  return clrs_plan_move(&move, &limits, &run->plan, error);
}

static clrs_status view_and_plan(session *run, clrs_error *error) {
  CLRS_TRY(view_operations(run, error));
  return plan_alone(run, error);
}

/* Swin's windows of 7 by 7 out of an image of 56 by 56, their tokens: [8,56,56,96] -> [512,49,96]
 */
static clrs_status cut_windows(clrs_view *view, clrs_error *error) {
  const clrs_shape image = {4, {8, 56, 56, 96}}, grid = {6, {8, 8, 7, 8, 7, 96}};
  const clrs_shape windows = {3, {512, 49, 96}};
  const int64_t together[] = {0, 1, 3, 2, 4, 5};
  CLRS_TRY(clrs_view_dense(CLRS_F16, &image, view, error));
  CLRS_TRY(clrs_view_reshape(view, &grid, error));
  CLRS_TRY(clrs_view_permute(view, 6, together, error));
  return clrs_view_reshape(view, &windows, error);
}

/* Three heads, each repeated for two queries, of 48 tokens in reverse: -> [512,3,2,48,32] */
static clrs_status split_heads(clrs_view *view, clrs_error *error) {
  const clrs_shape heads = {4, {512, 49, 3, 32}}, repeated = {5, {512, 3, 2, 48, 32}};
  const int64_t heads_first[] = {0, 2, 1, 3}, queries[] = {2};
  const clrs_slice tokens[] = {{2, 48, 0, -1}};
  CLRS_TRY(clrs_view_reshape(view, &heads, error));
  CLRS_TRY(clrs_view_permute(view, 4, heads_first, error));
  CLRS_TRY(clrs_view_slice(view, 1, tokens, error));
  CLRS_TRY(clrs_view_unsqueeze(view, 1, queries, error));
  return clrs_view_expand(view, &repeated, error);
}

static clrs_status chain_and_plan(session *run, clrs_error *error) {
  CLRS_TRY(cut_windows(&run->view, error));
  CLRS_TRY(split_heads(&run->view, error));
  return plan_alone(run, error);
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
  cl_event event = NULL;
  CLRS_TRY(bench_sets_copy(&run->move.sets, 0, run->setup->host.queue, &event, error));
  return cli_host_wait(event, "clEnqueueCopyBuffer", error);
}

static clrs_status move_again(session *run, clrs_error *error) {
  double seconds;
  return run_move(run->setup, &run->move, &seconds, error);
}

static clrs_status move_planned(session *run, clrs_error *error) {
  const bench_set *set = &run->move.sets.sets[0];
  cl_event event = NULL;
  CLRS_TRY(clrs_enqueue_plan(
      run->setup->host.clreshape, &run->plan,
      &(clrs_plan_buffers){.source = set->source, .destination = set->destination},
      run->setup->host.queue, 0, NULL, &event, error));
  return cli_host_wait(event, "the move", error);
}

/* ---- measuring ---- */

void latency_add(latency_report *report, const char *name, const char *what, size_t count,
                 double *seconds) {
  const bench_spread spread = bench_spread_of(count, seconds);
  report->rows[report->row_count++] =
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
  latency_add(&run->report, task->name, task->what, task->samples, samples);
  return CLRS_OK;
}

static clrs_status measure_first_move(session *run, clrs_error *error) {
  double seconds;
  CLRS_TRY(run_move(run->setup, &run->move, &seconds, error));
  CLRS_TRY(check_move(&run->move, error));
  latency_add(&run->report, "small_move_first",
              "16 KiB, the first of this process: builds its kernel", 1, &seconds);
  return CLRS_OK;
}

/* Shape number `index` of one of two families, each of one class of move. */
static void make_new_shape(size_t index, bool is_split, char *line, size_t size) {
  if (is_split) {
    snprintf(line, size, "split\tlatency\tf16\t2x%zux12x64\tC\t0,2,1,3\tC", 40 + 8 * index);
  } else {
    snprintf(line, size, "transpose\tlatency\tf32\t%zux%zu\tC\t1,0\tC", 64 + 32 * index,
             96 + 64 * index);
  }
}

static clrs_status time_new_shape(session *run, size_t index, bool is_split, double *seconds,
                                  clrs_error *error) {
  small_move move;
  memset(&move, 0, sizeof move);
  make_new_shape(index, is_split, move.line, sizeof move.line);
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
  latency_add(&run->report, "new_shape",
              "shapes never seen, of known classes, 24 KiB to 8 MiB: plan and move",
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
  for (size_t i = 0; i < sizeof host / sizeof host[0]; i++) {
    CLRS_TRY(measure(run, &host[i], error));
  }
  CLRS_TRY(plan_small_move(run, error));
  for (size_t i = 0; i < sizeof device / sizeof device[0]; i++) {
    CLRS_TRY(measure(run, &device[i], error));
  }
  CLRS_TRY(check_move(&run->move, error));
  CLRS_TRY(latency_batch(run->setup, &run->report, error));
  CLRS_TRY(latency_appends(run->setup, run->empty, &run->report, error));
  CLRS_TRY(latency_pending(run->setup, &run->report, error));
  CLRS_TRY(latency_results(run->setup, &run->report, error));
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
  run->move = (small_move){.line = "small\tlatency\tf32\t64x64\tC\t1,0\tC"};
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
