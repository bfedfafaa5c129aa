/*
 * The layer itself, a shared object of its own. Every call that the library makes and that can fail
 * is counted; releases are never failed, as nobody could recover. See fault_layer.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fault_layer.h"

#include <CL/cl_layer.h>
#include <pthread.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

static cl_icd_dispatch next, mine;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int armed, seen;
static bool sticky_fault;
static cl_int fault_code;
static const char *failed_call;
static bool build_failed;
static long live_references;

EXPORTED void fault_layer_arm(int n, cl_int code, bool sticky);
EXPORTED const char *fault_layer_failed(void);
EXPORTED long fault_layer_live(void);

EXPORTED void fault_layer_arm(int n, cl_int code, bool sticky) {
  pthread_mutex_lock(&lock);
  armed = n;
  seen = 0;
  fault_code = code;
  sticky_fault = sticky;
  failed_call = NULL;
  build_failed = false;
  pthread_mutex_unlock(&lock);
}

EXPORTED const char *fault_layer_failed(void) {
  return failed_call;
}

EXPORTED long fault_layer_live(void) {
  return live_references;
}

static bool fails(const char *call) {
  pthread_mutex_lock(&lock);
  seen++;
  const bool now = armed > 0 && (seen == armed || (sticky_fault && seen > armed));
  if (now && !failed_call)
    failed_call = call;
  pthread_mutex_unlock(&lock);
  return now;
}

static void count(long change) {
  pthread_mutex_lock(&lock);
  live_references += change;
  pthread_mutex_unlock(&lock);
}

/* A call that returns its status. */
#define HOOK_STATUS(name, parameters, arguments, change)                                           \
  static cl_int CL_API_CALL hook_##name parameters {                                               \
    if (fails(#name))                                                                              \
      return fault_code;                                                                           \
    const cl_int code = next.name arguments;                                                       \
    count(code == CL_SUCCESS ? (change) : 0);                                                      \
    return code;                                                                                   \
  }

/* A call that returns an object. */
#define HOOK_CREATE(type, name, parameters, arguments)                                             \
  static type CL_API_CALL hook_##name parameters {                                                 \
    if (fails(#name)) {                                                                            \
      if (code)                                                                                    \
        *code = fault_code;                                                                        \
      return NULL;                                                                                 \
    }                                                                                              \
    const type made = next.name arguments;                                                         \
    count(made ? 1 : 0);                                                                           \
    return made;                                                                                   \
  }

#define HOOK_RELEASE(type, name)                                                                   \
  static cl_int CL_API_CALL hook_##name(type object) {                                             \
    const cl_int code = next.name(object);                                                         \
    count(code == CL_SUCCESS ? -1 : 0);                                                            \
    return code;                                                                                   \
  }

HOOK_CREATE(cl_mem, clCreateBuffer,
            (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code),
            (context, flags, size, host, code))
HOOK_CREATE(cl_mem, clCreateSubBuffer,
            (cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type, const void *info,
             cl_int *code),
            (parent, flags, type, info, code))
HOOK_CREATE(cl_program, clCreateProgramWithSource,
            (cl_context context, cl_uint texts, const char **text, const size_t *lengths,
             cl_int *code),
            (context, texts, text, lengths, code))
HOOK_CREATE(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *code),
            (program, name, code))

HOOK_STATUS(clRetainContext, (cl_context object), (object), 1)
HOOK_STATUS(clRetainMemObject, (cl_mem object), (object), 1)
HOOK_STATUS(clRetainCommandQueue, (cl_command_queue object), (object), 1)
HOOK_STATUS(clRetainEvent, (cl_event object), (object), 1)
HOOK_RELEASE(cl_context, clReleaseContext)
HOOK_RELEASE(cl_mem, clReleaseMemObject)
HOOK_RELEASE(cl_command_queue, clReleaseCommandQueue)
HOOK_RELEASE(cl_event, clReleaseEvent)
HOOK_RELEASE(cl_program, clReleaseProgram)
HOOK_RELEASE(cl_kernel, clReleaseKernel)

HOOK_STATUS(clGetContextInfo,
            (cl_context object, cl_context_info name, size_t size, void *value, size_t *got),
            (object, name, size, value, got), 0)
HOOK_STATUS(clGetDeviceInfo,
            (cl_device_id object, cl_device_info name, size_t size, void *value, size_t *got),
            (object, name, size, value, got), 0)
