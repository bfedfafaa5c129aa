/*
 * An ONNX graph on null_opencl.h's device: all values that the graph needs from the device are
 * zeros.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_NULL_GRAPH_H
#define CLRS_TEST_NULL_GRAPH_H

#include <clreshape/onnx.h>

/* Runs all nodes. A failure of this function itself ends the process. */
clrs_status null_graph_run(clrs_onnx_graph *graph, clrs_error *error);

#endif
