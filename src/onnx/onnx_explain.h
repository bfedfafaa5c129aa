/*
 * What `clreshape onnx --explain` prints of each move.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_ONNX_EXPLAIN_H
#define CLRESHAPE_CLI_ONNX_EXPLAIN_H

#include <stdio.h>

#include "onnx.pb-c.h"
#include <clreshape/core.h>

/* "float [2,3]: ", what is moved, and how. `to` may be NULL in both. */
void onnx_explain_plan(FILE *to, const clrs_view *view, const clrs_plan *plan);
/* "node 3 \"name\" (Concat): " */
void onnx_explain_node(FILE *to, size_t index, const Onnx__NodeProto *node);

#endif /* CLRESHAPE_CLI_ONNX_EXPLAIN_H */
