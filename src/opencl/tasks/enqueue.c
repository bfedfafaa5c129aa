/*
 * The enqueue calls. clrs_plan_move makes all decisions. The functions here check a plan against
 * its buffers and turn the plan into commands.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#include "op.h"
#include "padded_parts.h"
#include "plan_command.h"
#include "tensor_check.h"
#include "tensor_move.h"
#include "view.h"

/* ---- results of their own ---- */

/* A source, the wanted view of the source, and whether the source may be copied. */
struct request {
  clrs_tensor *source;
  const clrs_view *view; /* a view of the source's storage, within the bounds */
  clrs_copy_policy policy;
};

/* Returns true if the result may share the source's bytes and the view is a single layout. The
 * layout is then the layout of the result. No plan is made, because planning would cost more than
 * all other steps. */
static bool is_alias(const struct request *request) {
  if (request->source->common->mapping != NULL) {
    return false; /* a mapped tensor has no bytes to share */
  }
  const bool may_alias =
      request->policy == CLRS_COPY_NEVER || request->policy == CLRS_COPY_IF_NEEDED ||
      (request->policy == CLRS_COPY_ALWAYS && clrs__view_is_empty(request->view));
  return may_alias && clrs__view_has_layout(request->view);
}

static clrs_status enqueue_alias(const struct request *request, const clrs__tail *tail,
                                 clrs_error *error) {
  if (tail->event == NULL) {
    return CLRS_OK;
  }
  CLRS_TRY(clrs__tail_check(request->source->common->context, tail, error));
  return clrs__enqueue_marker(tail, error);
}

static clrs_move move_of(const struct request *request) {
  clrs_move move = {.source = clrs__tensor_operand(request->source), .policy = request->policy};
  move.source.view = request->view;
  return move;
}

/* Does not search for a layout again, except for the error message of a policy that forbids a
 * copy. */
static clrs_status plan_copy(const struct request *request, clrs_plan *plan, clrs_error *error) {
  clrs_move move = move_of(request);
  if (request->source->common->mapping != NULL) {
    CLRS_TRY(clrs__plan_pass(request->source, &move, NULL, plan, error));
  } else {
    move.policy = move.policy == CLRS_COPY_IF_NEEDED ? CLRS_COPY_ALWAYS : move.policy;
    CLRS_TRY(clrs__context_plan(request->source->common->context, &move, plan, error));
  }
  return clrs__tensor_check_read(request->source, error);
}

static clrs_status plan_into_result(const struct request *request, const clrs_tensor *result,
                                    clrs_plan *plan, clrs_error *error) {
  clrs_move move = move_of(request);
  move.destination = clrs__tensor_operand(result);
  return clrs__plan_pass(request->source, &move, NULL, plan, error);
}

/* The caller's allocator may return memory that differs from a plan's new buffer: memory that
 * kernels must not write, with a smaller alignment, or at an offset in its root. Plans again if the
 * alignment or the offset differs. */
static clrs_status fit_to_result(const struct request *request, const clrs_tensor *result,
                                 clrs_plan *plan, clrs_error *error) {
  const clrs__buffer *buffer = &result->common->buffer;
  if (!buffer->writable) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the allocator callback gave a CL_MEM_READ_ONLY buffer");
  }
  return buffer->alignment >= plan->destination.alignment && result->common->byte_offset == 0
             ? CLRS_OK
             : plan_into_result(request, result, plan, error);
}

/* The plan was made for `groups`: clrs__context_groups. */
static clrs_status enqueue_copy(const struct request *request, const clrs_tensor *result,
                                uint32_t groups, clrs_plan *plan, const clrs__tail *tail,
                                clrs_error *error) {
  clrs_context *context = request->source->common->context;
  const clrs_plan_buffers buffers = clrs__plan_buffers_of(request->source, result);
  CLRS_TRY(fit_to_result(request, result, plan, error));
  clrs_status status = clrs__enqueue_planned(context, plan, &buffers, tail, error);
  while (clrs__context_plans_again(context, status, &groups, error)) {
    CLRS_TRY(plan_into_result(request, result, plan, error));
    status = clrs__enqueue_planned(context, plan, &buffers, tail, error);
  }
  return status;
}

static clrs_status materialize(const struct request *request, const clrs__tail *tail,
                               clrs_tensor **result, clrs_error *error) {
  clrs_tensor *created = NULL;
  clrs_plan plan;
  clrs_status status;
  if (is_alias(request)) {
    CLRS_TRY(clrs__tensor_with_own_elements(request->source, request->view, &created, error));
    status = enqueue_alias(request, tail, error);
  } else {
    CLRS_TRY(clrs__tail_check(request->source->common->context, tail, error));
    const uint32_t groups = clrs__context_groups(request->source->common->context);
    CLRS_TRY(plan_copy(request, &plan, error));
    CLRS_TRY(clrs__tensor_use(request->source, tail->queue, error));
    CLRS_TRY(clrs__tensor_allocate_like(request->source, tail->queue, &request->view->shape,
                                        &created, error));
    status = enqueue_copy(request, created, groups, &plan, tail, error);
  }
  return clrs__tensor_hand_over(created, status, result);
}

