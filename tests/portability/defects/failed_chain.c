/*
 * Two kernels in an ordered queue. The second waits for the first, which waits for an event that
 * fails. Both have failed. Intel's CPU runtime reports success of the second kernel, in the status
 * and in clWaitForEvents.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static int ask(void) {
  const opened o = defect_open();
  cl_event gate = defect_gate(&o), first = defect_launch(&o, o.in_order, gate);
  cl_event second = defect_launch(&o, o.in_order, first);
  defect_flush(&o, o.in_order);
  need(clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES), "clSetUserEventStatus");
  const cl_int waited = clWaitForEvents(1, &second), status = defect_status(second);
  printf("a kernel behind a kernel whose producer failed, queue in order: clWaitForEvents says %d, "
         "the event's status is %d\n",
         (int)waited, (int)status);
  return waited < 0 ? DEFECT_NONE : DEFECT_SHOWN;
}

int main(void) {
  return defect_ask(ask, "a kernel behind a kernel whose producer failed");
}
