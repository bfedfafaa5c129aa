/*
 * Stands in front of the OpenCL loader. See falsify.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "falsify.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

falsified falsify;
static char last[80]; /* the kernel that was launched last */

/* POSIX defines this conversion, ISO C does not. */
static void find_next(const char *name, void *function) {
  void *symbol = dlsym(RTLD_NEXT, name);
  memcpy(function, &symbol, sizeof symbol);
}

EXPORTED cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                   cl_uint dims, const size_t *offset,
                                                   const size_t *global, const size_t *local,
                                                   cl_uint waits, const cl_event *wait_list,
                                                   cl_event *event) {
  cl_int (*next)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                 const size_t *, cl_uint, const cl_event *, cl_event *);
  find_next("clEnqueueNDRangeKernel", &next);
  falsify.launches++;
  last[0] = '\0';
  (void)clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof last, last, NULL);
  return next(queue, kernel, dims, offset, global, local, waits, wait_list, event);
}

EXPORTED cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer,
                                                cl_bool blocking, size_t offset, size_t size,
                                                void *to, cl_uint waits, const cl_event *wait_list,
                                                cl_event *event) {
  cl_int (*next)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint,
                 const cl_event *, cl_event *);
  find_next("clEnqueueReadBuffer", &next);
  const cl_int code = next(queue, buffer, blocking, offset, size, to, waits, wait_list, event);
  if (falsify.kernel && blocking && code == CL_SUCCESS && falsify.byte < size &&
      strncmp(last, falsify.kernel, strlen(falsify.kernel)) == 0)
    ((unsigned char *)to)[falsify.byte] ^= 1;
  return code;
}

EXPORTED cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                           cl_command_queue_properties properties,
                                                           cl_int *code) {
  cl_command_queue (*next)(cl_context, cl_device_id, cl_command_queue_properties, cl_int *);
  find_next("clCreateCommandQueue", &next);
  if (falsify.lacks_queues) {
    *code = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  return next(context, device, properties, code);
}
