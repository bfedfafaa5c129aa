/* SPDX-License-Identifier: Apache-2.0 */
#include "maps.h"

#include <inttypes.h>
#include <math.h>

#include "status.h"

/* Most numbers in a map. More steps, as exporters write in sequence, then fit into one map. */
enum { MOST_NUMBERS = 16 };

bool onnx_is_float(clrs_dtype dtype) {
  return dtype == CLRS_F16 || dtype == CLRS_BF16 || dtype == CLRS_F32 || dtype == CLRS_F64;
}

/* ---- attributes ---- */

static bool is_float8(clrs_dtype dtype) {
  return dtype == CLRS_F8E4M3FN || dtype == CLRS_F8E4M3FNUZ || dtype == CLRS_F8E5M2 ||
         dtype == CLRS_F8E5M2FNUZ || dtype == CLRS_F8E8M0;
}

clrs_status onnx_saturate(const onnx_node *node, clrs_map *map, clrs_error *error) {
  const int64_t saturate = onnx_node_int(node, "saturate", 1);
  if (saturate != 0 && saturate != 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "saturate is %" PRId64 "; it must be 0 or 1",
                      saturate);
  }
  if (saturate == 0 && is_float8(map->to) && map->step_count > 0) {
    map->steps[map->step_count - 1].overflow = CLRS_OVERFLOW_IEEE;
  }
  return CLRS_OK;
}

/* ---- parameters ---- */

clrs_status onnx_map_known(const clrs_map *map, const onnx_dense *dense, void *result, size_t size,
                           clrs_error *error) {
  const clrs_map_data data = {.source = {dense->bytes, dense->size}};
  clrs_map_views views;
  clrs_view view;
  CLRS_TRY(clrs_view_dense(dense->dtype, &dense->shape, &view, error));
  CLRS_TRY(clrs_map_bind(map, &view, NULL, &views, error));
  return clrs_map_apply(map, &views, &data, result, size, error);
}

/* Converts the elements to doubles. Types of up to 32 bits are converted exactly. */
static clrs_status read_doubles(const onnx_dense *dense, size_t count, double *values,
                                clrs_error *error) {
  clrs_map map;
  CLRS_TRY(clrs_map_cast(CLRS_NUMPY, dense->dtype, CLRS_F64, &map, error));
  return onnx_map_known(&map, dense, values, count * sizeof *values, error);
}

static bool is_taken(clrs_step_kind kind, double number) {
  const bool clamps = kind == CLRS_STEP_AT_LEAST || kind == CLRS_STEP_AT_MOST;
  const bool is_zero = number <= 0 && number >= 0;
  return !isnan(number) && (clamps || !isinf(number)) && (kind != CLRS_STEP_DIVIDE || !is_zero);
}

/* Reads the numbers on the host. Leaves the parameter without values if the numbers must be a
 * tensor. */
static clrs_status read_numbers(const onnx_node *node, const model_value *value,
                                clrs_step_kind kind, onnx_parameter *parameter, clrs_error *error) {
  int64_t count = 0;
  double *values;
  CLRS_TRY(clrs_shape_count(&value->dense.shape, &count, error));
  if (count < 1 || count > MOST_NUMBERS) {
    return CLRS_OK;
  }
  CLRS_TRY(onnx_arena_take(&node->graph->arena, (size_t)count, sizeof *values, &values, error));
  CLRS_TRY(read_doubles(&value->dense, (size_t)count, values, error));
  for (int64_t i = 0; i < count; i++) {
    if (!is_taken(kind, values[i])) {
      return CLRS_OK;
    }
  }
  parameter->numbers.count = (size_t)count;
  parameter->numbers.values = values;
  return CLRS_OK;
}

