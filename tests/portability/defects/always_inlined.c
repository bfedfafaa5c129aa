/*
 * A function that is always inlined may have pointers with restrict. Oclgrind makes no kernel that
 * calls such a function: clang leaves a helper at the inlined place that Oclgrind does not know.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static const char *source =
    "__attribute__((always_inline)) inline\n"
    "void twice(__global const long *restrict from, __global long *restrict to) {\n"
    "  *to = *from * 2;\n"
    "}\n"
    "__kernel void sum(__global long *to) {\n"
    "  for (size_t i = 0; i < get_global_size(0); i++) twice(to + i + 1, to);\n"
    "}\n";

static int ask(void) {
  const opened o = defect_open();
  cl_int code;
  cl_program program = clCreateProgramWithSource(o.context, 1, &source, NULL, &code);
  need(code, "clCreateProgramWithSource");
  need(clBuildProgram(program, 1, &o.device, "", NULL, NULL), "clBuildProgram");
  (void)clCreateKernel(program, "sum", &code);
  printf("a kernel that calls a function which is always inlined: clCreateKernel says %d\n",
         (int)code);
  return code == CL_SUCCESS ? DEFECT_NONE : DEFECT_SHOWN;
}

int main(void) {
  return defect_ask(ask, "a kernel that calls a function which is always inlined");
}
