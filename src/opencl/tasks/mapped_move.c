/* SPDX-License-Identifier: Apache-2.0 */
#include "mapped_move.h"

#include "plan_indexed.h"
#include "plan_mapped.h"
#include "tensor_check.h"

static clrs_status plan_mapping(const clrs_tensor *source, const clrs_move *move,
                                const clrs__indexed_move *indices, clrs_plan *plan,
                                clrs_error *error) {
  const clrs__mapping *mapping = source->common->mapping;
  clrs__mapped_move mapped = {.map = &mapping->mapped.map,
                              .views = &mapping->mapped.views,
                              .seen = move->source.view,
                              .source = clrs__tensor_operand(mapping->source),
                              .destination = move->destination,
                              .limits = &source->common->context->limits,
                              .indices = indices};
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    if (mapping->tensors[i] != NULL) {
      mapped.parameters[i] = clrs__tensor_operand(mapping->tensors[i]);
    }
  }
  return move->destination.view != NULL
             ? clrs__plan_mapped(&mapped, plan, error)
             : clrs__plan_mapped_result(&mapped, move->policy, plan, error);
}

clrs_status clrs__plan_pass(const clrs_tensor *source, const clrs_move *move,
                            const clrs__indexed_move *indices, clrs_plan *plan, clrs_error *error) {
  const clrs_device_limits *limits = &source->common->context->limits;
  return source->common->mapping != NULL ? plan_mapping(source, move, indices, plan, error)
         : indices != NULL               ? clrs__plan_indexed(indices, plan, error)
                                         : clrs_plan_move(move, limits, plan, error);
}

clrs_plan_buffers clrs__plan_buffers_of(const clrs_tensor *source, const clrs_tensor *destination) {
  const clrs__mapping *mapping = source->common->mapping;
  clrs_plan_buffers buffers = {.source = clrs__tensor_root(source),
                               .destination = clrs__tensor_root(destination)};
  if (mapping != NULL) {
    buffers.source = clrs__tensor_root(mapping->source);
    for (uint32_t i = 0; i < CLRS_MAP_STEPS; i++) {
      if (mapping->tensors[i] != NULL) {
        buffers.steps[i] = clrs__tensor_root(mapping->tensors[i]);
      }
    }
  }
  return buffers;
}

/* ---- with the checks of tensors ---- */

clrs_status clrs__plan_into(const clrs_tensor *source, const clrs_tensor *destination,
                            const clrs_view *part, clrs_plan *plan, clrs_error *error) {
  clrs_move move = {.source = clrs__tensor_operand(source),
                    .destination = clrs__tensor_operand(destination)};
  move.destination.view = part;
  CLRS_TRY(clrs__characters_check_shared(source->common->characters,
                                         destination->common->characters, error));
  CLRS_TRY(clrs__plan_pass(source, &move, NULL, plan, error));
  if (plan->launch_count > 0) {
    CLRS_TRY(clrs__tensor_check_read(source, error));
    CLRS_TRY(clrs__tensors_check_apart(source, destination, error));
    CLRS_TRY(clrs__buffer_check_written(&destination->common->buffer, "destination", error));
  }
  return CLRS_OK;
}

clrs_status clrs__plan_filling(const clrs_tensor *destination, const clrs_view *part,
                               clrs_plan *plan, clrs_error *error) {
  const clrs_device_limits *limits = &destination->common->context->limits;
  clrs_operand operand = clrs__tensor_operand(destination);
  operand.view = part;
  CLRS_TRY(clrs_plan_fill(&operand, limits, plan, error));
  return plan->launch_count > 0
             ? clrs__buffer_check_written(&destination->common->buffer, "destination", error)
             : CLRS_OK;
}

clrs_status clrs_tensor_plan(const clrs_tensor *source, const clrs_tensor *destination,
                             clrs_copy_policy policy, clrs_plan *plan, clrs_error *error) {
  CLRS_TRY(clrs__require(source, "source", error));
  CLRS_TRY(clrs__require(plan, "plan", error));
  if (destination != NULL) {
    CLRS_TRY(
        clrs__tensor_check_context(destination, source->common->context, "destination", error));
    CLRS_TRY(clrs__tensor_check_unmapped(destination, "destination", error));
    return clrs__plan_into(source, destination, &destination->view, plan, error);
  }
  const clrs_move move = {.source = clrs__tensor_operand(source), .policy = policy};
  CLRS_TRY(clrs__plan_pass(source, &move, NULL, plan, error));
  return plan->launch_count > 0 ? clrs__tensor_check_read(source, error) : CLRS_OK;
}
