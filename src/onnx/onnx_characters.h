/*
 * The characters of strings on the device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_ONNX_CHARACTERS_H
#define CLRESHAPE_ONNX_CHARACTERS_H

#include "onnx_graph.h"

/* A string tensor gets the run's character buffer, with all characters met so far; any other is
 * handed on as it is. Takes over the reference to `plain`, also on failure. */
clrs_status onnx_characters_attach(onnx_graph *graph, clrs_tensor *plain, clrs_tensor **tensor,
                                   clrs_error *error);
void onnx_characters_release(onnx_characters *characters); /* an all-zero one is allowed */

#endif /* CLRESHAPE_ONNX_CHARACTERS_H */
