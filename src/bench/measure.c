/* SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batches.h"
#include "fail.h"
#include "sets.h"
#include "transfer.h"

enum {
  LEAST_REPETITIONS = 7,
  PLAN_SAMPLES = 15,
  PLANS_PER_SAMPLE = 32,
  BUFFER_ALIGNMENT = 128 /* promised by OpenCL for new buffers */
};

/* The state of one measurement. */
typedef struct trial {
  bench_setup *setup;
  const bench_case *given;
  bench_result *result;
  bench_sets sets;
  clrs_tensor *source, *destination;   /* over the first set, to plan with */
  clrs_plan plan, copy_plan;           /* `plan` of a batch is the plan of its first move */
  clrs_work *batches[BENCH_MOST_SETS]; /* one for each set. NULL if the case is not a batch */
  size_t repetitions;
  double *totals[BENCH_KINDS], *devices[BENCH_KINDS];
} trial;

/* ---- planning ---- */

/* Returns true if the source, seen in the order of the case, is already the result. A batch always
 * moves. */
static bool is_alias(const trial *run) {
  return !run->given->destination_given && !run->given->is_batch && cli_host_is_dense(run->source);
}

/* The views of one move. All moves of a batch have the same plan. */
static clrs_status view_first(const trial *run, clrs_view *source, clrs_view *destination,
                              clrs_error *error) {
  *source = *clrs_tensor_view(run->source);
  *destination = *clrs_tensor_view(run->destination);
  if (!run->given->is_batch) {
    return CLRS_OK;
  }
  CLRS_TRY(bench_move_view(clrs_tensor_view(run->source), 0, source, error));
  return bench_move_view(clrs_tensor_view(run->destination), 0, destination, error);
}

/* The benchmark's own buffers have the alignment of OpenCL's new buffers. */
static clrs_status plan_once(const trial *run, clrs_plan *plan, clrs_error *error) {
  clrs_device_limits limits = clrs_context_limits(run->setup->host.clreshape);
  clrs_view source, destination;
  if (run->given->is_batch && run->setup->required_class != NULL) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "a batch chooses the kernel class of its moves");
  }
  CLRS_TRY(view_first(run, &source, &destination, error));
  const clrs_move move = {.source = {&source, 0, BUFFER_ALIGNMENT},
                          .destination = {is_alias(run) ? NULL : &destination, 0, BUFFER_ALIGNMENT},
                          .policy = run->given->is_batch ? CLRS_COPY_ALWAYS : CLRS_COPY_IF_NEEDED};
  limits.required_class = run->setup->required_class;
  return clrs_plan_move(&move, &limits, plan, error);
}

static clrs_status plan_move(const trial *run, clrs_error *error) {
  clrs_plan plan;
  return clrs_tensor_plan(run->source, is_alias(run) ? NULL : run->destination, CLRS_COPY_IF_NEEDED,
                          &plan, error);
}

/* Creates a batch, which plans all moves. */
static clrs_status plan_batch(const trial *run, clrs_error *error) {
  clrs_work *batch = NULL;
  CLRS_TRY(
      bench_batch_create(run->setup->host.clreshape, run->source, run->destination, &batch, error));
  clrs_work_release(batch);
  return CLRS_OK;
}

static clrs_status time_planning(trial *run, clrs_error *error) {
  const bool is_batch = run->given->is_batch;
  const size_t plans = is_batch ? 1 : PLANS_PER_SAMPLE;
  double samples[PLAN_SAMPLES];
  for (size_t i = 0; i < PLAN_SAMPLES; i++) {
    const double start = bench_now();
    for (size_t k = 0; k < plans; k++) {
      CLRS_TRY(is_batch ? plan_batch(run, error) : plan_move(run, error));
    }
    samples[i] = (bench_now() - start) / (double)plans;
  }
  run->result->plan = bench_spread_of(PLAN_SAMPLES, samples).median;
  return CLRS_OK;
}

static void describe(trial *run) {
  bench_result *result = run->result;
  const clrs_plan *plan = &run->plan;
  const uint64_t moves = run->given->is_batch ? (uint64_t)run->given->source.dims[0] : 1;
  snprintf(result->class_name, sizeof result->class_name, "%s",
           plan->launch_count > 0 ? plan->launches[0].kernel_class : "none");
  result->outcome = clrs_outcome_name(plan->outcome);
  result->launches = plan->launch_count;
  result->bytes_read = plan->bytes_read * moves;
  result->bytes_written = plan->bytes_written * moves;
  clrs_plan_explain(plan, result->explanation, sizeof result->explanation);
}