HOOK_STATUS(clGetCommandQueueInfo,
            (cl_command_queue object, cl_command_queue_info name, size_t size, void *value,
             size_t *got),
            (object, name, size, value, got), 0)
HOOK_STATUS(clGetMemObjectInfo,
            (cl_mem object, cl_mem_info name, size_t size, void *value, size_t *got),
            (object, name, size, value, got), 0)
HOOK_STATUS(clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value),
            (kernel, index, size, value), 0)
HOOK_STATUS(clEnqueueNDRangeKernel,
            (cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset,
             const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait_list,
             cl_event *event),
            (queue, kernel, dims, offset, global, local, waits, wait_list, event), event ? 1 : 0)
HOOK_STATUS(clEnqueueMarkerWithWaitList,
            (cl_command_queue queue, cl_uint waits, const cl_event *wait_list, cl_event *event),
            (queue, waits, wait_list, event), event ? 1 : 0)
HOOK_STATUS(clEnqueueCopyBuffer,
            (cl_command_queue queue, cl_mem source, cl_mem destination, size_t from, size_t to,
             size_t size, cl_uint waits, const cl_event *wait_list, cl_event *event),
            (queue, source, destination, from, to, size, waits, wait_list, event), event ? 1 : 0)
HOOK_STATUS(clEnqueueReadBuffer,
            (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
             void *to, cl_uint waits, const cl_event *wait_list, cl_event *event),
            (queue, buffer, blocking, offset, size, to, waits, wait_list, event), event ? 1 : 0)

static cl_int CL_API_CALL hook_clBuildProgram(cl_program program, cl_uint count_,
                                              const cl_device_id *devices, const char *options,
                                              void(CL_CALLBACK *notify)(cl_program, void *),
                                              void *user_data) {
  if (fails("clBuildProgram")) {
    build_failed = true;
    return fault_code;
  }
  return next.clBuildProgram(program, count_, devices, options, notify, user_data);
}

static cl_int CL_API_CALL hook_clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                                     cl_program_build_info name, size_t size,
                                                     void *value, size_t *got) {
  if (fails("clGetProgramBuildInfo"))
    return fault_code;
  if (!build_failed || name != CL_PROGRAM_BUILD_LOG)
    return next.clGetProgramBuildInfo(program, device, name, size, value, got);
  if (value && size >= sizeof FAULT_LAYER_BUILD_LOG)
    memcpy(value, FAULT_LAYER_BUILD_LOG, sizeof FAULT_LAYER_BUILD_LOG);
  if (got)
    *got = sizeof FAULT_LAYER_BUILD_LOG;
  return CL_SUCCESS;
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size,
                                                        void *value, size_t *got) {
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  if (what != CL_LAYER_API_VERSION || (value && size < sizeof version))
    return CL_INVALID_VALUE;
  if (value)
    memcpy(value, &version, sizeof version);
  if (got)
    *got = sizeof version;
  return CL_SUCCESS;
}

#define INSTALL(name) mine.name = hook_##name

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target,
                                                     cl_uint *entries_made,
                                                     const cl_icd_dispatch **made) {
  const size_t room = sizeof next / sizeof(void *);
  const size_t known = entries < room ? entries : room;
  memcpy(&next, target, known * sizeof(void *));
  mine = next;
  INSTALL(clCreateBuffer);
  INSTALL(clCreateSubBuffer);
  INSTALL(clCreateProgramWithSource);
  INSTALL(clCreateKernel);
  INSTALL(clRetainContext);
  INSTALL(clRetainMemObject);
  INSTALL(clRetainCommandQueue);
  INSTALL(clRetainEvent);
  INSTALL(clReleaseContext);
  INSTALL(clReleaseMemObject);
  INSTALL(clReleaseCommandQueue);
  INSTALL(clReleaseEvent);
  INSTALL(clReleaseProgram);
  INSTALL(clReleaseKernel);
  INSTALL(clGetContextInfo);
  INSTALL(clGetDeviceInfo);
  INSTALL(clGetCommandQueueInfo);
  INSTALL(clGetMemObjectInfo);
  INSTALL(clSetKernelArg);
  INSTALL(clEnqueueNDRangeKernel);
  INSTALL(clEnqueueMarkerWithWaitList);
  INSTALL(clEnqueueCopyBuffer);
  INSTALL(clEnqueueReadBuffer);
  INSTALL(clBuildProgram);
  INSTALL(clGetProgramBuildInfo);
  *entries_made = (cl_uint)known;
  *made = &mine;
  return CL_SUCCESS;
}
