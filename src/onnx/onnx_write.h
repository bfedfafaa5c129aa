/*
 * Writing a value as a TensorProto.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_ONNX_WRITE_H
#define CLRESHAPE_CLI_ONNX_WRITE_H

#include "onnx_graph.h"
#include "output.h"

/* Moves the value's bytes in order, if they are not, and writes them. `index` is the output's, for
 * --explain. */
clrs_status onnx_write(onnx_graph *graph, size_t index, model_value *value, cli_output *file,
                       clrs_error *error);

#endif /* CLRESHAPE_CLI_ONNX_WRITE_H */
