/*
 * Two kernels wait for an event that fails, and a marker waits for both kernels: all three have
 * failed. Intel's CPU runtime ends the process in clSetUserEventStatus. Behind only one kernel, or
 * behind the gate, the marker fails correctly.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static int ask(void) {
  const opened o = defect_open();
  cl_event gate = defect_gate(&o), marker = NULL;
  const cl_event both[2] = {defect_launch(&o, o.in_order, gate),
                            defect_launch(&o, o.in_order, gate)};
  need(clEnqueueMarkerWithWaitList(o.in_order, 2, both, &marker), "clEnqueueMarkerWithWaitList");
  defect_flush(&o, o.in_order);
  need(clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES), "clSetUserEventStatus");
  const cl_int waited = clWaitForEvents(1, &marker);
  printf("a marker behind two kernels whose producer failed: clWaitForEvents says %d\n",
         (int)waited);
  return waited < 0 ? DEFECT_NONE : DEFECT_SHOWN;
}

int main(void) {
  return defect_ask(ask, "a marker behind two kernels whose producer failed");
}
