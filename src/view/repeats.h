/*
 * Elements that are shown several times, and axes that change places.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

/* ONNX Tile-13: the whole of dim i, repeats[i] times. `count` must be the rank. */
clrs_status clrs__view_tile(clrs_view *view, size_t count, const int64_t *repeats,
                            clrs_error *error);
/* numpy.repeat: each element along one axis, `repeats` times. */
clrs_status clrs__view_repeat(clrs_view *view, int64_t axis, int64_t repeats, clrs_error *error);

/* torch.Tensor.unfold: windows of `size` elements, one every `step`, may overlap. The axis then
 * counts windows, and a new last dim the elements of one. */
typedef struct clrs__window {
  int64_t axis, size, step;
} clrs__window;

clrs_status clrs__view_window(clrs_view *view, const clrs__window *window, clrs_error *error);
/* numpy.diagonal: the two axes go, the diagonal is the new last dim. */
clrs_status clrs__view_diagonal(clrs_view *view, int64_t offset, int64_t first_axis,
                                int64_t second_axis, clrs_error *error);
/* numpy.moveaxis, one axis, and numpy.swapaxes. */
clrs_status clrs__view_move_axis(clrs_view *view, int64_t from, int64_t to, clrs_error *error);
clrs_status clrs__view_swap_axes(clrs_view *view, int64_t first, int64_t second, clrs_error *error);
