/*
 * TensorProto, ONNX's tensor in protobuf, to dense row-major bytes. tensor_proto.c has the way back
 * too, which is public.
 *
 * Read: raw_data and every typed field, for every element type; strings become Arrow's views.
 * Refused with a sentence: external_data that external.c has not taken over, segments, two data
 * fields, a data field that is not the type's, and any length but the exact one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

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
