/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>

#include "dtype.h"
#include "elements.h"
#include "step_kind.h"
#include "steps.h"

/* A step of a map, its name in messages, and the type that arrives at the step. */
typedef struct place {
  const clrs_step *step;
  char text[48];
  clrs_dtype arrives;
} place;

static const char *const step_names[] = {
    "subtract",      "add",        "multiply",    "divide", "at least", "at most", "round",
    "round and add", "shift left", "shift right", "term",   "add term", "resample"};

static place place_of(const clrs_map *map, uint32_t at) {
  place made = {.step = &map->steps[at], .arrives = clrs__type_before(map, at)};
  if (clrs__step_takes_integers(made.step)) {
    snprintf(made.text, sizeof made.text, "the zero point");
  } else {
    snprintf(made.text, sizeof made.text, "step %u (%s)", at, step_names[made.step->kind]);
  }
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

static clrs_status check_overflow(const clrs_step *step, clrs_error *error) {
  const clrs__value_kind kind = clrs__element_of(step->dtype).kind;
  if (kind == CLRS__INTEGER && step->overflow == CLRS_OVERFLOW_IEEE) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s has no infinity; CLRS_OVERFLOW_IEEE is for floats",
                      clrs__dtype_text(step->dtype));
  }
  if (kind == CLRS__FLOAT && step->overflow == CLRS_OVERFLOW_WRAP) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s does not wrap; CLRS_OVERFLOW_WRAP is for integers",
                      clrs__dtype_text(step->dtype));
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

/* ---- numbers ---- */

/* Checks a step's number after conversion to the step's type. Only clamping numbers may be
 * infinite. */
static clrs_status check_float(const place *at, double number, clrs_error *error) {
  const clrs_step *step = at->step;
  const clrs__format format = clrs__element_of(step->dtype).format;
  const clrs__number rounded = clrs__decode(format, clrs__nearest(format, clrs__number_of(number)));
  const bool clamps = step->kind == CLRS_STEP_AT_LEAST || step->kind == CLRS_STEP_AT_MOST;
  if (rounded.kind == CLRS_NAN || (rounded.kind == CLRS_INFINITE && !clamps)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s has the number %g, which is not finite in %s", at->text, number,
                      clrs__dtype_text(step->dtype));
  }
  if (step->kind == CLRS_STEP_DIVIDE && rounded.magnitude == 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s has the number %g, which is 0 in %s; nothing is divided by 0", at->text,
                      number, clrs__dtype_text(step->dtype));
  }
  return CLRS_OK;
}

/* Returns true if an integer type of up to 32 bits holds the number. */
static bool holds(const clrs__element *element, double number) {
  const double codes = (double)((int64_t)1 << element->bits);
  const double lowest = element->is_signed ? -codes / 2 : 0;
  return number >= lowest && number < lowest + codes && number == (double)(int64_t)number;
}

/* The type of integers that are added or subtracted is the type of the other operand. */
static clrs_dtype type_of_integers(const place *at) {
  return at->step->kind == CLRS_STEP_ROUND_AND_ADD ? at->step->dtype : at->arrives;
}

static clrs_status check_integer(const place *at, double number, clrs_error *error) {
  const clrs_dtype dtype = type_of_integers(at);
  const clrs__element element = clrs__element_of(dtype);
  return holds(&element, number) ? CLRS_OK
                                 : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                                              "%s %.17g is no number of %s, whose zero point it is",
                                              at->text, number, clrs__dtype_text(dtype));
}

static clrs_status check_number(const place *at, double number, clrs_error *error) {
  static const clrs__element word = {.bits = 32, .is_signed = true};
  const clrs_step *step = at->step;
  const bool shifts = step->kind == CLRS_STEP_SHIFT_LEFT || step->kind == CLRS_STEP_SHIFT_RIGHT;
  if (clrs__step_takes_integers(step) || step->dtype != CLRS_I32) {
    return clrs__step_takes_integers(step) ? check_integer(at, number, error)
                                           : check_float(at, number, error);
  }
  return holds(&word, number) && !(shifts && (number < 0 || number > 31))
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s has the number %.17g, which is no %s",
                          at->text, number, shifts ? "shift of 0 to 31 bits" : "number of i32");
}

static clrs_status check_parameter(const clrs_map *map, const place *at, clrs_error *error) {
  const clrs_parameter *parameter = &at->step->parameter;
  CLRS_TRY(clrs__spread_check(&parameter->spread, error));
  if (parameter->first > map->number_count ||
      parameter->count > map->number_count - parameter->first) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the %u numbers of %s begin at %u; the map has %u", parameter->count,
                      at->text, parameter->first, map->number_count);
  }
  for (uint32_t k = 0; k < parameter->count; k++) {
    const double number = map->numbers[parameter->first + k];
    CLRS_TRY(check_number(at, number, error));
  }
  return CLRS_OK;
}

