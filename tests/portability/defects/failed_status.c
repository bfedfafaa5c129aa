/*
 * A command with a failed producer has failed, too, and the status is negative. On Intel's CPU
 * runtime the status is CL_COMPLETE, and only clWaitForEvents reports the failure. OpenCL 1.2,
 * 5.11: "If the execution of a command is terminated, the command-queue ... execution status of the
 * command is set to a negative integer value".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static int ask(void) {
  const opened o = defect_open();
  cl_event gate = defect_gate(&o), event = defect_launch(&o, o.in_order, gate);
  defect_flush(&o, o.in_order);
  need(clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES), "clSetUserEventStatus");
  const cl_int waited = clWaitForEvents(1, &event), status = defect_status(event);
  printf("a kernel whose producer failed: clWaitForEvents says %d, the event's status is %d\n",
         (int)waited, (int)status);
  return waited < 0 && status < 0 ? DEFECT_NONE : DEFECT_SHOWN;
}

int main(void) {
  return defect_ask(ask, "a kernel whose producer failed");
}
