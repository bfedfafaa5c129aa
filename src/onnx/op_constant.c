/*
 * Constant in all forms (a tensor, numbers or strings as attributes), and ConstantOfShape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "fold.h"
#include "operators.h"
#include "status.h"

/* Numbers of an attribute: a scalar if `rank` is 0, else a list. */
typedef struct numbers {
  clrs_dtype dtype;
  size_t rank, count;
  const void *values;
} numbers;

/* Numbers are borrowed from the model. */
static clrs_status take_numbers(clrs_onnx_graph *graph, const numbers *from, onnx_dense *dense,
                                clrs_error *error) {
  const int64_t dims[1] = {(int64_t)from->count};
  *dense = (onnx_dense){.dtype = from->dtype};
  CLRS_TRY(clrs_shape_init(from->rank, dims, &dense->shape, error));
  if (from->dtype == CLRS_STRING) {
    return onnx_dense_from_strings(from->count, from->values, &graph->arena, &graph->strings, dense,
                                   error);
  }
  dense->bytes = from->values;
  dense->size = from->count * clrs_dtype_bits(from->dtype) / 8;
  return CLRS_OK;
}

static clrs_status read_attribute(clrs_onnx_graph *graph, const Onnx__AttributeProto *attribute,
                                  onnx_dense *dense, clrs_error *error) {
  const char *name = attribute->name;
  numbers from;
  if (strcmp(name, "value") == 0) {
    return tensor_proto_decode(attribute->t, &graph->arena, &graph->strings, dense, error);
  }
  if (strcmp(name, "value_string") == 0) {
    from = (numbers){CLRS_STRING, 0, 1, &attribute->s};
  } else if (strcmp(name, "value_strings") == 0) {
    from = (numbers){CLRS_STRING, 1, attribute->n_strings, attribute->strings};
  } else if (strcmp(name, "value_int") == 0) {
    from = (numbers){CLRS_I64, 0, 1, &attribute->i};
  } else if (strcmp(name, "value_ints") == 0) {
    from = (numbers){CLRS_I64, 1, attribute->n_ints, attribute->ints};
  } else if (strcmp(name, "value_float") == 0) {
    from = (numbers){CLRS_F32, 0, 1, &attribute->f};
  } else if (strcmp(name, "value_floats") == 0) {
    from = (numbers){CLRS_F32, 1, attribute->n_floats, attribute->floats};
  } else {
    return clrs__fail(error, CLRS_UNSUPPORTED, "attribute %s is not read", name);
  }
  return take_numbers(graph, &from, dense, error);
}

/* Gives a constant. The bytes stay on the host until a node needs the bytes on the device, because
 * most constants are shapes. */
clrs_status onnx_constant(const onnx_node *node, clrs_error *error) {
  onnx_dense dense;
  if (node->proto->n_attribute != 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "it has %zu values; exactly 1 must be given",
                      node->proto->n_attribute);
  }
  CLRS_TRY(read_attribute(node->graph, node->proto->attribute[0], &dense, error));
  return onnx_node_give_known(node, &dense, error);
}

static clrs_status read_fill(const onnx_node *node, onnx_dense *dense, clrs_error *error) {
  clrs_onnx_graph *graph = node->graph;
  const Onnx__AttributeProto *attribute = onnx_node_attribute(node, "value");
  const clrs_shape scalar = {.rank = 0};
  int64_t count = 0;
  if (attribute == NULL) {
    return onnx_known_make(&graph->arena, CLRS_F32, &scalar, dense, error);
  }
  CLRS_TRY(tensor_proto_decode(attribute->t, &graph->arena, &graph->strings, dense, error));
  CLRS_TRY(clrs_shape_count(&dense->shape, &count, error));
  if (count != 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "attribute value has %" PRId64 " elements; it must have 1", count);
  }
  dense->shape = scalar;
  return CLRS_OK;
}

/* Gives one element, repeated everywhere. */
clrs_status onnx_constant_of_shape(const onnx_node *node, clrs_error *error) {
  clrs_onnx_graph *graph = node->graph;
  model_value *element;
  onnx_integers dims;
  clrs_shape shape;
  clrs_view view;
  CLRS_TRY(model_value_new(&graph->arena, &element, error));
  element->on_host = element->known = true;
  CLRS_TRY(read_fill(node, &element->dense, error));
  CLRS_TRY(onnx_node_list(node, 0, "input", ONNX_INT64, CLRS_MAX_RANK, &dims, error));
  CLRS_TRY(clrs_shape_init(dims.count, dims.values, &shape, error));
  CLRS_TRY(onnx_graph_view(graph, element, &view, error));
  CLRS_TRY(clrs_view_expand(&view, &shape, error));
  return onnx_node_output(node, 0, element, &view, error);
}