/* A kernel gets each parameter's numbers separately, even if parameters share numbers. */
static clrs_status check_sum(const clrs_map *map, clrs_error *error) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < map->step_count; i++) {
    const clrs_step *step = &map->steps[i];
    sum += clrs__step_has_parameter(step->kind) ? step->parameter.count : 0;
  }
  return sum <= CLRS_MAP_NUMBERS
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                          "the parameters have %u numbers together; a map has at most %d, and "
                          "numbers that parameters share count for each of them",
                          sum, CLRS_MAP_NUMBERS);
}

/* ---- steps ---- */

static clrs_status check_rounding(const clrs_step *step, clrs_error *error) {
  CLRS_TRY(
      check_enumerator("rounding", (int)step->rounding, CLRS_ROUND_UP, "clrs_rounding", error));
  CLRS_TRY(check_enumerator("overflow", (int)step->overflow, CLRS_OVERFLOW_IEEE, "clrs_overflow",
                            error));
  return CLRS_OK;
}

static clrs_status check_integers(const place *at, clrs_error *error) {
  const clrs_dtype dtype = type_of_integers(at);
  const clrs__element element = clrs__element_of(dtype);
  if (at->step->kind != CLRS_STEP_ROUND_AND_ADD && at->step->kind != CLRS_STEP_SUBTRACT) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s in i64, where integers are only subtracted",
                      at->text);
  }
  return element.kind == CLRS__INTEGER && element.bits <= 32
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "a zero point of %s; only integers of up to 32 bits have one",
                          clrs__dtype_text(dtype));
}

/* Checks that i32 holds the arriving numbers. */
static clrs_status check_words(const place *at, clrs_error *error) {
  const clrs__element element = clrs__element_of(at->arrives);
  const bool is_held = element.kind == CLRS__BOOL || at->arrives == CLRS_I32 ||
                       (element.kind == CLRS__INTEGER && element.bits < 32);
  if (at->step->kind == CLRS_STEP_DIVIDE) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s in i32, which has no division; shift right",
                      at->text);
  }
  return is_held ? CLRS_OK
                 : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                              "%s in i32, where %s arrives; a rounding to i32 has to stand before",
                              at->text, clrs__dtype_text(at->arrives));
}

static clrs_status check_arithmetic(const place *at, clrs_error *error) {
  const clrs_step *step = at->step;
  const bool shifts = step->kind == CLRS_STEP_SHIFT_LEFT || step->kind == CLRS_STEP_SHIFT_RIGHT;
  if (step->dtype == CLRS_I32) {
    return check_words(at, error);
  }
  if (!clrs__is_arithmetic(step->dtype) && step->dtype != CLRS_I64) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "steps in %s; their arithmetic is that of f16, bf16, f32, f64 or i32",
                      clrs__dtype_text(step->dtype));
  }
  return shifts ? clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s in %s; only i32 is shifted",
                             at->text, clrs__dtype_text(step->dtype))
                : CLRS_OK;
}

/* Checks that the last term before step `at` has the type of the step. */
static clrs_status check_term(const clrs_map *map, uint32_t at, clrs_error *error) {
  const clrs_step *step = &map->steps[at], *term = NULL;
  for (uint32_t i = 0; i < at; i++) {
    term = map->steps[i].kind == CLRS_STEP_TERM ? &map->steps[i] : term;
  }
  return term != NULL && term->dtype == step->dtype
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT, "step %u (add term) in %s; %s%s", at,
                          clrs__dtype_text(step->dtype),
                          term == NULL ? "no term stands before" : "the last term is of ",
                          term == NULL ? "" : clrs__dtype_text(term->dtype));
}

static clrs_status check_resampled(const clrs_map *map, uint32_t at, clrs_error *error) {
  const clrs_dtype dtype = map->steps[at].dtype;
  return at == 0 && (dtype == map->from || clrs__resampling_casts(map->from, dtype))
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "step %u (resample) gives %s; resizing is step 0, in the type %s of the "
                          "source or in f32",
                          at, clrs__dtype_text(dtype), clrs__dtype_text(map->from));
}

static clrs_status check_step(const clrs_map *map, const place *at, clrs_error *error) {
  const clrs_step *step = at->step;
  CLRS_TRY(clrs__dtype_check(step->dtype, error));
  if (clrs__step_rounds(step->kind)) {
    CLRS_TRY(check_rounding(step, error));
    CLRS_TRY(check_has_value(step->dtype, error));
  } else {
    CLRS_TRY(check_arithmetic(at, error));
  }
  if (clrs__step_takes_integers(step)) {
    CLRS_TRY(check_integers(at, error));
  }
  if (clrs__step_has_parameter(step->kind)) {
    CLRS_TRY(check_parameter(map, at, error));
  }
  return clrs__step_rounds(step->kind) ? check_overflow(step, error) : CLRS_OK;
}

