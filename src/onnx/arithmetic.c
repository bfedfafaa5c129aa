/*
 * Operators on two numbers. Results are exact: an overflow is an error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "arithmetic.h"

#include <inttypes.h>
#include <string.h>

#include "status.h"
#include "text.h"

static clrs_status overflow(int64_t a, const char *sign, int64_t b, clrs_error *error) {
  return clrs__fail(error, CLRS_OVERFLOW, "%" PRId64 " %s %" PRId64 " does not fit in 64 bits", a,
                    sign, b);
}

static clrs_status check_divisor(int64_t a, int64_t b, clrs_error *error) {
  return b == 0 ? clrs__fail(error, CLRS_INVALID_ARGUMENT, "%" PRId64 " is divided by 0", a)
                : CLRS_OK;
}

/* Defines an operator on integers that fails if the result does not fit. */
#define CHECKED(name, sign)                                                                        \
  static clrs_status name(int64_t a, int64_t b, int64_t *result, clrs_error *error) {              \
    return __builtin_##name##_overflow(a, b, result) ? overflow(a, sign, b, error) : CLRS_OK;      \
  }
/* Defines an operator on integers that cannot fail. */
#define EXACT(name, expression)                                                                    \
  static clrs_status name(int64_t a, int64_t b, int64_t *result, clrs_error *error) {              \
    (void)error;                                                                                   \
    *result = (expression);                                                                        \
    return CLRS_OK;                                                                                \
  }
#define REALS(name, expression)                                                                    \
  static double name##_reals(double a, double b) {                                                 \
    return expression;                                                                             \
  }
#define COMPARISON(name, sign) EXACT(name, a sign b) REALS(name, a sign b)

CHECKED(add, "+")
CHECKED(sub, "-")
CHECKED(mul, "*")
EXACT(minimum, a < b ? a : b)
EXACT(maximum, a > b ? a : b)
EXACT(both, a != 0 && b != 0)
EXACT(either, a != 0 || b != 0)
EXACT(equal, a == b)
REALS(add, a + b)
REALS(sub, a - b)
REALS(mul, (a * b))
REALS(divide, a / b)
REALS(minimum, a < b || !(a <= a) ? a : b)
REALS(maximum, a > b || !(a <= a) ? a : b)
REALS(equal, a <= b && a >= b) /* compilers warn about == */
COMPARISON(less, <)
COMPARISON(greater, >)
COMPARISON(less_or_equal, <=)
COMPARISON(greater_or_equal, >=)

/* Divides and rounds towards zero, as in C and ONNX. */
static clrs_status divide(int64_t a, int64_t b, int64_t *result, clrs_error *error) {
  CLRS_TRY(check_divisor(a, b, error));
  if (a == INT64_MIN && b == -1) {
    return overflow(a, "/", b, error);
  }
  *result = a / b;
  return CLRS_OK;
}

/* Computes the remainder with the sign of the dividend. INT64_MIN % -1 is undefined in C, so 1
 * replaces a divisor of -1, with the same remainder 0. */
static clrs_status trunc_mod(int64_t a, int64_t b, int64_t *result, clrs_error *error) {
  CLRS_TRY(check_divisor(a, b, error));
  *result = a % (b == -1 ? 1 : b);
  return CLRS_OK;
}

/* Computes Mod with fmod=0, which has the sign of the divisor. Mod with fmod=1 is trunc_mod.
 * Example: -7 and 3 give 2 here, and -1 in trunc_mod. */
static clrs_status floor_mod(int64_t a, int64_t b, int64_t *result, clrs_error *error) {
  CLRS_TRY(trunc_mod(a, b, result, error));
  if (*result != 0 && (*result < 0) != (b < 0)) {
    *result += b;
  }
  return CLRS_OK;
}

static const onnx_binary_rule rules[] = {
    {"Add", false, add, add_reals},
    {"Sub", false, sub, sub_reals},
    {"Mul", false, mul, mul_reals},
    {"Div", false, divide, divide_reals},
    {"Mod", false, floor_mod, NULL},
    {"fmod", false, trunc_mod, NULL},
    {"Min", false, minimum, minimum_reals},
    {"Max", false, maximum, maximum_reals},
    {"Equal", true, equal, equal_reals},
    {"Less", true, less, less_reals},
    {"Greater", true, greater, greater_reals},
    {"LessOrEqual", true, less_or_equal, less_or_equal_reals},
    {"GreaterOrEqual", true, greater_or_equal, greater_or_equal_reals},
    {"And", true, both, NULL},
    {"Or", true, either, NULL},
};

const onnx_binary_rule *onnx_binary_find(const char *name) {
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    if (strcmp(rules[i].name, name) == 0) {
      return &rules[i];
    }
  }
  return NULL;
}

