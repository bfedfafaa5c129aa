/*
 * Add, Sub, Mul, Div and Clip: steps of a map for data, and arithmetic on the host for known
 * numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "arithmetic.h"
#include "maps.h"
#include "operators.h"
#include "status.h"

/* ---- two operands: the elements of one, and the parameter of the step ---- */

typedef struct step_rule {
  const char *name;
  clrs_step_kind kind;
  bool commutes;
} step_rule;

static const step_rule rules[] = {{"Add", CLRS_STEP_ADD, true},
                                  {"Sub", CLRS_STEP_SUBTRACT, false},
                                  {"Mul", CLRS_STEP_MULTIPLY, true},
                                  {"Div", CLRS_STEP_DIVIDE, false}};

static const step_rule *find_rule(const char *name) {
  size_t at = 0;
  while (strcmp(rules[at].name, name) != 0) {
    at++;
  }
  return &rules[at];
}

static bool is_for_host(const model_value *value) {
  return !onnx_is_float(onnx_graph_dtype(value)) ||
         (value->known && onnx_number_type(onnx_graph_dtype(value)));
}

static clrs_status check_types(model_value *const *operands, clrs_error *error) {
  const clrs_dtype a = onnx_graph_dtype(operands[0]), b = onnx_graph_dtype(operands[1]);
  return a == b
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "its operands are %s and %s; they must be equal",
                          clrs_dtype_name(a, CLRS_TYPES_ONNX), clrs_dtype_name(b, CLRS_TYPES_ONNX));
}

static clrs_status find_shape(model_value *const *operands, clrs_shape *shape, clrs_error *error) {
  clrs_view view;
  CLRS_TRY(clrs_view_dense(CLRS_BOOL, onnx_graph_shape(operands[0]), &view, error));
  CLRS_TRY(clrs_view_expand(&view, onnx_graph_shape(operands[1]), error));
  *shape = view.shape;
  return CLRS_OK;
}

/* Should the second operand be the mapped elements? Data is better than a constant, and an operand
 * of the result's shape is better than a repeated operand. */
static bool is_second_better(model_value *const *operands, const clrs_shape *shape) {
  return operands[0]->known != operands[1]->known
             ? operands[0]->known
             : !clrs_shape_equal(onnx_graph_shape(operands[0]), shape) &&
                   clrs_shape_equal(onnx_graph_shape(operands[1]), shape);
}

/* Are the numbers a list, with at most one dim that is not 1? The spread's axis then counts from
 * the end. Example: [3,1,1] is a list along axis -3. */
static bool is_list(const clrs_shape *shape, clrs_spread *spread) {
  uint32_t found = 0;
  *spread = (clrs_spread){.kind = CLRS_SPREAD_BROADCAST};
  for (uint32_t dim = 0; dim < shape->rank; dim++) {
    if (shape->dims[dim] != 1) {
      *spread = (clrs_spread){CLRS_SPREAD_AXIS, (int64_t)dim - shape->rank, 0};
      found++;
    }
  }
  return found <= 1;
}

static clrs_status step_data(const onnx_node *node, model_value *const *operands,
                             clrs_error *error) {
  const clrs_spread broadcast = {.kind = CLRS_SPREAD_BROADCAST};
  const step_rule *rule = find_rule(node->op->name);
  const clrs_dtype dtype = onnx_graph_dtype(operands[0]);
  onnx_map made = {.tensors = {.steps = {NULL}}};
  onnx_parameter parameter;
  clrs_spread list;
  clrs_shape shape;
  CLRS_TRY(find_shape(operands, &shape, error));
  const bool swapped = rule->commutes && is_second_better(operands, &shape);
  model_value *element = operands[swapped], *other = operands[!swapped];
  const onnx_spreads spreads = {is_list(onnx_graph_shape(other), &list) ? &list : NULL, &broadcast};
  CLRS_TRY(onnx_parameter_read(node, other, rule->kind, &spreads, &parameter, error));
  CLRS_TRY(clrs_map_cast(CLRS_ONNX, dtype, dtype, &made.map, error));
  CLRS_TRY(onnx_map_step(&made, rule->kind, dtype, &parameter, error));
  return onnx_node_map(node, element, &shape, &made.map, &made.tensors, error);
}

clrs_status onnx_step(const onnx_node *node, clrs_error *error) {
  model_value *operands[2];
  CLRS_TRY(onnx_node_need(node, 0, &operands[0], error));
  CLRS_TRY(onnx_node_need(node, 1, &operands[1], error));
  if (is_for_host(operands[0]) && is_for_host(operands[1])) {
    return onnx_fold(node, error);
  }
  CLRS_TRY(check_types(operands, error));
  return step_data(node, operands, error);
}

/* ---- Clip ---- */

/* The bounds of a node, NULL if missing. Older forms have attributes. */
typedef struct bounds {
  model_value *inputs[2];
  const Onnx__AttributeProto *attributes[2];
} bounds;

static bool is_bounded(const bounds *by, size_t index) {
  return by->inputs[index] != NULL || by->attributes[index] != NULL;
}

static const char *const bound_names[2] = {"min", "max"};

static clrs_status check_bound(const model_value *bound, const char *name, clrs_dtype dtype,
                               clrs_error *error) {
  int64_t count = 0;
  CLRS_TRY(clrs_shape_count(onnx_graph_shape(bound), &count, error));
  return count == 1 && onnx_graph_dtype(bound) == dtype
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "input \"%s\" is %" PRId64 " of %s; it must be 1 of %s", name, count,
                          clrs_dtype_name(onnx_graph_dtype(bound), CLRS_TYPES_ONNX),
                          clrs_dtype_name(dtype, CLRS_TYPES_ONNX));
}

