/*
 * Stands in front of the OpenCL loader. See opencl_counts.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "opencl_counts.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

static opencl_counts counts;

opencl_counts opencl_counted(void) {
  return counts;
}

void opencl_counts_reset(void) {
  memset(&counts, 0, sizeof counts);
}

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
  counts.launches++;
  return next(queue, kernel, dims, offset, global, local, waits, wait_list, event);
}

EXPORTED cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info what, size_t size,
                                           void *value, size_t *size_needed) {
  cl_int (*next)(cl_event, cl_event_info, size_t, void *, size_t *);
  find_next("clGetEventInfo", &next);
  counts.event_questions++;
  return next(event, what, size, value, size_needed);
}

EXPORTED cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                          const char **texts, const size_t *lengths,
                                                          cl_int *code) {
  cl_program (*next)(cl_context, cl_uint, const char **, const size_t *, cl_int *);
  find_next("clCreateProgramWithSource", &next);
  counts.from_source++;
  return next(context, count, texts, lengths, code);
}

EXPORTED cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint count,
                                                          const cl_device_id *devices,
                                                          const size_t *lengths,
                                                          const unsigned char **binaries,
                                                          cl_int *statuses, cl_int *code) {
  cl_program (*next)(cl_context, cl_uint, const cl_device_id *, const size_t *,
                     const unsigned char **, cl_int *, cl_int *);
  find_next("clCreateProgramWithBinary", &next);
  counts.from_binary++;
  return next(context, count, devices, lengths, binaries, statuses, code);
}

EXPORTED cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                           void *host, cl_int *code) {
  cl_mem (*next)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
  find_next("clCreateBuffer", &next);
  if ((flags & CL_MEM_READ_ONLY) == 0) { /* no elements can be written there */
    counts.buffers++;
    counts.buffer_bytes += size;
  }
  return next(context, flags, size, host, code);
}

EXPORTED cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                                size_t from_offset, size_t to_offset, size_t size,
                                                cl_uint waits, const cl_event *wait_list,
                                                cl_event *event) {
  cl_int (*next)(cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint,
                 const cl_event *, cl_event *);
  find_next("clEnqueueCopyBuffer", &next);
  counts.transfers++;
  return next(queue, from, to, from_offset, to_offset, size, waits, wait_list, event);
}
