/*
 * What a graph ends with.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph.h"
#include "status.h"
#include "text.h"

size_t onnx_graph_output_count(const onnx_graph *graph) {
  return graph->model->proto->graph->n_output;
}

static clrs_status find_value(const onnx_graph *graph, size_t index, model_value **value,
                              clrs_error *error) {
  if (index >= onnx_graph_output_count(graph)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "output %zu of a graph with %zu", index,
                      onnx_graph_output_count(graph));
  }
  const Onnx__ValueInfoProto *output = graph->model->proto->graph->output[index];
  *value = model_values_find(&graph->values, output->name);
  if (*value == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "output %zu of the graph, \"%s\", is computed by no node", index,
                      clrs__show(output->name).text);
  }
  return CLRS_OK;
}

clrs_status onnx_graph_output(const onnx_graph *graph, size_t index, onnx_output *output,
                              clrs_error *error) {
  model_value *value;
  clrs_error inner;
  CLRS_TRY(find_value(graph, index, &value, error));
  *output = (onnx_output){
      .name = value->name, .dtype = onnx_graph_dtype(value), .shape = *onnx_graph_shape(value)};
  const clrs_status status = onnx_declared_check(graph->model->proto->graph->output[index]->type,
                                                 output->dtype, &output->shape, &inner);
  if (status != CLRS_OK) {
    return clrs__fail(error, status, "output %zu \"%s\": %s", index, clrs__show(value->name).text,
                      inner.message);
  }
  if (value->known && onnx_known_fits(output->dtype, &output->shape)) {
    output->is_known = true;
    output->bytes = value->dense.bytes;
    output->size = value->dense.size;
    output->strings = &graph->strings;
  }
  return CLRS_OK;
}

clrs_status onnx_graph_fetch(onnx_graph *graph, size_t index, clrs_tensor **tensor, cl_event *event,
                             clrs_error *error) {
  model_value *value;
  clrs_tensor *any, *dense;
  CLRS_TRY(find_value(graph, index, &value, error));
  const onnx_moved moved = {.index = index, .name = value->name};
  CLRS_TRY(onnx_graph_tensor(graph, value, &any, error));
  CLRS_TRY(onnx_graph_materialize(graph, any, &moved, &dense, error));
  const clrs_status status = onnx_device_event(&graph->device, event, error);
  if (status != CLRS_OK) {
    clrs_tensor_release(dense);
    return status;
  }
  *tensor = dense;
  return CLRS_OK;
}