static clrs_status read_bounds(const onnx_node *node, clrs_dtype dtype, bounds *to,
                               clrs_error *error) {
  const bool has_inputs = node->op->max_inputs > 1;
  *to = (bounds){.inputs = {NULL, NULL}};
  for (size_t i = 0; i < 2; i++) {
    if (has_inputs) {
      CLRS_TRY(onnx_node_input(node, i + 1, &to->inputs[i], error));
    } else {
      to->attributes[i] = onnx_node_attribute(node, bound_names[i]);
    }
    if (to->inputs[i] != NULL) {
      CLRS_TRY(check_bound(to->inputs[i], bound_names[i], dtype, error));
    }
  }
  return CLRS_OK;
}

/* May the host compute with the bound? The host computes with no floating-point data. */
static bool is_bound_for_host(const model_value *bound) {
  return bound == NULL || bound->known || !onnx_number_is_real(onnx_graph_dtype(bound));
}

/* Is the result computed on the host? Known numbers with known bounds stay known. Integers of 64
 * bits are exact only on the host. */
static bool is_clipped_on_host(const model_value *data, const bounds *by) {
  const clrs_dtype dtype = onnx_graph_dtype(data);
  return dtype == CLRS_I64 || dtype == CLRS_U64 ||
         (data->known && onnx_number_type(dtype) &&
          onnx_known_fits(dtype, onnx_graph_shape(data)) && is_bound_for_host(by->inputs[0]) &&
          is_bound_for_host(by->inputs[1]));
}

static clrs_status clip_known(const onnx_node *node, const bounds *by, clrs_error *error) {
  static const char *const names[2] = {"Max", "Min"};
  const onnx_dense *operand;
  CLRS_TRY(onnx_known_operand(node, 0, &operand, error));
  onnx_dense result = *operand, next; /* borrows the bytes */
  for (size_t i = 0; i < 2; i++) {
    if (by->inputs[i] != NULL) {
      CLRS_TRY(onnx_known_operand(node, i + 1, &operand, error));
      CLRS_TRY(onnx_binary_apply(&node->graph->arena, onnx_binary_find(names[i]), &result, operand,
                                 &next, error));
      next.shape = result.shape; /* dims of the bound are not added */
      result = next;
    }
  }
  return onnx_node_give_known(node, &result, error);
}

/* Returns the type in which to compare. Floats keep the type. A float holds every integer of less
 * than 32 bits, and a double holds every integer of 32 bits. */
static clrs_dtype type_of_bounds(clrs_dtype dtype) {
  return onnx_is_float(dtype) ? dtype : clrs_dtype_bits(dtype) < 32 ? CLRS_F32 : CLRS_F64;
}

static clrs_status add_bound(const onnx_node *node, const bounds *by, size_t index, onnx_map *made,
                             clrs_error *error) {
  const clrs_step_kind kind = index == 0 ? CLRS_STEP_AT_LEAST : CLRS_STEP_AT_MOST;
  const clrs_spread everywhere = {.kind = CLRS_SPREAD_BROADCAST};
  const onnx_spreads spreads = {&everywhere, &everywhere};
  onnx_parameter parameter = {.tensor = NULL};
  double *value;
  if (by->inputs[index] != NULL) {
    CLRS_TRY(onnx_parameter_read(node, by->inputs[index], kind, &spreads, &parameter, error));
  } else {
    CLRS_TRY(onnx_arena_take(&node->graph->arena, 1, sizeof *value, &value, error));
    *value = (double)by->attributes[index]->f;
    parameter.numbers = (clrs_numbers){1, value, everywhere};
  }
  const clrs_dtype type = type_of_bounds(made->map.from);
  return onnx_map_step(made, kind, type, &parameter, error);
}

static clrs_status clip_data(const onnx_node *node, model_value *data, const bounds *by,
                             clrs_error *error) {
  const clrs_dtype dtype = onnx_graph_dtype(data);
  const clrs_shape shape = *onnx_graph_shape(data);
  onnx_map made = {.tensors = {.steps = {NULL}}};
  CLRS_TRY(clrs_map_cast(CLRS_ONNX, dtype, dtype, &made.map, error));
  for (size_t i = 0; i < 2; i++) {
    if (is_bounded(by, i)) {
      CLRS_TRY(add_bound(node, by, i, &made, error));
    }
  }
  if (!onnx_is_float(dtype)) {
    CLRS_TRY(clrs_map_round(&made.map, dtype, CLRS_ROUND_ZERO, CLRS_OVERFLOW_SATURATE, error));
  }
  return onnx_node_map(node, data, &shape, &made.map, &made.tensors, error);
}

clrs_status onnx_clip(const onnx_node *node, clrs_error *error) {
  model_value *data;
  bounds by;
  CLRS_TRY(onnx_node_need(node, 0, &data, error));
  CLRS_TRY(read_bounds(node, onnx_graph_dtype(data), &by, error));
  if (!is_bounded(&by, 0) && !is_bounded(&by, 1)) {
    return onnx_identity(node, error);
  }
  return is_clipped_on_host(data, &by) && by.attributes[0] == NULL && by.attributes[1] == NULL
             ? clip_known(node, &by, error)
             : clip_data(node, data, &by, error);
}
