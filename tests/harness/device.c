/*
 * The OpenCL side of a test. See device.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "device.h"

#include "driver_defects.h"
#include "fault_layer.h"
#include "pocl_cache.h"

#include <time.h>

enum { NO_PLATFORM = -1001 }; /* CL_PLATFORM_NOT_FOUND_KHR, an error of the loader */

/* Finds the first device and the platform of this device, and prefers PoCL. Without a device,
 * returns the reason: a failure takes precedence over a platform without devices. */
static cl_int first_device(cl_device_id *device, cl_platform_id *platform) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_int code = clGetPlatformIDs(16, platforms, &count), failure = CL_DEVICE_NOT_FOUND;
  for (cl_uint i = 0; code == CL_SUCCESS && i < count && i < 16; i++) {
    const cl_int found = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, device, NULL);
    if (found == CL_SUCCESS || cli_pocl_is(platforms[i]))
      *platform = platforms[i];
    if (found == CL_SUCCESS)
      return found;
    failure = failure == CL_DEVICE_NOT_FOUND ? found : failure;
  }
  return code == CL_SUCCESS ? failure : code;
}

/* Tells a broken driver from a machine without a driver. Otherwise a broken driver would skip all
 * tests. */
static bool works(cl_int code, cl_platform_id platform) {
  char sentence[600];
  if (platform && cli_pocl_is(platform) && !cli_pocl_cache_works(sentence, sizeof sentence)) {
    (void)fprintf(stderr, "%s\n", sentence);
    return false;
  }
  if (code != CL_SUCCESS && code != CL_DEVICE_NOT_FOUND && code != NO_PLATFORM) {
    (void)fprintf(stderr, "the OpenCL loader or a driver failed with OpenCL error %d\n", (int)code);
    return false;
  }
  return true;
}

int device_missing(void) {
  cl_device_id device;
  cl_platform_id platform = NULL;
  fault_layer layer;
  const cl_int code = first_device(&device, &platform);
  if (!works(code, platform))
    return 1;
  if (code == CL_SUCCESS)
    return getenv("CLRS_TEST_FAULT_LAYER") ? fault_layer_missing(&layer) : 0;
  const char *required = getenv("CLRS_REQUIRE_DEVICE");
  const bool fatal = required && strcmp(required, "1") == 0;
  (void)fprintf(stderr, "no OpenCL device: %s\n", fatal ? "but one is required" : "skipped");
  return fatal ? 1 : 77;
}

int device_and_layer_missing(fault_layer *layer) {
  const int missing = device_missing();
  return missing != 0 ? missing : fault_layer_missing(layer);
}

