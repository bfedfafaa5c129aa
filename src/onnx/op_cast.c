/*
 * Cast, CastLike and BitCast: on the host for what it knows, else a map.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "arithmetic.h"
#include "maps.h"
#include "operators.h"
#include "status.h"
#include "text.h"

/* -------------------------------------------------------------------------------- on the host */

/* What ONNX leaves undefined, a real number outside of the type, is refused. */
static clrs_status truncate(size_t index, onnx_number *number, clrs_error *error) {
  if (!(number->real > -9223372036854775808.0 && number->real < 9223372036854775808.0)) {
    return clrs__fail(error, CLRS_OVERFLOW, "value %zu, %g, does not fit in 64 bits", index,
                      number->real);
  }
  number->whole = (int64_t)number->real;
  return CLRS_OK;
}

/* An integer that does not fit keeps its low bits: 200 of int16 is -56 of int8. */
static clrs_status cast_one(const onnx_dense *from, size_t index, onnx_dense *to,
                            clrs_error *error) {
  const bool from_real = onnx_number_is_real(from->dtype), to_real = onnx_number_is_real(to->dtype);
  onnx_number number;
  onnx_number_load(from, index, &number);
  if (to->dtype == CLRS_BOOL) {
    number.whole = from_real ? !(number.real <= 0 && number.real >= 0) /* NaN is true */
                             : number.whole != 0;
  } else if (from_real && !to_real) {
    CLRS_TRY(truncate(index, &number, error));
    return onnx_number_write(&number, index, to, error);
  } else if (!from_real) {
    number.real = from->dtype == CLRS_U64 ? (double)(uint64_t)number.whole : (double)number.whole;
  }
  onnx_number_store(&number, index, to);
  return CLRS_OK;
}

static clrs_status cast_known(const onnx_node *node, clrs_dtype to, clrs_error *error) {
  const onnx_dense *from;
  onnx_dense result = {0};
  CLRS_TRY(onnx_known_operand(node, 0, &from, error));
  CLRS_TRY(onnx_known_make(&node->graph->arena, to, &from->shape, &result, error));
  for (size_t i = 0; i < result.size / (clrs_dtype_bits(to) / 8); i++) {
    CLRS_TRY(cast_one(from, i, &result, error));
  }
  return onnx_node_give_known(node, &result, error);
}

/* Cast-1 names the type as TensorProto does, in capitals. */
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

/* Only float8e8m0 has a choice. */
static clrs_status read_round_mode(const onnx_node *node, clrs_map *map, clrs_error *error) {
  static const struct {
    const char *name;
    clrs_rounding rounding;
  } modes[] = {{"up", CLRS_ROUND_UP}, {"down", CLRS_ROUND_DOWN}, {"nearest", CLRS_ROUND_AWAY}};
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
    if (onnx_node_says(node, "round_mode", "up", modes[i].name)) {
      map->rounding = map->to == CLRS_F8E8M0 ? modes[i].rounding : map->rounding;
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "round_mode is none of up, down and nearest");
}

static clrs_status cast_data(const onnx_node *node, model_value *data, clrs_dtype to,
                             clrs_error *error) {
  const clrs_dtype from = onnx_graph_dtype(data);
  const clrs_shape shape = *onnx_graph_shape(data);
  clrs_map map;
  CLRS_TRY(clrs_map_cast(CLRS_ONNX, from, to, &map, error));
  if (onnx_is_float(from) && map.rounding == CLRS_ROUND_ZERO) {
    map.overflow = CLRS_OVERFLOW_WRAP; /* ONNX leaves it undefined, but its own tests want this */
  }
  CLRS_TRY(onnx_saturate(node, &map, error));
  CLRS_TRY(read_round_mode(node, &map, error));
  return onnx_node_map(node, data, &shape, &map, NULL, error);
}

/* Integers that no pass has to be made for: most are sizes, and nodes to come need their numbers.
 */
static bool is_for_host(const model_value *data, clrs_dtype to) {
  const clrs_dtype from = onnx_graph_dtype(data);
  const bool are_integers = !onnx_number_is_real(from) && !onnx_number_is_real(to);
  return onnx_number_type(from) && onnx_number_type(to) &&
         onnx_known_fits(from, onnx_graph_shape(data)) &&
         (data->known ||
          (are_integers && (data->tensor == NULL || !clrs_tensor_is_mapped(data->tensor))));
}

/* Data may be cast to the type that it has. */
static clrs_status cast(const onnx_node *node, clrs_dtype to, clrs_error *error) {
  model_value *data;
  CLRS_TRY(onnx_node_need(node, 0, &data, error));
  const clrs_dtype from = onnx_graph_dtype(data);
  if (from == to) {
    return onnx_identity(node, error);
  }
  if (from == CLRS_STRING || to == CLRS_STRING) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "its input is %s and to is %s; strings are not read or written as numbers",
                      clrs_dtype_name(from, CLRS_TYPES_ONNX), clrs_dtype_name(to, CLRS_TYPES_ONNX));
  }
  return is_for_host(data, to) ? cast_known(node, to, error) : cast_data(node, data, to, error);
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
