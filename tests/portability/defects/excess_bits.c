/*
 * A sum of floats is a float. A device that computes in x87 registers of 80 bits keeps more bits
 * until a result goes to memory. (x + 2^23) - 2^23 rounds a float to an integer, and then does not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static const char *source = "__kernel void nearest(__global float *x) {\n"
                            "  const size_t i = get_global_id(0);\n"
                            "  x[i] = (x[i] + 8388608.0f) - 8388608.0f;\n"
                            "}\n";

static int ask(void) {
  enum { COUNT = 16 };
  const opened o = defect_open();
  cl_kernel kernel = defect_kernel(&o, source, "nearest");
  const size_t items = COUNT;
  cl_float x[COUNT];
  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    x[i] = (cl_float)i + 0.25f;
  need(clEnqueueWriteBuffer(o.in_order, o.buffer, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL), "write");
  need(clEnqueueNDRangeKernel(o.in_order, kernel, 1, NULL, &items, NULL, 0, NULL, NULL), "launch");
  need(clEnqueueReadBuffer(o.in_order, o.buffer, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL), "read");
  for (int i = 0; i < COUNT; i++)
    wrong += x[i] != (cl_float)i;
  printf("%d of %d sums of floats keep more bits than a float has\n", wrong, COUNT);
  return wrong == 0 ? DEFECT_NONE : DEFECT_SHOWN;
}

int main(void) {
  return defect_ask(ask, "a sum of floats");
}
