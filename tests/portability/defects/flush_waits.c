/*
 * clFlush submits the commands of a queue to the device and does not wait for completion (OpenCL
 * 1.2, 5.13). Oclgrind finishes the queue there. A command that waits for the caller's event never
 * ends, because the caller, inside clFlush, cannot set the event.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static int ask(void) {
  const opened o = defect_open();
  cl_event gate = defect_gate(&o), event = defect_launch(&o, o.in_order, gate);
  need(clFlush(o.in_order), "clFlush");
  need(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  need(clWaitForEvents(1, &event), "clWaitForEvents");
  printf("clFlush of a queue whose kernel waits for the caller's event: it returns\n");
  return DEFECT_NONE;
}

int main(void) {
  return defect_ask(ask, "clFlush of a queue whose kernel waits for the caller's event");
}
