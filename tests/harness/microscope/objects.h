/*
 * The microscope: an OpenCL device of our own, loaded like any other (OCL_ICD_VENDORS). The device
 * compiles the kernels for this machine with clang's sanitizers. Work-items run in sequence, on
 * buffers of exactly the requested size. Therefore a read or write of one byte outside a buffer, a
 * misaligned line or an overflow ends the program with a report that names the kernel's line.
 *
 * Every command completes when enqueued, so all events are complete. The device offers the
 * functions that the library, the program and the tests of moves call. User events, images and
 * callbacks are missing.
 *
 *   CLRS_MICROSCOPE_CACHE   folder for compiled kernels (required to build one)
 *   CLRS_MICROSCOPE_CLANG   compiler (default: clang)
 *   CLRS_MICROSCOPE_FLAGS   compiler options (default: address and undefined, unoptimized)
 *   CLRS_MICROSCOPE_SOURCES folder of the kernels, so that reports name the files
 *   CLRS_MICROSCOPE_RACES   1: no two work-items may write the same byte of a buffer
 *   CLRS_MICROSCOPE_FROM, _TO, _PLANTED   planted bugs: the text FROM, which a source must not hold
 *                           twice, is replaced by TO, and the file PLANTED is then made
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MICROSCOPE_OBJECTS_H
#define CLRS_MICROSCOPE_OBJECTS_H

#include <CL/cl_icd.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first fields of every object. The loader reads the first word. */
typedef struct object {
  const cl_icd_dispatch *dispatch;
  atomic_uint references;
} object;

struct _cl_platform_id {
  object head;
};
struct _cl_device_id {
  object head;
};
struct _cl_context {
  object head;
};
struct _cl_command_queue {
  object head;
  cl_context context;
};
struct _cl_event {
  object head;
  cl_command_queue queue;
  cl_command_type type;
};
struct _cl_mem {
  object head;
  cl_context context;
  cl_mem parent; /* of a sub-buffer */
  cl_mem_flags flags;
  size_t size, offset;
  unsigned char *bytes;
  void *host;  /* CL_MEM_USE_HOST_PTR */
  cl_mem next; /* list of all live buffers */
};

enum { MAX_ARGUMENTS = 24, MAX_ARGUMENT_BYTES = 1024 };

struct _cl_program {
  object head;
  cl_context context;
  char *source;   /* all texts, concatenated */
  char *includes; /* the same as #include lines of CLRS_MICROSCOPE_SOURCES, or NULL */
  char *log;
  void *library; /* after the build */
};

typedef struct argument {
  size_t size;
  bool is_set, is_local; /* local: `size` bytes for each group */
  cl_mem buffer;
  _Alignas(16) unsigned char bytes[MAX_ARGUMENT_BYTES];
} argument;

struct _cl_kernel {
  object head;
  cl_program program;
  void (*entry)(void);
  cl_uint argument_count; /* arguments set so far, from 0 on */
  argument arguments[MAX_ARGUMENTS];
};

extern struct _cl_platform_id microscope_platform;
extern struct _cl_device_id microscope_device;
extern const cl_icd_dispatch microscope_dispatch;

/* Returns a zeroed object with one reference, or NULL. */
void *object_create(size_t size);
/* True for the last reference. */
bool object_drop(void *any);
/* The end of every clGet...Info: CL_INVALID_VALUE if there is no room. */
cl_int object_tell(size_t room, void *to, size_t *size, const void *from, size_t bytes);
/* Makes a complete event if the caller wants an event. */
cl_int object_complete(cl_command_queue queue, cl_command_type type, cl_event *event);

/* Compiles for this machine, or takes the library from the cache. NULL and the reason in *log,
 * which the caller frees, if that fails. */
void *microscope_compile(const struct _cl_program *program, const char *options, char **log);

/* Returns true for a live buffer. clSetKernelArg gets numbers and handles alike. Numbers and
 * handles come by the same door to clSetKernelArg. */
bool memory_is_buffer(const void *candidate);

/* The request of a clEnqueueNDRangeKernel. */
typedef struct work_range {
  cl_uint dims;
  size_t offset[3], global[3], local[3];
} work_range;

cl_int microscope_run(cl_kernel kernel, const work_range *range);

/* objects.c */
CL_API_ENTRY cl_context CL_API_CALL my_clCreateContext(
    const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
    cl_int *code);
CL_API_ENTRY cl_int CL_API_CALL my_clRetainContext(cl_context context);
CL_API_ENTRY cl_int CL_API_CALL my_clReleaseContext(cl_context context);
CL_API_ENTRY cl_int CL_API_CALL my_clGetContextInfo(cl_context context, cl_context_info name,
                                                    size_t room, void *value, size_t *size);
CL_API_ENTRY cl_command_queue CL_API_CALL my_clCreateCommandQueue(
    cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *code);
