/*
 * A kernel is enqueued behind an event that has failed already: the call fails, or the kernel. On
 * PoCL 3 the kernel never ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static int ask(void) {
  const opened o = defect_open();
  const size_t items = 4;
  cl_event gate = defect_gate(&o), event = NULL;
  need(clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES), "clSetUserEventStatus");
  const cl_int enqueued =
      clEnqueueNDRangeKernel(o.in_order, o.kernel, 1, NULL, &items, NULL, 1, &gate, &event);
  const cl_int waited = enqueued == CL_SUCCESS ? clWaitForEvents(1, &event) : CL_SUCCESS;
  printf("a kernel behind an event that has failed: the call says %d, clWaitForEvents %d\n",
         (int)enqueued, (int)waited);
  return enqueued < 0 || waited < 0 ? DEFECT_NONE : DEFECT_SHOWN;
}

int main(void) {
  return defect_ask(ask, "a kernel behind an event that has failed");
}
