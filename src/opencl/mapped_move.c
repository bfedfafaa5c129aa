/* SPDX-License-Identifier: Apache-2.0 */
#include "mapped_move.h"

#include "plan_mapped.h"
#include "tensor_check.h"

static clrs__mapped_move move_of(const clrs_tensor *source, const clrs_view *seen,
                                 const clrs_operand *destination) {
  const clrs__mapping *mapping = clrs__tensor_mapping(source);
  clrs__mapped_move mapped = {.map = &mapping->mapped.map,
                              .views = &mapping->mapped.views,
                              .seen = seen,
                              .source = clrs__tensor_operand(mapping->source),
                              .destination = *destination,
                              .limits = clrs__context_limits(clrs__tensor_context(source))};
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    if (mapping->tensors[i] != NULL) {
      mapped.parameters[i] = clrs__tensor_operand(mapping->tensors[i]);
    }
  }
  return mapped;
}

clrs_status clrs__plan_mapping_indexed(const clrs_tensor *source, const clrs__indexed_move *move,
                                       clrs_plan *plan, clrs_error *error) {
  const clrs_operand *listed = &move->operands[CLRS_LISTED], *named = &move->operands[CLRS_NAMED];
  clrs__mapped_move mapped =
      move_of(source, clrs_tensor_view(source), move->scatters ? named : listed);
  mapped.indices = move;
  return clrs__plan_mapped(&mapped, plan, error);
}

clrs_status clrs__plan_mapping(const clrs_tensor *source, const clrs_move *move, clrs_plan *plan,
                               clrs_error *error) {
  const clrs__mapped_move mapped = move_of(source, move->source.view, &move->destination);
  return move->destination.view != NULL
             ? clrs__plan_mapped(&mapped, plan, error)
             : clrs__plan_mapped_result(&mapped, move->policy, plan, error);
}

clrs_plan_buffers clrs__plan_buffers_of(const clrs_tensor *source, const clrs_tensor *destination) {
  const clrs__mapping *mapping = clrs__tensor_mapping(source);
  clrs_plan_buffers buffers = {.source = clrs_tensor_storage(source).buffer,
                               .destination = clrs_tensor_storage(destination).buffer};
  if (mapping != NULL) {
    buffers.source = clrs_tensor_storage(mapping->source).buffer;
    for (uint32_t i = 0; i < CLRS_MAP_STEPS; i++) {
      if (mapping->tensors[i] != NULL) {
        buffers.steps[i] = clrs_tensor_storage(mapping->tensors[i]).buffer;
      }
    }
  }
  return buffers;
}
