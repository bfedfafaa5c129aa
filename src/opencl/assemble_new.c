/*
 * Concat and pad into results of the library's own: the shape that the parts make up, a tensor of
 * it, and the call that fills one of the caller's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "assemble.h"
#include "checked.h"
#include "dtype.h"
#include "tensor_check.h"

/* ---- concat ---- */

/* Of sources of other ranks or extents clrs__concat_into says that they do not fit. */
static clrs_status concat_shape(const clrs__concat *concat, clrs_shape *shape, clrs_error *error) {
  const uint32_t dim = concat->dim;
  for (size_t i = 1; i < concat->count; i++) {
    const clrs_shape *part = &clrs_tensor_view(concat->sources[i])->shape;
    if (part->rank == shape->rank &&
        !clrs__add(shape->dims[dim], part->dims[dim], &shape->dims[dim])) {
      return clrs__fail(error, CLRS_OVERFLOW, "dimension %u of the result does not fit in 64 bits",
                        dim);
    }
  }
  return CLRS_OK;
}

clrs_status clrs_enqueue_concat_new(clrs_context *context, size_t count,
                                    clrs_tensor *const *sources, int64_t axis, clrs_tensor **result,
                                    cl_command_queue queue, cl_uint num_events_in_wait_list,
                                    const cl_event *event_wait_list, cl_event *event,
                                    clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  clrs__concat concat = {count, sources, 0};
  clrs_tensor *made = NULL;
  CLRS_TRY(clrs__tail_check(context, &tail, error));
  CLRS_TRY(clrs__require(result, "result", error));
  CLRS_TRY(clrs__tensors_check(context, count, sources, error));
  if (count == 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "there are no sources, which would say the shape and the type of the result");
  }
  clrs_shape shape = clrs_tensor_view(sources[0])->shape;
  CLRS_TRY(clrs__axis_normalize(axis, shape.rank, "concat axis", &concat.dim, error));
  CLRS_TRY(concat_shape(&concat, &shape, error));
  CLRS_TRY(clrs__tensor_allocate_like(sources[0], queue, &shape, &made, error));
  return clrs__tensor_hand_over(made, clrs__concat_into(&concat, made, &tail, error), result);
}

/* ---- pad ---- */

static clrs_status widen(const char *side, const int64_t *by, clrs_shape *shape,
                         clrs_error *error) {
  for (uint32_t dim = 0; by != NULL && dim < shape->rank; dim++) {
    if (by[dim] < 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "%s[%u] is %" PRId64 "; to take elements away slice the source", side, dim,
                        by[dim]);
    }
    if (!clrs__add(shape->dims[dim], by[dim], &shape->dims[dim])) {
      return clrs__fail(error, CLRS_OVERFLOW, "dimension %u of the result does not fit in 64 bits",
                        dim);
    }
  }
  return CLRS_OK;
}

clrs_status clrs_enqueue_pad_new(clrs_context *context, clrs_tensor *source,
                                 const clrs_padding *padding, const int64_t *ends,
                                 clrs_tensor **result, cl_command_queue queue,
                                 cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                 cl_event *event, clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  clrs_tensor *made = NULL;
  CLRS_TRY(clrs__tail_check(context, &tail, error));
  CLRS_TRY(clrs__tensor_check(source, context, "source", error));
  CLRS_TRY(clrs__padding_check(padding, error));
  CLRS_TRY(clrs__require(result, "result", error));
  clrs_shape shape = clrs_tensor_view(source)->shape;
  CLRS_TRY(widen("padding->begins", padding->begins, &shape, error));
  CLRS_TRY(widen("ends", ends, &shape, error));
  CLRS_TRY(clrs__tensor_allocate_like(source, queue, &shape, &made, error));
  return clrs__tensor_hand_over(made, clrs__pad_into(source, padding, made, &tail, error), result);
}
