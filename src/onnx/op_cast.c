/*
 * Cast, CastLike and BitCast: on the host for known values, else as a map.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "arithmetic.h"
#include "maps.h"
#include "operators.h"
#include "status.h"
#include "text.h"

/* Reads the type. Cast-1 has TensorProto's name of the type, in capitals. */
static clrs_status read_type(const onnx_node *node, clrs_dtype *to, clrs_error *error) {
  const Onnx__AttributeProto *attribute = onnx_node_attribute(node, "to");
  char name[24] = "";
  if (attribute == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "attribute to is missing");
  }
  if (node->op->since >= 6) {
    return attribute->i < 0 || attribute->i > INT32_MAX
               ? clrs__fail(error, CLRS_INVALID_ARGUMENT, "to is %" PRId64 ", which is no type",
                            attribute->i)
               : clrs_dtype_from_onnx((int32_t)attribute->i, to, error);
  }
  for (size_t i = 0; i < attribute->s.len && i + 1 < sizeof name; i++) {
    name[i] = (char)attribute->s.data[i];
    if (name[i] >= 'A' && name[i] <= 'Z') {
      name[i] = (char)(name[i] - 'A' + 'a');
    }
  }
  clrs__drop_cut_character(name);
  return clrs_dtype_from_name(name, CLRS_TYPES_ONNX, to, error);
}

/* ---------------------------------------------------------------------------------- as a map */

/* Applies round_mode, which affects only float8e8m0. */
static clrs_status read_round_mode(const onnx_node *node, clrs_map *map, clrs_error *error) {
  static const struct {
    const char *name;
    clrs_rounding rounding;
  } modes[] = {{"up", CLRS_ROUND_UP}, {"down", CLRS_ROUND_DOWN}, {"nearest", CLRS_ROUND_AWAY}};
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
    if (onnx_node_says(node, "round_mode", "up", modes[i].name)) {
      if (map->step_count > 0 && map->to == CLRS_F8E8M0) {
        map->steps[0].rounding = modes[i].rounding;
      }
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "round_mode is none of up, down and nearest");
}

/* Makes the map for known values and for data, so that both give the same bits. */
static clrs_status make_map(const onnx_node *node, clrs_dtype from, clrs_dtype to, clrs_map *map,
                            clrs_error *error) {
  CLRS_TRY(clrs_map_cast(CLRS_ONNX, from, to, map, error));
  CLRS_TRY(onnx_saturate(node, map, error));
  return read_round_mode(node, map, error);
}

static clrs_status cast_known(const onnx_node *node, const clrs_map *map, clrs_error *error) {
  const onnx_dense *from;
  onnx_dense result = {0};
  CLRS_TRY(onnx_known_operand(node, 0, &from, error));
  CLRS_TRY(onnx_known_make(&node->graph->arena, map->to, &from->shape, &result, error));
  CLRS_TRY(onnx_map_known(map, from, result.owned, result.size, error));
  return onnx_node_give_known(node, &result, error);
}

/* May the host cast the data? Integers that need no pass are cast on the host, because most are
 * sizes, and later nodes need the numbers. */
static bool is_for_host(const model_value *data, clrs_dtype to) {
  const clrs_dtype from = onnx_graph_dtype(data);
  const bool are_integers = !onnx_number_is_real(from) && !onnx_number_is_real(to);
  return onnx_number_type(from) && onnx_number_type(to) &&
         onnx_known_fits(from, onnx_graph_shape(data)) &&
         (data->known ||
          (are_integers && (data->tensor == NULL || !clrs_tensor_is_mapped(data->tensor))));
}

/* Casts the data. A cast to the same type is an identity. */
static clrs_status cast(const onnx_node *node, clrs_dtype to, clrs_error *error) {
  model_value *data;
  clrs_map map;
  CLRS_TRY(onnx_node_need(node, 0, &data, error));
  const clrs_dtype from = onnx_graph_dtype(data);
  const clrs_shape shape = *onnx_graph_shape(data);
  if (from == to) {
    return onnx_identity(node, error);
  }
  if (from == CLRS_STRING || to == CLRS_STRING) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "its input is %s and to is %s; strings are not read or written as numbers",
                      clrs_dtype_name(from, CLRS_TYPES_ONNX), clrs_dtype_name(to, CLRS_TYPES_ONNX));
  }
  CLRS_TRY(make_map(node, from, to, &map, error));
  return is_for_host(data, to) ? cast_known(node, &map, error)
                               : onnx_node_map(node, data, &shape, &map, NULL, error);
}

clrs_status onnx_cast(const onnx_node *node, clrs_error *error) {
  clrs_dtype to = CLRS_F32;
  CLRS_TRY(read_type(node, &to, error));
  return cast(node, to, error);
}

clrs_status onnx_cast_like(const onnx_node *node, clrs_error *error) {
  model_value *like;
  CLRS_TRY(onnx_node_need(node, 1, &like, error));
  return cast(node, onnx_graph_dtype(like), error);
}

clrs_status onnx_bit_cast(const onnx_node *node, clrs_error *error) {
  model_value *data;
  clrs_dtype to = CLRS_F32;
  clrs_map map;
  CLRS_TRY(read_type(node, &to, error));
  CLRS_TRY(onnx_node_need(node, 0, &data, error));
  const clrs_shape shape = *onnx_graph_shape(data);
  CLRS_TRY(clrs_map_bitcast(onnx_graph_dtype(data), to, &map, error));
  return onnx_node_map(node, data, &shape, &map, NULL, error);
}
