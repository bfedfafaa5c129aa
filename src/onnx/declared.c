/* SPDX-License-Identifier: Apache-2.0 */
#include "declared.h"

#include <inttypes.h>

#include "status.h"

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

static clrs_status check_dims(const Onnx__TensorShapeProto *declared, const clrs_shape *shape,
                              clrs_error *error) {
  if (declared == NULL) {
    return CLRS_OK;
  }
  if (declared->n_dim != shape->rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "it has %u dims; the model declares %zu",
                      shape->rank, declared->n_dim);
  }
  for (size_t i = 0; i < declared->n_dim; i++) {
    CLRS_TRY(check_dim(declared->dim[i], i, shape->dims[i], error));
  }
  return CLRS_OK;
}

clrs_status onnx_declared_check(const Onnx__TypeProto *type, clrs_dtype dtype,
                                const clrs_shape *shape, clrs_error *error) {
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
  return check_dims(declared->shape, shape, error);
}
