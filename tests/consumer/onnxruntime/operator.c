/*
 * What an ONNX node is as an operation of a chain. What cannot be one, or not for every input, has
 * no text and stays with the CPU.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ep.h"

enum { MAX_NODE_INPUTS = 5 }; /* Slice has the most */

typedef struct reader {
  const OrtApi *ort;
  const OrtNode *node;
  size_t input_count;
  const OrtValueInfo *inputs[MAX_NODE_INPUTS], *output;
  clrs_dtype from, to;
  size_t rank; /* of input 0; 0 too if nobody knows it */
} reader;

/* ---- values ---- */

OrtStatus *ep_value_name(const ep_factory *factory, const OrtValueInfo *value, const char **name) {
  *name = "";
  return value != NULL ? factory->ort->GetValueInfoName(value, name) : NULL;
}

/* The types that a provider for real models needs. Strings have no bytes in a tensor's memory. */
static bool is_number(clrs_dtype dtype) {
  const bool is_whole = (dtype >= CLRS_I8 && dtype <= CLRS_I64) ||
                        (dtype >= CLRS_U8 && dtype <= CLRS_U64) || dtype == CLRS_BOOL;
  return is_whole || (dtype >= CLRS_F16 && dtype <= CLRS_F64);
}

/* *dtype stays CLRS_STRING, of which nothing is taken, for what is no tensor of numbers. */
static OrtStatus *read_type(const OrtApi *ort, const OrtValueInfo *value, clrs_dtype *dtype,
                            size_t *rank) {
  const OrtTypeInfo *type = NULL;
  const OrtTensorTypeAndShapeInfo *tensor = NULL;
  ONNXTensorElementDataType element;
  *dtype = CLRS_STRING;
  EP_TRY(ort->GetValueInfoTypeInfo(value, &type));
  if (type != NULL) {
    EP_TRY(ort->CastTypeInfoToTensorInfo(type, &tensor));
  }
  if (tensor == NULL) {
    return NULL;
  }
  EP_TRY(ort->GetTensorElementType(tensor, &element));
  EP_TRY(ort->GetDimensionsCount(tensor, rank));
  if (clrs_dtype_from_onnx((int32_t)element, dtype, NULL) != CLRS_OK || !is_number(*dtype)) {
    *dtype = CLRS_STRING;
  }
  return NULL;
}

/* A value that is the same in every run, and its bytes; *data stays NULL if it may be another. */
static OrtStatus *read_constant(const OrtApi *ort, const OrtValueInfo *value, clrs_dtype *dtype,
                                size_t *count, const void **data) {
  const OrtValue *constant = NULL;
  OrtTensorTypeAndShapeInfo *info = NULL;
  bool is_constant = false;
  size_t rank;
  *data = NULL;
  EP_TRY(ort->ValueInfo_IsConstantInitializer(value, &is_constant));
  EP_TRY(read_type(ort, value, dtype, &rank));
  if (!is_constant || *dtype == CLRS_STRING) {
    return NULL;
  }
  EP_TRY(ort->ValueInfo_GetInitializerValue(value, &constant));
  EP_TRY(ort->GetTensorTypeAndShape(constant, &info));
  OrtStatus *status = ort->GetTensorShapeElementCount(info, count);
  ort->ReleaseTensorTypeAndShapeInfo(info);
  EP_TRY(status);
  EP_TRY(ort->GetTensorData(constant, data));
  *data = *count == 0 ? "" : *data; /* it may have no address */
  return NULL;
}

static double number_at(clrs_dtype dtype, const void *data, size_t index) {
  switch (dtype) {
  case CLRS_I8:
    return ((const int8_t *)data)[index];
  case CLRS_U8:
    return ((const uint8_t *)data)[index];
  case CLRS_I16:
    return ((const int16_t *)data)[index];
  case CLRS_U16:
    return ((const uint16_t *)data)[index];
  case CLRS_I32:
    return ((const int32_t *)data)[index];
  default:
    return (double)((const float *)data)[index];
  }
}

/* ---- attributes ---- */

/* NULL if there is none; operators of other opsets have others. */
static OrtStatus *find_attribute(const reader *from, const char *name, const OrtOpAttr **found) {
  *found = NULL;
  OrtStatus *status = from->ort->Node_GetAttributeByName(from->node, name, found);
  if (status != NULL && from->ort->GetErrorCode(status) == ORT_NOT_FOUND) {
    from->ort->ReleaseStatus(status);
    *found = NULL;
    return NULL;
  }
  return status;
}

