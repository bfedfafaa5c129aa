/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor_proto.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dtype.h"
#include "status.h"
#include "text.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "raw_data is little-endian and is handed to the device as it is"
#endif

clrs_status onnx_dense_size(clrs_dtype dtype, const clrs_shape *shape, uint64_t *size,
                            clrs_error *error) {
  int64_t count = 0;
  CLRS_TRY(clrs_shape_count(shape, &count, error));
  uint32_t bits = clrs_dtype_bits(dtype);
  if ((uint64_t)count > (UINT64_MAX - 7) / bits) {
    return clrs__fail(error, CLRS_OVERFLOW,
                      "%" PRId64 " elements of %u bits are more than 2^64 bits", count, bits);
  }
  *size = ((uint64_t)count * bits + 7) / 8;
  return CLRS_OK;
}

/* ---- typed data fields ----
 * The typed field of each element type. int32_data holds one element per value, but one byte per
 * value for packed types (under 8 bits). Complex types hold two values per element. float16 and
 * similar types hold bit patterns. */

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

/* Checks that there is at most one data field, either raw_data or the type's own field. */
static clrs_status check_fields(const Onnx__TensorProto *proto, clrs_dtype dtype,
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

/* Returns the bytes of the result that a value of the field becomes. */
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

/* Returns the range of int32_data or uint64_data for a narrower type. A bit pattern may be written
 * with or without sign. A number must be in the type's range. */
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
  case CLRS_U32:
    return (value_range){0, 2 * half - 1};
  default:
    return (value_range){-half, 2 * half - 1};
  }
}

static clrs_status narrow_value(const Onnx__TensorProto *proto, size_t index, size_t bytes,
                                onnx_dense *tensor, clrs_error *error) {
  const value_range range = range_of(tensor->dtype, bytes);
  const bool is_unsigned = tensor->dtype == CLRS_U32; /* only u32 is in uint64_data */
  const int64_t value = is_unsigned ? (int64_t)proto->uint64_data[index] : proto->int32_data[index];
  if (value < range.lowest || value > range.highest) { /* negative from 2^63 on */
    char text[24];
    (void)(is_unsigned ? snprintf(text, sizeof text, "%" PRIu64, (uint64_t)value)
                       : snprintf(text, sizeof text, "%" PRId64, value));
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "value %zu of its data is %s, which is not a %s", index, text,
                      clrs_dtype_name(tensor->dtype, CLRS_TYPES_ONNX));
  }
  memcpy(tensor->owned + index * bytes, &value, bytes);
  return CLRS_OK;
}

static clrs_status narrow(const Onnx__TensorProto *proto, size_t bytes, onnx_arena *arena,
                          onnx_dense *tensor, clrs_error *error) {
  const size_t count = field_length(proto, field_of(tensor->dtype));
  CLRS_TRY(onnx_arena_take(arena, count, bytes, &tensor->owned, error));
  tensor->bytes = tensor->owned;
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(narrow_value(proto, i, bytes, tensor, error));
  }
  return CLRS_OK;
}

/* Sets tensor->bytes, and also tensor->owned if the field is wider than the type. */
static clrs_status take_field(const Onnx__TensorProto *proto, uint64_t size, onnx_arena *arena,
                              onnx_dense *tensor, clrs_error *error) {
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

/* ---- reading ---- */

static clrs_status refuse_elsewhere(const Onnx__TensorProto *proto, clrs_error *error) {
  if (proto->n_external_data > 0 ||
      (proto->has_data_location &&
       proto->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "its data is in another file (external_data), which is not read");
  }
  if (proto->segment != NULL) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "it is one segment of a tensor; only whole ones are read");
  }
  return CLRS_OK;
}

static clrs_status read_type(const Onnx__TensorProto *proto, onnx_dense *tensor,
                             clrs_error *error) {
  if (!proto->has_data_type || proto->data_type == ONNX__TENSOR_PROTO__DATA_TYPE__UNDEFINED) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "it has no data_type");
  }
  return clrs_dtype_from_onnx(proto->data_type, &tensor->dtype, error);
}

static clrs_status take_raw(const Onnx__TensorProto *proto, uint64_t size, onnx_dense *tensor,
                            clrs_error *error) {
  if (proto->raw_data.len != size) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "raw_data has %zu bytes; its dims and data_type %s need %" PRIu64,
                      proto->raw_data.len, clrs_dtype_name(tensor->dtype, CLRS_TYPES_ONNX), size);
  }
  tensor->bytes = proto->raw_data.data;
  return CLRS_OK;
}

clrs_status onnx_dense_from_strings(size_t count, const ProtobufCBinaryData *values,
                                    onnx_arena *arena, onnx_strings *strings, onnx_dense *tensor,
                                    clrs_error *error) {
  CLRS_TRY(onnx_arena_take(arena, count, CLRS_ONNX_STRING_BYTES, &tensor->owned, error));
  tensor->bytes = tensor->owned;
  tensor->size = count * CLRS_ONNX_STRING_BYTES;
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(onnx_strings_put(strings, (clrs_onnx_text){values[i].data, values[i].len},
                              tensor->owned + i * CLRS_ONNX_STRING_BYTES, error));
  }
  return CLRS_OK;
}

static clrs_status take_strings(const Onnx__TensorProto *proto, uint64_t size, onnx_arena *arena,
                                onnx_strings *strings, onnx_dense *tensor, clrs_error *error) {
  if (proto->raw_data.len > 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "it has raw_data, but elements of type string are in string_data");
  }
  if (size / CLRS_ONNX_STRING_BYTES != proto->n_string_data) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "string_data has %zu values; its dims need %" PRIu64, proto->n_string_data,
                      size / CLRS_ONNX_STRING_BYTES);
  }
  return onnx_dense_from_strings(proto->n_string_data, proto->string_data, arena, strings, tensor,
                                 error);
}

