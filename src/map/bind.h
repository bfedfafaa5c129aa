/*
 * What joining two bound maps needs of binding one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/core.h"

/* A parameter's view among the others; one that is there already is kept once. */
clrs_status clrs__map_views_keep(clrs_map_views *views, const clrs_view *view, uint32_t *which,
                                 clrs_error *error);

/* What can be wrong with the views that a map, which was checked, was bound to, but what takes
 * their memory to see. All that goes on from here reads no more than these checks have seen. */
clrs_status clrs__map_views_check(const clrs_map *map, const clrs_map_views *views,
                                  clrs_error *error);
