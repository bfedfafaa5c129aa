/* SPDX-License-Identifier: Apache-2.0 */
#include "tail.h"

clrs__tail clrs__tail_of(const clrs_on *on, cl_event *event) {
  return on != NULL ? (clrs__tail){on->queue, on->wait_count, on->waits, event}
                    : (clrs__tail){.event = event};
}

clrs_status clrs__tail_check_form(const clrs_context *context, const clrs__tail *tail,
                                  clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(tail->queue, "on->queue", error));
  return clrs__check_wait_list(tail->wait_count, tail->wait_list, error);
}

clrs_status clrs__tail_check(const clrs_context *context, const clrs__tail *tail,
                             clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(tail->queue, "on->queue", error));
  CLRS_TRY(clrs__check_queue(tail->queue, context->opencl, context->device, error));
  return clrs__check_events(context->opencl, tail->wait_count, tail->wait_list, error);
}

clrs_status clrs__enqueue_marker(const clrs__tail *tail, clrs_error *error) {
  cl_event marker = NULL;
  if (tail->event == NULL) {
    return CLRS_OK;
  }
  CLRS_TRY_OPENCL(
      "clEnqueueMarkerWithWaitList",
      clEnqueueMarkerWithWaitList(tail->queue, tail->wait_count, tail->wait_list, &marker), error);
  *tail->event = marker;
  return CLRS_OK;
}
