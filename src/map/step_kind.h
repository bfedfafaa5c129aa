/*
 * Properties of the steps of a map.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/map.h"

/* A resampled element is rounded to the type of the step, which it has. */
static inline bool clrs__step_rounds(clrs_step_kind kind) {
  return kind == CLRS_STEP_ROUND || kind == CLRS_STEP_ROUND_AND_ADD || kind == CLRS_STEP_RESAMPLE;
}

static inline bool clrs__step_has_parameter(clrs_step_kind kind) {
  return kind != CLRS_STEP_ROUND && kind != CLRS_STEP_ADD_TERM && kind != CLRS_STEP_RESAMPLE;
}

static inline bool clrs__step_asks_for_tensor(const clrs_step *step) {
  return clrs__step_has_parameter(step->kind) && step->parameter.count == 0;
}

/* Returns true if the parameter is an integer that is added or subtracted exactly. */
static inline bool clrs__step_takes_integers(const clrs_step *step) {
  return step->kind == CLRS_STEP_ROUND_AND_ADD ||
         (step->dtype == CLRS_I64 && !clrs__step_rounds(step->kind));
}

/* Returns true if the parameter is an integer of up to 32 bits, as for zero points and for steps in
 * i32. */
static inline bool clrs__step_needs_integers(const clrs_step *step) {
  return clrs__step_takes_integers(step) ||
         (step->dtype == CLRS_I32 && !clrs__step_rounds(step->kind));
}

static inline bool clrs__map_resamples(const clrs_map *map) {
  return !map->reinterprets && map->step_count > 0 && map->steps[0].kind == CLRS_STEP_RESAMPLE;
}

/* Returns true if elements of type `from` can become `to` before they are resized. The type `to`
 * has all numbers of `from`. */
static inline bool clrs__resampling_casts(clrs_dtype from, clrs_dtype to) {
  const bool is_short = from == CLRS_U8 || from == CLRS_I8 || from == CLRS_U16 ||
                        from == CLRS_I16 || from == CLRS_F16 || from == CLRS_BF16;
  return is_short && to == CLRS_F32;
}

/* The type of the first number: of an element, or of a resized element. */
static inline clrs_dtype clrs__map_begins(const clrs_map *map) {
  return clrs__map_resamples(map) ? map->steps[0].dtype : map->from;
}

/* The type that arrives at step `at`. */
static inline clrs_dtype clrs__type_before(const clrs_map *map, uint32_t at) {
  return at == 0 ? clrs__map_begins(map) : map->steps[at - 1].dtype;
}
