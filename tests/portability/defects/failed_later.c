/*
 * On an unordered queue a kernel waits for another kernel, which waits for an event that fails:
 * both have failed. Oclgrind begins the first kernel when the second kernel is to begin, and does
 * not check the result of the first kernel. The second kernel runs, and reports success.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static int ask(void) {
  const opened o = defect_open();
  cl_command_queue queue = defect_unordered(&o);
  cl_event gate = defect_gate(&o), first = defect_launch(&o, queue, gate);
  cl_event second = defect_launch(&o, queue, first);
  defect_flush(&o, queue);
  need(clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES), "clSetUserEventStatus");
  const cl_int waited = clWaitForEvents(1, &second), status = defect_status(second);
  printf(
      "a kernel behind a kernel whose producer failed, queue unordered: clWaitForEvents says %d, "
      "the event's status is %d\n",
      (int)waited, (int)status);
  return waited < 0 ? DEFECT_NONE : DEFECT_SHOWN;
}

int main(void) {
  return defect_ask(ask, "a kernel behind a kernel whose producer failed, queue unordered");
}
