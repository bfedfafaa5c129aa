/*
 * Binding initializers and input files to names, and holding the files to what the model declares.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_bind.h"

#include <stdlib.h>

#include "fail.h"
#include "onnx_declared.h"
#include "onnx_file.h"
#include "text.h"

static clrs_status bind_tensor(onnx_graph *graph, const char *name, const Onnx__TensorProto *proto,
                               model_value **value, clrs_error *error) {
  CLRS_TRY(model_values_add(&graph->values, name, value, error));
  CLRS_TRY(cli_tensor_proto_decode(proto, &graph->strings, &(*value)->dense, error));
  (*value)->on_host = true;
  return CLRS_OK;
}

static clrs_status bind_initializers(onnx_graph *graph, clrs_error *error) {
  const Onnx__GraphProto *proto = graph->model->proto->graph;
  for (size_t i = 0; i < proto->n_initializer; i++) {
    clrs_error inner;
    model_value *value;
    clrs_status status =
        bind_tensor(graph, proto->initializer[i]->name, proto->initializer[i], &value, &inner);
    if (status == CLRS_OK && value->dense.owned != NULL)
      status = model_values_charge(&graph->values, value, value->dense.size, &inner);
    if (status != CLRS_OK)
      return clrs__fail(error, status, "initializer %zu: %s", i, inner.message);
    value->known = true;
    model_values_drop_unread(&graph->values, proto->initializer[i]->name);
  }
  return CLRS_OK;
}

/* Asked before the file is read, which would be some other message than a TensorProto. */
static clrs_status check_kind(const Onnx__ValueInfoProto *input, clrs_error *error) {
  if (onnx_declared_is_no_tensor(input->type))
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "input \"%s\" is declared as a sequence, map, optional or sparse tensor; "
                      "only tensors are read",
                      clrs__show(input->name).text);
  return CLRS_OK;
}

static clrs_status read_tensor(onnx_graph *graph, const char *path, Onnx__TensorProto **proto,
                               clrs_error *error) {
  ProtobufCMessage *message;
  CLRS_TRY(onnx_file_read(path, &onnx__tensor_proto__descriptor, &message, NULL, error));
  *proto = graph->inputs[graph->input_count++] = (Onnx__TensorProto *)message;
  return CLRS_OK;
}

static clrs_status bind_file(onnx_graph *graph, const Onnx__ValueInfoProto *input, const char *path,
                             clrs_error *error) {
  Onnx__TensorProto *proto;
  model_value *value;
  clrs_error inner;
  CLRS_TRY(check_kind(input, error));
  CLRS_TRY(read_tensor(graph, path, &proto, error));
  clrs_status status = bind_tensor(graph, input->name, proto, &value, &inner);
  if (status == CLRS_OK)
    status = onnx_declared_check(input->type, value->dense.dtype, &value->dense.shape, &inner);
  if (status != CLRS_OK)
    return clrs__fail(error, status, "%s, for input \"%s\": %s", path, clrs__show(input->name).text,
                      inner.message);
  model_values_drop_unread(&graph->values, input->name);
  return CLRS_OK;
}

static bool is_initializer(const onnx_graph *graph, const Onnx__ValueInfoProto *input) {
  const model_name *name = model_values_name(&graph->values, input->name);
  return name != NULL && name->node == MODEL_INITIALIZER;
}

static clrs_status bind_files(onnx_graph *graph, size_t path_count, char *const *paths,
                              clrs_error *error) {
  const Onnx__GraphProto *proto = graph->model->proto->graph;
  size_t wanted = 0;
  for (size_t i = 0; i < proto->n_input; i++)
    wanted += !is_initializer(graph, proto->input[i]);
  if (wanted != path_count)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the model has %zu inputs that are no initializers, but %zu input files are "
                      "given",
                      wanted, path_count);
  for (size_t i = 0; i < proto->n_input; i++) {
    if (!is_initializer(graph, proto->input[i]))
      CLRS_TRY(bind_file(graph, proto->input[i], paths[graph->input_count], error));
  }
  return CLRS_OK;
}

clrs_status onnx_bind(onnx_graph *graph, size_t path_count, char *const *paths, clrs_error *error) {
  graph->inputs = calloc(path_count + 1, sizeof(Onnx__TensorProto *));
  if (graph->inputs == NULL)
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  CLRS_TRY(bind_initializers(graph, error));
  return bind_files(graph, path_count, paths, error);
}
