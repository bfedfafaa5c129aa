/* SPDX-License-Identifier: Apache-2.0 */
#include "overlap.h"

#include <inttypes.h>
#include <string.h>

#include "checked.h"
#include "listed.h"
#include "parts.h"

enum {
  MAX_TERMS = 2 * CLRS_MAX_AXES + 2,
  MAX_STEPS = 20000,      /* if the equation gives a final answer */
  MAX_PART_STEPS = 500,   /* if a yes only leads to a closer look */
  STEPS_OF_A_PAIR = 64,   /* about the steps of making the walks of two parts */
  STEPS_OF_A_LOOK_UP = 4, /* about the steps of finding and comparing one position */
  MAX_OPEN_PAIRS = 256    /* each part is halved at most 126 times */
};

/* coefficient * x with 0 <= x <= limit. Coefficients are positive. */
struct term {
  int64_t coefficient, limit;
};

/* An equation: sum(coefficient * x) == target for some x. */
struct equation {
  uint32_t term_count;
  struct term terms[MAX_TERMS]; /* coefficients descending once prepared */
  int64_t reach[MAX_TERMS];     /* the largest sum of terms [i, ...) */
  int64_t divisor[MAX_TERMS];   /* the greatest common divisor of terms [i, ...) */
  int64_t target;
  uint32_t steps, max_steps;
};

/* Adds a term and keeps the terms sorted by coefficient. Equal coefficients become one term. */
static bool add_term(struct equation *equation, int64_t coefficient, int64_t limit) {
  if (coefficient == 0 || limit == 0) {
    return true;
  }
  uint32_t at = equation->term_count;
  while (at > 0 && equation->terms[at - 1].coefficient < coefficient) {
    at--;
  }
  if (at > 0 && equation->terms[at - 1].coefficient == coefficient) {
    return clrs__add(equation->terms[at - 1].limit, limit, &equation->terms[at - 1].limit);
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

/* Searches depth-first from the largest coefficient. The rest must be in reach and divisible. The
 * reach of an equation without terms is 0. Behind the last term the rest is 0. */
static bool search(struct equation *equation, uint32_t i, int64_t target) {
  if (target <= 0) {
    return target == 0;
  }
  if (target > equation->reach[i] || target % equation->divisor[i] != 0) {
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
    if (++equation->steps > equation->max_steps || search(equation, i + 1, rest)) {
      return true;
    }
  }
  return false;
}

static bool may_have_solution(struct equation *equation) {
  return !prepare(equation) || search(equation, 0, equation->target);
}

/* *size = |value|. Returns false if the size does not fit. */
static bool size_of(int64_t value, int64_t *size) {
  *size = value;
  return value >= 0 || clrs__negate(value, size);
}

/* ---- one walk with itself ---- */

/* Two indices meet if sum(stride * difference) == 0 for differences that are not all 0. Let axis
 * `first` be the first axis that differs, by 1 or more. The axes behind `first` may differ either
 * way. */
static bool axis_overlaps(const clrs__walk *walk, uint32_t first) {
  struct equation equation = {.max_steps = MAX_STEPS};
  int64_t stride;
  bool fits = size_of(walk->axes[first].stride, &stride) &&
              clrs__negate(stride, &equation.target) &&
              add_term(&equation, stride, walk->axes[first].extent - 2);
  for (uint32_t i = first + 1; fits && i < walk->axis_count; i++) {
    const int64_t limit = walk->axes[i].extent - 1;
    int64_t other, range;
    fits = size_of(walk->axes[i].stride, &other) && clrs__multiply(limit, 2, &range) &&
           add_term(&equation, other, range) &&
           clrs__multiply_add(equation.target, limit, other, &equation.target);
  }
  return !fits || may_have_solution(&equation);
}

bool clrs__walk_overlaps_itself(const clrs__walk *walk) {
  for (uint32_t i = 0; i < walk->axis_count; i++) {
    if (walk->axes[i].stride == 0 || axis_overlaps(walk, i)) {
      return true;
    }
  }
  return false;
}

/* ---- two walks ---- */

/* Adds scale * (the walk) to the left side of the equation. A negative coefficient is replaced: -c
 * * x is c * (limit - x) - c * limit. Returns false if a number does not fit. */
static bool add_walk(struct equation *equation, const clrs__walk *walk, int64_t scale) {
  bool fits = clrs__multiply_add(equation->target, -scale, walk->offset, &equation->target);
  for (uint32_t i = 0; fits && i < walk->axis_count; i++) {
    const clrs_axis axis = walk->axes[i];
    int64_t coefficient;
    fits = clrs__multiply(axis.stride, scale, &coefficient);
    if (fits && coefficient < 0) {
      fits = clrs__negate(coefficient, &coefficient) &&
             clrs__multiply_add(equation->target, axis.extent - 1, coefficient, &equation->target);
    }
    fits = fits && add_term(equation, coefficient, axis.extent - 1);
  }
  return fits;
}

bool clrs__walks_meet(const clrs__walk *a, const clrs__walk *b) {
  struct equation equation = {.max_steps = MAX_STEPS};
  return !add_walk(&equation, a, 1) || !add_walk(&equation, b, -1) || may_have_solution(&equation);
}

/* ---- two operands ---- */

/* Position of an element in bits from the start of the buffer. */
static bool bit_position(const clrs_operand *operand, int64_t element, int64_t *bits) {
  const int64_t width = (int64_t)clrs_dtype_bits(operand->view->dtype);
  int64_t start;
  return operand->byte_offset <= INT64_MAX / 8 &&
         clrs__multiply((int64_t)operand->byte_offset, 8, &start) &&
         clrs__multiply_add(start, element, width, bits);
}

clrs_status clrs__bounds_footprint(const clrs_operand *operand, const clrs_bounds *bounds,
                                   const char *what, clrs_footprint *footprint, clrs_error *error) {
  int64_t begin, last, end;
  *footprint = (clrs_footprint){0, 0, operand->alignment};
  if (bounds->empty) {
    return CLRS_OK;
  }
  if (!bit_position(operand, bounds->lowest, &begin) ||
      !bit_position(operand, bounds->highest, &last) ||
      !clrs__add(last, (int64_t)clrs_dtype_bits(operand->view->dtype) + 7, &end)) {
    return clrs__fail(error, CLRS_OVERFLOW,
                      "the %s reaches a byte that does not fit in 64 bits (elements %" PRId64
                      " to %" PRId64 " from byte %" PRIu64 ")",
                      what, bounds->lowest, bounds->highest, operand->byte_offset);
  }
  if (begin < 0) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "the %s reaches element %" PRId64 ", before the start of its buffer", what,
                      bounds->lowest);
  }
  footprint->begin = (uint64_t)begin / 8;
  footprint->end = (uint64_t)end / 8;
  return CLRS_OK;
}

