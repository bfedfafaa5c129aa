/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_indexed.h"

#include <string.h>

#include "choose.h"
#include "dtype.h"
#include "overlap.h"
#include "view.h"

bool clrs__indexed_is_empty(const clrs__indexed_move *move) {
  return clrs__view_is_empty(move->operands[CLRS_LISTED].view) ||
         (move->scatters && move->flag.view == NULL &&
          clrs__view_is_empty(move->operands[CLRS_NAMED].view));
}

static clrs_status find_footprint(const clrs_operand *operand, const char *what,
                                  clrs_footprint *bytes, clrs_error *error) {
  *bytes = (clrs_footprint){0, 0, 1};
  return operand->view == NULL ? CLRS_OK : clrs__plan_footprint(operand, what, bytes, error);
}

static void take_element(const clrs__indexed_move *move, clrs__planned_indices *data) {
  data->dtype = move->operands[CLRS_LISTED].view->dtype;
  memset(data->element, 0, sizeof data->element);
  if (move->element != NULL && !move->scatters) {
    memcpy(data->element, move->element, clrs_dtype_bits(data->dtype) / 8);
  }
}

void clrs__plan_rely_on_indices(uint32_t rules, clrs_plan *plan) {
  if ((rules & CLRS_INDEX_IS_UNALIGNED) == 0) {
    clrs__rely_on(8 * clrs__index_bytes(rules), &clrs__plan_data_of(plan)->indices.read);
  }
}

clrs_status clrs__plan_take_indices(const clrs__indexed_move *move, clrs_plan *plan,
                                    clrs_error *error) {
  clrs__planned_indices *data = &clrs__plan_data_of(plan)->indices;
  CLRS_TRY(find_footprint(&move->operands[CLRS_INDEX], "index tensor", &data->read, error));
  CLRS_TRY(find_footprint(&move->flag, "flag", &data->flag, error));
  if (move->flag.view != NULL) {
    clrs__rely_on(clrs_dtype_bits(CLRS_U32), &data->flag);
  }
  take_element(move, data);
  return CLRS_OK;
}

static clrs_status find_footprints(const clrs__indexed_move *move, clrs_plan *plan,
                                   clrs_error *error) {
  const clrs_operand *listed = &move->operands[CLRS_LISTED], *named = &move->operands[CLRS_NAMED];
  CLRS_TRY(find_footprint(move->scatters ? listed : named, "source", &plan->source, error));
  CLRS_TRY(
      find_footprint(move->scatters ? named : listed, "destination", &plan->destination, error));
  CLRS_TRY(clrs__plan_take_indices(move, plan, error));
  clrs__plan_rely_on_indices(clrs__indexed_rules(move), plan);
  return CLRS_OK;
}

/* Plans common loops for the classes of moves, if the words of a kernel have room for the loops. */
static clrs_status plan_loops(const clrs__indexed_move *move, clrs_plan *plan, clrs_error *error) {
  const clrs_move sides = {move->operands[CLRS_NAMED], move->operands[CLRS_LISTED],
                           CLRS_COPY_ALWAYS};
  clrs__cut *cut = &clrs__plan_data_of(plan)->cuts[0];
  clrs__address address;
  clrs__nest nest;
  if (!clrs__indexed_find_loops(move, &nest, &address)) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "the views have no common loops");
  }
  const clrs__pass pass = {.move = &sides,
                           .limits = move->limits,
                           .from = CLRS__BY_INDEX,
                           .address = &address,
                           .count = 1};
  CLRS_TRY(clrs__choose_cut(&pass, &nest, cut, error));
  clrs__plan_data_of(plan)->nest.axis_count = 0;
  clrs__plan_add_launch(cut, plan);
  return CLRS_OK;
}

static void plan_elements(const clrs__indexed_move *move, clrs_plan *plan) {
  clrs__any_indexed *pass = &clrs__plan_data_of(plan)->indexed;
  clrs__any_indexed_start(move, pass);
  plan->launches[plan->launch_count++] =
      (clrs_launch){clrs_class_name(CLRS__CLASS_ANY), pass->unit_bits, CLRS__ANY_INDEXED_BITS};
  clrs__rely_on(pass->unit_bits, &plan->source);
  clrs__rely_on(pass->unit_bits, &plan->destination);
}

clrs_status clrs__plan_indexed(const clrs__indexed_move *move, clrs_plan *plan, clrs_error *error) {
  const clrs_view *listed = move->operands[CLRS_LISTED].view;
  clrs__plan_start(plan, CLRS_OUTCOME_EMPTY);
  if (clrs__indexed_is_empty(move)) {
    return CLRS_OK;
  }
  plan->outcome = CLRS_OUTCOME_INDEXED;
  clrs__plan_add_reason(plan, (clrs__reason){CLRS__REASON_INDEXED, {0, 0}});
  plan->bytes_read = plan->bytes_written =
      clrs__bytes_of(clrs__shape_count(&listed->shape), clrs_dtype_bits(listed->dtype));
  CLRS_TRY(find_footprints(move, plan, error));
  const clrs_status status = plan_loops(move, plan, error);
  if (status == CLRS_UNSUPPORTED) {
    plan_elements(move, plan);
    return CLRS_OK;
  }
  return status;
}
