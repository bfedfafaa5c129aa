/*
 * What can be wrong with a map.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/map.h"

clrs_status clrs__spread_check(const clrs_spread *spread, clrs_error *error);

/* Of a map that was checked: does every element keep its bits, as if nothing were computed? */
bool clrs__map_is_copy(const clrs_map *map);
