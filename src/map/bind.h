/*
 * Functions for binding one map that joining two bound maps also needs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/map.h"

/* Keeps a parameter's view among the others. Equal views are kept once. *which is the number of the
 * view. */
clrs_status clrs__map_views_keep(clrs_map_views *views, const clrs_view *view, uint32_t *which,
                                 clrs_error *error);

/* Checks the views of a bound map, except the size of memory. The map was checked before. Later
 * functions follow the views without another check. */
clrs_status clrs__map_views_check(const clrs_map *map, const clrs_map_views *views,
                                  clrs_error *error);
