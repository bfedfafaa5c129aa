/* SPDX-License-Identifier: Apache-2.0 */
#include "operators.h"

#include <inttypes.h>
#include <string.h>

#include "status.h"

#define INT ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT
#define INTS ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS
#define FLOAT ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT
#define FLOATS ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS
#define STRING ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING
#define STRINGS ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS
#define TENSOR ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR
#define SPARSE ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__SPARSE_TENSOR

/* clang-format off */
#define OP(operator_name, opset, ...) {.name = (operator_name), .since = (opset), __VA_ARGS__}
#define INPUTS(least, most) .min_inputs = (least), .max_inputs = (most)
#define ATTRIBUTES(...) .attributes = {__VA_ARGS__}
#define VIEW(function) .view = (function)
#define NODE(function) .apply = (function)
#define ANY SIZE_MAX

#define CONSTANT_11 {"value", TENSOR}, {"sparse_value", SPARSE}
#define CONSTANT_12 CONSTANT_11, {"value_int", INT}, {"value_ints", INTS}, {"value_float", FLOAT}, \
    {"value_floats", FLOATS}, {"value_string", STRING}, {"value_strings", STRINGS}

#define RESIZE_11 {"mode", STRING}, {"coordinate_transformation_mode", STRING}, {"nearest_mode", STRING}, \
    {"cubic_coeff_a", FLOAT}, {"exclude_outside", INT}, {"extrapolation_value", FLOAT}

#define QUANTIZE_21 {"axis", INT}, {"saturate", INT}, {"block_size", INT}, {"output_dtype", INT}

/* Before opset 7 the second operand is broadcast only if attributes say so. */
#define BINARY(name, function) \
    OP(name, 1, INPUTS(2, 2), NODE(onnx_binary_aligned), \
       ATTRIBUTES({"axis", INT}, {"broadcast", INT}, {"consumed_inputs", INTS})), \
    OP(name, 7, INPUTS(2, 2), NODE(function))
#define UNARY(name) \
    OP(name, 1, INPUTS(1, 1), ATTRIBUTES({"consumed_inputs", INTS}), NODE(onnx_unary)), \
    OP(name, 6, INPUTS(1, 1), NODE(onnx_unary))

