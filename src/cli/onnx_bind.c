/*
 * Binding initializers and input files to names, and holding the files to what the model declares.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_bind.h"

#include <inttypes.h>
#include <stdlib.h>

#include "escape.h"
#include "fail.h"
#include "onnx_file.h"

static clrs_status bind_tensor(onnx_graph *graph, const char *name, const Onnx__TensorProto *proto,
                               model_value **value, clrs_error *error) {
  CLI_TRY(model_values_add(&graph->values, name, value, error));
  CLI_TRY(cli_tensor_proto_decode(proto, &graph->strings, &(*value)->dense, error));
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
      return cli_fail(error, status, "initializer %zu: %s", i, inner.message);
    value->known = true;
    model_values_drop_unread(&graph->values, proto->initializer[i]->name);
  }
  return CLRS_OK;
}

static clrs_status check_dim(const Onnx__TensorShapeProto__Dimension *dim, size_t index,
                             int64_t extent, clrs_error *error) {
  if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE &&
      dim->dim_value != extent)
    return cli_fail(error, CLRS_INVALID_ARGUMENT,
                    "dimension %zu is %" PRId64 "; the model declares %" PRId64, index, extent,
                    dim->dim_value);
  return CLRS_OK;
}

static clrs_status check_dims(const Onnx__TensorShapeProto *declared, const clrs_shape *shape,
                              clrs_error *error) {
  if (declared == NULL)
    return CLRS_OK;
  if (declared->n_dim != shape->rank)
    return cli_fail(error, CLRS_INVALID_ARGUMENT, "it has %u dims; the model declares %zu",
                    shape->rank, declared->n_dim);
  for (size_t i = 0; i < declared->n_dim; i++)
    CLI_TRY(check_dim(declared->dim[i], i, shape->dims[i], error));
  return CLRS_OK;
}

/* Asked before the file is read, which would be some other message than a TensorProto. */
static clrs_status check_kind(const Onnx__ValueInfoProto *input, clrs_error *error) {
  const Onnx__TypeProto *type = input->type;
  if (type != NULL && type->value_case != ONNX__TYPE_PROTO__VALUE__NOT_SET &&
      type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE)
    return cli_fail(error, CLRS_UNSUPPORTED,
                    "input \"%s\" is declared as a sequence, map, optional or sparse tensor; "
                    "only tensors are read",
                    cli_show(input->name).text);
  return CLRS_OK;
}

/* A model may leave out the type, or any part of it. */
static clrs_status check_declared(const Onnx__TypeProto *type, const cli_dense *tensor,
                                  clrs_error *error) {
  if (type == NULL || type->tensor_type == NULL)
    return CLRS_OK;
  const Onnx__TypeProto__Tensor *declared = type->tensor_type;
  if (declared->has_elem_type && declared->elem_type != 0 &&
      declared->elem_type != clrs_dtype_to_onnx(tensor->dtype))
    return cli_fail(error, CLRS_INVALID_ARGUMENT,
                    "its data_type is %d; the model declares elem_type %d",
                    (int)clrs_dtype_to_onnx(tensor->dtype), (int)declared->elem_type);
  return check_dims(declared->shape, &tensor->shape, error);
}

static clrs_status read_tensor(onnx_graph *graph, const char *path, Onnx__TensorProto **proto,
                               clrs_error *error) {
  ProtobufCMessage *message;
  CLI_TRY(onnx_file_read(path, &onnx__tensor_proto__descriptor, &message, NULL, error));
  *proto = graph->inputs[graph->input_count++] = (Onnx__TensorProto *)message;
  return CLRS_OK;
}

static clrs_status bind_file(onnx_graph *graph, const Onnx__ValueInfoProto *input, const char *path,
                             clrs_error *error) {
  Onnx__TensorProto *proto;
  model_value *value;
  clrs_error inner;
  CLI_TRY(check_kind(input, error));
  CLI_TRY(read_tensor(graph, path, &proto, error));
  clrs_status status = bind_tensor(graph, input->name, proto, &value, &inner);
  if (status == CLRS_OK)
    status = check_declared(input->type, &value->dense, &inner);
  if (status != CLRS_OK)
    return cli_fail(error, status, "%s, for input \"%s\": %s", path, cli_show(input->name).text,
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
    return cli_fail(error, CLRS_INVALID_ARGUMENT,
                    "the model has %zu inputs that are no initializers, but %zu input files are "
                    "given",
                    wanted, path_count);
  for (size_t i = 0; i < proto->n_input; i++) {
    if (!is_initializer(graph, proto->input[i]))
      CLI_TRY(bind_file(graph, proto->input[i], paths[graph->input_count], error));
  }
  return CLRS_OK;
}

clrs_status onnx_bind(onnx_graph *graph, size_t path_count, char *const *paths, clrs_error *error) {
  graph->inputs = calloc(path_count + 1, sizeof(Onnx__TensorProto *));
  if (graph->inputs == NULL)
    return cli_fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  CLI_TRY(bind_initializers(graph, error));
  return bind_files(graph, path_count, paths, error);
}
