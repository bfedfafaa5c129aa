/*
 * Parameters as views of the source's shape, made by the ordinary operations on views.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "spread.h"

#include <inttypes.h>

#include "check.h"
#include "checked.h"
#include "repeats.h"
#include "view.h"

/* Reshapes a list to the source's rank, with the list's extent at `axis`. */
static clrs_status stand_along(clrs_view *view, uint32_t axis, const clrs_shape *shape,
                               clrs_error *error) {
  if (view->shape.rank != 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a parameter of rank %u along an axis; it must be a list, of rank 1",
                      view->shape.rank);
  }
  clrs_shape along = {.rank = shape->rank};
  for (uint32_t dim = 0; dim < shape->rank; dim++) {
    along.dims[dim] = dim == axis ? view->shape.dims[0] : 1;
  }
  return clrs_view_reshape(view, &along, error);
}

/* Repeats each number along `axis` for `block` neighbours. The last block may be shorter. Example:
 * 3 numbers in blocks of 4 cover 10 elements as 4, 4 and 2. */
static clrs_status repeat_blocks(clrs_view *view, uint32_t axis, int64_t block,
                                 const clrs_shape *shape, clrs_error *error) {
  const int64_t extent = shape->dims[axis];
  const int64_t numbers = view->shape.dims[axis];
  if (numbers != clrs__divide_up(extent, block)) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH,
                      "axis %u has %" PRId64 " elements in blocks of %" PRId64 ", for %" PRId64
                      " numbers; the parameter has %" PRId64,
                      axis, extent, block, clrs__divide_up(extent, block), numbers);
  }
  if (extent == 0) {
    return CLRS_OK;
  }
  CLRS_TRY(clrs__view_repeat(view, axis, block < extent ? block : extent, error));
  return clrs_view_slice(view, 1, &(clrs_slice){axis, 0, extent, 1}, error);
}

/* Brings the view to the source's rank, and to the source's extent along the axis. */
static clrs_status place(const clrs_spread *spread, const clrs_shape *shape, clrs_view *view,
                         clrs_error *error) {
  uint32_t axis;
  CLRS_TRY(clrs__axis_normalize(spread->axis, shape->rank, "axis", &axis, error));
  if (spread->kind == CLRS_SPREAD_AXIS) {
    CLRS_TRY(stand_along(view, axis, shape, error));
  } else if (view->shape.rank != shape->rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a parameter in blocks has rank %u; the source's is %u, and they must be "
                      "equal",
                      view->shape.rank, shape->rank);
  }
  return spread->block > 1 ? repeat_blocks(view, axis, spread->block, shape, error) : CLRS_OK;
}

/* Broadcasts in one direction. The source is not broadcast to its parameters. */
static clrs_status broadcast(clrs_view *view, const clrs_shape *shape, clrs_error *error) {
  const clrs_shape own = view->shape;
  if (own.rank > shape->rank) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH,
                      "a parameter of rank %u; that of the source, %u, is the most", own.rank,
                      shape->rank);
  }
  for (uint32_t back = 1; back <= own.rank; back++) {
    const uint32_t dim = shape->rank - back;
    const int64_t extent = own.dims[own.rank - back];
    if (extent != 1 && extent != shape->dims[dim]) {
      return clrs__fail(error, CLRS_COUNT_MISMATCH,
                        "dimension %u of the source is %" PRId64 ", and the parameter has %" PRId64
                        " numbers there; it must have as many, or 1",
                        dim, shape->dims[dim], extent);
    }
  }
  return clrs_view_expand(view, shape, error);
}

clrs_status clrs__spread_view(const clrs_spread *spread, const clrs_shape *shape, clrs_view *view,
                              clrs_error *error) {
  int64_t count;
  CLRS_TRY(clrs__require(spread, "spread", error));
  CLRS_TRY(clrs__spread_check(spread, error));
  CLRS_TRY(clrs__require(shape, "shape", error));
  CLRS_TRY(clrs__shape_check(shape, error));
  CLRS_TRY(clrs__view_measure(view, &count, error));
  clrs_view next;
  clrs__view_copy(&next, view);
  if (count == 1) {
    next.shape.rank = 0;
  } else if (spread->kind != CLRS_SPREAD_BROADCAST) {
    CLRS_TRY(place(spread, shape, &next, error));
  }
  CLRS_TRY(broadcast(&next, shape, error));
  clrs__view_copy(view, &next);
  return CLRS_OK;
}
