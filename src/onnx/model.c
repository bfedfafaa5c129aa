/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "status.h"
#include "text.h"

/* From this IR version on, a model must name an opset. Earlier models have opset 1. */
enum { FIRST_IR_WITH_OPSET = 3 };

bool onnx_model_is_default_domain(const char *domain) {
  return domain == NULL || domain[0] == '\0' || strcmp(domain, "ai.onnx") == 0;
}

static clrs_status read_opset(clrs_onnx_model *model, clrs_error *error) {
  const Onnx__ModelProto *proto = model->proto;
  const Onnx__OperatorSetIdProto *found = NULL;
  for (size_t i = 0; i < proto->n_opset_import; i++) {
    if (!onnx_model_is_default_domain(proto->opset_import[i]->domain)) {
      continue;
    }
    if (found != NULL) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "opset_import names the default domain twice; it must do so once");
    }
    found = proto->opset_import[i];
  }
  if (found == NULL && proto->ir_version >= FIRST_IR_WITH_OPSET) {
    return clrs__fail(
        error, CLRS_INVALID_ARGUMENT,
        "opset_import does not name the default domain, as it must since IR version 3");
  }
  model->opset = found == NULL ? 1 : found->version;
  if (model->opset < 1 || model->opset > MODEL_NEWEST_OPSET) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "opset %" PRId64 " is not one of 1 to %d",
                      model->opset, MODEL_NEWEST_OPSET);
  }
  return CLRS_OK;
}

static clrs_status check_versions(clrs_onnx_model *model, clrs_error *error) {
  const Onnx__ModelProto *proto = model->proto;
  if (proto->graph == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "it has no graph");
  }
  if (!proto->has_ir_version || proto->ir_version < 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "ir_version is %" PRId64 "; it must be at least 1", proto->ir_version);
  }
  return read_opset(model, error);
}

static clrs_status check_limits(const Onnx__GraphProto *graph, clrs_error *error) {
  if (graph->n_node > MODEL_MAX_NODES) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "%zu nodes; at most %d are executed",
                      graph->n_node, MODEL_MAX_NODES);
  }
  size_t values = graph->n_input + graph->n_initializer;
  for (size_t i = 0; i < graph->n_node; i++) {
    values += graph->node[i]->n_output;
  }
  if (values > MODEL_MAX_VALUES) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "%zu values; at most %d are kept", values,
                      MODEL_MAX_VALUES);
  }
  if (graph->n_sparse_initializer > 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "it has a sparse_initializer, which is not read");
  }
  if (graph->n_output == 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "its graph has no output");
  }
  return CLRS_OK;
}

/* Refuses functions that redefine ONNX's operators. Functions of other domains are refused at the
 * calling node. */
static clrs_status check_functions(const Onnx__ModelProto *proto, clrs_error *error) {
  for (size_t i = 0; i < proto->n_functions; i++) {
    const Onnx__FunctionProto *function = proto->functions[i];
    if (onnx_model_is_default_domain(function->domain)) {
      return clrs__fail(error, CLRS_UNSUPPORTED,
                        "its function \"%s\" redefines an operator of ONNX; functions are not "
                        "executed",
                        clrs__show(function->name).text);
    }
  }
  return CLRS_OK;
}

static clrs_status check(clrs_onnx_model *model, clrs_error *error) {
  CLRS_TRY(check_versions(model, error));
  CLRS_TRY(check_functions(model->proto, error));
  return check_limits(model->proto->graph, error);
}

static clrs_status read_model(const void *bytes, size_t size, clrs_onnx_model *model,
                              clrs_error *error) {
  ProtobufCMessage *message;
  CLRS_TRY(onnx_message_read(&onnx__model_proto__descriptor, bytes, size, &message, &model->memory,
                             error));
  model->proto = (Onnx__ModelProto *)message;
  return check(model, error);
}

clrs_status clrs_onnx_model_load(const void *bytes, size_t size, clrs_onnx_model **model,
                                 clrs_error *error) {
  CLRS_TRY(clrs__require(size > 0 ? bytes : "", "bytes", error));
  CLRS_TRY(clrs__require(model, "model", error));
  clrs_onnx_model *made = calloc(1, sizeof *made);
  if (made == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a model");
  }
  const clrs_status status = read_model(bytes, size, made, error);
  if (status != CLRS_OK) {
    clrs_onnx_model_free(made);
    return status;
  }
  *model = made;
  return CLRS_OK;
}

void clrs_onnx_model_free(clrs_onnx_model *model) {
  if (model != NULL && model->proto != NULL) {
    onnx__model_proto__free_unpacked(model->proto, NULL);
  }
  free(model);
}

/* ---- what it declares of its inputs and outputs ---- */

bool onnx_declared_is_no_tensor(const Onnx__TypeProto *type) {
  return type != NULL && type->value_case != ONNX__TYPE_PROTO__VALUE__NOT_SET &&
         type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
}

static clrs_status check_dim(const Onnx__TensorShapeProto__Dimension *dim, size_t index,
                             int64_t extent, clrs_error *error) {
  if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE &&
      dim->dim_value >= 0 && dim->dim_value != extent) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "dimension %zu is %" PRId64 "; the model declares %" PRId64, index, extent,
                      dim->dim_value);
  }
  return CLRS_OK;
}

clrs_status onnx_declared_check_dims(const Onnx__TypeProto *type, const clrs_shape *shape,
                                     clrs_error *error) {
  if (type == NULL || onnx_declared_is_no_tensor(type) || type->tensor_type == NULL ||
      type->tensor_type->shape == NULL) {
    return CLRS_OK;
  }
  const Onnx__TensorShapeProto *declared = type->tensor_type->shape;
  if (declared->n_dim != shape->rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "it has %u dims; the model declares %zu",
                      shape->rank, declared->n_dim);
  }
  for (size_t i = 0; i < declared->n_dim; i++) {
    CLRS_TRY(check_dim(declared->dim[i], i, shape->dims[i], error));
  }
  return CLRS_OK;
}

clrs_status onnx_declared_check_type(const Onnx__TypeProto *type, clrs_dtype dtype,
                                     clrs_error *error) {
  if (onnx_declared_is_no_tensor(type)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "it is a tensor; the model declares a sequence, map, optional or sparse "
                      "tensor");
  }
  if (type == NULL || type->tensor_type == NULL) {
    return CLRS_OK;
  }
  const Onnx__TypeProto__Tensor *declared = type->tensor_type;
  if (declared->has_elem_type && declared->elem_type != 0 &&
      declared->elem_type != clrs_dtype_to_onnx(dtype)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "its data_type is %d; the model declares elem_type %d",
                      (int)clrs_dtype_to_onnx(dtype), (int)declared->elem_type);
  }
  return CLRS_OK;
}
