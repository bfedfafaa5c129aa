/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "choose.h"
#include "dtype.h"
#include "table.h"
#include "text.h"
#include "view.h"
#include "written.h"

/* ---- requests ---- */

static bool is_power_of_two(uint32_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

clrs_status clrs__operand_check(const clrs_operand *operand, const char *what, clrs_error *error) {
  if (operand->view == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the view of the %s is NULL", what);
  }
  CLRS_TRY(clrs__view_check(operand->view, error));
  if (!is_power_of_two(operand->alignment)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the alignment of the %s is %u bytes; it must be a power of two", what,
                      operand->alignment);
  }
  return CLRS_OK;
}

clrs_status clrs__limits_check(const clrs_device_limits *limits, clrs_error *error) {
  CLRS_TRY(clrs__require(limits, "limits", error));
  if (limits->min_index_bits != 32 && limits->min_index_bits != 64) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "min_index_bits is %u; it must be 32 or 64",
                      limits->min_index_bits);
  }
  if (limits->max_work_items == 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "max_work_items is 0; it must be at least 1");
  }
  if ((unsigned)limits->execution > (unsigned)CLRS_EXECUTION_GPU) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "execution %d is unknown; clrs_execution has 0 to %d", (int)limits->execution,
                      CLRS_EXECUTION_GPU);
  }
  if (clrs__class_named(limits->required_class) == CLRS__CLASS_COUNT) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "required_class is '%s'; clrs_class_name has those that there are",
                      clrs__show(limits->required_class).text);
  }
  return CLRS_OK;
}

static clrs_status check_destination(const clrs_move *move, clrs_error *error) {
  const clrs_view *source = move->source.view, *destination = move->destination.view;
  if (!clrs_shape_equal(&source->shape, &destination->shape)) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH, "the source is %s and the destination %s",
                      clrs__dims_text(source->shape.rank, source->shape.dims).text,
                      clrs__dims_text(destination->shape.rank, destination->shape.dims).text);
  }
  if (source->dtype != destination->dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the source is %s and the destination %s; a move does not convert",
                      clrs__dtype_text(source->dtype), clrs__dtype_text(destination->dtype));
  }
  return CLRS_OK;
}

/* ---- decisions ---- */

void clrs__plan_copy(clrs_plan *to, const clrs_plan *from) {
  const clrs__plan_data *data = clrs__plan_data_in(from);
  clrs__plan_data *copy = clrs__plan_data_of(to);
  memcpy(to, from, offsetof(clrs_plan, private_));
  copy->reason_count = data->reason_count;
  for (uint32_t i = 0; i < data->reason_count; i++) {
    copy->reasons[i] = data->reasons[i];
  }
  copy->in_order = data->in_order;
  clrs__nest_copy(&copy->nest, &data->nest);
  clrs__view_copy(&copy->stack, &data->stack);
  for (uint32_t i = 0; i < from->launch_count; i++) {
    clrs__cut_copy(&copy->cuts[i], &data->cuts[i]);
  }
}

void clrs__plan_add_reason(clrs_plan *plan, clrs__reason reason) {
  clrs__plan_data *data = clrs__plan_data_of(plan);
  if (data->reason_count < CLRS__MAX_REASONS) {
    data->reasons[data->reason_count++] = reason;
  }
}

void clrs__plan_start(clrs_plan *plan, clrs_outcome outcome) {
  plan->outcome = outcome;
  plan->bytes_read = plan->bytes_written = 0;
  plan->source = plan->destination = (clrs_footprint){0, 0, 1};
  plan->launch_count = 0;
  clrs__plan_data *data = clrs__plan_data_of(plan);
  data->reason_count = 0;
  data->in_order = false;
  data->geometry = data->halvings = 0;
  data->nest.axis_count = 0;
  data->nest.source_offset = data->nest.destination_offset = 0;
  data->stack.depth = 0;
}

static uint64_t bytes_of(const clrs_view *view) {
  return clrs__bytes_of(clrs__shape_count(&view->shape), clrs_dtype_bits(view->dtype));
}

/* A fill reads one element, so no step along an axis changes the source. The nest was canonical
 * with equal steps on both sides, and stays canonical without steps of the source. */
static void stay_at_source(clrs__nest *nest) {
  nest->source_offset = 0;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    nest->axes[i].source_stride = 0;
  }
}

