/*
 * Values that the host knows without any data: constants, shapes, and results computed from
 * constants and shapes. Known values are moved and computed on the host, because exporters leave
 * much arithmetic on shapes in models.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "arena.h"
#include "tensor_proto.h"

#define ONNX_KNOWN_MAX 4096 /* most elements for arithmetic. Moves of more are lazy */

/* May the host make a value of that type and shape? The elements must be whole bytes, and few. */
bool onnx_known_fits(clrs_dtype dtype, const clrs_shape *shape);

/* Makes a new dense tensor of zeros. Fails if onnx_known_fits is false. */
clrs_status onnx_known_make(onnx_arena *arena, clrs_dtype dtype, const clrs_shape *shape,
                            onnx_dense *dense, clrs_error *error);
/* Copies the elements that the view shows of `source` to a new dense tensor. */
clrs_status onnx_known_gather(onnx_arena *arena, const onnx_dense *source, const clrs_view *view,
                              onnx_dense *result, clrs_error *error);

/* A number of a known value of type integer, bool, float or double. Unsigned numbers from 2^63 on
 * are refused. */
typedef struct onnx_number {
  int64_t whole; /* value of integers and bool */
  double real;   /* value of float and double */
} onnx_number;

bool onnx_number_type(clrs_dtype dtype);
bool onnx_number_is_real(clrs_dtype dtype);
clrs_status onnx_number_read(const onnx_dense *dense, size_t index, onnx_number *number,
                             clrs_error *error);
/* Writes a number. Fails if an integer is out of the type's range. */
clrs_status onnx_number_write(const onnx_number *number, size_t index, onnx_dense *dense,
                              clrs_error *error);

/* Reads a number without checking the range. Unsigned numbers from 2^63 on become negative. */
void onnx_number_load(const onnx_dense *dense, size_t index, onnx_number *number);