clrs_status clrs__operand_footprint(const clrs_operand *operand, const char *what,
                                    clrs_footprint *footprint, clrs_error *error) {
  const clrs_bounds bounds = clrs__view_bounds(operand->view);
  return clrs__bounds_footprint(operand, &bounds, what, footprint, error);
}

/* A side: some elements of an operand, and a walk that touches these elements, perhaps with
 * others. */
struct side {
  const clrs_operand *operand;
  bool is_exact;
  clrs__walk walk;
};

/* Adds sign * (the side, in bits) to the left side of the equation. */
static bool add_side(struct equation *equation, const struct side *side, int sign) {
  const int64_t width = (int64_t)clrs_dtype_bits(side->operand->view->dtype);
  const int64_t base = clrs__exact_multiply((int64_t)side->operand->byte_offset, 8);
  return clrs__multiply_add(equation->target, -sign, base, &equation->target) &&
         add_walk(equation, &side->walk, sign < 0 ? -width : width);
}

/* Elements of whole bytes meet if their first bits are less than a width apart. Packed elements
 * meet in a shared byte, because a byte is written whole. Packed elements less than a byte apart
 * count as meeting. */
static clrs__meeting sides_meet(const struct side *a, const struct side *b, int64_t *budget) {
  const bool is_final = a->is_exact && b->is_exact;
  const int64_t width_a = (int64_t)clrs_dtype_bits(a->operand->view->dtype);
  const int64_t width_b = (int64_t)clrs_dtype_bits(b->operand->view->dtype);
  const int64_t near_a = (width_a < 8 ? 8 : width_a) - 1;
  const int64_t near_b = (width_b < 8 ? 8 : width_b) - 1;
  struct equation equation = {.target = near_b, .max_steps = is_final ? MAX_STEPS : MAX_PART_STEPS};
  const bool meet = !add_side(&equation, a, 1) || !add_side(&equation, b, -1) ||
                    !add_term(&equation, 1, near_a + near_b) || may_have_solution(&equation);
  *budget -= STEPS_OF_A_PAIR + (int64_t)equation.steps;
  return !meet                                              ? CLRS__APART
         : is_final && equation.steps <= equation.max_steps ? CLRS__MEET
                                                            : CLRS__MAY_MEET;
}

/* ---- stacks ---- */

/* Elements of one operand and of the other that may meet. */
typedef struct pair {
  clrs__part a, b;
} pair;

static void make_side(const clrs_operand *operand, const clrs__part *part, struct side *side) {
  side->operand = operand;
  side->is_exact = clrs__part_walk(operand->view, part, &side->walk);
}

/* Halves a side that is not a single walk yet, the larger side if both are not. *next keeps the
 * front. */
static pair split_pair(const pair *whole, const struct side *a, const struct side *b, pair *next) {
  const bool a_is_larger = whole->a.last - whole->a.first > whole->b.last - whole->b.first;
  pair rest = *next = *whole;
  if (!a->is_exact && (b->is_exact || a_is_larger)) {
    rest.a = clrs__part_split(a->operand->view, &next->a);
  } else {
    rest.b = clrs__part_split(b->operand->view, &next->b);
  }
  return rest;
}

