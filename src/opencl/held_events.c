/* SPDX-License-Identifier: Apache-2.0 */
#include "held_events.h"

#include <stdlib.h>

static bool make_room(clrs__held_events *held) {
  if (held->count < held->capacity) {
    return true;
  }
  const size_t capacity = held->capacity > 0 ? 2 * held->capacity : 16;
  cl_event *events = realloc(held->events, capacity * sizeof *events);
  if (events == NULL) {
    return false;
  }
  held->events = events;
  held->capacity = capacity;
  return true;
}

void clrs__held_events_add(clrs__held_events *held, cl_event event) {
  if (make_room(held)) {
    held->events[held->count++] = event;
  } else {
    clReleaseEvent(event);
  }
}

static bool has_ended(cl_event event) {
  cl_int status = CL_QUEUED;
  return clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) !=
             CL_SUCCESS ||
         status <= CL_COMPLETE;
}

void clrs__held_events_sweep(clrs__held_events *held) {
  size_t kept = 0;
  for (size_t i = 0; i < held->count; i++) {
    if (has_ended(held->events[i])) {
      clReleaseEvent(held->events[i]);
    } else {
      held->events[kept++] = held->events[i];
    }
  }
  held->count = kept;
}

void clrs__held_events_destroy(clrs__held_events *held) {
  for (size_t i = 0; i < held->count; i++) {
    clReleaseEvent(held->events[i]);
  }
  free(held->events);
}
