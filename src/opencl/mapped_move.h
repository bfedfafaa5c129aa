/*
 * Mapped tensors on their way: what is asked of the device, and their moves as commands.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "batch_tables.h"
#include "encode.h"
#include "tensor.h"

/* What is moved: of a mapped tensor's elements `seen` is a view, and of a destination `part`, which
 * lies inside. */
typedef struct clrs__mapped_part {
  const clrs_tensor *source;
  const clrs_view *seen;
  const clrs_tensor *destination;
  const clrs_view *part;
} clrs__mapped_part;

/* The buffers of a mapped move: its map's parameters have some where they are tensors. */
typedef struct clrs__mapped_buffers {
  cl_mem source, destination, parameters[CLRS_MAPPED_PARAMETERS];
} clrs__mapped_buffers;

/* Adds a move that has been checked and has elements; to the tables, if there are some, what gains
 * from company there. */
clrs_status clrs__commands_add_pass(clrs__commands *commands, clrs__tables *tables,
                                    const clrs__mapped_move *move,
                                    const clrs__mapped_buffers *buffers, clrs_error *error);

/* Adds the move of a tensor; to the tables, if there are some, what gains from company there. */
clrs_status clrs__commands_add_mapped(clrs__commands *commands, clrs__tables *tables,
                                      const clrs__mapped_part *moved, clrs_error *error);

/* The whole destination, on its own. */
clrs_status clrs__enqueue_mapped(clrs_context *context, const clrs_tensor *source,
                                 const clrs_view *seen, const clrs_tensor *destination,
                                 const clrs__tail *tail, clrs_error *error);

/* The plan of a mapped tensor's move, into a destination or, of NULL, a new dense buffer. */
clrs_status clrs__tensor_plan_mapped(const clrs_tensor *source, const clrs_tensor *destination,
                                     clrs_copy_policy policy, clrs_plan *plan, clrs_error *error);
