/*
 * The host's reference. For each element in turn, converts the code to a number, applies the steps,
 * and converts the number back to a code.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "bind.h"
#include "check.h"
#include "checked.h"
#include "cursor.h"
#include "dtype.h"
#include "resample.h"
#include "step_kind.h"
#include "steps.h"

/* A parameter: the map's numbers or a tensor, and the view that gives its positions. */
typedef struct operand {
  const double *numbers; /* NULL: a tensor */
  const uint8_t *bytes;
  clrs__element element;
  uint32_t view;
} operand;

typedef struct job {
  const clrs_map *map;
  clrs__element from, to;
  operand parameters_of[CLRS_MAP_STEPS];
  uint32_t view_count;
  clrs__cursor source, parameters[CLRS_MAP_VIEWS];
  int64_t positions[CLRS_MAP_VIEWS]; /* by view, for the current element */
  clrs__word aside;                  /* the value before the last CLRS_STEP_TERM */
  const clrs_resample *resample;     /* or NULL */
} job;

static clrs__number value_of(const job *at, const operand *from) {
  const int64_t position = from->view == CLRS_MAP_SCALAR ? 0 : at->positions[from->view];
  if (from->numbers != NULL) {
    return clrs__number_of(from->numbers[position]);
  }
  return clrs__element_value(&from->element,
                             clrs__element_load(&from->element, from->bytes, position));
}

/* ---- one element ---- */

/* An integer of up to 32 bits, or 64 bits of which only 63 count. */
static int64_t integer_of(clrs__number number) {
  const int64_t magnitude = (int64_t)(number.magnitude & clrs__ones(63));
  return number.sign ? -magnitude : magnitude;
}

static int64_t integer_at(const job *at, uint32_t step) {
  return integer_of(
      clrs__round_to_integer(value_of(at, &at->parameters_of[step]), CLRS_EVEN, false));
}

/* Far beyond every zero point, and every integer that has a zero point. */
static const clrs__word most_before_zero = (clrs__word)1 << 62;

static clrs__number add_integer(clrs__number integer, int64_t added, bool wraps) {
  if (wraps) {
    clrs__word sum = clrs__encode_integer(integer, 64, true, true);
    (void)__builtin_add_overflow(sum, (clrs__word)added, &sum); /* may wrap */
    return clrs__decode_integer(sum, true);
  }
  if (integer.magnitude > most_before_zero) {
    integer.magnitude = most_before_zero;
  }
  return clrs__decode_integer((clrs__word)(integer_of(integer) + added), true);
}

/* The number's code in the step's type. */
static clrs__word round_to_type(const job *at, uint32_t i, clrs__number number) {
  const clrs_step *step = &at->map->steps[i];
  const clrs__element to = clrs__element_of(step->dtype);
  const bool wraps = step->overflow == CLRS_OVERFLOW_WRAP;
  if (to.kind == CLRS__BOOL) {
    return number.kind != CLRS_FINITE || number.magnitude != 0;
  }
  if (to.kind == CLRS__FLOAT) {
    const bool saturates = step->overflow == CLRS_OVERFLOW_SATURATE;
    return clrs__encode((clrs__conversion){to.format, (int)step->rounding, saturates}, number);
  }
  clrs__number integer = clrs__round_to_integer(number, (int)step->rounding, wraps);
  if (step->kind == CLRS_STEP_ROUND_AND_ADD) {
    integer = add_integer(integer, integer_at(at, i), wraps);
  }
  return clrs__encode_integer(integer, to.bits, to.is_signed, wraps);
}

/* The step's parameter in the step's type, or the value that was set aside. */
static clrs__word parameter_at(const job *at, uint32_t i) {
  const clrs_step *step = &at->map->steps[i];
  if (step->kind == CLRS_STEP_ADD_TERM) {
    return at->aside;
  }
  return step->dtype == CLRS_I32 ? (clrs__word)integer_at(at, i)
                                 : clrs__nearest(clrs__element_of(step->dtype).format,
                                                 value_of(at, &at->parameters_of[i]));
}

static clrs__word compute(job *at, uint32_t i, clrs__number number) {
  const clrs_step *step = &at->map->steps[i];
  if (step->dtype == CLRS_I64) {
    return (clrs__word)(integer_of(number) - integer_at(at, i));
  }
  const clrs__word x = step->dtype == CLRS_I32
                           ? (clrs__word)integer_of(number)
                           : clrs__nearest(clrs__element_of(step->dtype).format, number);
  const clrs__word result = clrs__step(step->kind, step->dtype, x, parameter_at(at, i));
  at->aside = step->kind == CLRS_STEP_TERM ? x : at->aside;
  return result;
}

static clrs__word map_code(job *at, clrs__word code) {
  clrs__element element = clrs__element_of(clrs__map_begins(at->map));
  for (uint32_t i = 0; i < at->map->step_count; i++) {
    const clrs__number number = clrs__element_value(&element, code);
    const bool rounds = clrs__step_rounds(at->map->steps[i].kind);
    code = rounds ? round_to_type(at, i, number) : compute(at, i, number);
    element = clrs__element_of(at->map->steps[i].dtype);
  }
  return code;
}

/* ---- all elements ---- */

static void map_elements(job *at, int64_t count, const uint8_t *source, uint8_t *destination) {
  for (int64_t i = 0; i < count; i++) {
    const int64_t from = clrs__cursor_next(&at->source);
    for (uint32_t view = 0; view < at->view_count; view++) {
      at->positions[view] = clrs__cursor_next(&at->parameters[view]);
    }
    const clrs__word code = at->resample != NULL
                                ? clrs__resample_code(at->resample, at->map->from,
                                                      at->map->steps[0].dtype, source, from)
                                : clrs__element_load(&at->from, source, from);
    clrs__element_store(&at->to, destination, i, map_code(at, code));
  }
}

