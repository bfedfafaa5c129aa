/*
 * Operations that show elements more than once, or along a diagonal: tile, repeat, windows. The
 * operations add axes of stride 0, or axes that share an element's neighbours, to dims.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "repeats.h"

#include <inttypes.h>
#include <string.h>

#include "checked.h"
#include "ops.h"

static void become_empty(clrs_view *view, const clrs_shape *shape) {
  view->depth = 0;
  view->shape = *shape;
}

/* Skips axes of extent 1, which would take room from other axes. */
static void append_axis(clrs__walk *walk, clrs_axis axis) {
  if (axis.extent > 1) {
    clrs__walk_append(walk, axis);
  }
}

/* ---- tile and repeat ---- */

/* Multiplies each dim by its count. */
static clrs_status multiply_dims(const clrs_view *view, const int64_t *counts, clrs_shape *shape,
                                 clrs_error *error) {
  *shape = view->shape;
  for (uint32_t dim = 0; dim < shape->rank; dim++) {
    if (counts[dim] < 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "dimension %u is to be repeated %" PRId64 " times; it must be at least 0",
                        dim, counts[dim]);
    }
    if (!clrs__multiply(shape->dims[dim], counts[dim], &shape->dims[dim])) {
      return clrs__fail(error, CLRS_OVERFLOW, "dimension %u times %" PRId64 " overflows", dim,
                        counts[dim]);
    }
  }
  return clrs__shape_check(shape, error);
}

static clrs_status multiply_axes(clrs_view *view, const int64_t *counts, bool outside,
                                 clrs_error *error) {
  clrs_shape shape;
  CLRS_TRY(multiply_dims(view, counts, &shape, error));
  if (clrs__shape_count(&shape) == 0) {
    become_empty(view, &shape);
    return CLRS_OK;
  }
  clrs_view next;
  clrs__view_copy(&next, view);
  clrs__dim_axes dealt;
  CLRS_TRY(clrs__view_deal(&next, &dealt, error));
  clrs__walk walk;
  clrs__walk_start(&walk, dealt.offset);
  for (uint32_t dim = 0; dim < shape.rank; dim++) {
    append_axis(&walk, (clrs_axis){outside ? counts[dim] : 1, 0});
    clrs__walk_append_dim(&walk, &dealt, dim);
    append_axis(&walk, (clrs_axis){outside ? 1 : counts[dim], 0});
  }
  return clrs__view_finish(view, &next, &walk, &shape, error);
}

clrs_status clrs__view_tile(clrs_view *view, size_t count, const int64_t *repeats,
                            clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  if (count != view->shape.rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "tile has %zu repeats; the rank is %u", count,
                      view->shape.rank);
  }
  if (count > 0) {
    CLRS_TRY(clrs__require(repeats, "repeats", error));
  }
  return multiply_axes(view, repeats, true, error);
}

clrs_status clrs__view_repeat(clrs_view *view, int64_t axis, int64_t repeats, clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  uint32_t at;
  CLRS_TRY(clrs__axis_normalize(axis, view->shape.rank, "repeat axis", &at, error));
  int64_t counts[CLRS_MAX_RANK];
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    counts[dim] = dim == at ? repeats : 1;
  }
  return multiply_axes(view, counts, false, error);
}

/* ---- windows and diagonals, for dims of one axis ---- */

/* Distributes the axes so that `dim` has at most one axis, and pushes a dense walk if `dim` has
 * more. */
static clrs_status deal_as_one(clrs_view *next, uint32_t dim, clrs__dim_axes *dealt,
                               clrs_error *error) {
  CLRS_TRY(clrs__view_deal(next, dealt, error));
  if (dealt->dims[dim].count > 1) {
    CLRS_TRY(clrs__view_push(next, error));
    CLRS_TRY(clrs__view_deal(next, dealt, error));
  }
  return CLRS_OK;
}

static int64_t only_stride(const clrs__dim_axes *dealt, uint32_t dim) {
  return dealt->dims[dim].count == 0 ? 0 : dealt->axes[dealt->dims[dim].first].stride;
}

static clrs_status check_window(const clrs_view *view, uint32_t dim, const clrs__window *window,
                                clrs_error *error) {
  const int64_t extent = view->shape.dims[dim];
  if (window->size < 1 || window->step < 1 || window->size > extent) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a window of %" PRId64 " every %" PRId64
                      " over dimension %u of extent %" PRId64
                      ": size and step must be at least 1 and the size at most the extent",
                      window->size, window->step, dim, extent);
  }
  if (view->shape.rank == CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "a window adds a dim to rank %u; the limit is %d dims", view->shape.rank,
                      CLRS_MAX_RANK);
  }
  return CLRS_OK;
}

