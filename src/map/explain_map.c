/*
 * Maps as text for people.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"
#include "dtype.h"
#include "elements.h"
#include "held.h"
#include "step_kind.h"
#include "writer.h"

enum { MOST_SHOWN = 4 }; /* numbers of a list */

static void write_parameter(clrs__writer *to, const clrs_map *map,
                            const clrs_parameter *parameter) {
  if (parameter->count == 0) {
    clrs__write(to, "%s", parameter->is_of_source ? "the source" : "a tensor");
  } else if (parameter->count > MOST_SHOWN) {
    clrs__write(to, "(%u numbers)", parameter->count);
  } else {
    for (uint32_t i = 0; i < parameter->count; i++) {
      const char *before = parameter->count == 1 ? "" : i == 0 ? "(" : " ";
      clrs__write(to, "%s%g", before, map->numbers[parameter->first + i]);
    }
    clrs__write(to, parameter->count == 1 ? "" : ")");
  }
}

static void write_rounding(clrs__writer *to, const clrs_step *step) {
  static const char *const roundings[] = {"half to even", "truncated", "half away from zero",
                                          "down", "up"};
  static const char *const overflows[] = {"saturated", "wrapped", "infinity beyond"};
  if (clrs__element_of(step->dtype).kind == CLRS__BOOL) {
    clrs__write(to, "is it not 0?");
  } else {
    clrs__write(to, "%s, %s", roundings[step->rounding], overflows[step->overflow]);
  }
}

static bool in_one_phrase(const clrs_step *step, const clrs_step *next) {
  return !clrs__step_rounds(step->kind) && !clrs__step_rounds(next->kind) &&
         step->dtype == next->dtype;
}

/* A term begins with a bracket, and the end of the term is a bracket too: "* 3 + (tensor * 2)". */
static void write_computation(clrs__writer *to, const clrs_map *map, const clrs_step *step) {
  static const char *const names[] = {"- ", "+ ", "* ",  "/ ",  "at least ", "at most ",
                                      NULL, NULL, "<< ", ">> ", "+ ("};
  if (step->kind == CLRS_STEP_ADD_TERM) {
    clrs__write(to, ")");
  } else {
    clrs__write(to, "%s", names[step->kind]);
    write_parameter(to, map, &step->parameter);
  }
}

/* Consecutive steps that compute in one type are one phrase, which ends with the type. */
static void write_step(clrs__writer *to, const clrs_map *map, uint32_t at) {
  const clrs_step *step = &map->steps[at];
  const bool is_last = at + 1 == map->step_count;
  if (step->kind == CLRS_STEP_RESAMPLE) {
    clrs__write(to, "resampled%s", map->from != step->dtype ? " in f32" : "");
  } else if (clrs__step_rounds(step->kind)) {
    if (!is_last) {
      clrs__write(to, "%s ", clrs__dtype_text(step->dtype));
    }
    write_rounding(to, step);
    if (step->kind == CLRS_STEP_ROUND_AND_ADD) {
      clrs__write(to, ", + zero point ");
      write_parameter(to, map, &step->parameter);
    }
  } else if (clrs__step_takes_integers(step)) {
    clrs__write(to, "- zero point ");
    write_parameter(to, map, &step->parameter);
  } else {
    write_computation(to, map, step);
    if (is_last || !in_one_phrase(step, step + 1)) {
      clrs__write(to, " in %s", clrs__dtype_text(step->dtype));
    }
  }
}

/* Omits the last rounding if it is exact. A rounding from a type to itself is written, because NaN
 * becomes the quiet NaN. */
static void write_values(clrs__writer *to, const clrs_map *map) {
  const bool is_named = map->step_count == 1 && map->from == map->to;
  const uint32_t count = map->step_count - (clrs__map_is_exact(map) && !is_named);
  for (uint32_t i = 0; i < count; i++) {
    const bool goes_on = i > 0 && in_one_phrase(&map->steps[i - 1], &map->steps[i]);
    const bool closes = map->steps[i].kind == CLRS_STEP_ADD_TERM;
    clrs__write(to, i == 0 ? ": " : !goes_on ? ", " : closes ? "" : " ");
    write_step(to, map, i);
  }
}

size_t clrs_map_explain(const clrs_map *map, char *text, size_t size) {
  clrs__writer to = {text, text != NULL ? size : 0, 0};
  clrs__write(&to, "%s", ""); /* terminates an empty text as well */
  if (map == NULL || clrs_map_check(map, NULL) != CLRS_OK) {
    return 0;
  }
  clrs__write(&to, "%s -> %s", clrs__dtype_text(map->from), clrs__dtype_text(map->to));
  if (clrs__map_is_copy(map)) {
    clrs__write(&to, ": every bit is kept");
  } else {
    write_values(&to, map);
  }
  return to.length;
}
