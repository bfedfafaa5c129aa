/*
 * Constant, in its forms: a tensor, numbers or strings as attributes; and ConstantOfShape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "onnx_known.h"
#include "onnx_ops.h"

/* Numbers of one attribute: a scalar if `rank` is 0, else a list. */
typedef struct numbers {
  clrs_dtype dtype;
  size_t rank, count;
  const void *values;
} numbers;

static clrs_status copy_numbers(const numbers *from, cli_dense *dense, clrs_error *error) {
  int64_t dims[1] = {(int64_t)from->count};
  size_t size = from->count * clrs_dtype_bits(from->dtype) / 8;
  CLRS_TRY(clrs_shape_init(from->rank, dims, &dense->shape, error));
  dense->owned = malloc(size + 1);
  if (dense->owned == NULL)
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %zu bytes", size);
  if (size > 0)
    memcpy(dense->owned, from->values, size);
  dense->dtype = from->dtype;
  dense->bytes = dense->owned;
  dense->size = size;
  return CLRS_OK;
}

static clrs_status copy_strings(onnx_graph *graph, const numbers *from, cli_dense *dense,
                                clrs_error *error) {
  int64_t dims[1] = {(int64_t)from->count};
  CLRS_TRY(clrs_shape_init(from->rank, dims, &dense->shape, error));
  dense->dtype = CLRS_STRING;
  return cli_dense_from_strings(from->count, from->values, &graph->strings, dense, error);
}

static clrs_status read_attribute(onnx_graph *graph, const Onnx__AttributeProto *attribute,
                                  cli_dense *dense, clrs_error *error) {
  const char *name = attribute->name;
  numbers from;
  if (strcmp(name, "value") == 0)
    return cli_tensor_proto_decode(attribute->t, &graph->strings, dense, error);
  if (strcmp(name, "value_string") == 0)
    from = (numbers){CLRS_STRING, 0, 1, &attribute->s};
  else if (strcmp(name, "value_strings") == 0)
    from = (numbers){CLRS_STRING, 1, attribute->n_strings, attribute->strings};
  else if (strcmp(name, "value_int") == 0)
    from = (numbers){CLRS_I64, 0, 1, &attribute->i};
  else if (strcmp(name, "value_ints") == 0)
    from = (numbers){CLRS_I64, 1, attribute->n_ints, attribute->ints};
  else if (strcmp(name, "value_float") == 0)
    from = (numbers){CLRS_F32, 0, 1, &attribute->f};
  else if (strcmp(name, "value_floats") == 0)
    from = (numbers){CLRS_F32, 1, attribute->n_floats, attribute->floats};
  else
    return clrs__fail(error, CLRS_UNSUPPORTED, "attribute %s is not read", name);
  return from.dtype == CLRS_STRING ? copy_strings(graph, &from, dense, error)
                                   : copy_numbers(&from, dense, error);
}

/* The bytes stay on the host until a node needs them on the device: most constants are shapes. */
clrs_status onnx_constant(const onnx_node *node, clrs_error *error) {
  cli_dense dense = {0};
  if (node->proto->n_attribute != 1)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "it has %zu values; exactly 1 must be given",
                      node->proto->n_attribute);
  clrs_status status = read_attribute(node->graph, node->proto->attribute[0], &dense, error);
  if (status == CLRS_OK)
    return onnx_node_give_known(node, &dense, error);
  cli_dense_free(&dense);
  return status;
}

static clrs_status read_fill(const onnx_node *node, cli_dense *dense, clrs_error *error) {
  const Onnx__AttributeProto *attribute = onnx_node_attribute(node, "value");
  const clrs_shape scalar = {.rank = 0};
  int64_t count = 0;
  if (attribute == NULL)
    return onnx_known_make(&node->graph->effort, CLRS_F32, &scalar, dense, error);
  CLRS_TRY(cli_tensor_proto_decode(attribute->t, &node->graph->strings, dense, error));
  CLRS_TRY(clrs_shape_count(&dense->shape, &count, error));
  if (count != 1)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "attribute value has %" PRId64 " elements; it must have 1", count);
  dense->shape = scalar;
  return CLRS_OK;
}

/* One element, shown everywhere. */
static clrs_status spread(const onnx_node *node, model_value *element, clrs_error *error) {
  onnx_integers dims = {0};
  clrs_shape shape;
  clrs_view view;
  CLRS_TRY(read_fill(node, &element->dense, error));
  CLRS_TRY(onnx_node_list(node, 0, "input", ONNX_INT64, CLRS_MAX_RANK, &dims, error));
  clrs_status status = clrs_shape_init(dims.count, dims.values, &shape, error);
  onnx_integers_free(&dims);
  CLRS_TRY(status);
  CLRS_TRY(onnx_graph_view(node->graph, element, &view, error));
  CLRS_TRY(clrs_view_expand(&view, &shape, error));
  return onnx_node_output(node, 0, element, &view, error);
}

clrs_status onnx_constant_of_shape(const onnx_node *node, clrs_error *error) {
  model_value element = {.on_host = true, .known = true};
  clrs_status status = spread(node, &element, error);
  model_value_free(&node->graph->values, &element);
  return status;
}
