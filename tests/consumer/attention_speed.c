/*
 * Compares the speed of a single pass with a plain copy. Splits the heads of an attention tensor,
 * f16 [8, 1024, 12, 64] to [8 * 12, 1024, 64], and copies as many bytes with clEnqueueCopyBuffer,
 * in turn. Prints the medians and compares every element. quickstart.sh shows the output.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define CL_TARGET_OPENCL_VERSION 120
#define _POSIX_C_SOURCE 200809L
#include <clreshape/clreshape.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "speed.h"

enum { BATCH = 8, TOKENS = 1024, HEADS = 12, CHANNELS = 64, ROUNDS = 21 };
enum { COUNT = BATCH * TOKENS * HEADS * CHANNELS, BYTES = COUNT * 2 };

typedef struct setting {
  clrs_context_options options;
  clrs_context *context;
  cl_command_queue queue;
  cl_mem source, destination;
} setting;

static clrs_error error;

static void require(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "attention_speed: %s: %s\n", what, error.message);
    exit(1);
  }
}

/* The first device of the first platform with a device. Exits without a device. */
static cl_device_id find_device(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_device_id device = NULL;
  if (clGetPlatformIDs(16, platforms, &count) == CL_SUCCESS) {
    for (cl_uint i = 0; i < count && i < 16; i++) {
      if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS) {
        return device;
      }
    }
  }
  const char *required = getenv("CLRS_REQUIRE_DEVICE");
  fputs("attention_speed: no OpenCL device\n", stderr);
  exit(required != NULL && strcmp(required, "1") == 0 ? 1 : 77);
}

/* Element k of the source holds k mod 65536. The destination starts with other values. */
static void set_up(setting *s) {
  uint16_t *values = malloc(BYTES);
  require(values != NULL, "malloc");
  s->options = (clrs_context_options)CLRS_CONTEXT_OPTIONS_INIT;
  s->options.device = find_device();
  s->options.context = clCreateContext(NULL, 1, &s->options.device, NULL, NULL, NULL);
  require(s->options.context != NULL, "clCreateContext");
  require(clrs_context_create(&s->options, &s->context, &error) == CLRS_OK, "context");
  s->queue = clCreateCommandQueue(s->options.context, s->options.device, 0, NULL);
  for (size_t i = 0; i < COUNT; i++) {
    values[i] = (uint16_t)i;
  }
  s->source = clCreateBuffer(s->options.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, BYTES,
                             values, NULL);
  memset(values, 0xa5, BYTES);
  s->destination = clCreateBuffer(s->options.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                  BYTES, values, NULL);
  require(s->queue != NULL && s->source != NULL && s->destination != NULL, "OpenCL objects");
  free(values);
}

/* The view [8, 1024, 12, 64], permuted if requested, read as `result`, and the plan for the
 * move. */
static void plan_move(const setting *s, const int64_t *order, const clrs_shape *result,
                      clrs_plan *plan) {
  const int64_t dims[] = {BATCH, TOKENS, HEADS, CHANNELS};
  const clrs_device_limits limits = clrs_context_limits(s->context);
  clrs_shape shape;
  clrs_view view;
  require(clrs_shape_init(4, dims, &shape, &error) == CLRS_OK, "shape");
  require(clrs_view_dense(CLRS_F16, &shape, &view, &error) == CLRS_OK, "view");
  if (order != NULL) {
    require(clrs_view_permute(&view, 4, order, &error) == CLRS_OK, "permute");
  }
  require(clrs_view_reshape(&view, result, &error) == CLRS_OK, "reshape");
  const clrs_move move = {.source = {.view = &view, .alignment = 128},
                          .destination = {.alignment = 128},
                          .policy = CLRS_COPY_IF_NEEDED};
  require(clrs_plan_move(&move, &limits, plan, &error) == CLRS_OK, "plan");
}