clrs_status clrs__plan_footprint(const clrs_operand *operand, const char *what,
                                 clrs_footprint *footprint, clrs_error *error) {
  const clrs_operand unaligned = {operand->view, operand->byte_offset, 1};
  return clrs__operand_footprint(&unaligned, what, footprint, error);
}

void clrs__rely_on(uint32_t unit_bits, clrs_footprint *footprint) {
  const uint32_t bytes = unit_bits / 8;
  footprint->alignment = bytes > footprint->alignment ? bytes : footprint->alignment;
}

void clrs__plan_add_launch(const clrs__cut *cut, clrs_plan *plan) {
  plan->launches[plan->launch_count++] =
      (clrs_launch){clrs_class_name(cut->kernel_class), cut->unit_bits, cut->index_bits};
  const uint32_t vector_bits = 8 * CLRS_VECTOR_BYTES;
  if (cut->from != CLRS__FROM_VALUE) {
    clrs__rely_on(cut->wide_source ? vector_bits : cut->aligned_bits, &plan->source);
  }
  clrs__rely_on(cut->wide_destination ? vector_bits : cut->aligned_bits, &plan->destination);
}

/* Makes one launch for each piece. */
static clrs_status plan_launches(const clrs_move *move, const clrs_device_limits *limits,
                                 clrs__pieces *pieces, clrs_plan *plan, clrs_error *error) {
  clrs__plan_data *data = clrs__plan_data_of(plan);
  const bool is_composed = plan->outcome == CLRS_OUTCOME_COMPOSED;
  bool shares_bytes = false;
  clrs__pass pass = {.move = move,
                     .limits = limits,
                     .from = move->source.view == NULL ? CLRS__FROM_VALUE
                             : is_composed             ? CLRS__FROM_STACK
                                                       : CLRS__FROM_SOURCE,
                     .stack = is_composed ? &data->stack : NULL,
                     .count = pieces->count};
  for (; pass.position < pieces->count; pass.position++) {
    clrs__nest *nest = &pieces->nests[pass.position];
    clrs__cut *cut = &data->cuts[pass.position];
    if (pass.from == CLRS__FROM_VALUE) {
      stay_at_source(nest);
    }
    CLRS_TRY(clrs__choose_cut(&pass, nest, cut, error));
    clrs__plan_add_launch(cut, plan);
    shares_bytes = shares_bytes || cut->unit_bits < 8;
  }
  clrs__nest_copy(&data->nest, &pieces->nests[0]);
  data->in_order = shares_bytes && pieces->count > 1;
  return CLRS_OK;
}

/* The source's top walk alone, as the stack of a view of positions in the walk below. */
static clrs_status view_top(const clrs_view *source, clrs_view *top, clrs_error *error) {
  clrs__walk walk;
  clrs__view_level(source, source->depth - 1, &walk);
  top->depth = 1;
  return clrs__view_set_top(top, &walk, error);
}

static bool find_pieces(const clrs_view *source, const clrs_view *destination, clrs__pieces *pieces,
                        clrs__reason *reason) {
  const clrs_view *const views[] = {[CLRS__TO] = destination, [CLRS__FROM] = source};
  return clrs__pieces_find(views, 2, pieces, reason);
}

/* Finds nests from positions in the stack to the destination. If the source's top walk and the
 * destination have common axes, these axes are the nest, and the stack begins one walk lower.
 * Otherwise positions count elements and are dense. A destination that is a stack then only has to
 * be cut if its own walks do not factor. */
static clrs_status find_positions(const clrs_move *move, clrs_plan *plan, clrs__pieces *pieces,
                                  clrs_error *error) {
  const clrs_view *source = move->source.view, *destination = move->destination.view;
  clrs_view positions;
  clrs__reason reason;
  clrs__plan_data *data = clrs__plan_data_of(plan);
  clrs__view_copy(&data->stack, source);
  CLRS_TRY(view_top(source, &positions, error));
  if (source->depth > 1 && find_pieces(&positions, destination, pieces, &reason) &&
      pieces->count == 1) {
    data->stack.depth--;
    return CLRS_OK;
  }
  clrs__view_make_dense(source->dtype, &source->shape, &positions);
  if (!find_pieces(&positions, destination, pieces, &reason)) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "the destination is a stack of %u walks; %s",
                      destination->depth, clrs__reason_sentence(&reason).text);
  }
  return CLRS_OK;
}

