/* SPDX-License-Identifier: Apache-2.0 */
#include "overlap.h"

#include <inttypes.h>

#include "checked.h"

enum { MAX_TERMS = 2 * CLRS_MAX_AXES + 2, MAX_STEPS = 20000 };

/* coefficient * x with 0 <= x <= limit; coefficients are positive. */
struct term {
  int64_t coefficient, limit;
};

/* Is there an x with sum(coefficient * x) == target? */
struct equation {
  uint32_t term_count;
  struct term terms[MAX_TERMS]; /* coefficients descending once prepared */
  int64_t reach[MAX_TERMS];     /* the most that terms [i, ...) add up to */
  int64_t divisor[MAX_TERMS];   /* the greatest common divisor of terms [i, ...) */
  int64_t target;
  uint32_t steps;
};

/* Keeps the terms sorted by coefficient; equal coefficients become one term. */
static bool add_term(struct equation *equation, int64_t coefficient, int64_t limit) {
  if (coefficient == 0 || limit == 0) {
    return true;
  }
  uint32_t at = 0;
  while (at < equation->term_count && equation->terms[at].coefficient > coefficient) {
    at++;
  }
  if (at < equation->term_count && equation->terms[at].coefficient == coefficient) {
    return clrs__add(equation->terms[at].limit, limit, &equation->terms[at].limit);
  }
  for (uint32_t i = equation->term_count++; i > at; i--) {
    equation->terms[i] = equation->terms[i - 1];
  }
  equation->terms[at] = (struct term){coefficient, limit};
  return true;
}

static bool prepare(struct equation *equation) {
  int64_t reach = 0, divisor = 0;
  for (uint32_t i = equation->term_count; i > 0;) {
    i--;
    const struct term term = equation->terms[i];
    if (!clrs__multiply_add(reach, term.coefficient, term.limit, &reach)) {
      return false;
    }
    divisor = clrs__common_divisor(term.coefficient, divisor);
    equation->reach[i] = reach;
    equation->divisor[i] = divisor;
  }
  return true;
}

/* Depth-first from the largest coefficient; the rest must be in reach and divide. */
static bool search(struct equation *equation, uint32_t i, int64_t target) {
  if (target == 0) {
    return true;
  }
  if (target < 0 || i == equation->term_count || target > equation->reach[i] ||
      target % equation->divisor[i] != 0) {
    return false;
  }
  const struct term term = equation->terms[i];
  const int64_t rest_reach = equation->reach[i] - term.coefficient * term.limit; /* was checked */
  const int64_t most = target / term.coefficient;
  for (int64_t x = most < term.limit ? most : term.limit; x >= 0; x--) {
    const int64_t rest = target - x * term.coefficient; /* <= target */
    if (rest > rest_reach) {
      return false;
    }
    if (++equation->steps > MAX_STEPS || search(equation, i + 1, rest)) {
      return true;
    }
  }
  return false;
}

static bool may_have_solution(struct equation *equation) {
  return !prepare(equation) || search(equation, 0, equation->target);
}

/* ---- one walk with itself ---- */

/* Two indices meet if sum(stride * difference) == 0 for differences that are not all 0. Let axis
 * `first` be the first that differs, by 1 or more; those behind it may differ either way. */
static bool axis_overlaps(const clrs_walk *walk, uint32_t first) {
  struct equation equation = {.term_count = 0};
  int64_t stride = walk->axes[first].stride;
  if (stride < 0 && !clrs__negate(stride, &stride)) {
    return true;
  }
  bool fits = clrs__negate(stride, &equation.target) &&
              add_term(&equation, stride, walk->axes[first].extent - 2);
  for (uint32_t i = first + 1; fits && i < walk->axis_count; i++) {
    const int64_t limit = walk->axes[i].extent - 1;
    int64_t other = walk->axes[i].stride, range;
    fits = (other >= 0 || clrs__negate(other, &other)) && clrs__multiply(limit, 2, &range) &&
           add_term(&equation, other, range) &&
           clrs__multiply_add(equation.target, limit, other, &equation.target);
  }
  return !fits || may_have_solution(&equation);
}

bool clrs__walk_overlaps_itself(const clrs_walk *walk) {
  for (uint32_t i = 0; i < walk->axis_count; i++) {
    if (walk->axes[i].stride == 0 || axis_overlaps(walk, i)) {
      return true;
    }
  }
  return false;
}

/* ---- two operands ---- */

