/*
 * Two maps as one, which gives the same bits, or the reason why there is none.
 *
 * Between the two an element is written as a type, T, and read again. A map can leave that out only
 * where it changes nothing, or where the one map does the same of its own accord. With F for the
 * numbers that arrive at T - those of the first map's arithmetic if it has steps, else those of its
 * source less its zero point - the two are one if
 *
 * 1. one of them keeps every bit: the other is both. Two that reinterpret do so at once.
 * 2. T holds all of F, so that what is read is what arrived. F has infinity unless F are integers,
 *    and a T that saturates does not hold infinity. If both maps have steps, they have the same
 *    arithmetic, so that the second's first rounding changes nothing either.
 * 3. the first map has no steps and rounds half to even, with infinity, to a T that is the second's
 *    arithmetic, and the second has steps. Every map does that before its first step.
 * 4. T and the second's type are integers, T has no fewer bits than the second's type, and both
 *    maps wrap: bits that the first drops, the second would drop.
 *
 * A map has one zero point. Where the first subtracts one and the second adds one, the first
 * becomes a step: integers of no more bits than the arithmetic are exact in it, and so are their
 * differences. A zero point that the first map adds leaves no such way, nor do two that are
 * subtracted.
 *
 * The result must not be taken for a copy. An IEEE float that goes through a wider one and back
 * keeps its number, but NaN becomes the quiet one, and a bool's byte becomes 0 or 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "then.h"

#include <string.h>

#include "dtype.h"
#include "held.h"

/* ---- can they be one? ---- */

static bool middle_is_arithmetic(const clrs_map *first, const clrs_map *second) {
  return first->step_count == 0 && second->step_count > 0 && first->to == second->arithmetic &&
         first->rounding == CLRS_ROUND_EVEN && first->overflow == CLRS_OVERFLOW_IEEE;
}

static bool both_wrap(const clrs_map *first, const clrs_map *second) {
  const clrs__element middle = clrs__element_of(first->to), to = clrs__element_of(second->to);
  return middle.kind == CLRS__INTEGER && to.kind == CLRS__INTEGER && to.bits <= middle.bits &&
         first->overflow == CLRS_OVERFLOW_WRAP && second->overflow == CLRS_OVERFLOW_WRAP &&
         second->step_count == 0 && second->zero_place == CLRS_ZERO_NONE;
}

static clrs_status fail_rounded(const clrs_map *first, const clrs_map *second, clrs_error *error) {
  return clrs__fail(
      error, CLRS_UNSUPPORTED,
      "two maps that are not one: from %s%s the elements are rounded to %s, and go on "
      "to %s from there. One map rounds once, at its end: compute in %s throughout, "
      "and cast last",
      clrs__dtype_text(first->step_count > 0 ? first->arithmetic : first->from),
      first->step_count > 0 ? " arithmetic" : "", clrs__dtype_text(first->to),
      clrs__dtype_text(second->to),
      clrs__dtype_text(second->step_count > 0 ? second->arithmetic : CLRS_F32));
}

static clrs_status check_arithmetic(const clrs_map *first, const clrs_map *second,
                                    clrs_error *error) {
  return first->step_count == 0 || second->step_count == 0 ||
                 first->arithmetic == second->arithmetic
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED,
                          "two maps that are not one: the steps of the first are of %s arithmetic, "
                          "those of the second of %s",
                          clrs__dtype_text(first->arithmetic),
                          clrs__dtype_text(second->arithmetic));
}

/* ---- zero points ---- */

/* Its numbers are of the source's type, so differences have a bit more, which is their sign. */
static bool zero_can_be_step(const clrs_map *first, clrs_dtype arithmetic) {
  return first->zero.count > 0 && clrs__element_of(first->from).bits <=
                                      clrs__element_of(arithmetic).format.mantissa_bits + 1;
}

static clrs_status check_zeros(const clrs_map *first, const clrs_map *second, clrs_dtype arithmetic,
                               clrs_error *error) {
  if (first->zero_place == CLRS_ZERO_ADDED) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "two maps that are not one: the first adds a zero point, and nothing can "
                      "follow that");
  }
  if (first->zero_place == CLRS_ZERO_NONE || second->zero_place == CLRS_ZERO_NONE ||
      (second->zero_place == CLRS_ZERO_ADDED && zero_can_be_step(first, arithmetic))) {
    return CLRS_OK;
  }
  return clrs__fail(error, CLRS_UNSUPPORTED,
                    "two maps that are not one: both have zero points. The first's can be a step "
                    "only if the second's is added, and it has numbers of its own that %s holds",
                    clrs__dtype_text(arithmetic));
}

/* ---- making it ---- */

/* A parameter of one of the two, with its numbers behind those that are there. */
static clrs_status take_parameter(const clrs_map *of, const clrs_parameter *parameter,
                                  clrs_map *made, clrs_parameter *taken, clrs_error *error) {
  if (parameter->count > CLRS_MAP_NUMBERS - made->number_count) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "two maps have more than %d numbers together, which is what one holds",
                      CLRS_MAP_NUMBERS);
  }
  *taken = *parameter;
  taken->first = made->number_count;
  for (uint32_t i = 0; i < parameter->count; i++) {
    made->numbers[made->number_count++] = of->numbers[parameter->first + i];
  }
  return CLRS_OK;
}

