/*
 * The operators: a row for each form that an operator ever had.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "integer_lists.h"

typedef struct onnx_attribute_rule {
  const char *name; /* NULL ends the list */
  Onnx__AttributeProto__AttributeType type;
} onnx_attribute_rule;

/* A form in use from opset `since` until the next row of the same name. Versions that only add
 * element types have no row, because elements are not looked at. */
struct onnx_operator {
  const char *name;
  int64_t since;
  size_t min_inputs, max_inputs;
  bool many_outputs;
  bool positive_axes; /* axes must not count from the end */
  onnx_attribute_rule attributes[10];
  /* Exactly one is set: `view` changes the view of input 0, `apply` runs the whole node. */
  onnx_view_fn view;
  clrs_status (*apply)(const onnx_node *node, clrs_error *error);
};

/* Finds the operator's form for the opset. Fails if the opset has no such operator. */
clrs_status onnx_operator_find(const char *name, int64_t opset, const onnx_operator **op,
                               clrs_error *error);

/* The operators' functions, in op_*.c by kind: functions on the view of input 0, and functions that
 * run the whole node. */

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
clrs_status onnx_resize(const onnx_node *node, clrs_error *error);
clrs_status onnx_gather(const onnx_node *node, clrs_error *error);
clrs_status onnx_constant_of_shape(const onnx_node *node, clrs_error *error);
clrs_status onnx_shape(const onnx_node *node, clrs_error *error);
clrs_status onnx_size(const onnx_node *node, clrs_error *error);
clrs_status onnx_range(const onnx_node *node, clrs_error *error);
clrs_status onnx_cast(const onnx_node *node, clrs_error *error);
clrs_status onnx_cast_like(const onnx_node *node, clrs_error *error);
clrs_status onnx_bit_cast(const onnx_node *node, clrs_error *error);
clrs_status onnx_step(const onnx_node *node, clrs_error *error);
clrs_status onnx_clip(const onnx_node *node, clrs_error *error);
clrs_status onnx_quantize(const onnx_node *node, clrs_error *error);
clrs_status onnx_dequantize(const onnx_node *node, clrs_error *error);
clrs_status onnx_fold(const onnx_node *node, clrs_error *error);
clrs_status onnx_mod(const onnx_node *node, clrs_error *error);
clrs_status onnx_unary(const onnx_node *node, clrs_error *error);
clrs_status onnx_where(const onnx_node *node, clrs_error *error);
clrs_status onnx_reduce_prod(const onnx_node *node, clrs_error *error);
clrs_status onnx_binary_aligned(const onnx_node *node, clrs_error *error);