/* Byte position of a bit position; exact for the multiples that whole-byte types make. */
static bool bit_position(const clrs_operand *operand, int64_t element, int64_t *bits) {
  const int64_t width = (int64_t)clrs_dtype_bits(operand->view->dtype);
  int64_t start;
  return operand->byte_offset <= INT64_MAX / 8 &&
         clrs__multiply((int64_t)operand->byte_offset, 8, &start) &&
         clrs__multiply_add(start, element, width, bits);
}

clrs_status clrs__operand_footprint(const clrs_operand *operand, const char *what,
                                    clrs_footprint *footprint, clrs_error *error) {
  const clrs_bounds bounds = clrs__view_bounds(operand->view);
  int64_t begin, last, end;
  *footprint = (clrs_footprint){0, 0, operand->alignment};
  if (bounds.empty) {
    return CLRS_OK;
  }
  if (!bit_position(operand, bounds.lowest, &begin) ||
      !bit_position(operand, bounds.highest, &last) ||
      !clrs__add(last, (int64_t)clrs_dtype_bits(operand->view->dtype) + 7, &end)) {
    return clrs__fail(error, CLRS_OVERFLOW,
                      "the %s reaches a byte that does not fit in 64 bits (elements %" PRId64
                      " to %" PRId64 " from byte %" PRIu64 ")",
                      what, bounds.lowest, bounds.highest, operand->byte_offset);
  }
  if (begin < 0) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "the %s reaches element %" PRId64 ", before the start of its buffer", what,
                      bounds.lowest);
  }
  footprint->begin = (uint64_t)begin / 8;
  footprint->end = (uint64_t)end / 8;
  return CLRS_OK;
}

/* Adds sign * (lowest walk of the operand, in bits) to the left side of the equation. A negative
 * coefficient is turned around: -c * x is c * (limit - x) - c * limit. */
static bool add_operand(struct equation *equation, const clrs_operand *operand, int sign) {
  const int64_t width = (int64_t)clrs_dtype_bits(operand->view->dtype);
  int64_t start;
  if (!bit_position(operand, operand->view->levels[0].offset, &start) ||
      !clrs__multiply_add(equation->target, -sign, start, &equation->target)) {
    return false; /* never: the footprint's first and last bit fit in 64 bits */
  }
  for (uint32_t i = 0; i < operand->view->levels[0].axis_count; i++) {
    const clrs_axis axis = operand->view->axes[i];
    int64_t coefficient;
    if (!clrs__multiply(axis.stride, sign * width, &coefficient)) {
      return false; /* never: nor is a step longer than the footprint */
    }
    if (coefficient < 0 &&
        (!clrs__negate(coefficient, &coefficient) ||
         !clrs__multiply_add(equation->target, axis.extent - 1, coefficient, &equation->target))) {
      return false; /* never: nor are all steps together */
    }
    if (!add_term(equation, coefficient, axis.extent - 1)) {
      return false;
    }
  }
  return true;
}

/* Elements of whole bytes meet if their first bits are less than a width apart. Packed ones must
 * not even share a byte, as a byte is written whole: less than a byte apart is too near. */
static bool positions_meet(const clrs_operand *a, const clrs_operand *b) {
  const int64_t width_a = (int64_t)clrs_dtype_bits(a->view->dtype);
  const int64_t width_b = (int64_t)clrs_dtype_bits(b->view->dtype);
  const int64_t near_a = (width_a < 8 ? 8 : width_a) - 1;
  const int64_t near_b = (width_b < 8 ? 8 : width_b) - 1;
  struct equation equation = {.term_count = 0, .target = near_b};
  return !add_operand(&equation, a, 1) || !add_operand(&equation, b, -1) ||
         !add_term(&equation, 1, near_a + near_b) || may_have_solution(&equation);
}

bool clrs_operands_overlap(const clrs_operand *a, const clrs_operand *b) {
  clrs_footprint bytes_a, bytes_b;
  if (a == NULL || b == NULL || clrs__view_check(a->view, NULL) != CLRS_OK ||
      clrs__view_check(b->view, NULL) != CLRS_OK ||
      clrs__operand_footprint(a, "first operand", &bytes_a, NULL) != CLRS_OK ||
      clrs__operand_footprint(b, "second operand", &bytes_b, NULL) != CLRS_OK) {
    return true;
  }
  const bool apart = bytes_a.end <= bytes_b.begin || bytes_b.end <= bytes_a.begin;
  return !apart && positions_meet(a, b);
}
