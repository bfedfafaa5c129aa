/*
 * The common beginning and end of every operation on dims, and the operations that only change the
 * shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

/* Distributes the axes of the top walk over the dims. If the axes do not factor, a dense walk is
 * first put on top, which factors for any dims. */
clrs_status clrs__view_deal(clrs_view *view, clrs__dim_axes *dealt, clrs_error *error);

/* Puts `walk` on top of *next, which then has the shape `shape`, and stores *next in *view. */
clrs_status clrs__view_finish(clrs_view *view, clrs_view *next, clrs__walk *walk,
                              const clrs_shape *shape, clrs_error *error);

/* ONNX Squeeze-13. A count of 0 removes every dim of 1. */
clrs_status clrs__view_squeeze(clrs_view *view, size_t count, const int64_t *axes,
                               clrs_error *error);
/* ONNX Unsqueeze-13: axes index the result. */
clrs_status clrs__view_unsqueeze(clrs_view *view, size_t count, const int64_t *axes,
                                 clrs_error *error);
/* ONNX Flatten-13: always 2-D, with an axis from -rank to rank. */
clrs_status clrs__view_flatten(clrs_view *view, int64_t axis, clrs_error *error);
