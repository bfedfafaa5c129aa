/*
 * Lists of integers. Older operators take lists as attributes, newer operators as inputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "node.h"

/* A list from an attribute or a 1-D input. The list lives as long as the node. */
typedef struct onnx_integers {
  bool present;
  size_t count;
  const int64_t *values;
} onnx_integers;

onnx_integers onnx_node_ints(const onnx_node *node, const char *name);

/* Flags: the element types that an input of integers may have, and whether a scalar is allowed. */
enum { ONNX_INT64 = 1, ONNX_INT32 = 2, ONNX_FLOATS = 4, ONNX_SCALAR = 8 };
/* Reads a list of at most `limit` values from input `index`, if the operator has that input, or
 * else from the attribute. `name` is the standard's name of both. */
clrs_status onnx_node_list(const onnx_node *node, size_t index, const char *name, unsigned types,
                           size_t limit, onnx_integers *list, clrs_error *error);
/* Fails if the list is missing. Only attributes can be missing here. */
clrs_status onnx_node_require(const onnx_integers *list, const char *name, clrs_error *error);

/* Applies an operation of chains that takes integers, such as "tile". Without any it is the name
 * alone. */
clrs_status onnx_apply(const char *operation, size_t count, const int64_t *values, clrs_view *view,
                       clrs_error *error);
