/*
 * What joining two bound maps needs of binding one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/map.h"

/* A parameter's view among the others; one that is there already is kept once. */
clrs_status clrs__map_views_keep(clrs_map_views *views, const clrs_view *view, uint32_t *which,
                                 clrs_error *error);

/* Checks the views that a map was bound to, for everything but the size of memory. The map was
 * checked before. Functions behind this check follow the views without another. */
clrs_status clrs__map_views_check(const clrs_map *map, const clrs_map_views *views,
                                  clrs_error *error);
