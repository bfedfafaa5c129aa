/*
 * The tail of an enqueue call: where and when, and the event that comes back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "context.h"

typedef struct clrs__tail {
  cl_command_queue queue;
  cl_uint wait_count;
  const cl_event *wait_list;
  cl_event *event; /* NULL if nobody asks */
} clrs__tail;

/* Has no queue if `on` is NULL. */
clrs__tail clrs__tail_of(const clrs_on *on, cl_event *event);
/* Context, queue and wait list are there and belong together, and no event has failed yet. */
clrs_status clrs__tail_check(const clrs_context *context, const clrs__tail *tail,
                             clrs_error *error);
/* That they are there, for a call that may have nothing to enqueue. Asks no driver. */
clrs_status clrs__tail_check_form(const clrs_context *context, const clrs__tail *tail,
                                  clrs_error *error);

/* The event of nothing at all: done when the wait list is, failed when that fails. */
clrs_status clrs__enqueue_marker(const clrs__tail *tail, clrs_error *error);
