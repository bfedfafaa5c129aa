/*
 * The table of operators.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_ops.h"

#include <inttypes.h>
#include <string.h>

#include "fail.h"

#define INT ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT
#define INTS ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS
#define FLOAT ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT
#define FLOATS ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS
#define STRING ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING
#define STRINGS ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS
#define TENSOR ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR
#define SPARSE ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__SPARSE_TENSOR

#define CONSTANT_11                                                                                \
  {"value", TENSOR}, {                                                                             \
    "sparse_value", SPARSE                                                                         \
  }
#define CONSTANT_12                                                                                \
  CONSTANT_11, {"value_int", INT}, {"value_ints", INTS}, {"value_float", FLOAT},                   \
      {"value_floats", FLOATS}, {"value_string", STRING}, {                                        \
    "value_strings", STRINGS                                                                       \
  }

/* Until opset 7 the second operand is broadcast only where attributes say so. */
#define BINARY(name)                                                                               \
  {name,                                                                                           \
   1,                                                                                              \
   2,                                                                                              \
   2,                                                                                              \
   false,                                                                                          \
   true,                                                                                           \
   {{"axis", INT}, {"broadcast", INT}, {"consumed_inputs", INTS}},                                 \
   onnx_binary_aligned},                                                                           \
  {                                                                                                \
    name, 7, 2, 2, false, true, {{NULL, 0}}, onnx_fold                                             \
  }
#define UNARY(name)                                                                                \
  {name, 1, 1, 1, false, true, {{"consumed_inputs", INTS}}, onnx_unary}, {                         \
    name, 6, 1, 1, false, true, {{NULL, 0}}, onnx_unary                                            \
  }
#define ANY SIZE_MAX

