/*
 * Decodes TensorProto, ONNX's tensor in protobuf, to dense row-major bytes. tensor_proto.c also has
 * the public functions that write a TensorProto.
 *
 * Supported: raw_data and every typed field, for every element type. Strings become Arrow's views.
 * Refused with a message: external_data that external.c has not replaced, segments, two data
 * fields, a data field of another type, and any length but the exact length.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

#include "arena.h"
#include "onnx.pb-c.h"
#include "string_views.h"

/* A dense tensor in host memory: little-endian, with element 0 of a packed type in the low bits. */
typedef struct onnx_dense {
  clrs_dtype dtype;
  clrs_shape shape;
  const uint8_t *bytes; /* may be NULL if size is 0, and may be unaligned */
  size_t size;
  uint8_t *owned; /* the bytes in the arena, or NULL if borrowed */
} onnx_dense;

/* Computes the bytes of a dense tensor. The last byte may have unused bits. Example: 3 elements of
 * 4 bits take 2 bytes. */
clrs_status onnx_dense_size(clrs_dtype dtype, const clrs_shape *shape, uint64_t *size,
                            clrs_error *error);

/* Makes one element per value of string_data. The characters are copied to `strings`. */
clrs_status onnx_dense_from_strings(size_t count, const ProtobufCBinaryData *values,
                                    onnx_arena *arena, onnx_strings *strings, onnx_dense *tensor,
                                    clrs_error *error);

/* Decodes `proto`. The tensor may borrow bytes from `proto`, which must then outlive the tensor.
 * Fails if `proto` is NULL. */
clrs_status tensor_proto_decode(const Onnx__TensorProto *proto, onnx_arena *arena,
                                onnx_strings *strings, onnx_dense *tensor, clrs_error *error);
