/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>

#include "dtype.h"
#include "steps.h"

/* Where in the map a parameter is, for messages. */
typedef struct place {
  char text[48];
} place;

static const char *const step_names[] = {"subtract", "add",      "multiply",
                                         "divide",   "at least", "at most"};

static place place_of_step(const clrs_map *map, uint32_t step) {
  place made;
  snprintf(made.text, sizeof made.text, "step %u (%s)", step, step_names[map->steps[step].kind]);
  return made;
}

static clrs_status check_enumerator(const char *field, int value, int most, const char *type,
                                    clrs_error *error) {
  return value >= 0 && value <= most
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s %d is unknown; %s has 0 to %d", field,
                          value, type, most);
}

clrs_status clrs__spread_check(const clrs_spread *spread, clrs_error *error) {
  CLRS_TRY(
      check_enumerator("spread", (int)spread->kind, CLRS_SPREAD_BLOCKS, "clrs_spread_kind", error));
  return spread->block >= 0 ? CLRS_OK
                            : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                                         "a block of %" PRId64 " elements; it must not be negative",
                                         spread->block);
}

/* ---- types ---- */

static clrs_status check_has_value(clrs_dtype dtype, clrs_error *error) {
  return clrs__element_of(dtype).kind != CLRS__NO_VALUE
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED,
                          "elements of %s have no value that a map reads or writes; they can only "
                          "stay what they are, or be bitcast",
                          clrs__dtype_text(dtype));
}

static clrs_status check_overflow(const clrs_map *map, clrs_error *error) {
  const clrs__value_kind kind = clrs__element_of(map->to).kind;
  if (kind == CLRS__INTEGER && map->overflow == CLRS_OVERFLOW_IEEE) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s has no infinity; CLRS_OVERFLOW_IEEE is for floats",
                      clrs__dtype_text(map->to));
  }
  if (kind == CLRS__FLOAT && map->overflow == CLRS_OVERFLOW_WRAP) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s does not wrap; CLRS_OVERFLOW_WRAP is for integers",
                      clrs__dtype_text(map->to));
  }
  return CLRS_OK;
}

static clrs_status check_bitcast(const clrs_map *map, clrs_error *error) {
  if (map->from == CLRS_STRING || map->to == CLRS_STRING) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a bitcast from %s to %s; ONNX BitCast-26 has none of strings",
                      clrs__dtype_text(map->from), clrs__dtype_text(map->to));
  }
  return clrs_dtype_bits(map->from) == clrs_dtype_bits(map->to)
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "a bitcast from %s of %u bits to %s of %u; the widths must be equal",
                          clrs__dtype_text(map->from), clrs_dtype_bits(map->from),
                          clrs__dtype_text(map->to), clrs_dtype_bits(map->to));
}

/* ---- parameters ---- */

static clrs_status check_parameter(const clrs_map *map, const clrs_parameter *parameter,
                                   const char *where, clrs_error *error) {
  CLRS_TRY(clrs__spread_check(&parameter->spread, error));
  if (parameter->first > map->number_count ||
      parameter->count > map->number_count - parameter->first) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the %u numbers of %s begin at %u; the map has %u", parameter->count, where,
                      parameter->first, map->number_count);
  }
  return CLRS_OK;
}

/* A step's number as the arithmetic type has it. Only those that clamp may be infinite. */
static clrs_status check_number(const clrs_map *map, const clrs_step *step, double number,
                                const char *where, clrs_error *error) {
  const clrs__format format = clrs__element_of(map->arithmetic).format;
  const clrs__number rounded = clrs__decode(format, clrs__nearest(format, clrs__number_of(number)));
  const bool clamps = step->kind == CLRS_STEP_AT_LEAST || step->kind == CLRS_STEP_AT_MOST;
  if (rounded.kind == CLRS_NAN || (rounded.kind == CLRS_INFINITE && !clamps)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s has the number %g, which is not finite in %s", where, number,
                      clrs__dtype_text(map->arithmetic));
  }
  if (step->kind == CLRS_STEP_DIVIDE && rounded.magnitude == 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s has the number %g, which is 0 in %s; nothing is divided by 0", where,
                      number, clrs__dtype_text(map->arithmetic));
  }
  return CLRS_OK;
}

/* Each parameter's numbers are told to a kernel apart, also those that it shares with another. */
static clrs_status check_sum(const clrs_map *map, clrs_error *error) {
  uint32_t sum = map->zero_place == CLRS_ZERO_NONE ? 0 : map->zero.count;
  for (uint32_t i = 0; i < map->step_count; i++) {
    sum += map->steps[i].parameter.count;
  }
  return sum <= CLRS_MAP_NUMBERS
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                          "the parameters have %u numbers together; a map has at most %d, and "
                          "numbers that parameters share count for each of them",
                          sum, CLRS_MAP_NUMBERS);
}

