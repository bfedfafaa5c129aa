/*
 * Values that the host knows without any data: constants, shapes and what is computed from them.
 * They are moved and computed on the host, as exporters leave much arithmetic on shapes behind.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "arena.h"
#include "tensor_proto.h"

#define ONNX_KNOWN_MAX 4096 /* elements; beyond it there is no arithmetic, and moves are lazy */

/* May a value of that type and shape be made on the host? Not if its elements are no whole bytes.
 */
bool onnx_known_fits(clrs_dtype dtype, const clrs_shape *shape);

/* A new dense tensor of zeros. Fails if it does not fit. */
clrs_status onnx_known_make(onnx_arena *arena, clrs_dtype dtype, const clrs_shape *shape,
                            onnx_dense *dense, clrs_error *error);
/* The elements that the view shows of `source`, as a new dense tensor. */
clrs_status onnx_known_gather(onnx_arena *arena, const onnx_dense *source, const clrs_view *view,
                              onnx_dense *result, clrs_error *error);

/* A number of a known value, of any integer type, bool, float or double. Unsigned numbers from 2^63
 * on are refused. */
typedef struct onnx_number {
  int64_t whole; /* of integers and bool */
  double real;   /* of float and double */
} onnx_number;

bool onnx_number_type(clrs_dtype dtype);
bool onnx_number_is_real(clrs_dtype dtype);
clrs_status onnx_number_read(const onnx_dense *dense, size_t index, onnx_number *number,
                             clrs_error *error);
/* An integer that is out of the type's range is an error. */
clrs_status onnx_number_write(const onnx_number *number, size_t index, onnx_dense *dense,
                              clrs_error *error);

/* Reads a number without a look at the range: of unsigned numbers from 2^63 on the bits are loaded.
 */
void onnx_number_load(const onnx_dense *dense, size_t index, onnx_number *number);
