/*
 * Writes an output of a model as a TensorProto or as a .npy file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/onnx.h>

#include "host.h"
#include "output.h"

typedef struct onnx_writing {
  size_t index;                   /* index of the output */
  const clrs_onnx_output *output; /* from clrs_onnx_graph_output */
  bool as_npy;
} onnx_writing;

/* Writes the output. Data on the device is made dense first and then read back. */
clrs_status onnx_write(cli_host *host, clrs_onnx_graph *graph, const onnx_writing *what,
                       cli_output *file, clrs_error *error);