static clrs_status create_batch(trial *run, size_t set, clrs_error *error) {
  clrs_tensor *source = NULL, *destination = NULL;
  clrs_status status = bench_sets_wrap(&run->sets, set, &source, &destination, error);
  if (status == CLRS_OK) {
    status = bench_batch_create(run->setup->host.clreshape, source, destination, &run->batches[set],
                                error);
  }
  clrs_tensor_release(source);
  clrs_tensor_release(destination);
  return status;
}

/* Creates one batch for the buffers of each set, for a case that is a batch. */
static clrs_status create_batches(trial *run, clrs_error *error) {
  for (size_t i = 0; i < run->sets.count; i++) {
    CLRS_TRY(create_batch(run, i, error));
  }
  run->result->launches = (uint32_t)clrs_work_launches(run->batches[0]);
  return CLRS_OK;
}

static bool contains(const char *text, const char *part) {
  return strstr(text, part) != NULL;
}

static bool is_wanted(const trial *run) {
  const char *filter = run->setup->filter;
  return filter == NULL || contains(run->given->id, filter) ||
         contains(run->given->suite, filter) || contains(run->result->class_name, filter);
}

/* ---- the yardstick ---- */

/* Bytes of each side: half of the bytes that the case reads and writes, or the bytes of the tensor
 * for an alias. */
static uint64_t copy_bytes_of(const trial *run) {
  uint64_t bytes = (run->result->bytes_read + run->result->bytes_written) / 2;
  if (bytes == 0) {
    bytes = run->sets.destination_bytes;
  }
  /* An odd end slows a copy down, which makes a bad yardstick. In a small case a few more bytes
   * count much, so small cases are not rounded up. */
  return bytes < 4096 ? bytes : (bytes + 63) / 64 * 64;
}

static clrs_status plan_copy(trial *run, clrs_error *error) {
  const int64_t bytes = (int64_t)run->sets.copy_bytes;
  const bench_set *set = &run->sets.sets[0];
  clrs_context *context = run->setup->host.clreshape;
  clrs_tensor *from = NULL, *to = NULL;
  CLRS_TRY(clrs_tensor_wrap_dense(context, set->copy_source, CLRS_BITS8, 1, &bytes, &from, error));
  clrs_status status =
      clrs_tensor_wrap_dense(context, set->copy_destination, CLRS_BITS8, 1, &bytes, &to, error);
  if (status == CLRS_OK) {
    status = clrs_tensor_plan(from, to, CLRS_COPY_ALWAYS, &run->copy_plan, error);
  }
  clrs_tensor_release(from);
  clrs_tensor_release(to);
  return status;
}

/* ---- running ---- */

static clrs_status start_alias(const trial *run, cl_event *event, clrs_error *error) {
  clrs_tensor *alias = NULL;
  CLRS_TRY(clrs_enqueue_chain(run->source, "", CLRS_COPY_IF_NEEDED, NULL, &alias,
                              &(clrs_on){.queue = run->setup->queue}, event, error));
  clrs_tensor_release(alias);
  return CLRS_OK;
}

static clrs_status start_move(const trial *run, size_t index, cl_event *event, clrs_error *error) {
  const bench_set *set = &run->sets.sets[index];
  cl_command_queue queue = run->setup->queue;
  if (run->given->is_batch) {
    return clrs_enqueue_work(run->batches[index], 0, NULL, &(clrs_on){.queue = queue}, event,
                             error);
  }
  return is_alias(run) ? start_alias(run, event, error)
                       : clrs_enqueue_plan(run->setup->host.clreshape, &run->plan,
                                           &(clrs_plan_buffers){.source = set->source,
                                                                .destination = set->destination},
                                           &(clrs_on){.queue = queue}, event, error);
}

