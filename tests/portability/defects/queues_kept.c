/*
 * No defect by OpenCL 1.2, but to be known: the memory of a queue is not freed with the queue.
 * Rusticl keeps 8 MiB of each for a later queue. A release returns before the queue's thread has
 * ended, so a queue created right after may take as much again. The number of kept queues therefore
 * depends on timing. Beyond the peak of live queues, thousands of queues take little. Once there
 * are more than ever live at once, thousands take little.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>
#include <unistd.h>

enum { AT_ONCE = 16, ONE_BY_ONE = 2000, MOST_KIB = 1024 };

static long resident_kib(void) {
  long pages[2] = {0, 0};
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &pages[0], &pages[1]) != 2)
    need(CL_OUT_OF_HOST_MEMORY, "/proc/self/statm");
  else
    (void)fclose(file);
  return pages[1] * (sysconf(_SC_PAGESIZE) / 1024);
}

static cl_command_queue make(const opened *o) {
  cl_int code;
  cl_command_queue queue = clCreateCommandQueue(o->context, o->device, 0, &code);
  need(code, "clCreateCommandQueue");
  return queue;
}

static void make_at_once(const opened *o) {
  cl_command_queue queues[AT_ONCE];
  for (int i = 0; i < AT_ONCE; i++)
    queues[i] = make(o);
  for (int i = 0; i < AT_ONCE; i++)
    need(clReleaseCommandQueue(queues[i]), "clReleaseCommandQueue");
  (void)sleep(1); /* their threads end */
}

static void make_one_by_one(const opened *o) {
  for (int i = 0; i < ONE_BY_ONE; i++) {
    cl_command_queue queue = make(o);
    cl_event event = defect_launch(o, queue, NULL);
    need(clWaitForEvents(1, &event), "clWaitForEvents");
    need(clReleaseEvent(event), "clReleaseEvent");
    need(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
  }
}

static int ask(void) {
  const opened o = defect_open();
  const long before = resident_kib();
  make_at_once(&o);
  const long kept = resident_kib() - before;
  make_one_by_one(&o);
  const long more = resident_kib() - before - kept;
  printf("%d queues at once, released, leave %ld KiB behind, %d one by one after them %ld KiB\n",
         AT_ONCE, kept, ONE_BY_ONE, more);
  return kept > MOST_KIB ? DEFECT_SHOWN : DEFECT_NONE;
}

int main(void) {
  return defect_ask(ask, "queues that are released");
}
