/* SPDX-License-Identifier: Apache-2.0 */
#include "view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "checked.h"
#include "dtype.h"

static clrs_status fail_foreign(const clrs_view *view, clrs_error *error) {
  return clrs__fail(
      error, CLRS_INVALID_ARGUMENT,
      "a view of shape %s with a stack of %u walks that does not count it; it was not "
      "made by this library",
      clrs__dims_text(view->shape.rank, view->shape.dims).text, view->depth);
}

/* The number of positions that a level enumerates, and their range in the level below. */
typedef struct level_span {
  int64_t count, lowest, highest;
} level_span;

static bool find_span(const clrs_axis *axes, clrs_level level, level_span *span) {
  bool fits = true;
  *span = (level_span){1, level.offset, level.offset};
  for (uint32_t i = 0; fits && i < level.axis_count; i++) {
    int64_t *end = axes[i].stride < 0 ? &span->lowest : &span->highest;
    fits = axes[i].extent > 1 && clrs__multiply(span->count, axes[i].extent, &span->count) &&
           clrs__multiply_add(*end, axes[i].extent - 1, axes[i].stride, end);
  }
  return fits;
}

/* Returns true if each level stays within the enumeration of the level below, and the top level
 * enumerates the shape. Followers of the stack then read nothing outside the bounds of the bottom
 * level. */
static bool levels_fit(const clrs_view *view, int64_t count) {
  uint32_t first = 0;
  int64_t below = 0;
  for (uint32_t i = 0; i < view->depth; i++) {
    const clrs_level level = view->levels[i];
    level_span span;
    if (level.axis_count > CLRS_VIEW_AXES - first || !find_span(view->axes + first, level, &span) ||
        (i > 0 && (span.lowest < 0 || span.highest >= below))) {
      return false;
    }
    first += level.axis_count;
    below = span.count;
  }
  return below == count;
}

clrs_status clrs__view_measure(const clrs_view *view, int64_t *count, clrs_error *error) {
  CLRS_TRY(clrs__require(view, "view", error));
  CLRS_TRY(clrs__dtype_check(view->dtype, error));
  CLRS_TRY(clrs__shape_measure(&view->shape, count, error));
  return view->depth <= CLRS_MAX_DEPTH && levels_fit(view, *count) ? CLRS_OK
                                                                   : fail_foreign(view, error);
}

clrs_status clrs__view_check(const clrs_view *view, clrs_error *error) {
  int64_t count;
  return clrs__view_measure(view, &count, error);
}

/* ---- used parts of a view's arrays ---- */

static size_t axes_bytes(const clrs_view *view) {
  uint32_t axes = 0;
  for (uint32_t level = 0; level < view->depth; level++) {
    axes += view->levels[level].axis_count;
  }
  return axes * sizeof view->axes[0];
}

bool clrs__view_equal(const clrs_view *a, const clrs_view *b) {
  if (a->dtype != b->dtype || a->depth != b->depth || !clrs_shape_equal(&a->shape, &b->shape)) {
    return false;
  }
  for (uint32_t level = 0; level < a->depth; level++) {
    if (a->levels[level].offset != b->levels[level].offset ||
        a->levels[level].axis_count != b->levels[level].axis_count) {
      return false;
    }
  }
  return memcmp(a->axes, b->axes, axes_bytes(a)) == 0;
}

void clrs__view_copy(clrs_view *to, const clrs_view *from) {
  memcpy(to, from, offsetof(clrs_view, axes) + axes_bytes(from));
}

bool clrs__view_is_empty(const clrs_view *view) {
  return view->depth == 0;
}

/* ---- levels ---- */

static uint32_t first_axis(const clrs_view *view, uint32_t level) {
  uint32_t first = 0;
  for (uint32_t i = 0; i < level; i++) {
    first += view->levels[i].axis_count;
  }
  return first;
}

void clrs__view_level(const clrs_view *view, uint32_t level, clrs__walk *walk) {
  walk->offset = view->levels[level].offset;
  walk->axis_count = view->levels[level].axis_count;
  memcpy(walk->axes, view->axes + first_axis(view, level), walk->axis_count * sizeof walk->axes[0]);
}

clrs_status clrs__view_set_top(clrs_view *view, const clrs__walk *walk, clrs_error *error) {
  const uint32_t top = view->depth - 1;
  const uint32_t first = first_axis(view, top);
  if (first + walk->axis_count > CLRS_VIEW_AXES) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "the view needs %u axes in its stack of %u walks; the limit is %d",
                      first + walk->axis_count, view->depth, CLRS_VIEW_AXES);
  }
  view->levels[top] = (clrs_level){walk->offset, walk->axis_count};
  memcpy(view->axes + first, walk->axes, walk->axis_count * sizeof walk->axes[0]);
  return CLRS_OK;
}