static const onnx_operator operators[] = {
    OP("Reshape", 1, INPUTS(1, 1), ATTRIBUTES({"shape", INTS}, {"consumed_inputs", INTS}), VIEW(onnx_reshape)),
    OP("Reshape", 5, INPUTS(2, 2), VIEW(onnx_reshape)),
    OP("Reshape", 14, INPUTS(2, 2), ATTRIBUTES({"allowzero", INT}), VIEW(onnx_reshape)),
    OP("Transpose", 1, INPUTS(1, 1), .positive_axes = true, ATTRIBUTES({"perm", INTS}), VIEW(onnx_transpose)),
    OP("Squeeze", 1, INPUTS(1, 1), .positive_axes = true, ATTRIBUTES({"axes", INTS}), VIEW(onnx_squeeze)),
    OP("Squeeze", 11, INPUTS(1, 1), ATTRIBUTES({"axes", INTS}), VIEW(onnx_squeeze)),
    OP("Squeeze", 13, INPUTS(1, 2), VIEW(onnx_squeeze)),
    OP("Unsqueeze", 1, INPUTS(1, 1), .positive_axes = true, ATTRIBUTES({"axes", INTS}), VIEW(onnx_unsqueeze)),
    OP("Unsqueeze", 11, INPUTS(1, 1), ATTRIBUTES({"axes", INTS}), VIEW(onnx_unsqueeze)),
    OP("Unsqueeze", 13, INPUTS(2, 2), VIEW(onnx_unsqueeze)),
    OP("Flatten", 1, INPUTS(1, 1), .positive_axes = true, ATTRIBUTES({"axis", INT}), VIEW(onnx_flatten)),
    OP("Flatten", 11, INPUTS(1, 1), ATTRIBUTES({"axis", INT}), VIEW(onnx_flatten)),
    OP("Expand", 8, INPUTS(2, 2), VIEW(onnx_expand)),
    OP("Slice", 1, INPUTS(1, 1), ATTRIBUTES({"axes", INTS}, {"starts", INTS}, {"ends", INTS}), VIEW(onnx_slice)),
    OP("Slice", 10, INPUTS(3, 5), VIEW(onnx_slice)),
    OP("Split", 1, INPUTS(1, 2), .many_outputs = true, ATTRIBUTES({"axis", INT}, {"split", INTS}), NODE(onnx_split)),
    OP("Split", 2, INPUTS(1, 1), .many_outputs = true, ATTRIBUTES({"axis", INT}, {"split", INTS}), NODE(onnx_split)),
    OP("Split", 13, INPUTS(1, 2), .many_outputs = true, ATTRIBUTES({"axis", INT}), NODE(onnx_split)),
    OP("Split", 18, INPUTS(1, 2), .many_outputs = true, ATTRIBUTES({"axis", INT}, {"num_outputs", INT}), NODE(onnx_split)),
    OP("Identity", 1, INPUTS(1, 1), NODE(onnx_identity)),
    OP("Constant", 1, INPUTS(0, 0), ATTRIBUTES({"value", TENSOR}), NODE(onnx_constant)),
    OP("Constant", 11, INPUTS(0, 0), ATTRIBUTES(CONSTANT_11), NODE(onnx_constant)),
    OP("Constant", 12, INPUTS(0, 0), ATTRIBUTES(CONSTANT_12), NODE(onnx_constant)),
    OP("Concat", 1, INPUTS(1, ANY), .positive_axes = true, ATTRIBUTES({"axis", INT}), NODE(onnx_concat)),
    OP("Concat", 11, INPUTS(1, ANY), ATTRIBUTES({"axis", INT}), NODE(onnx_concat)),
    OP("Tile", 1, INPUTS(3, 3), .positive_axes = true, VIEW(onnx_tile_axis)),
    OP("Tile", 6, INPUTS(2, 2), VIEW(onnx_tile)),
    OP("Pad", 1, INPUTS(1, 1), ATTRIBUTES({"paddings", INTS}, {"mode", STRING}, {"value", FLOAT}), NODE(onnx_pad)),
    OP("Pad", 2, INPUTS(1, 1), ATTRIBUTES({"pads", INTS}, {"mode", STRING}, {"value", FLOAT}), NODE(onnx_pad)),
    OP("Pad", 11, INPUTS(2, 3), ATTRIBUTES({"mode", STRING}), NODE(onnx_pad)),
    OP("Pad", 18, INPUTS(2, 4), ATTRIBUTES({"mode", STRING}), NODE(onnx_pad)),
    OP("Pad", 19, INPUTS(2, 4), ATTRIBUTES({"mode", STRING}), NODE(onnx_pad)),
    OP("Resize", 10, INPUTS(2, 2), ATTRIBUTES({"mode", STRING}), NODE(onnx_resize)),
    OP("Resize", 11, INPUTS(1, 4), ATTRIBUTES(RESIZE_11), NODE(onnx_resize)),
    OP("Resize", 18, INPUTS(1, 4), ATTRIBUTES(RESIZE_11, {"antialias", INT}, {"axes", INTS}, {"keep_aspect_ratio_policy", STRING}), NODE(onnx_resize)),
    OP("Upsample", 7, INPUTS(1, 1), ATTRIBUTES({"mode", STRING}, {"scales", FLOATS}), NODE(onnx_resize)),
    OP("Upsample", 9, INPUTS(2, 2), ATTRIBUTES({"mode", STRING}), NODE(onnx_resize)),
    OP("DepthToSpace", 1, INPUTS(1, 1), ATTRIBUTES({"blocksize", INT}), VIEW(onnx_depth_to_space)),
    OP("DepthToSpace", 11, INPUTS(1, 1), ATTRIBUTES({"blocksize", INT}, {"mode", STRING}), VIEW(onnx_depth_to_space)),
    OP("SpaceToDepth", 1, INPUTS(1, 1), ATTRIBUTES({"blocksize", INT}), VIEW(onnx_space_to_depth)),
    OP("SpaceToDepth", 28, INPUTS(1, 1), ATTRIBUTES({"blocksize", INT}, {"mode", STRING}), VIEW(onnx_space_to_depth)),
    OP("Gather", 1, INPUTS(2, 2), ATTRIBUTES({"axis", INT}), NODE(onnx_gather)),
    OP("ConstantOfShape", 9, INPUTS(1, 1), ATTRIBUTES({"value", TENSOR}), NODE(onnx_constant_of_shape)),
    OP("Shape", 1, INPUTS(1, 1), NODE(onnx_shape)),
    OP("Shape", 15, INPUTS(1, 1), ATTRIBUTES({"start", INT}, {"end", INT}), NODE(onnx_shape)),
    OP("Size", 1, INPUTS(1, 1), NODE(onnx_size)),
    OP("Range", 11, INPUTS(3, 3), NODE(onnx_range)),
    OP("Range", 27, INPUTS(3, 3), ATTRIBUTES({"stash_type", INT}), NODE(onnx_range)),
    OP("Cast", 1, INPUTS(1, 1), ATTRIBUTES({"to", STRING}), NODE(onnx_cast)),
    OP("Cast", 6, INPUTS(1, 1), ATTRIBUTES({"to", INT}), NODE(onnx_cast)),
    OP("Cast", 19, INPUTS(1, 1), ATTRIBUTES({"to", INT}, {"saturate", INT}), NODE(onnx_cast)),
    OP("Cast", 24, INPUTS(1, 1), ATTRIBUTES({"to", INT}, {"saturate", INT}, {"round_mode", STRING}), NODE(onnx_cast)),
    OP("CastLike", 15, INPUTS(2, 2), NODE(onnx_cast_like)),
    OP("CastLike", 19, INPUTS(2, 2), ATTRIBUTES({"saturate", INT}), NODE(onnx_cast_like)),
    OP("CastLike", 24, INPUTS(2, 2), ATTRIBUTES({"saturate", INT}, {"round_mode", STRING}), NODE(onnx_cast_like)),
    OP("BitCast", 26, INPUTS(1, 1), ATTRIBUTES({"to", INT}), NODE(onnx_bit_cast)),
    OP("QuantizeLinear", 10, INPUTS(2, 3), NODE(onnx_quantize)),
    OP("QuantizeLinear", 13, INPUTS(2, 3), ATTRIBUTES({"axis", INT}), NODE(onnx_quantize)),
    OP("QuantizeLinear", 19, INPUTS(2, 3), ATTRIBUTES({"axis", INT}, {"saturate", INT}), NODE(onnx_quantize)),
    OP("QuantizeLinear", 21, INPUTS(2, 3), ATTRIBUTES(QUANTIZE_21), NODE(onnx_quantize)),
    OP("QuantizeLinear", 23, INPUTS(2, 3), ATTRIBUTES(QUANTIZE_21, {"precision", INT}), NODE(onnx_quantize)),
    OP("DequantizeLinear", 10, INPUTS(2, 3), NODE(onnx_dequantize)),
    OP("DequantizeLinear", 13, INPUTS(2, 3), ATTRIBUTES({"axis", INT}), NODE(onnx_dequantize)),
    OP("DequantizeLinear", 21, INPUTS(2, 3), ATTRIBUTES({"axis", INT}, {"block_size", INT}), NODE(onnx_dequantize)),
    OP("DequantizeLinear", 23, INPUTS(2, 3), ATTRIBUTES({"axis", INT}, {"block_size", INT}, {"output_dtype", INT}), NODE(onnx_dequantize)),
    OP("Clip", 1, INPUTS(1, 1), ATTRIBUTES({"min", FLOAT}, {"max", FLOAT}, {"consumed_inputs", INTS}), NODE(onnx_clip)),
    OP("Clip", 6, INPUTS(1, 1), ATTRIBUTES({"min", FLOAT}, {"max", FLOAT}), NODE(onnx_clip)),
    OP("Clip", 11, INPUTS(1, 3), NODE(onnx_clip)),
    BINARY("Add", onnx_step), BINARY("Sub", onnx_step), BINARY("Mul", onnx_step), BINARY("Div", onnx_step),
    BINARY("Equal", onnx_fold), BINARY("Less", onnx_fold), BINARY("Greater", onnx_fold),
    BINARY("And", onnx_fold), BINARY("Or", onnx_fold),
    OP("LessOrEqual", 12, INPUTS(2, 2), NODE(onnx_fold)),
    OP("GreaterOrEqual", 12, INPUTS(2, 2), NODE(onnx_fold)),
    OP("Mod", 10, INPUTS(2, 2), ATTRIBUTES({"fmod", INT}), NODE(onnx_mod)),
    OP("Min", 1, INPUTS(1, ANY), ATTRIBUTES({"consumed_inputs", INTS}), NODE(onnx_fold)),
    OP("Min", 6, INPUTS(1, ANY), NODE(onnx_fold)),
    OP("Max", 1, INPUTS(1, ANY), ATTRIBUTES({"consumed_inputs", INTS}), NODE(onnx_fold)),
    OP("Max", 6, INPUTS(1, ANY), NODE(onnx_fold)),
    UNARY("Neg"), UNARY("Abs"), UNARY("Floor"), UNARY("Ceil"),
    OP("Not", 1, INPUTS(1, 1), NODE(onnx_unary)),
    OP("Where", 9, INPUTS(3, 3), NODE(onnx_where)),
    OP("ReduceProd", 1, INPUTS(1, 1), ATTRIBUTES({"axes", INTS}, {"keepdims", INT}), NODE(onnx_reduce_prod)),
    OP("ReduceProd", 18, INPUTS(1, 2), ATTRIBUTES({"keepdims", INT}, {"noop_with_empty_axes", INT}), NODE(onnx_reduce_prod)),
};
/* clang-format on */

enum { OPERATOR_COUNT = sizeof operators / sizeof operators[0] };

/* Is `name` the operator's name? The first letter is compared first, because most names differ
 * there and a model may have 100,000 nodes. */
static bool is_named(const onnx_operator *op, const char *name) {
  return op->name[0] == name[0] && strcmp(op->name, name) == 0;
}

clrs_status onnx_operator_find(const char *name, int64_t opset, const onnx_operator **op,
                               clrs_error *error) {
  const onnx_operator *first = NULL;
  *op = NULL;
  for (size_t i = 0; i < OPERATOR_COUNT; i++) {
    if (!is_named(&operators[i], name)) {
      continue;
    }
    if (first == NULL) {
      first = &operators[i];
    }
    if (operators[i].since <= opset) {
      *op = &operators[i];
    }
  }
  if (first == NULL) {
    return clrs__fail(
        error, CLRS_UNSUPPORTED,
        "the operator is not a movement operator that this program executes; a runtime of "
        "all operators, such as ONNX Runtime or OpenVINO, could");
  }
  if (*op == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the operator exists since opset %" PRId64 "; the model has opset %" PRId64,
                      first->since, opset);
  }
  return CLRS_OK;
}
