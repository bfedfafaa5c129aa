/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "checked.h"
#include "dtype.h"
#include "frame.h"
#include "mosaic.h"
#include "pad.h"
#include "padded_parts.h"
#include "tensor_check.h"

/* ---- fill ---- */

static clrs_status add_value(clrs__mosaic *mosaic, const void *element, clrs_error *error) {
  clrs_slice slices[CLRS_MAX_RANK];
  clrs__mosaic_slices(mosaic, slices);
  clrs__mosaic_set_value(mosaic, element);
  return clrs__mosaic_add(mosaic, NULL, slices, error);
}

static clrs_status fill(const clrs__site *site, clrs_tensor *destination, const void *element,
                        clrs_error *error) {
  CLRS_TRY(clrs__site_check_destination(site, destination, error));
  CLRS_TRY(clrs__require(element, "element", error));
  return clrs__mosaic_write(site, destination, add_value, element, error);
}

clrs_status clrs_enqueue_fill(clrs_tensor *destination, const void *element, const clrs_on *on,
                              cl_event *event, clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  CLRS_TRY(clrs__tensor_check_tail(destination, "destination", &tail, error));
  const clrs__site site = {destination->common->context, &tail, NULL};
  return fill(&site, destination, element, error);
}

clrs_status clrs_work_fill(clrs_work *work, clrs_tensor *destination, const void *element,
                           clrs_error *error) {
  clrs__site site;
  CLRS_TRY(clrs__site_of_work(work, &site, error));
  return fill(&site, destination, element, error);
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

static clrs_status check_padding(const clrs_padding *padding, clrs_error *error) {
  CLRS_TRY(clrs__require(padding, "padding", error));
  CLRS_TRY(clrs__pad_mode_check(padding->mode, error));
  return padding->mode == CLRS_PAD_CONSTANT
             ? clrs__require(padding->element, "padding->element", error)
             : CLRS_OK;
}

typedef struct padded {
  clrs_tensor *source;
  const clrs_padding *padding;
} padded;

static clrs_status add_padded(clrs__mosaic *mosaic, const void *of, clrs_error *error) {
  const padded *made = of;
  const clrs_padding *padding = made->padding;
  const int64_t *begins = clrs__frame_begins(padding->begins);
  clrs_pad pad;
  if (padding->mode == CLRS_PAD_CONSTANT) {
    clrs__mosaic_set_value(mosaic, padding->element);
    return clrs__mosaic_add_framed(mosaic, made->source, begins, error);
  }
  CLRS_TRY(clrs__pad_between(padding->mode, &made->source->view.shape, &mosaic->region.shape,
                             begins, &pad, error));
  clrs__mosaic_share_launches(mosaic, pad.box_count);
  return clrs__mosaic_add_padded(mosaic, made->source, &pad, error);
}

static clrs_status pad_into(clrs_tensor *source, const clrs_padding *padding,
                            clrs_tensor *destination, const clrs__site *site, clrs_error *error) {
  const padded of = {source, padding};
  return clrs__mosaic_write(site, destination, add_padded, &of, error);
}

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

static clrs_status padded_shape(const clrs_shape *source, const clrs_padding *padding,
                                clrs_shape *shape, clrs_error *error) {
  *shape = *source;
  CLRS_TRY(widen("padding->begins", padding->begins, shape, error));
  return widen("padding->ends", padding->ends, shape, error);
}

/* The caller may leave the ends of a padding unset if there is a destination. */
static clrs_status check_ends(const clrs_shape *source, const clrs_padding *padding,
                              const clrs_shape *destination, clrs_error *error) {
  clrs_shape shape = *destination;
  if (padding->ends != NULL) {
    CLRS_TRY(padded_shape(source, padding, &shape, error));
  }
  return clrs_shape_equal(&shape, destination)
             ? CLRS_OK
             : clrs__fail(error, CLRS_COUNT_MISMATCH,
                          "the source with padding is %s and the destination %s",
                          clrs__dims_text(shape.rank, shape.dims).text,
                          clrs__dims_text(destination->rank, destination->dims).text);
}

/* Pads, and applies the operations behind. */
static clrs_status pad_with_chain(clrs_tensor *source, const clrs_padding *padding,
                                  clrs_tensor *destination, clrs_tensor **result,
                                  const clrs__site *site, clrs_error *error) {
  const clrs_view *front = &source->view;
  clrs__pad_widths pad = {.mode = padding->mode};
  const clrs__padded_parts parts = {source, {&pad, padding->chain, 0, padding->rules}};
  clrs_shape ignored;
  CLRS_TRY(padded_shape(&front->shape, padding, &ignored, error));
  for (uint32_t dim = 0; dim < front->shape.rank; dim++) {
    pad.before[dim] = padding->begins != NULL ? padding->begins[dim] : 0;
    pad.behind[dim] = padding->ends != NULL ? padding->ends[dim] : 0;
  }
  if (padding->mode == CLRS_PAD_CONSTANT) {
    memcpy(pad.element, padding->element, (clrs_dtype_bits(front->dtype) + 7) / 8);
  }
  return clrs__padded_parts_write(&parts, destination, result, site, error);
}

static clrs_status pad_destination(clrs_tensor *source, const clrs_padding *padding,
                                   clrs_tensor *destination, const clrs__site *site,
                                   clrs_error *error) {
  const clrs_view *from = &source->view;
  if (padding->chain != NULL) {
    return pad_with_chain(source, padding, destination, NULL, site, error);
  }
  CLRS_TRY(clrs__site_check_destination(site, destination, error));
  const clrs_view *to = &destination->view;
  CLRS_TRY(check_alike(from, to, error));
  CLRS_TRY(clrs__frame_check(&to->shape, &from->shape, clrs__frame_begins(padding->begins), error));
  CLRS_TRY(check_ends(&from->shape, padding, &to->shape, error));
  return pad_into(source, padding, destination, site, error);
}

static clrs_status pad_new(clrs_tensor *source, const clrs_padding *padding, clrs_tensor **result,
                           const clrs__site *site, clrs_error *error) {
  clrs_tensor *made = NULL;
  clrs_shape shape;
  if (padding->chain != NULL) {
    return pad_with_chain(source, padding, NULL, result, site, error);
  }
  CLRS_TRY(padded_shape(&source->view.shape, padding, &shape, error));
  CLRS_TRY(clrs__tensor_allocate_like(source, site->tail->queue, &shape, &made, error));
  return clrs__tensor_hand_over(made, pad_into(source, padding, made, site, error), result);
}

clrs_status clrs_enqueue_pad(clrs_tensor *source, const clrs_padding *padding,
                             clrs_tensor *destination, clrs_tensor **result, const clrs_on *on,
                             cl_event *event, clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  CLRS_TRY(clrs__tensor_check_tail(source, "source", &tail, error));
  CLRS_TRY(clrs__check_target(destination, result, error));
  CLRS_TRY(check_padding(padding, error));
  const clrs__site site = {source->common->context, &tail, NULL};
  return destination != NULL ? pad_destination(source, padding, destination, &site, error)
                             : pad_new(source, padding, result, &site, error);
}

clrs_status clrs_work_pad(clrs_work *work, clrs_tensor *source, const clrs_padding *padding,
                          clrs_tensor *destination, clrs_error *error) {
  clrs__site site;
  CLRS_TRY(clrs__site_of_work(work, &site, error));
  CLRS_TRY(clrs__site_check(&site, source, "source", error));
  CLRS_TRY(check_padding(padding, error));
  return pad_destination(source, padding, destination, &site, error);
}

/* ---- concat ---- */

typedef struct concat {
  size_t count;
  clrs_tensor *const *sources;
  uint32_t dim; /* the dim along which the sources follow each other */
} concat;

/* Checks that the sources fill the destination along the dim. The planner checks that the sources
 * fit in the other dims. */
static clrs_status check_extents(const concat *of, const clrs_shape *whole, clrs_error *error) {
  const uint32_t dim = of->dim;
  int64_t end = 0;
  for (size_t i = 0; i < of->count; i++) {
    const clrs_shape *part = &of->sources[i]->view.shape;
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

static clrs_status add_sources(clrs__mosaic *mosaic, const void *parts, clrs_error *error) {
  const concat *of = parts;
  const clrs_view *whole = &mosaic->destination->view;
  clrs_slice slices[CLRS_MAX_RANK];
  clrs_slice *along = &slices[of->dim];
  clrs__mosaic_share_launches(mosaic, of->count);
  clrs__mosaic_slices(mosaic, slices);
  CLRS_TRY(check_extents(of, &whole->shape, error));
  along->end = 0;
  for (size_t i = 0; i < of->count; i++) {
    along->start = along->end;
    along->end += of->sources[i]->view.shape.dims[of->dim];
    CLRS_TRY(clrs__mosaic_add(mosaic, of->sources[i], slices, error));
  }
  return CLRS_OK;
}

/* Does not check the ranks and the other extents of the sources. add_sources reports sources that
 * do not fit. */
static clrs_status concat_shape(const concat *of, clrs_shape *shape, clrs_error *error) {
  const uint32_t dim = of->dim;
  for (size_t i = 1; i < of->count; i++) {
    const clrs_shape *part = &of->sources[i]->view.shape;
    if (part->rank == shape->rank &&
        !clrs__add(shape->dims[dim], part->dims[dim], &shape->dims[dim])) {
      return clrs__fail(error, CLRS_OVERFLOW, "dimension %u of the result does not fit in 64 bits",
                        dim);
    }
  }
  return CLRS_OK;
}

static clrs_status concat_new(concat *of, int64_t axis, clrs_tensor **result,
                              const clrs__site *site, clrs_error *error) {
  clrs_tensor *made = NULL;
  clrs_shape shape = of->sources[0]->view.shape;
  CLRS_TRY(clrs__axis_normalize(axis, shape.rank, "concat axis", &of->dim, error));
  CLRS_TRY(concat_shape(of, &shape, error));
  CLRS_TRY(clrs__tensor_allocate_like(of->sources[0], site->tail->queue, &shape, &made, error));
  return clrs__tensor_hand_over(made, clrs__mosaic_write(site, made, add_sources, of, error),
                                result);
}

static clrs_status concat_destination(concat *of, int64_t axis, clrs_tensor *destination,
                                      const clrs__site *site, clrs_error *error) {
  CLRS_TRY(clrs__site_check_destination(site, destination, error));
  CLRS_TRY(clrs__site_check_all(site, of->count, of->sources, error));
  CLRS_TRY(
      clrs__axis_normalize(axis, destination->view.shape.rank, "concat axis", &of->dim, error));
  return clrs__mosaic_write(site, destination, add_sources, of, error);
}

/* Finds the first tensor of the call, which gives the context. */
static clrs_status first_of(const concat *of, clrs_tensor **first, clrs_error *error) {
  if (of->count == 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "there are no sources, which would say the shape and the type of the result");
  }
  CLRS_TRY(clrs__require(of->sources, "sources", error));
  *first = of->sources[0];
  return CLRS_OK;
}

clrs_status clrs_enqueue_concat(size_t count, clrs_tensor *const *sources, int64_t axis,
                                clrs_tensor *destination, clrs_tensor **result, const clrs_on *on,
                                cl_event *event, clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  clrs_tensor *first = destination;
  concat of = {count, sources, 0};
  CLRS_TRY(clrs__check_target(destination, result, error));
  if (destination == NULL) {
    CLRS_TRY(first_of(&of, &first, error));
  }
  CLRS_TRY(
      clrs__tensor_check_tail(first, destination != NULL ? "destination" : "source", &tail, error));
  const clrs__site site = {first->common->context, &tail, NULL};
  if (destination != NULL) {
    return concat_destination(&of, axis, destination, &site, error);
  }
  CLRS_TRY(clrs__site_check_all(&site, count, sources, error));
  return concat_new(&of, axis, result, &site, error);
}

clrs_status clrs_work_concat(clrs_work *work, size_t count, clrs_tensor *const *sources,
                             int64_t axis, clrs_tensor *destination, clrs_error *error) {
  clrs__site site;
  concat of = {count, sources, 0};
  CLRS_TRY(clrs__site_of_work(work, &site, error));
  return concat_destination(&of, axis, destination, &site, error);
}