static clrs_status take_step(const clrs_map *of, clrs_step_kind kind,
                             const clrs_parameter *parameter, clrs_map *made, clrs_error *error) {
  if (made->step_count == CLRS_MAP_STEPS) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "two maps have more than %d steps together, which is what one has",
                      CLRS_MAP_STEPS);
  }
  clrs_step *step = &made->steps[made->step_count];
  CLRS_TRY(take_parameter(of, parameter, made, &step->parameter, error));
  step->kind = kind;
  made->step_count++;
  return CLRS_OK;
}

static clrs_status take_steps(const clrs_map *of, clrs_map *made, clrs_error *error) {
  for (uint32_t i = 0; i < of->step_count; i++) {
    CLRS_TRY(take_step(of, of->steps[i].kind, &of->steps[i].parameter, made, error));
  }
  return CLRS_OK;
}

static clrs_status take_zero(const clrs_map *of, clrs_map *made, clrs_error *error) {
  made->zero_place = of->zero_place;
  return take_parameter(of, &of->zero, made, &made->zero, error);
}

static clrs_status take_all(const clrs_map *first, const clrs_map *second, clrs__joined *joined,
                            clrs_error *error) {
  clrs_map *made = &joined->map;
  joined->zero_is_of_second = second->zero_place != CLRS_ZERO_NONE;
  joined->has_zero_step = first->zero_place != CLRS_ZERO_NONE && joined->zero_is_of_second;
  joined->first_steps = first->step_count;
  if (joined->has_zero_step) {
    CLRS_TRY(take_step(first, CLRS_STEP_SUBTRACT, &first->zero, made, error));
  }
  CLRS_TRY(take_steps(first, made, error));
  CLRS_TRY(take_steps(second, made, error));
  if (joined->zero_is_of_second) {
    return take_zero(second, made, error);
  }
  return first->zero_place != CLRS_ZERO_NONE ? take_zero(first, made, error) : CLRS_OK;
}

/* Of numbers that an element has in more than one way, a copy keeps the way. */
static clrs_status check_no_copy(const clrs_map *made, clrs_error *error) {
  const clrs__element element = clrs__element_of(made->from);
  const bool is_ieee = element.kind == CLRS__FLOAT && element.format.specials == CLRS_SPECIALS_IEEE;
  return !clrs__map_is_copy(made) || (!is_ieee && element.kind != CLRS__BOOL)
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED,
                          "two maps that are not one: %s comes back as %s, with the same numbers, "
                          "but %s; leave out both",
                          clrs__dtype_text(made->from), clrs__dtype_text(made->to),
                          is_ieee ? "one kind of NaN" : "bytes of 0 and 1");
}

static clrs_status join_values(const clrs_map *first, const clrs_map *second, clrs__joined *joined,
                               clrs_error *error) {
  clrs_map *made = &joined->map;
  const bool wrap = both_wrap(first, second);
  if (!clrs__map_is_exact(first) && !middle_is_arithmetic(first, second) && !wrap) {
    return fail_rounded(first, second, error);
  }
  CLRS_TRY(check_arithmetic(first, second, error));
  made->from = first->from;
  made->to = second->to;
  made->rounding = wrap ? first->rounding : second->rounding;
  made->overflow = second->overflow;
  made->arithmetic = first->step_count > 0 ? first->arithmetic : second->arithmetic;
  CLRS_TRY(check_zeros(first, second, made->arithmetic, error));
  CLRS_TRY(take_all(first, second, joined, error));
  return check_no_copy(made, error);
}

/* One of the two is both. Nothing else is taken of a map that reinterprets than its types. */
static clrs_status take_whole(const clrs_map *map, clrs_map *made, clrs_error *error) {
  if (map->reinterprets) {
    return clrs_map_bitcast(map->from, map->to, made, error);
  }
  *made = *map;
  return CLRS_OK;
}

static clrs_status join(const clrs_map *first, const clrs_map *second, clrs__joined *joined,
                        clrs_error *error) {
  if (clrs__map_is_copy(first) && first->from == first->to) {
    joined->zero_is_of_second = true;
    return take_whole(second, &joined->map, error);
  }
  if (clrs__map_is_copy(second) && second->from == second->to) {
    CLRS_TRY(take_whole(first, &joined->map, error));
    joined->first_steps = joined->map.step_count;
    return CLRS_OK;
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
  CLRS_TRY(join(first, second, joined, error));
  if (clrs_map_check(&joined->map, NULL) != CLRS_OK) {
    return clrs__fail(
        error, CLRS_UNSUPPORTED,
        "two maps that are not one: %s has no such zero point as the second subtracts",
        clrs__dtype_text(first->from));
  }
  return CLRS_OK;
}

clrs_status clrs_map_then(const clrs_map *first, const clrs_map *second, clrs_map *map,
                          clrs_error *error) {
  clrs__joined joined;
  CLRS_TRY(clrs__require(map, "map", error));
  CLRS_TRY(clrs__map_join(first, second, &joined, error));
  *map = joined.map;
  return CLRS_OK;
}
