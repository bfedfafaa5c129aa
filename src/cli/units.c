/* SPDX-License-Identifier: Apache-2.0 */
#include "units.h"

#include "checked.h"
#include "fail.h"

/* A view under construction. */
typedef struct axis_list {
  clrs_view *view;
  uint32_t count; /* number of axes of all levels so far */
} axis_list;

static clrs_status append(axis_list *to, int64_t extent, int64_t stride, clrs_error *error) {
  clrs_level *level = &to->view->levels[to->view->depth];
  if (to->count == CLRS_VIEW_AXES || level->axis_count == CLRS_MAX_AXES) {
    return clrs__fail(
        error, CLRS_LIMIT_EXCEEDED,
        "the elements, as units of %u bits, need more than %d axes, or %d in one walk",
        clrs_dtype_bits(to->view->dtype), CLRS_VIEW_AXES, CLRS_MAX_AXES);
  }
  to->view->axes[to->count++] = (clrs_axis){extent, stride};
  level->axis_count++;
  return CLRS_OK;
}

static clrs_status scale(int64_t value, int64_t units, int64_t *scaled, clrs_error *error) {
  return clrs__multiply(value, units, scaled)
             ? CLRS_OK
             : clrs__fail(error, CLRS_OVERFLOW,
                          "position %lld does not fit in 64 bits when it counts %lld units for "
                          "each element",
                          (long long)value, (long long)units);
}

/* Adds one level. Axes that could not be joined before cannot be joined now. Only the last axis
 * joins the units, if the axis has stride 1. Example: elements of 3 units on axes of 4 with stride
 * 10 and 5 with stride 1 give axes of 4 with stride 30 and 15 with stride 1. */
static clrs_status add_level(const clrs_axis *axes, clrs_level level, int64_t units, axis_list *to,
                             clrs_error *error) {
  const uint32_t count = level.axis_count;
  const bool joins = count > 0 && axes[count - 1].stride == 1;
  clrs_level *made = &to->view->levels[to->view->depth];
  made->axis_count = 0;
  CLRS_TRY(scale(level.offset, units, &made->offset, error));
  for (uint32_t i = 0; i < count - joins; i++) {
    int64_t stride = 0;
    CLRS_TRY(scale(axes[i].stride, units, &stride, error));
    CLRS_TRY(append(to, axes[i].extent, stride, error));
  }
  int64_t extent = units;
  if (joins) {
    CLRS_TRY(scale(axes[count - 1].extent, units, &extent, error));
  }
  CLRS_TRY(append(to, extent, 1, error));
  to->view->depth++;
  return CLRS_OK;
}

static clrs_status append_dim(const clrs_shape *shape, int64_t dim, clrs_shape *longer,
                              clrs_error *error) {
  int64_t dims[CLRS_MAX_RANK + 1];
  for (uint32_t i = 0; i < shape->rank; i++) {
    dims[i] = shape->dims[i];
  }
  dims[shape->rank] = dim;
  return clrs_shape_init((size_t)shape->rank + 1, dims, longer, error);
}

clrs_status cli_view_in_units(const clrs_view *elements, uint32_t units, clrs_view *view,
                              clrs_error *error) {
  axis_list made = {view, 0};
  uint32_t first = 0;
  view->dtype = elements->dtype;
  view->depth = 0;
  CLRS_TRY(append_dim(&elements->shape, units, &view->shape, error));
  for (uint32_t i = 0; i < elements->depth; i++) {
    CLRS_TRY(add_level(elements->axes + first, elements->levels[i], units, &made, error));
    first += elements->levels[i].axis_count;
  }
  return CLRS_OK;
}
