/*
 * Cases that are a batch: each index of the first dim is a separate move.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/clreshape.h>

/* The view of a move, cut out of the view of all moves. */
clrs_status bench_move_view(const clrs_view *all, int64_t index, clrs_view *view,
                            clrs_error *error);

/* Makes a batch. The two tensors contain all moves together. */
clrs_status bench_batch_create(clrs_context *context, clrs_tensor *source, clrs_tensor *destination,
                               clrs_work **batch, clrs_error *error);
