/*
 * Shares a piece of a mapped move among the work-items of a GPU that each make all colours of a
 * pixel (kernels/map_gpu_colors.cl).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "share.h"

/* Chooses the kernel, and cuts the piece for it. Returns false, and changes nothing, if the piece
 * has no colours of a frame and no colours of a resized picture. Without `keeps_floats`, colours of
 * floats stay steps. */
bool clrs__share_colors(bool keeps_floats, clrs__mapped_share *share, clrs__map_key *key);
