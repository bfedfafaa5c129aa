/*
 * Joins two maps: the steps of the first map, then the steps of the second. A rounding to type T at
 * the end of the first map is left out if no bit shows the difference. F is the set of numbers that
 * arrive at the rounding. The cases are:
 *
 * 1. T holds all of F. F has infinity unless F are integers, and a T that saturates does not hold
 *    infinity. The next step begins with the arriving number.
 * 2. T is rounded to half to even, with infinity, and the next step computes in T. Every step
 *    begins with that rounding.
 * 3. T and the next step's type are integers, T has at least as many bits as that type, and both
 *    wrap. The second rounding would drop the bits that the first drops. The first's rounding mode
 *    stays.
 *
 * A last rounding is also left out if the step before already gives its type, or if it is the only
 * step and keeps all bits, as in u8 -> i16 -> u8. In f16 -> f32 -> f16 the rounding stays, because
 * NaN becomes the quiet NaN, as a bool's byte becomes 0 or 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "then.h"

#include <string.h>

#include "check.h"
#include "dtype.h"
#include "held.h"
#include "step_kind.h"

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

/* Returns true if the last rounding is exact and the next step can do without it. A step that
 * subtracts integers needs integers of the type at the beginning of the second map. A step in i32
 * cannot begin with a difference of integers. */
static bool is_exact_before(const clrs_map *first, const clrs_step *next) {
  const bool is_difference = next->dtype == CLRS_I64 && clrs__step_takes_integers(next);
  return clrs__map_is_exact(first) && !is_difference &&
         !(clrs__step_needs_integers(next) &&
           clrs__type_before(first, first->step_count - 1) == CLRS_I64);
}

static void leave_out_last(clrs_map *map, clrs_step *next) {
  const clrs_step *last = map->step_count > 0 ? &map->steps[map->step_count - 1] : NULL;
  if (last != NULL && both_wrap(last, next)) {
    next->rounding = last->rounding;
    map->step_count--;
  } else if (last != NULL && (begins_next(last, next) || is_exact_before(map, next))) {
    map->step_count--;
  }
}

/* ---- making it ---- */

static clrs_status append(clrs_map *map, const clrs_step *step, clrs_error *error) {
  if (map->step_count == CLRS_MAP_STEPS) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "more than %d steps, which is what a map has",
                      CLRS_MAP_STEPS);
  }
  map->steps[map->step_count++] = *step;
  map->to = step->dtype;
  return CLRS_OK;
}

/* Removes a last rounding to the type of the step before, and a single step that keeps all bits. */
static clrs_status finish(clrs_map *map, clrs_error *error) {
  CLRS_TRY(clrs_map_check(map, error));
  const uint32_t last = map->step_count - 1;
  if (map->step_count > 1 && map->steps[last - 1].dtype == map->to && clrs__map_is_exact(map)) {
    map->step_count = last;
  }
  if (map->from == map->to && clrs_map_keeps_bits(map)) {
    const clrs_dtype dtype = map->from;
    memset(map, 0, sizeof *map);
    map->from = map->to = dtype;
  }
  return CLRS_OK;
}

clrs_status clrs__map_append(clrs_map *map, const clrs_step *step, clrs_error *error) {
  clrs_step next = *step;
  leave_out_last(map, &next);
  CLRS_TRY(append(map, &next, error));
  return finish(map, error);
}

/* Appends the numbers of the second map to the numbers of the first. */
static clrs_status join_values(const clrs_map *first, const clrs_map *second, clrs_map *joined,
                               uint32_t *kept, clrs_error *error) {
  *joined = *first;
  if (second->number_count > CLRS_MAP_NUMBERS - first->number_count) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "two maps have more than %d numbers together, which is what one holds",
                      CLRS_MAP_NUMBERS);
  }
  memcpy(joined->numbers + first->number_count, second->numbers,
         second->number_count * sizeof *second->numbers);
  joined->number_count += second->number_count;
  for (uint32_t i = 0; i < second->step_count; i++) {
    clrs_step step = second->steps[i];
    step.parameter.first += clrs__step_has_parameter(step.kind) ? first->number_count : 0;
    if (i == 0) {
      leave_out_last(joined, &step);
      *kept = joined->step_count;
    }
    CLRS_TRY(append(joined, &step, error));
  }
  return finish(joined, error);
}

/* Copies a map. A map that reinterprets only has its types. */
static clrs_status take_whole(const clrs_map *map, clrs_map *joined, clrs_error *error) {
  if (map->reinterprets) {
    return clrs_map_bitcast(map->from, map->to, joined, error);
  }
  *joined = *map;
  return CLRS_OK;
}

static clrs_status join_maps(const clrs_map *first, const clrs_map *second, clrs_map *joined,
                             uint32_t *kept, clrs_error *error) {
  *kept = first->step_count;
  if (clrs__map_is_copy(first) && first->from == first->to) {
    *kept = 0;
    return take_whole(second, joined, error);
  }
  if (clrs__map_is_copy(second) && second->from == second->to) {
    return take_whole(first, joined, error);
  }
  if (!first->reinterprets && !second->reinterprets) {
    return join_values(first, second, joined, kept, error);
  }
  if (first->reinterprets && second->reinterprets) {
    return clrs_map_bitcast(first->from, second->to, joined, error);
  }
  return clrs__fail(error, CLRS_UNSUPPORTED,
                    "two maps that are not one: a bitcast from %s to %s, and a map from %s to %s; "
                    "reinterpret a tensor before it is mapped, or the result",
                    clrs__dtype_text(first->reinterprets ? first->from : second->from),
                    clrs__dtype_text(first->reinterprets ? first->to : second->to),
                    clrs__dtype_text(first->reinterprets ? second->from : first->from),
                    clrs__dtype_text(first->reinterprets ? second->to : first->to));
}

clrs_status clrs__map_join(const clrs_map *first, const clrs_map *second, clrs_map *joined,
                           uint32_t *kept, clrs_error *error) {
  CLRS_TRY(clrs_map_check(first, error));
  CLRS_TRY(clrs_map_check(second, error));
  if (first->to != second->from) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the first map is to %s and the second from %s; they must be the same",
                      clrs__dtype_text(first->to), clrs__dtype_text(second->from));
  }
  return join_maps(first, second, joined, kept, error);
}

clrs_status clrs_map_then(const clrs_map *first, const clrs_map *second, clrs_map *map,
                          clrs_error *error) {
  clrs_map joined;
  uint32_t kept;
  CLRS_TRY(clrs__require(map, "map", error));
  CLRS_TRY(clrs__map_join(first, second, &joined, &kept, error));
  *map = joined;
  return CLRS_OK;
}
