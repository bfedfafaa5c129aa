/*
 * Steps behind those of a map.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/map.h"

/* Appends a step, in place. Its numbers are the map's already. */
clrs_status clrs__map_append(clrs_map *map, const clrs_step *step, clrs_error *error);

/* One map of two. Its first `kept` steps are those of the first map, and then come all of the
 * second. */
clrs_status clrs__map_join(const clrs_map *first, const clrs_map *second, clrs_map *joined,
                           uint32_t *kept, clrs_error *error);
