/* SPDX-License-Identifier: Apache-2.0 */
#include "device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* OpenCL aligns each buffer that the driver allocates to a long16. Only a buffer over a host
 * pointer may have a smaller alignment. */
enum { BUFFER_ALIGNMENT = 128 };

/* ---- texts ---- */

enum { MOST_TEXT_BYTES = 1024 };

static clrs_status check_text_size(size_t needed, const char *of, clrs_error *error) {
  return needed <= MOST_TEXT_BYTES
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED, "the driver describes a %s in %zu bytes", of,
                          needed);
}

clrs_status clrs__platform_text(cl_platform_id platform, cl_platform_info what, char *text,
                                size_t size, clrs_error *error) {
  char whole[MOST_TEXT_BYTES] = "";
  size_t needed = 0;
  CLRS_TRY_OPENCL("clGetPlatformInfo", clGetPlatformInfo(platform, what, 0, NULL, &needed), error);
  CLRS_TRY(check_text_size(needed, "platform", error));
  CLRS_TRY_OPENCL("clGetPlatformInfo", clGetPlatformInfo(platform, what, needed, whole, NULL),
                  error);
  snprintf(text, size, "%s", whole);
  return CLRS_OK;
}

clrs_status clrs__device_text(cl_device_id device, cl_device_info what, char *text, size_t size,
                              clrs_error *error) {
  char whole[MOST_TEXT_BYTES] = "";
  size_t needed = 0;
  CLRS_TRY_OPENCL("clGetDeviceInfo", clGetDeviceInfo(device, what, 0, NULL, &needed), error);
  CLRS_TRY(check_text_size(needed, "device", error));
  CLRS_TRY_OPENCL("clGetDeviceInfo", clGetDeviceInfo(device, what, needed, whole, NULL), error);
  snprintf(text, size, "%s", whole);
  return CLRS_OK;
}

/* ---- objects that are given ---- */

static bool is_listed(cl_device_id device, size_t count, const cl_device_id *devices) {
  for (size_t i = 0; i < count; i++) {
    if (devices[i] == device) {
      return true;
    }
  }
  return false;
}

/* Follows the parents of a part until a listed device is found. *listed is NULL if no parent is
 * listed. */
static clrs_status find_listed(cl_device_id device, size_t count, const cl_device_id *devices,
                               cl_device_id *listed, clrs_error *error) {
  enum { MOST_PARENTS = 32 }; /* no device is split this often */
  for (int i = 0; i < MOST_PARENTS && device != NULL && !is_listed(device, count, devices); i++) {
    cl_device_id parent = NULL;
    CLRS_TRY_OPENCL("clGetDeviceInfo",
                    clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL),
                    error);
    device = parent;
  }
  *listed = is_listed(device, count, devices) ? device : NULL;
  return CLRS_OK;
}

clrs_status clrs__check_device(cl_context context, cl_device_id device, cl_device_id *listed,
                               clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(device, "device", error));
  size_t bytes = 0;
  CLRS_TRY_OPENCL("clGetContextInfo",
                  clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes), error);
  cl_device_id *devices = malloc(bytes > 0 ? bytes : sizeof *devices);
  CLRS_TRY_MEMORY(devices, error, "no memory for a list of %zu devices", bytes / sizeof *devices);
  const cl_int code = clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, devices, NULL);
  const clrs_status status =
      code == CL_SUCCESS ? find_listed(device, bytes / sizeof *devices, devices, listed, error)
                         : clrs__fail_opencl(error, code, "clGetContextInfo");
  free(devices);
  if (status == CLRS_OK && *listed == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "device %p is not one of the devices of context %p, nor a part of one",
                      (void *)device, (void *)context);
  }
  return status;
}

clrs_status clrs__check_queue_context(cl_command_queue queue, cl_context context,
                                      clrs_error *error) {
  cl_context found = NULL;
  CLRS_TRY(clrs__require(queue, "queue", error));
  CLRS_TRY_OPENCL("clGetCommandQueueInfo",
                  clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof found, &found, NULL),
                  error);
  return found == context ? CLRS_OK
                          : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                                       "the queue is of context %p; the clrs_context is of %p",
                                       (void *)found, (void *)context);
}

