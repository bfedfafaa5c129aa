/*
 * See null_opencl.h. Only the functions that the program calls to run a model.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "null_opencl.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_BUFFER = 1 << 30 };

/* Whatever OpenCL counts references of. */
typedef struct object {
  size_t references, bytes;
  cl_mem_flags flags;
} object;

static size_t live;
static char the_context, the_device, the_queue;

/* Nothing is moved, so the library must not test the device's kernels. Runs before a test counts
 * memory. */
__attribute__((constructor)) static void forgo_self_test(void) {
  (void)setenv("CLRS_SELF_TEST", "0", 1);
}

cl_context null_opencl_context(void) {
  return (cl_context)(void *)&the_context;
}

cl_device_id null_opencl_device(void) {
  return (cl_device_id)(void *)&the_device;
}

cl_command_queue null_opencl_queue(void) {
  return (cl_command_queue)(void *)&the_queue;
}

size_t null_opencl_live(void) {
  return live;
}

static void *create(size_t bytes, cl_mem_flags flags, cl_int *code) {
  object *made = malloc(sizeof *made);
  const cl_int result = made != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  if (made != NULL) {
    *made = (object){1, bytes, flags};
    live++;
  }
  if (code != NULL) {
    *code = result;
  }
  return made;
}

static cl_int retain(void *handle) {
  ((object *)handle)->references++;
  return CL_SUCCESS;
}

static cl_int release(void *handle) {
  object *held = handle;
  if (--held->references == 0) {
    live--;
    free(held);
  }
  return CL_SUCCESS;
}

/* Answers a question with `bytes` of `answer`. */
static cl_int say(const void *answer, size_t bytes, size_t room, void *value, size_t *needed) {
  if (needed != NULL) {
    *needed = bytes;
  }
  if (value != NULL && room < bytes) {
    return CL_INVALID_VALUE;
  }
  if (value != NULL) {
    memcpy(value, answer, bytes);
  }
  return CL_SUCCESS;
}

static cl_int enqueue(cl_event *event) {
  cl_int code = CL_SUCCESS;
  if (event != NULL) {
    *event = create(0, 0, &code);
  }
  return code;
}

