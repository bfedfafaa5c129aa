/*
 * Moves of mapped tensors, planned.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "indexed_pass.h"
#include "tensor.h"

/* Plans the move of a mapped tensor's elements as move->source.view numbers them, into the
 * destination of the move or, if that has no view, into a new dense buffer. The rest of the source
 * is not read. */
clrs_status clrs__plan_mapping(const clrs_tensor *source, const clrs_move *move, clrs_plan *plan,
                               clrs_error *error);

/* Plans a gather or a scatter of a mapped tensor's elements. */
clrs_status clrs__plan_mapping_indexed(const clrs_tensor *source, const clrs__indexed_move *move,
                                       clrs_plan *plan, clrs_error *error);

/* The buffers of a plan from one tensor to another. A mapped source has the buffers that the map
 * reads. */
clrs_plan_buffers clrs__plan_buffers_of(const clrs_tensor *source, const clrs_tensor *destination);
