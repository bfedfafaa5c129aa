/*
 * The movement operations. Each operation works on a copy of the view and stores the copy only if
 * everything succeeded. reshape and similar operations change the shape alone. The other operations
 * distribute the axes of the top walk over the dims, change the axes of the dims, and collapse the
 * stack again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "checked.h"
#include "ops.h"

clrs_status clrs__view_deal(clrs_view *view, clrs__dim_axes *dealt, clrs_error *error) {
  clrs__walk walk;
  clrs__view_level(view, view->depth - 1, &walk);
  if (clrs__walk_deal(&walk, &view->shape, dealt)) {
    return CLRS_OK;
  }
  CLRS_TRY(clrs__view_push(view, error));
  clrs__view_level(view, view->depth - 1, &walk);
  if (!clrs__walk_deal(&walk, &view->shape, dealt)) {
    return clrs__fail(
        error, CLRS_INVALID_ARGUMENT,
        "the view's walk does not count its shape %s; it was not made by this library",
        clrs__dims_text(view->shape.rank, view->shape.dims).text);
  }
  return CLRS_OK;
}

/* The reverse of clrs__view_deal: the axes, in the order of the dims, become the top walk. The
 * stack is then collapsed. */
static clrs_status collect(clrs_view *view, const clrs__dim_axes *dealt, clrs_error *error) {
  clrs__walk walk;
  clrs__walk_from_dealt(&walk, dealt);
  clrs__walk_normalize(&walk);
  CLRS_TRY(clrs__view_set_top(view, &walk, error));
  return clrs__view_collapse(view, error);
}

clrs_status clrs__view_finish(clrs_view *view, clrs_view *next, clrs__walk *walk,
                              const clrs_shape *shape, clrs_error *error) {
  next->shape = *shape;
  clrs__walk_normalize(walk);
  CLRS_TRY(clrs__view_set_top(next, walk, error));
  CLRS_TRY(clrs__view_collapse(next, error));
  clrs__view_copy(view, next);
  return CLRS_OK;
}

/* ---- the shape alone ---- */

clrs_status clrs_view_reshape(clrs_view *view, const clrs_shape *shape, clrs_error *error) {
  int64_t before, after;
  CLRS_TRY(clrs__view_measure(view, &before, error));
  CLRS_TRY(clrs__require(shape, "shape", error));
  CLRS_TRY(clrs__shape_measure(shape, &after, error));
  if (before != after) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH, "%s has %" PRId64 " elements and %s has %" PRId64,
                      clrs__dims_text(view->shape.rank, view->shape.dims).text, before,
                      clrs__dims_text(shape->rank, shape->dims).text, after);
  }
  clrs__shape_copy(&view->shape, shape);
  return CLRS_OK;
}

/* Marks the dims that an axis list names, for a shape of `rank`. No dim may be named twice. */
static clrs_status mark_axes(uint32_t rank, size_t count, const int64_t *axes, bool *marked,
                             clrs_error *error) {
  if (count > 0) {
    CLRS_TRY(clrs__require(axes, "axes", error));
  }
  if (count > rank) { /* before reading more axes than there can be */
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%zu axes are named; the rank is %u", count,
                      rank);
  }
  memset(marked, 0, rank * sizeof *marked);
  for (size_t i = 0; i < count; i++) {
    uint32_t dim;
    CLRS_TRY(clrs__axis_normalize(axes[i], rank, "axis", &dim, error));
    if (marked[dim]) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "axis %" PRId64 " is named twice", axes[i]);
    }
    marked[dim] = true;
  }
  return CLRS_OK;
}

/* The treatment of a named dim that is not 1. */
typedef enum not_one { REFUSE_IT, KEEP_IT } not_one;

static clrs_status squeeze(clrs_view *view, size_t count, const int64_t *axes, not_one other,
                           clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  bool named[CLRS_MAX_RANK];
  CLRS_TRY(mark_axes(view->shape.rank, count, axes, named, error));
  clrs_shape shape = {0};
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    const int64_t extent = view->shape.dims[dim];
    if (named[dim] && extent != 1 && other == REFUSE_IT) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "dimension %u has extent %" PRId64 "; squeeze removes only extents of 1",
                        dim, extent);
    }
    if (extent != 1 || !(named[dim] || count == 0)) {
      shape.dims[shape.rank++] = extent;
    }
  }
  view->shape = shape;
  return CLRS_OK;
}

clrs_status clrs__view_squeeze(clrs_view *view, size_t count, const int64_t *axes,
                               clrs_error *error) {
  return squeeze(view, count, axes, REFUSE_IT, error);
}

clrs_status clrs__view_unsqueeze(clrs_view *view, size_t count, const int64_t *axes,
                                 clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  if (count > CLRS_MAX_RANK - view->shape.rank) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "unsqueeze adds %zu dims to rank %u; the limit is %d dims", count,
                      view->shape.rank, CLRS_MAX_RANK);
  }
  clrs_shape shape = {.rank = view->shape.rank + (uint32_t)count};
  bool added[CLRS_MAX_RANK];
  CLRS_TRY(mark_axes(shape.rank, count, axes, added, error));
  uint32_t next = 0;
  for (uint32_t dim = 0; dim < shape.rank; dim++) {
    shape.dims[dim] = added[dim] ? 1 : view->shape.dims[next++];
  }
  view->shape = shape;
  return CLRS_OK;
}

