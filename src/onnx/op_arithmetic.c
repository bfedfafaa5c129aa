/*
 * Operators on known numbers: operators of two, many or one operand, Where and ReduceProd.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "arithmetic.h"
#include "operators.h"
#include "status.h"

/* Copies the operand to a new value. */
static clrs_status copy(const onnx_node *node, const onnx_dense *operand, onnx_dense *result,
                        clrs_error *error) {
  clrs_view view;
  CLRS_TRY(clrs_view_dense(operand->dtype, &operand->shape, &view, error));
  return onnx_known_gather(&node->graph->arena, operand, &view, result, error);
}

/* Folds all operands with a rule. Most operators have two operands. */
static clrs_status fold(const onnx_node *node, const char *name, clrs_error *error) {
  onnx_arena *arena = &node->graph->arena;
  const onnx_binary_rule *rule = onnx_binary_find(name);
  const onnx_dense *operand;
  onnx_dense result, next;
  CLRS_TRY(onnx_known_operand(node, 0, &operand, error));
  if (node->proto->n_input == 1) {
    CLRS_TRY(copy(node, operand, &result, error));
    return onnx_node_give_known(node, &result, error);
  }
  result = *operand; /* borrows the bytes */
  result.owned = NULL;
  for (size_t i = 1; i < node->proto->n_input; i++) {
    CLRS_TRY(onnx_known_operand(node, i, &operand, error));
    CLRS_TRY(onnx_binary_apply(arena, rule, &result, operand, &next, error));
    onnx_arena_free(arena, result.owned);
    result = next;
  }
  return onnx_node_give_known(node, &result, error);
}

clrs_status onnx_fold(const onnx_node *node, clrs_error *error) {
  return fold(node, node->op->name, error);
}

clrs_status onnx_mod(const onnx_node *node, clrs_error *error) {
  const int64_t mode = onnx_node_int(node, "fmod", 0);
  if (mode != 0 && mode != 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "fmod is %" PRId64 "; it must be 0 or 1", mode);
  }
  return fold(node, mode == 1 ? "fmod" : "Mod", error);
}

/* Adapts the second operand for opsets before 7. The shapes must be equal. With `broadcast`, the
 * second shape must match dims of the first from `axis` on, and missing dims at the end become 1.
 * Example: with axis 1, [3,4] matches [2,3,4,5] and becomes [3,4,1]. */
static clrs_status align(const onnx_node *node, const onnx_dense *a, onnx_dense *b,
                         clrs_error *error) {
  if (onnx_node_int(node, "broadcast", 0) == 0) {
    if (!clrs_shape_equal(&a->shape, &b->shape)) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "its operands have different shapes, but broadcast is 0");
    }
    return CLRS_OK;
  }
  const int64_t spare = (int64_t)a->shape.rank - b->shape.rank;
  const int64_t axis = onnx_node_int(node, "axis", spare);
  if (axis < 0 || axis > spare) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "axis is %" PRId64 "; it must be 0 to %" PRId64,
                      axis, spare);
  }
  for (int64_t i = axis; i < spare; i++) {
    b->shape.dims[b->shape.rank++] = 1;
  }
  return CLRS_OK;
}

clrs_status onnx_binary_aligned(const onnx_node *node, clrs_error *error) {
  const onnx_dense *a, *second;
  onnx_dense result = {0};
  CLRS_TRY(onnx_known_operand(node, 0, &a, error));
  CLRS_TRY(onnx_known_operand(node, 1, &second, error));
  onnx_dense b = *second; /* borrows the bytes */
  CLRS_TRY(align(node, a, &b, error));
  CLRS_TRY(onnx_binary_apply(&node->graph->arena, onnx_binary_find(node->op->name), a, &b, &result,
                             error));
  return onnx_node_give_known(node, &result, error);
}

/* --------------------------------------------------------------------------------- one operand */

