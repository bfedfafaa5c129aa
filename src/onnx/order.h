/*
 * Why an input of a node is not there: ONNX demands that nodes come after those they depend on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "graph.h"

/* Fails with the sentence for node number `index`, whose input `name` no earlier node gave: it is
 * computed by none, by a later one, or by one that needs this node itself. */
clrs_status onnx_order_fail(onnx_graph *graph, size_t index, const char *name, clrs_error *error);
