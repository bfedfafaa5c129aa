/* SPDX-License-Identifier: Apache-2.0 */
#include "slices.h"

#include <inttypes.h>

#include "checked.h"
#include "integers.h"
#include "ops.h"
#include "repeats.h"

/* The end of an item with step 0 that is not a slice. */
enum { INDEX, ELLIPSIS };

/* ---- parsing ---- */

/* Parses one bound or step of a slice. Sets `missing` if the text is empty. As in Python, a number
 * outside 64 bits becomes the nearest number inside. */
static clrs_status parse_bound(clrs__span text, int64_t missing, int64_t *bound,
                               clrs_error *error) {
  *bound = missing;
  if (text.length == 0) {
    return CLRS_OK;
  }
  const clrs_status status = clrs__integer_parse(text.text, text.length, bound, error);
  if (status == CLRS_OVERFLOW) {
    *bound = text.text[0] == '-' ? INT64_MIN : INT64_MAX;
    return CLRS_OK;
  }
  return status;
}

/* Parses start:end:step as in Python. A missing bound becomes a number that clrs_view_slice clamps
 * to an end of the axis. The sign of the step says which end. */
static clrs_status parse_slice(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  clrs__span parts[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}}, rest = text;
  int64_t bounds[CLRS__SLICE_VALUES]; /* start, end, step */
  for (size_t i = 0; i < 3 && rest.text != NULL; i++) {
    parts[i] = clrs__span_cut(&rest, ':');
  }
  if (rest.text != NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' has more than start:end:step",
                      clrs__span_show(text).text);
  }
  CLRS_TRY(parse_bound(parts[2], 1, &bounds[2], error));
  CLRS_TRY(parse_bound(parts[0], bounds[2] < 0 ? INT64_MAX : 0, &bounds[0], error));
  CLRS_TRY(parse_bound(parts[1], bounds[2] < 0 ? INT64_MIN : INT64_MAX, &bounds[1], error));
  if (bounds[2] == 0) {
    bounds[1] = INT64_MAX;
  }
  return clrs__numbers_append(numbers, CLRS__SLICE_VALUES, bounds, error);
}

static clrs_status parse_index(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  int64_t values[CLRS__SLICE_VALUES] = {0, INDEX, 0};
  const clrs_status status = clrs__integer_parse(text.text, text.length, &values[0], error);
  if (status == CLRS_INVALID_ARGUMENT) {
    return clrs__fail(error, status, "'%s' is not a slice start:end:step, an index or '...'",
                      clrs__span_show(text).text);
  }
  return status == CLRS_OK ? clrs__numbers_append(numbers, CLRS__SLICE_VALUES, values, error)
                           : status;
}

static clrs_status parse_ellipsis(clrs__numbers *numbers, bool *is_seen, clrs_error *error) {
  static const int64_t values[CLRS__SLICE_VALUES] = {0, ELLIPSIS, 0};
  if (*is_seen) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'...' stands twice");
  }
  *is_seen = true;
  return clrs__numbers_append(numbers, CLRS__SLICE_VALUES, values, error);
}

clrs_status clrs__slices_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  bool has_ellipsis = false;
  for (uint32_t count = 0; text.text != NULL; count++) {
    clrs__span item = clrs__span_cut(&text, ','), rest = item;
    clrs_status status;
    if (count - has_ellipsis == CLRS_MAX_RANK) {
      return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "more than %d slices", CLRS_MAX_RANK);
    }
    (void)clrs__span_cut(&rest, ':');
    if (clrs__span_is(item, "...")) {
      status = parse_ellipsis(numbers, &has_ellipsis, error);
    } else {
      status = (rest.text != NULL ? parse_slice : parse_index)(item, numbers, error);
    }
    CLRS_TRY(status);
  }
  return CLRS_OK;
}

/* ---- applying ---- */

/* The items of an operation with the axis of each item. */
typedef struct items {
  uint32_t slice_count, index_count;
  clrs_slice slices[CLRS_MAX_RANK]; /* including the slices of indices */
  int64_t indexed[CLRS_MAX_RANK];   /* axes to be removed */
} items;

