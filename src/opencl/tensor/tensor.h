/*
 * Tensors: a root buffer, retained, and a view of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "common.h"

struct clrs_tensor {
  atomic_size_t references;
  clrs__common *common; /* what it shares with the others of its bytes, or of its map */
  clrs_view view;
};

/* The first tensor of a mapping, which retained nothing. If the call succeeds the mapping is the
 * tensor's, and retains. */
clrs_status clrs__tensor_of_mapping(clrs__mapping *mapping, const clrs_view *numbers,
                                    clrs_tensor **result, clrs_error *error);

/* What is lent is the tensor's if it succeeds, and else still the caller's. */
typedef struct clrs__lent {
  clrs_storage storage;
  bool is_read_only;
  clrs__lender lender;
} clrs__lent;
clrs_status clrs__tensor_of_lender(clrs_context *context, const clrs__lent *lent,
                                   const clrs_layout *layout, clrs_tensor **tensor,
                                   clrs_error *error);

/* The first tensor of a buffer that nobody releases: of a slot. */
clrs_status clrs__tensor_of_buffer(clrs_context *context, const clrs__buffer *buffer,
                                   const clrs_view *view, clrs_tensor **tensor, clrs_error *error);

/* The tensors with bytes that are read where this one is a source: itself, or what its map reads,
 * of which a view of the mapped elements may leave some alone. */
typedef struct clrs__reads {
  size_t count;
  const clrs_tensor *tensors[1 + CLRS_MAPPED_STEPS];
} clrs__reads;
clrs__reads clrs__tensor_reads(const clrs_tensor *tensor);

/* One side of a move. */
clrs_operand clrs__tensor_operand(const clrs_tensor *tensor);

/* The root buffer, as a plan takes it: NULL without elements. */
cl_mem clrs__tensor_root(const clrs_tensor *tensor);

/* What the elements of a dense view take, of packed types to the end of the last byte. */
clrs_status clrs__dense_bytes(const clrs_view *dense, uint64_t *bytes, clrs_error *error);

/* A new dense tensor of the context, dtype and characters of another, for commands on a queue. */
clrs_status clrs__tensor_allocate_like(const clrs_tensor *tensor, cl_command_queue queue,
                                       const clrs_shape *shape, clrs_tensor **result,
                                       clrs_error *error);

/* The end of a call that made a tensor: *result if `status`, of what was to be done with it, is
 * CLRS_OK, and released if not. Gives the status. */
clrs_status clrs__tensor_hand_over(clrs_tensor *made, clrs_status status, clrs_tensor **result);

/* Commands on this queue are about to use the bytes; of a mapped tensor all that it is read from.
 */
clrs_status clrs__tensor_use(const clrs_tensor *tensor, cl_command_queue queue, clrs_error *error);

/* clrs_tensor_with_view of a view that the library made, of elements that the tensor has. */
clrs_status clrs__tensor_with_own_elements(clrs_tensor *tensor, const clrs_view *view,
                                           clrs_tensor **result, clrs_error *error);
