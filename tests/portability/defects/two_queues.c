/*
 * Two queues of one context, each with a separate buffer that is filled while mapped, written by a
 * kernel and mapped again. All objects are made anew each time. Rusticl ends the process in about
 * three of four runs of so many rounds, in a queue's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST_SECONDS = 20, QUEUES = 2, BYTES = 4096 };

typedef struct lane {
  cl_command_queue queue;
  cl_mem buffer;
  cl_event ran;
} lane;

static void *map(const lane *l, cl_map_flags how, cl_uint count, const cl_event *after,
                 cl_event *mapped) {
  cl_int code;
  void *memory = clEnqueueMapBuffer(l->queue, l->buffer, mapped == NULL, how, 0, BYTES, count,
                                    after, mapped, &code);
  need(code, "clEnqueueMapBuffer");
  return memory;
}

static void begin(const opened *o, lane *l) {
  cl_int code;
  cl_event unmapped;
  l->queue = clCreateCommandQueue(o->context, o->device, 0, &code);
  need(code, "clCreateCommandQueue");
  l->buffer = clCreateBuffer(o->context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
  need(code, "clCreateBuffer");
  void *memory = map(l, CL_MAP_WRITE, 0, NULL, NULL);
  memset(memory, 0, BYTES);
  need(clEnqueueUnmapMemObject(l->queue, l->buffer, memory, 0, NULL, &unmapped), "unmap");
  need(clSetKernelArg(o->kernel, 0, sizeof l->buffer, (const void *)&l->buffer), "clSetKernelArg");
  l->ran = defect_launch(o, l->queue, unmapped);
  need(clReleaseEvent(unmapped), "clReleaseEvent");
  defect_flush(o, l->queue);
}

static void end(const lane *l) {
  cl_event mapped;
  void *memory = map(l, CL_MAP_READ, 1, &l->ran, &mapped);
  need(clWaitForEvents(1, &mapped), "clWaitForEvents");
  need(clEnqueueUnmapMemObject(l->queue, l->buffer, memory, 0, NULL, NULL), "unmap");
  need(clReleaseEvent(mapped), "clReleaseEvent");
  need(clReleaseEvent(l->ran), "clReleaseEvent");
  need(clReleaseMemObject(l->buffer), "clReleaseMemObject");
  need(clReleaseCommandQueue(l->queue), "clReleaseCommandQueue");
}

static void use_once(void) {
  const opened o = defect_open();
  lane lanes[QUEUES];
  for (int i = 0; i < QUEUES; i++)
    begin(&o, &lanes[i]);
  for (int i = 0; i < QUEUES; i++)
    end(&lanes[i]);
  need(clReleaseMemObject(o.buffer), "clReleaseMemObject");
  need(clReleaseKernel(o.kernel), "clReleaseKernel");
  need(clReleaseProgram(o.program), "clReleaseProgram");
  need(clReleaseCommandQueue(o.in_order), "clReleaseCommandQueue");
  need(clReleaseContext(o.context), "clReleaseContext");
}

static int ask(void) {
  const time_t end_of_it = time(NULL) + MOST_SECONDS;
  while (time(NULL) < end_of_it)
    use_once();
  printf("nothing wrong in %d s\n", MOST_SECONDS);
  return DEFECT_NONE;
}

int main(void) {
  return defect_ask(ask, "two queues beside each other, each with a mapped buffer");
}
