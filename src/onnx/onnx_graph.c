/*
 * Values of a graph between host and device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_graph.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "onnx_bind.h"
#include "onnx_characters.h"
#include "transfer.h"

/* Every name that gets a value, and how many will read it. */
static clrs_status declare_values(const Onnx__GraphProto *proto, size_t memory,
                                  model_values *values, clrs_error *error) {
  size_t capacity = proto->n_input + proto->n_initializer;
  for (size_t i = 0; i < proto->n_node; i++)
    capacity += proto->node[i]->n_output;
  CLRS_TRY(model_values_init(capacity, memory, values, error));
  for (size_t i = 0; i < proto->n_input; i++)
    model_values_declare(values, proto->input[i]->name, MODEL_NO_NODE);
  for (size_t i = 0; i < proto->n_initializer; i++)
    model_values_declare(values, proto->initializer[i]->name, MODEL_INITIALIZER);
  for (size_t i = 0; i < proto->n_node; i++) {
    for (size_t k = 0; k < proto->node[i]->n_output; k++)
      model_values_declare(values, proto->node[i]->output[k], (uint32_t)i);
  }
  model_values_sort(values);
  return CLRS_OK;
}

static void expect_readers(const Onnx__GraphProto *proto, model_values *values) {
  for (size_t i = 0; i < proto->n_node; i++) {
    for (size_t k = 0; k < proto->node[i]->n_input; k++)
      model_values_expect(values, proto->node[i]->input[k]);
  }
  for (size_t i = 0; i < proto->n_output; i++)
    model_values_expect(values, proto->output[i]->name);
}

clrs_status onnx_graph_open(cli_host *host, const cli_model *model, size_t path_count,
                            char *const *paths, onnx_graph *graph, clrs_error *error) {
  *graph = (onnx_graph){.host = host, .model = model, .effort = onnx_effort_of(model->memory)};
  CLRS_TRY(declare_values(model->proto->graph, model->memory, &graph->values, error));
  expect_readers(model->proto->graph, &graph->values);
  clrs_status status = onnx_bind(graph, path_count, paths, error);
  if (status != CLRS_OK)
    onnx_graph_close(graph);
  return status;
}

void onnx_graph_close(onnx_graph *graph) {
  model_values_free(&graph->values);
  for (size_t i = 0; i < graph->input_count; i++)
    onnx__tensor_proto__free_unpacked(graph->inputs[i], NULL);
  free(graph->inputs);
  cli_strings_free(&graph->strings);
  onnx_characters_release(&graph->characters);
  memset(graph, 0, sizeof *graph);
}

const clrs_shape *onnx_graph_shape(const model_value *value) {
  return value->tensor != NULL ? &clrs_tensor_view(value->tensor)->shape : &value->dense.shape;
}

clrs_dtype onnx_graph_dtype(const model_value *value) {
  return value->tensor != NULL ? clrs_tensor_view(value->tensor)->dtype : value->dense.dtype;
}

static clrs_status upload(onnx_graph *graph, const cli_dense *dense, clrs_tensor **tensor,
                          clrs_error *error) {
  clrs_layout layout;
  clrs_tensor *plain;
  CLRS_TRY(clrs_layout_init(dense->dtype, &dense->shape, NULL, 0, &layout, error));
  CLRS_TRY(cli_host_upload(graph->host, &layout, dense->bytes, dense->size, &plain, error));
  return onnx_characters_attach(graph, plain, tensor, error);
}

clrs_status onnx_graph_tensor(onnx_graph *graph, model_value *value, clrs_tensor **tensor,
                              clrs_error *error) {
  if (value->tensor == NULL) {
    CLRS_TRY(model_values_charge(&graph->values, value, ONNX_TENSOR_BYTES, error));
    CLRS_TRY(upload(graph, &value->dense, &value->tensor, error));
  }
  *tensor = value->tensor;
  return CLRS_OK;
}

clrs_status onnx_graph_view(onnx_graph *graph, model_value *value, clrs_view *view,
                            clrs_error *error) {
  clrs_tensor *tensor;
  if (value->known)
    return clrs_view_dense(value->dense.dtype, &value->dense.shape, view, error);
  CLRS_TRY(onnx_graph_tensor(graph, value, &tensor, error));
  *view = *clrs_tensor_view(tensor);
  return CLRS_OK;
}

static clrs_status materialize(onnx_graph *graph, clrs_tensor *tensor, clrs_copy_policy policy,
                               clrs_tensor **result, clrs_error *error) {
  cl_event event;
  CLRS_TRY(clrs_enqueue_materialize(graph->host->clreshape, tensor, policy, result,
                                    graph->host->queue, 0, NULL, &event, error));
  clrs_status status = cli_host_wait(event, "the move", error);
  if (status != CLRS_OK)
    clrs_tensor_release(*result);
  return status;
}

clrs_status onnx_graph_launch(onnx_graph *graph, uint32_t launches, clrs_error *error) {
  const uint64_t elements = (uint64_t)launches * ONNX_ELEMENTS_PER_LAUNCH;
  CLRS_TRY(onnx_effort_spend(&graph->effort, elements, error));
  graph->launches += launches;
  return CLRS_OK;
}

/* An alias may have strides or begin within a byte; only then is a dense copy asked for. */
clrs_status onnx_graph_materialize(onnx_graph *graph, clrs_tensor *tensor, clrs_tensor **dense,
                                   clrs_plan *plan, clrs_error *error) {
  clrs_copy_policy policy = CLRS_COPY_IF_NEEDED;
  for (;;) {
    CLRS_TRY(clrs_tensor_plan(graph->host->clreshape, tensor, NULL, policy, plan, error));
    CLRS_TRY(onnx_graph_launch(graph, plan->launch_count, error));
    CLRS_TRY(materialize(graph, tensor, policy, dense, error));
    if (policy == CLRS_COPY_ALWAYS || cli_host_is_dense(*dense))
      return CLRS_OK;
    clrs_tensor_release(*dense);
    policy = CLRS_COPY_ALWAYS;
  }
}

static clrs_status download(onnx_graph *graph, model_value *value, clrs_tensor *dense,
                            clrs_error *error) {
  const clrs_view *view = clrs_tensor_view(dense);
  cli_dense result = {.dtype = view->dtype, .shape = view->shape};
  uint64_t size = 0;
  CLRS_TRY(cli_dense_size(view->dtype, &view->shape, &size, error));
  result.owned = malloc((size_t)size + 1);
  if (result.owned == NULL)
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %zu bytes", (size_t)size);
  result.bytes = result.owned;
  result.size = (size_t)size;
  clrs_status status = cli_host_download(graph->host, dense, result.owned, result.size, error);
  if (status != CLRS_OK) {
    cli_dense_free(&result);
    return status;
  }
  value->dense = result;
  value->on_host = true;
  return CLRS_OK;
}

clrs_status onnx_graph_dense(onnx_graph *graph, model_value *value, const cli_dense **dense,
                             clrs_error *error) {
  if (!value->on_host) {
    clrs_plan plan;
    clrs_tensor *tensor;
    CLRS_TRY(onnx_graph_materialize(graph, value->tensor, &tensor, &plan, error));
    clrs_status status = download(graph, value, tensor, error);
    clrs_tensor_release(tensor);
    CLRS_TRY(status);
  }
  *dense = &value->dense;
  return CLRS_OK;
}
