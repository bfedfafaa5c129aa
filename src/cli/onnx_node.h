/*
 * One node of a graph: finding its operator, holding it to the operator's schema, and what the
 * operators need of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_ONNX_NODE_H
#define CLRESHAPE_CLI_ONNX_NODE_H

#include "onnx_graph.h"

typedef struct onnx_operator onnx_operator;

typedef struct onnx_node {
  onnx_graph *graph;
  const Onnx__NodeProto *proto;
  const onnx_operator *op;
} onnx_node;

/* Executes node number `index`. Messages name the node and its operator. */
clrs_status onnx_node_run(onnx_graph *graph, size_t index, clrs_error *error);

/* NULL if the node does not have it. Its type has been checked. */
const Onnx__AttributeProto *onnx_node_attribute(const onnx_node *node, const char *name);
int64_t onnx_node_int(const onnx_node *node, const char *name, int64_t otherwise);

/* Input number `index`, or *value == NULL if it is left out. */
clrs_status onnx_node_input(const onnx_node *node, size_t index, model_value **value,
                            clrs_error *error);
/* The tensor of input 0 (not retained) and a copy of its view, to be changed. */
clrs_status onnx_node_data(const onnx_node *node, clrs_tensor **data, clrs_view *view,
                           clrs_error *error);
/* Output number `index`: another view of data's bytes. Does nothing if the output is left out. */
clrs_status onnx_node_output(const onnx_node *node, size_t index, clrs_tensor *data,
                             const clrs_view *view, clrs_error *error);

/* A list of integers from an attribute or a 1-D input. */
typedef struct onnx_integers {
  bool present;
  size_t count;
  int64_t *values; /* owned; never NULL when present */
} onnx_integers;

void onnx_integers_free(onnx_integers *list);
clrs_status onnx_node_ints(const onnx_node *node, const char *name, onnx_integers *list,
                           clrs_error *error);

/* Which element types an input of integers may have. */
enum { ONNX_INT64 = 1, ONNX_INT32 = 2, ONNX_FLOATS = 4 };
/* `name` is the input's name in the standard, for messages. At most `limit` values. */
clrs_status onnx_node_list(const onnx_node *node, size_t index, const char *name, unsigned types,
                           size_t limit, onnx_integers *list, clrs_error *error);

#endif /* CLRESHAPE_CLI_ONNX_NODE_H */
