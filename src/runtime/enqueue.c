/*
 * The enqueue calls. They decide nothing: clrs_plan_move does. Here the plan meets buffers, is
 * checked against them, and is enqueued.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "tensor.h"

/* Where commands go and what they wait for: the tail of every enqueue call. */
typedef struct submission {
  clrs_context *context;
  cl_command_queue queue;
  cl_uint wait_count;
  const cl_event *wait_list;
  cl_event *event;
} submission;

static clrs_status check_submission(const submission *submission, clrs_error *error) {
  CLRS_TRY(clrs__require(submission->context, "context", error));
  return clrs__context_check_queue(submission->context, submission->queue, submission->wait_count,
                                   submission->wait_list, error);
}

/* The event of a plan without launches: done when the wait list is, failed when that fails. */
static clrs_status enqueue_marker(const submission *submission, clrs_error *error) {
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

/* Where a plan goes. */
typedef struct target {
  const clrs_plan *plan;
  cl_mem source, destination;
} target;

static clrs_status enqueue_launch(const submission *submission, const target *target,
                                  uint32_t index, cl_event *event, clrs_error *error) {
  const clrs__dispatch dispatch = {.launch = &target->plan->launches[index],
                                   .stack = &target->plan->stack,
                                   .source = target->source,
                                   .destination = target->destination,
                                   .queue = submission->queue,
                                   .wait_count = submission->wait_count,
                                   .wait_list = submission->wait_list};
  return clrs__context_dispatch(submission->context, &dispatch, event, error);
}

/* The launches of a plan write disjoint bytes, so all wait for the same events and none for
 * another; a marker then stands for them all. */
static clrs_status enqueue_launches(const submission *outer, const target *target,
                                    clrs_error *error) {
  cl_event events[CLRS_MAX_LAUNCHES] = {NULL};
  clrs_status status = CLRS_OK;
  uint32_t done = 0;
  for (; status == CLRS_OK && done < target->plan->launch_count; done++) {
    status = enqueue_launch(outer, target, done, &events[done], error);
  }
  if (status == CLRS_OK) {
    submission all = *outer;
    all.wait_count = done;
    all.wait_list = events;
    status = enqueue_marker(&all, error);
  }
  for (uint32_t i = 0; i < CLRS_MAX_LAUNCHES; i++) {
    if (events[i] != NULL) {
      clReleaseEvent(events[i]);
    }
  }
  return status;
}

static clrs_status enqueue_target(const submission *submission, const target *target,
                                  clrs_error *error) {
  if (target->plan->launch_count == 0) {
    return enqueue_marker(submission, error);
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

static clrs_status check_access(const clrs__buffer *source, const clrs__buffer *destination,
                                clrs_error *error) {
  if (!source->readable) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the source's buffer is CL_MEM_WRITE_ONLY; a kernel may not read it");
  }
  if (destination != NULL && !destination->writable) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the destination's buffer is CL_MEM_READ_ONLY; a kernel may not write it");
  }
  return CLRS_OK;
}

/* ---- planning ---- */

clrs_status clrs_tensor_plan(clrs_context *context, const clrs_tensor *source,
                             const clrs_tensor *destination, clrs_copy_policy policy,
                             clrs_plan *plan, clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__tensor_check(source, context, "source", error));
  CLRS_TRY(clrs__require(plan, "plan", error));
  clrs_move move = {.source = clrs__tensor_operand(source), .policy = policy};
  if (destination != NULL) {
    CLRS_TRY(clrs__tensor_check(destination, context, "destination", error));
    move.destination = clrs__tensor_operand(destination);
    if (clrs__tensor_buffer(source)->root == clrs__tensor_buffer(destination)->root &&
        clrs_operands_overlap(&move.source, &move.destination)) {
      return clrs__fail(
          error, CLRS_OVERLAP,
          "source and destination share bytes of one buffer; a move needs them apart");
    }
  }
  CLRS_TRY(clrs_plan_move(&move, clrs__context_limits(context), plan, error));
  if (plan->launch_count > 0) {
    CLRS_TRY(check_access(clrs__tensor_buffer(source),
                          destination != NULL ? clrs__tensor_buffer(destination) : NULL, error));
  }
  return CLRS_OK;
}

/* ---- results of their own ---- */

/* An alias keeps the source's storage; what is copied gets a buffer of its own. */
static clrs_status create_result(const submission *submission, clrs_tensor *source,
                                 const clrs_plan *plan, clrs_tensor **result, clrs_error *error) {
  clrs_view view;
  CLRS_TRY(clrs_view_from_layout(&plan->result, &view, error));
  if (plan->launch_count == 0) {
    return clrs_tensor_with_view(source, &view, result, error);
  }
  return clrs_tensor_allocate(submission->context, view.dtype, &view.shape, result, error);
}

/* An allocator of the caller's may return memory less aligned than a plan expects of a new
 * buffer. */
static clrs_status replan_if_misaligned(const submission *submission, const clrs_tensor *source,
                                        const clrs_tensor *result, clrs_plan *plan,
                                        clrs_error *error) {
  if (plan->launch_count == 0 ||
      clrs__tensor_buffer(result)->alignment >= plan->destination.alignment) {
    return CLRS_OK;
  }
  return clrs_tensor_plan(submission->context, source, result, CLRS_COPY_ALWAYS, plan, error);
}

