/*
 * The negative matrix: layouts, and functions that change the shape of a view or the order of dims.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core.h"

/* ---- layouts ---- */

FUNCTION(clrs_layout_init, SET_LIST(strides, 6, 1), a->dtype, a->shape, a->strides, a->offset,
         a->layout_out) {
  DTYPE_ROWS(dtype);
  SHAPE_ROWS(shape);
  TAKES(strides, NULL);
  TAKES(strides, LIST(0, 0));
  TAKES(strides, LIST(-6, -1)); /* the begin of a buffer is not known */
  ROW(strides, LIST(INT64_MAX, 1), CLRS_OVERFLOW, "dimension 0 (extent 4, stride 9223372036854");
  ROW(strides, LIST(6, INT64_MIN), CLRS_OVERFLOW, "dimension 1 (extent 6, stride -9223372036854");
  ROW(offset, INT64_MAX, CLRS_OVERFLOW, "does not fit in 64 bits");
  ROW_IF(SET_LIST(strides, -6, -1), offset, INT64_MIN, CLRS_OVERFLOW, "does not fit in 64 bits");
  TAKES(offset, INT64_MIN);
  ROW(layout_out, NULL, CLRS_INVALID_ARGUMENT, "layout is NULL");
}

FUNCTION(clrs__layout_bounds, (void)0, a->layout, a->bounds_out) {
  LAYOUT_ROWS(layout);
  ROW(bounds_out, NULL, CLRS_INVALID_ARGUMENT, "bounds is NULL");
}

ANSWER(clrs_layout_is_dense, "%d", clrs_layout_is_dense(a->layout)) {
  ANSWERS(layout, NULL, "0");
  ANSWERS(layout->dtype, -1, "1"); /* the dtype does not matter */
  ANSWERS(layout->rank, 33, "0");
  ANSWERS(layout->rank, UINT32_MAX, "0");
  ANSWERS(layout->dims[0], 0, "1");
  ANSWERS(layout->dims[1], INT64_MAX, "0");
  ANSWERS(layout->strides[0], 7, "0");
  ANSWERS(layout->strides[1], -1, "0");
  ANSWERS(layout->offset, INT64_MAX, "1");
}

/* ---- views from layouts, and back ---- */

FUNCTION(clrs_view_dense, (void)0, a->dtype, a->shape, a->view_out) {
  DTYPE_ROWS(dtype);
  SHAPE_ROWS(shape);
  ROW(view_out, NULL, CLRS_INVALID_ARGUMENT, "view is NULL");
}

FUNCTION(clrs_view_from_layout, (void)0, a->layout, a->view_out) {
  LAYOUT_ROWS(layout);
  ROW(view_out, NULL, CLRS_INVALID_ARGUMENT, "view is NULL");
}

/* Makes a layout impossible: no layout has these strides. */
static clrs_view *reshape_the_transposed(arguments *a) {
  if (clrs_view_reshape(&a->other_view, &(clrs_shape){2, {3, 8}}, NULL) != CLRS_OK)
    return NULL;
  return &a->other_view;
}

FUNCTION(clrs_view_layout, (void)0, a->view, a->layout_out) {
  VIEW_ROWS(view);
  ROW(view, reshape_the_transposed(m->a), CLRS_WOULD_COPY, "no strided layout is this view");
  ROW(layout_out, NULL, CLRS_INVALID_ARGUMENT, "layout is NULL");
}

FUNCTION(clrs_view_bounds, (void)0, a->view, a->bounds_out) {
  VIEW_ROWS(view);
  ROW(bounds_out, NULL, CLRS_INVALID_ARGUMENT, "bounds is NULL");
}

/* ---- the shape alone ---- */

FUNCTION(clrs_view_reshape, (a->other_shape = (clrs_shape){2, {3, 8}}, a->shape = &a->other_shape),
         a->view, a->shape) {
  VIEW_ROWS(view);
  SHAPE_ROWS(shape);
  ROW(shape->rank, 0, CLRS_COUNT_MISMATCH, "[4,6] has 24 elements and [] has 1");
  ROW(shape->dims[0], 4, CLRS_COUNT_MISMATCH, "[4,6] has 24 elements and [4,8] has 32");
  ROW(shape->dims[0], 0, CLRS_COUNT_MISMATCH, "[4,6] has 24 elements and [0,8] has 0");
  /* 8 times as many is 2^64 + 24 */
  ROW_IF(a->shape->dims[0] = 8, shape->dims[1], INT64_C(2305843009213693955), CLRS_OVERFLOW,
         "more than 64 bits");
}