clrs_status clrs__view_push(clrs_view *view, clrs_error *error) {
  if (view->depth == CLRS_MAX_DEPTH) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "the view needs a stack of more than %d walks; copy it first",
                      CLRS_MAX_DEPTH);
  }
  clrs__walk dense = {.axis_count = 1, .axes = {{clrs__shape_count(&view->shape), 1}}};
  clrs__walk_normalize(&dense);
  view->depth++;
  return clrs__view_set_top(view, &dense, error);
}

clrs_status clrs__view_collapse(clrs_view *view, clrs_error *error) {
  while (view->depth > 1) {
    clrs__walk lower, upper, both;
    clrs__view_level(view, view->depth - 2, &lower);
    clrs__view_level(view, view->depth - 1, &upper);
    if (!clrs__walk_compose(&lower, &upper, &both)) {
      break;
    }
    view->depth--;
    CLRS_TRY(clrs__view_set_top(view, &both, error));
  }
  return CLRS_OK;
}

clrs_status clrs__view_stack(const clrs_view *lower, const clrs_view *upper, clrs_view *both,
                             clrs_error *error) {
  clrs__view_copy(both, lower);
  clrs__shape_copy(&both->shape, &upper->shape);
  if (clrs__view_is_empty(upper)) {
    both->depth = 0;
    return CLRS_OK;
  }
  for (uint32_t level = 0; level < upper->depth; level++) {
    clrs__walk walk;
    clrs__view_level(upper, level, &walk);
    if (both->depth == CLRS_MAX_DEPTH) {
      return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                        "the view needs a stack of more than %d walks; copy it first",
                        CLRS_MAX_DEPTH);
    }
    both->depth++;
    CLRS_TRY(clrs__view_set_top(both, &walk, error));
  }
  return clrs__view_collapse(both, error);
}

/* ---- in and out of layouts ---- */

clrs_status clrs_view_from_layout(const clrs_layout *layout, clrs_view *view, clrs_error *error) {
  CLRS_TRY(clrs__require(view, "view", error));
  clrs_bounds bounds;
  CLRS_TRY(clrs__layout_bounds(layout, &bounds, error));
  view->dtype = layout->dtype;
  view->shape.rank = layout->rank;
  clrs__dims_copy(view->shape.dims, layout->dims, layout->rank);
  view->depth = bounds.empty ? 0 : 1;
  if (bounds.empty) {
    return CLRS_OK;
  }
  clrs__walk walk;
  clrs__walk_start(&walk, layout->offset);
  for (uint32_t i = 0; i < layout->rank; i++) {
    clrs__walk_append(&walk, (clrs_axis){layout->dims[i], layout->strides[i]});
  }
  clrs__walk_normalize(&walk);
  return clrs__view_set_top(view, &walk, error);
}

void clrs__view_make_dense(clrs_dtype dtype, const clrs_shape *shape, clrs_view *view) {
  const int64_t count = clrs__shape_count(shape);
  view->dtype = dtype;
  clrs__shape_copy(&view->shape, shape);
  view->depth = count > 0 ? 1 : 0;
  view->levels[0] = (clrs_level){0, count > 1 ? 1 : 0};
  view->axes[0] = (clrs_axis){count, 1};
}

clrs_status clrs_view_dense(clrs_dtype dtype, const clrs_shape *shape, clrs_view *view,
                            clrs_error *error) {
  int64_t count;
  CLRS_TRY(clrs__require(shape, "shape", error));
  CLRS_TRY(clrs__require(view, "view", error));
  CLRS_TRY(clrs__shape_measure(shape, &count, error));
  CLRS_TRY(clrs__dtype_check(dtype, error));
  clrs__view_make_dense(dtype, shape, view);
  return CLRS_OK;
}

/* The stride of a dim that is one axis. A dim of 1 keeps the stride of a dense dim. */
static bool dim_stride(const clrs__dim_axes *dealt, uint32_t dim, int64_t *stride) {
  const clrs__axis_span span = dealt->dims[dim];
  if (span.count == 1) {
    *stride = dealt->axes[span.first].stride;
  }
  return span.count <= 1;
}

/* Cuts the walk's merged axes at the dims of the shape. */
static bool cut_at_dims(clrs__walk *walk, const clrs_shape *shape) {
  clrs__dim_axes dealt;
  if (!clrs__walk_deal(walk, shape, &dealt)) {
    return false;
  }
  clrs__walk_from_dealt(walk, &dealt);
  return true;
}

/* A merged axis may wrap in a lower walk although its dims alone do not wrap. */
bool clrs__view_find_walk(const clrs_view *view, clrs__walk *walk) {
  clrs__view_level(view, view->depth - 1, walk);
  for (uint32_t level = view->depth - 1; level > 0;) {
    level--;
    clrs__walk lower, both;
    clrs__view_level(view, level, &lower);
    if (!cut_at_dims(walk, &view->shape) || !clrs__walk_compose(&lower, walk, &both)) {
      return false;
    }
    *walk = both;
  }
  return true;
}

