/*
 * Holding tensors to what the model declares of its inputs and outputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "model.h"

/* Is something declared that is no tensor: a sequence, map, optional or sparse tensor? */
bool onnx_declared_is_no_tensor(const Onnx__TypeProto *type);

/* Fails with both, the declared and the given, if they differ in type, rank or a dimension. A model
 * may leave out the type or any part of it. A dimension without a value, one with a name
 * (dim_param) and a negative one, as some exporters write it, stand for any extent. */
clrs_status onnx_declared_check(const Onnx__TypeProto *type, clrs_dtype dtype,
                                const clrs_shape *shape, clrs_error *error);
