/*
 * An ONNX model, read and checked as far as possible without running the model.
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
  Onnx__ModelProto *proto; /* proto->graph is never NULL */
  int64_t opset;           /* opset of the default domain */
  size_t memory;           /* bytes that values may take in a run */
};

/* Is `domain` the domain of ONNX's own operators: "", "ai.onnx" or NULL? */
bool onnx_model_is_default_domain(const char *domain);

/* Is the declared type no tensor: a sequence, map, optional or sparse tensor? */
bool onnx_declared_is_no_tensor(const Onnx__TypeProto *type);

/* Each function fails if the declared type, rank or a dimension differs from the given one. The
 * message names both. A model may leave out the type or any part of the type. A dimension without a
 * value, with a name (dim_param), or with a negative value, as some exporters write, allows any
 * extent. */
clrs_status onnx_declared_check_type(const Onnx__TypeProto *type, clrs_dtype dtype,
                                     clrs_error *error);
clrs_status onnx_declared_check_dims(const Onnx__TypeProto *type, const clrs_shape *shape,
                                     clrs_error *error);
