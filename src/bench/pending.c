/*
 * A call of several launches while many calls before it are pending: two halves of 16 KiB joined,
 * on a queue whose commands wait for an event of the host's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "fail.h"
#include "latency_report.h"
#include "transfer.h"

enum { HALF = 4096, WHOLE = 2 * HALF, REPETITIONS = 5, CALLS = 16, LENGTHS = 2 };

typedef struct pending {
  const bench_setup *setup;
  float values[WHOLE];
  cl_mem from, into;
  clrs_tensor *halves[2], *whole;
} pending;

/* ---- what there is ---- */

static clrs_status open_pending(pending *run, clrs_error *error) {
  const cli_host *host = &run->setup->host;
  const int64_t half = HALF, whole = WHOLE;
  for (int i = 0; i < WHOLE; i++) {
    run->values[i] = (float)(i + 1);
  }
  CLRS_TRY(cli_host_buffer(host, sizeof run->values, &run->from, error));
  CLRS_TRY(cli_host_buffer(host, sizeof run->values, &run->into, error));
  CLRS_TRY(bench_write(run->setup, run->from, run->values, sizeof run->values, error));
  for (int64_t i = 0; i < 2; i++) {
    const clrs_storage storage = {run->from, 0};
    const clrs_layout layout = {CLRS_F32, 1, {half}, {1}, i * HALF};
    CLRS_TRY(clrs_tensor_wrap(host->clreshape, &storage, &layout, &run->halves[i], error));
  }
  return clrs_tensor_wrap_dense(host->clreshape, run->into, CLRS_F32, 1, &whole, &run->whole,
                                error);
}

static void close_pending(pending *run) {
  clrs_tensor_release(run->halves[0]);
  clrs_tensor_release(run->halves[1]);
  clrs_tensor_release(run->whole);
  bench_release(run->from);
  bench_release(run->into);
}

/* ---- running ---- */

static clrs_status join(pending *run, size_t calls, clrs_error *error) {
  for (size_t i = 0; i < calls; i++) {
    CLRS_TRY(clrs_enqueue_concat(run->setup->host.clreshape, 2, run->halves, 0, run->whole,
                                 run->setup->host.queue, 0, NULL, NULL, error));
  }
  return CLRS_OK;
}

/* Some calls are timed behind so many, which wait for the gate. */
static clrs_status time_behind(pending *run, cl_event gate, size_t before, double *seconds,
                               clrs_error *error) {
  const cl_int code = clEnqueueBarrierWithWaitList(run->setup->host.queue, 1, &gate, NULL);
  if (code != CL_SUCCESS) {
    return clrs__fail_opencl(error, code, "clEnqueueBarrierWithWaitList");
  }
  CLRS_TRY(join(run, before, error));
  const double begin = bench_now();
  CLRS_TRY(join(run, CALLS, error));
  *seconds = (bench_now() - begin) / CALLS;
  return CLRS_OK;
}

/* Whatever comes of it, the gate opens, so that nothing is pending afterwards. */
static clrs_status sample(pending *run, size_t before, double *seconds, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  cl_event gate = clCreateUserEvent(run->setup->host.context, &code);
  if (gate == NULL) {
    return clrs__fail_opencl(error, code, "clCreateUserEvent");
  }
  const clrs_status status = time_behind(run, gate, before, seconds, error);
  code = clSetUserEventStatus(gate, CL_COMPLETE);
  clReleaseEvent(gate);
  CLRS_TRY(status);
  if (code == CL_SUCCESS) {
    code = clFinish(run->setup->host.queue);
  }
  return code == CL_SUCCESS ? CLRS_OK : clrs__fail_opencl(error, code, "clFinish");
}

static clrs_status check(const pending *run, clrs_error *error) {
  float found[WHOLE];
  const cl_int code = clEnqueueReadBuffer(run->setup->host.queue, run->into, CL_TRUE, 0,
                                          sizeof found, found, 0, NULL, NULL);
  if (code != CL_SUCCESS) {
    return clrs__fail_opencl(error, code, "clEnqueueReadBuffer");
  }
  return memcmp(found, run->values, sizeof found) == 0
             ? CLRS_OK
             : clrs__fail(error, CLRS_OPENCL_ERROR, "two joined halves are wrong");
}

static clrs_status run_pending(pending *run, latency_report *report, clrs_error *error) {
  static const struct {
    size_t before;
    const char *name, *what;
  } rows[LENGTHS] = {
      {4, "join_4_pending", "clrs_enqueue_concat of two, enqueued behind 4 that are pending"},
      {2048, "join_2048_pending", "the same behind 2048"}};
  CLRS_TRY(open_pending(run, error));
  CLRS_TRY(join(run, 1, error)); /* builds what it needs */
  for (size_t row = 0; row < LENGTHS; row++) {
    double seconds[REPETITIONS];
    for (size_t i = 0; i < REPETITIONS; i++) {
      CLRS_TRY(sample(run, rows[row].before, &seconds[i], error));
    }
    latency_add(report, rows[row].name, rows[row].what, REPETITIONS, seconds);
  }
  return check(run, error);
}

clrs_status latency_pending(const bench_setup *setup, latency_report *report, clrs_error *error) {
  pending run = {.setup = setup};
  const clrs_status status = run_pending(&run, report, error);
  clFinish(setup->host.queue); /* after a failure a command may still use the buffers */
  close_pending(&run);
  return status;
}
