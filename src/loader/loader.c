/*
 * OpenCL by dlopen, in place of a linked loader. On Android, OpenCL is the vendor's library, with
 * one of several names. An app that links OpenCL does not start on a device without OpenCL. Built
 * into the library with CLRS_OPENCL_LOADER. The symbols are hidden.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "clreshape/device.h"

enum { NO_PLATFORM = -1001 }; /* CL_PLATFORM_NOT_FOUND_KHR, as from Khronos' loader */

static void *library;
static void *(*of_pixel)(const char *name); /* the library's own dlsym, or NULL */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ISO C has no cast to a function. */
static void look_up(const char *name, void *function) {
  void *const found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
}

/* A Pixel's library is off until enableOpenCL is called, and finds its functions by itself. */
static void enable(void) {
  void (*enable_opencl)(void) = NULL;
  look_up("enableOpenCL", &enable_opencl);
  if (enable_opencl != NULL) {
    enable_opencl();
    look_up("loadOpenCLPointer", &of_pixel);
  }
}

static void open_library(void) {
  static const char *const names[] = {"libOpenCL.so",
                                      "libOpenCL.so.1",
                                      "libOpenCL-pixel.so",
                                      "libOpenCL-car.so",
                                      "libGLES_mali.so",
                                      "libmali.so",
                                      "libPVROCL.so",
                                      "/vendor/lib64/libOpenCL.so",
                                      "/system/vendor/lib64/libOpenCL.so",
                                      "/vendor/lib64/egl/libGLES_mali.so",
                                      "/vendor/lib/libOpenCL.so",
                                      "/system/vendor/lib/libOpenCL.so",
                                      "/vendor/lib/egl/libGLES_mali.so"};
  const char *const wish = getenv("CLRS_OPENCL_LIBRARY");
  library = wish != NULL ? dlopen(wish, RTLD_NOW | RTLD_LOCAL) : NULL;
  for (size_t i = 0; wish == NULL && library == NULL && i < sizeof names / sizeof *names; i++) {
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  }
  if (library != NULL) {
    enable();
  }
}

/* Sets the pointer to a function, or to NULL. */
static void find(const char *name, void *function) {
  void *found = NULL;
  pthread_once(&once, open_library);
  if (of_pixel != NULL) {
    found = of_pixel(name);
  } else if (library != NULL) {
    found = dlsym(library, name);
  }
  memcpy(function, &found, sizeof found);
}

/* A function that answers with a code, and one that answers with an object and sets `code`. */
#define SAYS(name, parameters, arguments)                                                          \
  cl_int CL_API_CALL name parameters {                                                             \
    cl_int(CL_API_CALL *function) parameters = NULL; /* NOLINT(bugprone-macro-parentheses) */      \
    find(#name, &function);                                                                        \
    return function != NULL ? function arguments : NO_PLATFORM;                                    \
  }
#define GIVES(type, name, parameters, arguments)                                                   \
  type CL_API_CALL name parameters {                                                               \
    type(CL_API_CALL *function) parameters = NULL; /* NOLINT(bugprone-macro-parentheses) */        \
    find(#name, &function);                                                                        \
    if (function == NULL && code != NULL) {                                                        \
      *code = NO_PLATFORM;                                                                         \
    }                                                                                              \
    return function != NULL ? function arguments : NULL;                                           \
  }
#define ASKS(name, object, what)                                                                   \
  SAYS(name, (object o, what w, size_t n, void *v, size_t *r), (o, w, n, v, r))
#define HOLDS(name, object) SAYS(name, (object o), (o))

ASKS(clGetPlatformInfo, cl_platform_id, cl_platform_info)
ASKS(clGetDeviceInfo, cl_device_id, cl_device_info)
ASKS(clGetContextInfo, cl_context, cl_context_info)
ASKS(clGetCommandQueueInfo, cl_command_queue, cl_command_queue_info)
ASKS(clGetMemObjectInfo, cl_mem, cl_mem_info)
ASKS(clGetProgramInfo, cl_program, cl_program_info)
ASKS(clGetEventInfo, cl_event, cl_event_info)

HOLDS(clReleaseCommandQueue, cl_command_queue)
HOLDS(clReleaseContext, cl_context)
HOLDS(clReleaseEvent, cl_event)
HOLDS(clReleaseKernel, cl_kernel)
HOLDS(clReleaseMemObject, cl_mem)
HOLDS(clReleaseProgram, cl_program)
HOLDS(clRetainCommandQueue, cl_command_queue)
HOLDS(clRetainContext, cl_context)
HOLDS(clRetainEvent, cl_event)
HOLDS(clRetainMemObject, cl_mem)
HOLDS(clFinish, cl_command_queue)

SAYS(clGetProgramBuildInfo,
     (cl_program p, cl_device_id d, cl_program_build_info w, size_t n, void *v, size_t *r),
     (p, d, w, n, v, r))
SAYS(clGetKernelWorkGroupInfo,
     (cl_kernel k, cl_device_id d, cl_kernel_work_group_info w, size_t n, void *v, size_t *r),
     (k, d, w, n, v, r))
SAYS(clSetKernelArg, (cl_kernel k, cl_uint i, size_t n, const void *v), (k, i, n, v))
SAYS(clWaitForEvents, (cl_uint n, const cl_event *e), (n, e))
SAYS(clBuildProgram,
     (cl_program p, cl_uint n, const cl_device_id *d, const char *o,
      void(CL_CALLBACK *f)(cl_program, void *), void *u),
     (p, n, d, o, f, u))
SAYS(clEnqueueMarkerWithWaitList, (cl_command_queue q, cl_uint n, const cl_event *w, cl_event *e),
     (q, n, w, e))
SAYS(clEnqueueNDRangeKernel,
     (cl_command_queue q, cl_kernel k, cl_uint d, const size_t *o, const size_t *g, const size_t *l,
      cl_uint n, const cl_event *w, cl_event *e),
     (q, k, d, o, g, l, n, w, e))
SAYS(clEnqueueReadBuffer,
     (cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s, void *p, cl_uint n,
      const cl_event *w, cl_event *e),
     (q, m, b, o, s, p, n, w, e))

GIVES(cl_mem, clCreateBuffer, (cl_context c, cl_mem_flags f, size_t n, void *p, cl_int *code),
      (c, f, n, p, code))
GIVES(cl_command_queue, clCreateCommandQueue,
      (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *code), (c, d, p, code))
GIVES(cl_kernel, clCreateKernel, (cl_program p, const char *n, cl_int *code), (p, n, code))
GIVES(cl_program, clCreateProgramWithSource,
      (cl_context c, cl_uint n, const char **s, const size_t *l, cl_int *code), (c, n, s, l, code))
GIVES(cl_program, clCreateProgramWithBinary,
      (cl_context c, cl_uint n, const cl_device_id *d, const size_t *l, const unsigned char **b,
       cl_int *s, cl_int *code),
      (c, n, d, l, b, s, code))

void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id p, const char *n) {
  void *(CL_API_CALL * function)(cl_platform_id, const char *) = NULL;
  find("clGetExtensionFunctionAddressForPlatform", &function);
  return function != NULL ? function(p, n) : NULL;
}
