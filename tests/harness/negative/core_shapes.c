/*
 * The negative matrix: element types, shapes and patterns.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core.h"

/* ---- names ---- */

static const char *text_or_null(const char *text) {
  return text ? text : "NULL";
}

ANSWER(clrs_status_name, "%s", clrs_status_name(a->status)) {
  ANSWERS(status, -1, "unknown status");
  ANSWERS(status, CLRS_BUILD_FAILURE + 1, "unknown status");
  ANSWERS(status, INT32_MAX, "unknown status");
}

ANSWER(clrs_dtype_bits, "%u", clrs_dtype_bits(a->dtype)) {
  ANSWERS(dtype, -1, "0");
  ANSWERS(dtype, CLRS_DTYPE_COUNT, "0");
  ANSWERS(dtype, INT32_MAX, "0");
}

ANSWER(clrs_dtype_name, "%s", text_or_null(clrs_dtype_name(a->dtype, a->system))) {
  ANSWERS(dtype, -1, "NULL");
  ANSWERS(dtype, CLRS_DTYPE_COUNT, "NULL");
  ANSWERS(dtype, INT32_MAX, "NULL");
  ANSWERS(system, -1, "NULL");
  ANSWERS(system, CLRS_TYPES_ONEDNN + 1, "NULL");
  ANSWERS(system, INT32_MAX, "NULL");
}

ANSWER(clrs_dtype_to_onnx, "%d", (int)clrs_dtype_to_onnx(a->dtype)) {
  ANSWERS(dtype, -1, "0");
  ANSWERS(dtype, CLRS_DTYPE_COUNT, "0");
  ANSWERS(dtype, CLRS_BITS8, "0");
}

FUNCTION(clrs_dtype_from_name, a->name = "f32", a->name, a->system, a->dtype_out) {
  ROW(name, NULL, CLRS_INVALID_ARGUMENT, "name is NULL");
  ROW(name, "", CLRS_INVALID_ARGUMENT, "\"\" is not an element type");
  ROW(name, "F32", CLRS_INVALID_ARGUMENT, "\"F32\" is not an element type");
  ROW(name, "f32 ", CLRS_INVALID_ARGUMENT, "\"f32 \" is not an element type");
  ROW(system, -1, CLRS_INVALID_ARGUMENT, "clrs_type_system has 0 to 3");
  ROW(system, CLRS_TYPES_ONEDNN + 1, CLRS_INVALID_ARGUMENT, "type system 4 is unknown");
  ROW(system, CLRS_TYPES_ONNX, CLRS_INVALID_ARGUMENT, "\"f32\" is not an element type of ONNX");
  ROW(dtype_out, NULL, CLRS_INVALID_ARGUMENT, "dtype is NULL");
}

FUNCTION(clrs_dtype_from_onnx, a->data_type = 1, a->data_type, a->dtype_out) {
  ROW(data_type, 0, CLRS_INVALID_ARGUMENT, "0 is not a TensorProto.DataType");
  ROW(data_type, -1, CLRS_INVALID_ARGUMENT, "-1 is not a TensorProto.DataType");
  ROW(data_type, 29, CLRS_INVALID_ARGUMENT, "29 is not a TensorProto.DataType of opset 28");
  ROW(data_type, INT32_MAX, CLRS_INVALID_ARGUMENT, "2147483647 is not a TensorProto.DataType");
  ROW(data_type, INT32_MIN, CLRS_INVALID_ARGUMENT, "-2147483648 is not a TensorProto.DataType");
  ROW(dtype_out, NULL, CLRS_INVALID_ARGUMENT, "dtype is NULL");
}

/* ---- shapes ---- */

FUNCTION(clrs_shape_init, (a->rank = 2, SET_LIST(dims, 4, 6)), a->rank, a->dims, a->shape_out) {
  ROW(rank, 33, CLRS_LIMIT_EXCEEDED, "rank 33 is over the limit of 32 dims");
  ROW(rank, SIZE_MAX, CLRS_LIMIT_EXCEEDED, "rank " MOST " is over the limit");
  ROW(rank, BEYOND_32, CLRS_LIMIT_EXCEEDED, "rank " BEYOND " is over the limit");
  ROW(dims, NULL, CLRS_INVALID_ARGUMENT, "dims is NULL");
  ROW(dims, LIST(4, -1), CLRS_INVALID_ARGUMENT, "dimension 1 of a shape is -1; it must be at");
  ROW(dims, LIST(INT64_MIN, 4), CLRS_INVALID_ARGUMENT, "-9223372036854775808; it must be at");
  ROW(dims, LIST(INT64_MAX, 2), CLRS_OVERFLOW, "to more than 64 bits at dimension 1");
  ROW(dims, LIST(INT64_C(1) << 32, INT64_C(1) << 32), CLRS_OVERFLOW, "[4294967296,4294967296]");
  ROW_IF(a->rank = 3, dims, LIST(0, INT64_MAX, 2), CLRS_OVERFLOW, "at dimension 2");
  TAKES(dims, LIST(0, INT64_MAX));
  ROW_IF(a->rank = 0, dims, NULL, CLRS_OK, "");
  ROW(shape_out, NULL, CLRS_INVALID_ARGUMENT, "shape is NULL");
}

