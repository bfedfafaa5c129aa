/*
 * Commands that fail after acceptance. Each command gets an extra event to wait for, and that event
 * fails at a wait or when the test continues.
 *
 * PoCL 3.1 survives a failed command only if no other command is under way. A command that is
 * enqueued behind a failed command never ends. A command that waits for two commands is finished
 * twice if the second ends later. So all commands that do not depend on
 * the failure end first. For a single thread and unordered queues.
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
/* Records an enqueued command that waits for these events. */
void async_enqueued(const cl_icd_dispatch *next, cl_event command, const wait_events *waits);
/* Makes the due commands fail. */
void async_settle(const cl_icd_dispatch *next);

#endif
