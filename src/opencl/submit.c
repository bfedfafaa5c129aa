/* SPDX-License-Identifier: Apache-2.0 */
#include "submit.h"

#include <stdlib.h>

clrs_status clrs__submission_check_form(const clrs__submission *submission, clrs_error *error) {
  CLRS_TRY(clrs__require(submission->context, "context", error));
  CLRS_TRY(clrs__require(submission->queue, "queue", error));
  return clrs__check_wait_list(submission->wait_count, submission->wait_list, error);
}

clrs_status clrs__submission_check(const clrs__submission *submission, clrs_error *error) {
  CLRS_TRY(clrs__require(submission->context, "context", error));
  return clrs__context_check_queue(submission->context, submission->queue, submission->wait_count,
                                   submission->wait_list, error);
}

clrs_status clrs__submit_marker(const clrs__submission *submission, clrs_error *error) {
  if (submission->event == NULL) {
    return CLRS_OK;
  }
  cl_event marker = NULL;
  CLRS_TRY_OPENCL("clEnqueueMarkerWithWaitList",
                  clEnqueueMarkerWithWaitList(submission->queue, submission->wait_count,
                                              submission->wait_list, &marker),
                  error);
  *submission->event = marker;
  return CLRS_OK;
}

/* ---- several commands ---- */

/* One event for all: of commands in order the last ends last, and is no longer held. */
static clrs_status submit_end(const clrs__submission *outer, const clrs__sequence *sequence,
                              const cl_event *events, size_t *done, clrs_error *error) {
  if (sequence->in_order && outer->event != NULL) {
    *outer->event = events[--*done];
  }
  if (sequence->in_order) {
    return CLRS_OK;
  }
  clrs__submission all = *outer;
  const bool last_only = clrs__context_marks_last_only(outer->context, outer->queue);
  all.wait_count = last_only ? 1 : (cl_uint)*done;
  all.wait_list = last_only ? &events[*done - 1] : events;
  return clrs__submit_marker(&all, error);
}

static clrs_status submit_each(const clrs__submission *outer, const clrs__sequence *sequence,
                               cl_event *events, size_t *done, clrs_error *error) {
  for (; *done < sequence->count; ++*done) {
    clrs__submission one = *outer;
    one.event = &events[*done];
    if (sequence->in_order && *done > 0) {
      one.wait_count = 1;
      one.wait_list = &events[*done - 1];
    }
    CLRS_TRY(sequence->submit(sequence->commands, *done, &one, error));
  }
  return submit_end(outer, sequence, events, done, error);
}

clrs_status clrs__submit_sequence(const clrs__submission *submission,
                                  const clrs__sequence *sequence, clrs_error *error) {
  if (sequence->count == 0) {
    return clrs__submit_marker(submission, error);
  }
  if (sequence->count == 1) {
    return sequence->submit(sequence->commands, 0, submission, error);
  }
  cl_event *events = calloc(sequence->count, sizeof *events);
  if (events == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %zu events", sequence->count);
  }
  size_t done = 0;
  const clrs_status status = submit_each(submission, sequence, events, &done, error);
  if (status != CLRS_OK && done > 0) {
    clrs__append(error, "; %zu of %zu %s were enqueued before it and may write", done,
                 sequence->count, sequence->noun);
  }
  clrs__context_hold_events(submission->context, done, events);
  free(events);
  return status;
}

/* ---- the launches of a plan ---- */

clrs_status clrs__prepare(clrs_context *context, const clrs_plan *plan, clrs_error *error) {
  for (uint32_t i = 0; i < plan->launch_count; i++) {
    CLRS_TRY(clrs__context_prepare(context, clrs__cut_variant(&clrs__plan_data_in(plan)->cuts[i]),
                                   error));
  }
  return CLRS_OK;
}

static clrs_status submit_launch(const void *commands, size_t index,
                                 const clrs__submission *submission, clrs_error *error) {
  const clrs__target *target = commands;
  const clrs__plan_data *data = clrs__plan_data_in(target->plan);
  const clrs__dispatch dispatch = {.cut = &data->cuts[index],
                                   .stack = &data->stack,
                                   .source = target->source,
                                   .destination = target->destination,
                                   .value = target->value,
                                   .queue = submission->queue,
                                   .wait_count = submission->wait_count,
                                   .wait_list = submission->wait_list};
  cl_event event = NULL;
  CLRS_TRY(clrs__context_dispatch(submission->context, &dispatch,
                                  submission->event != NULL ? &event : NULL, error));
  if (submission->event != NULL) {
    *submission->event = event;
  }
  return CLRS_OK;
}

clrs_status clrs__submit(const clrs__submission *submission, const clrs__target *target,
                         clrs_error *error) {
  const clrs__sequence launches = {target->plan->launch_count,
                                   clrs__plan_data_in(target->plan)->in_order, "launches",
                                   submit_launch, target};
  if (launches.count > 1) {
    CLRS_TRY(clrs__prepare(submission->context, target->plan, error));
  }
  return clrs__submit_sequence(submission, &launches, error);
}
