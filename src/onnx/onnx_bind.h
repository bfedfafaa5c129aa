/*
 * What a graph starts with: its initializers and the input files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_ONNX_BIND_H
#define CLRESHAPE_CLI_ONNX_BIND_H

#include "onnx_graph.h"

/* Each file must hold a tensor of the type and dims that the model declares for its input, and
 * there must be exactly one for each. What is in *graph on failure is freed by its close. */
clrs_status onnx_bind(onnx_graph *graph, size_t path_count, char *const *paths, clrs_error *error);

#endif /* CLRESHAPE_CLI_ONNX_BIND_H */
