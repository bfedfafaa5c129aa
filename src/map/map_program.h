/*
 * A map as what it is carried out as: a list of steps, of which the last rounds to the result.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/core.h"

/* Where a step's parameter is among those of a map: of step i of the map it is i. */
#define CLRS__OF_ZERO CLRS_MAP_STEPS

typedef struct clrs__program {
  uint32_t count;
  clrs_step steps[CLRS_MAP_STEPS]; /* each with its own type */
  uint32_t of[CLRS_MAP_STEPS];     /* whose parameter a step has */
} clrs__program;

/* More steps than a program has room for are left out of `steps`, but counted. Of a map that keeps
 * every bit nothing but the last step is made. */
clrs__program clrs__program_of(const clrs_map *map);

/* Which of the bound map's views the parameter of step `at` has, or CLRS_MAP_SCALAR. */
uint32_t clrs__program_view(const clrs__program *program, const clrs_map_views *views, uint32_t at);

bool clrs__step_rounds(clrs_step_kind kind);
bool clrs__step_has_parameter(clrs_step_kind kind);
bool clrs__step_asks_for_tensor(const clrs_step *step);
/* Is the parameter an integer, which is added or subtracted exactly? */
bool clrs__step_takes_integers(const clrs_step *step);