clrs_status clrs__check_queue(cl_command_queue queue, cl_context context, cl_device_id device,
                              clrs_error *error) {
  CLRS_TRY(clrs__require(queue, "queue", error));
  cl_context queue_context = NULL;
  cl_device_id queue_device = NULL;
  CLRS_TRY_OPENCL(
      "clGetCommandQueueInfo",
      clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof queue_context, &queue_context, NULL),
      error);
  CLRS_TRY_OPENCL(
      "clGetCommandQueueInfo",
      clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof queue_device, &queue_device, NULL),
      error);
  if (queue_context != context || queue_device != device) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the queue is of context %p and device %p; the clrs_context is of %p and %p",
                      (void *)queue_context, (void *)queue_device, (void *)context, (void *)device);
  }
  return CLRS_OK;
}

clrs_status clrs__check_wait_list(cl_uint count, const cl_event *events, clrs_error *error) {
  if ((count == 0) != (events == NULL)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "wait_count is %u and waits is %s", count,
                      events == NULL ? "NULL" : "not NULL");
  }
  return CLRS_OK;
}

/* Some drivers do not check the context of an event. */
static clrs_status check_owner(cl_event event, cl_context context, clrs_error *error) {
  cl_context owner = NULL;
  CLRS_TRY(clrs__require(event, "an event in the wait list", error));
  CLRS_TRY_OPENCL("clGetEventInfo",
                  clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof owner, &owner, NULL), error);
  return owner == context
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "an event in the wait list is of context %p; the clrs_context is of %p",
                          (void *)owner, (void *)context);
}

/* Some drivers never end a command that waits for a failed event. */
static clrs_status check_event(cl_event event, cl_context context, clrs_error *error) {
  cl_int status = CL_COMPLETE;
  CLRS_TRY(check_owner(event, context, error));
  CLRS_TRY_OPENCL(
      "clGetEventInfo",
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL),
      error);
  CLRS_TRY_OPENCL("a command in the wait list, before this call,", status < 0 ? status : CL_SUCCESS,
                  error);
  return CLRS_OK;
}

typedef clrs_status (*check_fn)(cl_event event, cl_context context, clrs_error *error);

static clrs_status check_each(check_fn check, cl_context context, cl_uint count,
                              const cl_event *events, clrs_error *error) {
  CLRS_TRY(clrs__check_wait_list(count, events, error));
  for (cl_uint i = 0; i < count; i++) {
    const clrs_status status = check(events[i], context, error);
    if (status != CLRS_OK) {
      clrs__append(error, "; it is number %u of %u", i, count);
      return status;
    }
  }
  return CLRS_OK;
}

clrs_status clrs__check_events(cl_context context, cl_uint count, const cl_event *events,
                               clrs_error *error) {
  return check_each(check_event, context, count, events, error);
}

clrs_status clrs__check_owners(cl_context context, cl_uint count, const cl_event *events,
                               clrs_error *error) {
  return check_each(check_owner, context, count, events, error);
}

clrs_status clrs__choose_execution(cl_device_id device, clrs_execution asked,
                                   clrs_execution *execution, clrs_error *error) {
  cl_device_type type = 0;
  CLRS_TRY_OPENCL("clGetDeviceInfo",
                  clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL), error);
  *execution = asked;
  if (asked == CLRS_EXECUTION_AUTO) {
    const bool is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    *execution = is_cpu ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
  }
  return CLRS_OK;
}

clrs_status clrs__limit_groups(cl_device_id device, clrs_device_limits *limits, clrs_error *error) {
  enum { MOST_DIMENSIONS = 16 }; /* of any device. OpenCL requires 3 */
  size_t items = 0, by_dimension[MOST_DIMENSIONS];
  cl_ulong bytes = 0;
  CLRS_TRY_OPENCL(
      "clGetDeviceInfo",
      clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof items, &items, NULL), error);
  CLRS_TRY_OPENCL("clGetDeviceInfo",
                  clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof by_dimension,
                                  by_dimension, NULL),
                  error);
  items = by_dimension[0] < items ? by_dimension[0] : items;
  CLRS_TRY_OPENCL("clGetDeviceInfo",
                  clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL),
                  error);
  if (limits->max_group_items == 0 || limits->max_group_items > items) {
    limits->max_group_items = items < UINT32_MAX ? (uint32_t)items : UINT32_MAX;
  }
  if (limits->local_bytes == 0 || limits->local_bytes > bytes) {
    limits->local_bytes = bytes;
  }
  return CLRS_OK;
}

