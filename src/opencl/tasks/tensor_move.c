/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor_move.h"

#include "index_check.h"
#include "overlap.h"
#include "plan_command.h"
#include "plan_indexed.h"
#include "plan_mapped.h"
#include "tensor_check.h"
#include "view.h"

/* ---- each tensor ---- */

/* Checks that the tensor belongs to the context. Only a work accepts a slot tensor. */
static clrs_status check_tensor(const clrs__tensor_move *of, const clrs_tensor *tensor,
                                const char *what, clrs_error *error) {
  return (of->takes_slots ? clrs__tensor_check_context : clrs__tensor_check)(tensor, of->context,
                                                                             what, error);
}

static clrs_status check_stored(const clrs__tensor_move *of, const clrs_tensor *tensor,
                                const char *what, clrs_error *error) {
  CLRS_TRY(check_tensor(of, tensor, what, error));
  return clrs__tensor_check_unmapped(tensor, what, error);
}

static clrs_status check_tensors_of_indices(const clrs__tensor_move *of, clrs_error *error) {
  const clrs_indices *indices = of->indices;
  CLRS_TRY(clrs__require(indices->tensor, "indices->tensor", error));
  CLRS_TRY(check_stored(of, indices->tensor, "index", error));
  return indices->flag != NULL ? check_stored(of, indices->flag, "flag", error) : CLRS_OK;
}

clrs_status clrs__tensor_move_check(const clrs__tensor_move *of, clrs_error *error) {
  CLRS_TRY(check_tensor(of, of->source, "source", error));
  CLRS_TRY(check_stored(of, of->destination, "destination", error));
  return of->indices != NULL ? check_tensors_of_indices(of, error) : CLRS_OK;
}

static void add_touch(clrs__touches *all, const clrs_tensor *tensor, const char *name,
                      bool is_written) {
  all->list[all->count++] = (clrs__touch){.tensor = tensor, .name = name, .is_written = is_written};
}

clrs__touches clrs__tensor_move_touches(const clrs__tensor_move *of) {
  const clrs__reads none = {.count = 0};
  const clrs__reads reads = of->source != NULL ? clrs__tensor_reads(of->source) : none;
  const clrs_indices *indices = of->indices;
  clrs__touches all;
  all.count = 0;
  for (size_t i = 0; i < reads.count; i++) {
    add_touch(&all, reads.tensors[i], i == 0 ? "source" : "parameter", false);
  }
  if (indices != NULL) {
    add_touch(&all, indices->tensor, "index tensor", false);
  }
  add_touch(&all, of->destination, "destination", true);
  if (indices != NULL && indices->flag != NULL) {
    add_touch(&all, indices->flag, "flag", true);
    all.list[all.count - 1].is_flag = true;
  }
  return all;
}

/* ---- plans ---- */

