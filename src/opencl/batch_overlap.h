/*
 * Do the moves of a batch keep apart? They run in any order and at once, so no destination may
 * share a byte with another destination, nor with the source of another move.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "tensor.h"

/* CLRS_OVERLAP names two moves that meet, or that cannot be told apart in bounded work. Whether a
 * move's own two sides meet is not asked here. All tensors are there. */
clrs_status clrs__moves_check_apart(const clrs_batch_moves *moves, clrs_error *error);
