/*
 * No defect by OpenCL 1.2, but to be known: when a blocking write has returned, a kernel on another
 * queue may still find the old bytes. The standard promises only that the host's memory may be used
 * again. Intel's CPU runtime makes use of that rule, so the write's event must be waited for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static int ask(void) {
  enum { TIMES = 2000 };
  const opened o = defect_open();
  int stale = 0;
  for (int i = 0; i < TIMES; i++) {
    const int before[4] = {1, 1, 1, 1};
    int after[4] = {0};
    cl_int code;
    cl_command_queue other = clCreateCommandQueue(o.context, o.device, 0, &code);
    need(code, "clCreateCommandQueue");
    need(clEnqueueWriteBuffer(other, o.buffer, CL_TRUE, 0, sizeof before, before, 0, NULL, NULL),
         "clEnqueueWriteBuffer");
    cl_event event = defect_launch(&o, o.in_order, NULL);
    need(clWaitForEvents(1, &event), "clWaitForEvents");
    need(clFinish(other), "clFinish"); /* a late write comes after the kernel's */
    need(clEnqueueReadBuffer(o.in_order, o.buffer, CL_TRUE, 0, sizeof after, after, 0, NULL, NULL),
         "clEnqueueReadBuffer");
    stale += after[0] != 7;
    need(clReleaseEvent(event), "clReleaseEvent");
    need(clReleaseCommandQueue(other), "clReleaseCommandQueue");
  }
  printf("a blocking write took effect after it had returned: %d of %d times\n", stale, TIMES);
  return stale ? DEFECT_SHOWN : DEFECT_NONE;
}

int main(void) {
  return defect_ask(ask, "a blocking write");
}
