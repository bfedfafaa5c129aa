/*
 * A pattern of rearrange or repeat, applied to a view.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "op.h"

/* Reshapes the view to the axes of the left, brings them into the order of the right, adds the new
 * ones, and reshapes to the dims of the right. */
clrs_status clrs__einops_apply(const clrs__op *op, clrs_view *view, clrs_error *error);