/* ---- questions ---- */

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t room,
                                     void *value, size_t *needed) {
  static const char name[] = "none";
  (void)platform;
  return what == CL_PLATFORM_NAME ? say(name, sizeof name, room, value, needed) : CL_INVALID_VALUE;
}

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room,
                                   void *value, size_t *needed) {
  const cl_device_type type = CL_DEVICE_TYPE_GPU;
  const cl_ulong bytes = what == CL_DEVICE_LOCAL_MEM_SIZE ? 32768 : LARGEST_BUFFER;
  const size_t items = 256, by_dimension[] = {256, 256, 64}, argument_bytes = 1024;
  const cl_platform_id platform = NULL;
  static const char version[] = "0", profile[] = "FULL_PROFILE";
  (void)device;
  switch (what) {
  case CL_DEVICE_PLATFORM:
    return say(&platform, sizeof platform, room, value, needed);
  case CL_DRIVER_VERSION:
    return say(version, sizeof version, room, value, needed);
  case CL_DEVICE_TYPE:
    return say(&type, sizeof type, room, value, needed);
  case CL_DEVICE_PROFILE:
    return say(profile, sizeof profile, room, value, needed);
  case CL_DEVICE_MAX_PARAMETER_SIZE:
    return say(&argument_bytes, sizeof argument_bytes, room, value, needed);
  case CL_DEVICE_MAX_WORK_GROUP_SIZE:
    return say(&items, sizeof items, room, value, needed);
  case CL_DEVICE_MAX_WORK_ITEM_SIZES:
    return say(by_dimension, sizeof by_dimension, room, value, needed);
  case CL_DEVICE_LOCAL_MEM_SIZE:
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    return say(&bytes, sizeof bytes, room, value, needed);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info what, size_t room,
                                    void *value, size_t *needed) {
  const cl_device_id device = null_opencl_device();
  (void)context;
  return what == CL_CONTEXT_DEVICES ? say(&device, sizeof device, room, value, needed)
                                    : CL_INVALID_VALUE;
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info what,
                                         size_t room, void *value, size_t *needed) {
  const cl_context context = null_opencl_context();
  const cl_device_id device = null_opencl_device();
  (void)queue;
  return what == CL_QUEUE_CONTEXT  ? say(&context, sizeof context, room, value, needed)
         : what == CL_QUEUE_DEVICE ? say(&device, sizeof device, room, value, needed)
                                   : CL_INVALID_VALUE;
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem mem, cl_mem_info what, size_t room, void *value,
                                      size_t *needed) {
  const object *buffer = (const object *)(const void *)mem;
  const cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
  const cl_context context = null_opencl_context();
  const size_t offset = 0;
  const cl_mem parent = NULL;
  switch (what) {
  case CL_MEM_TYPE:
    return say(&type, sizeof type, room, value, needed);
  case CL_MEM_CONTEXT:
    return say(&context, sizeof context, room, value, needed);
  case CL_MEM_SIZE:
    return say(&buffer->bytes, sizeof buffer->bytes, room, value, needed);
  case CL_MEM_OFFSET:
    return say(&offset, sizeof offset, room, value, needed);
  case CL_MEM_ASSOCIATED_MEMOBJECT:
    return say(&parent, sizeof(cl_mem), room, value, needed);
  case CL_MEM_FLAGS:
    return say(&buffer->flags, sizeof buffer->flags, room, value, needed);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info what, size_t room, void *value,
                                  size_t *needed) {
  const cl_context context = null_opencl_context();
  const cl_int status = CL_COMPLETE;
  (void)event;
  return what == CL_EVENT_CONTEXT ? say(&context, sizeof context, room, value, needed)
         : what == CL_EVENT_COMMAND_EXECUTION_STATUS
             ? say(&status, sizeof status, room, value, needed)
             : CL_INVALID_VALUE;
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                         cl_program_build_info what, size_t room, void *value,
                                         size_t *needed) {
  (void)program, (void)device, (void)what;
  return say("", 1, room, value, needed);
}

/* ---- objects ---- */

cl_int CL_API_CALL clRetainContext(cl_context context) {
  (void)context;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clReleaseContext(cl_context context) {
  (void)context;
  return CL_SUCCESS;
}

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                  cl_int *code) {
  (void)context, (void)host;
  if (size == 0 || size > LARGEST_BUFFER) {
    *code = CL_INVALID_BUFFER_SIZE;
    return NULL;
  }
  return create(size, flags, code);
}

cl_int CL_API_CALL clRetainMemObject(cl_mem mem) {
  return retain(mem);
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem mem) {
  return release(mem);
}

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                 const char **texts, const size_t *lengths,
                                                 cl_int *code) {
  (void)context, (void)count, (void)texts, (void)lengths;
  return create(0, 0, code);
}

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                  const char *options,
                                  void(CL_CALLBACK *notify)(cl_program program, void *user_data),
                                  void *user_data) {
  (void)program, (void)count, (void)devices, (void)options, (void)notify, (void)user_data;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clReleaseProgram(cl_program program) {
  return release(program);
}

cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *name, cl_int *code) {
  (void)program, (void)name;
  return create(0, 0, code);
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                            cl_kernel_work_group_info what, size_t room,
                                            void *value, size_t *needed) {
  const size_t items = 256;
  (void)kernel, (void)device, (void)what;
  return say(&items, sizeof items, room, value, needed);
}

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  (void)kernel, (void)index, (void)size, (void)value;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  return release(kernel);
}

cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  return release(event);
}

cl_int CL_API_CALL clWaitForEvents(cl_uint count, const cl_event *events) {
  (void)count, (void)events;
  return CL_SUCCESS;
}

/* ---- commands ---- */

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       size_t offset, size_t size, void *to, cl_uint wait_count,
                                       const cl_event *wait, cl_event *event) {
  (void)queue, (void)buffer, (void)blocking, (void)offset, (void)wait_count, (void)wait;
  memset(to, 0, size);
  return enqueue(event);
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                        size_t offset, size_t size, const void *from,
                                        cl_uint wait_count, const cl_event *wait, cl_event *event) {
  (void)queue, (void)buffer, (void)blocking, (void)offset, (void)size, (void)from;
  (void)wait_count, (void)wait;
  return enqueue(event);
}

cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                       size_t from_offset, size_t to_offset, size_t size,
                                       cl_uint wait_count, const cl_event *wait, cl_event *event) {
  (void)queue, (void)from, (void)to, (void)from_offset, (void)to_offset, (void)size;
  (void)wait_count, (void)wait;
  return enqueue(event);
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                                          const size_t *offset, const size_t *global,
                                          const size_t *local, cl_uint wait_count,
                                          const cl_event *wait, cl_event *event) {
  (void)queue, (void)kernel, (void)dims, (void)offset, (void)global, (void)local;
  (void)wait_count, (void)wait;
  return enqueue(event);
}

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint wait_count,
                                               const cl_event *wait, cl_event *event) {
  (void)queue, (void)wait_count, (void)wait;
  return enqueue(event);
}

cl_int CL_API_CALL clFinish(cl_command_queue queue) {
  (void)queue;
  return CL_SUCCESS;
}