static clrs_status negate(const onnx_number *from, onnx_number *to, clrs_error *error) {
  *to = (onnx_number){0, -from->real};
  return onnx_binary_find("Sub")->wholes(0, from->whole, &to->whole, error);
}

static clrs_status magnitude(const onnx_number *from, onnx_number *to, clrs_error *error) {
  *to = (onnx_number){from->whole, from->real < 0 ? -from->real : from->real};
  return from->whole < 0 ? negate(from, to, error) : CLRS_OK;
}

/* Operators on one number that cannot fail. */
#define ONE_NUMBER(name, whole, real)                                                              \
  static clrs_status name(const onnx_number *from, onnx_number *to, clrs_error *error) {           \
    (void)error;                                                                                   \
    *to = (onnx_number){whole, real};                                                              \
    return CLRS_OK;                                                                                \
  }

ONE_NUMBER(round_down, from->whole, floor(from->real))
ONE_NUMBER(round_up, from->whole, ceil(from->real))
ONE_NUMBER(invert, from->whole == 0, from->real)

typedef struct unary_rule {
  const char *name;
  clrs_status (*apply)(const onnx_number *from, onnx_number *to, clrs_error *error);
} unary_rule;

static const unary_rule unary_rules[] = {{"Neg", negate},
                                         {"Abs", magnitude},
                                         {"Floor", round_down},
                                         {"Ceil", round_up},
                                         {"Not", invert}};

static clrs_status apply_unary(const unary_rule *rule, const onnx_dense *from, onnx_dense *result,
                               clrs_error *error) {
  const size_t count = from->size / (clrs_dtype_bits(from->dtype) / 8);
  for (size_t i = 0; i < count; i++) {
    onnx_number number, made;
    CLRS_TRY(onnx_number_read(from, i, &number, error));
    CLRS_TRY(rule->apply(&number, &made, error));
    CLRS_TRY(onnx_number_write(&made, i, result, error));
  }
  return CLRS_OK;
}

clrs_status onnx_unary(const onnx_node *node, clrs_error *error) {
  const onnx_dense *from;
  onnx_dense result;
  size_t rule = 0;
  while (strcmp(unary_rules[rule].name, node->op->name) != 0) {
    rule++;
  }
  CLRS_TRY(onnx_known_operand(node, 0, &from, error));
  CLRS_TRY(onnx_known_make(&node->graph->arena, from->dtype, &from->shape, &result, error));
  CLRS_TRY(apply_unary(&unary_rules[rule], from, &result, error));
  return onnx_node_give_known(node, &result, error);
}

/* --------------------------------------------------------------------------- Where, ReduceProd */

clrs_status onnx_where(const onnx_node *node, clrs_error *error) {
  const onnx_dense *operands[3];
  onnx_dense wide[3], result;
  for (size_t i = 0; i < 3; i++) {
    CLRS_TRY(onnx_known_operand(node, i, &operands[i], error));
  }
  if (operands[0]->dtype != CLRS_BOOL || operands[1]->dtype != operands[2]->dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "its operands are %s, %s and %s; it takes bool and twice the same type",
                      clrs_dtype_name(operands[0]->dtype, CLRS_TYPES_ONNX),
                      clrs_dtype_name(operands[1]->dtype, CLRS_TYPES_ONNX),
                      clrs_dtype_name(operands[2]->dtype, CLRS_TYPES_ONNX));
  }
  CLRS_TRY(onnx_broadcast(&node->graph->arena, 3, operands, wide, error));
  const size_t bytes = clrs_dtype_bits(wide[1].dtype) / 8;
  CLRS_TRY(onnx_known_make(&node->graph->arena, wide[1].dtype, &wide[0].shape, &result, error));
  for (size_t i = 0; i < wide[0].size; i++) {
    memcpy(result.owned + i * bytes, wide[wide[0].bytes[i] != 0 ? 1 : 2].bytes + i * bytes, bytes);
  }
  return onnx_node_give_known(node, &result, error);
}

