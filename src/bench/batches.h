/*
 * Cases that are a batch: each index of the first dim is a move of its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/clreshape.h>

/* What the move of that index sees of a view of all of them. */
clrs_status bench_move_view(const clrs_view *all, int64_t index, clrs_view *view,
                            clrs_error *error);

/* The two tensors are of all moves together. */
clrs_status bench_batch_create(clrs_context *context, clrs_tensor *source, clrs_tensor *destination,
                               clrs_work **batch, clrs_error *error);
