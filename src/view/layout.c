/* SPDX-License-Identifier: Apache-2.0 */
#include "layout.h"

#include <inttypes.h>
#include <string.h>

#include "checked.h"
#include "dtype.h"

static clrs_shape shape_of(const clrs_layout *layout) {
  clrs_shape shape = {.rank = layout->rank};
  if (layout->rank <= CLRS_MAX_RANK) {
    memcpy(shape.dims, layout->dims, layout->rank * sizeof layout->dims[0]);
  }
  return shape;
}

void clrs__dense_strides(const clrs_shape *shape, int64_t *strides) {
  int64_t stride = 1;
  for (uint32_t i = shape->rank; i > 0;) {
    i--;
    strides[i] = stride;
    /* Exact, because the shape was checked without dims of 0. */
    stride = clrs__exact_multiply(stride, shape->dims[i] > 0 ? shape->dims[i] : 1);
  }
}

/* Moves one end of the bounds by the reach of a dim. */
static bool extend_bounds(int64_t dim, int64_t stride, clrs_bounds *bounds) {
  int64_t *end = stride < 0 ? &bounds->lowest : &bounds->highest;
  return clrs__multiply_add(*end, dim - 1, stride, end);
}

clrs_status clrs__layout_bounds(const clrs_layout *layout, clrs_bounds *bounds, clrs_error *error) {
  CLRS_TRY(clrs__require(layout, "layout", error));
  CLRS_TRY(clrs__require(bounds, "bounds", error));
  CLRS_TRY(clrs__dtype_check(layout->dtype, error));
  const clrs_shape shape = shape_of(layout);
  CLRS_TRY(clrs__shape_check(&shape, error));
  if (clrs__shape_count(&shape) == 0) {
    *bounds = (clrs_bounds){.empty = true};
    return CLRS_OK;
  }
  clrs_bounds reached = {.lowest = layout->offset, .highest = layout->offset};
  for (uint32_t i = 0; i < layout->rank; i++) {
    if (!extend_bounds(layout->dims[i], layout->strides[i], &reached)) {
      return clrs__fail(error, CLRS_OVERFLOW,
                        "dimension %u (extent %" PRId64 ", stride %" PRId64
                        ") reaches a position that does not fit in 64 bits",
                        i, layout->dims[i], layout->strides[i]);
    }
  }
  *bounds = reached;
  return CLRS_OK;
}

bool clrs_layout_is_dense(const clrs_layout *layout) {
  bool is_dense = layout != NULL && layout->rank <= CLRS_MAX_RANK, is_empty = false;
  int64_t dense = 1;
  for (uint32_t dim = is_dense ? layout->rank : 0; dim > 0; dim--) {
    const int64_t extent = layout->dims[dim - 1];
    is_empty = is_empty || extent == 0;
    is_dense = is_dense && (extent == 1 || layout->strides[dim - 1] == dense) &&
               clrs__multiply(dense, extent, &dense);
  }
  return is_dense || is_empty;
}

clrs_status clrs_layout_init(clrs_dtype dtype, const clrs_shape *shape, const int64_t *strides,
                             int64_t offset, clrs_layout *layout, clrs_error *error) {
  CLRS_TRY(clrs__require(shape, "shape", error));
  CLRS_TRY(clrs__require(layout, "layout", error));
  CLRS_TRY(clrs__shape_check(shape, error));
  clrs_layout result = {.dtype = dtype, .rank = shape->rank, .offset = offset};
  memcpy(result.dims, shape->dims, shape->rank * sizeof shape->dims[0]);
  if (strides != NULL) {
    memcpy(result.strides, strides, shape->rank * sizeof strides[0]);
  } else {
    clrs__dense_strides(shape, result.strides);
  }
  clrs_bounds bounds;
  CLRS_TRY(clrs__layout_bounds(&result, &bounds, error));
  *layout = result;
  return CLRS_OK;
}
