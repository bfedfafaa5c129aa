/*
 * The negative matrix: clreshape/plan.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core.h"

ANSWER(clrs_class_name, "%d", clrs_class_name(a->number) != NULL) {
  ANSWERS(number, 0, "1");
  ANSWERS(number, 13, "0");
  ANSWERS(number, SIZE_MAX, "0");
}

ANSWER(clrs_outcome_name, "%s", clrs_outcome_name(a->outcome)) {
  ANSWERS(outcome, -1, "unknown");
  ANSWERS(outcome, CLRS_OUTCOME_INDEXED + 1, "unknown");
  ANSWERS(outcome, INT32_MAX, "unknown");
}

/* ---- planning ---- */

static clrs_view packed_view(const int64_t *dims) {
  clrs_view view = core_view(2, dims);
  view.dtype = CLRS_U3;
  return view;
}

static void without_destination(arguments *a) {
  a->move->destination.view = NULL;
}

FUNCTION(clrs_plan_move, (void)0, a->move, a->limits, a->plan_out) {
  ROW(move, NULL, CLRS_INVALID_ARGUMENT, "move is NULL");
  ROW(move->source.view, NULL, CLRS_INVALID_ARGUMENT, "the view of the source is NULL");
  OPERAND_ROWS(move->source.view, move->source.byte_offset, move->source.alignment, "source");
  OPERAND_ROWS(move->destination.view, move->destination.byte_offset, move->destination.alignment,
               "destination");
  ROW(move->destination.view, &m->a->other_view, CLRS_OK, "");
  ROW_IF(a->other_view = core_view(2, LIST(6, 4)), move->source.view, &a->other_view,
         CLRS_COUNT_MISMATCH, "the source is [6,4] and the destination [4,6]");
  ROW_IF(a->other_view.dtype = CLRS_I32, move->source.view, &a->other_view, CLRS_INVALID_ARGUMENT,
         "the source is i32 and the destination f32; a move does not convert");
  ROW_IF(a->one_view.axes[0].stride = 0, move->destination.view, &a->one_view, CLRS_OVERLAP,
         "two elements of the destination [4,6] lie at one position");
  ROW_IF((a->one_view = a->other_view = packed_view(LIST(4, 6))), move->destination.view,
         &a->one_view, CLRS_UNSUPPORTED, "u3 elements lie across bytes");
  ROW_IF(without_destination(a), move->policy, -1, CLRS_INVALID_ARGUMENT, "clrs_copy_policy has");
  ROW_IF(without_destination(a), move->policy, 3, CLRS_INVALID_ARGUMENT, "copy policy 3 is");
  ROW_IF(without_destination(a), move->policy, CLRS_COPY_NEVER, CLRS_OK, "");
  TAKES(move->policy, -1); /* a destination decides */
  ROW(limits, NULL, CLRS_INVALID_ARGUMENT, "limits is NULL");
  LIMITS_ROWS(limits->);
  ROW(limits->required_class, "subbyte", CLRS_UNSUPPORTED, "class subbyte is required, which");
  ROW(plan_out, NULL, CLRS_INVALID_ARGUMENT, "plan is NULL");
}

FUNCTION(clrs_plan_fill, (void)0, a->destination, a->limits, a->plan_out) {
  ROW(destination, NULL, CLRS_INVALID_ARGUMENT, "destination is NULL");
  ROW(destination->view, NULL, CLRS_INVALID_ARGUMENT, "the view of the destination is NULL");
  OPERAND_ROWS(destination->view, destination->byte_offset, destination->alignment, "destination");
  ROW(limits, NULL, CLRS_INVALID_ARGUMENT, "limits is NULL");
  LIMITS_ROWS(limits->);
  ROW(plan_out, NULL, CLRS_INVALID_ARGUMENT, "plan is NULL");
}

/* Where nothing can be said, they may meet. */
ANSWER(clrs__operands_overlap, "%d", clrs__operands_overlap(a->a, a->b)) {
  ANSWERS(a, NULL, "1");
  ANSWERS(b, NULL, "1");
  ANSWERS(a->view, NULL, "1");
  ANSWERS(b->view, NULL, "1");
  ANSWERS(a->view, &m->a->bad_view, "1");
  ANSWERS(b->view, &m->a->bad_view, "1");
  ANSWERS(a->byte_offset, UINT64_MAX, "1");
  ANSWERS(b->byte_offset, UINT64_MAX - 15, "1");
  ANSWERS(a->alignment, 0, "0"); /* bytes are compared, independent of how bytes are read */
  ANSWERS(b->alignment, 3, "0");
}

/* ---- explaining: text is NULL if a row does not say otherwise, and so is the plan ---- */

ANSWER(clrs_plan_explain, "%zu", clrs_plan_explain(a->plan, a->text, a->size)) {
  ANSWERS(plan, NULL, "7"); /* "no plan" */
  ANSWERS(text, NULL, "7");
  ANSWERS(size, 0, "7");
  ANSWERS(size, SIZE_MAX, "7");
}

ANSWER(clrs_plan_explain_json, "%zu", clrs_plan_explain_json(a->plan, a->text, a->size)) {
  ANSWERS(plan, NULL, "4"); /* "null" */
  ANSWERS(text, NULL, "4");
  ANSWERS(size, 0, "4");
  ANSWERS(size, SIZE_MAX, "4");
}
