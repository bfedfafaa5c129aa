/*
 * QuantizeLinear and DequantizeLinear, as maps. A quotient has the precision of the scale, or of
 * attribute `precision`. A product is computed in float and then rounded to the result's type.
 * ONNX's reference and ONNX Runtime do the same.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "maps.h"
#include "operators.h"
#include "status.h"

typedef struct quantization {
  model_value *data, *scale, *zero; /* zero is NULL if there is no zero point */
  clrs_dtype from, to;
  clrs_spread spread;
  onnx_parameter scale_numbers, zero_numbers;
  onnx_map made;
} quantization;

/* ---- types ---- */

static bool is_one_of(const clrs_dtype *types, size_t count, clrs_dtype dtype) {
  for (size_t i = 0; i < count; i++) {
    if (types[i] == dtype) {
      return true;
    }
  }
  return false;
}

static bool is_integer(clrs_dtype dtype) {
  static const clrs_dtype types[] = {CLRS_U8, CLRS_I8, CLRS_U16, CLRS_I16, CLRS_I32,
                                     CLRS_U4, CLRS_I4, CLRS_U2,  CLRS_I2};
  return is_one_of(types, sizeof types / sizeof types[0], dtype);
}

static bool is_small_float(clrs_dtype dtype) {
  static const clrs_dtype types[] = {CLRS_F8E4M3FN, CLRS_F8E4M3FNUZ, CLRS_F8E5M2, CLRS_F8E5M2FNUZ,
                                     CLRS_F4E2M1,   CLRS_F6E2M3,     CLRS_F6E3M2};
  return is_one_of(types, sizeof types / sizeof types[0], dtype);
}

static bool is_precise(clrs_dtype dtype) {
  return onnx_is_float(dtype) && dtype != CLRS_F64;
}

static clrs_status refuse_type(const char *what, clrs_dtype dtype, clrs_error *error) {
  return clrs__fail(error, CLRS_UNSUPPORTED, "its %s is %s, which is not executed there", what,
                    clrs_dtype_name(dtype, CLRS_TYPES_ONNX));
}

/* Reads an attribute with a TensorProto type number. 0 leaves *dtype unchanged. */
static clrs_status read_dtype(const onnx_node *node, const char *name, clrs_dtype *dtype,
                              clrs_error *error) {
  const int64_t type = onnx_node_int(node, name, 0);
  if (type < 0 || type > INT32_MAX) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s is %" PRId64 ", which is no type", name,
                      type);
  }
  return type == 0 ? CLRS_OK : clrs_dtype_from_onnx((int32_t)type, dtype, error);
}

/* Finds the result's type: the zero point's type, or else output_dtype, or else uint8. */
static clrs_status find_quantized(const onnx_node *node, quantization *to, clrs_error *error) {
  const clrs_dtype of_zero = to->zero != NULL ? onnx_graph_dtype(to->zero) : CLRS_U8;
  to->to = of_zero;
  CLRS_TRY(read_dtype(node, "output_dtype", &to->to, error));
  if (to->zero != NULL && to->to != of_zero) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "output_dtype is %s and its zero point is %s; they must be equal",
                      clrs_dtype_name(to->to, CLRS_TYPES_ONNX),
                      clrs_dtype_name(of_zero, CLRS_TYPES_ONNX));
  }
  return to->to != CLRS_I32 && (is_integer(to->to) || is_small_float(to->to))
             ? CLRS_OK
             : refuse_type("result", to->to, error);
}

/* ---- which number of the scale and the zero point an element gets ---- */

static clrs_status fail_scale(const quantization *of, const char *why, clrs_error *error) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "its scale has %u dims and its data %u; %s",
                    onnx_graph_shape(of->scale)->rank, onnx_graph_shape(of->data)->rank, why);
}

