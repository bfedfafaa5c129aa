/*
 * The microscope's contexts, queues and events.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "objects.h"

#include <stdlib.h>
#include <string.h>

void *object_create(size_t size) {
  object *created = calloc(1, size);
  if (created != NULL) {
    created->dispatch = &microscope_dispatch;
    atomic_init(&created->references, 1);
  }
  return created;
}

bool object_drop(void *any) {
  object *dropped = any;
  return atomic_fetch_sub(&dropped->references, 1) == 1;
}

static cl_int retain(void *any) {
  object *kept = any;
  atomic_fetch_add(&kept->references, 1);
  return CL_SUCCESS;
}

cl_int object_tell(size_t room, void *to, size_t *size, const void *from, size_t bytes) {
  if (to != NULL && room < bytes) {
    return CL_INVALID_VALUE;
  }
  if (to != NULL) {
    memcpy(to, from, bytes);
  }
  if (size != NULL) {
    *size = bytes;
  }
  return CL_SUCCESS;
}

cl_int object_complete(cl_command_queue queue, cl_command_type type, cl_event *event) {
  if (event == NULL) {
    return CL_SUCCESS;
  }
  cl_event created = object_create(sizeof *created);
  if (created == NULL) {
    return CL_OUT_OF_HOST_MEMORY;
  }
  created->queue = queue;
  created->type = type;
  retain(queue);
  *event = created;
  return CL_SUCCESS;
}

/* ---- contexts ---- */

cl_context CL_API_CALL my_clCreateContext(const cl_context_properties *properties, cl_uint count,
                                          const cl_device_id *devices,
                                          void(CL_CALLBACK *notify)(const char *, const void *,
                                                                    size_t, void *),
                                          void *user, cl_int *code) {
  (void)properties, (void)devices, (void)notify, (void)user;
  cl_context created = count == 1 ? object_create(sizeof *created) : NULL;
  if (code != NULL) {
    *code = created != NULL ? CL_SUCCESS : count != 1 ? CL_INVALID_VALUE : CL_OUT_OF_HOST_MEMORY;
  }
  return created;
}

cl_int CL_API_CALL my_clRetainContext(cl_context context) {
  return retain(context);
}

cl_int CL_API_CALL my_clReleaseContext(cl_context context) {
  if (object_drop(context)) {
    free(context);
  }
  return CL_SUCCESS;
}

cl_int CL_API_CALL my_clGetContextInfo(cl_context context, cl_context_info name, size_t room,
                                       void *value, size_t *size) {
  const cl_device_id device = &microscope_device;
  const cl_uint one = 1, references = atomic_load(&context->head.references);
  switch (name) {
  case CL_CONTEXT_DEVICES:
    return object_tell(room, value, size, &device, sizeof device);
  case CL_CONTEXT_NUM_DEVICES:
    return object_tell(room, value, size, &one, sizeof one);
  case CL_CONTEXT_REFERENCE_COUNT:
    return object_tell(room, value, size, &references, sizeof references);
  case CL_CONTEXT_PROPERTIES:
    return object_tell(room, value, size, NULL, 0);
  default:
    return CL_INVALID_VALUE;
  }
}

/* ---- queues ---- */

cl_command_queue CL_API_CALL my_clCreateCommandQueue(cl_context context, cl_device_id device,
                                                     cl_command_queue_properties properties,
                                                     cl_int *code) {
  (void)device, (void)properties;
  cl_command_queue created = object_create(sizeof *created);
  if (code != NULL) {
    *code = created != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  }
  if (created != NULL) {
    created->context = context;
    retain(context);
  }
  return created;
}

cl_int CL_API_CALL my_clRetainCommandQueue(cl_command_queue queue) {
  return retain(queue);
}

cl_int CL_API_CALL my_clReleaseCommandQueue(cl_command_queue queue) {
  if (object_drop(queue)) {
    my_clReleaseContext(queue->context);
    free(queue);
  }
  return CL_SUCCESS;
}

cl_int CL_API_CALL my_clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name,
                                            size_t room, void *value, size_t *size) {
  const cl_device_id device = &microscope_device;
  const cl_uint references = atomic_load(&queue->head.references);
  const cl_command_queue_properties properties = 0;
  switch (name) {
  case CL_QUEUE_CONTEXT:
    return object_tell(room, value, size, &queue->context, sizeof queue->context);
  case CL_QUEUE_DEVICE:
    return object_tell(room, value, size, &device, sizeof device);
  case CL_QUEUE_REFERENCE_COUNT:
    return object_tell(room, value, size, &references, sizeof references);
  case CL_QUEUE_PROPERTIES:
    return object_tell(room, value, size, &properties, sizeof properties);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL my_clFlush(cl_command_queue queue) {
  (void)queue;
  return CL_SUCCESS;
}

cl_int CL_API_CALL my_clFinish(cl_command_queue queue) {
  return my_clFlush(queue);
}

/* ---- events ---- */

cl_int CL_API_CALL my_clWaitForEvents(cl_uint count, const cl_event *events) {
  return count > 0 && events != NULL ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_int CL_API_CALL my_clGetEventInfo(cl_event event, cl_event_info name, size_t room, void *value,
                                     size_t *size) {
  const cl_int status = CL_COMPLETE;
  const cl_uint references = atomic_load(&event->head.references);
  switch (name) {
  case CL_EVENT_COMMAND_EXECUTION_STATUS:
    return object_tell(room, value, size, &status, sizeof status);
  case CL_EVENT_COMMAND_QUEUE:
    return object_tell(room, value, size, &event->queue, sizeof event->queue);
  case CL_EVENT_CONTEXT:
    return object_tell(room, value, size, &event->queue->context, sizeof event->queue->context);
  case CL_EVENT_COMMAND_TYPE:
    return object_tell(room, value, size, &event->type, sizeof event->type);
  case CL_EVENT_REFERENCE_COUNT:
    return object_tell(room, value, size, &references, sizeof references);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL my_clRetainEvent(cl_event event) {
  return retain(event);
}

cl_int CL_API_CALL my_clReleaseEvent(cl_event event) {
  if (object_drop(event)) {
    my_clReleaseCommandQueue(event->queue);
    free(event);
  }
  return CL_SUCCESS;
}

cl_int CL_API_CALL my_clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count,
                                                  const cl_event *waits, cl_event *event) {
  (void)count, (void)waits;
  return object_complete(queue, CL_COMMAND_MARKER, event);
}
