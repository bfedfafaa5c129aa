/*
 * The end of an enqueue call's parameters: the queue, the wait list and the event for the caller.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "context.h"

typedef struct clrs__tail {
  cl_command_queue queue;
  cl_uint wait_count;
  const cl_event *wait_list;
  cl_event *event; /* NULL if the caller wants no event */
} clrs__tail;

/* Has no queue if `on` is NULL. */
clrs__tail clrs__tail_of(const clrs_on *on, cl_event *event);
/* Context, queue and wait list are there and belong together, and no event has failed yet. */
clrs_status clrs__tail_check(const clrs_context *context, const clrs__tail *tail,
                             clrs_error *error);
/* Checks that the context and the queue are set and that the wait list is well formed, for a call
 * that may enqueue nothing. Asks no driver. */
clrs_status clrs__tail_check_form(const clrs_context *context, const clrs__tail *tail,
                                  clrs_error *error);

/* Enqueues a marker if the caller wants an event. The event is done when the wait list is done, and
 * fails if the wait list fails. */
clrs_status clrs__enqueue_marker(const clrs__tail *tail, clrs_error *error);