/* ---- profile ---- */

/* *is_listed is true if the device has the extension. A list may be long. */
static clrs_status ask_extension(cl_device_id device, const char *name, bool *is_listed,
                                 clrs_error *error) {
  size_t size = 0;
  CLRS_TRY_OPENCL("clGetDeviceInfo", clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size),
                  error);
  char *list = calloc(size + 1, 1);
  CLRS_TRY_MEMORY(list, error, "no memory for a list of extensions of %zu bytes", size);
  const cl_int code = clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, list, NULL);
  *is_listed = code == CL_SUCCESS && strstr(list, name) != NULL;
  free(list);
  CLRS_TRY_OPENCL("clGetDeviceInfo", code, error);
  return CLRS_OK;
}

clrs_status clrs__check_profile(cl_device_id device, bool *has_few, clrs_error *error) {
  size_t bytes = 0;
  char profile[40];
  bool has_integers = true;
  CLRS_TRY_OPENCL("clGetDeviceInfo",
                  clGetDeviceInfo(device, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof bytes, &bytes, NULL),
                  error);
  CLRS_TRY(clrs__device_text(device, CL_DEVICE_PROFILE, profile, sizeof profile, error));
  if (strcmp(profile, "EMBEDDED_PROFILE") == 0) {
    CLRS_TRY(ask_extension(device, "cles_khr_int64", &has_integers, error));
  }
  *has_few = bytes < CLRS__ARGUMENT_BYTES;
  return has_integers ? CLRS_OK
                      : clrs__fail(error, CLRS_UNSUPPORTED,
                                   "the device has OpenCL's embedded profile without "
                                   "cles_khr_int64; kernels need 64-bit integers");
}

/* ---- buffers ---- */

static clrs_status mem_info(cl_mem mem, cl_mem_info name, size_t size, void *value,
                            clrs_error *error) {
  CLRS_TRY_OPENCL("clGetMemObjectInfo", clGetMemObjectInfo(mem, name, size, value, NULL), error);
  return CLRS_OK;
}

static clrs_status check_is_buffer(cl_context context, cl_mem mem, clrs_error *error) {
  cl_mem_object_type type = 0;
  cl_context owner = NULL;
  CLRS_TRY(mem_info(mem, CL_MEM_TYPE, sizeof type, &type, error));
  CLRS_TRY(mem_info(mem, CL_MEM_CONTEXT, sizeof owner, &owner, error));
  if (type != CL_MEM_OBJECT_BUFFER) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "memory object %p is of type 0x%x; only buffers (0x%x) hold tensors",
                      (void *)mem, (unsigned)type, CL_MEM_OBJECT_BUFFER);
  }
  if (owner != context) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "buffer %p is of context %p; the clrs_context is of %p", (void *)mem,
                      (void *)owner, (void *)context);
  }
  return CLRS_OK;
}

/* For a buffer in shared virtual memory, Intel's CPU runtime names a parent that is no memory
 * object. The buffer is then taken as its own root. */
static clrs_status ask_root_flags(clrs__buffer *buffer, cl_mem_flags *flags, clrs_error *error) {
  const cl_int code = clGetMemObjectInfo(buffer->root, CL_MEM_FLAGS, sizeof *flags, flags, NULL);
  if (code == CL_INVALID_MEM_OBJECT) {
    buffer->root = buffer->given;
    return mem_info(buffer->root, CL_MEM_FLAGS, sizeof *flags, flags, error);
  }
  CLRS_TRY_OPENCL("clGetMemObjectInfo", code, error);
  return CLRS_OK;
}

/* Reads the facts that a part takes from its root: alignment, rights and size. The bounds are
 * checked because some drivers let a sub-buffer wrap around. A root over host memory is only as
 * aligned as the host pointer. */
