/*
 * Commands that fail after they were accepted: each gets one more event to wait for, and that event
 * fails when somebody waits or the test goes on.
 *
 * PoCL 3.1 survives a failed command only where nothing else is under way: a command that is
 * enqueued behind a failed one never ends, and one that waits for two is finished twice if the
 * second ends later. So all that does not depend on the failure ends first. For one thread, and
 * queues that are out of order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FAULT_LAYER_ASYNC_H
#define CLRS_TEST_FAULT_LAYER_ASYNC_H

#include <CL/cl_icd.h>
#include <stdbool.h>

enum { ASYNC_MOST_WAITS = 256 };

typedef struct wait_events {
  cl_uint count;
  cl_event list[ASYNC_MOST_WAITS];
} wait_events;

/* The wait list with an event that will fail with `code`. */
void async_make_fail(const cl_icd_dispatch *next, cl_command_queue queue, cl_int code,
                     const wait_events *given, wait_events *failing);
wait_events async_waits(cl_uint count, const cl_event *list);
/* A command was enqueued that waits for these. */
void async_enqueued(const cl_icd_dispatch *next, cl_event command, const wait_events *waits);
/* Lets those fail that are to fail. */
void async_settle(const cl_icd_dispatch *next);

#endif
