/*
 * Converts an ONNX node to an operation of a chain. A node that cannot be converted, or not for
 * every input, has no text and stays with the CPU.
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
  size_t rank; /* rank of input 0, or 0 if unknown */
} reader;

/* ---- values ---- */

/* The types that a provider for real models needs. Strings have no bytes in a tensor's memory. */
static bool is_number(clrs_dtype dtype) {
  const bool is_whole = (dtype >= CLRS_I8 && dtype <= CLRS_I64) ||
                        (dtype >= CLRS_U8 && dtype <= CLRS_U64) || dtype == CLRS_BOOL;
  return is_whole || (dtype >= CLRS_F16 && dtype <= CLRS_F64);
}

/* *dtype stays CLRS_STRING, which the provider never takes, for a value that is not a tensor of
 * numbers. */
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

/* A value that is the same in every run, and the bytes. *data stays NULL if the value may
 * differ. */
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
  *data = *count == 0 ? "" : *data; /* an empty value may have no address */
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

/* ---- numbers of an operator ---- */

/* Numbers that an operator has as an attribute or, in later opsets, as an input. */
typedef struct numbers {
  enum { ABSENT, KNOWN, LATER } state; /* LATER: known only at run time */
  size_t count;
  int64_t values[CLRS_MAX_RANK];
} numbers;

/* NULL if the attribute does not exist. Other opsets have other attributes. */
static OrtStatus *find_attribute(const reader *from, const char *name, const OrtOpAttr **found) {
  *found = NULL;
  OrtStatus *status = from->ort->Node_GetAttributeByName(from->node, name, found);
  if (status != NULL && from->ort->GetErrorCode(status) == ORT_NOT_FOUND) {
    from->ort->ReleaseStatus(status);
    status = NULL;
  }
  return status;
}

static OrtStatus *read_attribute(const reader *from, const OrtOpAttr *attribute, numbers *list) {
  OrtOpAttrType type;
  size_t bytes = 0;
  EP_TRY(from->ort->OpAttr_GetType(attribute, &type));
  EP_TRY(from->ort->ReadOpAttr(attribute, type, list->values, sizeof list->values, &bytes));
  list->state = KNOWN;
  list->count = bytes / sizeof list->values[0];
  return NULL;
}

static OrtStatus *read_input(const reader *from, const OrtValueInfo *input, numbers *list) {
  const void *data;
  clrs_dtype dtype;
  EP_TRY(read_constant(from->ort, input, &dtype, &list->count, &data));
  list->state = LATER;
  if (data == NULL || list->count > CLRS_MAX_RANK || (dtype != CLRS_I64 && dtype != CLRS_I32)) {
    return NULL;
  }
  list->state = KNOWN;
  for (size_t i = 0; i < list->count; i++) {
    list->values[i] = dtype == CLRS_I64 ? ((const int64_t *)data)[i] : ((const int32_t *)data)[i];
  }
  return NULL;
}

enum { NO_INPUT = MAX_NODE_INPUTS };

static OrtStatus *read_numbers(const reader *from, const char *attribute, size_t input,
                               numbers *list) {
  const OrtOpAttr *found;
  *list = (numbers){.state = ABSENT};
  EP_TRY(find_attribute(from, attribute, &found));
  if (found != NULL) {
    return read_attribute(from, found, list);
  }
  return input < from->input_count && from->inputs[input] != NULL
             ? read_input(from, from->inputs[input], list)
             : NULL;
}

/* ---- operators ---- */

/* Text that does not fit is dropped. */
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

/* An operator that is an operation with a list of numbers, or a single number. */
typedef struct listed {
  const char *name, *operation, *attribute;
  size_t input; /* input that has the numbers if the attribute does not exist */
  bool moves;
} listed;

static const listed lists[] = {{"Reshape", "reshape", "shape", 1, false},
                               {"Squeeze", "squeeze", "axes", 1, false},
                               {"Unsqueeze", "unsqueeze", "axes", 1, false},
                               {"Flatten", "flatten", "axis", NO_INPUT, false},
                               {"Expand", "expand", "shape", 1, true},
                               {"SpaceToDepth", "space_to_depth", "blocksize", NO_INPUT, true},
                               {"Transpose", "permute", "perm", NO_INPUT, true}};

