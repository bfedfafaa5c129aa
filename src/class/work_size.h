/*
 * The number of work-items of a cut, and the size of their groups. Both stay within the device's
 * limits for any amount of work. A large move gives each work-item, or group, more pieces.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_WORK_SIZE_H
#define CLRS_CLASS_WORK_SIZE_H

#include "class.h"

/* Raises the pieces of each work-item until the number of items is within the limits. */
void clrs__cut_limit_items(const clrs_device_limits *limits, clrs__cut *cut);

/* Work-items in all and of each group, in two dimensions under 65536. */
typedef struct clrs__range {
  uint64_t global[2], group[2];
  bool loops; /* fewer items than pieces: the kernel must loop */
} clrs__range;
clrs__range clrs__cut_range(const clrs__cut *cut, const clrs_device_limits *limits);

#endif
