/*
 * A kernel retains the program: after the caller's last release the program is alive, and
 * clGetKernelInfo returns the program. Intel's CPU runtime gives a handle that clGetProgramInfo
 * does not know.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static int ask(void) {
  const opened o = defect_open();
  cl_program program = NULL;
  size_t size = 0;
  need(clReleaseProgram(o.program), "clReleaseProgram");
  need(clGetKernelInfo(o.kernel, CL_KERNEL_PROGRAM, sizeof program, (void *)&program, NULL),
       "clGetKernelInfo");
  const cl_int code = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
  printf("the program of a living kernel, released by its maker: clGetProgramInfo says %d\n",
         (int)code);
  return code == CL_SUCCESS ? DEFECT_NONE : DEFECT_SHOWN;
}

int main(void) {
  return defect_ask(ask, "the program of a living kernel");
}