CL_API_ENTRY cl_int CL_API_CALL my_clRetainCommandQueue(cl_command_queue queue);
CL_API_ENTRY cl_int CL_API_CALL my_clReleaseCommandQueue(cl_command_queue queue);
CL_API_ENTRY cl_int CL_API_CALL my_clGetCommandQueueInfo(cl_command_queue queue,
                                                         cl_command_queue_info name, size_t room,
                                                         void *value, size_t *size);
CL_API_ENTRY cl_int CL_API_CALL my_clFlush(cl_command_queue queue);
CL_API_ENTRY cl_int CL_API_CALL my_clFinish(cl_command_queue queue);
CL_API_ENTRY cl_int CL_API_CALL my_clWaitForEvents(cl_uint count, const cl_event *events);
CL_API_ENTRY cl_int CL_API_CALL my_clGetEventInfo(cl_event event, cl_event_info name, size_t room,
                                                  void *value, size_t *size);
CL_API_ENTRY cl_int CL_API_CALL my_clRetainEvent(cl_event event);
CL_API_ENTRY cl_int CL_API_CALL my_clReleaseEvent(cl_event event);
CL_API_ENTRY cl_int CL_API_CALL my_clEnqueueMarkerWithWaitList(cl_command_queue queue,
                                                               cl_uint count, const cl_event *waits,
                                                               cl_event *event);

/* memory.c */
CL_API_ENTRY cl_mem CL_API_CALL my_clCreateBuffer(cl_context context, cl_mem_flags flags,
                                                  size_t size, void *host, cl_int *code);
CL_API_ENTRY cl_mem CL_API_CALL my_clCreateSubBuffer(cl_mem parent, cl_mem_flags flags,
                                                     cl_buffer_create_type type, const void *region,
                                                     cl_int *code);
CL_API_ENTRY cl_int CL_API_CALL my_clRetainMemObject(cl_mem mem);
CL_API_ENTRY cl_int CL_API_CALL my_clReleaseMemObject(cl_mem mem);
CL_API_ENTRY cl_int CL_API_CALL my_clGetMemObjectInfo(cl_mem mem, cl_mem_info name, size_t room,
                                                      void *value, size_t *size);
CL_API_ENTRY cl_int CL_API_CALL my_clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem,
                                                       cl_bool blocking, size_t offset, size_t size,
                                                       void *to, cl_uint count,
                                                       const cl_event *waits, cl_event *event);
CL_API_ENTRY cl_int CL_API_CALL my_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem,
                                                        cl_bool blocking, size_t offset,
                                                        size_t size, const void *from,
                                                        cl_uint count, const cl_event *waits,
                                                        cl_event *event);
CL_API_ENTRY cl_int CL_API_CALL my_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from,
                                                       cl_mem to, size_t from_offset,
                                                       size_t to_offset, size_t size, cl_uint count,
                                                       const cl_event *waits, cl_event *event);
CL_API_ENTRY cl_int CL_API_CALL my_clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem,
                                                       const void *pattern, size_t pattern_size,
                                                       size_t offset, size_t size, cl_uint count,
                                                       const cl_event *waits, cl_event *event);
CL_API_ENTRY void *CL_API_CALL my_clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem,
                                                     cl_bool blocking, cl_map_flags flags,
                                                     size_t offset, size_t size, cl_uint count,
                                                     const cl_event *waits, cl_event *event,
                                                     cl_int *code);
CL_API_ENTRY cl_int CL_API_CALL my_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem,
                                                           void *mapped, cl_uint count,
                                                           const cl_event *waits, cl_event *event);

/* programs.c */
CL_API_ENTRY cl_program CL_API_CALL my_clCreateProgramWithSource(cl_context context, cl_uint count,
                                                                 const char **texts,
                                                                 const size_t *lengths,
                                                                 cl_int *code);
CL_API_ENTRY cl_int CL_API_CALL my_clRetainProgram(cl_program program);
CL_API_ENTRY cl_int CL_API_CALL my_clReleaseProgram(cl_program program);
CL_API_ENTRY cl_int CL_API_CALL my_clBuildProgram(cl_program program, cl_uint count,
                                                  const cl_device_id *devices, const char *options,
                                                  void(CL_CALLBACK *notify)(cl_program, void *),
                                                  void *user);
CL_API_ENTRY cl_int CL_API_CALL my_clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                                         cl_program_build_info name, size_t room,
                                                         void *value, size_t *size);
CL_API_ENTRY cl_kernel CL_API_CALL my_clCreateKernel(cl_program program, const char *name,
                                                     cl_int *code);
CL_API_ENTRY cl_int CL_API_CALL my_clRetainKernel(cl_kernel kernel);
CL_API_ENTRY cl_int CL_API_CALL my_clReleaseKernel(cl_kernel kernel);
CL_API_ENTRY cl_int CL_API_CALL my_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size,
                                                  const void *value);
CL_API_ENTRY cl_int CL_API_CALL my_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                          cl_uint dims, const size_t *offset,
                                                          const size_t *global, const size_t *local,
                                                          cl_uint count, const cl_event *waits,
                                                          cl_event *event);

#endif
