/*
 * Applies a pattern of rearrange or repeat to a view.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "op.h"

/* Reshapes the view to the axes of the left, permutes the axes to the order of the right, adds new
 * axes, and reshapes to the dims of the right. */
clrs_status clrs__einops_apply(const clrs__op *op, clrs_view *view, clrs_error *error);
