/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor_move.h"

#include "index_check.h"
#include "mapped_move.h"
#include "overlap.h"
#include "plan_command.h"
#include "tensor_check.h"
#include "view.h"

static const clrs_indices *indices_of(const clrs__tensor_move *of) {
  return of->gather != NULL ? of->gather : of->scatter;
}

/* ---- each tensor ---- */

/* Of the context, and a slot in a work alone. */
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
  const clrs_indices *indices = indices_of(of);
  CLRS_TRY(clrs__require(indices->tensor, "indices->tensor", error));
  CLRS_TRY(check_stored(of, indices->tensor, "index", error));
  return indices->flag != NULL ? check_stored(of, indices->flag, "flag", error) : CLRS_OK;
}

clrs_status clrs__tensor_move_check(const clrs__tensor_move *of, clrs_error *error) {
  CLRS_TRY(check_tensor(of, of->source, "source", error));
  CLRS_TRY(check_stored(of, of->destination, "destination", error));
  return indices_of(of) != NULL ? check_tensors_of_indices(of, error) : CLRS_OK;
}

static void add_touch(clrs__touches *all, const clrs_tensor *tensor, const char *name,
                      bool is_written) {
  all->list[all->count++] = (clrs__touch){.tensor = tensor, .name = name, .is_written = is_written};
}

clrs__touches clrs__tensor_move_touches(const clrs__tensor_move *of) {
  const clrs__reads none = {.count = 0};
  const clrs__reads reads = of->source != NULL ? clrs__tensor_reads(of->source) : none;
  const clrs_indices *indices = indices_of(of);
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
      clrs_operands_overlap(&a, &b)) {
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
  const clrs_indices *indices = indices_of(of);
  const clrs_move sides = {.source = clrs__tensor_operand(of->source),
                           .destination = clrs__tensor_operand(of->destination)};
  clrs__indexed_move move = clrs__indexed_between(&sides, of->scatter != NULL);
  move.operands[CLRS_INDEX] = clrs__tensor_operand(indices->tensor);
  move.limits = &of->context->limits;
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
  CLRS_TRY(clrs__tensor_move_check(of, error));
  return indices_of(of) != NULL
             ? plan_by_indices(of, plan, error)
             : clrs__plan_into(of->source, of->destination, &of->destination->view, plan, error);
}

clrs_plan_buffers clrs__tensor_move_buffers(const clrs__tensor_move *of) {
  clrs_plan_buffers buffers = clrs__plan_buffers_of(of->source, of->destination);
  if (indices_of(of) != NULL) {
    const clrs_tensor *flag = indices_of(of)->flag;
    buffers.indices = clrs__tensor_root(indices_of(of)->tensor);
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

clrs_status clrs__tensor_move_enqueue(const clrs__tensor_move *of, const clrs__tail *tail,
                                      clrs_error *error) {
  clrs_plan plan;
  CLRS_TRY(clrs__tail_check(of->context, tail, error));
  CLRS_TRY(clrs__tensor_move_plan(of, &plan, error));
  CLRS_TRY(use_tensors(of, tail->queue, error));
  const clrs_plan_buffers buffers = clrs__tensor_move_buffers(of);
  return clrs__enqueue_planned(of->context, &plan, &buffers, tail, error);
}