static clrs_status check_steps(const clrs_map *map, clrs_error *error) {
  if (map->step_count > CLRS_MAP_STEPS) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "%u steps; a map has at most %d", map->step_count,
                      CLRS_MAP_STEPS);
  }
  for (uint32_t i = 0; i < map->step_count; i++) {
    const clrs_step *step = &map->steps[i];
    CLRS_TRY(
        check_enumerator("step kind", (int)step->kind, CLRS_STEP_AT_MOST, "clrs_step_kind", error));
    const place where = place_of_step(map, i);
    CLRS_TRY(check_parameter(map, &step->parameter, where.text, error));
    for (uint32_t k = 0; k < step->parameter.count; k++) {
      const double number = map->numbers[step->parameter.first + k];
      CLRS_TRY(check_number(map, step, number, where.text, error));
    }
  }
  return CLRS_OK;
}

/* ---- the zero point ---- */

/* The lowest and the highest integer of up to 32 bits. */
static bool holds(const clrs__element *element, double number) {
  const double codes = (double)((int64_t)1 << element->bits);
  const double lowest = element->is_signed ? -codes / 2 : 0;
  return number >= lowest && number < lowest + codes && number == (double)(int64_t)number;
}

static clrs_status check_zero(const clrs_map *map, clrs_error *error) {
  CLRS_TRY(check_enumerator("zero place", (int)map->zero_place, CLRS_ZERO_ADDED, "clrs_zero_place",
                            error));
  if (map->zero_place == CLRS_ZERO_NONE) {
    return CLRS_OK;
  }
  const clrs_dtype dtype = map->zero_place == CLRS_ZERO_ADDED ? map->to : map->from;
  const clrs__element element = clrs__element_of(dtype);
  if (element.kind != CLRS__INTEGER || element.bits > 32) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a zero point of %s; only integers of up to 32 bits have one",
                      clrs__dtype_text(dtype));
  }
  CLRS_TRY(check_parameter(map, &map->zero, "the zero point", error));
  for (uint32_t k = 0; k < map->zero.count; k++) {
    const double number = map->numbers[map->zero.first + k];
    if (!holds(&element, number)) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "the zero point %.17g is no number of %s, whose zero point it is", number,
                        clrs__dtype_text(dtype));
    }
  }
  return CLRS_OK;
}

/* ---- maps ---- */

bool clrs__map_is_copy(const clrs_map *map) {
  return map->reinterprets ||
         (map->from == map->to && map->step_count == 0 && map->zero_place == CLRS_ZERO_NONE);
}

static clrs_status check_fields(const clrs_map *map, clrs_error *error) {
  CLRS_TRY(check_enumerator("rounding", (int)map->rounding, CLRS_ROUND_UP, "clrs_rounding", error));
  CLRS_TRY(
      check_enumerator("overflow", (int)map->overflow, CLRS_OVERFLOW_IEEE, "clrs_overflow", error));
  CLRS_TRY(clrs__dtype_check(map->arithmetic, error));
  if (!clrs__is_arithmetic(map->arithmetic)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "steps in %s; their arithmetic is that of f16, bf16, f32 or f64",
                      clrs__dtype_text(map->arithmetic));
  }
  return map->number_count <= CLRS_MAP_NUMBERS
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED, "%u numbers; a map holds at most %d",
                          map->number_count, CLRS_MAP_NUMBERS);
}

clrs_status clrs_map_check(const clrs_map *map, clrs_error *error) {
  CLRS_TRY(clrs__require(map, "map", error));
  CLRS_TRY(clrs__dtype_check(map->from, error));
  CLRS_TRY(clrs__dtype_check(map->to, error));
  if (map->reinterprets) {
    return check_bitcast(map, error);
  }
  CLRS_TRY(check_fields(map, error));
  CLRS_TRY(check_steps(map, error));
  CLRS_TRY(check_zero(map, error));
  CLRS_TRY(check_sum(map, error));
  if (clrs__map_is_copy(map)) {
    return CLRS_OK;
  }
  CLRS_TRY(check_has_value(map->from, error));
  CLRS_TRY(check_has_value(map->to, error));
  return check_overflow(map, error);
}

/* Integers that wrap into as many bits stay the same bits, in the same places of a byte. */
static bool wraps_in_place(const clrs_map *map) {
  const clrs__element from = clrs__element_of(map->from), to = clrs__element_of(map->to);
  return from.kind == CLRS__INTEGER && to.kind == CLRS__INTEGER && from.bits == to.bits &&
         map->overflow == CLRS_OVERFLOW_WRAP && map->step_count == 0 &&
         map->zero_place == CLRS_ZERO_NONE;
}

bool clrs_map_keeps_bits(const clrs_map *map) {
  if (map == NULL || clrs_map_check(map, NULL) != CLRS_OK) {
    return false;
  }
  return clrs__dtype_is_msb_first(map->from) == clrs__dtype_is_msb_first(map->to) &&
         (clrs__map_is_copy(map) || wraps_in_place(map));
}
