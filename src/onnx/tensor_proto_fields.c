/*
 * Which typed field carries which element type, and how: int32_data holds one element per value,
 * but packed types (under 8 bits) hold one byte per value; complex types hold two values per
 * element; float16 and the like hold bit patterns.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tensor_proto_fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "status.h"

typedef enum field_kind {
  FIELD_FLOAT,
  FIELD_INT32,
  FIELD_INT64,
  FIELD_DOUBLE,
  FIELD_UINT64,
  FIELD_STRING,
  FIELD_RAW,
  FIELD_COUNT
} field_kind;

static const char *const field_names[FIELD_COUNT] = {"float_data",  "int32_data",  "int64_data",
                                                     "double_data", "uint64_data", "string_data",
                                                     "raw_data"};

static size_t field_length(const Onnx__TensorProto *proto, field_kind kind) {
  const size_t lengths[FIELD_COUNT] = {proto->n_float_data,
                                       proto->n_int32_data,
                                       proto->n_int64_data,
                                       proto->n_double_data,
                                       proto->n_uint64_data,
                                       proto->n_string_data,
                                       proto->has_raw_data ? proto->raw_data.len : 0};
  return lengths[kind];
}

static field_kind field_of(clrs_dtype dtype) {
  switch (dtype) {
  case CLRS_F32:
  case CLRS_C64:
    return FIELD_FLOAT;
  case CLRS_F64:
  case CLRS_C128:
    return FIELD_DOUBLE;
  case CLRS_I64:
    return FIELD_INT64;
  case CLRS_U32:
  case CLRS_U64:
    return FIELD_UINT64;
  case CLRS_STRING:
    return FIELD_STRING;
  default:
    return FIELD_INT32;
  }
}

clrs_status tensor_proto_check_fields(const Onnx__TensorProto *proto, clrs_dtype dtype,
                                      clrs_error *error) {
  int found = FIELD_COUNT;
  for (int kind = 0; kind < FIELD_COUNT; kind++) {
    if (field_length(proto, (field_kind)kind) == 0) {
      continue;
    }
    if (kind != FIELD_RAW && kind != (int)field_of(dtype)) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "it has %s, but elements of type %s are in %s", field_names[kind],
                        clrs_dtype_name(dtype, CLRS_TYPES_ONNX), field_names[field_of(dtype)]);
    }
    if (found != FIELD_COUNT) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "it has both %s and %s; only one is allowed",
                        field_names[found], field_names[kind]);
    }
    found = kind;
  }
  return CLRS_OK;
}

/* Bytes of the result that one value of the field becomes. */
static size_t bytes_per_value(field_kind kind, clrs_dtype dtype) {
  uint32_t bits = clrs_dtype_bits(dtype);
  if (kind == FIELD_FLOAT) {
    return 4;
  }
  if (kind == FIELD_DOUBLE) {
    return 8;
  }
  return bits < 8 ? 1 : bits / 8;
}

typedef struct value_range {
  int64_t lowest, highest;
} value_range;

/* What int32_data may hold for a narrower type. Bit patterns may be written with or without sign,
 * numbers only as themselves. */
static value_range range_of(clrs_dtype dtype, size_t bytes) {
  int64_t half = (int64_t)1 << (8 * bytes - 1);
  switch (dtype) {
  case CLRS_BOOL:
    return (value_range){0, 1};
  case CLRS_I8:
  case CLRS_I16:
    return (value_range){-half, half - 1};
  case CLRS_U8:
  case CLRS_U16:
    return (value_range){0, 2 * half - 1};
  default:
    return (value_range){-half, 2 * half - 1};
  }
}

static clrs_status out_of_range(clrs_dtype dtype, size_t index, const char *value,
                                clrs_error *error) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "value %zu of its data is %s, which is not a %s",
                    index, value, clrs_dtype_name(dtype, CLRS_TYPES_ONNX));
}

static clrs_status narrow_int32(const Onnx__TensorProto *proto, size_t bytes, onnx_dense *tensor,
                                clrs_error *error) {
  value_range range = range_of(tensor->dtype, bytes);
  for (size_t i = 0; i < proto->n_int32_data; i++) {
    int32_t value = proto->int32_data[i];
    if (value < range.lowest || value > range.highest) {
      char text[16];
      snprintf(text, sizeof text, "%" PRId32, value);
      return out_of_range(tensor->dtype, i, text, error);
    }
    memcpy(tensor->owned + i * bytes, &value, bytes);
  }
  return CLRS_OK;
}

static clrs_status narrow_uint64(const Onnx__TensorProto *proto, size_t bytes, onnx_dense *tensor,
                                 clrs_error *error) {
  for (size_t i = 0; i < proto->n_uint64_data; i++) {
    uint64_t value = proto->uint64_data[i];
    if (value > UINT32_MAX) {
      char text[24];
      snprintf(text, sizeof text, "%" PRIu64, value);
      return out_of_range(tensor->dtype, i, text, error);
    }
    memcpy(tensor->owned + i * bytes, &value, bytes);
  }
  return CLRS_OK;
}

static clrs_status narrow(const Onnx__TensorProto *proto, size_t bytes, onnx_arena *arena,
                          onnx_dense *tensor, clrs_error *error) {
  const size_t count = field_length(proto, field_of(tensor->dtype));
  CLRS_TRY(onnx_arena_take(arena, count, bytes, &tensor->owned, error));
  tensor->bytes = tensor->owned;
  return tensor->dtype == CLRS_U32 ? narrow_uint64(proto, bytes, tensor, error)
                                   : narrow_int32(proto, bytes, tensor, error);
}

clrs_status tensor_proto_take_field(const Onnx__TensorProto *proto, uint64_t size,
                                    onnx_arena *arena, onnx_dense *tensor, clrs_error *error) {
  field_kind kind = field_of(tensor->dtype);
  size_t bytes = bytes_per_value(kind, tensor->dtype), count = field_length(proto, kind);
  if (size / bytes != count) {
    return clrs__fail(
        error, CLRS_INVALID_ARGUMENT, "%s has %zu values; its dims and data_type %s need %" PRIu64,
        field_names[kind], count, clrs_dtype_name(tensor->dtype, CLRS_TYPES_ONNX), size / bytes);
  }
  if (kind == FIELD_FLOAT) {
    tensor->bytes = (const uint8_t *)proto->float_data;
  } else if (kind == FIELD_DOUBLE) {
    tensor->bytes = (const uint8_t *)proto->double_data;
  } else if (kind == FIELD_INT64) {
    tensor->bytes = (const uint8_t *)proto->int64_data;
  } else if (tensor->dtype == CLRS_U64) {
    tensor->bytes = (const uint8_t *)proto->uint64_data;
  } else if (tensor->dtype == CLRS_I32) {
    tensor->bytes = (const uint8_t *)proto->int32_data;
  } else {
    return narrow(proto, bytes, arena, tensor, error);
  }
  return CLRS_OK;
}