/* Checks that the source exists. For an alias only the form of the tail is checked. */
static clrs_status check_source(const clrs_tensor *source, const clrs__tail *tail,
                                clrs_error *error) {
  CLRS_TRY(clrs__tensor_check_known(source, "source", error));
  return clrs__tail_check_form(source->common->context, tail, error);
}

clrs_status clrs_enqueue_reshape(clrs_tensor *source, const clrs_pattern *pattern,
                                 clrs_copy_policy policy, clrs_tensor **result, const clrs_on *on,
                                 cl_event *event, clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  CLRS_TRY(check_source(source, &tail, error));
  CLRS_TRY(clrs__require(result, "result", error));
  clrs_view view;
  clrs__view_copy(&view, &source->view);
  CLRS_TRY(clrs_pattern_resolve(pattern, &view.shape, &view.shape, error));
  const struct request request = {source, &view, policy};
  return materialize(&request, &tail, result, error);
}

/* ---- chains ---- */

/* A source and a chain, with either a destination or a result that the policy lets be a copy. */
struct chained {
  clrs_tensor *source;
  const clrs_chain *chain;
  clrs_copy_policy policy;
  clrs_tensor *destination, **result; /* exactly one is set */
};

static clrs_status enqueue_seen(const struct chained *of, clrs_tensor *seen, const clrs__tail *tail,
                                clrs_error *error) {
  const struct request request = {seen, &seen->view, of->policy};
  const clrs__tensor_move move = {
      .context = seen->common->context, .source = seen, .destination = of->destination};
  return of->destination != NULL ? clrs__tensor_move_enqueue(&move, tail, error)
                                 : materialize(&request, tail, of->result, error);
}

static clrs_status enqueue_chained(const struct chained *of, const clrs__tail *tail,
                                   clrs_error *error) {
  clrs_tensor *seen = NULL;
  CLRS_TRY(clrs_tensor_with_chain(of->source, of->chain, NULL, &seen, error));
  const clrs_status status = enqueue_seen(of, seen, tail, error);
  clrs_tensor_release(seen);
  return status;
}

/* A pad always writes. */
static clrs_status check_policy(const struct chained *of, clrs_error *error) {
  CLRS_TRY(of->destination == NULL ? clrs__policy_check(of->policy, error) : CLRS_OK);
  return of->destination != NULL || of->policy != CLRS_COPY_NEVER
             ? CLRS_OK
             : clrs__fail(error, CLRS_WOULD_COPY,
                          "the chain pads, and no view of the source shows a border");
}

/* Applies the operations behind the front, which begin with the pad. */
static clrs_status enqueue_behind(const struct chained *of, clrs_tensor *front, uint32_t at,
                                  const clrs__tail *tail, clrs_error *error) {
  clrs__pad_widths pad;
  const clrs__site site = {front->common->context, tail, NULL};
  const clrs__padded_parts parts = {front, {&pad, of->chain, at + 1, NULL}};
  CLRS_TRY(clrs__chain_pad(of->chain, at, &front->view, &pad, error));
  return clrs__padded_parts_write(&parts, of->destination, of->result, &site, error);
}

/* The pad is operation number `at`. */
static clrs_status enqueue_padded(const struct chained *of, uint32_t at, const clrs__tail *tail,
                                  clrs_error *error) {
  clrs_chain front = *of->chain;
  clrs_tensor *seen = NULL;
  front.op_count = at;
  CLRS_TRY(check_policy(of, error));
  CLRS_TRY(clrs__tail_check(of->source->common->context, tail, error));
  CLRS_TRY(clrs_tensor_with_chain(of->source, &front, NULL, &seen, error));
  const clrs_status status = enqueue_behind(of, seen, at, tail, error);
  clrs_tensor_release(seen);
  return status;
}

clrs_status clrs_enqueue_chain(clrs_tensor *source, const char *chain, clrs_copy_policy policy,
                               clrs_tensor *destination, clrs_tensor **result, const clrs_on *on,
                               cl_event *event, clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  clrs_chain parsed;
  clrs_view view;
  const struct request request = {source, &view, policy};
  CLRS_TRY(check_source(source, &tail, error));
  CLRS_TRY(clrs__check_target(destination, result, error));
  CLRS_TRY(clrs__require(chain, "chain", error));
  CLRS_TRY(clrs_chain_parse(chain, &parsed, error));
  uint32_t at;
  if (clrs__chain_find_pad(&parsed, &at)) {
    const struct chained of = {source, &parsed, policy, destination, result};
    return enqueue_padded(&of, at, &tail, error);
  }
  if (destination != NULL || clrs__chain_has_maps(&parsed)) {
    const struct chained of = {source, &parsed, policy, destination, result};
    return enqueue_chained(&of, &tail, error);
  }
  clrs__view_copy(&view, &source->view); /* an alias of the view costs less */
  CLRS_TRY(clrs_chain_apply(&parsed, NULL, &view, error));
  return materialize(&request, &tail, result, error);
}

/* ---- destinations of the caller's ---- */

clrs_status clrs_enqueue_move(clrs_tensor *source, clrs_tensor *destination, const clrs_on *on,
                              cl_event *event, clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  CLRS_TRY(clrs__require(source, "source", error));
  const clrs__tensor_move move = {
      .context = source->common->context, .source = source, .destination = destination};
  return clrs__tensor_move_enqueue(&move, &tail, error);
}
