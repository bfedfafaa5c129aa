/*
 * Launches of wide devices, whose work-groups move blocks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CORE_GROUPS_H
#define CLRS_CORE_GROUPS_H

#include "launch.h"

/* Gives a launch the class of a wide device that suits it, or the required one if it is eligible:
 * which axes make the block of a work-group. */
void clrs__launch_choose_groups(const clrs_device_limits *limits, clrs_launch *launch);

/* Makes it of class CLRS_CLASS_GPU_SHORT, if it can be one and that is worth it or required. */
bool clrs__launch_choose_volume(const clrs_device_limits *limits, clrs_launch *launch);
/* Of that class: the axes of the volume once more, in the order of the source, with steps in local
 * memory for destination strides. */
clrs_launch clrs__launch_in_both_orders(const clrs_launch *launch);

#endif
