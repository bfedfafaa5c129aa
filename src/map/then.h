/*
 * Two maps as one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "check.h"

/* One map of two, and where the parameters of its steps come from: first the zero point of the
 * first map, if it became a step, then `first_steps` steps of its own, then those of the second. */
typedef struct clrs__joined {
  clrs_map map;
  bool has_zero_step, zero_is_of_second;
  uint32_t first_steps;
} clrs__joined;

clrs_status clrs__map_join(const clrs_map *first, const clrs_map *second, clrs__joined *joined,
                           clrs_error *error);
