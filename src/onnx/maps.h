/*
 * Operators that compute with the elements of device tensors. An operator adds a map to the data.
 * The pass that moves the result computes the map.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "node.h"

/* The numbers of a step or zero point: a few values on the host, or a tensor on the device. */
typedef struct onnx_parameter {
  clrs_numbers
      numbers; /* parameter for the constructors of maps. The values live as long as the node */
  clrs_tensor *tensor; /* NULL if there are host values. Not retained */
} onnx_parameter;

/* How numbers are spread: `list` for numbers on the host, `tensor` for tensors. If `list` is NULL,
 * the numbers must be a tensor. */
typedef struct onnx_spreads {
  const clrs_spread *list, *tensor;
} onnx_spreads;

/* Reads a parameter. Many numbers become a tensor. Numbers that a step of this kind refuses,
 * because the IEEE result is infinity or NaN, also become a tensor. */
clrs_status onnx_parameter_read(const onnx_node *node, model_value *value, clrs_step_kind kind,
                                const onnx_spreads *spreads, onnx_parameter *parameter,
                                clrs_error *error);
/* A map, and the tensors among the map's parameters. */
typedef struct onnx_map {
  clrs_map map;
  clrs_parameter_tensors tensors;
} onnx_map;

/* Appends a step, with a tensor if the parameter is a tensor. */
clrs_status onnx_map_step(onnx_map *made, clrs_step_kind kind, clrs_dtype dtype,
                          const onnx_parameter *parameter, clrs_error *error);

/* Maps a dense tensor on the host. No parameter of the map may be a tensor. */
clrs_status onnx_map_known(const clrs_map *map, const onnx_dense *dense, void *result, size_t size,
                           clrs_error *error);

/* Outputs `data`, broadcast with `shape` and mapped. If `data` is mapped already and the two maps
 * cannot be joined, or if no pass computes the map, `data` is stored first. If that is not enough,
 * the parameters are stored too. */
clrs_status onnx_node_map(const onnx_node *node, model_value *data, const clrs_shape *shape,
                          const clrs_map *map, const clrs_parameter_tensors *tensors,
                          clrs_error *error);

/* Does the status say that two maps cannot be joined, because of rounding or a map's size, or that
 * no single pass exists, because views have no common axes? */
bool onnx_is_apart(clrs_status status);

/* Is the type half, bfloat16, float or double, the types of arithmetic? */
bool onnx_is_float(clrs_dtype dtype);

/* Applies attribute `saturate`, which concerns floats of 8 bits. */
clrs_status onnx_saturate(const onnx_node *node, clrs_map *map, clrs_error *error);
