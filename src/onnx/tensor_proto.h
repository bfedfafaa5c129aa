/*
 * TensorProto, ONNX's tensor in protobuf, to dense row-major bytes and back.
 *
 * Read: raw_data and every typed field, for every element type; strings become Arrow's views.
 * Refused with a sentence: external_data that external.c has not taken over, segments, two data
 * fields, a data field that is not the type's, and any length but the exact one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/core.h>

#include "arena.h"
#include "onnx.pb-c.h"
#include "string_views.h"

/* A dense tensor in host memory: little-endian, element 0 of a packed type in the low bits. */
typedef struct onnx_dense {
  clrs_dtype dtype;
  clrs_shape shape;
  const uint8_t *bytes; /* may be NULL if size is 0; may be unaligned */
  size_t size;
  uint8_t *owned; /* bytes, in the arena, unless they are borrowed */
} onnx_dense;

/* Bytes that a dense tensor takes; the last one may hold unused bits. */
clrs_status onnx_dense_size(clrs_dtype dtype, const clrs_shape *shape, uint64_t *size,
                            clrs_error *error);

/* Copies one element per value of string_data; the characters go to `strings`. */
clrs_status onnx_dense_from_strings(size_t count, const ProtobufCBinaryData *values,
                                    onnx_arena *arena, onnx_strings *strings, onnx_dense *tensor,
                                    clrs_error *error);

/* May borrow from `proto`, which must then outlive the tensor. Fails if it is NULL. */
clrs_status tensor_proto_decode(const Onnx__TensorProto *proto, onnx_arena *arena,
                                onnx_strings *strings, onnx_dense *tensor, clrs_error *error);

/* What stands in a TensorProto before its data. */
typedef struct tensor_proto_header {
  uint8_t *bytes; /* freed by the caller */
  size_t size;
} tensor_proto_header;

/* The dims, data_type and name, and the tag and length of raw_data: followed by exactly
 * onnx_dense_size bytes, it is a complete TensorProto. For strings there is no raw_data; one
 * tensor_proto_string for each must follow. CLRS_LIMIT_EXCEEDED from 2 GiB on. */
clrs_status tensor_proto_encode(clrs_dtype dtype, const clrs_shape *shape, const char *name,
                                tensor_proto_header *header, clrs_error *error);

/* What stands before the characters of one string; returns its size. */
enum { TENSOR_PROTO_STRING = 11 };
size_t tensor_proto_string(size_t character_count, uint8_t bytes[TENSOR_PROTO_STRING]);
