/*
 * A kernel on an ordered queue fails with the producer, and the queue is finished. The standard
 * does not say that the queue is then unusable, but rusticl fails the next command.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static int ask(void) {
  const opened o = defect_open();
  int got = 0;
  cl_event gate = defect_gate(&o), event = defect_launch(&o, o.in_order, gate);
  defect_flush(&o, o.in_order);
  need(clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES), "clSetUserEventStatus");
  (void)clWaitForEvents(1, &event);
  const cl_int finished = clFinish(o.in_order);
  const cl_int code =
      clEnqueueReadBuffer(o.in_order, o.buffer, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL);
  printf("an ordered queue after a kernel that failed: clFinish says %d, a blocking read %d\n",
         (int)finished, (int)code);
  return code == CL_SUCCESS ? DEFECT_NONE : DEFECT_SHOWN;
}

int main(void) {
  return defect_ask(ask, "an ordered queue after a kernel that failed");
}
