/*
 * The first move of a process, and the second. See first_row.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "first_row.h"

#include <clreshape/clreshape.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const unsigned char element[16] = {0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6, 0x17, 0x28,
                                          0x39, 0x4A, 0x5B, 0x6C, 0x7D, 0x8E, 0x9F, 0x60};

typedef struct side {
  oracle where;
  bit_span span;
  size_t size;
  unsigned char *bytes;
  cl_mem buffer;
} side;

/* The objects of a measurement. */
typedef struct work {
  const first_row *row;
  first_case given;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_kernel empty;
  clrs_context *library;
  clrs_tensor *filled;
  side source, destination;
  char failure[700];
} work;

static double read_clock(clockid_t clock) {
  struct timespec t;
  (void)clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void) {
  return read_clock(CLOCK_MONOTONIC);
}

static bool opencl(work *w, cl_int code, const char *call) {
  if (code != CL_SUCCESS)
    (void)snprintf(w->failure, sizeof w->failure, "%s says %d", call, (int)code);
  return code == CL_SUCCESS;
}

static bool library(work *w, clrs_status status, const clrs_error *error) {
  if (status != CLRS_OK)
    (void)snprintf(w->failure, sizeof w->failure, "%s: %.600s", clrs_status_name(status),
                   error->message);
  return status == CLRS_OK;
}

static bool open_device(work *w) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_int code = CL_DEVICE_NOT_FOUND;
  if (!opencl(w, clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs"))
    return false;
  for (cl_uint i = 0; i < count && i < 16 && code != CL_SUCCESS; i++)
    code = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &w->device, NULL);
  if (!opencl(w, code, "clGetDeviceIDs"))
    return false;
  w->context = clCreateContext(NULL, 1, &w->device, NULL, NULL, &code);
  if (!opencl(w, code, "clCreateContext"))
    return false;
  w->queue = clCreateCommandQueue(w->context, w->device, 0, &code);
  return opencl(w, code, "clCreateCommandQueue");
}

static bool open_library(work *w) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  clrs_error error;
  options.context = w->context;
  options.device = w->device;
  options.limits.execution = w->row->execution;
  if (!library(w, clrs_context_create(&options, &w->library, &error), &error))
    return false;
  const clrs_device_limits limits = clrs_context_limits(w->library);
  if (first_row_case(w->row, &limits, &w->given))
    return true;
  (void)snprintf(w->failure, sizeof w->failure, "this device's limits leave no such move");
  return false;
}

/* Bytes that differ from each other, and from the other side's. */
static bool make_side(work *w, side *s, const clrs_layout *layout, uint32_t salt) {
  int64_t lowest, highest;
  cl_int code;
  s->where = oracle_from_layout(layout);
  s->span = bits_of(layout->dtype, 0);
  oracle_range(&s->where, &lowest, &highest);
  s->size = (size_t)bits_end(&s->span, highest);
  s->bytes = malloc(s->size);
  if (!s->bytes)
    return false;
  for (size_t i = 0; i < s->size; i++)
    s->bytes[i] = (unsigned char)(((uint32_t)i + salt) * 2654435761u >> 13);
  s->buffer = clCreateBuffer(w->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, s->size,
                             s->bytes, &code);
  return opencl(w, code, "clCreateBuffer");
}

static bool make_sides(work *w) {
  clrs_error error;
  if (!make_side(w, &w->source, &w->given.source, 0) ||
      !make_side(w, &w->destination, &w->given.destination, 77777))
    return false;
  const clrs_storage storage = {w->destination.buffer, 0};
  return library(
      w, clrs_tensor_wrap(w->library, &storage, &w->given.destination, &w->filled, &error), &error);
}

/* A single move, with the times of the enqueue and of the end. */
static bool move(work *w, double *enqueued, double *ended) {
  cl_event event = NULL;
  clrs_error error;
  const clrs_status status =
      w->row->kernel_class == CLRS__CLASS_FILL
          ? clrs_enqueue_fill(w->filled, element, &(clrs_on){.queue = w->queue}, &event, &error)
          : clrs_enqueue_plan(w->library, &w->given.plan,
                              &(clrs_plan_buffers){.source = w->source.buffer,
                                                   .destination = w->destination.buffer},
                              &(clrs_on){.queue = w->queue}, &event, &error);
  *enqueued = now();
  if (!library(w, status, &error) || !opencl(w, clWaitForEvents(1, &event), "clWaitForEvents"))
    return false;
  *ended = now();
  return opencl(w, clReleaseEvent(event), "clReleaseEvent");
}

