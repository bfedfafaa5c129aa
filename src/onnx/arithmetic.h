/*
 * Arithmetic on known values: operands, and combining two of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "fold.h"
#include "node.h"

/* Input number `index` as numbers. Integers are fetched from wherever they are, if they are few;
 * floating-point numbers must be known: there is no arithmetic on data. */
clrs_status onnx_known_operand(const onnx_node *node, size_t index, const onnx_dense **dense,
                               clrs_error *error);

/* An operator on two numbers. Where `reals` is NULL it is for integers only, and the reverse. */
typedef struct onnx_binary_rule {
  const char *name;
  bool gives_bool;
  clrs_status (*wholes)(int64_t a, int64_t b, int64_t *result, clrs_error *error);
  double (*reals)(double a, double b);
} onnx_binary_rule;

/* NULL if there is no such operator on two numbers. */
const onnx_binary_rule *onnx_binary_find(const char *name);

/* Element by element, with NumPy's broadcasting. */
clrs_status onnx_binary_apply(onnx_arena *arena, const onnx_binary_rule *rule, const onnx_dense *a,
                              const onnx_dense *b, onnx_dense *result, clrs_error *error);
/* The operands as seen in the shape that they broadcast to. One that has it already is borrowed. */
clrs_status onnx_broadcast(onnx_arena *arena, size_t count, const onnx_dense *const *operands,
                           onnx_dense *results, clrs_error *error);