/* Marks the reduced dims. */
static clrs_status mark_axes(const onnx_node *node, const onnx_integers *axes, uint32_t rank,
                             bool *reduced, clrs_error *error) {
  for (uint32_t dim = 0; dim < rank; dim++) {
    reduced[dim] = axes->count == 0;
  }
  for (size_t i = 0; i < axes->count; i++) {
    uint32_t dim = 0;
    CLRS_TRY(onnx_node_axis(node, axes->values[i], rank, &dim, error));
    reduced[dim] = true;
  }
  return CLRS_OK;
}

/* Finds the result's shape, and a view of the operand whose reduced dims are last. Each product
 * then multiplies neighbours. */
static clrs_status arrange(const onnx_dense *from, const bool *reduced, bool keep,
                           clrs_shape *shape, clrs_view *rows, clrs_error *error) {
  int64_t order[CLRS_MAX_RANK];
  size_t count = 0;
  shape->rank = 0;
  for (uint32_t dim = 0; dim < from->shape.rank; dim++) {
    if (!reduced[dim]) {
      order[count++] = dim;
    }
    if (!reduced[dim] || keep) {
      shape->dims[shape->rank++] = reduced[dim] ? 1 : from->shape.dims[dim];
    }
  }
  for (uint32_t dim = 0; dim < from->shape.rank; dim++) {
    if (reduced[dim]) {
      order[count++] = dim;
    }
  }
  CLRS_TRY(clrs_view_dense(from->dtype, &from->shape, rows, error));
  return clrs_view_permute(rows, count, order, error);
}

static clrs_status multiply_rows(const onnx_dense *rows, onnx_dense *result, clrs_error *error) {
  const onnx_binary_rule *product = onnx_binary_find("Mul");
  const size_t bytes = clrs_dtype_bits(rows->dtype) / 8, count = result->size / bytes;
  const size_t length = count == 0 ? 0 : rows->size / bytes / count;
  for (size_t row = 0; row < count; row++) {
    onnx_number made = {1, 1}, next;
    for (size_t i = row * length; i < (row + 1) * length; i++) {
      CLRS_TRY(onnx_number_read(rows, i, &next, error));
      CLRS_TRY(product->wholes(made.whole, next.whole, &made.whole, error));
      made.real = product->reals(made.real, next.real);
      if (rows->dtype == CLRS_F32) {
        made.real = (double)(float)made.real;
      }
    }
    CLRS_TRY(onnx_number_write(&made, row, result, error));
  }
  return CLRS_OK;
}

static clrs_status reduce(const onnx_node *node, const onnx_integers *axes, clrs_error *error) {
  onnx_arena *arena = &node->graph->arena;
  const bool keep = onnx_node_int(node, "keepdims", 1) != 0;
  const onnx_dense *from;
  clrs_shape shape;
  clrs_view view;
  onnx_dense rows, result;
  bool reduced[CLRS_MAX_RANK];
  CLRS_TRY(onnx_known_operand(node, 0, &from, error));
  CLRS_TRY(mark_axes(node, axes, from->shape.rank, reduced, error));
  CLRS_TRY(arrange(from, reduced, keep, &shape, &view, error));
  CLRS_TRY(onnx_known_gather(arena, from, &view, &rows, error));
  CLRS_TRY(onnx_known_make(arena, from->dtype, &shape, &result, error));
  CLRS_TRY(multiply_rows(&rows, &result, error));
  return onnx_node_give_known(node, &result, error);
}

clrs_status onnx_reduce_prod(const onnx_node *node, clrs_error *error) {
  onnx_integers axes;
  CLRS_TRY(onnx_node_list(node, 1, "axes", ONNX_INT64, CLRS_MAX_RANK, &axes, error));
  return axes.count == 0 && onnx_node_int(node, "noop_with_empty_axes", 0) != 0
             ? onnx_identity(node, error)
             : reduce(node, &axes, error);
}
