/*
 * The enqueue calls. They decide nothing: clrs_plan_move does. Here the plan meets buffers, is
 * checked against them, and is submitted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "submit.h"
#include "view.h"

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
    CLRS_TRY(clrs__tensors_check_apart(source, destination, error));
    CLRS_TRY(clrs__characters_check_shared(clrs__tensor_characters(source),
                                           clrs__tensor_characters(destination), error));
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
static clrs_status create_result(clrs_tensor *source, const clrs_plan *plan, clrs_tensor **result,
                                 clrs_error *error) {
  clrs_view view;
  CLRS_TRY(clrs_view_from_layout(&plan->result, &view, error));
  if (plan->launch_count == 0) {
    return clrs_tensor_with_view(source, &view, result, error);
  }
  return clrs__tensor_allocate_like(source, &view.shape, result, error);
}

/* An allocator of the caller's may return memory that a kernel must not write, that is less aligned
 * than a plan expects of a new buffer, or that begins inside its root. */
static clrs_status fit_to_result(const clrs__submission *submission, const clrs_operand *source,
                                 const clrs_tensor *result, clrs_plan *plan, clrs_error *error) {
  const clrs__buffer *buffer = clrs__tensor_buffer(result);
  const clrs_move move = {.source = *source, .destination = clrs__tensor_operand(result)};
  if (!buffer->writable) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the allocator callback gave a CL_MEM_READ_ONLY buffer");
  }
  if (buffer->alignment >= plan->destination.alignment && move.destination.byte_offset == 0) {
    return CLRS_OK;
  }
  return clrs_plan_move(&move, clrs__context_limits(submission->context), plan, error);
}

/* What is asked of a source: how it is to be seen, and whether it may be copied. */
struct request {
  clrs_tensor *source;
  const clrs_view *view; /* of the source's storage, within its bounds */
  clrs_copy_policy policy;
};

/* May the result be the source's bytes, and is the view one layout? It then is that of the result.
 */
static bool is_alias(const struct request *request) {
  return (request->policy == CLRS_COPY_NEVER || request->policy == CLRS_COPY_IF_NEEDED) &&
         clrs__view_has_layout(request->view);
}

/* Planning it would cost more than all the rest. */
static clrs_status make_alias(const clrs__submission *submission, const struct request *request,
                              clrs_tensor **result, clrs_error *error) {
  clrs_tensor *created = NULL;
  CLRS_TRY(clrs__tensor_with_own_elements(request->source, request->view, &created, error));
  if (submission->event != NULL) {
    clrs_status status = clrs__submission_check(submission, error);
    status = status == CLRS_OK ? clrs__submit_marker(submission, error) : status;
    if (status != CLRS_OK) {
      clrs_tensor_release(created);
      return status;
    }
  }
  *result = created;
  return CLRS_OK;
}

static clrs_status materialize(const clrs__submission *submission, const struct request *request,
                               clrs_tensor **result, clrs_error *error) {
  if (is_alias(request)) {
    return make_alias(submission, request, result, error);
  }
  CLRS_TRY(clrs__submission_check(submission, error));
  clrs_move move = {.source = clrs__tensor_operand(request->source), .policy = request->policy};
  clrs_plan plan;
  clrs_tensor *created = NULL;
  move.source.view = request->view;
  CLRS_TRY(clrs__context_plan(submission->context, &move, &plan, error));
  if (plan.launch_count > 0) {
    CLRS_TRY(check_access(clrs__tensor_buffer(request->source), NULL, error));
  }
  CLRS_TRY(create_result(request->source, &plan, &created, error));
  clrs_status status = CLRS_OK;
  if (plan.launch_count > 0) {
    status = fit_to_result(submission, &move.source, created, &plan, error);
  }
  if (status == CLRS_OK) {
    const clrs__target target = {.plan = &plan,
                                 .source = clrs_tensor_storage(request->source).buffer,
                                 .destination = clrs_tensor_storage(created).buffer};
    status = clrs__submit(submission, &target, error);
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
  const clrs__submission submission = {context, queue, num_events_in_wait_list, event_wait_list,
                                       event};
  CLRS_TRY(clrs__submission_check_form(&submission, error));
  CLRS_TRY(clrs__require(result, "result", error));
  CLRS_TRY(clrs__tensor_check(source, context, "source", error));
  const struct request request = {source, clrs_tensor_view(source), policy};
  return materialize(&submission, &request, result, error);
}

clrs_status clrs_enqueue_reshape(clrs_context *context, clrs_tensor *source,
                                 const clrs_pattern *pattern, clrs_copy_policy policy,
                                 clrs_tensor **result, cl_command_queue queue,
                                 cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                 cl_event *event, clrs_error *error) {
  const clrs__submission submission = {context, queue, num_events_in_wait_list, event_wait_list,
                                       event};
  CLRS_TRY(clrs__submission_check_form(&submission, error));
  CLRS_TRY(clrs__require(result, "result", error));
  CLRS_TRY(clrs__tensor_check(source, context, "source", error));
  clrs_view view;
  clrs__view_copy(&view, clrs_tensor_view(source));
  CLRS_TRY(clrs_pattern_resolve(pattern, &view.shape, &view.shape, error));
  const struct request request = {source, &view, policy};
  return materialize(&submission, &request, result, error);
}

/* ---- destinations of the caller's ---- */

clrs_status clrs_enqueue_move(clrs_context *context, clrs_tensor *source, clrs_tensor *destination,
                              cl_command_queue queue, cl_uint num_events_in_wait_list,
                              const cl_event *event_wait_list, cl_event *event, clrs_error *error) {
  const clrs__submission submission = {context, queue, num_events_in_wait_list, event_wait_list,
                                       event};
  clrs_plan plan;
  CLRS_TRY(clrs__submission_check(&submission, error));
  CLRS_TRY(clrs__require(destination, "destination", error));
  CLRS_TRY(clrs_tensor_plan(context, source, destination, CLRS_COPY_ALWAYS, &plan, error));
  const clrs__target target = {.plan = &plan,
                               .source = clrs_tensor_storage(source).buffer,
                               .destination = clrs_tensor_storage(destination).buffer};
  return clrs__submit(&submission, &target, error);
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

static clrs_status check_buffers(const clrs__submission *submission, const clrs_plan *plan,
                                 cl_mem source, cl_mem destination, clrs_error *error) {
  cl_context opencl = clrs__context_opencl(submission->context);
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
  const clrs__submission submission = {context, queue, num_events_in_wait_list, event_wait_list,
                                       event};
  CLRS_TRY(clrs__submission_check(&submission, error));
  CLRS_TRY(clrs__require(plan, "plan", error));
  if (plan->launch_count > 0) {
    CLRS_TRY(check_buffers(&submission, plan, source, destination, error));
  }
  const clrs__target target = {.plan = plan, .source = source, .destination = destination};
  return clrs__submit(&submission, &target, error);
}
