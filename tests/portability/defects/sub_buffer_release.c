/*
 * A sub-buffer is released while a kernel uses the parent buffer. PoCL 7.1 aborts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>

static int ask(void) {
  const opened o = defect_open();
  for (size_t i = 0; i < 20000; i++) {
    const cl_buffer_region region = {i % 4 * 4096, 4096};
    cl_int code;
    cl_mem part = clCreateSubBuffer(o.buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                    &region, &code);
    need(code, "clCreateSubBuffer");
    need(clReleaseEvent(defect_launch(&o, o.in_order, NULL)), "clReleaseEvent");
    need(clReleaseMemObject(part), "clReleaseMemObject");
    if (i % 64 == 63)
      need(clFinish(o.in_order), "clFinish");
  }
  need(clFinish(o.in_order), "clFinish");
  printf("a sub-buffer released while a kernel uses its root: 20,000 times\n");
  return DEFECT_NONE;
}

int main(void) {
  return defect_ask(ask, "a sub-buffer released while a kernel uses its root");
}
