/*
 * An ONNX model, read and checked as far as that is possible without running it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "onnx.pb-c.h"
#include <clreshape/onnx.h>

#define MODEL_MAX_NODES 100000
#define MODEL_MAX_VALUES 1000000 /* inputs, initializers and outputs of nodes together */
#define MODEL_NEWEST_OPSET 28    /* the last opset whose movement operators were compared */

struct clrs_onnx_model {
  Onnx__ModelProto *proto; /* its graph is never NULL */
  int64_t opset;           /* of the default domain */
  size_t memory;           /* that its values may take while it runs */
};

/* "" and "ai.onnx" both name ONNX's own operators. `domain` may be NULL. */
bool onnx_model_is_default_domain(const char *domain);

/* Is something declared that is no tensor: a sequence, map, optional or sparse tensor? */
bool onnx_declared_is_no_tensor(const Onnx__TypeProto *type);

/* Each fails with both, the declared and the given, if they differ: in type, or in rank or a
 * dimension. A model may leave out the type or any part of it. A dimension without a value, one
 * with a name (dim_param) and a negative one, as some exporters write it, stand for any extent. */
clrs_status onnx_declared_check_type(const Onnx__TypeProto *type, clrs_dtype dtype,
                                     clrs_error *error);
clrs_status onnx_declared_check_dims(const Onnx__TypeProto *type, const clrs_shape *shape,
                                     clrs_error *error);
