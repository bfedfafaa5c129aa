/*
 * The host cost of small operations, in nanoseconds: the median and the least of the samples. A
 * sample of empty_kernel and of small_move ends when the device has ended, every other sample when
 * the call returns. To compare two commits, run the programs of both in turn, several times.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "consumer/speed.h"
#include "harness/device.h"
#include "harness/works.h"

enum { SAMPLES = 301, APPENDS = 64, HEADS = 4, LENGTH = 256, WIDTH = 64 };

static test_device device;
static clrs_context *context;
static cl_kernel empty;
static clrs_view view;
static clrs_tensor *whole, *turned, *into, *rows, *cache; /* turned: `whole`, transposed */
static clrs_work *one, *all, *to_append;                  /* to_append: either of the two */
static size_t sample;

#define TRY(call) check_status((call), CLRS_OK, &error, #call, __FILE__, __LINE__)

static clrs_tensor *tensor_of(clrs_shape shape) {
  clrs_tensor *tensor = NULL;
  TRY(clrs_tensor_allocate(context, NULL, CLRS_F32, &shape, &tensor, &error));
  return tensor;
}

static void open_sequences(void) {
  static clrs_view from[APPENDS], to[APPENDS];
  static test_task tasks[APPENDS];
  const int64_t row = HEADS * WIDTH, line = LENGTH * WIDTH;
  rows = tensor_of((clrs_shape){1, {APPENDS * row}});
  cache = tensor_of((clrs_shape){1, {APPENDS * HEADS * line}});
  for (int64_t i = 0; i < APPENDS; i++) {
    const clrs_layout given = {CLRS_F32, 2, {HEADS, WIDTH}, {WIDTH, 1}, i * row};
    const clrs_layout place = {CLRS_F32, 2, {HEADS, WIDTH}, {line, 1}, i * HEADS * line};
    TRY(clrs_view_from_layout(&given, &from[i], &error));
    TRY(clrs_view_from_layout(&place, &to[i], &error));
    tasks[i] = (test_task){.destination = 1, .from = &from[i], .to = &to[i]};
  }
  TRY(test_work_of_tasks(context, &(test_tasks){2, 1, tasks}, &one, &error));
  TRY(test_work_of_tasks(context, &(test_tasks){2, APPENDS, tasks}, &all, &error));
}

static void set_up(void) {
  device_open(&device);
  context = device_library(&device, NULL);
  cl_program program = clCreateProgramWithSource(
      device.context, 1, &(const char *){"kernel void empty(void) {}"}, NULL, NULL);
  CL_OK(clBuildProgram(program, 1, &device.device, "", NULL, NULL));
  empty = clCreateKernel(program, "empty", NULL);
  clReleaseProgram(program);
  whole = tensor_of((clrs_shape){2, {64, 64}});
  into = tensor_of((clrs_shape){2, {64, 64}});
  view = *clrs_tensor_view(whole);
  TRY(clrs_view_permute(&view, 2, LIST(1, 0), &error));
  TRY(clrs_tensor_with_view(whole, &view, &turned, &error));
  open_sequences();
}

static void tear_down(void) {
  clrs_work_release(one);
  clrs_work_release(all);
  for (int i = 0; i < 5; i++) {
    clrs_tensor_release((clrs_tensor *[]){whole, turned, into, rows, cache}[i]);
  }
  clrs_context_release(context);
  clReleaseKernel(empty);
  device_close(&device);
}

/* [8,1024,768] -> [8,1024,12,64] -> [8,12,1024,64] */
static void make_view(void) {
  const clrs_shape joined = {3, {8, 1024, 768}}, split = {4, {8, 1024, 12, 64}};
  TRY(clrs_view_dense(CLRS_F16, &joined, &view, &error));
  TRY(clrs_view_reshape(&view, &split, &error));
  TRY(clrs_view_permute(&view, 4, LIST(0, 2, 1, 3), &error));
}

static void plan(void) {
  static clrs_plan made;
  const clrs_move move = {{&view, 0, 128}, {NULL, 0, 128}, CLRS_COPY_ALWAYS};
  TRY(clrs_plan_move(&move, &(clrs_device_limits)CLRS_DEVICE_LIMITS_INIT, &made, &error));
}

static void alias(void) {
  clrs_pattern pattern;
  clrs_tensor *result = NULL;
  TRY(clrs_pattern_init(CLRS_ONNX, CLRS_ZERO_COPIES, 2, LIST(16, -1), &pattern, &error));
  TRY(clrs_enqueue_reshape(whole, &pattern, CLRS_COPY_IF_NEEDED, &result, ON(device.queue), NULL,
                           &error));
  clrs_tensor_release(result);
}

static void launch_empty(void) {
  const size_t item = 1;
  CL_OK(clEnqueueNDRangeKernel(device.queue, empty, 1, NULL, &item, &item, 0, NULL, NULL));
}

static void small_move(void) {
  TRY(clrs_enqueue_move(turned, into, ON(device.queue), NULL, &error));
}

/* Each sample has another place. */
static void append(void) {
  const int64_t place = (int64_t)(sample % LENGTH) * WIDTH;
  const clrs_slot slots[] = {{.tensor = rows}, {.tensor = cache, .advance = place}};
  TRY(test_enqueue_slots(to_append, slots, ON(device.queue), NULL, &error));
}

static void measure(const char *name, void (*step)(void), size_t calls, bool waits) {
  double seconds[SAMPLES];
  step(); /* builds the kernels of the step */
  for (sample = 0; sample < SAMPLES; sample++) {
    CL_OK(clFinish(device.queue));
    const double begin = now();
    for (size_t i = 0; i < calls; i++) {
      step();
    }
    CL_OK(waits ? clFinish(device.queue) : CL_SUCCESS);
    seconds[sample] = (now() - begin) / (double)calls;
  }
  const double middle = median(seconds, SAMPLES);
  printf("%s\t%.1f\t%.1f\n", name, middle * 1e9, seconds[0] * 1e9);
}

int main(void) {
  if (device_missing() != 0) {
    return device_missing();
  }
  set_up();
  puts("name\tmedian_ns\tmin_ns");
  measure("view", make_view, 256, false);
  measure("plan", plan, 256, false);
  measure("alias", alias, 256, false);
  measure("empty_kernel", launch_empty, 1, true);
  measure("small_move", small_move, 1, true);
  measure("empty_enqueue", launch_empty, 1, false);
  to_append = one;
  measure("kept_enqueue", append, 1, false);
  to_append = all;
  measure("appends_enqueue", append, 1, false);
  tear_down();
  return 0;
}
