/*
 * The operators: one row for each form that an operator ever had.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "integer_lists.h"

typedef struct onnx_attribute_rule {
  const char *name; /* NULL ends the list */
  Onnx__AttributeProto__AttributeType type;
} onnx_attribute_rule;

/* In use from opset `since` until the next row of that name. Versions that only add element types
 * have no row: no element is looked at. */
struct onnx_operator {
  const char *name;
  int64_t since;
  size_t min_inputs, max_inputs;
  bool many_outputs;
  bool positive_axes; /* axes must not count from the end */
  onnx_attribute_rule attributes[9];
  /* One of the two: what the operator does to the view of its first input, or all of it. */
  onnx_view_fn view;
  clrs_status (*apply)(const onnx_node *node, clrs_error *error);
};

/* Fails if there is no such operator in that opset. */
clrs_status onnx_operator_find(const char *name, int64_t opset, const onnx_operator **op,
                               clrs_error *error);
