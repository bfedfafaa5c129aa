/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor_proto.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "onnx.h"
#include "status.h"
#include "tensor_proto_fields.h"
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
  CLRS_TRY(onnx_arena_take(arena, count, ONNX_STRING_BYTES, &tensor->owned, error));
  tensor->bytes = tensor->owned;
  tensor->size = count * ONNX_STRING_BYTES;
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(onnx_strings_put(strings, (onnx_text){values[i].data, values[i].len},
                              tensor->owned + i * ONNX_STRING_BYTES, error));
  }
  return CLRS_OK;
}

static clrs_status take_strings(const Onnx__TensorProto *proto, uint64_t size, onnx_arena *arena,
                                onnx_strings *strings, onnx_dense *tensor, clrs_error *error) {
  if (proto->raw_data.len > 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "it has raw_data, but elements of type string are in string_data");
  }
  if (size / ONNX_STRING_BYTES != proto->n_string_data) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "string_data has %zu values; its dims need %" PRIu64, proto->n_string_data,
                      size / ONNX_STRING_BYTES);
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
  return tensor_proto_take_field(proto, size, arena, tensor, error);
}

static clrs_status decode(const Onnx__TensorProto *proto, onnx_arena *arena, onnx_strings *strings,
                          onnx_dense *tensor, clrs_error *error) {
  uint64_t size = 0;
  CLRS_TRY(refuse_elsewhere(proto, error));
  CLRS_TRY(read_type(proto, tensor, error));
  CLRS_TRY(clrs_shape_init(proto->n_dims, proto->dims, &tensor->shape, error));
  CLRS_TRY(onnx_dense_size(tensor->dtype, &tensor->shape, &size, error));
  CLRS_TRY(tensor_proto_check_fields(proto, tensor->dtype, error));
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

clrs_status tensor_proto_encode(clrs_dtype dtype, const clrs_shape *shape, const char *name,
                                tensor_proto_header *header, clrs_error *error) {
  Onnx__TensorProto proto = ONNX__TENSOR_PROTO__INIT;
  clrs_shape dims = *shape; /* protobuf-c's struct wants it writable */
  uint64_t data_size = 0;
  CLRS_TRY(onnx_dense_size(dtype, shape, &data_size, error));
  fill(dtype, &dims, (char *)(uintptr_t)name, &proto);
  size_t size = onnx__tensor_proto__get_packed_size(&proto);
  if (data_size > ONNX_MOST_BYTES || size + MAX_TAG_AND_LENGTH > ONNX_MOST_BYTES - data_size) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "%" PRIu64 " bytes of data; a TensorProto has fewer than 2 GiB", data_size);
  }
  uint8_t *bytes = malloc(size + MAX_TAG_AND_LENGTH);
  if (bytes == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  size = onnx__tensor_proto__pack(&proto, bytes);
  if (dtype != CLRS_STRING) {
    bytes[size++] = RAW_DATA_TAG;
    size += put_varint(bytes + size, data_size);
  }
  *header = (tensor_proto_header){bytes, size};
  return CLRS_OK;
}

size_t tensor_proto_string(size_t character_count, uint8_t bytes[TENSOR_PROTO_STRING]) {
  bytes[0] = STRING_DATA_TAG;
  return 1 + put_varint(bytes + 1, character_count);
}