static bool is_item(const int64_t *values, int64_t kind) {
  return values[2] == 0 && values[1] == kind;
}

/* Adds an index as the slice of its element. */
static clrs_status add_index(const int64_t *values, int64_t axis, const clrs_shape *shape,
                             items *found, clrs_error *error) {
  const int64_t index = values[0], extent = axis < shape->rank ? shape->dims[axis] : 0;
  if (axis < shape->rank && (index < -extent || index >= extent)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "index %" PRId64 " of axis %" PRId64 ", which has %" PRId64 " elements",
                      index, axis, extent);
  }
  const int64_t start = index < 0 ? index + extent : index;
  found->slices[found->slice_count++] = (clrs_slice){axis, start, start + (extent > 0), 1};
  found->indexed[found->index_count++] = axis;
  return CLRS_OK;
}

/* Converts a slice by Python's rule to a slice by ONNX's rule. The rules differ in one case: a
 * backward slice that starts in front of the axis has no elements in Python, and begins at the
 * first element in ONNX. Example: -9::-1 of 7 elements starts at -9 + 7 = -2, so the slice is
 * empty. */
static clrs_slice onnx_slice(const int64_t *values, int64_t axis, const clrs_shape *shape) {
  const int64_t extent = axis < shape->rank ? shape->dims[axis] : 0;
  if (values[2] < 0 && values[0] < -extent) {
    return (clrs_slice){axis, 0, 0, 1};
  }
  return (clrs_slice){axis, values[0], values[1], values[2]};
}

static clrs_status find_items(const clrs__op *op, const clrs_shape *shape, items *found,
                              clrs_error *error) {
  const uint32_t count = op->count / CLRS__SLICE_VALUES;
  uint32_t axis = 0;
  for (uint32_t i = 0; i < count; i++) {
    const int64_t *values = op->values + (size_t)CLRS__SLICE_VALUES * i;
    if (is_item(values, ELLIPSIS)) {
      /* An ellipsis covers all dims except the dims of the other items. If there are more items
       * than dims, clrs_view_slice reports the error. */
      const uint32_t named = count - 1;
      axis += shape->rank > named ? shape->rank - named : 0;
      continue;
    }
    if (is_item(values, INDEX)) {
      CLRS_TRY(add_index(values, axis++, shape, found, error));
    } else {
      found->slices[found->slice_count++] = onnx_slice(values, axis++, shape);
    }
  }
  return CLRS_OK;
}

clrs_status clrs__slices_apply(const clrs__op *op, clrs_view *view, clrs_error *error) {
  items found = {.slice_count = 0};
  CLRS_TRY(find_items(op, &view->shape, &found, error));
  CLRS_TRY(clrs_view_slice(view, found.slice_count, found.slices, error));
  return found.index_count > 0 ? clrs__view_squeeze(view, found.index_count, found.indexed, error)
                               : CLRS_OK;
}

/* A roll is a slice of the tensor laid twice along the axis. Example: a roll by 1 of 0 1 2 3 is the
 * slice 3:7 of 0 1 2 3 0 1 2 3, which is 3 0 1 2. */
clrs_status clrs__roll_apply(const clrs__op *op, clrs_view *view, clrs_error *error) {
  int64_t repeats[CLRS_MAX_RANK];
  uint32_t axis;
  CLRS_TRY(clrs__axis_normalize(op->values[0], view->shape.rank, "axis", &axis, error));
  const int64_t extent = view->shape.dims[axis];
  const int64_t rest = extent > 0 ? op->values[1] % extent : 0;
  if (rest == 0) {
    return CLRS_OK;
  }
  for (uint32_t i = 0; i < view->shape.rank; i++) {
    repeats[i] = 1 + (i == axis);
  }
  const int64_t begin = rest > 0 ? extent - rest : -rest;
  CLRS_TRY(clrs__view_tile(view, view->shape.rank, repeats, error));
  return clrs_view_slice(view, 1, &(clrs_slice){axis, begin, begin + extent, 1}, error);
}
