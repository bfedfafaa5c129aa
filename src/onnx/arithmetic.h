/*
 * Arithmetic on known values: reading operands, and combining two operands.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "fold.h"
#include "node.h"

/* Reads input `index` as numbers. Integers are fetched from the host or device, if there are few.
 * Floating-point numbers must be known, because data is not computed with on the host. */
clrs_status onnx_known_operand(const onnx_node *node, size_t index, const onnx_dense **dense,
                               clrs_error *error);

/* An operator on two numbers. If `reals` is NULL, the operator is for integers only. If `wholes` is
 * NULL, the operator is for floating-point numbers only. */
typedef struct onnx_binary_rule {
  const char *name;
  bool gives_bool;
  clrs_status (*wholes)(int64_t a, int64_t b, int64_t *result, clrs_error *error);
  double (*reals)(double a, double b);
} onnx_binary_rule;

/* Returns the operator on two numbers of that name, or NULL. */
const onnx_binary_rule *onnx_binary_find(const char *name);

/* Applies the operator element by element, with NumPy's broadcasting. */
clrs_status onnx_binary_apply(onnx_arena *arena, const onnx_binary_rule *rule, const onnx_dense *a,
                              const onnx_dense *b, onnx_dense *result, clrs_error *error);
/* Broadcasts the operands to their common shape. An operand that has the shape already is
 * borrowed. */
clrs_status onnx_broadcast(onnx_arena *arena, size_t count, const onnx_dense *const *operands,
                           onnx_dense *results, clrs_error *error);
