/* SPDX-License-Identifier: Apache-2.0 */
#include "mapped_move.h"

#include "plan_indexed.h"
#include "plan_mapped.h"
#include "tensor_check.h"

static clrs_status plan_mapping(const clrs_tensor *source, const clrs_move *move,
                                const clrs__indexed_move *indices, clrs_plan *plan,
                                clrs_error *error) {
  const clrs__mapping *mapping = clrs__tensor_mapping(source);
  clrs__mapped_move mapped = {.map = &mapping->mapped.map,
                              .views = &mapping->mapped.views,
                              .seen = move->source.view,
                              .source = clrs__tensor_operand(mapping->source),
                              .destination = move->destination,
                              .limits = clrs__context_limits(clrs__tensor_context(source)),
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
  const clrs_device_limits *limits = clrs__context_limits(clrs__tensor_context(source));
  return clrs__tensor_mapping(source) != NULL ? plan_mapping(source, move, indices, plan, error)
         : indices != NULL                    ? clrs__plan_indexed(indices, plan, error)
                                              : clrs_plan_move(move, limits, plan, error);
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