clrs_status onnx_known_operand(const onnx_node *node, size_t index, const onnx_dense **dense,
                               clrs_error *error) {
  model_value *value;
  CLRS_TRY(onnx_node_need(node, index, &value, error));
  const clrs_dtype dtype = onnx_graph_dtype(value);
  if (!onnx_number_type(dtype)) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "input %zu is %s, with which the host does not compute", index,
                      clrs_dtype_name(dtype, CLRS_TYPES_ONNX));
  }
  if (onnx_number_is_real(dtype) && !value->known) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "input %zu, \"%s\", is floating-point data; only constants, shapes and "
                      "integers are computed with",
                      index, clrs__show(value->name).text);
  }
  if (!onnx_known_fits(dtype, onnx_graph_shape(value))) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "input %zu, \"%s\", has more than the %d elements that are computed with on "
                      "the host",
                      index, clrs__show(value->name).text, ONNX_KNOWN_MAX);
  }
  CLRS_TRY(onnx_graph_dense(node->graph, value, dense, error));
  return onnx_arena_work(&node->graph->arena, (*dense)->size / (clrs_dtype_bits(dtype) / 8), error);
}

static bool all_equal(size_t count, const onnx_dense *const *operands) {
  for (size_t i = 1; i < count; i++) {
    if (!clrs_shape_equal(&operands[i]->shape, &operands[0]->shape)) {
      return false;
    }
  }
  return true;
}

static void borrow(const onnx_dense *operand, onnx_dense *result) {
  *result = *operand;
  result->owned = NULL;
}

/* Broadcasts operand `index` to the common shape of all operands. */
static clrs_status broadcast_one(onnx_arena *arena, size_t count, const onnx_dense *const *operands,
                                 size_t index, onnx_dense *result, clrs_error *error) {
  const onnx_dense *operand = operands[index];
  clrs_view view;
  CLRS_TRY(clrs_view_dense(operand->dtype, &operand->shape, &view, error));
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(clrs_view_expand(&view, &operands[i]->shape, error));
  }
  if (!clrs_shape_equal(&view.shape, &operand->shape)) {
    return onnx_known_gather(arena, operand, &view, result, error);
  }
  borrow(operand, result);
  return CLRS_OK;
}

clrs_status onnx_broadcast(onnx_arena *arena, size_t count, const onnx_dense *const *operands,
                           onnx_dense *results, clrs_error *error) {
  const bool equal = all_equal(count, operands);
  for (size_t i = 0; i < count; i++) {
    if (equal) {
      borrow(operands[i], &results[i]);
    } else {
      CLRS_TRY(broadcast_one(arena, count, operands, i, &results[i], error));
    }
  }
  return CLRS_OK;
}

static clrs_status combine(const onnx_binary_rule *rule, const onnx_dense *operands, size_t index,
                           onnx_dense *result, clrs_error *error) {
  onnx_number a, b, made = {0, 0};
  CLRS_TRY(onnx_number_read(&operands[0], index, &a, error));
  CLRS_TRY(onnx_number_read(&operands[1], index, &b, error));
  if (!onnx_number_is_real(operands[0].dtype)) {
    CLRS_TRY(rule->wholes(a.whole, b.whole, &made.whole, error));
  } else if (rule->gives_bool) {
    made.whole = rule->reals(a.real, b.real) > 0;
  } else {
    made.real = rule->reals(a.real, b.real);
  }
  return onnx_number_write(&made, index, result, error);
}

static clrs_status check_types(const onnx_binary_rule *rule, const onnx_dense *a,
                               const onnx_dense *b, clrs_error *error) {
  if (a->dtype != b->dtype) {
    return clrs__fail(
        error, CLRS_INVALID_ARGUMENT, "its operands are %s and %s; they must be equal",
        clrs_dtype_name(a->dtype, CLRS_TYPES_ONNX), clrs_dtype_name(b->dtype, CLRS_TYPES_ONNX));
  }
  if (onnx_number_is_real(a->dtype) && rule->reals == NULL) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "it is not for floating-point numbers");
  }
  return CLRS_OK;
}

clrs_status onnx_binary_apply(onnx_arena *arena, const onnx_binary_rule *rule, const onnx_dense *a,
                              const onnx_dense *b, onnx_dense *result, clrs_error *error) {
  const onnx_dense *const operands[] = {a, b};
  onnx_dense wide[2] = {{.size = 0}};
  CLRS_TRY(check_types(rule, a, b, error));
  CLRS_TRY(onnx_broadcast(arena, 2, operands, wide, error));
  CLRS_TRY(onnx_known_make(arena, rule->gives_bool ? CLRS_BOOL : a->dtype, &wide[0].shape, result,
                           error));
  const size_t count = wide[0].size / (clrs_dtype_bits(a->dtype) / 8);
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(combine(rule, wide, i, result, error));
  }
  onnx_arena_free(arena, wide[0].owned);
  onnx_arena_free(arena, wide[1].owned);
  return CLRS_OK;
}
