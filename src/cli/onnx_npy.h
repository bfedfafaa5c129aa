/*
 * .npy files as inputs of a model, and as what its outputs are written to.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/onnx.h>

#include "output.h"
#include "whole_file.h"

/* Is it the name of a .npy file, or of an array in an .npz archive? */
bool onnx_is_npy(const char *path);

/* The array as a TensorProto of the type that ONNX has for it; types that ONNX has not, and arrays
 * of 2 GiB, are refused. Messages begin with the path. */
clrs_status onnx_read_npy(const char *path, cli_contents *message, clrs_error *error);

/* What stands before the data of a TensorProto; the caller frees the bytes. */
clrs_status onnx_message_begin(clrs_dtype dtype, const clrs_shape *shape, const char *name,
                               cli_contents *header, clrs_error *error);

/* Writes what stands before an output's data. What NumPy has no type for is CLRS_UNSUPPORTED. */
clrs_status onnx_write_npy_header(const clrs_onnx_output *output, cli_output *file,
                                  clrs_error *error);