static void copy_elements(job *at, int64_t count, const uint8_t *source, uint8_t *destination) {
  const size_t bytes = (size_t)at->from.bits / 8;
  for (int64_t i = 0; i < count; i++) {
    const int64_t from = clrs__cursor_next(&at->source);
    if (bytes > 0) {
      memcpy(destination + (size_t)i * bytes, source + (size_t)from * bytes, bytes);
    } else {
      clrs__element_store(&at->to, destination, i, clrs__element_load(&at->from, source, from));
    }
  }
}

/* ---- checks ---- */

/* Returns true if element number `position` ends within `size` bytes. No product overflows 64
 * bits. */
static bool is_within(const clrs__element *element, int64_t position, size_t size) {
  const uint64_t bits = (uint64_t)element->bits, at = (uint64_t)position;
  if (bits >= 8) {
    return at < size / (bits / 8);
  }
  return at / 8 * bits + (at % 8 * bits + bits - 1) / 8 < size;
}

static clrs_status check_memory(const char *what, const clrs__element *element, int64_t highest,
                                clrs_bytes memory, clrs_error *error) {
  if (!is_within(element, highest, memory.size)) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "%s has %zu bytes; element number %" PRId64 ", of %d bits, is beyond them",
                      what, memory.size, highest, element->bits);
  }
  return clrs__require(memory.data, what, error);
}

static clrs_status check_view(const char *what, const clrs_view *view, const clrs__element *element,
                              clrs_bytes memory, clrs_error *error) {
  const clrs_bounds bounds = clrs__view_bounds(view);
  return bounds.lowest < 0 ? clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                                        "%s: the view reads element %" PRId64, what, bounds.lowest)
                           : check_memory(what, element, bounds.highest, memory, error);
}

static clrs_status check_straddling(clrs_dtype dtype, clrs_error *error) {
  return clrs__element_of(dtype).kind == CLRS__NO_VALUE ? clrs__dtype_check_whole(dtype, error)
                                                        : CLRS_OK;
}

/* Takes a parameter's numbers, or the view and the memory of its tensor. */
static clrs_status take_operand(const clrs_map *map, const clrs_parameter *parameter,
                                const clrs_map_views *views, clrs_bytes memory, operand *taken,
                                clrs_error *error) {
  if (parameter->count > 0) {
    taken->numbers = map->numbers + parameter->first;
    return CLRS_OK;
  }
  const clrs_view *view = &views->views[taken->view];
  taken->element = clrs__element_of(view->dtype);
  taken->bytes = memory.data;
  return check_view("the memory of a parameter", view, &taken->element, memory, error);
}

static clrs_status take_operands(const clrs_map *map, const clrs_map_views *views,
                                 const clrs_map_data *data, job *at, clrs_error *error) {
  for (uint32_t i = 0; i < at->map->step_count; i++) {
    const clrs_step *step = &at->map->steps[i];
    if (clrs__step_has_parameter(step->kind)) {
      at->parameters_of[i].view = views->of_step[i];
      const clrs_bytes memory = step->parameter.is_of_source ? data->source : data->steps[i];
      CLRS_TRY(take_operand(map, &step->parameter, views, memory, &at->parameters_of[i], error));
    }
  }
  return CLRS_OK;
}

/* Checks the memory of the source: its elements, or the picture that these are made of. */
static clrs_status check_source(const clrs_map_views *views, const job *at, clrs_bytes memory,
                                clrs_error *error) {
  clrs_view picture;
  if (at->resample == NULL) {
    return check_view("the source", &views->source, &at->from, memory, error);
  }
  CLRS_TRY(clrs__resample_view(at->resample, at->map->from, &picture, error));
  return check_view("the source", &picture, &at->from, memory, error);
}

static void start(const clrs_map_views *views, job *at) {
  clrs__cursor_start(&at->source, &views->source);
  at->view_count = views->count;
  for (uint32_t i = 0; i < views->count; i++) {
    clrs__cursor_start(&at->parameters[i], &views->views[i]);
  }
}

clrs_status clrs_map_apply(const clrs_map *map, const clrs_map_views *views,
                           const clrs_map_data *data, void *destination, size_t destination_size,
                           clrs_error *error) {
  CLRS_TRY(clrs_map_check(map, error));
  CLRS_TRY(clrs__map_views_check(map, views, error));
  CLRS_TRY(clrs__require(data, "data", error));
  CLRS_TRY(check_straddling(map->from, error));
  CLRS_TRY(check_straddling(map->to, error));
  const int64_t count = clrs__shape_count(&views->source.shape);
  if (count == 0) {
    return CLRS_OK;
  }
  job at = {.map = map, .from = clrs__element_of(map->from), .to = clrs__element_of(map->to)};
  const clrs_bytes result = {destination, destination_size};
  at.resample = clrs__map_resamples(map) ? &views->resample : NULL;
  CLRS_TRY(check_source(views, &at, data->source, error));
  CLRS_TRY(check_memory("the destination", &at.to, count - 1, result, error));
  if (clrs__map_is_copy(map)) {
    clrs__cursor_start(&at.source, &views->source);
    copy_elements(&at, count, data->source.data, destination);
    return CLRS_OK;
  }
  CLRS_TRY(take_operands(map, views, data, &at, error));
  start(views, &at);
  map_elements(&at, count, data->source.data, destination);
  return CLRS_OK;
}
