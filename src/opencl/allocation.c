/* SPDX-License-Identifier: Apache-2.0 */
#include "allocation.h"

#include <stdlib.h>

/* ---- queues ---- */

static void forget_events(clrs__allocation *allocation) {
  while (allocation->event_count > 0) {
    clReleaseEvent(allocation->events[--allocation->event_count]);
  }
}

static void forget_queues(clrs__allocation *allocation) {
  while (allocation->other_count > 0) {
    clReleaseCommandQueue(allocation->others[--allocation->other_count]);
  }
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
  forget_events(allocation);
  if (queue == allocation->home && allocation->other_count == 0) {
    return CLRS_OK;
  }
  forget_queues(allocation);
  return clrs__allocation_enter(allocation, queue, error);
}

static bool mark_queue(clrs__allocation *allocation, cl_command_queue queue) {
  cl_event *event = &allocation->events[allocation->event_count];
  if (clEnqueueMarkerWithWaitList(queue, 0, NULL, event) != CL_SUCCESS) {
    return false;
  }
  allocation->event_count++;
  return true;
}

bool clrs__allocation_mark(clrs__allocation *allocation) {
  bool marked = allocation->home == NULL || mark_queue(allocation, allocation->home);
  for (size_t i = 0; i < allocation->other_count && marked; i++) {
    marked = mark_queue(allocation, allocation->others[i]);
  }
  if (!marked) {
    forget_events(allocation);
  }
  return marked;
}

static bool is_known(const clrs__allocation *allocation, cl_command_queue queue) {
  size_t i = 0;
  while (i < allocation->other_count && allocation->others[i] != queue) {
    i++;
  }
  return i < allocation->other_count;
}

clrs_status clrs__allocation_add_queue(clrs__allocation *allocation, cl_command_queue queue,
                                       clrs_error *error) {
  if (is_known(allocation, queue)) {
    return CLRS_OK;
  }
  if (allocation->other_count == CLRS__MOST_QUEUES) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "the tensor has been used on %d queues; a result's memory is followed on no "
                      "more",
                      CLRS__MOST_QUEUES);
  }
  CLRS_TRY_OPENCL("clRetainCommandQueue", clRetainCommandQueue(queue), error);
  allocation->others[allocation->other_count++] = queue;
  return CLRS_OK;
}

void clrs__allocation_free(clrs__allocation *allocation) {
  forget_events(allocation);
  forget_queues(allocation);
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