clrs_status clrs__view_window(clrs_view *view, const clrs__window *window, clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  CLRS_TRY(clrs__require(window, "window", error));
  uint32_t at;
  CLRS_TRY(clrs__axis_normalize(window->axis, view->shape.rank, "window axis", &at, error));
  CLRS_TRY(check_window(view, at, window, error));
  clrs_shape shape = view->shape;
  shape.dims[at] = (shape.dims[at] - window->size) / window->step + 1;
  shape.dims[shape.rank++] = window->size;
  CLRS_TRY(clrs__shape_check(&shape, error));
  if (clrs__view_is_empty(view)) {
    become_empty(view, &shape);
    return CLRS_OK;
  }
  clrs_view next;
  clrs__view_copy(&next, view);
  clrs__dim_axes dealt;
  CLRS_TRY(deal_as_one(&next, at, &dealt, error));
  const int64_t stride = only_stride(&dealt, at);
  clrs__walk walk;
  clrs__walk_start(&walk, dealt.offset);
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    if (dim != at) {
      clrs__walk_append_dim(&walk, &dealt, dim);
    } else if (shape.dims[at] > 1) {
      clrs_axis starts = {shape.dims[at], 0};
      if (!clrs__multiply(stride, window->step, &starts.stride)) {
        return clrs__fail(error, CLRS_OVERFLOW, "the stride between windows overflows");
      }
      clrs__walk_append(&walk, starts);
    }
  }
  append_axis(&walk, (clrs_axis){window->size, stride});
  return clrs__view_finish(view, &next, &walk, &shape, error);
}

/* All dims except the two, followed by the dim of the diagonal. */
static clrs_shape diagonal_shape(const clrs_view *view, uint32_t first, uint32_t second,
                                 int64_t length) {
  clrs_shape shape = {0};
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    if (dim != first && dim != second) {
      shape.dims[shape.rank++] = view->shape.dims[dim];
    }
  }
  shape.dims[shape.rank++] = length;
  return shape;
}

/* Returns the number of elements on the diagonal, and sets its beginning in either dim. Example: 3
 * rows, 5 columns and offset 1 begin at row 0, column 1, and have 3 elements. */
static int64_t diagonal_length(int64_t rows, int64_t columns, int64_t offset, int64_t *row,
                               int64_t *column) {
  *row = offset < 0 ? (offset < -rows ? rows : -offset) : 0;
  *column = offset > 0 ? (offset > columns ? columns : offset) : 0;
  const int64_t down = rows - *row, right = columns - *column;
  return down < right ? down : right;
}

clrs_status clrs__view_diagonal(clrs_view *view, int64_t offset, int64_t first_axis,
                                int64_t second_axis, clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  uint32_t first, second;
  CLRS_TRY(clrs__axis_normalize(first_axis, view->shape.rank, "diagonal axis", &first, error));
  CLRS_TRY(clrs__axis_normalize(second_axis, view->shape.rank, "diagonal axis", &second, error));
  if (first == second) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "both axes of the diagonal are %" PRId64 "; they must differ", first_axis);
  }
  int64_t row, column;
  const int64_t length =
      diagonal_length(view->shape.dims[first], view->shape.dims[second], offset, &row, &column);
  const clrs_shape shape = diagonal_shape(view, first, second, length);
  if (clrs__shape_count(&shape) == 0) {
    become_empty(view, &shape);
    return CLRS_OK;
  }
  clrs_view next;
  clrs__view_copy(&next, view);
  clrs__dim_axes dealt;
  CLRS_TRY(deal_as_one(&next, first, &dealt, error));
  CLRS_TRY(deal_as_one(&next, second, &dealt, error));
  clrs__walk walk;
  clrs__walk_start(&walk, dealt.offset);
  clrs_axis diagonal = {length, 0};
  if (!clrs__multiply_add(walk.offset, row, only_stride(&dealt, first), &walk.offset) ||
      !clrs__multiply_add(walk.offset, column, only_stride(&dealt, second), &walk.offset) ||
      (length > 1 &&
       !clrs__add(only_stride(&dealt, first), only_stride(&dealt, second), &diagonal.stride))) {
    return clrs__fail(error, CLRS_OVERFLOW, "a position of the diagonal does not fit in 64 bits");
  }
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    if (dim != first && dim != second) {
      clrs__walk_append_dim(&walk, &dealt, dim);
    }
  }
  append_axis(&walk, diagonal);
  return clrs__view_finish(view, &next, &walk, &shape, error);
}

/* ---- axes by name ---- */

clrs_status clrs__view_move_axis(clrs_view *view, int64_t from, int64_t to, clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  uint32_t source, target;
  CLRS_TRY(clrs__axis_normalize(from, view->shape.rank, "axis", &source, error));
  CLRS_TRY(clrs__axis_normalize(to, view->shape.rank, "axis", &target, error));
  int64_t order[CLRS_MAX_RANK];
  uint32_t next = 0;
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    next += next == source;
    order[dim] = dim == target ? source : next++;
  }
  return clrs_view_permute(view, view->shape.rank, order, error);
}

clrs_status clrs__view_swap_axes(clrs_view *view, int64_t first, int64_t second,
                                 clrs_error *error) {
  CLRS_TRY(clrs__view_check(view, error));
  uint32_t a, b;
  CLRS_TRY(clrs__axis_normalize(first, view->shape.rank, "axis", &a, error));
  CLRS_TRY(clrs__axis_normalize(second, view->shape.rank, "axis", &b, error));
  int64_t order[CLRS_MAX_RANK];
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    order[dim] = dim == a ? b : dim == b ? a : dim;
  }
  return clrs_view_permute(view, view->shape.rank, order, error);
}
