/* SPDX-License-Identifier: Apache-2.0 */
#include "assemble.h"

#include <inttypes.h>
#include <string.h>

#include "checked.h"
#include "dtype.h"
#include "enqueue.h"
#include "frame.h"
#include "mosaic.h"
#include "pad.h"
#include "tensor_check.h"

/* Fewer parts are launched one by one: their kernels are more likely to have been built. */
enum { FEWEST_BATCHED = 8 };

static clrs_status check_destination(const clrs_context *context, const clrs__tail *tail,
                                     const clrs_tensor *destination, clrs_error *error) {
  CLRS_TRY(clrs__tail_check(context, tail, error));
  CLRS_TRY(clrs__tensor_check_stored(destination, context, "destination", error));
  return clrs__tensor_check_written(destination, error);
}

/* ---- fill ---- */

clrs_status clrs_enqueue_fill(clrs_context *context, clrs_tensor *destination, const void *element,
                              cl_command_queue queue, cl_uint num_events_in_wait_list,
                              const cl_event *event_wait_list, cl_event *event, clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  CLRS_TRY(check_destination(context, &tail, destination, error));
  CLRS_TRY(clrs__require(element, "element", error));
  clrs__mosaic mosaic = clrs__mosaic_of(context, destination, &tail);
  clrs_slice slices[CLRS_MAX_RANK];
  clrs__mosaic_slices(&mosaic, slices);
  clrs__mosaic_set_value(&mosaic, element);
  return clrs__mosaic_end(&mosaic, clrs__mosaic_add(&mosaic, NULL, slices, error), error);
}

/* ---- pad ---- */

static clrs_status check_alike(const clrs_view *source, const clrs_view *destination,
                               clrs_error *error) {
  if (source->shape.rank != destination->shape.rank || source->dtype != destination->dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the source has rank %u and type %s, the destination %u and %s; pad needs "
                      "them equal",
                      source->shape.rank, clrs__dtype_text(source->dtype), destination->shape.rank,
                      clrs__dtype_text(destination->dtype));
  }
  return CLRS_OK;
}

clrs_status clrs__padding_check(const clrs_padding *padding, clrs_error *error) {
  CLRS_TRY(clrs__require(padding, "padding", error));
  CLRS_TRY(clrs__pad_mode_check(padding->mode, error));
  return padding->mode == CLRS_PAD_CONSTANT
             ? clrs__require(padding->element, "padding->element", error)
             : CLRS_OK;
}

clrs_status clrs__pad_into(clrs_tensor *source, const clrs_padding *padding,
                           const clrs_tensor *destination, const clrs__tail *tail,
                           clrs_error *error) {
  clrs__mosaic mosaic = clrs__mosaic_of(clrs__tensor_context(destination), destination, tail);
  clrs_status status = CLRS_OK;
  clrs_pad pad;
  if (padding->mode == CLRS_PAD_CONSTANT) {
    clrs__mosaic_set_value(&mosaic, padding->element);
    status = clrs__mosaic_add_framed(&mosaic, source, clrs__frame_begins(padding->begins), error);
  } else {
    CLRS_TRY(clrs__pad_between(padding->mode, &clrs_tensor_view(source)->shape,
                               &mosaic.region.shape, clrs__frame_begins(padding->begins), &pad,
                               error));
    mosaic.is_batched = pad.box_count >= FEWEST_BATCHED && !mosaic.commands.in_order;
    status = clrs__mosaic_add_padded(&mosaic, source, &pad, error);
  }
  return clrs__mosaic_end(&mosaic, status, error);
}

clrs_status clrs_enqueue_pad(clrs_context *context, clrs_tensor *source, clrs_tensor *destination,
                             const clrs_padding *padding, cl_command_queue queue,
                             cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                             cl_event *event, clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  CLRS_TRY(check_destination(context, &tail, destination, error));
  CLRS_TRY(clrs__tensor_check(source, context, "source", error));
  CLRS_TRY(clrs__padding_check(padding, error));
  CLRS_TRY(check_alike(clrs_tensor_view(source), clrs_tensor_view(destination), error));
  CLRS_TRY(clrs__frame_check(&clrs_tensor_view(destination)->shape,
                             &clrs_tensor_view(source)->shape, clrs__frame_begins(padding->begins),
                             error));
  return clrs__pad_into(source, padding, destination, &tail, error);
}

/* ---- concat ---- */

/* The sources fill the destination along the dim. That they fit in the others is the planner's to
 * say. */
static clrs_status check_extents(const clrs__concat *concat, const clrs_shape *whole,
                                 clrs_error *error) {
  const uint32_t dim = concat->dim;
  int64_t end = 0;
  for (size_t i = 0; i < concat->count; i++) {
    const clrs_shape *part = &clrs_tensor_view(concat->sources[i])->shape;
    const int64_t start = end;
    if (part->rank != whole->rank || !clrs__add(end, part->dims[dim], &end) ||
        end > whole->dims[dim]) {
      return clrs__fail(error, CLRS_COUNT_MISMATCH,
                        "source %zu %s does not fit into %s at %" PRId64 " of dimension %u", i,
                        clrs__dims_text(part->rank, part->dims).text,
                        clrs__dims_text(whole->rank, whole->dims).text, start, dim);
    }
  }
  if (end != whole->dims[dim]) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH,
                      "the sources add up to %" PRId64 " of dimension %u; the destination has "
                      "%" PRId64,
                      end, dim, whole->dims[dim]);
  }
  return CLRS_OK;
}

static clrs_status add_sources(clrs__mosaic *mosaic, const clrs__concat *concat,
                               clrs_error *error) {
  const clrs_view *whole = clrs_tensor_view(mosaic->destination);
  clrs_slice slices[CLRS_MAX_RANK];
  clrs_slice *along = &slices[concat->dim];
  clrs__mosaic_slices(mosaic, slices);
  CLRS_TRY(check_extents(concat, &whole->shape, error));
  along->end = 0;
  for (size_t i = 0; i < concat->count; i++) {
    along->start = along->end;
    along->end += clrs_tensor_view(concat->sources[i])->shape.dims[concat->dim];
    CLRS_TRY(clrs__mosaic_add(mosaic, concat->sources[i], slices, error));
  }
  return CLRS_OK;
}

clrs_status clrs__concat_into(const clrs__concat *concat, const clrs_tensor *destination,
                              const clrs__tail *tail, clrs_error *error) {
  clrs__mosaic mosaic = clrs__mosaic_of(clrs__tensor_context(destination), destination, tail);
  mosaic.is_batched = concat->count >= FEWEST_BATCHED && !mosaic.commands.in_order;
  return clrs__mosaic_end(&mosaic, add_sources(&mosaic, concat, error), error);
}

clrs_status clrs_enqueue_concat(clrs_context *context, size_t count, clrs_tensor *const *sources,
                                int64_t axis, clrs_tensor *destination, cl_command_queue queue,
                                cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                cl_event *event, clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  clrs__concat concat = {count, sources, 0};
  CLRS_TRY(check_destination(context, &tail, destination, error));
  CLRS_TRY(clrs__tensors_check(context, count, sources, error));
  CLRS_TRY(clrs__axis_normalize(axis, clrs_tensor_view(destination)->shape.rank, "concat axis",
                                &concat.dim, error));
  return clrs__concat_into(&concat, destination, &tail, error);
}