/* Plans a move that follows a stack for each element, because the axes do not factor. */
static clrs_status plan_composed(const clrs_move *move, const clrs_device_limits *limits,
                                 clrs_plan *plan, clrs_error *error) {
  clrs__pieces pieces;
  CLRS_TRY(find_positions(move, plan, &pieces, error));
  plan->outcome = CLRS_OUTCOME_COMPOSED;
  return plan_launches(move, limits, &pieces, plan, error);
}

/* Plans rectangles of few bytes as one composed launch. Returns false, with *plan unchanged, if the
 * rectangles do not fit in one launch. */
static bool plan_at_once(const clrs_move *move, const clrs_device_limits *limits,
                         const clrs__reason *why, clrs_plan *plan) {
  clrs__pieces pieces;
  if (find_positions(move, plan, &pieces, NULL) == CLRS_OK && pieces.count == 1) {
    plan->outcome = CLRS_OUTCOME_COMPOSED;
    if (plan_launches(move, limits, &pieces, plan, NULL) == CLRS_OK) {
      clrs__plan_add_reason(plan, *why);
      return true;
    }
    plan->outcome = CLRS_OUTCOME_AFFINE;
  }
  clrs__plan_data_of(plan)->stack.depth = 0;
  return false;
}

/* Plans one pass: affine if the walks have common axes, otherwise composed. */
static clrs_status plan_pass(const clrs_move *move, const clrs_device_limits *limits,
                             clrs_plan *plan, clrs_error *error) {
  const clrs_view *source = move->source.view;
  clrs__pieces pieces;
  clrs__reason reason;
  CLRS_TRY(clrs__plan_footprint(&move->source, "source", &plan->source, error));
  CLRS_TRY(clrs__plan_footprint(&move->destination, "destination", &plan->destination, error));
  plan->bytes_read = plan->bytes_written = bytes_of(source);
  if (clrs__class_named(limits->required_class) == CLRS__CLASS_COMPOSED) {
    return plan_composed(move, limits, plan, error);
  }
  if (find_pieces(source, move->destination.view, &pieces, &reason)) {
    const bool may_compose =
        pieces.count > 1 && clrs__class_named(limits->required_class) == CLRS__CLASS_ANY;
    if (may_compose && plan->bytes_written / (pieces.count - 1) < limits->launch_bytes) {
      reason = (clrs__reason){CLRS__REASON_FEW_BYTES, {(int64_t)plan->bytes_written, pieces.count}};
      if (plan_at_once(move, limits, &reason, plan)) {
        return CLRS_OK;
      }
    }
    return plan_launches(move, limits, &pieces, plan, error);
  }
  clrs__plan_add_reason(plan, reason);
  return plan_composed(move, limits, plan, error);
}

/* Starts a plan for a destination of the caller's that has elements. */
static clrs_status start_given(const clrs_view *destination, clrs_plan *plan, clrs_error *error) {
  CLRS_TRY(clrs__dtype_check_whole(destination->dtype, error));
  CLRS_TRY(clrs__view_check_written(destination, error));
  clrs__plan_start(plan, CLRS_OUTCOME_AFFINE);
  clrs__plan_add_reason(plan, (clrs__reason){CLRS__REASON_DESTINATION_GIVEN, {0, 0}});
  return CLRS_OK;
}

/* Plans a move into a destination of the caller's. */
static clrs_status plan_into(const clrs_move *move, const clrs_device_limits *limits,
                             clrs_plan *plan, clrs_error *error) {
  CLRS_TRY(check_destination(move, error));
  if (clrs__view_is_empty(move->source.view)) {
    clrs__plan_start(plan, CLRS_OUTCOME_EMPTY);
    return CLRS_OK;
  }
  CLRS_TRY(start_given(move->destination.view, plan, error));
  return plan_pass(move, limits, plan, error);
}

/* Into a dense buffer of its own. */
static clrs_status plan_copy(const clrs_move *move, clrs__reason why,
                             const clrs_device_limits *limits, clrs_plan *plan, clrs_error *error) {
  const clrs_view *source = move->source.view;
  clrs_move copy = *move;
  clrs_view dense;
  CLRS_TRY(clrs__dtype_check_whole(source->dtype, error));
  clrs__view_make_dense(source->dtype, &source->shape, &dense);
  copy.destination = (clrs_operand){&dense, 0, CLRS__BUFFER_ALIGNMENT};
  clrs__plan_start(plan, CLRS_OUTCOME_AFFINE);
  clrs__plan_add_reason(plan, why);
  CLRS_TRY(clrs_layout_init(source->dtype, &source->shape, NULL, 0, &plan->result, error));
  return plan_pass(&copy, limits, plan, error);
}

