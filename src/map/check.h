/*
 * Checks of maps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/map.h"

clrs_status clrs__spread_check(const clrs_spread *spread, clrs_error *error);

/* Returns true if every element keeps its bits, as if nothing were computed. The map was
 * checked. */
bool clrs__map_is_copy(const clrs_map *map);

/* Returns true if both maps have the same types, steps and numbers. The bytes of equal maps differ,
 * because the fields have gaps between them. */
bool clrs__map_equal(const clrs_map *a, const clrs_map *b);