static OrtStatus *read_listed(const reader *from, const listed *as, ep_operation *operation) {
  numbers list, allowzero;
  EP_TRY(read_numbers(from, as->attribute, as->input, &list));
  EP_TRY(read_numbers(from, "allowzero", NO_INPUT, &allowzero));
  operation->rules.zero_mode = allowzero.values[0] != 0 ? CLRS_ZERO_IS_LITERAL : CLRS_ZERO_COPIES;
  operation->moves = as->moves;
  if (list.state == ABSENT && as->attribute[0] == 'p') { /* perm: the dims in reverse */
    for (list.count = 0; list.count < from->rank && list.count < CLRS_MAX_RANK; list.count++) {
      list.values[list.count] = (int64_t)(from->rank - 1 - list.count);
    }
  }
  if (list.state == LATER) {
    const char *value;
    EP_TRY(from->ort->GetValueInfoName(from->inputs[as->input], &value));
    if (strlen(value) >= sizeof operation->numbers) {
      return NULL;
    }
    strcpy(operation->numbers, value);
  }
  const bool has_values = list.state != ABSENT || list.count > 0;
  say(operation, has_values ? "%s=" : "%s", as->operation);
  for (size_t i = 0; i < list.count; i++) {
    say(operation, i > 0 ? ",%" PRId64 : "%" PRId64, list.values[i]);
  }
  return NULL;
}

/* ONNX names axes, a chain has a place for each up to the last that is named. */
static OrtStatus *read_slice(const reader *from, ep_operation *operation) {
  numbers given[4]; /* starts, ends, axes, steps */
  static const char *const names[] = {"starts", "ends", "axes", "steps"};
  /* position in the list, from 1, or 0 for the whole axis */
  size_t of_axis[CLRS_MAX_RANK] = {0}, rank = 0;
  for (size_t i = 0; i < 4; i++) {
    EP_TRY(read_numbers(from, names[i], i + 1, &given[i]));
    const bool may_lack = i >= 2 && given[i].state == ABSENT;
    if (!may_lack && (given[i].state != KNOWN || given[i].count != given[0].count)) {
      return NULL;
    }
  }
  for (size_t i = 0; i < given[0].count; i++) {
    int64_t axis = given[2].state == KNOWN ? given[2].values[i] : (int64_t)i;
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
      say(operation, "%" PRId64 ":%" PRId64 ":%" PRId64, given[0].values[i], given[1].values[i],
          given[3].state == KNOWN ? given[3].values[i] : 1);
    }
  }
  return NULL;
}

static OrtStatus *read_depth_to_space(const reader *from, ep_operation *operation) {
  const OrtOpAttr *mode;
  char text[8] = "DCR";
  size_t bytes = 0;
  numbers block;
  EP_TRY(read_numbers(from, "blocksize", NO_INPUT, &block));
  EP_TRY(find_attribute(from, "mode", &mode));
  if (mode != NULL) {
    EP_TRY(from->ort->ReadOpAttr(mode, ORT_OP_ATTR_STRING, text, sizeof text - 1, &bytes));
  }
  say(operation, "depth_to_space=%" PRId64 ",%.3s", block.values[0], text);
  return NULL;
}

/* Doubles stay with the CPU, because many devices have no doubles. */
static OrtStatus *read_cast(const reader *from, ep_operation *operation) {
  if (from->from != CLRS_F64 && from->to != CLRS_F64) {
    say(operation, "cast=%s", clrs_dtype_name(from->to, CLRS_TYPES_CLRESHAPE));
  }
  return NULL;
}

/* A single scale and a single zero point, as for activations, between f32 and integers. */
static OrtStatus *read_quantization(const reader *from, const char *name, clrs_dtype number,
                                    clrs_dtype integer, ep_operation *operation) {
  clrs_dtype dtypes[2] = {CLRS_F32, integer};
  const void *data[2] = {NULL, NULL};
  numbers precision;
  EP_TRY(read_numbers(from, "precision", NO_INPUT, &precision));
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
      clrs_dtype_bits(integer) <= 32 && precision.values[0] <= 1) { /* 1: FLOAT */
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
} others[] = {{"Slice", read_slice},
              {"DepthToSpace", read_depth_to_space},
              {"Cast", read_cast},
              {"QuantizeLinear", read_quantize},
              {"DequantizeLinear", read_dequantize}};

static OrtStatus *read_operator(const reader *from, const char *type, ep_operation *operation) {
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    if (strcmp(type, lists[i].name) == 0) {
      return read_listed(from, &lists[i], operation);
    }
  }
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    if (strcmp(type, others[i].name) == 0) {
      operation->moves = true;
      return others[i].read(from, operation);
    }
  }
  return NULL;
}

/* ---- nodes ---- */

/* *is_one: true for a node of ONNX's domain with varying data and a single result, both tensors of
 * numbers. */
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
  if (is_one) {
    EP_TRY(read_operator(&from, type, operation));
  }
  /* A node that a chain refuses is left to the CPU, which may also refuse. */
  clrs_chain chain;
  if (operation->numbers[0] == '\0' && clrs_chain_parse(operation->text, &chain, NULL) != CLRS_OK) {
    operation->text[0] = '\0';
  }
  return NULL;
}
