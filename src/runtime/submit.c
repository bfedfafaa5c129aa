/* SPDX-License-Identifier: Apache-2.0 */
#include "submit.h"

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

static clrs_status enqueue_launch(const clrs__submission *submission, const clrs__target *target,
                                  uint32_t index, cl_event *event, clrs_error *error) {
  const clrs__dispatch dispatch = {.launch = &target->plan->launches[index],
                                   .stack = &target->plan->stack,
                                   .source = target->source,
                                   .destination = target->destination,
                                   .value = target->value,
                                   .queue = submission->queue,
                                   .wait_count = submission->wait_count,
                                   .wait_list = submission->wait_list};
  return clrs__context_dispatch(submission->context, &dispatch, event, error);
}

/* All launches of a plan wait for the same events, and for one another only if they share bytes; a
 * marker then stands for them all. */
static clrs_status enqueue_launches(const clrs__submission *outer, const clrs__target *target,
                                    clrs_error *error) {
  cl_event events[CLRS_MAX_LAUNCHES] = {NULL};
  clrs_status status = CLRS_OK;
  uint32_t done = 0;
  while (status == CLRS_OK && done < target->plan->launch_count) {
    clrs__submission next = *outer;
    if (target->plan->launches_in_order && done > 0) {
      next.wait_count = 1;
      next.wait_list = &events[done - 1];
    }
    status = enqueue_launch(&next, target, done, &events[done], error);
    done += status == CLRS_OK;
  }
  if (status == CLRS_OK) {
    const uint32_t first = target->plan->launches_in_order ? done - 1 : 0; /* the last ends last */
    clrs__submission all = *outer;
    all.wait_count = done - first;
    all.wait_list = events + first;
    status = clrs__submit_marker(&all, error);
  }
  if (status != CLRS_OK && done > 0) {
    clrs__append(error, "; %u of %u launches were enqueued before it and may write", done,
                 target->plan->launch_count);
  }
  clrs__context_hold_events(outer->context, done, events);
  return status;
}

clrs_status clrs__submit(const clrs__submission *submission, const clrs__target *target,
                         clrs_error *error) {
  if (target->plan->launch_count == 0) {
    return clrs__submit_marker(submission, error);
  }
  if (target->plan->launch_count > 1) {
    return enqueue_launches(submission, target, error);
  }
  cl_event event = NULL;
  CLRS_TRY(enqueue_launch(submission, target, 0, submission->event != NULL ? &event : NULL, error));
  if (submission->event != NULL) {
    *submission->event = event;
  }
  return CLRS_OK;
}
