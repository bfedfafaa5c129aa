/*
 * What enqueue calls of several parts need of the plain ones.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "command.h"
#include "tensor.h"

/* Plans the move of a source into a part of a destination. They are the context's tensors and share
 * no byte; the part lies inside the destination. */
clrs_status clrs__plan_into(const clrs_tensor *source, const clrs_tensor *destination,
                            const clrs_view *part, clrs_plan *plan, clrs_error *error);
/* The same of a fill. */
clrs_status clrs__plan_filling(const clrs_tensor *destination, const clrs_view *part,
                               clrs_plan *plan, clrs_error *error);
