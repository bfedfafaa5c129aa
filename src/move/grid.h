/*
 * A launch's grid: work-items in two dimensions, within the device's limits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/plan.h"

typedef struct clrs__grid {
  size_t global[2], group[2];
} clrs__grid;

/* How often the groups of the kernels are halved for the device. More than CLRS_MOST_HALVINGS: the
 * device has no such groups. */
uint32_t clrs__group_halvings(const clrs_device_limits *limits);

/* Halves groups further until local memory has room for a tile or a volume, and for `more` bytes
 * of any group. Returns false if there is no room. */
bool clrs__halve_groups(const clrs_device_limits *limits, uint64_t more, uint32_t *halvings);

/* Returns the per mille of the chunks' steps that lie inside the extent. An extent of 40 in chunks
 * of 64 gives 625. Of over a million chunks the last does not count. */
int64_t clrs__chunks_in_use(int64_t extent, int64_t chunk);

/* The most work-items of a launch. */
int64_t clrs__grid_items_allowed(const clrs_device_limits *limits);

/* A grid of at least `items` work-items, in groups of `group` if the device allows that size. If
 * the device does not allow so many items, the grid has the most items, and the kernel loops. */
clrs__grid clrs__grid_of(int64_t items, int64_t group, const clrs_device_limits *limits);