/* Compares walks that touch all elements of both sides. Pairs that meet are halved until both sides
 * are exact. */
static clrs__meeting parts_meet(const clrs_operand *a, const clrs_operand *b, int64_t *budget) {
  pair open[MAX_OPEN_PAIRS] = {{clrs__part_whole(a->view), clrs__part_whole(b->view)}};
  uint32_t count = 1;
  do {
    const pair whole = open[--count];
    struct side one, other;
    make_side(a, &whole.a, &one);
    make_side(b, &whole.b, &other);
    const clrs__meeting meeting = sides_meet(&one, &other, budget);
    if (meeting == CLRS__APART) {
      continue;
    }
    if ((one.is_exact && other.is_exact) || *budget < 0 || count + 2 > MAX_OPEN_PAIRS) {
      return meeting;
    }
    open[count + 1] = split_pair(&whole, &one, &other, &open[count]);
    count += 2;
  } while (count > 0);
  return CLRS__APART;
}

/* Compares parts for half of the budget. If the answer is open, compares lists if the lists are
 * short enough. */
static clrs__meeting operands_meet(const clrs_operand *a, const clrs_operand *b, int64_t *budget) {
  int64_t left = *budget / 2;
  const int64_t lists = clrs__listing_effort(a, b);
  *budget -= left;
  const clrs__meeting meeting = parts_meet(a, b, &left);
  *budget += left;
  if (meeting != CLRS__MAY_MEET || lists > *budget / STEPS_OF_A_LOOK_UP) {
    return meeting;
  }
  (void)clrs__multiply_add(*budget, -lists, STEPS_OF_A_LOOK_UP, budget); /* >= 0 */
  return clrs__lists_meet(a, b) ? CLRS__MEET : CLRS__APART;
}

/* The number of lowest levels that both operands share and that lead from different positions to
 * different bytes. Elements meet if and only if the positions above the shared levels meet. Packed
 * elements share bytes with neighbours, and are excluded. */
static uint32_t common_levels(const clrs_operand *a, const clrs_operand *b) {
  const clrs_view *one = a->view, *other = b->view;
  uint32_t level = 0, axes = 0;
  const uint32_t least = one->depth < other->depth ? one->depth : other->depth;
  if (a->byte_offset != b->byte_offset || one->dtype != other->dtype ||
      clrs_dtype_bits(one->dtype) < 8) {
    return 0;
  }
  for (; level + 1 < least; level++) {
    const clrs_level lower = one->levels[level], same = other->levels[level];
    clrs__walk walk;
    clrs__view_level(one, level, &walk);
    if (lower.offset != same.offset || lower.axis_count != same.axis_count ||
        memcmp(walk.axes, other->axes + axes, walk.axis_count * sizeof walk.axes[0]) != 0 ||
        clrs__walk_overlaps_itself(&walk)) {
      break;
    }
    axes += lower.axis_count;
  }
  return level;
}

/* The view without its lowest levels, as a view of a byte for each position of the lowest
 * levels. */
static void drop_levels(const clrs_view *view, uint32_t count, clrs_view *rest) {
  clrs__walk walk;
  rest->dtype = CLRS_U8;
  rest->shape = view->shape;
  rest->depth = 0;
  for (uint32_t level = count, axes = 0; level < view->depth; level++) {
    clrs__view_level(view, level, &walk);
    rest->levels[rest->depth++] = view->levels[level];
    memcpy(rest->axes + axes, walk.axes, walk.axis_count * sizeof walk.axes[0]);
    axes += walk.axis_count;
  }
}

clrs__meeting clrs__operands_meet(const clrs_operand *a, const clrs_operand *b, int64_t *budget) {
  const uint32_t common = common_levels(a, b);
  if (common == 0) {
    return operands_meet(a, b, budget);
  }
  clrs_view rest_a, rest_b;
  drop_levels(a->view, common, &rest_a);
  drop_levels(b->view, common, &rest_b);
  const clrs_operand above_a = {.view = &rest_a}, above_b = {.view = &rest_b};
  return operands_meet(&above_a, &above_b, budget);
}

bool clrs__operands_overlap(const clrs_operand *a, const clrs_operand *b) {
  clrs_footprint bytes_a, bytes_b;
  int64_t budget = CLRS__MEETING_STEPS;
  if (a == NULL || b == NULL || clrs__view_check(a->view, NULL) != CLRS_OK ||
      clrs__view_check(b->view, NULL) != CLRS_OK ||
      clrs__operand_footprint(a, "first operand", &bytes_a, NULL) != CLRS_OK ||
      clrs__operand_footprint(b, "second operand", &bytes_b, NULL) != CLRS_OK) {
    return true;
  }
  const bool apart = bytes_a.end <= bytes_b.begin || bytes_b.end <= bytes_a.begin;
  return !apart && clrs__operands_meet(a, b, &budget) != CLRS__APART;
}