static clrs_status check_steps(const clrs_map *map, clrs_error *error) {
  for (uint32_t i = 0; i < map->step_count; i++) {
    CLRS_TRY(check_enumerator("step kind", (int)map->steps[i].kind, CLRS_STEP_RESAMPLE,
                              "clrs_step_kind", error));
    const place at = place_of(map, i);
    CLRS_TRY(check_step(map, &at, error));
    if (map->steps[i].kind == CLRS_STEP_ADD_TERM) {
      CLRS_TRY(check_term(map, i, error));
    }
    if (map->steps[i].kind == CLRS_STEP_RESAMPLE) {
      CLRS_TRY(check_resampled(map, i, error));
    }
  }
  return check_sum(map, error);
}

/* ---- maps ---- */

static bool parameters_equal(const clrs_parameter *a, const clrs_parameter *b) {
  return a->count == b->count && a->first == b->first && a->spread.kind == b->spread.kind &&
         a->spread.axis == b->spread.axis && a->spread.block == b->spread.block &&
         a->is_of_source == b->is_of_source;
}

static bool steps_equal(const clrs_step *a, const clrs_step *b) {
  return a->kind == b->kind && parameters_equal(&a->parameter, &b->parameter) &&
         a->dtype == b->dtype && a->rounding == b->rounding && a->overflow == b->overflow;
}

bool clrs__map_equal(const clrs_map *a, const clrs_map *b) {
  bool equal = a->from == b->from && a->to == b->to && a->reinterprets == b->reinterprets &&
               a->step_count == b->step_count && a->number_count == b->number_count;
  for (uint32_t i = 0; i < a->step_count && equal; i++) {
    equal = steps_equal(&a->steps[i], &b->steps[i]);
  }
  for (uint32_t i = 0; i < a->number_count && equal; i++) {
    equal = a->numbers[i] == b->numbers[i];
  }
  return equal;
}

bool clrs__map_is_copy(const clrs_map *map) {
  return map->reinterprets || map->step_count == 0;
}

/* A pass ends with a rounding, so a last step that computes needs room for a rounding. */
static clrs_status check_counts(const clrs_map *map, clrs_error *error) {
  const uint32_t count = map->step_count;
  const uint32_t computes =
      count > 0 && count <= CLRS_MAP_STEPS && !clrs__step_rounds(map->steps[count - 1].kind);
  if (count + computes > CLRS_MAP_STEPS) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "%u steps; a map has at most %d, and the last one rounds then", count,
                      CLRS_MAP_STEPS);
  }
  return map->number_count <= CLRS_MAP_NUMBERS
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED, "%u numbers; a map holds at most %d",
                          map->number_count, CLRS_MAP_NUMBERS);
}

static clrs_status check_result(const clrs_map *map, clrs_error *error) {
  const clrs_dtype given = clrs__type_before(map, map->step_count);
  return given == map->to ? CLRS_OK
                          : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                                       "a map to %s whose last step gives %s; the two are the same",
                                       clrs__dtype_text(map->to), clrs__dtype_text(given));
}

clrs_status clrs_map_check(const clrs_map *map, clrs_error *error) {
  CLRS_TRY(clrs__require(map, "map", error));
  CLRS_TRY(clrs__dtype_check(map->from, error));
  CLRS_TRY(clrs__dtype_check(map->to, error));
  if (map->reinterprets) {
    return check_bitcast(map, error);
  }
  CLRS_TRY(check_counts(map, error));
  if (map->step_count > 0) {
    CLRS_TRY(check_has_value(map->from, error));
  }
  CLRS_TRY(check_steps(map, error));
  return check_result(map, error);
}

/* Returns true if each value has one code, so that reading and writing changes no bit. */
static bool is_one_code_each(const clrs__element *element) {
  return element->kind == CLRS__INTEGER ||
         (element->kind == CLRS__FLOAT && element->format.specials != CLRS_SPECIALS_IEEE);
}

/* Returns true if a rounding keeps the bits. Integers that wrap to as many bits keep their bits. */
static bool rounds_in_place(const clrs_map *map) {
  const clrs__element from = clrs__element_of(map->from), to = clrs__element_of(map->to);
  const clrs_step *step = &map->steps[0];
  const bool wraps = from.kind == CLRS__INTEGER && to.kind == CLRS__INTEGER &&
                     from.bits == to.bits && step->overflow == CLRS_OVERFLOW_WRAP;
  return map->step_count == 1 && step->kind == CLRS_STEP_ROUND &&
         (wraps || (map->from == map->to && is_one_code_each(&from)));
}

bool clrs_map_keeps_bits(const clrs_map *map) {
  if (map == NULL || clrs_map_check(map, NULL) != CLRS_OK) {
    return false;
  }
  return clrs__dtype_is_msb_first(map->from) == clrs__dtype_is_msb_first(map->to) &&
         (clrs__map_is_copy(map) || rounds_in_place(map));
}
