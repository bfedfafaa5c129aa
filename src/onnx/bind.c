/*
 * Opens and closes a graph: initializers and inputs become named values. Inputs are checked against
 * the model's declarations.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "graph.h"
#include "message.h"
#include "status.h"
#include "text.h"

static clrs_status bind_initializer(clrs_onnx_graph *graph, const Onnx__TensorProto *proto,
                                    clrs_error *error) {
  model_value *value;
  CLRS_TRY(model_values_add(&graph->values, proto->name, &value, error));
  CLRS_TRY(tensor_proto_decode(proto, &graph->arena, &graph->strings, &value->dense, error));
  onnx_arena_keep(&graph->arena, value->dense.owned);
  value->on_host = value->known = true;
  model_values_drop_unread(&graph->values, proto->name);
  return CLRS_OK;
}

static bool is_initializer(const clrs_onnx_graph *graph, const Onnx__ValueInfoProto *input) {
  const model_name *name = model_values_name(&graph->values, input->name);
  return name != NULL && name->node == MODEL_INITIALIZER;
}

/* Counts an input that is no initializer. The declared type is checked before binding, because the
 * bytes of another type would be another message than a TensorProto. */
static clrs_status count_input(clrs_onnx_graph *graph, const Onnx__ValueInfoProto *input,
                               clrs_error *error) {
  if (is_initializer(graph, input)) {
    return CLRS_OK;
  }
  graph->input_count++;
  if (onnx_declared_is_no_tensor(input->type)) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "input \"%s\" is declared as a sequence, map, optional or sparse tensor; "
                      "only tensors are read",
                      clrs__show(input->name).text);
  }
  return CLRS_OK;
}

static clrs_status bind_initializers(clrs_onnx_graph *graph, clrs_error *error) {
  const Onnx__GraphProto *proto = graph->model->proto->graph;
  clrs_error inner;
  for (size_t i = 0; i < proto->n_initializer; i++) {
    const clrs_status status = bind_initializer(graph, proto->initializer[i], &inner);
    if (status != CLRS_OK) {
      return clrs__fail(error, status, "initializer %zu: %s", i, inner.message);
    }
  }
  for (size_t i = 0; i < proto->n_input; i++) {
    CLRS_TRY(count_input(graph, proto->input[i], error));
  }
  return CLRS_OK;
}

/* ---- the run ---- */

/* Declares every name that gets a value. */
static clrs_status declare_values(const Onnx__GraphProto *proto, onnx_arena *arena,
                                  model_values *values, clrs_error *error) {
  size_t capacity = proto->n_input + proto->n_initializer;
  for (size_t i = 0; i < proto->n_node; i++) {
    capacity += proto->node[i]->n_output;
  }
  CLRS_TRY(model_values_init(capacity, arena, values, error));
  for (size_t i = 0; i < proto->n_input; i++) {
    model_values_declare(values, proto->input[i]->name, MODEL_NO_NODE);
  }
  for (size_t i = 0; i < proto->n_initializer; i++) {
    model_values_declare(values, proto->initializer[i]->name, MODEL_INITIALIZER);
  }
  for (size_t i = 0; i < proto->n_node; i++) {
    for (size_t k = 0; k < proto->node[i]->n_output; k++) {
      model_values_declare(values, proto->node[i]->output[k], (uint32_t)i);
    }
  }
  model_values_sort(values);
  return CLRS_OK;
}

static void expect_readers(const Onnx__GraphProto *proto, model_values *values) {
  for (size_t i = 0; i < proto->n_node; i++) {
    for (size_t k = 0; k < proto->node[i]->n_input; k++) {
      model_values_expect(values, proto->node[i]->input[k]);
    }
  }
  for (size_t i = 0; i < proto->n_output; i++) {
    model_values_expect(values, proto->output[i]->name);
  }
}

static clrs_status open_graph(clrs_onnx_graph *graph, clrs_context *context, cl_command_queue queue,
                              clrs_error *error) {
  const Onnx__GraphProto *proto = graph->model->proto->graph;
  CLRS_TRY(onnx_device_open(context, queue, &graph->device, error));
  CLRS_TRY(declare_values(proto, &graph->arena, &graph->values, error));
  expect_readers(proto, &graph->values);
  return bind_initializers(graph, error);
}

