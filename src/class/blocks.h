/*
 * Launches of core devices, whose work-items move blocks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CORE_BLOCKS_H
#define CLRS_CORE_BLOCKS_H

#include "launch.h"

/* Gives a launch its core class, the required one if it is eligible: which axes make a block, and
 * how large. */
void clrs__launch_choose_blocks(const clrs_view *stack, clrs_launch *launch, clrs_class required);
/* Of a class that has blocks, whose rows and columns are the last axes. */
void clrs__launch_choose_extents(clrs_launch *launch);

/* Makes the launch CLRS_CLASS_CPU_SHORT, if that is required or the canonical nest has a long
 * enough run of the destination for it: outer_axis_count axes, then those of the run. */
bool clrs__launch_become_packed(const clrs_nest *canonical, bool required, clrs_launch *launch);
/* The same by rows and columns: outer_axis_count axes, those of the rows, those of the columns. */
bool clrs__launch_become_turned(const clrs_nest *canonical, clrs_launch *launch);

/* May a launch through a stack be made of lanes: do units that share a byte of the destination lie
 * along the last axis, each byte full? */
bool clrs__launch_writes_whole_bytes(const clrs_launch *launch);
/* Chooses the axis of the rows, if any, which becomes the first, and how large a block is. */
void clrs__launch_choose_lanes(const clrs_view *stack, clrs_launch *launch);

#endif
