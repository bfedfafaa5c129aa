/*
 * Writing an output of a model as a TensorProto.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "host.h"
#include "onnx.h"
#include "output.h"

/* Output `index` of the graph, as onnx_graph_output tells it: from the host, or moved in order on
 * the device and then read back. */
clrs_status onnx_write(cli_host *host, onnx_graph *graph, size_t index, const onnx_output *output,
                       cli_output *file, clrs_error *error);
