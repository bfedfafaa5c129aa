/*
 * Slices. A dim with one axis gets the usual offset and step. A dim with several axes gets the
 * composition of its axes with the slice if the composition is a walk, otherwise a new level.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "slice.h"

#include <inttypes.h>

#include "checked.h"
#include "ops.h"

/* The elements start, start + step, ... of a dim. All elements lie inside the dim. */
struct range {
  int64_t start, step, count;
};

/* ONNX Slice-13: negative positions count from the end. Both positions are then clamped to the
 * range that the direction allows. No step and no position overflows in this form. Example: start
 * -1, end -5 and step -2 of extent 4 select the elements 3 and 1. */
static struct range resolve_slice(const clrs_slice *slice, int64_t extent) {
  int64_t start = slice->start < 0 ? slice->start + extent : slice->start;
  int64_t end = slice->end < 0 ? slice->end + extent : slice->end;
  struct range result = {.step = slice->step};
  if (slice->step > 0) {
    start = clrs__clamp(start, 0, extent);
    end = clrs__clamp(end, 0, extent);
    result.count = end > start ? (end - start - 1) / slice->step + 1 : 0;
  } else {
    start = clrs__clamp(start, 0, extent - 1);
    end = clrs__clamp(end, -1, extent - 1);
    result.count = start > end ? (end - start + 1) / slice->step + 1 : 0;
  }
  result.start = start;
  return result;
}

static clrs_status resolve_slices(const clrs_view *view, size_t count, const clrs_slice *slices,
                                  struct range *ranges, clrs_error *error) {
  bool sliced[CLRS_MAX_RANK] = {false};
  if (count > view->shape.rank) { /* before reading more slices than there can be */
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "there are %zu slices; the rank is %u", count,
                      view->shape.rank);
  }
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    ranges[dim] = (struct range){0, 1, view->shape.dims[dim]};
  }
  for (size_t i = 0; i < count; i++) {
    uint32_t dim;
    CLRS_TRY(clrs__axis_normalize(slices[i].axis, view->shape.rank, "slice axis", &dim, error));
    if (slices[i].step == 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "the step of the slice of axis %" PRId64 " is 0; it must not be",
                        slices[i].axis);
    }
    if (sliced[dim]) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "axis %" PRId64 " is sliced twice",
                        slices[i].axis);
    }
    sliced[dim] = true;
    /* An empty dim has no last element to clamp to. */
    if (view->shape.dims[dim] > 0) {
      ranges[dim] = resolve_slice(&slices[i], view->shape.dims[dim]);
    }
  }
  return CLRS_OK;
}

/* Appends the sliced axes of one dim to *walk and moves its offset. Returns false if the axes are
 * not a walk. */
static bool slice_dim(const clrs__dim_axes *dealt, uint32_t dim, const struct range *range,
                      clrs__walk *walk) {
  const clrs__axis_span span = dealt->dims[dim];
  clrs__walk whole = {.offset = 0}, sliced;
  for (uint32_t i = 0; i < span.count; i++) {
    clrs__walk_append(&whole, dealt->axes[span.first + i]);
  }
  clrs__walk picked = {.offset = range->start, .axis_count = 1};
  picked.axes[0] = (clrs_axis){range->count, range->step};
  /* One element is not an axis, for any step. */
  clrs__walk_normalize(&picked);
  if (!clrs__walk_compose(&whole, &picked, &sliced) ||
      !clrs__add(walk->offset, sliced.offset, &walk->offset)) {
    return false;
  }
  for (uint32_t i = 0; i < sliced.axis_count; i++) {
    clrs__walk_append(walk, sliced.axes[i]);
  }
  return true;
}

/* Slices every dim of the top walk. Returns false if the slice does not line up with the axes of
 * some dim. After a push, all dims line up. */
static bool slice_top(const clrs_view *view, const clrs__dim_axes *dealt,
                      const struct range *ranges, clrs__walk *walk) {
  walk->offset = dealt->offset;
  walk->axis_count = 0;
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    if (!slice_dim(dealt, dim, &ranges[dim], walk)) {
      return false;
    }
  }
  clrs__walk_normalize(walk);
  return true;
}

static clrs_status slice_axes(clrs_view *next, const struct range *ranges, clrs_error *error) {
  clrs__dim_axes dealt;
  clrs__walk walk;
  CLRS_TRY(clrs__view_deal(next, &dealt, error));
  if (!slice_top(next, &dealt, ranges, &walk)) {
    CLRS_TRY(clrs__view_push(next, error));
    CLRS_TRY(clrs__view_deal(next, &dealt, error));
    if (!slice_top(next, &dealt, ranges, &walk)) {
      return clrs__fail(error, CLRS_OVERFLOW, "a position of the slice does not fit in 64 bits");
    }
  }
  CLRS_TRY(clrs__view_set_top(next, &walk, error));
  return clrs__view_collapse(next, error);
}

clrs_status clrs_view_slice(clrs_view *view, size_t count, const clrs_slice *slices,
                            clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  if (count > 0) {
    CLRS_TRY(clrs__require(slices, "slices", error));
  }
  struct range ranges[CLRS_MAX_RANK];
  CLRS_TRY(resolve_slices(view, count, slices, ranges, error));
  clrs_view next;
  clrs__view_copy(&next, view);
  bool empty = clrs__view_is_empty(view);
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    empty = empty || ranges[dim].count == 0;
  }
  if (empty) {
    next.depth = 0;
  } else {
    CLRS_TRY(slice_axes(&next, ranges, error));
  }
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    next.shape.dims[dim] = ranges[dim].count;
  }
  clrs__view_copy(view, &next);
  return CLRS_OK;
}

clrs_status clrs__view_split(clrs_view *view, int64_t axis, int64_t parts, int64_t which,
                             clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  uint32_t dim;
  CLRS_TRY(clrs__axis_normalize(axis, view->shape.rank, "split axis", &dim, error));
  const int64_t extent = view->shape.dims[dim];
  if (which < 0 || which >= parts) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "part %" PRId64 " of %" PRId64
                      " does not exist; parts must be at least 1 and the part below it",
                      which, parts);
  }
  const int64_t chunk = clrs__divide_up(extent, parts);
  int64_t last_start;
  if (!clrs__multiply(chunk, parts - 1, &last_start) || last_start > extent) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "dimension %u of extent %" PRId64 " does not split into %" PRId64
                      " parts of %" PRId64 " with a smaller last one",
                      dim, extent, parts, chunk);
  }
  const int64_t start = clrs__exact_multiply(chunk, which);
  const int64_t end = which == parts - 1 ? extent : start + chunk;
  const clrs_slice slice = {.axis = dim, .start = start, .end = end, .step = 1};
  return clrs_view_slice(view, 1, &slice, error);
}