/* A list of axes for a view of rank 2, with one right axis. */
#define AXES_ROWS                                                                                  \
  VIEW_ROWS(view)                                                                                  \
  ROW(count, 3, CLRS_INVALID_ARGUMENT, "3 axes")                                                   \
  ROW(count, SIZE_MAX, CLRS_INVALID_ARGUMENT, MOST " axes")                                        \
  ROW(axes, NULL, CLRS_INVALID_ARGUMENT, "axes is NULL")                                           \
  ROW(axes, LIST(2, 1), CLRS_INVALID_ARGUMENT, "axis 2 is out of range for rank 2; it must be")    \
  ROW(axes, LIST(-3, 1), CLRS_INVALID_ARGUMENT, "axis -3 is out of range")                         \
  ROW(axes, LIST(INT64_MAX, 1), CLRS_INVALID_ARGUMENT, "axis 9223372036854775807 is out of")       \
  ROW(axes, LIST(INT64_MIN, 1), CLRS_INVALID_ARGUMENT, "axis -9223372036854775808 is out of")      \
  ROW_IF(a->count = 2, axes, LIST(1, -1), CLRS_INVALID_ARGUMENT, "axis -1 is named twice")

FUNCTION(clrs_view_permute, (a->count = 2, SET_LIST(axes, 1, 0)), a->view, a->count, a->axes) {
  AXES_ROWS
  ROW(count, 0, CLRS_INVALID_ARGUMENT, "0 axes; the rank is 2");
  ROW(count, 1, CLRS_INVALID_ARGUMENT, "1 axes; the rank is 2");
}

FUNCTION(clrs_view_flip, (a->count = 2, SET_LIST(axes, 1, 0)), a->view, a->count, a->axes) {
  AXES_ROWS
  ROW_IF(a->count = 0, axes, NULL, CLRS_OK, "");
}

/* [4, 1], of which axis 1 may go. */
static void set_one(arguments *a) {
  a->one_view = core_view(2, LIST(4, 1));
  a->count = 1;
  SET_LIST(axes, 1, 0);
}

FUNCTION(clrs__view_squeeze, set_one(a), a->view, a->count, a->axes) {
  AXES_ROWS
  ROW(axes, LIST(0), CLRS_INVALID_ARGUMENT, "dimension 0 has extent 4; squeeze removes only");
  ROW_IF(a->count = 0, axes, NULL, CLRS_OK, "");
}

/* The rank of the result counts. */
FUNCTION(clrs__view_unsqueeze, set_one(a), a->view, a->count, a->axes) {
  VIEW_ROWS(view);
  ROW(count, 31, CLRS_LIMIT_EXCEEDED, "unsqueeze adds 31 dims to rank 2; the limit is 32 dims");
  ROW(count, SIZE_MAX, CLRS_LIMIT_EXCEEDED, MOST " dims");
  ROW(count, BEYOND_32, CLRS_LIMIT_EXCEEDED, BEYOND " dims");
  ROW(axes, NULL, CLRS_INVALID_ARGUMENT, "axes is NULL");
  ROW(axes, LIST(3), CLRS_INVALID_ARGUMENT, "axis 3 is out of range for rank 3; it must be in");
  ROW(axes, LIST(-4), CLRS_INVALID_ARGUMENT, "axis -4 is out of range");
  ROW(axes, LIST(INT64_MAX), CLRS_INVALID_ARGUMENT, "axis 9223372036854775807 is out of range");
  ROW(axes, LIST(INT64_MIN), CLRS_INVALID_ARGUMENT, "axis -9223372036854775808 is out of range");
  ROW_IF(a->count = 2, axes, LIST(1, -3), CLRS_INVALID_ARGUMENT, "axis -3 is named twice");
  ROW_IF(a->count = 0, axes, NULL, CLRS_OK, "");
}

FUNCTION(clrs__view_flatten, a->axis = 1, a->view, a->axis) {
  VIEW_ROWS(view);
  ROW(axis, 3, CLRS_INVALID_ARGUMENT, "flatten's axis is 3; for rank 2 it must be in [-2, 2]");
  ROW(axis, -3, CLRS_INVALID_ARGUMENT, "flatten's axis is -3");
  ROW(axis, INT64_MAX, CLRS_INVALID_ARGUMENT, "flatten's axis is 9223372036854775807");
  ROW(axis, INT64_MIN, CLRS_INVALID_ARGUMENT, "flatten's axis is -9223372036854775808");
  TAKES(axis, 2);
  TAKES(axis, -2);
}

FUNCTION(clrs__view_move_axis, (a->from = 0, a->to = 1), a->view, a->from, a->to) {
  VIEW_ROWS(view);
  AXIS_ROWS(from);
  AXIS_ROWS(to);
}

FUNCTION(clrs__view_swap_axes, (a->first = 0, a->second = 1), a->view, a->first, a->second) {
  VIEW_ROWS(view);
  AXIS_ROWS(first);
  AXIS_ROWS(second);
}
