/*
 * Two maps as one: the steps of the first and then those of the second, and between the two the
 * rounding to the type that lies there, T. That rounding is left out where no bit shows it. With F
 * for the numbers that arrive at T, these are the cases:
 *
 * 1. T holds all of F. F has infinity unless F are integers, and a T that saturates does not hold
 *    infinity. The next step begins with what arrived.
 * 2. T is rounded to half to even, with infinity, and the next step computes in T. Every step
 *    begins with that rounding.
 * 3. T and the second's type are integers, T has no fewer bits than the second's type, and both
 *    wrap: bits that the first drops, the second would drop. The first's rounding stays.
 *
 * Nothing is left out if a copy would be left. An IEEE float that goes through a wider one and back
 * keeps its number, but NaN becomes the quiet one, and a bool's byte becomes 0 or 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "then.h"

#include <string.h>

#include "dtype.h"
#include "held.h"

/* ---- the rounding between the two ---- */

static bool both_wrap(const clrs_step *last, const clrs_step *next) {
  const clrs__element middle = clrs__element_of(last->dtype), to = clrs__element_of(next->dtype);
  return middle.kind == CLRS__INTEGER && to.kind == CLRS__INTEGER && to.bits <= middle.bits &&
         last->overflow == CLRS_OVERFLOW_WRAP && next->overflow == CLRS_OVERFLOW_WRAP &&
         last->kind == CLRS_STEP_ROUND && next->kind == CLRS_STEP_ROUND;
}

static bool begins_next(const clrs_step *last, const clrs_step *next) {
  return !clrs__step_rounds(next->kind) && last->kind == CLRS_STEP_ROUND &&
         last->dtype == next->dtype && last->rounding == CLRS_ROUND_EVEN &&
         last->overflow == CLRS_OVERFLOW_IEEE;
}

/* A difference of integers is of those of the type that the second begins with. */
static bool is_exact_before(const clrs_map *first, const clrs_step *next) {
  return clrs__map_is_exact(first) && !(next->dtype == CLRS_I64 && clrs__step_takes_integers(next));
}

static bool is_one_code_each(clrs_dtype dtype) {
  const clrs__element element = clrs__element_of(dtype);
  const bool is_ieee = element.kind == CLRS__FLOAT && element.format.specials == CLRS_SPECIALS_IEEE;
  return !is_ieee && element.kind != CLRS__BOOL;
}

/* ---- making it ---- */

typedef struct join {
  const clrs_map *of;
  clrs__program program;
  bool is_second;
} join;

/* The numbers of one of the two, behind those that are there. */
static clrs_status take_numbers(const clrs_map *of, clrs_parameter *parameter, clrs_map *made,
                                clrs_error *error) {
  const uint32_t first = parameter->first;
  if (parameter->count > CLRS_MAP_NUMBERS - made->number_count) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "two maps have more than %d numbers together, which is what one holds",
                      CLRS_MAP_NUMBERS);
  }
  parameter->first = made->number_count;
  for (uint32_t i = 0; i < parameter->count; i++) {
    made->numbers[made->number_count++] = of->numbers[first + i];
  }
  return CLRS_OK;
}

static clrs_status take_steps(const join *from, uint32_t count, clrs__joined *joined,
                              clrs_error *error) {
  clrs_map *made = &joined->map;
  for (uint32_t i = 0; i < count; i++) {
    if (made->step_count == CLRS_MAP_STEPS - 1) {
      return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                        "two maps have more than %d steps together, which is what one has",
                        CLRS_MAP_STEPS);
    }
    clrs_step *step = &made->steps[made->step_count];
    *step = from->program.steps[i];
    if (clrs__step_has_parameter(step->kind)) {
      CLRS_TRY(take_numbers(from->of, &step->parameter, made, error));
    }
    joined->is_second[made->step_count] = from->is_second;
    joined->of[made->step_count++] = from->program.of[i];
  }
  return CLRS_OK;
}