static void expect(const work *w, unsigned char *expected) {
  const side *to = &w->destination;
  memcpy(expected, to->bytes, to->size);
  if (w->row->kernel_class != CLRS__CLASS_FILL) {
    bits_move(&w->source.span, w->source.bytes, &w->source.where, &to->span, expected, &to->where);
    return;
  }
  for (int64_t k = 0; k < to->where.count; k++)
    bits_copy(&to->span, element, 0, &to->span, expected, to->where.positions[k]);
}

static bool compare(work *w) {
  const size_t size = w->destination.size;
  unsigned char *expected = malloc(size), *got = malloc(size);
  bool same = expected && got &&
              opencl(w,
                     clEnqueueReadBuffer(w->queue, w->destination.buffer, CL_TRUE, 0, size, got, 0,
                                         NULL, NULL),
                     "clEnqueueReadBuffer");
  if (same) {
    expect(w, expected);
    same = memcmp(expected, got, size) == 0;
    if (!same)
      (void)snprintf(w->failure, sizeof w->failure, "WRONG bytes");
  }
  free(expected);
  free(got);
  return same;
}

/* ---- without the library ---- */

static bool launch(work *w, double *enqueued, double *ended) {
  const size_t items = sizeof element / sizeof(cl_uint);
  cl_event event = NULL;
  if (!opencl(w, clEnqueueNDRangeKernel(w->queue, w->empty, 1, NULL, &items, NULL, 0, NULL, &event),
              "clEnqueueNDRangeKernel"))
    return false;
  *enqueued = now();
  if (!opencl(w, clWaitForEvents(1, &event), "clWaitForEvents"))
    return false;
  *ended = now();
  return opencl(w, clReleaseEvent(event), "clReleaseEvent");
}

static bool build_and_launch(work *w, double *enqueued, double *ended) {
  static const char *source = "kernel void k(global uint *a) { a[get_global_id(0)] = 1; }";
  cl_int code;
  cl_program program = clCreateProgramWithSource(w->context, 1, &source, NULL, &code);
  if (!opencl(w, code, "clCreateProgramWithSource") ||
      !opencl(w, clBuildProgram(program, 1, &w->device, "", NULL, NULL), "clBuildProgram"))
    return false;
  w->empty = clCreateKernel(program, "k", &code);
  return opencl(w, code, "clCreateKernel") &&
         opencl(w,
                clSetKernelArg(w->empty, 0, sizeof w->destination.buffer,
                               (const void *)&w->destination.buffer),
                "clSetKernelArg") &&
         launch(w, enqueued, ended);
}

static bool make_buffer(work *w) {
  cl_int code;
  w->destination.buffer =
      clCreateBuffer(w->context, CL_MEM_READ_WRITE, sizeof element, NULL, &code);
  return opencl(w, code, "clCreateBuffer");
}

/* ---- either ---- */

static bool measure(work *w, first_times *times) {
  const bool is_empty = w->row->kernel_class == CLRS__CLASS_ANY;
  double begin = now(), enqueued, ended;
  if (!open_device(w))
    return false;
  times->context = now() - begin;
  if (is_empty ? !make_buffer(w) : !open_library(w) || !make_sides(w))
    return false;
  const double cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID);
  begin = now();
  if (is_empty ? !build_and_launch(w, &enqueued, &ended) : !move(w, &enqueued, &ended))
    return false;
  times->cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  times->build = enqueued - begin;
  times->run = ended - enqueued;
  begin = now();
  if (is_empty ? !launch(w, &enqueued, &ended) : !move(w, &enqueued, &ended))
    return false;
  times->second = ended - begin;
  return is_empty || compare(w);
}

/* The process ends with the measurement and frees the rest. Other tests check releases. */
const char *first_row_measure(const first_row *row, first_times *times) {
  static work w;
  w = (work){.row = row};
  return measure(&w, times) ? NULL : w.failure[0] != '\0' ? w.failure : "no memory";
}
