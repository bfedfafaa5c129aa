/*
 * The nodes of a graph: finding a node's operator, checking the node against the operator's schema,
 * and functions for operators. The nodes of an ONNX graph are sorted topologically, so branches
 * need no special treatment. Most nodes move no data and only give another view of the input's
 * bytes. Nodes that join tensors do move data.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "graph.h"

typedef struct onnx_operator onnx_operator;

typedef struct onnx_node {
  clrs_onnx_graph *graph;
  const Onnx__NodeProto *proto;
  const onnx_operator *op;
  size_t index; /* index of the node in the graph */
} onnx_node;

/* Returns the attribute, whose type has been checked, or NULL. */
const Onnx__AttributeProto *onnx_node_attribute(const onnx_node *node, const char *name);
int64_t onnx_node_int(const onnx_node *node, const char *name, int64_t otherwise);
/* Is string attribute `name` equal to `word`? A missing attribute counts as `otherwise`. */
bool onnx_node_says(const onnx_node *node, const char *name, const char *otherwise,
                    const char *word);

/* Finds input number `index`. *value is NULL if the input is left out. */
clrs_status onnx_node_input(const onnx_node *node, size_t index, model_value **value,
                            clrs_error *error);
/* Finds an input that must not be left out. */
clrs_status onnx_node_need(const onnx_node *node, size_t index, model_value **value,
                           clrs_error *error);
/* Outputs input 0 with a changed view. `change` changes the view, and may be NULL. */
typedef clrs_status (*onnx_view_fn)(const onnx_node *node, clrs_view *view, clrs_error *error);
clrs_status onnx_node_change(const onnx_node *node, onnx_view_fn change, clrs_error *error);
/* Finds input 0, and copies the view of input 0, which the caller may change. */
clrs_status onnx_node_data(const onnx_node *node, model_value **data, clrs_view *view,
                           clrs_error *error);
/* Makes the tensor of `data` with the view `view`. The tensor ends with the node unless the caller
 * retains the tensor. If `data` is mapped and no pass moves the viewed elements, `data` is stored
 * and the call fails. The node is then run again on the stored tensor. A node must therefore call
 * this function before enqueueing anything. */
clrs_status onnx_node_look(const onnx_node *node, model_value *data, const clrs_view *view,
                           clrs_tensor **seen, clrs_error *error);
/* Gives output number `index`: another view of the bytes of `data`, or a copy on the host if the
 * bytes are known and few. Does nothing if the output is left out. */
clrs_status onnx_node_output(const onnx_node *node, size_t index, model_value *data,
                             const clrs_view *view, clrs_error *error);
/* Give the only output: a tensor, which is retained, or known bytes, which are kept. */
clrs_status onnx_node_give(const onnx_node *node, clrs_tensor *tensor, clrs_error *error);
clrs_status onnx_node_give_known(const onnx_node *node, const onnx_dense *dense, clrs_error *error);

/* Describes the node for an observer. The caller adds the move. */
clrs_onnx_moved onnx_node_moved(const onnx_node *node);

/* Fails if the axis is negative and the opset does not allow negative axes. */
clrs_status onnx_node_check_sign(const onnx_node *node, int64_t axis, clrs_error *error);
/* Finds the dim that an axis names. */
clrs_status onnx_node_axis(const onnx_node *node, int64_t axis, uint32_t rank, uint32_t *dim,
                           clrs_error *error);
