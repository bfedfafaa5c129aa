/*
 * Tensors: a root buffer, retained, and a view of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_RUNTIME_TENSOR_H
#define CLRS_RUNTIME_TENSOR_H

#include "context.h"

/* The tensor exists and belongs to this context. `what` names the parameter. */
clrs_status clrs__tensor_check(const clrs_tensor *tensor, const clrs_context *context,
                               const char *what, clrs_error *error);

/* One side of a move. */
clrs_operand clrs__tensor_operand(const clrs_tensor *tensor);

const clrs__buffer *clrs__tensor_buffer(const clrs_tensor *tensor);

/* A new tensor over a buffer whose reference it takes over, also on failure. */
clrs_status clrs__tensor_adopt(clrs_context *context, cl_mem buffer, const clrs_layout *layout,
                               clrs_tensor **tensor, clrs_error *error);

#endif
