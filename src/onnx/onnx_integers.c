/*
 * Lists of integers, which older operators take as attributes and newer ones as inputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "onnx_node.h"

void onnx_integers_free(onnx_integers *list) {
  free(list->values);
  memset(list, 0, sizeof *list);
}

static clrs_status allocate(size_t count, onnx_integers *list, clrs_error *error) {
  list->values = calloc(count + 1, sizeof *list->values);
  if (list->values == NULL)
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %zu integers", count);
  list->count = count;
  list->present = true;
  return CLRS_OK;
}

clrs_status onnx_node_ints(const onnx_node *node, const char *name, onnx_integers *list,
                           clrs_error *error) {
  const Onnx__AttributeProto *attribute = onnx_node_attribute(node, name);
  memset(list, 0, sizeof *list);
  if (attribute == NULL)
    return CLRS_OK;
  CLRS_TRY(allocate(attribute->n_ints, list, error));
  if (attribute->n_ints > 0)
    memcpy(list->values, attribute->ints, attribute->n_ints * sizeof *list->values);
  return CLRS_OK;
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
  if ((type_bit(dtype) & types) == 0)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "its type is %s; %s is allowed",
                      clrs_dtype_name(dtype, CLRS_TYPES_ONNX), allowed_types(types));
  if (shape->rank != 1 && (shape->rank != 0 || (types & ONNX_SCALAR) == 0))
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "it has %u dims; it must have 1", shape->rank);
  CLRS_TRY(clrs_shape_count(shape, &count, error));
  if ((uint64_t)count > limit)
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "it has %" PRId64 " values; at most %zu are allowed", count, limit);
  return CLRS_OK;
}

/* Whole numbers in float and double are exact up to these. */
static clrs_status from_double(double number, int64_t *value, clrs_error *error) {
  if (!(number >= -9007199254740992.0 && number <= 9007199254740992.0) ||
      (double)(int64_t)number != number)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%g is not a whole number below 2^53", number);
  *value = (int64_t)number;
  return CLRS_OK;
}

/* The bytes may be unaligned: raw_data is. */
static clrs_status read_value(const cli_dense *dense, size_t index, int64_t *value,
                              clrs_error *error) {
  const uint8_t *bytes = dense->bytes + index * (clrs_dtype_bits(dense->dtype) / 8);
  int32_t small;
  float single;
  double number;
  switch (dense->dtype) {
  case CLRS_I32:
    memcpy(&small, bytes, sizeof small);
    *value = small;
    return CLRS_OK;
  case CLRS_F32:
    memcpy(&single, bytes, sizeof single);
    return from_double((double)single, value, error);
  case CLRS_F64:
    memcpy(&number, bytes, sizeof number);
    return from_double(number, value, error);
  default:
    memcpy(value, bytes, sizeof *value);
    return CLRS_OK;
  }
}

static clrs_status read_list(const cli_dense *dense, onnx_integers *list, clrs_error *error) {
  int64_t count = 0;
  CLRS_TRY(clrs_shape_count(&dense->shape, &count, error));
  CLRS_TRY(allocate((size_t)count, list, error));
  clrs_status status = CLRS_OK;
  for (size_t i = 0; i < list->count && status == CLRS_OK; i++)
    status = read_value(dense, i, &list->values[i], error);
  if (status != CLRS_OK)
    onnx_integers_free(list);
  return status;
}

static clrs_status read_input(const onnx_node *node, model_value *value, onnx_integers *list,
                              clrs_error *error) {
  const cli_dense *dense;
  CLRS_TRY(onnx_graph_dense(node->graph, value, &dense, error));
  return read_list(dense, list, error);
}

clrs_status onnx_node_list(const onnx_node *node, size_t index, const char *name, unsigned types,
                           size_t limit, onnx_integers *list, clrs_error *error) {
  model_value *value;
  clrs_error inner;
  memset(list, 0, sizeof *list);
  CLRS_TRY(onnx_node_input(node, index, &value, error));
  if (value == NULL)
    return CLRS_OK;
  clrs_status status = check_list(value, types, limit, &inner);
  if (status == CLRS_OK)
    status = read_input(node, value, list, &inner);
  if (status != CLRS_OK)
    return clrs__fail(error, status, "input \"%s\": %s", name, inner.message);
  return CLRS_OK;
}