static clrs_status start(const trial *run, int kind, size_t index, cl_event *event,
                         clrs_error *error) {
  const bench_set *set = &run->sets.sets[index];
  clrs_context *context = run->setup->host.clreshape;
  cl_command_queue queue = run->setup->queue;
  if (kind == BENCH_MOVE) {
    return start_move(run, index, event, error);
  }
  if (kind == BENCH_COPY_KERNEL) {
    return clrs_enqueue_plan(
        context, &run->copy_plan,
        &(clrs_plan_buffers){.source = set->copy_source, .destination = set->copy_destination},
        &(clrs_on){.queue = queue}, event, error);
  }
  return bench_sets_copy(&run->sets, index, queue, event, error);
}

typedef struct timing {
  double total, device;
} timing;

/* The seconds of a completed command on the device, or 0 if the driver does not tell. */
static double device_seconds(cl_event event) {
  cl_ulong begin = 0, end = 0;
  if (clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL) !=
          CL_SUCCESS ||
      clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) !=
          CL_SUCCESS ||
      end < begin) {
    return 0;
  }
  return (double)(end - begin) * 1e-9;
}

static clrs_status time_one(const trial *run, int kind, size_t set, timing *taken,
                            clrs_error *error) {
  static const char *const names[] = {"the move", "clEnqueueCopyBuffer", "the copy"};
  cl_event event = NULL;
  const double begin = bench_now();
  CLRS_TRY(start(run, kind, set, &event, error));
  clWaitForEvents(1, &event); /* cli_host_wait asks how the command ended */
  taken->total = bench_now() - begin;
  taken->device = device_seconds(event);
  return cli_host_wait(event, names[kind], error);
}

/* Runs a command for the first time. A driver may allow a kernel smaller groups than the device,
 * and a self-test may refuse a kernel for groups. Then the context has a lower limit, and other
 * plans. */
static clrs_status time_first(trial *run, int kind, timing *taken, clrs_error *error) {
  const clrs_context *context = run->setup->host.clreshape;
  uint32_t groups = clrs_context_limits(context).max_group_items;
  clrs_status status = time_one(run, kind, 0, taken, error);
  while (status == CLRS_UNSUPPORTED && clrs_context_limits(context).max_group_items < groups) {
    groups = clrs_context_limits(context).max_group_items;
    CLRS_TRY(plan_once(run, &run->plan, error));
    describe(run);
    CLRS_TRY(plan_copy(run, error));
    status = time_one(run, kind, 0, taken, error);
  }
  return status;
}

/* Runs each command once. The first runs build kernels, and show whether the copies copy. */
static clrs_status warm_up(trial *run, clrs_error *error) {
  bench_result *result = run->result;
  timing taken;
  char wrong[sizeof result->wrong] = "";
  for (int kind = 0; kind < BENCH_KINDS; kind++) {
    CLRS_TRY(time_first(run, kind, &taken, error));
    result->first = kind == BENCH_MOVE ? taken.total : result->first;
  }
  CLRS_TRY(bench_sets_check_copy(&run->sets, 0, wrong, error));
  if (wrong[0] != '\0') {
    return clrs__fail(error, CLRS_OPENCL_ERROR, "the copy that it is compared with is wrong: %s",
                      wrong);
  }
  return CLRS_OK;
}

/* Runs in an order that changes from run to run, so that no command always profits from the command
 * before. */
static clrs_status run_set(trial *run, size_t set, size_t repetition, clrs_error *error) {
  for (size_t i = 0; i < BENCH_KINDS; i++) {
    const size_t kind = (i + repetition) % BENCH_KINDS;
    timing taken;
    CLRS_TRY(time_one(run, (int)kind, set, &taken, error));
    run->totals[kind][repetition] = taken.total;
    run->devices[kind][repetition] = taken.device;
  }
  return CLRS_OK;
}

/* Compares the bytes of an alias in place. */
static clrs_status check_alias(trial *run, clrs_error *error) {
  const uint64_t bits = clrs_dtype_bits(run->given->dtype);
  int64_t count = 0;
  CLRS_TRY(clrs_shape_count(&clrs_tensor_view(run->source)->shape, &count, error));
  const size_t bytes = (size_t)(((uint64_t)count * bits + 7) / 8), odd = (uint64_t)count * bits % 8;
  void *found = NULL;
  CLRS_TRY(cli_host_fetch(&run->setup->host, run->source, bytes, &found, error));
  if (memcmp(found, run->sets.expected, odd != 0 ? bytes - 1 : bytes) != 0) {
    snprintf(run->result->wrong, sizeof run->result->wrong, "the alias shows other elements");
  }
  free(found);
  return CLRS_OK;
}

