/*
 * A hook for each call of fault_layer_calls.h. Releases never fail, as nobody could recover.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include "fault_layer_async.h"
#include "fault_layer_builds.h"
#include "fault_layer_decide.h"
#include "fault_layer_guard.h"
#include "fault_layer_limits.h"
#include "fault_layer_objects.h"

static cl_icd_dispatch next;
static bool build_failed; /* by us: has a log of ours */

void hooks_settle(void) {
  async_settle(&next);
}

static void settle_if_it_blocks(const char *call) {
  if (strcmp(call, "clWaitForEvents") == 0 || strcmp(call, "clFinish") == 0)
    hooks_settle();
}

/* ---- the hooks by kind ---- */

#define STATUS(name, parameters, arguments)                                                        \
  static cl_int CL_API_CALL hook_##name parameters {                                               \
    const decision fault = decide(#name, false);                                                   \
    settle_if_it_blocks(#name);                                                                    \
    if (fault.fails && fault.kind == FAULT_BEFORE)                                                 \
      return fault.code;                                                                           \
    const cl_int code = next.name arguments;                                                       \
    return fault.fails ? fault.code : code;                                                        \
  }

#define CREATE(kind_, type, name, parameters, arguments)                                           \
  static type CL_API_CALL hook_##name parameters {                                                 \
    const decision fault = decide(#name, false);                                                   \
    type made = fault.fails && fault.kind == FAULT_BEFORE ? NULL : next.name arguments;            \
    if (fault.fails) {                                                                             \
      if (made)                                                                                    \
        (void)RELEASE_OF_##kind_(made);                                                            \
      if (code)                                                                                    \
        *code = fault.code;                                                                        \
      return NULL;                                                                                 \
    }                                                                                              \
    objects_made(OBJECT_##kind_, made, #name);                                                     \
    return made;                                                                                   \
  }
#define RELEASE_OF_CONTEXT next.clReleaseContext
#define RELEASE_OF_QUEUE next.clReleaseCommandQueue
#define RELEASE_OF_MEM next.clReleaseMemObject
#define RELEASE_OF_PROGRAM next.clReleaseProgram
#define RELEASE_OF_KERNEL next.clReleaseKernel
#define RELEASE_OF_EVENT next.clReleaseEvent

/* For a failed retain, whether the driver also retained makes no difference. */
#define RETAIN(kind_, type, name)                                                                  \
  static cl_int CL_API_CALL hook_##name(type object) {                                             \
    const decision fault = decide(#name, false);                                                   \
    const cl_int code = fault.fails ? fault.code : next.name(object);                              \
    if (code == CL_SUCCESS)                                                                        \
      objects_made(OBJECT_##kind_, object, #name);                                                 \
    return code;                                                                                   \
  }

/* A release of a dead object is not passed on, because drivers would crash. */
#define RELEASE(kind_, type, name)                                                                 \
  static cl_int CL_API_CALL hook_##name(type object) {                                             \
    return objects_released(OBJECT_##kind_, object) ? next.name(object) : CL_INVALID_VALUE;        \
  }

/* A blocking command with a failed wait returns success, like in PoCL, and has done nothing. */
#define COMMAND_THAT(name, parameters, arguments, do_not_block)                                    \
  static cl_int CL_API_CALL hook_##name parameters {                                               \
    const decision fault = decide(#name, true);                                                    \
    const bool async = fault.kind == FAULT_ASYNC;                                                  \
    cl_event made = NULL, *const asked = event;                                                    \
    wait_events waiting;                                                                           \
    BEFORE_##name;                                                                                 \
    if (fault.fails && fault.kind == FAULT_BEFORE)                                                 \
      return fault.code;                                                                           \
    event = asked || async ? &made : NULL;                                                         \
    if (async)                                                                                     \
      waiting = async_waits(waits, wait_list);                                                     \
    if (async && fault.fails) {                                                                    \
      async_make_fail(&next, queue, fault.code, &waiting, &waiting);                               \
      do_not_block;                                                                                \
    }                                                                                              \
    if (async) {                                                                                   \
      waits = waiting.count;                                                                       \
      wait_list = waits > 0 ? waiting.list : NULL;                                                 \
    }                                                                                              \
    const cl_int code = next.name arguments;                                                       \
    if (async && code == CL_SUCCESS)                                                               \
      async_enqueued(&next, made, &waiting);                                                       \
    if (async && code == CL_SUCCESS && !asked)                                                     \
      (void)next.clReleaseEvent(made);                                                             \
    if (fault.fails && fault.kind == FAULT_AFTER) {                                                \
      if (made)                                                                                    \
        (void)next.clReleaseEvent(made);                                                           \
      return fault.code;                                                                           \
    }                                                                                              \
    if (code == CL_SUCCESS && asked) {                                                             \
      objects_made(OBJECT_EVENT, made, #name);                                                     \
      *asked = made;                                                                               \
    }                                                                                              \
    return code;                                                                                   \
  }
#define COMMAND(name, parameters, arguments) COMMAND_THAT(name, parameters, arguments, (void)0)
#define BLOCKING_COMMAND(name, parameters, arguments)                                              \
  COMMAND_THAT(name, parameters, arguments, blocking = CL_FALSE)

#define BEFORE_clEnqueueNDRangeKernel objects_kernel_used(kernel, KERNEL_LAUNCH)
#define BEFORE_clEnqueueMarkerWithWaitList (void)0
#define BEFORE_clEnqueueBarrierWithWaitList (void)0
#define BEFORE_clEnqueueCopyBuffer (void)0
#define BEFORE_clEnqueueCopyBufferRect (void)0
#define BEFORE_clEnqueueFillBuffer (void)0
#define BEFORE_clEnqueueUnmapMemObject (void)0
#define BEFORE_clEnqueueReadBuffer (blocking ? hooks_settle() : (void)0)
#define BEFORE_clEnqueueWriteBuffer (blocking ? hooks_settle() : (void)0)

#include "fault_layer_calls.h"

/* ---- those that are special ---- */

static cl_mem CL_API_CALL hook_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                              void *host, cl_int *code) {
  const decision fault = decide("clCreateBuffer", false);
  cl_mem made = fault.fails && fault.kind == FAULT_BEFORE
                    ? NULL
                    : guard_create_buffer(&next, context, flags, size, host, code);
  if (fault.fails) {
    if (made)
      (void)next.clReleaseMemObject(made);
    if (code)
      *code = fault.code;
    return NULL;
  }
  objects_made(OBJECT_MEM, made, "clCreateBuffer");
  return made;
}

static void *CL_API_CALL hook_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                                       const char *name) {
  const decision fault = decide("clGetExtensionFunctionAddressForPlatform", false);
  return fault.fails ? NULL : next.clGetExtensionFunctionAddressForPlatform(platform, name);
}

static void *CL_API_CALL hook_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer,
                                                 cl_bool blocking, cl_map_flags flags,
                                                 size_t offset, size_t size, cl_uint waits,
                                                 const cl_event *wait_list, cl_event *event,
                                                 cl_int *code) {
  const decision fault = decide("clEnqueueMapBuffer", false);
  if (fault.fails) { /* as a mapping that exists would have to be undone, always before */
    if (code)
      *code = fault.code;
    return NULL;
  }
  void *mapped = next.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, waits,
                                         wait_list, event, code);
  objects_made(OBJECT_EVENT, mapped && event ? *event : NULL, "clEnqueueMapBuffer");
  return mapped;
}

