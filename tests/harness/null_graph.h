/*
 * An ONNX graph on null_opencl.h's device: what the graph wants of the device to go on are zeros.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_NULL_GRAPH_H
#define CLRS_TEST_NULL_GRAPH_H

#include <clreshape/onnx.h>

/* Runs all nodes. What this does itself ends the process if it fails. */
clrs_status null_graph_run(clrs_onnx_graph *graph, clrs_error *error);

#endif