clrs_status clrs_onnx_graph_open(const clrs_onnx_model *model, clrs_context *context,
                                 cl_command_queue queue, const clrs_onnx_observer *observer,
                                 clrs_onnx_graph **graph, clrs_error *error) {
  CLRS_TRY(clrs__require(model, "model", error));
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(queue, "queue", error));
  CLRS_TRY(clrs__require(graph, "graph", error));
  clrs_onnx_graph *made = calloc(1, sizeof *made);
  if (made == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a graph");
  }
  made->model = model;
  made->arena = onnx_arena_of(model->memory);
  made->inputs.left = SIZE_MAX;
  made->observer = observer != NULL ? *observer : (clrs_onnx_observer){NULL, NULL};
  const clrs_status status = open_graph(made, context, queue, error);
  if (status != CLRS_OK) {
    clrs_onnx_graph_close(made);
    return status;
  }
  *graph = made;
  return CLRS_OK;
}

void clrs_onnx_graph_close(clrs_onnx_graph *graph) {
  if (graph == NULL) {
    return;
  }
  model_values_free(&graph->values);
  onnx_arena_end_node(&graph->arena);
  onnx_arena_end_node(&graph->inputs);
  onnx_strings_free(&graph->strings);
  if (graph->characters.buffer != NULL) {
    clReleaseMemObject(graph->characters.buffer);
  }
  clrs_tensor_release(graph->wanted);
  onnx_device_close(&graph->device);
  free(graph);
}

/* ---- inputs ---- */

size_t clrs_onnx_graph_input_count(const clrs_onnx_graph *graph) {
  return graph != NULL ? graph->input_count : 0;
}

static void free_message(void *block) {
  onnx__tensor_proto__free_unpacked(*(Onnx__TensorProto **)block, NULL);
}

/* Reads an input's message, which lives as long as the graph. */
static clrs_status read_message(clrs_onnx_graph *graph, const void *bytes, size_t size,
                                const Onnx__TensorProto **proto, clrs_error *error) {
  ProtobufCMessage *message = NULL;
  Onnx__TensorProto **held;
  CLRS_TRY(onnx_arena_take(&graph->inputs, 1, sizeof *held, &held, error));
  CLRS_TRY(onnx_message_read(&onnx__tensor_proto__descriptor, bytes, size, &message, NULL, error));
  *proto = *held = (Onnx__TensorProto *)message;
  onnx_arena_at_end(held, free_message);
  return CLRS_OK;
}

static clrs_status bind_input(clrs_onnx_graph *graph, const Onnx__ValueInfoProto *input,
                              const void *bytes, size_t size, clrs_error *error) {
  const Onnx__TensorProto *proto;
  model_value *value;
  onnx_dense *dense;
  CLRS_TRY(read_message(graph, bytes, size, &proto, error));
  CLRS_TRY(model_values_add(&graph->values, input->name, &value, error));
  CLRS_TRY(onnx_arena_take(&graph->inputs, 1, sizeof *dense, &dense, error));
  CLRS_TRY(tensor_proto_decode(proto, &graph->inputs, &graph->strings, dense, error));
  CLRS_TRY(onnx_declared_check_type(input->type, dense->dtype, error));
  CLRS_TRY(onnx_declared_check_dims(input->type, &dense->shape, error));
  value->input = dense;
  value->dense = *dense;
  value->dense.owned = NULL; /* graph->inputs owns the block */
  value->on_host = true;
  model_values_drop_unread(&graph->values, input->name);
  return CLRS_OK;
}

clrs_status clrs_onnx_graph_bind(clrs_onnx_graph *graph, const void *bytes, size_t size,
                                 clrs_error *error) {
  clrs_error inner;
  CLRS_TRY(clrs__require(graph, "graph", error));
  CLRS_TRY(clrs__require(size > 0 ? bytes : "", "bytes", error));
  const Onnx__GraphProto *proto = graph->model->proto->graph;
  if (graph->bound_count == graph->input_count) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the model has %zu inputs that are no initializers, and all are bound",
                      graph->input_count);
  }
  while (is_initializer(graph, proto->input[graph->next_input])) {
    graph->next_input++;
  }
  const Onnx__ValueInfoProto *input = proto->input[graph->next_input++];
  graph->bound_count++;
  const clrs_status status = bind_input(graph, input, bytes, size, &inner);
  if (status != CLRS_OK) {
    return clrs__fail(error, status, "input \"%s\": %s", clrs__show(input->name).text,
                      inner.message);
  }
  return CLRS_OK;
}