static OrtStatus *read_int(const reader *from, const char *name, int64_t *value) {
  const OrtOpAttr *attribute;
  size_t bytes;
  EP_TRY(find_attribute(from, name, &attribute));
  return attribute != NULL
             ? from->ort->ReadOpAttr(attribute, ORT_OP_ATTR_INT, value, sizeof *value, &bytes)
             : NULL;
}

/* Numbers that a node has as an attribute or, in later opsets, as an input. */
typedef struct numbers {
  enum { ABSENT, KNOWN, LATER } state; /* LATER: when it runs */
  size_t count;
  int64_t values[CLRS_MAX_RANK];
} numbers;

static OrtStatus *read_input_numbers(const reader *from, const OrtValueInfo *input,
                                     numbers *list) {
  const void *data;
  clrs_dtype dtype;
  EP_TRY(read_constant(from->ort, input, &dtype, &list->count, &data));
  list->state = LATER;
  if (data == NULL || list->count > CLRS_MAX_RANK || (dtype != CLRS_I64 && dtype != CLRS_I32)) {
    return NULL;
  }
  list->state = KNOWN;
  for (size_t i = 0; i < list->count; i++) {
    list->values[i] =
        dtype == CLRS_I64 ? ((const int64_t *)data)[i] : ((const int32_t *)data)[i];
  }
  return NULL;
}

static OrtStatus *read_numbers(const reader *from, const char *attribute, size_t input,
                               numbers *list) {
  const OrtOpAttr *found;
  size_t bytes = 0;
  *list = (numbers){.state = ABSENT};
  EP_TRY(find_attribute(from, attribute, &found));
  if (found != NULL) {
    EP_TRY(from->ort->ReadOpAttr(found, ORT_OP_ATTR_INTS, list->values, sizeof list->values,
                                 &bytes));
    list->state = KNOWN;
    list->count = bytes / sizeof list->values[0];
    return NULL;
  }
  if (input >= from->input_count || from->inputs[input] == NULL) {
    return NULL;
  }
  return read_input_numbers(from, from->inputs[input], list);
}

/* ---- operators ---- */

/* What does not fit leaves no text. */
static void say(ep_operation *operation, const char *format, ...) {
  const size_t used = strlen(operation->text), room = sizeof operation->text - used;
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(operation->text + used, room, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= room) {
    operation->text[0] = '\0';
  }
}

static void say_list(ep_operation *operation, const char *name, const numbers *list) {
  say(operation, "%s", name);
  for (size_t i = 0; i < list->count; i++) {
    say(operation, "%c%" PRId64, i == 0 ? '=' : ',', list->values[i]);
  }
}

static OrtStatus *read_transpose(const reader *from, ep_operation *operation) {
  numbers axes;
  EP_TRY(read_numbers(from, "perm", SIZE_MAX, &axes));
  if (axes.state == ABSENT && from->rank <= CLRS_MAX_RANK) {
    axes.count = from->rank;
    for (size_t i = 0; i < from->rank; i++) {
      axes.values[i] = (int64_t)(from->rank - 1 - i);
    }
  }
  if (axes.count > 0) {
    say_list(operation, "permute", &axes);
  }
  return NULL;
}

/* Of an operator whose second input is a shape: "reshape", or the name to come. */
static OrtStatus *read_shape(const reader *from, const char *name, ep_operation *operation) {
  numbers shape;
  EP_TRY(read_numbers(from, "shape", 1, &shape));
  if (shape.state == KNOWN && shape.count == 0) {
    say(operation, "%s=", name); /* a scalar */
  } else if (shape.state == KNOWN) {
    say_list(operation, name, &shape);
  } else if (shape.state == LATER) {
    const char *value;
    EP_TRY(from->ort->GetValueInfoName(from->inputs[1], &value));
    if (strlen(value) < sizeof operation->numbers) {
      strcpy(operation->numbers, value);
      say(operation, "%s=", name);
    }
  }
  return NULL;
}

static OrtStatus *read_reshape(const reader *from, ep_operation *operation) {
  int64_t allowzero = 0;
  EP_TRY(read_int(from, "allowzero", &allowzero));
  operation->rules.zero_mode = allowzero != 0 ? CLRS_ZERO_IS_LITERAL : CLRS_ZERO_COPIES;
  return read_shape(from, "reshape", operation);
}

