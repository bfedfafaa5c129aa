/*
 * Tensors: a root buffer, retained, and a view of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "common.h"

struct clrs_tensor {
  atomic_size_t references;
  clrs__common *common; /* shared with the other tensors of the same bytes or map */
  clrs_view view;
};

/* Makes the first tensor of a mapping that retains nothing. On success the mapping belongs to the
 * tensor and retains its objects. */
clrs_status clrs__tensor_of_mapping(clrs__mapping *mapping, const clrs_view *numbers,
                                    clrs_tensor **result, clrs_error *error);

/* Borrowed bytes. On success they belong to the tensor, on failure still to the caller. */
typedef struct clrs__lent {
  clrs_storage storage;
  bool is_read_only;
  clrs__lender lender;
} clrs__lent;
clrs_status clrs__tensor_of_lender(clrs_context *context, const clrs__lent *lent,
                                   const clrs_layout *layout, clrs_tensor **tensor,
                                   clrs_error *error);

/* Makes the first tensor of a buffer that is never released. Used for slots. */
clrs_status clrs__tensor_of_buffer(clrs_context *context, const clrs__buffer *buffer,
                                   const clrs_view *view, clrs_tensor **tensor, clrs_error *error);

/* The tensors whose bytes are read if this tensor is a source: the tensor itself, or the tensors
 * that the map reads. A view of mapped elements may not need all of the latter. */
typedef struct clrs__reads {
  size_t count;
  const clrs_tensor *tensors[1 + CLRS_MAPPED_STEPS];
} clrs__reads;
clrs__reads clrs__tensor_reads(const clrs_tensor *tensor);

/* The tensor as a side of a move. */
clrs_operand clrs__tensor_operand(const clrs_tensor *tensor);

/* The root buffer for a plan, or NULL for a tensor without elements. */
cl_mem clrs__tensor_root(const clrs_tensor *tensor);

/* The bytes of a dense view's elements. Packed types are counted to the end of the last byte. */
clrs_status clrs__dense_bytes(const clrs_view *dense, uint64_t *bytes, clrs_error *error);

/* Makes a dense tensor for commands on a queue, with the context, dtype and characters of
 * `tensor`. */
clrs_status clrs__tensor_allocate_like(const clrs_tensor *tensor, cl_command_queue queue,
                                       const clrs_shape *shape, clrs_tensor **result,
                                       clrs_error *error);

/* Ends a call that made a tensor. If `status` is CLRS_OK, *result becomes the tensor. Otherwise the
 * tensor is released. Returns `status`. */
clrs_status clrs__tensor_hand_over(clrs_tensor *made, clrs_status status, clrs_tensor **result);

/* Records that commands on this queue are about to use the tensor's bytes. For a mapped tensor, all
 * tensors that the map reads are recorded. */
clrs_status clrs__tensor_use(const clrs_tensor *tensor, cl_command_queue queue, clrs_error *error);

/* clrs_tensor_with_view for a view that the library made of the tensor's own elements. */
clrs_status clrs__tensor_with_own_elements(clrs_tensor *tensor, const clrs_view *view,
                                           clrs_tensor **result, clrs_error *error);
