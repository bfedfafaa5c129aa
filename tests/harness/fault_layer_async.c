/*
 * Asynchronous failure. See fault_layer_async.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fault_layer_async.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_EVENTS = 1024 };

/* Events, each with a reference of ours. */
typedef struct event_set {
  size_t count;
  cl_event events[MOST_EVENTS];
} event_set;

static event_set causes; /* user events that will fail */
static cl_int codes[MOST_EVENTS];
static event_set doomed;      /* the commands that depend on a cause, and the causes */
static event_set independent; /* all else */

static void add(event_set *set, cl_event event) {
  if (set->count == MOST_EVENTS)
    abort();
  set->events[set->count++] = event;
}

static bool contains(const event_set *set, cl_event event) {
  for (size_t i = 0; i < set->count; i++)
    if (set->events[i] == event)
      return true;
  return false;
}

static void empty(const cl_icd_dispatch *next, event_set *set) {
  while (set->count > 0)
    (void)next->clReleaseEvent(set->events[--set->count]);
}

wait_events async_waits(cl_uint count, const cl_event *list) {
  wait_events waits = {.count = count};
  if (count >= ASYNC_MOST_WAITS)
    abort();
  if (count > 0)
    memcpy(waits.list, list, count * sizeof *list);
  return waits;
}

void async_make_fail(const cl_icd_dispatch *next, cl_command_queue queue, cl_int code,
                     const wait_events *given, wait_events *failing) {
  cl_context context = NULL;
  cl_int made =
      next->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  const cl_event cause = made == CL_SUCCESS ? next->clCreateUserEvent(context, &made) : NULL;
  if (made != CL_SUCCESS || next->clRetainEvent(cause) != CL_SUCCESS)
    abort();
  codes[causes.count] = code;
  add(&causes, cause);
  add(&doomed, cause);
  *failing = *given;
  failing->list[failing->count++] = cause;
}

void async_enqueued(const cl_icd_dispatch *next, cl_event command, const wait_events *waits) {
  bool depends = false;
  for (cl_uint i = 0; i < waits->count; i++)
    depends = depends || contains(&doomed, waits->list[i]);
  if (next->clRetainEvent(command) != CL_SUCCESS)
    abort();
  add(depends ? &doomed : &independent, command);
}

static bool has_ended(const cl_icd_dispatch *next, cl_event event) {
  cl_int status = CL_COMPLETE;
  return next->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                              NULL) != CL_SUCCESS ||
         status <= CL_COMPLETE;
}

/* Oclgrind would wait in clFlush for the commands that are to fail
 * (tests/portability/defects/flush_waits.c). Oclgrind runs nothing before a wait, and then each
 * command alone. */
static bool waits_in_flush(const cl_icd_dispatch *next, cl_command_queue queue) {
  char driver[256] = "";
  cl_device_id device = NULL;
  return next->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, (void *)&device,
                                     NULL) == CL_SUCCESS &&
         next->clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver, driver, NULL) ==
             CL_SUCCESS &&
         strncmp(driver, "Oclgrind", strlen("Oclgrind")) == 0;
}

/* First lets commands end that do not depend on the failure, for a second at most. A driver may run
 * an unordered queue in order (rusticl), where such a command can stand behind a failing
 * command. */
static void let_independent_end(const cl_icd_dispatch *next) {
  const struct timespec pause = {0, 1000000};
  int tries = 0;
  for (size_t i = 0; i < independent.count; i++) {
    cl_command_queue queue = NULL;
    if (next->clGetEventInfo(independent.events[i], CL_EVENT_COMMAND_QUEUE, sizeof queue,
                             (void *)&queue, NULL) != CL_SUCCESS ||
        !queue)
      continue;
    if (waits_in_flush(next, queue))
      return;
    (void)next->clFlush(queue);
  }
  for (size_t i = 0; i < independent.count; i++)
    for (; !has_ended(next, independent.events[i]) && tries < 1000; tries++)
      (void)nanosleep(&pause, NULL);
}

void async_settle(const cl_icd_dispatch *next) {
  if (causes.count > 0)
    let_independent_end(next);
  for (size_t i = 0; i < causes.count; i++)
    if (next->clSetUserEventStatus(causes.events[i], codes[i]) != CL_SUCCESS)
      abort();
  empty(next, &causes);
  empty(next, &doomed);
  empty(next, &independent);
}