static OrtStatus *read_expand(const reader *from, ep_operation *operation) {
  return read_shape(from, "expand", operation);
}

static OrtStatus *read_squeeze(const reader *from, ep_operation *operation) {
  numbers axes;
  EP_TRY(read_numbers(from, "axes", 1, &axes));
  if (axes.state != LATER) {
    say_list(operation, "squeeze", &axes);
  }
  return NULL;
}

static OrtStatus *read_unsqueeze(const reader *from, ep_operation *operation) {
  numbers axes;
  EP_TRY(read_numbers(from, "axes", 1, &axes));
  if (axes.state == KNOWN && axes.count > 0) {
    say_list(operation, "unsqueeze", &axes);
  }
  return NULL;
}

static OrtStatus *read_flatten(const reader *from, ep_operation *operation) {
  int64_t axis = 1;
  EP_TRY(read_int(from, "axis", &axis));
  say(operation, "flatten=%" PRId64, axis);
  return NULL;
}

static OrtStatus *read_depth_to_space(const reader *from, ep_operation *operation) {
  const OrtOpAttr *mode;
  char text[8] = "DCR";
  int64_t block = 0;
  size_t bytes = 0;
  EP_TRY(read_int(from, "blocksize", &block));
  EP_TRY(find_attribute(from, "mode", &mode));
  if (mode != NULL) {
    EP_TRY(from->ort->ReadOpAttr(mode, ORT_OP_ATTR_STRING, text, sizeof text - 1, &bytes));
  }
  say(operation, "depth_to_space=%" PRId64 ",%.3s", block, text);
  return NULL;
}

static OrtStatus *read_space_to_depth(const reader *from, ep_operation *operation) {
  int64_t block = 0;
  EP_TRY(read_int(from, "blocksize", &block));
  say(operation, "space_to_depth=%" PRId64, block);
  return NULL;
}

/* ONNX names axes, a chain has a place for each up to the last that is named. */
static OrtStatus *read_slice(const reader *from, ep_operation *operation) {
  numbers lists[4]; /* starts, ends, axes, steps */
  static const char *const names[] = {"starts", "ends", "axes", "steps"};
  size_t of_axis[CLRS_MAX_RANK] = {0}, rank = 0; /* which of the list, from 1; 0: all of the axis */
  for (size_t i = 0; i < 4; i++) {
    EP_TRY(read_numbers(from, names[i], i + 1, &lists[i]));
    const bool may_lack = i >= 2 && lists[i].state == ABSENT;
    if (!may_lack && (lists[i].state != KNOWN || lists[i].count != lists[0].count)) {
      return NULL;
    }
  }
  for (size_t i = 0; i < lists[0].count; i++) {
    int64_t axis = lists[2].state == KNOWN ? lists[2].values[i] : (int64_t)i;
    axis += axis < 0 ? (int64_t)from->rank : 0;
    if (axis < 0 || axis >= CLRS_MAX_RANK || of_axis[axis] != 0) {
      return NULL;
    }
    of_axis[axis] = i + 1;
    rank = (size_t)axis >= rank ? (size_t)axis + 1 : rank;
  }
  for (size_t axis = 0; axis < rank; axis++) {
    const size_t i = of_axis[axis] - 1;
    say(operation, axis == 0 ? "slice=" : ",");
    if (of_axis[axis] == 0) {
      say(operation, ":");
    } else {
      say(operation, "%" PRId64 ":%" PRId64 ":%" PRId64, lists[0].values[i], lists[1].values[i],
          lists[3].state == KNOWN ? lists[3].values[i] : 1);
    }
  }
  return NULL;
}

/* Doubles stay with the CPU: many devices have none. */
static OrtStatus *read_cast(const reader *from, ep_operation *operation) {
  if (from->from != CLRS_F64 && from->to != CLRS_F64) {
    say(operation, "cast=%s", clrs_dtype_name(from->to, CLRS_TYPES_CLRESHAPE));
  }
  return NULL;
}

