/*
 * A launch's grid: work-items in two dimensions, no more than the device's limits allow.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/plan.h"

typedef struct clrs__grid {
  size_t global[2], group[2];
} clrs__grid;

/* Work-items that a launch may have. */
int64_t clrs__grid_items_allowed(const clrs_device_limits *limits);

/* So many work-items, at least, in groups of `group` where the device allows such; or, if they are
 * too many, all that it allows: the kernel then loops. */
clrs__grid clrs__grid_of(int64_t items, int64_t group, const clrs_device_limits *limits);
