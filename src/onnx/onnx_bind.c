/*
 * Binding initializers and inputs to names, and holding the inputs to what the model declares.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_bind.h"

#include "onnx_declared.h"
#include "onnx_message.h"
#include "status.h"
#include "text.h"

static clrs_status bind_initializer(onnx_graph *graph, const Onnx__TensorProto *proto,
                                    clrs_error *error) {
  model_value *value;
  CLRS_TRY(model_values_add(&graph->values, proto->name, &value, error));
  CLRS_TRY(tensor_proto_decode(proto, &graph->arena, &graph->strings, &value->dense, error));
  onnx_arena_keep(&graph->arena, value->dense.owned);
  value->on_host = value->known = true;
  model_values_drop_unread(&graph->values, proto->name);
  return CLRS_OK;
}

static bool is_initializer(const onnx_graph *graph, const Onnx__ValueInfoProto *input) {
  const model_name *name = model_values_name(&graph->values, input->name);
  return name != NULL && name->node == MODEL_INITIALIZER;
}

/* Asked before there is a tensor, whose bytes would be some other message than a TensorProto. */
static clrs_status count_input(onnx_graph *graph, const Onnx__ValueInfoProto *input,
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

clrs_status onnx_bind_initializers(onnx_graph *graph, clrs_error *error) {
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

size_t onnx_graph_input_count(const onnx_graph *graph) {
  return graph->input_count;
}

static void free_message(void *block) {
  onnx__tensor_proto__free_unpacked(*(Onnx__TensorProto **)block, NULL);
}

/* The message lives as long as the graph. */
static clrs_status read_message(onnx_graph *graph, const void *bytes, size_t size,
                                const Onnx__TensorProto **proto, clrs_error *error) {
  ProtobufCMessage *message = NULL;
  Onnx__TensorProto **held;
  CLRS_TRY(onnx_arena_take(&graph->inputs, 1, sizeof *held, &held, error));
  CLRS_TRY(onnx_message_read(&onnx__tensor_proto__descriptor, bytes, size, &message, NULL, error));
  *proto = *held = (Onnx__TensorProto *)message;
  onnx_arena_at_end(held, free_message);
  return CLRS_OK;
}

static clrs_status bind_input(onnx_graph *graph, const Onnx__ValueInfoProto *input,
                              const void *bytes, size_t size, clrs_error *error) {
  const Onnx__TensorProto *proto;
  model_value *value;
  onnx_dense dense;
  CLRS_TRY(read_message(graph, bytes, size, &proto, error));
  CLRS_TRY(model_values_add(&graph->values, input->name, &value, error));
  CLRS_TRY(tensor_proto_decode(proto, &graph->inputs, &graph->strings, &dense, error));
  CLRS_TRY(onnx_declared_check(input->type, dense.dtype, &dense.shape, error));
  value->dense = dense;
  value->dense.owned = NULL; /* the graph has the block */
  value->on_host = true;
  model_values_drop_unread(&graph->values, input->name);
  return CLRS_OK;
}

clrs_status onnx_graph_bind(onnx_graph *graph, const void *bytes, size_t size, clrs_error *error) {
  const Onnx__GraphProto *proto = graph->model->proto->graph;
  clrs_error inner;
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
