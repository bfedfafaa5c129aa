/*
 * External data: finds the place of an initializer's data in another file, and puts the data into
 * the model. The caller's functions read the files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "integers.h"
#include "model.h"
#include "status.h"
#include "tensor_proto.h"
#include "text.h"

static bool is_external(const Onnx__TensorProto *proto) {
  return proto->has_data_location &&
         proto->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
}

/* ---- places ---- */

/* Finds the value of that key, or NULL. */
static clrs_status find_entry(const Onnx__TensorProto *proto, const char *key, const char **value,
                              clrs_error *error) {
  *value = NULL;
  for (size_t i = 0; i < proto->n_external_data; i++) {
    const Onnx__StringStringEntryProto *entry = proto->external_data[i];
    if (entry->key == NULL || strcmp(entry->key, key) != 0) {
      continue;
    }
    if (*value != NULL || entry->value == NULL) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "its external_data has %s twice, or without a value", key);
    }
    *value = entry->value;
  }
  return CLRS_OK;
}

static clrs_status read_number(const Onnx__TensorProto *proto, const char *key, uint64_t missing,
                               uint64_t *number, clrs_error *error) {
  const char *text;
  int64_t value = 0;
  CLRS_TRY(find_entry(proto, key, &text, error));
  if (text == NULL) {
    *number = missing;
    return CLRS_OK;
  }
  if (clrs__integer_parse(text, strlen(text), &value, NULL) != CLRS_OK || value < 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the %s of its external_data is '%s', which is no number of bytes", key,
                      clrs__show(text).text);
  }
  *number = (uint64_t)value;
  return CLRS_OK;
}

static clrs_status find_size(const Onnx__TensorProto *proto, uint64_t *size, clrs_error *error) {
  clrs_dtype dtype;
  clrs_shape shape;
  CLRS_TRY(clrs_dtype_from_onnx(proto->data_type, &dtype, error));
  if (dtype == CLRS_STRING) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "strings have no external data");
  }
  CLRS_TRY(clrs_shape_init(proto->n_dims, proto->dims, &shape, error));
  return onnx_dense_size(dtype, &shape, size, error);
}

static clrs_status find_place(const Onnx__TensorProto *proto, clrs_onnx_external *at,
                              clrs_error *error) {
  uint64_t length = 0;
  CLRS_TRY(find_size(proto, &at->size, error));
  CLRS_TRY(find_entry(proto, "location", &at->location, error));
  CLRS_TRY(read_number(proto, "offset", 0, &at->offset, error));
  CLRS_TRY(read_number(proto, "length", at->size, &length, error));
  if (at->location == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "its external_data has no location");
  }
  if (proto->has_raw_data && proto->raw_data.len > 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "it has both raw_data and external_data");
  }
  return length == at->size ? CLRS_OK
                            : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                                         "its external_data has the length %" PRIu64
                                         "; its dims and data_type need %" PRIu64,
                                         length, at->size);
}

/* ---- taking over ---- */

/* Makes `bytes` the raw_data of the message. The message then owns and frees the bytes. */
static void take_over(Onnx__TensorProto *proto, uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < proto->n_external_data; i++) {
    onnx__string_string_entry_proto__free_unpacked(proto->external_data[i], NULL);
  }
  free(proto->external_data);
  free(proto->raw_data.data);
  proto->external_data = NULL;
  proto->n_external_data = 0;
  proto->data_location = ONNX__TENSOR_PROTO__DATA_LOCATION__DEFAULT;
  proto->has_raw_data = true;
  proto->raw_data = (ProtobufCBinaryData){size, bytes};
}

static clrs_status read_one(Onnx__TensorProto *proto, const clrs_onnx_external_reader *reader,
                            uint64_t *left, clrs_error *error) {
  clrs_onnx_external at;
  CLRS_TRY(find_place(proto, &at, error));
  if (at.size > *left || at.size > SIZE_MAX / 2) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "its %" PRIu64 " bytes and those before are more than the %" PRIu64
                      " of external data that may be read",
                      at.size, reader->most_bytes);
  }
  CLRS_TRY(reader->check(reader->user_data, &at, error));
  uint8_t *bytes = malloc(at.size > 0 ? (size_t)at.size : 1);
  if (bytes == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %" PRIu64 " bytes", at.size);
  }
  const clrs_status status = reader->read(reader->user_data, &at, bytes, error);
  if (status != CLRS_OK) {
    free(bytes);
    return status;
  }
  *left -= at.size;
  take_over(proto, bytes, (size_t)at.size);
  return CLRS_OK;
}

static clrs_status check_reader(const clrs_onnx_external_reader *reader, clrs_error *error) {
  CLRS_TRY(clrs__require(reader, "reader", error));
  if (reader->check == NULL || reader->read == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "reader->%s is NULL; it must be a function",
                      reader->check == NULL ? "check" : "read");
  }
  return CLRS_OK;
}

clrs_status clrs_onnx_model_read_external(clrs_onnx_model *model,
                                          const clrs_onnx_external_reader *reader,
                                          clrs_error *error) {
  clrs_error inner;
  CLRS_TRY(clrs__require(model, "model", error));
  CLRS_TRY(check_reader(reader, error));
  const Onnx__GraphProto *graph = model->proto->graph;
  uint64_t left = reader->most_bytes;
  for (size_t i = 0; i < graph->n_initializer; i++) {
    Onnx__TensorProto *proto = graph->initializer[i];
    if (is_external(proto) && read_one(proto, reader, &left, &inner) != CLRS_OK) {
      return clrs__fail(error, inner.status, "initializer %zu \"%s\": %s", i,
                        clrs__show(proto->name).text, inner.message);
    }
  }
  return CLRS_OK;
}