static clrs_status take_data(const Onnx__TensorProto *proto, uint64_t size, onnx_arena *arena,
                             onnx_strings *strings, onnx_dense *tensor, clrs_error *error) {
  if (tensor->dtype == CLRS_STRING) {
    return take_strings(proto, size, arena, strings, tensor, error);
  }
  if (proto->has_raw_data) {
    return take_raw(proto, size, tensor, error);
  }
  return take_field(proto, size, arena, tensor, error);
}

static clrs_status decode(const Onnx__TensorProto *proto, onnx_arena *arena, onnx_strings *strings,
                          onnx_dense *tensor, clrs_error *error) {
  uint64_t size = 0;
  CLRS_TRY(refuse_elsewhere(proto, error));
  CLRS_TRY(read_type(proto, tensor, error));
  CLRS_TRY(clrs_shape_init(proto->n_dims, proto->dims, &tensor->shape, error));
  CLRS_TRY(onnx_dense_size(tensor->dtype, &tensor->shape, &size, error));
  CLRS_TRY(check_fields(proto, tensor->dtype, error));
  CLRS_TRY(take_data(proto, size, arena, strings, tensor, error));
  tensor->size = (size_t)size;
  return CLRS_OK;
}

clrs_status tensor_proto_decode(const Onnx__TensorProto *proto, onnx_arena *arena,
                                onnx_strings *strings, onnx_dense *tensor, clrs_error *error) {
  clrs_error inner;
  memset(tensor, 0, sizeof *tensor);
  if (proto == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the tensor is missing");
  }
  clrs_status status = decode(proto, arena, strings, tensor, &inner);
  if (status == CLRS_OK) {
    return CLRS_OK;
  }
  const char *name = proto->name ? proto->name : "";
  return clrs__fail(error, status, "tensor \"%s\": %s", clrs__show(name).text, inner.message);
}

/* ---- writing ---- */

/* Appends `value` in base 128, low digits first. */
static size_t put_varint(uint8_t *bytes, uint64_t value) {
  size_t size = 0;
  for (; value >= 0x80; value >>= 7) {
    bytes[size++] = (uint8_t)(value | 0x80);
  }
  bytes[size++] = (uint8_t)value;
  return size;
}

enum { STRING_DATA_TAG = 6 << 3 | 2, RAW_DATA_TAG = 9 << 3 | 2, MAX_TAG_AND_LENGTH = 11 };

static void fill(clrs_dtype dtype, clrs_shape *shape, char *name, Onnx__TensorProto *proto) {
  proto->n_dims = shape->rank;
  proto->dims = shape->dims;
  proto->has_data_type = 1;
  proto->data_type = clrs_dtype_to_onnx(dtype);
  proto->name = name;
}

/* Checks that a header and the data together fit in a message. */
static clrs_status check_size(uint64_t header, uint64_t data, clrs_error *error) {
  return data <= CLRS_ONNX_MOST_BYTES && header <= CLRS_ONNX_MOST_BYTES - data
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                          "%" PRIu64 " bytes of data; a TensorProto has fewer than 2 GiB", data);
}

static clrs_status write_header(const Onnx__TensorProto *proto, uint64_t data_size, void *header,
                                size_t capacity, size_t *header_size, clrs_error *error) {
  uint8_t tail[MAX_TAG_AND_LENGTH] = {RAW_DATA_TAG};
  const size_t before = onnx__tensor_proto__get_packed_size(proto);
  const bool is_raw = proto->data_type != ONNX__TENSOR_PROTO__DATA_TYPE__STRING;
  const size_t behind = is_raw ? 1 + put_varint(tail + 1, data_size) : 0;
  CLRS_TRY(check_size(before + MAX_TAG_AND_LENGTH, data_size, error));
  if (header != NULL && before + behind > capacity) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "the header takes %zu bytes; there is room for %zu", before + behind,
                      capacity);
  }
  *header_size = before + behind;
  if (header != NULL) {
    (void)onnx__tensor_proto__pack(proto, header);
    memcpy((uint8_t *)header + before, tail, behind);
  }
  return CLRS_OK;
}

clrs_status clrs_onnx_tensor_header(clrs_dtype dtype, const clrs_shape *shape, const char *name,
                                    void *header, size_t capacity, size_t *header_size,
                                    clrs_error *error) {
  Onnx__TensorProto proto = ONNX__TENSOR_PROTO__INIT;
  uint64_t data_size = 0;
  CLRS_TRY(clrs__require(shape, "shape", error));
  CLRS_TRY(clrs__require(name, "name", error));
  CLRS_TRY(clrs__require(header_size, "header_size", error));
  CLRS_TRY(clrs__dtype_check(dtype, error));
  if (clrs_dtype_to_onnx(dtype) == 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "ONNX has no type for %s", clrs__dtype_text(dtype));
  }
  CLRS_TRY(onnx_dense_size(dtype, shape, &data_size, error));
  clrs_shape dims = *shape; /* protobuf-c's struct needs a writable shape */
  fill(dtype, &dims, (char *)(uintptr_t)name, &proto);
  return write_header(&proto, data_size, header, capacity, header_size, error);
}

size_t clrs_onnx_string_header(size_t character_count, uint8_t header[CLRS_ONNX_STRING_HEADER]) {
  if (header == NULL) {
    return 0;
  }
  header[0] = STRING_DATA_TAG;
  return 1 + put_varint(header + 1, character_count);
}
