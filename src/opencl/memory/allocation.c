/* SPDX-License-Identifier: Apache-2.0 */
#include "allocation.h"

#include <stdlib.h>

#include "array.h"

/* ---- queues ---- */

static void forget_events(clrs__allocation *allocation, size_t kept) {
  while (allocation->event_count > kept) {
    clReleaseEvent(allocation->events[--allocation->event_count]);
  }
}

void clrs__queues_release(clrs__queues *queues) {
  while (queues->count > 0) {
    clReleaseCommandQueue(queues->list[--queues->count]);
  }
}

static void forget_queues(clrs__allocation *allocation) {
  clrs__queues_release(&allocation->others);
  if (allocation->home != NULL) {
    clReleaseCommandQueue(allocation->home);
  }
  allocation->home = NULL;
}

clrs_status clrs__allocation_enter(clrs__allocation *allocation, cl_command_queue queue,
                                   clrs_error *error) {
  cl_command_queue_properties properties = 0;
  CLRS_TRY_OPENCL(
      "clGetCommandQueueInfo",
      clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL),
      error);
  CLRS_TRY_OPENCL("clRetainCommandQueue", clRetainCommandQueue(queue), error);
  allocation->home = queue;
  allocation->is_ordered = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
  return CLRS_OK;
}

clrs_status clrs__allocation_move(clrs__allocation *allocation, cl_command_queue queue,
                                  clrs_error *error) {
  forget_events(allocation, 0);
  allocation->awaited = 0;
  if (queue == allocation->home && allocation->others.count == 0) {
    return CLRS_OK;
  }
  forget_queues(allocation);
  return clrs__allocation_enter(allocation, queue, error);
}

/* ---- events ---- */

/* Returns CL_COMPLETE, a smaller number if the command failed, or a larger number if the command is
 * pending or the driver does not answer. */
static cl_int status_of(cl_event event) {
  cl_int status = CL_QUEUED;
  const cl_int code =
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  return code == CL_SUCCESS ? status : CL_QUEUED;
}

bool clrs__allocation_reached(const clrs__allocation *allocation, size_t count) {
  size_t at = 0;
  while (at < count && status_of(allocation->events[at]) == CL_COMPLETE) {
    at++;
  }
  return at == count;
}

/* Drops events that have ended. Only for memory in use, which has no markers of its queues. */
static void drop_reached(clrs__allocation *allocation) {
  size_t kept = 0;
  for (size_t i = 0; i < allocation->awaited; i++) {
    if (status_of(allocation->events[i]) == CL_COMPLETE) {
      clReleaseEvent(allocation->events[i]);
    } else {
      allocation->events[kept++] = allocation->events[i];
    }
  }
  allocation->event_count = allocation->awaited = kept;
}

static bool reserve_event(clrs__allocation *allocation) {
  cl_event *grown = clrs__array_grow(allocation->events, allocation->event_count,
                                     &allocation->event_room, sizeof *grown);
  if (grown != NULL) {
    allocation->events = grown;
  }
  return grown != NULL;
}

clrs_status clrs__allocation_await(clrs__allocation *allocation, cl_uint count,
                                   const cl_event *events, clrs_error *error) {
  drop_reached(allocation);
  for (cl_uint i = 0; i < count; i++) {
    if (status_of(events[i]) <= CL_COMPLETE) {
      continue;
    }
    if (!reserve_event(allocation)) {
      return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for another event");
    }
    CLRS_TRY_OPENCL("clRetainEvent", clRetainEvent(events[i]), error);
    allocation->events[allocation->event_count++] = events[i];
    allocation->awaited = allocation->event_count;
  }
  return CLRS_OK;
}

static cl_int mark_queue(clrs__allocation *allocation, cl_command_queue queue) {
  if (!reserve_event(allocation)) {
    return CL_OUT_OF_HOST_MEMORY;
  }
  const cl_int code =
      clEnqueueMarkerWithWaitList(queue, 0, NULL, &allocation->events[allocation->event_count]);
  allocation->event_count += code == CL_SUCCESS;
  return code;
}

bool clrs__allocation_mark(clrs__allocation *allocation) {
  const clrs__queues *others = &allocation->others;
  cl_int code = allocation->home == NULL ? CL_SUCCESS : mark_queue(allocation, allocation->home);
  for (size_t i = 0; i < others->count && code == CL_SUCCESS; i++) {
    code = mark_queue(allocation, others->list[i]);
  }
  if (code != CL_SUCCESS) {
    forget_events(allocation, allocation->awaited);
  }
  return code == CL_SUCCESS;
}

/* ---- other queues ---- */

/* A marker stands for all commands that a queue has been given so far. */
static clrs_status forget_others(clrs__allocation *allocation, clrs__queues *gone,
                                 clrs_error *error) {
  clrs__queues *others = &allocation->others;
  drop_reached(allocation);
  while (others->count > 0) {
    CLRS_TRY_OPENCL("clEnqueueMarkerWithWaitList",
                    mark_queue(allocation, others->list[others->count - 1]), error);
    allocation->awaited = allocation->event_count;
    gone->list[gone->count++] = others->list[--others->count];
  }
  return CLRS_OK;
}

static bool is_known(const clrs__queues *queues, cl_command_queue queue) {
  size_t i = 0;
  while (i < queues->count && queues->list[i] != queue) {
    i++;
  }
  return i < queues->count;
}

clrs_status clrs__allocation_add_queue(clrs__allocation *allocation, cl_command_queue queue,
                                       clrs__queues *gone, clrs_error *error) {
  clrs__queues *others = &allocation->others;
  if (is_known(others, queue)) {
    return CLRS_OK;
  }
  if (others->count == CLRS__MOST_QUEUES) {
    CLRS_TRY(forget_others(allocation, gone, error));
  }
  CLRS_TRY_OPENCL("clRetainCommandQueue", clRetainCommandQueue(queue), error);
  others->list[others->count++] = queue;
  return CLRS_OK;
}

/* ---- the end ---- */

void clrs__allocation_free(clrs__allocation *allocation) {
  forget_events(allocation, 0);
  forget_queues(allocation);
  free(allocation->events);
  free(allocation);
}

void clrs__allocation_destroy(clrs__allocation *allocation) {
  clReleaseMemObject(allocation->storage.buffer);
  clrs__allocation_free(allocation);
}

void clrs__allocation_destroy_all(clrs__allocation *first) {
  while (first != NULL) {
    clrs__allocation *const next = first->next;
    clrs__allocation_destroy(first);
    first = next;
  }
}
