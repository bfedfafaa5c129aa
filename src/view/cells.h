/*
 * Cells that change places: blocks of space, channels, batches.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

/* Which comes first in the channels: the place in the block (ONNX DCR, OpenVINO blocks_first) or
 * the depth (ONNX CRD, OpenVINO depth_first). */
typedef enum clrs__block_order { CLRS__BLOCKS_FIRST, CLRS__DEPTH_FIRST } clrs__block_order;

/* ONNX DepthToSpace-13 and SpaceToDepth-13 on [N, C, D1, ...], with any number of spatial dims as
 * in OpenVINO. CLRS_LIMIT_EXCEEDED for more than 14 spatial dims, because the view with cut dims
 * would have a rank over CLRS_MAX_RANK. */
clrs_status clrs__view_depth_to_space(clrs_view *view, int64_t block, clrs__block_order order,
                                      clrs_error *error);
clrs_status clrs__view_space_to_depth(clrs_view *view, int64_t block, clrs__block_order order,
                                      clrs_error *error);
/* OpenVINO ShuffleChannels-1, of a rank below CLRS_MAX_RANK, else CLRS_LIMIT_EXCEEDED. */
clrs_status clrs__view_channel_shuffle(clrs_view *view, int64_t axis, int64_t groups,
                                       clrs_error *error);

/* OpenVINO BatchToSpace-2 without crops and SpaceToBatch-2 without pads, on [batch, D1, ...]. There
 * is one block size per dim, and the block size of the batch is 1. CLRS_LIMIT_EXCEEDED for more
 * than 15 dims behind the batch. */
clrs_status clrs__view_batch_to_space(clrs_view *view, size_t count, const int64_t *blocks,
                                      clrs_error *error);
clrs_status clrs__view_space_to_batch(clrs_view *view, size_t count, const int64_t *blocks,
                                      clrs_error *error);
