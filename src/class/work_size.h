/*
 * How many work-items a cut is given, in groups of which size: never more than the device's limits
 * allow, however much there is to move. What does not fit is shared out: each work-item, or group,
 * then takes more.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_WORK_SIZE_H
#define CLRS_CLASS_WORK_SIZE_H

#include "class.h"

/* Raises what each work-item takes until there are no more of them than there may be. */
void clrs__cut_limit_items(const clrs_device_limits *limits, clrs__cut *cut);

/* Work-items, and those of each group, in two dimensions under 65536. */
typedef struct clrs__range {
  uint64_t global[2], group[2];
  bool loops; /* there are too few for each to take one piece: the kernel must loop */
} clrs__range;
clrs__range clrs__cut_range(const clrs__cut *cut, const clrs_device_limits *limits);

#endif
