/*
 * The calls for gather and scatter by indices that lie on the device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "checked.h"
#include "tensor_check.h"
#include "tensor_move.h"

typedef clrs__tensor_move move;

/* The source's shape with the indices' dims in place of the axis. */
static clrs_status gathered_shape(const clrs_shape *source, const clrs_indices *indices,
                                  clrs_shape *shape, clrs_error *error) {
  const clrs_shape *index = &indices->tensor->view.shape;
  uint32_t axis = 0;
  int64_t dims[2 * CLRS_MAX_RANK];
  CLRS_TRY(clrs__axis_normalize(indices->axis, source->rank, "indices->axis", &axis, error));
  memcpy(dims, source->dims, axis * sizeof *dims);
  memcpy(dims + axis, index->dims, index->rank * sizeof *dims);
  memcpy(dims + axis + index->rank, source->dims + axis + 1,
         (source->rank - axis - 1) * sizeof *dims);
  return clrs_shape_init(source->rank + index->rank - 1, dims, shape, error);
}

static clrs_status make_gathered(const clrs_tensor *source, const clrs_indices *indices,
                                 cl_command_queue queue, clrs_tensor **made, clrs_error *error) {
  clrs_shape shape;
  CLRS_TRY(clrs__require(indices->tensor, "indices->tensor", error));
  CLRS_TRY(gathered_shape(&source->view.shape, indices, &shape, error));
  return clrs__tensor_allocate_like(source, queue, &shape, made, error);
}

/* Checks the sides that every call has. The source gives the context. */
static clrs_status take_context(move *of, clrs_error *error) {
  CLRS_TRY(clrs__require(of->source, "source", error));
  CLRS_TRY(clrs__require(of->indices, "indices", error));
  of->context = of->source->common->context;
  return CLRS_OK;
}

clrs_status clrs_enqueue_gather(clrs_tensor *source, const clrs_indices *indices,
                                clrs_tensor *destination, clrs_tensor **result, const clrs_on *on,
                                cl_event *event, clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  clrs_tensor *made = NULL;
  move of = {.source = source, .destination = destination, .indices = indices};
  CLRS_TRY(take_context(&of, error));
  CLRS_TRY(clrs__check_target(destination, result, error));
  if (destination != NULL) {
    return clrs__tensor_move_enqueue(&of, &tail, error);
  }
  CLRS_TRY(clrs__tail_check(of.context, &tail, error));
  CLRS_TRY(make_gathered(source, indices, tail.queue, &made, error));
  of.destination = made;
  return clrs__tensor_hand_over(made, clrs__tensor_move_enqueue(&of, &tail, error), result);
}

clrs_status clrs_enqueue_scatter(clrs_tensor *source, const clrs_indices *indices,
                                 clrs_tensor *destination, const clrs_on *on, cl_event *event,
                                 clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  move of = {.source = source, .destination = destination, .indices = indices, .scatters = true};
  CLRS_TRY(take_context(&of, error));
  return clrs__tensor_move_enqueue(&of, &tail, error);
}

static clrs_status plan_move(move *of, clrs_plan *plan, clrs_error *error) {
  of->takes_slots = true;
  CLRS_TRY(take_context(of, error));
  CLRS_TRY(clrs__require(plan, "plan", error));
  return clrs__tensor_move_plan(of, plan, error);
}

clrs_status clrs_tensor_plan_gather(const clrs_tensor *source, const clrs_indices *indices,
                                    const clrs_tensor *destination, clrs_plan *plan,
                                    clrs_error *error) {
  move of = {.source = source, .destination = destination, .indices = indices};
  return plan_move(&of, plan, error);
}

clrs_status clrs_tensor_plan_scatter(const clrs_tensor *source, const clrs_indices *indices,
                                     const clrs_tensor *destination, clrs_plan *plan,
                                     clrs_error *error) {
  move of = {.source = source, .destination = destination, .indices = indices, .scatters = true};
  return plan_move(&of, plan, error);
}
