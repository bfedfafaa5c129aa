/*
 * Moves of tensors, mapped or not, planned.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "indexed_pass.h"
#include "tensor.h"

/* Plans the move of a tensor's elements as move->source.view shows them, by indices if these are
 * not NULL, into the destination of the move or, if that has no view, into a new dense buffer. Of a
 * mapped tensor the view numbers the elements, and the rest is not read. */
clrs_status clrs__plan_pass(const clrs_tensor *source, const clrs_move *move,
                            const clrs__indexed_move *indices, clrs_plan *plan, clrs_error *error);

/* The buffers of a plan from one tensor to another. A mapped source has the buffers that the map
 * reads. */
clrs_plan_buffers clrs__plan_buffers_of(const clrs_tensor *source, const clrs_tensor *destination);

/* Plans the move of a source into a part of a destination. They are the context's tensors and share
 * no byte; the part lies inside the destination. */
clrs_status clrs__plan_into(const clrs_tensor *source, const clrs_tensor *destination,
                            const clrs_view *part, clrs_plan *plan, clrs_error *error);
/* The same of a fill. */
clrs_status clrs__plan_filling(const clrs_tensor *destination, const clrs_view *part,
                               clrs_plan *plan, clrs_error *error);