static cl_int CL_API_CALL hook_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size,
                                              const void *value) {
  const decision fault = decide("clSetKernelArg", false);
  objects_kernel_used(kernel, KERNEL_ARGUMENT);
  cl_int code = fault.code;
  if (!fault.fails || fault.kind == FAULT_AFTER)
    code = next.clSetKernelArg(kernel, index, size, value);
  code = fault.fails ? fault.code : code;
  if (code != CL_SUCCESS) /* no launch will follow, so the next thread starts again */
    objects_kernel_used(kernel, KERNEL_GIVEN_UP);
  return code;
}

static cl_int CL_API_CALL hook_clBuildProgram(cl_program program, cl_uint count,
                                              const cl_device_id *devices, const char *options,
                                              void(CL_CALLBACK *notify)(cl_program, void *),
                                              void *user_data) {
  const decision fault = decide("clBuildProgram", false);
  build_failed = fault.fails;
  if (fault.fails && fault.kind == FAULT_BEFORE)
    return fault.code;
  const cl_int code = next.clBuildProgram(program, count, devices, options, notify, user_data);
  return fault.fails ? fault.code : code;
}

static cl_int CL_API_CALL hook_clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                                     cl_program_build_info name, size_t size,
                                                     void *value, size_t *got) {
  const decision fault = decide("clGetProgramBuildInfo", false);
  if (fault.fails)
    return fault.code;
  if (!build_failed || name != CL_PROGRAM_BUILD_LOG)
    return next.clGetProgramBuildInfo(program, device, name, size, value, got);
  if (value && size >= sizeof FAULT_LAYER_BUILD_LOG)
    memcpy(value, FAULT_LAYER_BUILD_LOG, sizeof FAULT_LAYER_BUILD_LOG);
  if (got)
    *got = sizeof FAULT_LAYER_BUILD_LOG;
  return CL_SUCCESS;
}

/* Intel's CPU runtime forgets a program with the last reference of the creator, although a kernel
 * of the program lives on. With this layer every driver behaves so. */
static cl_int CL_API_CALL hook_clGetProgramInfo(cl_program program, cl_program_info name,
                                                size_t size, void *value, size_t *got) {
  const decision fault = decide("clGetProgramInfo", false);
  if (fault.fails && fault.kind == FAULT_BEFORE)
    return fault.code;
  const cl_int code = objects_are_held(OBJECT_PROGRAM, program)
                          ? next.clGetProgramInfo(program, name, size, value, got)
                          : CL_INVALID_PROGRAM;
  return fault.fails ? fault.code : code;
}

/* ---- installing them ---- */

#undef STATUS
#undef CREATE
#undef RETAIN
#undef RELEASE
#undef COMMAND
#undef BLOCKING_COMMAND
#define STATUS(name, parameters, arguments) hooked->name = hook_##name;
#define CREATE(kind, type, name, parameters, arguments) hooked->name = hook_##name;
#define RETAIN(kind, type, name) hooked->name = hook_##name;
#define RELEASE(kind, type, name) hooked->name = hook_##name;
#define COMMAND(name, parameters, arguments) hooked->name = hook_##name;
#define BLOCKING_COMMAND(name, parameters, arguments) hooked->name = hook_##name;

void hooks_install(const cl_icd_dispatch *driver, cl_icd_dispatch *hooked) {
  next = *driver;
  builds_install(&next);
  limits_install(&next);
  *hooked = next;
#include "fault_layer_calls.h"
  hooked->clCreateBuffer = hook_clCreateBuffer;
  hooked->clGetExtensionFunctionAddressForPlatform = hook_clGetExtensionFunctionAddressForPlatform;
  hooked->clEnqueueMapBuffer = hook_clEnqueueMapBuffer;
  hooked->clSetKernelArg = hook_clSetKernelArg;
  hooked->clBuildProgram = hook_clBuildProgram;
  hooked->clGetProgramInfo = hook_clGetProgramInfo;
  hooked->clGetProgramBuildInfo = hook_clGetProgramBuildInfo;
}