/* One scale and one zero point, as activations have them, between f32 and integers. */
static OrtStatus *read_quantization(const reader *from, const char *name, clrs_dtype number,
                                    clrs_dtype integer, ep_operation *operation) {
  clrs_dtype dtypes[2] = {CLRS_F32, integer};
  const void *data[2] = {NULL, NULL};
  for (size_t i = 0; i < 2; i++) {
    size_t count = 1;
    if (from->input_count > i + 1 && from->inputs[i + 1] != NULL) {
      EP_TRY(read_constant(from->ort, from->inputs[i + 1], &dtypes[i], &count, &data[i]));
      if (data[i] == NULL || count != 1) {
        return NULL;
      }
    }
  }
  if (data[0] != NULL && dtypes[0] == CLRS_F32 && dtypes[1] == integer && number == CLRS_F32 &&
      clrs_dtype_bits(integer) <= 32) {
    say(operation, "%s=%s,%.9g,%.0f", name, clrs_dtype_name(from->to, CLRS_TYPES_CLRESHAPE),
        number_at(CLRS_F32, data[0], 0), data[1] != NULL ? number_at(integer, data[1], 0) : 0.0);
  }
  return NULL;
}

static OrtStatus *read_quantize(const reader *from, ep_operation *operation) {
  return read_quantization(from, "quantize", from->from, from->to, operation);
}

static OrtStatus *read_dequantize(const reader *from, ep_operation *operation) {
  return read_quantization(from, "dequantize", from->to, from->from, operation);
}

static const struct {
  const char *name;
  OrtStatus *(*read)(const reader *from, ep_operation *operation);
  bool moves;
} operators[] = {
    {"Reshape", read_reshape, false},         {"Squeeze", read_squeeze, false},
    {"Unsqueeze", read_unsqueeze, false},     {"Flatten", read_flatten, false},
    {"Transpose", read_transpose, true},      {"Expand", read_expand, true},
    {"Slice", read_slice, true},              {"DepthToSpace", read_depth_to_space, true},
    {"SpaceToDepth", read_space_to_depth, true}, {"Cast", read_cast, true},
    {"QuantizeLinear", read_quantize, true},  {"DequantizeLinear", read_dequantize, true}};

/* ---- nodes ---- */

/* *is_one: of ONNX's domain, with data that is not the same in every run, and one result, both
 * tensors of numbers. */
static OrtStatus *read_node(const OrtApi *ort, const OrtNode *node, reader *from, bool *is_one) {
  const char *domain;
  size_t outputs;
  bool is_constant = false;
  *from = (reader){.ort = ort, .node = node};
  *is_one = false;
  EP_TRY(ort->Node_GetDomain(node, &domain));
  EP_TRY(ort->Node_GetNumInputs(node, &from->input_count));
  EP_TRY(ort->Node_GetNumOutputs(node, &outputs));
  if (domain[0] != '\0' || from->input_count == 0 || from->input_count > MAX_NODE_INPUTS ||
      outputs != 1) {
    return NULL;
  }
  EP_TRY(ort->Node_GetInputs(node, from->inputs, from->input_count));
  EP_TRY(ort->Node_GetOutputs(node, &from->output, 1));
  if (from->inputs[0] == NULL || from->output == NULL) {
    return NULL;
  }
  size_t rank;
  EP_TRY(ort->ValueInfo_IsConstantInitializer(from->inputs[0], &is_constant));
  EP_TRY(read_type(ort, from->inputs[0], &from->from, &from->rank));
  EP_TRY(read_type(ort, from->output, &from->to, &rank));
  *is_one = !is_constant && from->from != CLRS_STRING && from->to != CLRS_STRING;
  return NULL;
}

OrtStatus *ep_operation_read(const ep_factory *factory, const OrtNode *node,
                             ep_operation *operation) {
  const char *type, *name;
  reader from;
  bool is_one;
  *operation = (ep_operation){.rules = {CLRS_ONNX, CLRS_ZERO_COPIES}};
  EP_TRY(factory->ort->Node_GetOperatorType(node, &type));
  EP_TRY(factory->ort->Node_GetName(node, &name));
  snprintf(operation->node, sizeof operation->node, "%s '%s'", type, name);
  EP_TRY(read_node(factory->ort, node, &from, &is_one));
  for (size_t i = 0; is_one && i < sizeof operators / sizeof operators[0]; i++) {
    if (strcmp(type, operators[i].name) == 0) {
      operation->moves = operators[i].moves;
      EP_TRY(operators[i].read(&from, operation));
    }
  }
  /* What a chain refuses is the CPU's to refuse, or to do. */
  clrs_chain chain;
  if (operation->numbers[0] == '\0' &&
      clrs_chain_parse(operation->text, &chain, NULL) != CLRS_OK) {
    operation->text[0] = '\0';
  }
  return NULL;
}
