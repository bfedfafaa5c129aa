/*
 * On an unordered queue a marker waits for an event that fails. The marker has failed, the marker's
 * event is released, and the queue is empty. On Intel's CPU runtime clFinish never ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static int ask(void) {
  const opened o = defect_open();
  cl_command_queue queue = defect_unordered(&o);
  cl_event gate = defect_gate(&o), marker = NULL;
  need(clEnqueueMarkerWithWaitList(queue, 1, &gate, &marker), "clEnqueueMarkerWithWaitList");
  defect_flush(&o, queue);
  need(clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES), "clSetUserEventStatus");
  const cl_int waited = clWaitForEvents(1, &marker);
  need(clReleaseEvent(marker), "clReleaseEvent");
  need(clReleaseEvent(gate), "clReleaseEvent");
  const cl_int finished = clFinish(queue);
  printf("a marker behind what failed, unordered: clWaitForEvents says %d, clFinish %d\n",
         (int)waited, (int)finished);
  return waited < 0 ? DEFECT_NONE : DEFECT_SHOWN;
}

int main(void) {
  return defect_ask(ask, "clFinish after a marker that failed, queue unordered");
}