static clrs_status ask_root(clrs__buffer *buffer, clrs_error *error) {
  cl_mem_flags flags = 0;
  size_t size = 0;
  void *host = NULL;
  CLRS_TRY(ask_root_flags(buffer, &flags, error));
  CLRS_TRY(mem_info(buffer->root, CL_MEM_SIZE, sizeof size, &size, error));
  if (buffer->begin > buffer->end || buffer->end > size) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "the sub-buffer from byte %" PRIu64 " to %" PRIu64
                      " leaves its root, a buffer of %zu bytes",
                      buffer->begin, buffer->end, size);
  }
  buffer->readable = buffer->readable && (flags & CL_MEM_WRITE_ONLY) == 0;
  buffer->writable = buffer->writable && (flags & CL_MEM_READ_ONLY) == 0;
  buffer->alignment = BUFFER_ALIGNMENT;
  if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
    CLRS_TRY(mem_info(buffer->root, CL_MEM_HOST_PTR, sizeof host, &host, error));
  }
  while ((uintptr_t)host % buffer->alignment != 0) {
    buffer->alignment /= 2;
  }
  return CLRS_OK;
}

clrs_status clrs__buffer_query(cl_context context, cl_mem mem, clrs__buffer *buffer,
                               clrs_error *error) {
  size_t size = 0, offset = 0;
  cl_mem parent = NULL;
  cl_mem_flags flags = 0;
  CLRS_TRY(check_is_buffer(context, mem, error));
  CLRS_TRY(mem_info(mem, CL_MEM_SIZE, sizeof size, &size, error));
  CLRS_TRY(mem_info(mem, CL_MEM_OFFSET, sizeof offset, &offset, error));
  CLRS_TRY(mem_info(mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, error));
  CLRS_TRY(mem_info(mem, CL_MEM_FLAGS, sizeof flags, &flags, error));
  buffer->given = mem;
  buffer->root = parent != NULL ? parent : mem;
  buffer->begin = offset;
  buffer->end = (uint64_t)offset + size;
  buffer->readable = (flags & CL_MEM_WRITE_ONLY) == 0;
  buffer->writable = (flags & CL_MEM_READ_ONLY) == 0;
  buffer->is_lent_read_only = false;
  return ask_root(buffer, error);
}

clrs_status clrs__buffer_check_read(const clrs__buffer *buffer, const char *name,
                                    clrs_error *error) {
  return buffer->readable
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "the %s's buffer is CL_MEM_WRITE_ONLY; a kernel may not read it", name);
}

clrs_status clrs__buffer_check_written(const clrs__buffer *buffer, const char *name,
                                       clrs_error *error) {
  return buffer->writable ? CLRS_OK
                          : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                                       "the %s's buffer is %s; a kernel may not write it", name,
                                       clrs__read_only_text(buffer));
}

/* ---- arithmetic ---- */

/* A device that does not know the query, as may happen for doubles, promises nothing: *config is 0.
 * Any other failure is reported. */
static clrs_status ask_floats(cl_device_id device, cl_device_info what, cl_device_fp_config *config,
                              clrs_error *error) {
  *config = 0;
  const cl_int code = clGetDeviceInfo(device, what, sizeof *config, config, NULL);
  return code == CL_SUCCESS || code == CL_INVALID_VALUE
             ? CLRS_OK
             : clrs__fail_opencl(error, code, "clGetDeviceInfo");
}

clrs_status clrs__device_arithmetic(cl_device_id device, bool keeps_excess,
                                    clrs__arithmetic *arithmetic, clrs_error *error) {
  const cl_device_fp_config exact = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST;
  cl_device_fp_config single, wide;
  CLRS_TRY(ask_floats(device, CL_DEVICE_SINGLE_FP_CONFIG, &single, error));
  CLRS_TRY(ask_floats(device, CL_DEVICE_DOUBLE_FP_CONFIG, &wide, error));
  arithmetic->has_doubles = (wide & exact) == exact && !keeps_excess;
  arithmetic->has_denormals = (single & CL_FP_DENORM) != 0;
  arithmetic->divides = (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  arithmetic->fuses = (single & CL_FP_FMA) != 0;
  arithmetic->keeps_excess = keeps_excess;
  return CLRS_OK;
}
