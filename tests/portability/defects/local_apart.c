/*
 * A function may read the local memory of its caller. PoCL 3.1 moves a kernel's local arrays behind
 * the kernel's arguments, and leaves functions as they are. If clang has replaced a function's
 * pointer by the array itself, because all calls pass the same array, the function reads memory
 * that nothing writes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static const char *source =
    "__attribute__((noinline)) static uint read(__local const uint *shared, uint i) {\n"
    "  return shared[i] + shared[15 - i];\n"
    "}\n"
    "__kernel void sum(__global uint *to) {\n"
    "  __local uint shared[16];\n"
    "  const uint i = get_local_id(0);\n"
    "  shared[i] = i;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  to[i] = read(shared, i) + read(shared, i ^ 1);\n"
    "}\n";

static int ask(void) {
  enum { COUNT = 16 };
  const opened o = defect_open();
  cl_kernel kernel = defect_kernel(&o, source, "sum");
  const size_t items = COUNT;
  cl_uint got[COUNT];
  int wrong = 0;
  need(clEnqueueNDRangeKernel(o.in_order, kernel, 1, NULL, &items, &items, 0, NULL, NULL),
       "launch");
  need(clEnqueueReadBuffer(o.in_order, o.buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL),
       "read");
  for (int i = 0; i < COUNT; i++)
    wrong += got[i] != 30;
  printf("a function that is not inlined and reads local memory: %d of %d sums are wrong\n", wrong,
         COUNT);
  return wrong == 0 ? DEFECT_NONE : DEFECT_SHOWN;
}

int main(void) {
  return defect_ask(ask, "a function that is not inlined and reads local memory");
}
