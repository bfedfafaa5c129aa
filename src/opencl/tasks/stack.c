/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "dtype.h"
#include "frame.h"
#include "mosaic.h"
#include "ops.h"
#include "tensor_check.h"

static const int64_t *begins_of(const clrs_stack *stack, size_t i) {
  static const int64_t zeros[CLRS_MAX_RANK];
  const size_t first = i * stack->sources[i]->view.shape.rank;
  return stack->begins != NULL ? stack->begins + first : zeros;
}

/* ---- checks ---- */

static clrs_status check_call(const clrs__site *site, const clrs_stack *stack,
                              const clrs_tensor *destination, clrs_error *error) {
  CLRS_TRY(clrs__site_check_destination(site, destination, error));
  CLRS_TRY(clrs__require(stack, "stack", error));
  CLRS_TRY(clrs__tensors_check_count(stack->count, "sources", error));
  if (stack->count > 0) {
    CLRS_TRY(clrs__require(stack->sources, "stack->sources", error));
  }
  const clrs_shape *shape = &destination->view.shape;
  if (shape->rank == 0 || (uint64_t)shape->dims[0] != stack->count) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH,
                      "%zu sources do not make up the first dim of a destination %s", stack->count,
                      clrs__dims_text(shape->rank, shape->dims).text);
  }
  return CLRS_OK;
}

static clrs_status check_broadcast(const clrs_view *border, const clrs_shape *index,
                                   clrs_error *error) {
  clrs_view seen = *border;
  return clrs_view_expand(&seen, index, NULL) == CLRS_OK && clrs_shape_equal(&seen.shape, index)
             ? CLRS_OK
             : clrs__fail(error, CLRS_COUNT_MISMATCH,
                          "a border %s cannot be broadcast to an index %s of the destination",
                          clrs__dims_text(border->shape.rank, border->shape.dims).text,
                          clrs__dims_text(index->rank, index->dims).text);
}

/* Checks the border even if the sources cover the whole destination. */
static clrs_status check_border(const clrs__site *site, const clrs_tensor *border,
                                const clrs_tensor *destination, clrs_error *error) {
  const clrs_view *whole = &destination->view;
  clrs_shape index = {.rank = whole->shape.rank - 1};
  memcpy(index.dims, whole->shape.dims + 1, index.rank * sizeof *index.dims);
  CLRS_TRY(clrs__site_check(site, border, "border", error));
  CLRS_TRY(check_broadcast(&border->view, &index, error));
  if (border->view.dtype != whole->dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the border is %s and the destination %s",
                      clrs__dtype_text(border->view.dtype), clrs__dtype_text(whole->dtype));
  }
  return clrs__tensors_check_apart(border, destination, error);
}

static clrs_status check_alike(const clrs_view *source, const clrs_view *destination,
                               clrs_error *error) {
  if (source->shape.rank + 1 != destination->shape.rank || source->dtype != destination->dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "it has rank %u and type %s; a destination of rank %u and type %s takes "
                      "sources of rank %u and its type",
                      source->shape.rank, clrs__dtype_text(source->dtype), destination->shape.rank,
                      clrs__dtype_text(destination->dtype), destination->shape.rank - 1);
  }
  return CLRS_OK;
}

static clrs_status check_filled(const clrs_shape *source, const clrs_shape *index,
                                clrs_error *error) {
  for (uint32_t dim = 0; dim < source->rank; dim++) {
    if (source->dims[dim] != index->dims[dim]) {
      return clrs__fail(error, CLRS_COUNT_MISMATCH,
                        "dimension %u has %" PRId64 " of the destination's %" PRId64
                        " elements, and there is neither a border nor an element for the others",
                        dim, source->dims[dim], index->dims[dim]);
    }
  }
  return CLRS_OK;
}

/* ---- the call ---- */

/* Enters index i of the destination's first dim. */
static clrs_status enter_index(clrs__mosaic *mosaic, size_t i, clrs_error *error) {
  const clrs_slice index = {0, (int64_t)i, (int64_t)i + 1, 1};
  mosaic->region = mosaic->destination->view;
  CLRS_TRY(clrs_view_slice(&mosaic->region, 1, &index, error));
  return clrs__view_squeeze(&mosaic->region, 1, (const int64_t[]){0}, error);
}

static clrs_status add_source(clrs__mosaic *mosaic, const clrs_stack *stack, size_t i,
                              clrs_error *error) {
  const clrs_tensor *source = stack->sources[i];
  CLRS_TRY(clrs__site_check(mosaic->site, source, "source", error));
  CLRS_TRY(check_alike(&source->view, &mosaic->destination->view, error));
  CLRS_TRY(enter_index(mosaic, i, error));
  const int64_t *begins = begins_of(stack, i);
  CLRS_TRY(clrs__frame_check(&mosaic->region.shape, &source->view.shape, begins, error));
  if (stack->border == NULL && stack->element == NULL) {
    CLRS_TRY(check_filled(&source->view.shape, &mosaic->region.shape, error));
  }
  return clrs__mosaic_add_framed(mosaic, source, begins, error);
}

static clrs_status add_sources(clrs__mosaic *mosaic, const void *of, clrs_error *error) {
  const clrs_stack *stack = of;
  mosaic->is_batched = !mosaic->commands.in_order;
  mosaic->border = stack->border;
  if (stack->element != NULL) {
    clrs__mosaic_set_value(mosaic, stack->element);
  }
  for (size_t i = 0; i < stack->count; i++) {
    const clrs_status status = add_source(mosaic, stack, i, error);
    if (status != CLRS_OK) {
      clrs__append(error, "; that is source %zu of %zu", i, stack->count);
      return status;
    }
  }
  return CLRS_OK;
}

static clrs_status put(const clrs__site *site, const clrs_stack *stack, clrs_tensor *destination,
                       clrs_error *error) {
  CLRS_TRY(check_call(site, stack, destination, error));
  if (stack->border != NULL) {
    CLRS_TRY(check_border(site, stack->border, destination, error));
  }
  return clrs__mosaic_write(site, destination, add_sources, stack, error);
}

clrs_status clrs_enqueue_stack(const clrs_stack *stack, clrs_tensor *destination, const clrs_on *on,
                               cl_event *event, clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  CLRS_TRY(clrs__tensor_check_tail(destination, "destination", &tail, error));
  const clrs__site site = {destination->common->context, &tail, NULL};
  return put(&site, stack, destination, error);
}

clrs_status clrs_work_stack(clrs_work *work, const clrs_stack *stack, clrs_tensor *destination,
                            clrs_error *error) {
  clrs__site site;
  CLRS_TRY(clrs__site_of_work(work, &site, error));
  return put(&site, stack, destination, error);
}