FUNCTION(clrs_shape_count, (void)0, a->shape, a->element_count_out) {
  SHAPE_ROWS(shape);
  ROW(element_count_out, NULL, CLRS_INVALID_ARGUMENT, "element_count is NULL");
}

ANSWER(clrs_shape_equal, "%d", clrs_shape_equal(a->a__shape, a->b__shape)) {
  ANSWERS(a__shape, &m->a->other_shape, "1");
  ANSWERS(a__shape, NULL, "0");
  ANSWERS(b__shape, NULL, "0");
  ANSWERS(a__shape->rank, UINT32_MAX, "0");
  ANSWERS(b__shape->rank, UINT32_MAX, "0");
  ANSWERS(a__shape->dims[1], -6, "0");
  ANSWERS(b__shape->dims[1], -6, "0");
}

/* ---- patterns ---- */

FUNCTION(clrs_pattern_init, (a->length = 2, SET_LIST(values, 0, -1)), a->dialect, a->zero_mode,
         a->length, a->values, a->pattern_out) {
  PATTERN_MODE_ROWS(dialect, zero_mode);
  ROW(length, 33, CLRS_LIMIT_EXCEEDED, "the pattern has 33 values; the limit is 32");
  ROW(length, SIZE_MAX, CLRS_LIMIT_EXCEEDED, MOST " values");
  ROW(length, BEYOND_32, CLRS_LIMIT_EXCEEDED, BEYOND " values");
  ROW(values, NULL, CLRS_INVALID_ARGUMENT, "values is NULL");
  TAKES(values, LIST(INT64_MIN, INT64_MAX)); /* the input decides */
  ROW_IF(a->length = 0, values, NULL, CLRS_OK, "");
  ROW(pattern_out, NULL, CLRS_INVALID_ARGUMENT, "pattern is NULL");
}

FUNCTION(clrs_pattern_resolve, (void)0, a->pattern, a->input, a->shape_out) {
  PATTERN_ROWS(pattern);
  ROW(input, NULL, CLRS_INVALID_ARGUMENT, "input is NULL");
  ROW(input->rank, 33, CLRS_LIMIT_EXCEEDED, "rank 33 is over the limit of 32 dims");
  ROW(input->rank, UINT32_MAX, CLRS_LIMIT_EXCEEDED, "rank 4294967295");
  ROW(input->dims[0], -1, CLRS_INVALID_ARGUMENT, "dimension 0 of a shape is -1");
  ROW(input->dims[0], 5, CLRS_INVALID_PATTERN, "8, which does not divide 30 elements");
  ROW(input->dims[1], INT64_MAX, CLRS_OVERFLOW, "more than 64 bits");
  ROW(shape_out, NULL, CLRS_INVALID_ARGUMENT, "shape is NULL");
}

/* Two values of int64, in memory that begins where no int64 should. */
static void set_tensor(arguments *a) {
  static unsigned char bytes[2 * sizeof(int64_t) + 1];
  memcpy(bytes + 1, LIST(8, -1), 2 * sizeof(int64_t));
  a->one_list[0] = 2;
  a->one_tensor = (clrs_pattern_tensor){CLRS_I64, 1, a->one_list, bytes + 1};
  a->tensor = &a->one_tensor;
}

FUNCTION(clrs_pattern_read, set_tensor(a), a->dialect, a->zero_mode, a->tensor, a->pattern_out) {
  static const uint64_t most[] = {8, UINT64_MAX};
  PATTERN_MODE_ROWS(dialect, zero_mode);
  ROW(tensor, NULL, CLRS_INVALID_ARGUMENT, "tensor is NULL");
  ROW(tensor->dtype, (clrs_dtype)-1, CLRS_INVALID_ARGUMENT, UNKNOWN_DTYPE);
  ROW(tensor->dtype, CLRS_DTYPE_COUNT, CLRS_INVALID_ARGUMENT, "element type 41");
  ROW(tensor->dtype, CLRS_I32, CLRS_INVALID_ARGUMENT, "ONNX does not take a pattern of");
  ROW(tensor->dtype, CLRS_F32, CLRS_INVALID_ARGUMENT, "of type f32");
  ROW(tensor->rank, 0, CLRS_INVALID_ARGUMENT, "the pattern has rank 0");
  ROW(tensor->rank, 2, CLRS_INVALID_ARGUMENT, "the pattern has rank 2");
  ROW(tensor->rank, SIZE_MAX, CLRS_INVALID_ARGUMENT, "rank " MOST);
  ROW(tensor->dims, NULL, CLRS_INVALID_ARGUMENT, "dims is NULL");
  ROW(tensor->dims, LIST(-1), CLRS_INVALID_ARGUMENT, "dimension -1; it must be at least");
  ROW(tensor->dims, LIST(33), CLRS_LIMIT_EXCEEDED, "the pattern has 33 values");
  ROW(tensor->dims, LIST(INT64_MAX), CLRS_LIMIT_EXCEEDED, "9223372036854775807 values");
  ROW(tensor->data, NULL, CLRS_INVALID_ARGUMENT, "data is NULL");
  ROW_IF((a->dialect = CLRS_NUMPY, a->tensor->dtype = CLRS_U64), tensor->data, most, CLRS_OVERFLOW,
         "dimension 1 of the pattern is 18446744073709551615");
  ROW(pattern_out, NULL, CLRS_INVALID_ARGUMENT, "pattern is NULL");
}
