/*
 * Do the moves of a batch keep apart? They run in any order and at once, so no destination may
 * share a byte with another destination, nor with what another move reads. Moves may share a flag.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "tensor_move.h"

/* CLRS_OVERLAP names two moves that meet, or that cannot be told apart in bounded work. Whether a
 * move's own two sides meet is not asked here. All tensors are there. */
clrs_status clrs__moves_check_apart(clrs_context *context, const clrs_batch_moves *moves,
                                    clrs_error *error);
