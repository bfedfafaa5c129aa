/*
 * On an unordered queue a first kernel waits for an event that fails, and a second kernel waits for
 * nothing. The first fails, the second runs. Intel's CPU runtime ends the process. rusticl fails
 * both kernels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static int ask(void) {
  const opened o = defect_open();
  cl_command_queue queue = defect_unordered(&o);
  for (int i = 0; i < 500; i++) {
    cl_event gate = defect_gate(&o);
    cl_event fails = defect_launch(&o, queue, gate), runs = defect_launch(&o, queue, NULL);
    defect_flush(&o, queue);
    need(clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES), "clSetUserEventStatus");
    (void)clWaitForEvents(1, &fails);
    const cl_int waited = clWaitForEvents(1, &runs);
    if (waited != CL_SUCCESS) {
      printf(
          "a kernel beside a failing one, unordered: clWaitForEvents says %d, its status is %d\n",
          (int)waited, (int)defect_status(runs));
      return DEFECT_SHOWN;
    }
    (void)clFinish(queue);
    need(clReleaseEvent(fails), "clReleaseEvent");
    need(clReleaseEvent(runs), "clReleaseEvent");
    need(clReleaseEvent(gate), "clReleaseEvent");
  }
  printf("a failing kernel beside one that runs, unordered: 500 times\n");
  return DEFECT_NONE;
}

int main(void) {
  return defect_ask(ask, "a failing kernel beside one that runs, queue unordered");
}