/* The second's last step. */
static clrs_status take_last(const join *from, clrs_map *made, clrs_error *error) {
  made->to = from->of->to;
  made->rounding = from->of->rounding;
  made->overflow = from->of->overflow;
  if (from->of->zero_place != CLRS_ZERO_ADDED) {
    return CLRS_OK;
  }
  made->zero_place = CLRS_ZERO_ADDED;
  made->zero = from->of->zero;
  return take_numbers(from->of, &made->zero, made, error);
}

static clrs_status join_values(const clrs_map *first, const clrs_map *second, clrs__joined *joined,
                               clrs_error *error) {
  const join before = {first, clrs__program_of(first), false};
  const join after = {second, clrs__program_of(second), true};
  const uint32_t count = before.program.count;
  const clrs_step *last = &before.program.steps[count - 1], *next = &after.program.steps[0];
  const bool wrap = both_wrap(last, next), is_short = count == 1 && after.program.count == 1;
  bool left_out = wrap || begins_next(last, next) || is_exact_before(first, next);
  if (is_short && first->from == second->to && !is_one_code_each(first->from)) {
    left_out = false;
  }
  joined->map.from = first->from;
  joined->map.arithmetic = first->step_count > 0 ? first->arithmetic : second->arithmetic;
  CLRS_TRY(take_steps(&before, left_out ? count - 1 : count, joined, error));
  CLRS_TRY(take_steps(&after, after.program.count - 1, joined, error));
  CLRS_TRY(take_last(&after, &joined->map, error));
  if (wrap && left_out && after.program.count == 1) {
    joined->map.rounding = first->rounding;
  } else if (wrap && left_out) {
    joined->map.steps[count - 1].rounding = first->rounding;
  }
  return clrs_map_check(&joined->map, error);
}

/* One of the two is both. Nothing else is taken of a map that reinterprets than its types. */
static clrs_status take_whole(const clrs_map *map, bool is_second, clrs__joined *joined,
                              clrs_error *error) {
  if (map->reinterprets) {
    return clrs_map_bitcast(map->from, map->to, &joined->map, error);
  }
  joined->map = *map;
  for (uint32_t i = 0; i < map->step_count; i++) {
    joined->is_second[i] = is_second;
    joined->of[i] = i;
  }
  joined->zero_is_of_second = is_second;
  return CLRS_OK;
}

static clrs_status join_maps(const clrs_map *first, const clrs_map *second, clrs__joined *joined,
                             clrs_error *error) {
  joined->zero_is_of_second = true;
  if (clrs__map_is_copy(first) && first->from == first->to) {
    return take_whole(second, true, joined, error);
  }
  if (clrs__map_is_copy(second) && second->from == second->to) {
    return take_whole(first, false, joined, error);
  }
  if (!first->reinterprets && !second->reinterprets) {
    return join_values(first, second, joined, error);
  }
  if (first->reinterprets && second->reinterprets) {
    return clrs_map_bitcast(first->from, second->to, &joined->map, error);
  }
  return clrs__fail(error, CLRS_UNSUPPORTED,
                    "two maps that are not one: a bitcast from %s to %s, and a map from %s to %s; "
                    "reinterpret a tensor before it is mapped, or the result",
                    clrs__dtype_text(first->reinterprets ? first->from : second->from),
                    clrs__dtype_text(first->reinterprets ? first->to : second->to),
                    clrs__dtype_text(first->reinterprets ? second->from : first->from),
                    clrs__dtype_text(first->reinterprets ? second->to : first->to));
}

clrs_status clrs__map_join(const clrs_map *first, const clrs_map *second, clrs__joined *joined,
                           clrs_error *error) {
  CLRS_TRY(clrs_map_check(first, error));
  CLRS_TRY(clrs_map_check(second, error));
  if (first->to != second->from) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the first map is to %s and the second from %s; they must be the same",
                      clrs__dtype_text(first->to), clrs__dtype_text(second->from));
  }
  memset(joined, 0, sizeof *joined);
  return join_maps(first, second, joined, error);
}

clrs_status clrs_map_then(const clrs_map *first, const clrs_map *second, clrs_map *map,
                          clrs_error *error) {
  clrs__joined joined;
  CLRS_TRY(clrs__require(map, "map", error));
  CLRS_TRY(clrs__map_join(first, second, &joined, error));
  *map = joined.map;
  return CLRS_OK;
}
