/*
 * Submitting: a plan that was checked meets its buffers and the queue. One event stands for it all.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_RUNTIME_SUBMIT_H
#define CLRS_RUNTIME_SUBMIT_H

#include "tensor.h"

/* Where commands go and what they wait for: the tail of every enqueue call. */
typedef struct clrs__submission {
  clrs_context *context;
  cl_command_queue queue;
  cl_uint wait_count;
  const cl_event *wait_list;
  cl_event *event; /* NULL if nobody asks */
} clrs__submission;

/* Context, queue and wait list are there and belong together, and no event has failed yet. */
clrs_status clrs__submission_check(const clrs__submission *submission, clrs_error *error);
/* That they are there, for a call that may have nothing to enqueue. Asks no driver. */
clrs_status clrs__submission_check_form(const clrs__submission *submission, clrs_error *error);

/* Builds the kernels of a plan that have not been built: later only an enqueue may fail. */
clrs_status clrs__prepare(clrs_context *context, const clrs_plan *plan, clrs_error *error);

/* A plan and the buffers that it is for. */
typedef struct clrs__target {
  const clrs_plan *plan;
  cl_mem source, destination;
  clrs__fill_value value; /* of a plan that fills */
} clrs__target;

/* Enqueues every launch of the plan, or a marker if it has none. */
clrs_status clrs__submit(const clrs__submission *submission, const clrs__target *target,
                         clrs_error *error);

/* Commands that make up one call. */
typedef struct clrs__sequence {
  size_t count;
  bool in_order;    /* each waits for the one before it, else all for the same events */
  const char *noun; /* for messages, of several: "launches" */
  clrs_status (*submit)(const void *commands, size_t index, const clrs__submission *submission,
                        clrs_error *error);
  const void *commands;
} clrs__sequence;

/* Enqueues them all, or a marker if there are none. */
clrs_status clrs__submit_sequence(const clrs__submission *submission,
                                  const clrs__sequence *sequence, clrs_error *error);

/* The event of nothing at all: done when the wait list is, failed when that fails. */
clrs_status clrs__submit_marker(const clrs__submission *submission, clrs_error *error);

#endif
