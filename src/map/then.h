/*
 * Two maps as one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "check.h"
#include "map_program.h"

/* One map of two, and whose parameter each of its steps has: that of a step of the first or the
 * second, or of its zero point, which is CLRS__OF_ZERO. */
typedef struct clrs__joined {
  clrs_map map;
  bool zero_is_of_second, is_second[CLRS_MAP_STEPS];
  uint32_t of[CLRS_MAP_STEPS];
} clrs__joined;

clrs_status clrs__map_join(const clrs_map *first, const clrs_map *second, clrs__joined *joined,
                           clrs_error *error);
