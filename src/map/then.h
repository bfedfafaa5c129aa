/*
 * Appends steps to a map.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/map.h"

/* Appends a step in place. The step's numbers already belong to the map. */
clrs_status clrs__map_append(clrs_map *map, const clrs_step *step, clrs_error *error);

/* Joins two maps. The first `kept` steps of *joined belong to the first map. All steps of the
 * second map follow. */
clrs_status clrs__map_join(const clrs_map *first, const clrs_map *second, clrs_map *joined,
                           uint32_t *kept, clrs_error *error);
