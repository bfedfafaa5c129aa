/*
 * Operations that move bytes within a graph: joining several views in a new tensor, each by one
 * move from its source, and gathering elements by indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "node.h"

typedef struct onnx_parts {
  size_t count;
  clrs_tensor **tensors; /* equal in type, rank and all dims but `axis`. A block of the arena */
  uint32_t axis;
  clrs_shape shape; /* shape of the joined tensor */
} onnx_parts;

/* Joins the parts along the axis. The result is a view if the parts already lie in place, or else a
 * new tensor. The result ends with the node unless the caller retains the result. */
clrs_status onnx_assemble(const onnx_node *node, const onnx_parts *parts, clrs_tensor **whole,
                          clrs_error *error);

/* The border of a padded tensor: the begins, the shape of the result, and the element, as in
 * memory. In other modes than constant, the tensor's own elements form the border. */
typedef struct onnx_border {
  const int64_t *begins;
  clrs_shape shape;
  const void *element;
  clrs_pad_mode mode;
} onnx_border;

clrs_status onnx_surround(const onnx_node *node, clrs_tensor *inner, const onnx_border *border,
                          clrs_tensor **whole, clrs_error *error);

/* Gathers the source's elements by the indices along an axis into a new tensor of this shape, as
 * clrs_enqueue_gather does. The host reads no index. An index out of range gives bits of 0. The
 * indices must be a stored tensor. Fails before a launch if no pass gathers the source, which may
 * be mapped. */
typedef struct onnx_gathered {
  clrs_tensor *source, *indices;
  uint32_t axis;
  clrs_shape shape;
} onnx_gathered;

clrs_status onnx_gather_indexed(const onnx_node *node, const onnx_gathered *gathered,
                                clrs_tensor **whole, clrs_error *error);