static clrs_status plan_result(const clrs_move *move, const clrs_device_limits *limits,
                               clrs_plan *plan, clrs_error *error) {
  clrs__reason reason = {CLRS__REASON_COPY_REQUESTED, {0, 0}};
  const bool empty = clrs__view_is_empty(move->source.view);
  clrs_layout alias;
  const bool may_alias = empty || move->policy != CLRS_COPY_ALWAYS;
  if (may_alias && clrs__view_find_layout(move->source.view, &alias, &reason)) {
    clrs__plan_start(plan, empty ? CLRS_OUTCOME_EMPTY : CLRS_OUTCOME_ALIAS);
    plan->result = alias;
    return clrs__operand_footprint(&move->source, "source", &plan->source, error);
  }
  if (move->policy == CLRS_COPY_NEVER) {
    return clrs__fail(error, CLRS_WOULD_COPY, "the copy policy is never, but %s",
                      clrs__reason_sentence(&reason).text);
  }
  return plan_copy(move, reason, limits, plan, error);
}

clrs_status clrs__policy_check(clrs_copy_policy policy, clrs_error *error) {
  return (unsigned)policy <= (unsigned)CLRS_COPY_ALWAYS
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "copy policy %d is unknown; clrs_copy_policy has 0 to %d", (int)policy,
                          CLRS_COPY_ALWAYS);
}

clrs_status clrs__plan_move(const clrs_move *move, const clrs_device_limits *limits,
                            clrs_plan *plan, clrs_error *error) {
  if (move->destination.view != NULL) {
    return plan_into(move, limits, plan, error);
  }
  CLRS_TRY(clrs__policy_check(move->policy, error));
  return plan_result(move, limits, plan, error);
}

clrs_status clrs_plan_move(const clrs_move *move, const clrs_device_limits *limits, clrs_plan *plan,
                           clrs_error *error) {
  CLRS_TRY(clrs__require(move, "move", error));
  CLRS_TRY(clrs__require(plan, "plan", error));
  CLRS_TRY(clrs__limits_check(limits, error));
  CLRS_TRY(clrs__operand_check(&move->source, "source", error));
  if (move->destination.view != NULL) {
    CLRS_TRY(clrs__operand_check(&move->destination, "destination", error));
  }
  return clrs__plan_move(move, limits, plan, error);
}

/* A fill has the pieces of a move of the destination onto itself. */
static clrs_status plan_filling_pass(const clrs_operand *destination,
                                     const clrs_device_limits *limits, clrs_plan *plan,
                                     clrs_error *error) {
  const clrs_move move = {.source = {NULL, 0, destination->alignment}, .destination = *destination};
  clrs__pieces pieces;
  clrs__reason reason;
  CLRS_TRY(clrs__plan_footprint(destination, "destination", &plan->destination, error));
  plan->bytes_written = bytes_of(destination->view);
  if (!find_pieces(destination->view, destination->view, &pieces, &reason)) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "this destination cannot be filled: %s",
                      clrs__reason_sentence(&reason).text);
  }
  return plan_launches(&move, limits, &pieces, plan, error);
}

clrs_status clrs__plan_fill(const clrs_operand *destination, const clrs_device_limits *limits,
                            clrs_plan *plan, clrs_error *error) {
  if (clrs__view_is_empty(destination->view)) {
    clrs__plan_start(plan, CLRS_OUTCOME_EMPTY);
    return CLRS_OK;
  }
  CLRS_TRY(start_given(destination->view, plan, error));
  return plan_filling_pass(destination, limits, plan, error);
}

clrs_status clrs_plan_fill(const clrs_operand *destination, const clrs_device_limits *limits,
                           clrs_plan *plan, clrs_error *error) {
  CLRS_TRY(clrs__require(destination, "destination", error));
  CLRS_TRY(clrs__require(plan, "plan", error));
  CLRS_TRY(clrs__limits_check(limits, error));
  CLRS_TRY(clrs__operand_check(destination, "destination", error));
  return clrs__plan_fill(destination, limits, plan, error);
}
