/*
 * Freeing unified shared memory releases the references to the context that the memory took. PoCL
 * 6.0 keeps a reference, so that the context, and the queue that copied the memory, live until the
 * process ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "defect.h"

#include <stdio.h>
#include <string.h>

typedef void *(CL_API_CALL *allocate_fn)(cl_context, const void *, size_t, cl_uint, cl_int *);
typedef cl_int(CL_API_CALL *free_fn)(cl_context, void *);

static void find(const opened *o, const char *name, void *function) {
  cl_platform_id platform = NULL;
  need(clGetDeviceInfo(o->device, CL_DEVICE_PLATFORM, sizeof platform, (void *)&platform, NULL),
       "clGetDeviceInfo");
  void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
  need(found ? CL_SUCCESS : CL_INVALID_OPERATION, name);
  memcpy(function, (const void *)&found, sizeof found);
}

static cl_uint references(const opened *o) {
  cl_uint count = 0;
  need(clGetContextInfo(o->context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL),
       "clGetContextInfo");
  return count;
}

static int ask(void) {
  const opened o = defect_open();
  allocate_fn allocate;
  free_fn give_back;
  cl_int code;
  find(&o, "clHostMemAllocINTEL", (void *)&allocate);
  find(&o, "clMemBlockingFreeINTEL", (void *)&give_back);
  const cl_uint before = references(&o);
  void *memory = allocate(o.context, NULL, 4096, 0, &code);
  need(code, "clHostMemAllocINTEL");
  need(give_back(o.context, memory), "clMemBlockingFreeINTEL");
  const cl_uint after = references(&o);
  printf("of a context with %u references %u are left when unified shared memory is freed\n",
         before, after);
  return after > before ? DEFECT_SHOWN : DEFECT_NONE;
}

int main(void) {
  return defect_ask(ask, "unified shared memory that is freed");
}