static clrs_status materialize(const submission *submission, clrs_tensor *source,
                               clrs_copy_policy policy, clrs_tensor **result, clrs_error *error) {
  clrs_plan plan;
  clrs_tensor *created = NULL;
  CLRS_TRY(clrs_tensor_plan(submission->context, source, NULL, policy, &plan, error));
  CLRS_TRY(create_result(submission, source, &plan, &created, error));
  clrs_status status = replan_if_misaligned(submission, source, created, &plan, error);
  if (status == CLRS_OK) {
    const target target = {&plan, clrs_tensor_storage(source).buffer,
                           clrs_tensor_storage(created).buffer};
    status = enqueue_target(submission, &target, error);
  }
  if (status != CLRS_OK) {
    clrs_tensor_release(created);
    return status;
  }
  *result = created;
  return CLRS_OK;
}

clrs_status clrs_enqueue_materialize(clrs_context *context, clrs_tensor *source,
                                     clrs_copy_policy policy, clrs_tensor **result,
                                     cl_command_queue queue, cl_uint num_events_in_wait_list,
                                     const cl_event *event_wait_list, cl_event *event,
                                     clrs_error *error) {
  const submission submission = {context, queue, num_events_in_wait_list, event_wait_list, event};
  CLRS_TRY(check_submission(&submission, error));
  CLRS_TRY(clrs__require(result, "result", error));
  return materialize(&submission, source, policy, result, error);
}

clrs_status clrs_enqueue_reshape(clrs_context *context, clrs_tensor *source,
                                 const clrs_pattern *pattern, clrs_copy_policy policy,
                                 clrs_tensor **result, cl_command_queue queue,
                                 cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                 cl_event *event, clrs_error *error) {
  const submission submission = {context, queue, num_events_in_wait_list, event_wait_list, event};
  CLRS_TRY(check_submission(&submission, error));
  CLRS_TRY(clrs__require(result, "result", error));
  CLRS_TRY(clrs__tensor_check(source, context, "source", error));
  clrs_view view = *clrs_tensor_view(source);
  clrs_tensor *reshaped = NULL;
  CLRS_TRY(clrs_view_reshape_pattern(&view, pattern, error));
  CLRS_TRY(clrs_tensor_with_view(source, &view, &reshaped, error));
  const clrs_status status = materialize(&submission, reshaped, policy, result, error);
  clrs_tensor_release(reshaped);
  return status;
}

/* ---- destinations of the caller's ---- */

clrs_status clrs_enqueue_move(clrs_context *context, clrs_tensor *source, clrs_tensor *destination,
                              cl_command_queue queue, cl_uint num_events_in_wait_list,
                              const cl_event *event_wait_list, cl_event *event, clrs_error *error) {
  const submission submission = {context, queue, num_events_in_wait_list, event_wait_list, event};
  clrs_plan plan;
  CLRS_TRY(check_submission(&submission, error));
  CLRS_TRY(clrs__require(destination, "destination", error));
  CLRS_TRY(clrs_tensor_plan(context, source, destination, CLRS_COPY_ALWAYS, &plan, error));
  const target target = {&plan, clrs_tensor_storage(source).buffer,
                         clrs_tensor_storage(destination).buffer};
  return enqueue_target(&submission, &target, error);
}

/* The buffer holds what the plan touches and is as aligned as the plan relies on. */
static clrs_status check_footprint(const clrs__buffer *buffer, const clrs_footprint *footprint,
                                   const char *what, clrs_error *error) {
  const uint64_t size = buffer->end - buffer->begin;
  if (footprint->end > size) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "the plan touches bytes %" PRIu64 " to %" PRIu64
                      " of the %s, a buffer of %" PRIu64 " bytes",
                      footprint->begin, footprint->end, what, size);
  }
  const uint64_t alignment = buffer->begin | buffer->alignment;
  if (alignment % footprint->alignment != 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the plan relies on a %s aligned to %u bytes; this one is not", what,
                      footprint->alignment);
  }
  return CLRS_OK;
}

static clrs_status check_buffers(const submission *submission, const clrs_plan *plan, cl_mem source,
                                 cl_mem destination, clrs_error *error) {
  const cl_context opencl = clrs__context_opencl(submission->context);
  clrs__buffer from, to;
  CLRS_TRY(clrs__require(source, "source", error));
  CLRS_TRY(clrs__require(destination, "destination", error));
  CLRS_TRY(clrs__buffer_query(opencl, source, &from, error));
  CLRS_TRY(clrs__buffer_query(opencl, destination, &to, error));
  CLRS_TRY(check_access(&from, &to, error));
  CLRS_TRY(check_footprint(&from, &plan->source, "source", error));
  CLRS_TRY(check_footprint(&to, &plan->destination, "destination", error));
  if (from.root == to.root && from.begin + plan->source.begin < to.begin + plan->destination.end &&
      to.begin + plan->destination.begin < from.begin + plan->source.end) {
    return clrs__fail(error, CLRS_OVERLAP,
                      "the footprints of source and destination meet in one buffer");
  }
  return CLRS_OK;
}

clrs_status clrs_enqueue_plan(clrs_context *context, const clrs_plan *plan, cl_mem source,
                              cl_mem destination, cl_command_queue queue,
                              cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                              cl_event *event, clrs_error *error) {
  const submission submission = {context, queue, num_events_in_wait_list, event_wait_list, event};
  CLRS_TRY(check_submission(&submission, error));
  CLRS_TRY(clrs__require(plan, "plan", error));
  if (plan->launch_count > 0) {
    CLRS_TRY(check_buffers(&submission, plan, source, destination, error));
  }
  const target target = {plan, source, destination};
  return enqueue_target(&submission, &target, error);
}
