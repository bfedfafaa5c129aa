/*
 * .npy files as inputs and outputs of a model.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/onnx.h>

#include "output.h"
#include "whole_file.h"

/* Is `path` the name of a .npy file, or of an array in an .npz archive? */
bool onnx_is_npy(const char *path);

/* Reads the array as a TensorProto of ONNX's type for the elements. Types without an ONNX type, and
 * arrays of 2 GiB, are refused. Messages begin with the path. */
clrs_status onnx_read_npy(const char *path, cli_contents *message, clrs_error *error);

/* Makes the bytes before the data of a TensorProto. The caller frees the bytes. */
clrs_status onnx_message_begin(clrs_dtype dtype, const clrs_shape *shape, const char *name,
                               cli_contents *header, clrs_error *error);

/* Writes the .npy header of an output. Returns CLRS_UNSUPPORTED for types that NumPy lacks. */
clrs_status onnx_write_npy_header(const clrs_onnx_output *output, cli_output *file,
                                  clrs_error *error);