bool clrs__view_find_layout(const clrs_view *view, clrs_layout *layout, clrs__reason *reason) {
  layout->dtype = view->dtype;
  layout->rank = view->shape.rank;
  layout->offset = 0;
  clrs__dims_copy(layout->dims, view->shape.dims, view->shape.rank);
  clrs__dense_strides(&view->shape, layout->strides);
  if (clrs__view_is_empty(view)) {
    return true;
  }
  clrs__walk walk;
  clrs__dim_axes dealt;
  if (!clrs__view_find_walk(view, &walk)) {
    *reason = (clrs__reason){CLRS__REASON_STACKED_WALKS, {(int64_t)view->depth, 0}};
    return false;
  }
  layout->offset = walk.offset;
  if (!clrs__walk_deal(&walk, &view->shape, &dealt)) {
    *reason = (clrs__reason){CLRS__REASON_DIM_HAS_NO_STRIDE, {-1, 0}};
    return false;
  }
  for (uint32_t dim = 0; dim < layout->rank; dim++) {
    if (!dim_stride(&dealt, dim, &layout->strides[dim])) {
      *reason = (clrs__reason){CLRS__REASON_DIM_HAS_NO_STRIDE, {dim, layout->dims[dim]}};
      return false;
    }
  }
  return true;
}

bool clrs__view_has_layout(const clrs_view *view) {
  clrs_layout layout;
  clrs__reason reason;
  const bool has_one_axis = view->depth == 1 && view->levels[0].axis_count <= 1;
  return has_one_axis /* any dims cut the axis at divisors */ ||
         clrs__view_find_layout(view, &layout, &reason);
}

clrs_status clrs_view_layout(const clrs_view *view, clrs_layout *layout, clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  CLRS_TRY(clrs__require(layout, "layout", error));
  clrs_layout found;
  clrs__reason reason;
  if (!clrs__view_find_layout(view, &found, &reason)) {
    return clrs__fail(error, CLRS_WOULD_COPY, "no strided layout is this view: %s",
                      clrs__reason_sentence(&reason).text);
  }
  *layout = found;
  return CLRS_OK;
}

clrs_bounds clrs__view_bounds(const clrs_view *view) {
  level_span span;
  const bool touches = !clrs__view_is_empty(view) && find_span(view->axes, view->levels[0], &span);
  return touches ? (clrs_bounds){false, span.lowest, span.highest} : (clrs_bounds){.empty = true};
}

clrs_status clrs_view_bounds(const clrs_view *view, clrs_bounds *bounds, clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  CLRS_TRY(clrs__require(bounds, "bounds", error));
  *bounds = clrs__view_bounds(view);
  return CLRS_OK;
}

static int write_sentence(const clrs__reason *reason, char *text, size_t size) {
  const int64_t *values = reason->values;
  switch (reason->kind) {
  case CLRS__REASON_DIM_HAS_NO_STRIDE:
    if (values[0] < 0) {
      return snprintf(text, size, "the dims cut across the strides of the source");
    }
    return snprintf(text, size,
                    "the elements of dimension %" PRId64 " (extent %" PRId64
                    ") do not lie at one stride",
                    values[0], values[1]);
  case CLRS__REASON_STACKED_WALKS:
    return snprintf(text, size,
                    "the operations do not factor into common axes: the view is a stack of %" PRId64
                    " walks",
                    values[0]);
  case CLRS__REASON_DESTINATION_GIVEN:
    return snprintf(text, size, "the caller gave a destination, so the bytes must move");
  case CLRS__REASON_COPY_REQUESTED:
    return snprintf(text, size, "the copy policy is always");
  case CLRS__REASON_AXES_DO_NOT_FACTOR:
    return snprintf(text, size,
                    "source and destination have no common axes: %" PRId64 " and %" PRId64
                    " do not divide each other",
                    values[0], values[1]);
  case CLRS__REASON_TOO_MANY_PIECES:
    return snprintf(text, size,
                    "cutting the axes where they do not factor takes more than %" PRId64
                    " launches",
                    values[0]);
  case CLRS__REASON_FEW_BYTES:
    return snprintf(text, size,
                    "%" PRId64 " bytes are too few for the %" PRId64
                    " launches that the rectangles of the move would take",
                    values[0], values[1]);
  case CLRS__REASON_MAPPED:
    return snprintf(text, size, "its elements are computed when it is moved");
  case CLRS__REASON_INDEXED:
    return snprintf(text, size, "the indices are known on the device only");
  }
  return snprintf(text, size, "unknown reason %d", (int)reason->kind);
}

clrs__sentence clrs__reason_sentence(const clrs__reason *reason) {
  clrs__sentence sentence = {""};
  (void)write_sentence(reason, sentence.text, sizeof sentence.text);
  return sentence;
}