clrs_status clrs__view_flatten(clrs_view *view, int64_t axis, clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  const int64_t rank = (int64_t)view->shape.rank;
  if (axis < -rank || axis > rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "flatten's axis is %" PRId64 "; for rank %" PRId64 " it must be in [-%" PRId64
                      ", %" PRId64 "]",
                      axis, rank, rank, rank);
  }
  const uint32_t boundary = (uint32_t)(axis < 0 ? axis + rank : axis);
  clrs_shape shape = {.rank = 2, .dims = {1, 1}};
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    int64_t *side = &shape.dims[dim < boundary ? 0 : 1];
    *side = clrs__exact_multiply(*side, view->shape.dims[dim]);
  }
  view->shape = shape;
  return CLRS_OK;
}

/* ---- the dims in another order ---- */

/* Dim i gets the axes of dim from[i]. */
static void permute_dims(clrs__dim_axes *dealt, const uint32_t *from) {
  clrs__axis_span dims[CLRS_MAX_RANK];
  for (uint32_t dim = 0; dim < dealt->dim_count; dim++) {
    dims[dim] = dealt->dims[from[dim]];
  }
  for (uint32_t dim = 0; dim < dealt->dim_count; dim++) {
    dealt->dims[dim] = dims[dim];
  }
}

clrs_status clrs_view_permute(clrs_view *view, size_t count, const int64_t *axes,
                              clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  if (count != view->shape.rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the permutation has %zu axes; the rank is %u",
                      count, view->shape.rank);
  }
  bool marked[CLRS_MAX_RANK];
  CLRS_TRY(mark_axes(view->shape.rank, count, axes, marked, error));
  clrs_view next;
  clrs__dim_axes dealt;
  uint32_t from[CLRS_MAX_RANK] = {0};
  const bool empty = clrs__view_is_empty(view);
  clrs__view_copy(&next, view);
  if (!empty) {
    CLRS_TRY(clrs__view_deal(&next, &dealt, error));
  }
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    CLRS_TRY(clrs__axis_normalize(axes[dim], view->shape.rank, "axis", &from[dim], error));
    next.shape.dims[dim] = view->shape.dims[from[dim]];
  }
  if (!empty) {
    permute_dims(&dealt, from);
    CLRS_TRY(collect(&next, &dealt, error));
  }
  clrs__view_copy(view, &next);
  return CLRS_OK;
}

static clrs_status reverse_dim(clrs__dim_axes *dealt, uint32_t dim, clrs_error *error) {
  const clrs__axis_span span = dealt->dims[dim];
  for (uint32_t i = 0; i < span.count; i++) {
    if (!clrs__axis_reverse(&dealt->axes[span.first + i], &dealt->offset)) {
      return clrs__fail(error, CLRS_OVERFLOW,
                        "dimension %u cannot be reversed: a position does not fit in 64 bits", dim);
    }
  }
  return CLRS_OK;
}

clrs_status clrs_view_flip(clrs_view *view, size_t count, const int64_t *axes, clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  bool marked[CLRS_MAX_RANK];
  CLRS_TRY(mark_axes(view->shape.rank, count, axes, marked, error));
  if (clrs__view_is_empty(view)) {
    return CLRS_OK;
  }
  clrs_view next;
  clrs__view_copy(&next, view);
  clrs__dim_axes dealt;
  CLRS_TRY(clrs__view_deal(&next, &dealt, error));
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    if (marked[dim]) {
      CLRS_TRY(reverse_dim(&dealt, dim, error));
    }
  }
  CLRS_TRY(collect(&next, &dealt, error));
  clrs__view_copy(view, &next);
  return CLRS_OK;
}

/* ONNX's multidirectional broadcast of two dims. A missing dim counts as 1. */
static clrs_status broadcast_dim(int64_t extent, int64_t asked, uint32_t dim, int64_t *result,
                                 clrs_error *error) {
  if (extent != asked && extent != 1 && asked != 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "dimension %u of the result cannot be %" PRId64 " and %" PRId64
                      "; expand needs equal extents or a 1",
                      dim, extent, asked);
  }
  *result = extent == 1 ? asked : extent;
  return CLRS_OK;
}

clrs_status clrs_view_expand(clrs_view *view, const clrs_shape *shape, clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  CLRS_TRY(clrs__require(shape, "shape", error));
  CLRS_TRY(clrs__shape_check(shape, error));
  const uint32_t rank = view->shape.rank > shape->rank ? view->shape.rank : shape->rank;
  clrs_view next;
  clrs__view_copy(&next, view);
  clrs_shape result = {.rank = rank};
  next.shape.rank = rank;
  for (uint32_t back = 1; back <= rank; back++) {
    const uint32_t dim = rank - back;
    const int64_t extent = back <= view->shape.rank ? view->shape.dims[view->shape.rank - back] : 1;
    const int64_t asked = back <= shape->rank ? shape->dims[shape->rank - back] : 1;
    next.shape.dims[dim] = extent;
    CLRS_TRY(broadcast_dim(extent, asked, dim, &result.dims[dim], error));
  }
  CLRS_TRY(clrs__shape_check(&result, error));
  if (clrs__shape_count(&result) == 0) {
    view->depth = 0;
    view->shape = result;
    return CLRS_OK;
  }
  clrs__dim_axes dealt;
  CLRS_TRY(clrs__view_deal(&next, &dealt, error));
  clrs__walk walk;
  clrs__walk_start(&walk, dealt.offset);
  for (uint32_t dim = 0; dim < rank; dim++) {
    if (dealt.dims[dim].count == 0 && result.dims[dim] > 1) {
      clrs__walk_append(&walk, (clrs_axis){result.dims[dim], 0});
    }
    clrs__walk_append_dim(&walk, &dealt, dim);
  }
  return clrs__view_finish(view, &next, &walk, &result, error);
}