/* clang-format off */
/* name, since, inputs, many outputs, negative axes, attributes, apply */
static const onnx_operator operators[] = {
    {"Reshape", 1, 1, 1, false, true, {{"shape", INTS}, {"consumed_inputs", INTS}}, onnx_reshape_attribute},
    {"Reshape", 5, 2, 2, false, true, {{NULL, 0}}, onnx_reshape_input},
    {"Reshape", 14, 2, 2, false, true, {{"allowzero", INT}}, onnx_reshape_input},
    {"Transpose", 1, 1, 1, false, false, {{"perm", INTS}}, onnx_transpose},
    {"Squeeze", 1, 1, 1, false, false, {{"axes", INTS}}, onnx_squeeze_attribute},
    {"Squeeze", 11, 1, 1, false, true, {{"axes", INTS}}, onnx_squeeze_attribute},
    {"Squeeze", 13, 1, 2, false, true, {{NULL, 0}}, onnx_squeeze_input},
    {"Unsqueeze", 1, 1, 1, false, false, {{"axes", INTS}}, onnx_unsqueeze_attribute},
    {"Unsqueeze", 11, 1, 1, false, true, {{"axes", INTS}}, onnx_unsqueeze_attribute},
    {"Unsqueeze", 13, 2, 2, false, true, {{NULL, 0}}, onnx_unsqueeze_input},
    {"Flatten", 1, 1, 1, false, false, {{"axis", INT}}, onnx_flatten},
    {"Flatten", 11, 1, 1, false, true, {{"axis", INT}}, onnx_flatten},
    {"Expand", 8, 2, 2, false, true, {{NULL, 0}}, onnx_expand},
    {"Slice", 1, 1, 1, false, true, {{"axes", INTS}, {"starts", INTS}, {"ends", INTS}}, onnx_slice_attributes},
    {"Slice", 10, 3, 5, false, true, {{NULL, 0}}, onnx_slice_inputs},
    {"Split", 1, 1, 2, true, true, {{"axis", INT}, {"split", INTS}}, onnx_split_either},
    {"Split", 2, 1, 1, true, true, {{"axis", INT}, {"split", INTS}}, onnx_split_attribute},
    {"Split", 13, 1, 2, true, true, {{"axis", INT}}, onnx_split_input},
    {"Split", 18, 1, 2, true, true, {{"axis", INT}, {"num_outputs", INT}}, onnx_split_outputs},
    {"Identity", 1, 1, 1, false, true, {{NULL, 0}}, onnx_identity},
    {"Constant", 1, 0, 0, false, true, {{"value", TENSOR}}, onnx_constant},
    {"Constant", 11, 0, 0, false, true, {CONSTANT_11}, onnx_constant},
    {"Constant", 12, 0, 0, false, true, {CONSTANT_12}, onnx_constant},
    {"Concat", 1, 1, ANY, false, false, {{"axis", INT}}, onnx_concat},
    {"Concat", 11, 1, ANY, false, true, {{"axis", INT}}, onnx_concat},
    {"Tile", 1, 3, 3, false, false, {{NULL, 0}}, onnx_tile_axis},
    {"Tile", 6, 2, 2, false, true, {{NULL, 0}}, onnx_tile},
    {"Pad", 1, 1, 1, false, true, {{"paddings", INTS}, {"mode", STRING}, {"value", FLOAT}}, onnx_pad_attributes},
    {"Pad", 2, 1, 1, false, true, {{"pads", INTS}, {"mode", STRING}, {"value", FLOAT}}, onnx_pad_attributes},
    {"Pad", 11, 2, 3, false, true, {{"mode", STRING}}, onnx_pad_inputs},
    {"Pad", 18, 2, 4, false, true, {{"mode", STRING}}, onnx_pad_inputs},
    {"DepthToSpace", 1, 1, 1, false, true, {{"blocksize", INT}}, onnx_depth_to_space},
    {"DepthToSpace", 11, 1, 1, false, true, {{"blocksize", INT}, {"mode", STRING}}, onnx_depth_to_space},
    {"SpaceToDepth", 1, 1, 1, false, true, {{"blocksize", INT}}, onnx_space_to_depth},
    {"SpaceToDepth", 28, 1, 1, false, true, {{"blocksize", INT}, {"mode", STRING}}, onnx_space_to_depth},
    {"Gather", 1, 2, 2, false, true, {{"axis", INT}}, onnx_gather},
    {"ConstantOfShape", 9, 1, 1, false, true, {{"value", TENSOR}}, onnx_constant_of_shape},
    {"Shape", 1, 1, 1, false, true, {{NULL, 0}}, onnx_shape},
    {"Shape", 15, 1, 1, false, true, {{"start", INT}, {"end", INT}}, onnx_shape},
    {"Size", 1, 1, 1, false, true, {{NULL, 0}}, onnx_size},
    {"Range", 11, 3, 3, false, true, {{NULL, 0}}, onnx_range},
    {"Range", 27, 3, 3, false, true, {{"stash_type", INT}}, onnx_range},
    {"Cast", 1, 1, 1, false, true, {{"to", STRING}}, onnx_cast},
    {"Cast", 6, 1, 1, false, true, {{"to", INT}}, onnx_cast},
    {"Cast", 19, 1, 1, false, true, {{"to", INT}, {"saturate", INT}}, onnx_cast},
    {"Cast", 24, 1, 1, false, true, {{"to", INT}, {"saturate", INT}, {"round_mode", STRING}}, onnx_cast},
    BINARY("Add"),
    BINARY("Sub"),
    BINARY("Mul"),
    BINARY("Div"),
    BINARY("Equal"),
    BINARY("Less"),
    BINARY("Greater"),
    BINARY("And"),
    BINARY("Or"),
    {"LessOrEqual", 12, 2, 2, false, true, {{NULL, 0}}, onnx_fold},
    {"GreaterOrEqual", 12, 2, 2, false, true, {{NULL, 0}}, onnx_fold},
    {"Mod", 10, 2, 2, false, true, {{"fmod", INT}}, onnx_mod},
    {"Min", 1, 1, ANY, false, true, {{"consumed_inputs", INTS}}, onnx_fold},
    {"Min", 6, 1, ANY, false, true, {{NULL, 0}}, onnx_fold},
    {"Max", 1, 1, ANY, false, true, {{"consumed_inputs", INTS}}, onnx_fold},
    {"Max", 6, 1, ANY, false, true, {{NULL, 0}}, onnx_fold},
    UNARY("Neg"), UNARY("Abs"), UNARY("Floor"), UNARY("Ceil"),
    {"Not", 1, 1, 1, false, true, {{NULL, 0}}, onnx_unary},
    {"Where", 9, 3, 3, false, true, {{NULL, 0}}, onnx_where},
    {"ReduceProd", 1, 1, 1, false, true, {{"axes", INTS}, {"keepdims", INT}}, onnx_reduce_prod},
    {"ReduceProd", 18, 1, 2, false, true, {{"keepdims", INT}, {"noop_with_empty_axes", INT}}, onnx_reduce_prod},
};
/* clang-format on */

enum { OPERATOR_COUNT = sizeof operators / sizeof operators[0] };

/* Most operators differ in their first letter, and a model may have 100,000 nodes. */
static bool is_named(const onnx_operator *op, const char *name) {
  return op->name[0] == name[0] && strcmp(op->name, name) == 0;
}

clrs_status onnx_operator_find(const char *name, int64_t opset, const onnx_operator **op,
                               clrs_error *error) {
  const onnx_operator *first = NULL;
  *op = NULL;
  for (size_t i = 0; i < OPERATOR_COUNT; i++) {
    if (!is_named(&operators[i], name))
      continue;
    if (first == NULL)
      first = &operators[i];
    if (operators[i].since <= opset)
      *op = &operators[i];
  }
  if (first == NULL)
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the operator is not a movement operator that this program executes");
  if (*op == NULL)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the operator exists since opset %" PRId64 "; the model has opset %" PRId64,
                      first->since, opset);
  return CLRS_OK;
}
