/*
 * Operators that compute with the elements of device tensors: each gives its data as a map makes
 * it, and the map is carried out in the pass that moves the result.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "node.h"

/* The numbers of a step or zero point: a few that the host has, or a tensor on the device. */
typedef struct onnx_parameter {
  clrs_numbers
      numbers; /* as the constructors of maps take it; the values live as long as the node */
  clrs_tensor *tensor; /* NULL if there are values; not retained */
} onnx_parameter;

/* Host numbers are spread as a list; `list` NULL asks for a tensor. */
typedef struct onnx_spreads {
  const clrs_spread *list, *tensor;
} onnx_spreads;

/* A tensor too if the numbers are many, or such that a step of this kind refuses them: by IEEE's
 * rules they give infinity or NaN. */
clrs_status onnx_parameter_read(const onnx_node *node, model_value *value, clrs_step_kind kind,
                                const onnx_spreads *spreads, onnx_parameter *parameter,
                                clrs_error *error);
/* A map and the tensors among its parameters. */
typedef struct onnx_map {
  clrs_map map;
  clrs_parameter_tensors tensors;
} onnx_map;

/* Appends a step, with its tensor if there is one. */
clrs_status onnx_map_step(onnx_map *made, clrs_step_kind kind, clrs_dtype dtype,
                          const onnx_parameter *parameter, clrs_error *error);

/* Maps a dense tensor on the host. The map has no tensor among its parameters. */
clrs_status onnx_map_known(const clrs_map *map, const onnx_dense *dense, void *result, size_t size,
                           clrs_error *error);

/* Gives `data`, broadcast with `shape`, as the map makes it. If `data` is mapped already and the
 * two maps are not one, or if no pass carries the map out, `data` is stored first. If that does not
 * do, the parameters are stored too. */
clrs_status onnx_node_map(const onnx_node *node, model_value *data, const clrs_shape *shape,
                          const clrs_map *map, const clrs_parameter_tensors *tensors,
                          clrs_error *error);

/* Do two maps not become one, as rounding or a map's size is in the way, or not one pass, as views
 * have no common axes? */
bool onnx_is_apart(clrs_status status);

/* half, bfloat16, float or double: what arithmetic is for. */
bool onnx_is_float(clrs_dtype dtype);

/* Attribute `saturate`, which floats of 8 bits have. */
clrs_status onnx_saturate(const onnx_node *node, clrs_map *map, clrs_error *error);