static double time_pass(const setting *s, const clrs_plan *plan) {
  cl_event done = NULL;
  const double start = now();
  require(
      clrs_enqueue_plan(s->context, plan,
                        &(clrs_plan_buffers){.source = s->source, .destination = s->destination},
                        &(clrs_on){.queue = s->queue}, &done, &error) == CLRS_OK,
      "enqueue");
  require(clWaitForEvents(1, &done) == CL_SUCCESS, "the pass");
  const double seconds = now() - start;
  clReleaseEvent(done);
  return seconds;
}

static double time_copy(const setting *s, cl_mem target) {
  cl_event done = NULL;
  const double start = now();
  require(clEnqueueCopyBuffer(s->queue, s->source, target, 0, 0, BYTES, 0, NULL, &done) ==
              CL_SUCCESS,
          "clEnqueueCopyBuffer");
  require(clWaitForEvents(1, &done) == CL_SUCCESS, "the copy");
  const double seconds = now() - start;
  clReleaseEvent(done);
  return seconds;
}

static void verify(const setting *s) {
  uint16_t *values = malloc(BYTES);
  size_t at = 0;
  require(values != NULL, "malloc");
  require(clEnqueueReadBuffer(s->queue, s->destination, CL_TRUE, 0, BYTES, values, 0, NULL, NULL) ==
              CL_SUCCESS,
          "clEnqueueReadBuffer");
  for (size_t row = 0; row < BATCH * HEADS * TOKENS; row++) {
    const size_t batch = row / TOKENS / HEADS, head = row / TOKENS % HEADS, token = row % TOKENS;
    const size_t from = ((batch * TOKENS + token) * HEADS + head) * CHANNELS;
    for (size_t channel = 0; channel < CHANNELS; channel++) {
      require(values[at++] == (uint16_t)(from + channel), "an element is not where it belongs");
    }
  }
  free(values);
}

static void show_view(const setting *s) {
  const clrs_shape merged = {3, {BATCH, TOKENS, HEADS * CHANNELS}};
  clrs_plan plan;
  double seconds[ROUNDS];
  for (int round = 0; round < ROUNDS; round++) {
    const double start = now();
    plan_move(s, NULL, &merged, &plan);
    seconds[round] = now() - start;
  }
  require(plan.outcome == CLRS_OUTCOME_ALIAS, "a plain reshape is a view");
  printf("  reshape to [8,1024,768]: a view, decided in %.1f us; no byte moves\n",
         median(seconds, ROUNDS) * 1e6);
}

static void show_pass(const setting *s) {
  const int64_t order[] = {0, 2, 1, 3};
  const clrs_shape split = {3, {BATCH * HEADS, TOKENS, CHANNELS}};
  clrs_plan plan;
  double pass[ROUNDS], copy[ROUNDS];
  cl_mem target = clCreateBuffer(s->options.context, CL_MEM_READ_WRITE, BYTES, NULL, NULL);
  require(target != NULL, "clCreateBuffer");
  plan_move(s, order, &split, &plan);
  require(plan.outcome == CLRS_OUTCOME_AFFINE && plan.launch_count == 1, "one pass");
  (void)time_pass(s, &plan); /* builds the kernel */
  (void)time_copy(s, target);
  for (int round = 0; round < ROUNDS; round++) {
    pass[round] = time_pass(s, &plan);
    copy[round] = time_copy(s, target);
  }
  const double ours = median(pass, ROUNDS), plain = median(copy, ROUNDS);
  printf("  permute=0,2,1,3 reshape=96,1024,64: one pass, %.2f ms; %.1f GB/s\n", ours * 1e3,
         2.0 * BYTES / ours * 1e-9);
  printf("  clEnqueueCopyBuffer of as many bytes: %.2f ms; the pass has %.2f of its speed\n",
         plain * 1e3, plain / ours);
  clReleaseMemObject(target);
}

int main(void) {
  setting s = {0};
  set_up(&s);
  show_view(&s);
  show_pass(&s);
  verify(&s);
  puts("  every element compared: all where they belong");
  clReleaseMemObject(s.source);
  clReleaseMemObject(s.destination);
  clReleaseCommandQueue(s.queue);
  clrs_context_release(s.context);
  clReleaseContext(s.options.context);
  return 0;
}
