/*
 * A buffer with CL_MEM_USE_HOST_PTR on memory of clSVMAlloc is no part of another buffer, so the
 * buffer has no associated memory object. Intel's CPU runtime names an object that
 * clGetMemObjectInfo does not know.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 200
#include "defect.h"

#include <stdio.h>

/* A driver of an older OpenCL than 2.0 has no clSVMAlloc to call. */
static void *allocate(const opened *o, size_t bytes) {
  cl_device_svm_capabilities can = 0;
  return clGetDeviceInfo(o->device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL) ==
                     CL_SUCCESS &&
                 can != 0
             ? clSVMAlloc(o->context, CL_MEM_READ_WRITE, bytes, 0)
             : NULL;
}

static int ask(void) {
  enum { BYTES = 4096 };
  const opened o = defect_open();
  void *memory = allocate(&o, BYTES);
  cl_mem parent = NULL;
  size_t size = 0;
  cl_int code = CL_SUCCESS;
  if (memory == NULL) {
    printf("the device has no shared virtual memory\n");
    return DEFECT_CANNOT_TELL;
  }
  cl_mem buffer =
      clCreateBuffer(o.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, BYTES, memory, &code);
  need(code, "clCreateBuffer");
  need(
      clGetMemObjectInfo(buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, (void *)&parent, NULL),
      "clGetMemObjectInfo");
  if (parent == NULL) {
    printf("a buffer in shared virtual memory has no parent\n");
    return DEFECT_NONE;
  }
  code = clGetMemObjectInfo(parent, CL_MEM_SIZE, sizeof size, &size, NULL);
  printf("a buffer in shared virtual memory has a parent, of which clGetMemObjectInfo says %d\n",
         (int)code);
  return DEFECT_SHOWN;
}

int main(void) {
  return defect_ask(ask, "a buffer in shared virtual memory");
}
