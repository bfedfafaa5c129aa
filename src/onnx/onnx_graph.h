/*
 * A model being executed: its values, where their bytes are, and what it may still cost.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_ONNX_GRAPH_H
#define CLRESHAPE_CLI_ONNX_GRAPH_H

#include <stdio.h>

#include "host.h"
#include "model.h"
#include "model_values.h"
#include "onnx_known.h"

/* The character buffer that all string tensors of a run share: only then may they be put together.
 * It has room for all characters of the model and its inputs. */
typedef struct onnx_characters {
  cl_mem buffer; /* NULL until the first string tensor is on the device */
  size_t size, uploaded;
} onnx_characters;

typedef struct onnx_graph {
  cli_host *host;
  const cli_model *model;
  model_values values;
  size_t input_count;
  Onnx__TensorProto **inputs; /* kept because values borrow their bytes */
  cli_strings strings;
  onnx_characters characters;
  onnx_effort effort;
  FILE *explain;   /* one line for each time that bytes are moved; may be NULL */
  size_t launches; /* of kernels, so far */
} onnx_graph;

/* Binds the initializers, then the files, in order, to the inputs that are no initializers. Both
 * `host` and `model` must outlive the graph. On failure nothing is left to close. */
clrs_status onnx_graph_open(cli_host *host, const cli_model *model, size_t path_count,
                            char *const *paths, onnx_graph *graph, clrs_error *error);
void onnx_graph_close(onnx_graph *graph);

/* Counts launches that are about to be made. Fails if a model of its size may not make so many. */
clrs_status onnx_graph_launch(onnx_graph *graph, uint32_t launches, clrs_error *error);

/* What the tensor of a value takes on the host, roughly. */
enum { ONNX_TENSOR_BYTES = sizeof(clrs_view) + 512 };

/* The value's tensor, uploaded now if it was on the host only. Not retained. */
clrs_status onnx_graph_tensor(onnx_graph *graph, model_value *value, clrs_tensor **tensor,
                              clrs_error *error);
/* The value's bytes; blocks for a download if it was on the device only. */
clrs_status onnx_graph_dense(onnx_graph *graph, model_value *value, const cli_dense **dense,
                             clrs_error *error);
/* The shape and type of a value wherever it is. */
const clrs_shape *onnx_graph_shape(const model_value *value);
clrs_dtype onnx_graph_dtype(const model_value *value);

/* The value's view, for an operation to change. */
clrs_status onnx_graph_view(onnx_graph *graph, model_value *value, clrs_view *view,
                            clrs_error *error);

/* The tensor in row-major order from a whole byte on, and the plan that was carried out for it.
 * Blocks until it is there. The caller releases *dense. */
clrs_status onnx_graph_materialize(onnx_graph *graph, clrs_tensor *tensor, clrs_tensor **dense,
                                   clrs_plan *plan, clrs_error *error);

#endif /* CLRESHAPE_CLI_ONNX_GRAPH_H */