clrs_status onnx_parameter_read(const onnx_node *node, model_value *value, clrs_step_kind kind,
                                const onnx_spreads *spreads, onnx_parameter *parameter,
                                clrs_error *error) {
  *parameter = (onnx_parameter){.numbers.values = NULL};
  if (value->on_host && spreads->list != NULL) {
    CLRS_TRY(read_numbers(node, value, kind, parameter, error));
  }
  if (parameter->numbers.values != NULL && spreads->list != NULL) {
    parameter->numbers.spread = *spreads->list;
    return CLRS_OK;
  }
  const clrs_onnx_moved moved = onnx_node_moved(node);
  parameter->numbers.spread = *spreads->tensor;
  return onnx_graph_stored(node->graph, value, &moved, &parameter->tensor, error);
}

clrs_status onnx_map_step(onnx_map *made, clrs_step_kind kind, clrs_dtype dtype,
                          const onnx_parameter *parameter, clrs_error *error) {
  CLRS_TRY(clrs_map_step(&made->map, kind, dtype, &parameter->numbers, error));
  made->tensors.steps[made->map.step_count - 1] = parameter->tensor;
  return CLRS_OK;
}

/* ---- the result ---- */

/* Maps `data`, broadcast with `shape`. Fails if no pass computes the map. */
static clrs_status map_value(const onnx_node *node, model_value *data, const clrs_shape *shape,
                             const clrs_map *map, const clrs_parameter_tensors *tensors,
                             clrs_tensor **mapped, clrs_error *error) {
  clrs_onnx_graph *graph = node->graph;
  clrs_tensor *tensor, *seen;
  CLRS_TRY(onnx_graph_tensor(graph, data, &tensor, error));
  clrs_view view = *clrs_tensor_view(tensor);
  CLRS_TRY(clrs_view_expand(&view, shape, error));
  CLRS_TRY(clrs_tensor_with_view(tensor, &view, &seen, error));
  const clrs_status status = clrs_tensor_with_map(seen, map, tensors, mapped, error);
  clrs_tensor_release(seen);
  CLRS_TRY(status);
  CLRS_TRY(onnx_arena_hold(&graph->arena, *mapped, error));
  return onnx_check_pass(*mapped, error);
}

bool onnx_is_apart(clrs_status status) {
  return status == CLRS_UNSUPPORTED || status == CLRS_LIMIT_EXCEEDED;
}

static clrs_status store_parameter(const onnx_node *node, clrs_tensor **parameter,
                                   clrs_error *error) {
  const clrs_onnx_moved moved = onnx_node_moved(node);
  if (*parameter == NULL) {
    return CLRS_OK;
  }
  CLRS_TRY(onnx_graph_materialize(node->graph, *parameter, &moved, parameter, error));
  return onnx_arena_hold(&node->graph->arena, *parameter, error);
}

/* Replaces the parameter tensors by copies in row-major order. */
static clrs_status store_parameters(const onnx_node *node, clrs_parameter_tensors *tensors,
                                    clrs_error *error) {
  for (uint32_t i = 0; i < CLRS_MAP_STEPS; i++) {
    CLRS_TRY(store_parameter(node, &tensors->steps[i], error));
  }
  return CLRS_OK;
}

clrs_status onnx_node_map(const onnx_node *node, model_value *data, const clrs_shape *shape,
                          const clrs_map *map, const clrs_parameter_tensors *tensors,
                          clrs_error *error) {
  const clrs_onnx_moved moved = onnx_node_moved(node);
  clrs_parameter_tensors given =
      tensors != NULL ? *tensors : (clrs_parameter_tensors){.steps = {NULL}};
  clrs_tensor *tensor, *mapped;
  clrs_status status = map_value(node, data, shape, map, &given, &mapped, error);
  if (onnx_is_apart(status)) {
    CLRS_TRY(onnx_graph_store(node->graph, data, &moved, &tensor, error));
    status = map_value(node, data, shape, map, &given, &mapped, error);
  }
  if (onnx_is_apart(status)) {
    CLRS_TRY(store_parameters(node, &given, error));
    status = map_value(node, data, shape, map, &given, &mapped, error);
  }
  CLRS_TRY(status);
  return onnx_node_give(node, mapped, error);
}
