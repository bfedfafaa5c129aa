/*
 * Where bytes must move within a graph: several views put together in one new tensor, each by one
 * move straight from where its bytes are; and elements in the order of indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "node.h"

typedef struct onnx_parts {
  size_t count;
  clrs_tensor **tensors; /* of one type and rank, equal in all dims but one; a block of the arena */
  uint32_t axis;
  clrs_shape shape; /* of the whole */
} onnx_parts;

/* The parts side by side along the axis: a view where they already are, else a new tensor. It ends
 * with the node unless it is retained. */
clrs_status onnx_assemble(const onnx_node *node, const onnx_parts *parts, clrs_tensor **whole,
                          clrs_error *error);

/* What surrounds a tensor: begins and the shape of the result, and the one element as it is in
 * memory, or a mode in which the tensor's own surround it. */
typedef struct onnx_border {
  const int64_t *begins;
  clrs_shape shape;
  const void *element;
  clrs_pad_mode mode;
} onnx_border;

clrs_status onnx_surround(const onnx_node *node, clrs_tensor *inner, const onnx_border *border,
                          clrs_tensor **whole, clrs_error *error);

/* The source's elements at the indices of an axis, in a new tensor of this shape, as
 * clrs_enqueue_gather has it: the host reads no index, and where one is out of range the result's
 * bits are 0. The indices are a stored tensor. Fails before a launch if no pass gathers the source,
 * which may be mapped. */
typedef struct onnx_gathered {
  clrs_tensor *source, *indices;
  uint32_t axis;
  clrs_shape shape;
} onnx_gathered;

clrs_status onnx_gather_indexed(const onnx_node *node, const onnx_gathered *gathered,
                                clrs_tensor **whole, clrs_error *error);