static clrs_status plan_mapping(const clrs_tensor *source, const clrs_move *move,
                                const clrs__indexed_move *indices, clrs_plan *plan,
                                clrs_error *error) {
  const clrs__mapping *mapping = source->common->mapping;
  const clrs_device_limits limits = clrs_context_limits(source->common->context);
  clrs__mapped_move mapped = {.map = &mapping->mapped.map,
                              .views = &mapping->mapped.views,
                              .seen = move->source.view,
                              .source = clrs__tensor_operand(mapping->source),
                              .destination = move->destination,
                              .limits = &limits,
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
  const clrs_device_limits limits = clrs_context_limits(source->common->context);
  return source->common->mapping != NULL ? plan_mapping(source, move, indices, plan, error)
         : indices != NULL               ? clrs__plan_indexed(indices, plan, error)
                                         : clrs__plan_move(move, &limits, plan, error);
}

clrs_plan_buffers clrs__plan_buffers_of(const clrs_tensor *source, const clrs_tensor *destination) {
  const clrs__mapping *mapping = source != NULL ? source->common->mapping : NULL;
  const clrs_tensor *read = mapping != NULL ? mapping->source : source;
  clrs_plan_buffers buffers = {.source = read != NULL ? clrs__tensor_root(read) : NULL,
                               .destination = clrs__tensor_root(destination)};
  for (uint32_t i = 0; mapping != NULL && i < CLRS_MAP_STEPS; i++) {
    if (mapping->tensors[i] != NULL) {
      buffers.steps[i] = clrs__tensor_root(mapping->tensors[i]);
    }
  }
  return buffers;
}

static clrs_status plan_filling(const clrs_tensor *destination, const clrs_view *part,
                                clrs_plan *plan, clrs_error *error) {
  const clrs_device_limits limits = clrs_context_limits(destination->common->context);
  clrs_operand operand = clrs__tensor_operand(destination);
  operand.view = part;
  CLRS_TRY(clrs__plan_fill(&operand, &limits, plan, error));
  return plan->launch_count > 0
             ? clrs__buffer_check_written(&destination->common->buffer, "destination", error)
             : CLRS_OK;
}

clrs_status clrs__plan_into(const clrs_tensor *source, const clrs_tensor *destination,
                            const clrs_view *part, clrs_plan *plan, clrs_error *error) {
  if (source == NULL) {
    return plan_filling(destination, part, plan, error);
  }
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

/* ---- by indices ---- */

static clrs_status check_rights(const clrs__touch *touch, clrs_error *error) {
  const clrs__buffer *buffer = &touch->tensor->common->buffer;
  if (touch->is_written) {
    return clrs__buffer_check_written(buffer, touch->name, error);
  }
  return clrs__view_is_empty(&touch->tensor->view)
             ? CLRS_OK
             : clrs__buffer_check_read(buffer, touch->name, error);
}

static clrs_status check_apart(const clrs__touch *one, const clrs__touch *other,
                               clrs_error *error) {
  const clrs_operand a = clrs__tensor_operand(one->tensor), b = clrs__tensor_operand(other->tensor);
  if ((one->is_written || other->is_written) &&
      one->tensor->common->buffer.root == other->tensor->common->buffer.root &&
      clrs__operands_overlap(&a, &b)) {
    return clrs__fail(error, CLRS_OVERLAP,
                      "the %s and the %s share bytes of one buffer; both must be apart", one->name,
                      other->name);
  }
  return CLRS_OK;
}

static clrs_status check_all_rights(const clrs__touches *all, clrs_error *error) {
  for (size_t i = 0; i < all->count; i++) {
    CLRS_TRY(check_rights(&all->list[i], error));
  }
  return CLRS_OK;
}

static clrs_status check_all_apart(const clrs__touches *all, clrs_error *error) {
  for (size_t i = 0; i < all->count; i++) {
    for (size_t before = 0; before < i; before++) {
      CLRS_TRY(check_apart(&all->list[before], &all->list[i], error));
    }
  }
  return CLRS_OK;
}

static clrs_status plan_by_indices(const clrs__tensor_move *of, clrs_plan *plan,
                                   clrs_error *error) {
  const clrs__touches all = clrs__tensor_move_touches(of);
  const clrs_indices *indices = of->indices;
  const clrs_device_limits limits = clrs_context_limits(of->context);
  const clrs_move sides = {.source = clrs__tensor_operand(of->source),
                           .destination = clrs__tensor_operand(of->destination)};
  clrs__indexed_move move = clrs__indexed_between(&sides, of->scatters);
  move.operands[CLRS_INDEX] = clrs__tensor_operand(indices->tensor);
  move.limits = &limits;
  if (indices->flag != NULL) {
    move.flag = clrs__tensor_operand(indices->flag);
  }
  CLRS_TRY(check_all_rights(&all, error));
  CLRS_TRY(clrs__indexed_complete(&move, indices, error));
  CLRS_TRY(clrs__characters_check_shared(of->source->common->characters,
                                         of->destination->common->characters, error));
  CLRS_TRY(check_all_apart(&all, error));
  return clrs__plan_pass(of->source, &sides, &move, plan, error);
}

/* ---- all of it ---- */

clrs_status clrs__tensor_move_plan(const clrs__tensor_move *of, clrs_plan *plan,
                                   clrs_error *error) {
  if (of->source != NULL) {
    CLRS_TRY(clrs__tensor_move_check(of, error));
  }
  return of->source != NULL && of->indices != NULL
             ? plan_by_indices(of, plan, error)
             : clrs__plan_into(of->source, of->destination, &of->destination->view, plan, error);
}

clrs_plan_buffers clrs__tensor_move_buffers(const clrs__tensor_move *of) {
  clrs_plan_buffers buffers = clrs__plan_buffers_of(of->source, of->destination);
  if (of->indices != NULL) {
    const clrs_tensor *flag = of->indices->flag;
    buffers.indices = clrs__tensor_root(of->indices->tensor);
    buffers.flag = flag != NULL ? clrs__tensor_root(flag) : NULL;
  }
  return buffers;
}

static clrs_status use_tensors(const clrs__tensor_move *of, cl_command_queue queue,
                               clrs_error *error) {
  const clrs__touches all = clrs__tensor_move_touches(of);
  for (size_t i = 0; i < all.count; i++) {
    CLRS_TRY(clrs__tensor_use(all.list[i].tensor, queue, error));
  }
  return CLRS_OK;
}

static clrs_status plan_and_enqueue(const clrs__tensor_move *of, const clrs__tail *tail,
                                    clrs_error *error) {
  clrs_plan plan;
  CLRS_TRY(clrs__tensor_move_plan(of, &plan, error));
  CLRS_TRY(use_tensors(of, tail->queue, error));
  const clrs_plan_buffers buffers = clrs__tensor_move_buffers(of);
  return clrs__enqueue_planned(of->context, &plan, &buffers, tail, error);
}

clrs_status clrs__tensor_move_enqueue(const clrs__tensor_move *of, const clrs__tail *tail,
                                      clrs_error *error) {
  clrs_status status;
  CLRS_TRY(clrs__tail_check(of->context, tail, error));
  uint32_t groups = clrs__context_groups(of->context);
  do {
    status = plan_and_enqueue(of, tail, error);
  } while (clrs__context_plans_again(of->context, status, &groups, error));
  return status;
}

clrs_status clrs_tensor_plan(const clrs_tensor *source, const clrs_tensor *destination,
                             clrs_copy_policy policy, clrs_plan *plan, clrs_error *error) {
  CLRS_TRY(clrs__require(source, "source", error));
  CLRS_TRY(clrs__require(plan, "plan", error));
  if (destination != NULL) {
    const clrs__tensor_move of = {.context = source->common->context,
                                  .source = source,
                                  .destination = destination,
                                  .takes_slots = true};
    return clrs__tensor_move_plan(&of, plan, error);
  }
  const clrs_move move = {.source = clrs__tensor_operand(source), .policy = policy};
  CLRS_TRY(clrs__plan_pass(source, &move, NULL, plan, error));
  return plan->launch_count > 0 ? clrs__tensor_check_read(source, error) : CLRS_OK;
}