static clrs_status find_spread(const onnx_node *node, quantization *to, clrs_error *error) {
  const clrs_shape *scale = onnx_graph_shape(to->scale);
  const int64_t axis = onnx_node_int(node, "axis", 1);
  const int64_t block = onnx_node_int(node, "block_size", 0);
  int64_t count = 0;
  CLRS_TRY(clrs_shape_count(scale, &count, error));
  if (block < 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "block_size is %" PRId64, block);
  }
  if (block > 0) {
    to->spread = (clrs_spread){CLRS_SPREAD_BLOCKS, axis, block};
    return scale->rank == onnx_graph_shape(to->data)->rank
               ? CLRS_OK
               : fail_scale(to, "with block_size they must have as many", error);
  }
  if (scale->rank <= 1 && count == 1) {
    to->spread = (clrs_spread){.kind = CLRS_SPREAD_BROADCAST};
    return CLRS_OK;
  }
  to->spread = (clrs_spread){CLRS_SPREAD_AXIS, axis, 0};
  return scale->rank == 1 && node->op->since >= 13
             ? CLRS_OK
             : fail_scale(to,
                          "a scale is one number, since opset 13 a list along an axis, and "
                          "since opset 21 of as many dims with block_size",
                          error);
}

/* Checks the zero point's type and shape. If scale and zero point are one number each, the shapes
 * may be a scalar and a list. */
static clrs_status check_zero(const quantization *of, clrs_dtype dtype, clrs_error *error) {
  const clrs_dtype given = onnx_graph_dtype(of->zero);
  int64_t zeros = 0;
  if (given != dtype) {
    return clrs__fail(
        error, CLRS_INVALID_ARGUMENT, "its zero point is %s; it must be %s, as what is quantized",
        clrs_dtype_name(given, CLRS_TYPES_ONNX), clrs_dtype_name(dtype, CLRS_TYPES_ONNX));
  }
  if (clrs_shape_equal(onnx_graph_shape(of->zero), onnx_graph_shape(of->scale))) {
    return CLRS_OK;
  }
  CLRS_TRY(clrs_shape_count(onnx_graph_shape(of->zero), &zeros, error));
  return zeros == 1 && of->spread.kind == CLRS_SPREAD_BROADCAST
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "its scale and its zero point have different shapes");
}

/* ---- the parameters ---- */

static clrs_status read_values(const onnx_node *node, quantization *to, clrs_error *error) {
  CLRS_TRY(onnx_node_need(node, 0, &to->data, error));
  CLRS_TRY(onnx_node_need(node, 1, &to->scale, error));
  CLRS_TRY(onnx_node_input(node, 2, &to->zero, error));
  to->from = onnx_graph_dtype(to->data);
  const clrs_dtype scale = onnx_graph_dtype(to->scale);
  return is_precise(scale) || scale == CLRS_F8E8M0 ? CLRS_OK : refuse_type("scale", scale, error);
}

/* Reads the scale and the zero point. A scale of 0 becomes a tensor, because the constructors of
 * maps refuse 0. */
static clrs_status read_numbers(const onnx_node *node, quantization *to, clrs_error *error) {
  const bool is_list = to->spread.kind != CLRS_SPREAD_BLOCKS;
  const onnx_spreads spreads = {is_list ? &to->spread : NULL, &to->spread};
  CLRS_TRY(
      onnx_parameter_read(node, to->scale, CLRS_STEP_DIVIDE, &spreads, &to->scale_numbers, error));
  if (to->zero == NULL) {
    return CLRS_OK;
  }
  return onnx_parameter_read(node, to->zero, CLRS_STEP_ADD, &spreads, &to->zero_numbers, error);
}

/* Is the zero point missing or known to be 0? ONNX allows floats only a zero point of 0. */
static bool is_nothing(const quantization *of) {
  const clrs_numbers *numbers = &of->zero_numbers.numbers;
  for (size_t i = 0; i < numbers->count; i++) {
    if (numbers->values[i] < 0 || numbers->values[i] > 0) {
      return false;
    }
  }
  return of->zero == NULL || numbers->count > 0;
}

/* ---- the operators ---- */

static clrs_status find_precision(const onnx_node *node, const quantization *of,
                                  clrs_dtype *arithmetic, clrs_error *error) {
  const clrs_dtype scale = onnx_graph_dtype(of->scale);
  *arithmetic = scale == CLRS_F8E8M0 ? CLRS_F32 : scale; /* float holds all of f8e8m0 */
  CLRS_TRY(read_dtype(node, "precision", arithmetic, error));
  return is_precise(*arithmetic) ? CLRS_OK : refuse_type("precision", *arithmetic, error);
}

