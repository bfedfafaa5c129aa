/*
 * What each operator does: to the view of its first input, or all of it. In op_*.c by kinds.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "integer_lists.h"

clrs_status onnx_reshape(const onnx_node *node, clrs_view *view, clrs_error *error);
clrs_status onnx_transpose(const onnx_node *node, clrs_view *view, clrs_error *error);
clrs_status onnx_squeeze(const onnx_node *node, clrs_view *view, clrs_error *error);
clrs_status onnx_unsqueeze(const onnx_node *node, clrs_view *view, clrs_error *error);
clrs_status onnx_flatten(const onnx_node *node, clrs_view *view, clrs_error *error);
clrs_status onnx_expand(const onnx_node *node, clrs_view *view, clrs_error *error);
clrs_status onnx_slice(const onnx_node *node, clrs_view *view, clrs_error *error);
clrs_status onnx_tile_axis(const onnx_node *node, clrs_view *view, clrs_error *error);
clrs_status onnx_tile(const onnx_node *node, clrs_view *view, clrs_error *error);
clrs_status onnx_depth_to_space(const onnx_node *node, clrs_view *view, clrs_error *error);
clrs_status onnx_space_to_depth(const onnx_node *node, clrs_view *view, clrs_error *error);

clrs_status onnx_split(const onnx_node *node, clrs_error *error);
clrs_status onnx_identity(const onnx_node *node, clrs_error *error);
clrs_status onnx_constant(const onnx_node *node, clrs_error *error);
clrs_status onnx_concat(const onnx_node *node, clrs_error *error);
clrs_status onnx_pad(const onnx_node *node, clrs_error *error);
clrs_status onnx_gather(const onnx_node *node, clrs_error *error);
clrs_status onnx_constant_of_shape(const onnx_node *node, clrs_error *error);
clrs_status onnx_shape(const onnx_node *node, clrs_error *error);
clrs_status onnx_size(const onnx_node *node, clrs_error *error);
clrs_status onnx_range(const onnx_node *node, clrs_error *error);
clrs_status onnx_cast(const onnx_node *node, clrs_error *error);
clrs_status onnx_fold(const onnx_node *node, clrs_error *error);
clrs_status onnx_mod(const onnx_node *node, clrs_error *error);
clrs_status onnx_unary(const onnx_node *node, clrs_error *error);
clrs_status onnx_where(const onnx_node *node, clrs_error *error);
clrs_status onnx_reduce_prod(const onnx_node *node, clrs_error *error);
clrs_status onnx_binary_aligned(const onnx_node *node, clrs_error *error);
