/*
 * Pad. Negative amounts cut elements off, which is a view. Positive amounts need a new tensor.
 * Modes repeat elements of the tensor after cutting.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "assembly.h"
#include "operators.h"
#include "status.h"

enum { WIDEST_ELEMENT = 16 };

typedef struct pad {
  clrs_pad_mode mode;
  model_value *data;
  clrs_view view;
  int64_t begins[CLRS_MAX_RANK], ends[CLRS_MAX_RANK];
  uint8_t element[WIDEST_ELEMENT];
} pad;

/* Spreads the amounts over the dims. The list has all begins first, then all ends. Example: 1, 2,
 * 3, 4 for two dims means 1 before and 3 behind dim 0, and 2 before and 4 behind dim 1. */
static clrs_status spread_amounts(const onnx_node *node, const onnx_integers *amounts,
                                  const onnx_integers *axes, pad *to, clrs_error *error) {
  const uint32_t rank = to->view.shape.rank;
  const size_t count = axes->present ? axes->count : rank;
  bool met[CLRS_MAX_RANK] = {false};
  if (amounts->count != 2 * count) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "pads has %zu values; it must have %zu",
                      amounts->count, 2 * count);
  }
  for (size_t i = 0; i < count; i++) {
    uint32_t dim = 0;
    const int64_t axis = axes->present ? axes->values[i] : (int64_t)i;
    CLRS_TRY(onnx_node_axis(node, axis, rank, &dim, error));
    if (met[dim]) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "axes names dimension %u twice", dim);
    }
    met[dim] = true;
    to->begins[dim] = amounts->values[i];
    to->ends[dim] = amounts->values[count + i];
  }
  return CLRS_OK;
}

/* Cuts off elements by negative amounts, which become 0. Positive amounts remain. */
static clrs_status cut(pad *to, clrs_error *error) {
  for (uint32_t dim = 0; dim < to->view.shape.rank; dim++) {
    const int64_t extent = to->view.shape.dims[dim];
    const int64_t front = to->begins[dim] < 0 ? to->begins[dim] : 0;
    const int64_t back = to->ends[dim] < 0 ? to->ends[dim] : 0;
    if (front < -extent || back < -extent - front) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "pads take more away than dimension %u of extent %" PRId64 " has", dim,
                        extent);
    }
    const clrs_slice slice = {dim, -front, extent + back, 1};
    if (front < 0 || back < 0) {
      CLRS_TRY(clrs_view_slice(&to->view, 1, &slice, error));
    }
    to->begins[dim] -= front;
    to->ends[dim] -= back;
  }
  return CLRS_OK;
}

/* Finds the padded shape. *grows says whether there is a border to fill. */
static clrs_status find_shape(const pad *from, clrs_shape *shape, bool *grows, clrs_error *error) {
  *shape = from->view.shape;
  *grows = false;
  for (uint32_t dim = 0; dim < shape->rank; dim++) {
    *grows = *grows || from->begins[dim] > 0 || from->ends[dim] > 0;
    if (__builtin_add_overflow(shape->dims[dim], from->begins[dim], &shape->dims[dim]) ||
        __builtin_add_overflow(shape->dims[dim], from->ends[dim], &shape->dims[dim])) {
      return clrs__fail(error, CLRS_OVERFLOW, "padded dimension %u does not fit in 64 bits", dim);
    }
  }
  return clrs_shape_init(shape->rank, shape->dims, shape, error);
}

static clrs_status finish(const onnx_node *node, pad *from, clrs_error *error) {
  onnx_border border = {.begins = from->begins, .element = from->element, .mode = from->mode};
  clrs_tensor *inner, *whole;
  bool grows;
  CLRS_TRY(cut(from, error));
  CLRS_TRY(find_shape(from, &border.shape, &grows, error));
  if (!grows) {
    return onnx_node_output(node, 0, from->data, &from->view, error);
  }
  CLRS_TRY(onnx_node_look(node, from->data, &from->view, &inner, error));
  CLRS_TRY(onnx_surround(node, inner, &border, &whole, error));
  return onnx_node_give(node, whole, error);
}

/* Reads the value of older forms, a float attribute. */
static clrs_status read_value(const onnx_node *node, pad *to, clrs_error *error) {
  const Onnx__AttributeProto *value = onnx_node_attribute(node, "value");
  const float single = value == NULL ? 0 : value->f;
  const double number = (double)single;
  if (to->view.dtype == CLRS_F64) {
    memcpy(to->element, &number, sizeof number);
  } else if (to->view.dtype == CLRS_F32) {
    memcpy(to->element, &single, sizeof single);
  } else if (number < 0 || number > 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "value is %g, but for %s only 0 is executed", number,
                      clrs_dtype_name(to->view.dtype, CLRS_TYPES_ONNX));
  }
  return CLRS_OK;
}

static clrs_status read_element(const onnx_node *node, pad *to, clrs_error *error) {
  model_value *value;
  const onnx_dense *dense;
  int64_t count = 0;
  CLRS_TRY(onnx_node_input(node, 2, &value, error));
  if (value == NULL) {
    return CLRS_OK;
  }
  CLRS_TRY(clrs_shape_count(onnx_graph_shape(value), &count, error));
  if (count != 1 || onnx_graph_dtype(value) != to->view.dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "input \"constant_value\" is %" PRId64 " of %s; it must be 1 of %s", count,
                      clrs_dtype_name(onnx_graph_dtype(value), CLRS_TYPES_ONNX),
                      clrs_dtype_name(to->view.dtype, CLRS_TYPES_ONNX));
  }
  CLRS_TRY(onnx_graph_dense(node->graph, value, &dense, error));
  memcpy(to->element, dense->bytes, dense->size);
  return CLRS_OK;
}

/* Reads the mode. The caller reads the value only in mode constant. */
static clrs_status read_mode(const onnx_node *node, pad *to, clrs_error *error) {
  static const struct {
    const char *word;
    clrs_pad_mode mode;
    uint32_t since;
  } modes[] = {{"constant", CLRS_PAD_CONSTANT, 1},
               {"edge", CLRS_PAD_EDGE, 1},
               {"reflect", CLRS_PAD_REFLECT, 1},
               {"wrap", CLRS_PAD_WRAP, 19}};
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
    if (node->op->since >= modes[i].since &&
        onnx_node_says(node, "mode", "constant", modes[i].word)) {
      to->mode = modes[i].mode;
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_UNSUPPORTED,
                    "mode is not one of constant, edge and reflect, and from opset 19 on wrap");
}

clrs_status onnx_pad(const onnx_node *node, clrs_error *error) {
  const char *name = node->op->since < 2 ? "paddings" : "pads";
  const unsigned types = ONNX_INT64 | ONNX_INT32;
  pad to = {0};
  onnx_integers amounts, axes;
  CLRS_TRY(read_mode(node, &to, error));
  CLRS_TRY(onnx_node_data(node, &to.data, &to.view, error));
  if (to.mode == CLRS_PAD_CONSTANT) {
    CLRS_TRY(node->op->since < 11 ? read_value(node, &to, error) : read_element(node, &to, error));
  }
  CLRS_TRY(onnx_node_list(node, 1, name, ONNX_INT64, (size_t)2 * CLRS_MAX_RANK, &amounts, error));
  CLRS_TRY(onnx_node_require(&amounts, name, error));
  CLRS_TRY(onnx_node_list(node, 3, "axes", types, CLRS_MAX_RANK, &axes, error));
  CLRS_TRY(spread_amounts(node, &amounts, &axes, &to, error));
  return finish(node, &to, error);
}
