/* SPDX-License-Identifier: Apache-2.0 */
#include "map_program.h"

bool clrs__step_rounds(clrs_step_kind kind) {
  return kind == CLRS_STEP_ROUND || kind == CLRS_STEP_ROUND_AND_ADD;
}

bool clrs__step_has_parameter(clrs_step_kind kind) {
  return kind != CLRS_STEP_ROUND;
}

bool clrs__step_asks_for_tensor(const clrs_step *step) {
  return clrs__step_has_parameter(step->kind) && step->parameter.count == 0;
}

bool clrs__step_takes_integers(const clrs_step *step) {
  return step->kind == CLRS_STEP_ROUND_AND_ADD ||
         (step->dtype == CLRS_I64 && !clrs__step_rounds(step->kind));
}

static void append(clrs__program *program, clrs_step step, uint32_t of) {
  if (program->count < CLRS_MAP_STEPS) {
    program->steps[program->count] = step;
    program->of[program->count] = of;
  }
  program->count++;
}

clrs__program clrs__program_of(const clrs_map *map) {
  clrs__program program = {.count = 0};
  clrs_step last = {CLRS_STEP_ROUND, {0}, map->to, map->rounding, map->overflow};
  if (map->reinterprets) {
    append(&program, last, CLRS__OF_ZERO);
    return program;
  }
  if (map->zero_place == CLRS_ZERO_SUBTRACTED) {
    append(&program,
           (clrs_step){.kind = CLRS_STEP_SUBTRACT, .parameter = map->zero, .dtype = CLRS_I64},
           CLRS__OF_ZERO);
  }
  for (uint32_t i = 0; i < map->step_count; i++) {
    clrs_step step = map->steps[i];
    const bool is_unsaid = step.dtype == CLRS_BITS1 && !clrs__step_rounds(step.kind);
    step.dtype = is_unsaid ? map->arithmetic : step.dtype;
    append(&program, step, i);
  }
  if (map->zero_place == CLRS_ZERO_ADDED) {
    last.kind = CLRS_STEP_ROUND_AND_ADD;
    last.parameter = map->zero;
  }
  append(&program, last, CLRS__OF_ZERO);
  return program;
}

uint32_t clrs__program_view(const clrs__program *program, const clrs_map_views *views,
                            uint32_t at) {
  const uint32_t of = program->of[at];
  return of == CLRS__OF_ZERO ? views->of_zero : views->of_step[of];
}
