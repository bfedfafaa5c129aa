/*
 * What a graph starts with.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_ONNX_BIND_H
#define CLRESHAPE_ONNX_BIND_H

#include "onnx_graph.h"

/* The initializers get their values, and the other inputs are counted. */
clrs_status onnx_bind_initializers(onnx_graph *graph, clrs_error *error);

#endif /* CLRESHAPE_ONNX_BIND_H */
