/* SPDX-License-Identifier: Apache-2.0 */
#include "integer_lists.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "operators.h"
#include "status.h"

onnx_integers onnx_node_ints(const onnx_node *node, const char *name) {
  static const int64_t none;
  const Onnx__AttributeProto *attribute = onnx_node_attribute(node, name);
  const onnx_integers list = {attribute != NULL, attribute != NULL ? attribute->n_ints : 0, &none};
  return list.count == 0 ? list : (onnx_integers){true, list.count, attribute->ints};
}

static unsigned type_bit(clrs_dtype dtype) {
  switch (dtype) {
  case CLRS_I64:
    return ONNX_INT64;
  case CLRS_I32:
    return ONNX_INT32;
  case CLRS_F32:
  case CLRS_F64:
    return ONNX_FLOATS;
  default:
    return 0;
  }
}

static const char *allowed_types(unsigned types) {
  switch (types & ~(unsigned)ONNX_SCALAR) {
  case ONNX_INT64:
    return "only int64";
  case ONNX_INT64 | ONNX_INT32:
    return "only int32 or int64";
  case ONNX_FLOATS:
    return "only float or double";
  default:
    return "only int32, int64, float or double";
  }
}

static clrs_status check_list(const model_value *value, unsigned types, size_t limit,
                              clrs_error *error) {
  const clrs_shape *shape = onnx_graph_shape(value);
  clrs_dtype dtype = onnx_graph_dtype(value);
  int64_t count = 0;
  if ((type_bit(dtype) & types) == 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "its type is %s; %s is allowed",
                      clrs_dtype_name(dtype, CLRS_TYPES_ONNX), allowed_types(types));
  }
  if (shape->rank != 1 && (shape->rank != 0 || (types & ONNX_SCALAR) == 0)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "it has %u dims; it must have 1", shape->rank);
  }
  CLRS_TRY(clrs_shape_count(shape, &count, error));
  if ((uint64_t)count > limit) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "it has %" PRId64 " values; at most %zu are allowed", count, limit);
  }
  return CLRS_OK;
}

/* Converts a whole number. Floats and doubles are exact up to 2^53. */
static clrs_status from_double(double number, int64_t *value, clrs_error *error) {
  if (!(number >= -9007199254740992.0 && number <= 9007199254740992.0) ||
      (double)(int64_t)number != number) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%g is not a whole number below 2^53", number);
  }
  *value = (int64_t)number;
  return CLRS_OK;
}

static clrs_status read_value(const onnx_dense *dense, size_t index, int64_t *value,
                              clrs_error *error) {
  onnx_number number;
  onnx_number_load(dense, index, &number);
  *value = number.whole;
  return onnx_number_is_real(dense->dtype) ? from_double(number.real, value, error) : CLRS_OK;
}

static clrs_status read_list(const onnx_node *node, model_value *value, onnx_integers *list,
                             clrs_error *error) {
  const onnx_dense *dense;
  int64_t *values, count = 0;
  CLRS_TRY(onnx_graph_dense(node->graph, value, &dense, error));
  CLRS_TRY(clrs_shape_count(&dense->shape, &count, error));
  CLRS_TRY(onnx_arena_take(&node->graph->arena, (size_t)count, sizeof *values, &values, error));
  for (size_t i = 0; i < (size_t)count; i++) {
    CLRS_TRY(read_value(dense, i, &values[i], error));
  }
  *list = (onnx_integers){true, (size_t)count, values};
  return CLRS_OK;
}

clrs_status onnx_node_list(const onnx_node *node, size_t index, const char *name, unsigned types,
                           size_t limit, onnx_integers *list, clrs_error *error) {
  model_value *value;
  clrs_error inner;
  *list = onnx_node_ints(node, name);
  if (node->op->max_inputs <= index) {
    return CLRS_OK;
  }
  CLRS_TRY(onnx_node_input(node, index, &value, error));
  if (value == NULL) {
    return CLRS_OK;
  }
  clrs_status status = check_list(value, types, limit, &inner);
  if (status == CLRS_OK) {
    status = read_list(node, value, list, &inner);
  }
  if (status != CLRS_OK) {
    return clrs__fail(error, status, "input \"%s\": %s", name, inner.message);
  }
  return CLRS_OK;
}

clrs_status onnx_node_require(const onnx_integers *list, const char *name, clrs_error *error) {
  return list->present ? CLRS_OK
                       : clrs__fail(error, CLRS_INVALID_ARGUMENT, "attribute %s is missing", name);
}

clrs_status onnx_apply(const char *operation, size_t count, const int64_t *values, clrs_view *view,
                       clrs_error *error) {
  char text[32 + 21 * CLRS_MAX_RANK];
  int used = snprintf(text, sizeof text, "%s", operation);
  if (count > CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "%zu integers for %s; %d is the limit", count,
                      operation, CLRS_MAX_RANK);
  }
  for (size_t i = 0; i < count; i++) {
    used += snprintf(text + used, sizeof text - (size_t)used, "%c%" PRId64, i == 0 ? '=' : ',',
                     values[i]);
  }
  return clrs_view_apply(view, text, error);
}