static cl_uint context_references(cl_context context) {
  cl_uint count = 0;
  CL_OK(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

static cl_uint queue_references(cl_command_queue queue) {
  cl_uint count = 0;
  CL_OK(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

void device_open(test_device *device) {
  cl_device_id first;
  cl_platform_id platform;
  CL_OK(first_device(&first, &platform));
  device_open_on(device, first);
}

void device_open_on(test_device *device, cl_device_id id) {
  cl_int code;
  device->device = id;
  device->context = clCreateContext(NULL, 1, &device->device, NULL, NULL, &code);
  CL_OK(code);
  device->queue = clCreateCommandQueue(device->context, device->device, 0, &code);
  CL_OK(code);
  device->context_references = context_references(device->context);
  device->queue_references = queue_references(device->queue);
}

/* A driver may drop internal references a little after clFinish, so the test waits. */
static bool references_settle(const test_device *device) {
  const struct timespec pause = {0, 1000000};
  for (int tries = 0; tries < 2000; tries++) {
    if (context_references(device->context) == device->context_references &&
        queue_references(device->queue) == device->queue_references)
      return true;
    (void)nanosleep(&pause, NULL);
  }
  return false;
}

void device_close(test_device *device) {
  CL_OK(clFinish(device->queue));
  if (!references_settle(device))
    fail_msg("leaked: context %u, queue %u references, at first %u and %u",
             context_references(device->context), queue_references(device->queue),
             device->context_references, device->queue_references);
  CL_OK(clReleaseCommandQueue(device->queue));
  CL_OK(clReleaseContext(device->context));
}

/* Returns the execution that the whole test program is to use, as in the command-line program. */
static clrs_execution wished_execution(void) {
  const char *wish = getenv("CLRS_EXECUTION");
  if (!wish)
    return CLRS_EXECUTION_AUTO;
  return strcmp(wish, "gpu") == 0 ? CLRS_EXECUTION_GPU : CLRS_EXECUTION_CPU;
}

clrs_context *device_library(const test_device *device, const clrs_device_limits *limits) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  clrs_context *context = NULL;
  options.context = device->context;
  options.device = device->device;
  /* without a pool: a result in recycled bytes could be right without a move */
  options.pool_bytes = 0;
  if (limits)
    options.limits = *limits;
  if (options.limits.execution == CLRS_EXECUTION_AUTO)
    options.limits.execution = wished_execution();
  CHECK_OK(clrs_context_create(&options, &context, &error), error);
  return context;
}

bool device_has_doubles(cl_device_id device) {
  cl_device_fp_config config = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, NULL));
  return config != 0;
}

bool device_shares_launches(cl_device_id device) {
  size_t bytes = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof bytes, &bytes, NULL));
  return bytes >= 1024;
}

cl_command_queue device_queue(const test_device *device, cl_command_queue_properties properties) {
  cl_int code;
  cl_command_queue queue = clCreateCommandQueue(device->context, device->device, properties, &code);
  CL_OK(code);
  return queue;
}

cl_mem device_buffer(const test_device *device, cl_mem_flags flags, size_t bytes) {
  cl_int code;
  cl_mem buffer = clCreateBuffer(device->context, flags, bytes, NULL, &code);
  CL_OK(code);
  return buffer;
}

void device_write(const test_device *device, cl_mem buffer, size_t bytes, const void *from) {
  device_write_at(device, buffer, 0, bytes, from);
}

/* A blocking write may return as soon as the host bytes are copied, before the bytes are in the
 * buffer. Only the event tells other queues that the buffer is written. */
void device_write_at(const test_device *device, cl_mem buffer, size_t offset, size_t bytes,
                     const void *from) {
  cl_event written = NULL;
  CL_OK(clEnqueueWriteBuffer(device->queue, buffer, CL_FALSE, offset, bytes, from, 0, NULL,
                             &written));
  device_finish_event(written);
}

void device_read(const test_device *device, cl_mem buffer, size_t bytes, void *to) {
  CL_OK(clEnqueueReadBuffer(device->queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
}

cl_uint device_references(cl_mem buffer) {
  cl_uint count = 0;
  CL_OK(clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

void device_require_references(cl_mem buffer, cl_uint count) {
  const struct timespec pause = {0, 1000000};
  for (int tries = 0; tries < 2000 && device_references(buffer) != count; tries++)
    (void)nanosleep(&pause, NULL);
  assert_int_equal(device_references(buffer), count);
}

cl_int device_event_status(cl_event event) {
  cl_int status = CL_QUEUED;
  CL_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

void device_flush(const test_device *device, cl_command_queue queue) {
  if (!driver_has_defect(device->device, DEFECT_FLUSH_WAITS))
    CL_OK(clFlush(queue));
}

void device_finish_event(cl_event event) {
  CL_OK(clWaitForEvents(1, &event));
  assert_int_equal(device_event_status(event), CL_COMPLETE);
  CL_OK(clReleaseEvent(event));
}

bool device_event_fails(const test_device *device, cl_event event) {
  if (clWaitForEvents(1, &event) == CL_SUCCESS)
    return false;
  const cl_int status = device_event_status(event);
  return status < 0 ||
         (status == CL_COMPLETE && driver_has_defect(device->device, DEFECT_STATUS_OF_FAILED));
}