static clrs_status check(trial *run, size_t sets, clrs_error *error) {
  if (is_alias(run)) {
    return check_alias(run, error);
  }
  for (size_t i = 0; i < sets && run->result->wrong[0] == '\0'; i++) {
    CLRS_TRY(bench_sets_check(&run->sets, i, run->result->wrong, error));
  }
  return CLRS_OK;
}

static clrs_status run_rounds(trial *run, clrs_error *error) {
  for (size_t done = 0; done < run->repetitions;) {
    const size_t left = run->repetitions - done;
    const size_t sets = left < run->sets.count ? left : run->sets.count;
    CLRS_TRY(bench_sets_poison(&run->sets, sets, error));
    for (size_t i = 0; i < sets; i++) {
      CLRS_TRY(run_set(run, i, done + i, error));
    }
    CLRS_TRY(check(run, sets, error));
    done += sets;
  }
  run->result->verified = run->result->wrong[0] == '\0';
  return CLRS_OK;
}

static clrs_status allocate_samples(trial *run, clrs_error *error) {
  run->repetitions = run->setup->repetitions;
  if (run->repetitions == 0) {
    run->repetitions = run->sets.count < LEAST_REPETITIONS ? LEAST_REPETITIONS : run->sets.count;
  }
  for (int kind = 0; kind < BENCH_KINDS; kind++) {
    run->totals[kind] = calloc(run->repetitions, sizeof(double));
    run->devices[kind] = calloc(run->repetitions, sizeof(double));
    if (run->totals[kind] == NULL || run->devices[kind] == NULL) {
      return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
    }
  }
  return CLRS_OK;
}

static void summarize(trial *run) {
  bench_result *result = run->result;
  for (int kind = 0; kind < BENCH_KINDS; kind++) {
    result->total[kind] = bench_spread_of(run->repetitions, run->totals[kind]);
    result->device[kind] = bench_spread_of(run->repetitions, run->devices[kind]);
  }
  result->copy_bytes = 2 * run->sets.copy_bytes;
  result->buffer_sets = run->sets.count;
  result->repetitions = run->repetitions;
  result->has_device_time = result->launches == 1 && result->device[BENCH_MOVE].least > 0;
  result->is_by_device = run->setup->is_gpu && result->has_device_time &&
                         result->device[BENCH_COPY_BUFFER].least > 0 &&
                         result->device[BENCH_COPY_KERNEL].least > 0;
}

static clrs_status measure(trial *run, clrs_error *error) {
  CLRS_TRY(bench_sets_open(run->setup, run->given, &run->sets, error));
  CLRS_TRY(bench_sets_wrap(&run->sets, 0, &run->source, &run->destination, error));
  CLRS_TRY(plan_once(run, &run->plan, error));
  describe(run);
  if (!is_wanted(run)) {
    return CLRS_OK;
  }
  CLRS_TRY(bench_sets_fill(&run->sets, copy_bytes_of(run), error));
  CLRS_TRY(plan_copy(run, error));
  CLRS_TRY(time_planning(run, error));
  if (run->given->is_batch) {
    CLRS_TRY(create_batches(run, error));
  }
  CLRS_TRY(allocate_samples(run, error));
  CLRS_TRY(warm_up(run, error));
  CLRS_TRY(run_rounds(run, error));
  summarize(run);
  return CLRS_OK;
}

clrs_status bench_measure(bench_setup *setup, const bench_case *given, bench_result *result,
                          clrs_error *error) {
  memset(result, 0, sizeof *result);
  trial run = {.setup = setup, .given = given, .result = result};
  const clrs_status status = measure(&run, error);
  result->filtered = !is_wanted(&run); /* also for a failed case, which has no class */
  clFinish(setup->queue);              /* after a failure a command may still use the buffers */
  clrs_tensor_release(run.source);
  clrs_tensor_release(run.destination);
  for (int kind = 0; kind < BENCH_KINDS; kind++) {
    free(run.totals[kind]);
    free(run.devices[kind]);
  }
  for (size_t i = 0; i < run.sets.count; i++) {
    clrs_work_release(run.batches[i]);
  }
  bench_sets_close(&run.sets);
  return status;
}
