/*
 * The nodes of a graph, each by itself: finding its operator, holding it to the operator's schema,
 * and what the operators need of it. The nodes of an ONNX graph are sorted topologically, so
 * branches need nothing special. Nodes move no data, each gives another view of its input's bytes,
 * except those that put tensors together.
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
  size_t index; /* in the graph */
} onnx_node;

/* NULL if the node does not have it. Its type has been checked. */
const Onnx__AttributeProto *onnx_node_attribute(const onnx_node *node, const char *name);
int64_t onnx_node_int(const onnx_node *node, const char *name, int64_t otherwise);
/* Is string attribute `name`, or `otherwise` if it is not given, this word? */
bool onnx_node_says(const onnx_node *node, const char *name, const char *otherwise,
                    const char *word);

/* Input number `index`, or *value == NULL if it is left out. */
clrs_status onnx_node_input(const onnx_node *node, size_t index, model_value **value,
                            clrs_error *error);
/* The same of an input that must not be left out. */
clrs_status onnx_node_need(const onnx_node *node, size_t index, model_value **value,
                           clrs_error *error);
/* Gives input 0 as `change` changes its view, or as it is if that is NULL. */
typedef clrs_status (*onnx_view_fn)(const onnx_node *node, clrs_view *view, clrs_error *error);
clrs_status onnx_node_change(const onnx_node *node, onnx_view_fn change, clrs_error *error);
/* Input 0, and a copy of its view, to be changed. */
clrs_status onnx_node_data(const onnx_node *node, model_value **data, clrs_view *view,
                           clrs_error *error);
/* Gives the tensor of `data` as the view shows it. The tensor ends with the node unless the caller
 * retains it. If `data` is mapped and no pass moves what the view shows, `data` is stored and the
 * call fails, and then the node is run again on the stored tensor. So a node looks before it
 * enqueues anything. */
clrs_status onnx_node_look(const onnx_node *node, model_value *data, const clrs_view *view,
                           clrs_tensor **seen, clrs_error *error);
/* Output number `index`: another view of data's bytes. A copy on the host if they are known and
 * few. Does nothing if the output is left out. */
clrs_status onnx_node_output(const onnx_node *node, size_t index, model_value *data,
                             const clrs_view *view, clrs_error *error);
/* The only output: a tensor, which is retained; or known bytes, which are kept. */
clrs_status onnx_node_give(const onnx_node *node, clrs_tensor *tensor, clrs_error *error);
clrs_status onnx_node_give_known(const onnx_node *node, const onnx_dense *dense, clrs_error *error);

/* What an observer is told of a move that the node needs; without the move itself. */
clrs_onnx_moved onnx_node_moved(const onnx_node *node);

/* Fails if the axis counts from the end and the opset does not allow that. */
clrs_status onnx_node_check_sign(const onnx_node *node, int64_t axis, clrs_error *error);
/* The dim that an axis names. */
clrs_status onnx_node_axis(const onnx_node *node, int64_t axis, uint32_t rank, uint32_t *dim,
                           clrs_error *error);