/* Builds the map of QuantizeLinear. A float's zero point is added. ONNX's reference adds even a
 * zero point of 0, so that -0 becomes 0, except for floats of 8 bits. */
static clrs_status map_quantized(const onnx_node *node, quantization *to, clrs_error *error) {
  onnx_map *made = &to->made;
  clrs_dtype type;
  CLRS_TRY(find_precision(node, to, &type, error));
  CLRS_TRY(clrs_map_cast(CLRS_NUMPY, to->from, to->from, &made->map, error));
  CLRS_TRY(onnx_map_step(made, CLRS_STEP_DIVIDE, type, &to->scale_numbers, error));
  if (to->zero != NULL && is_integer(to->to)) {
    CLRS_TRY(onnx_map_step(made, CLRS_STEP_ROUND_AND_ADD, to->to, &to->zero_numbers, error));
  } else {
    if (to->zero != NULL && !(clrs_dtype_bits(to->to) == 8 && is_nothing(to))) {
      CLRS_TRY(onnx_map_step(made, CLRS_STEP_ADD, type, &to->zero_numbers, error));
    }
    CLRS_TRY(clrs_map_round(&made->map, to->to, CLRS_ROUND_EVEN, CLRS_OVERFLOW_SATURATE, error));
  }
  return onnx_saturate(node, &made->map, error);
}

static clrs_status map_data(const onnx_node *node, const quantization *by, clrs_error *error) {
  const clrs_shape shape = *onnx_graph_shape(by->data);
  return onnx_node_map(node, by->data, &shape, &by->made.map, &by->made.tensors, error);
}

clrs_status onnx_quantize(const onnx_node *node, clrs_error *error) {
  quantization to = {.zero = NULL};
  CLRS_TRY(read_values(node, &to, error));
  if (!is_precise(to.from) && to.from != CLRS_I32) {
    return refuse_type("input", to.from, error);
  }
  CLRS_TRY(find_quantized(node, &to, error));
  CLRS_TRY(find_spread(node, &to, error));
  if (to.zero != NULL) {
    CLRS_TRY(check_zero(&to, to.to, error));
  }
  CLRS_TRY(read_numbers(node, &to, error));
  CLRS_TRY(map_quantized(node, &to, error));
  return map_data(node, &to, error);
}

/* Builds the map of DequantizeLinear. A float's zero point of 0 is left out. An integer's zero
 * point is subtracted in integers. */
static clrs_status map_dequantized(quantization *to, clrs_error *error) {
  onnx_map *made = &to->made;
  const clrs_dtype type = is_integer(to->from) ? CLRS_I64 : CLRS_F32;
  CLRS_TRY(clrs_map_cast(CLRS_NUMPY, to->from, to->from, &made->map, error));
  if (to->zero != NULL && (is_integer(to->from) || !is_nothing(to))) {
    CLRS_TRY(onnx_map_step(made, CLRS_STEP_SUBTRACT, type, &to->zero_numbers, error));
  }
  CLRS_TRY(onnx_map_step(made, CLRS_STEP_MULTIPLY, CLRS_F32, &to->scale_numbers, error));
  return clrs_map_round(&made->map, to->to, CLRS_ROUND_EVEN, CLRS_OVERFLOW_IEEE, error);
}

clrs_status onnx_dequantize(const onnx_node *node, clrs_error *error) {
  quantization to = {.zero = NULL};
  CLRS_TRY(read_values(node, &to, error));
  if (!is_integer(to.from) && !is_small_float(to.from)) {
    return refuse_type("input", to.from, error);
  }
  to.to = onnx_graph_dtype(to.scale);
  CLRS_TRY(read_dtype(node, "output_dtype", &to.to, error));
  if (!is_precise(to.to)) {
    return refuse_type("result", to.to, error);
  }
  CLRS_TRY(find_spread(node, &to, error));
  if (to.zero != NULL) {
    CLRS_TRY(check_zero(&to, to.from, error));
  }
  CLRS_TRY(read_numbers(node, &to, error));
  CLRS_TRY(map_dequantized(&to, error));
  return map_data(node, &to, error);
}
