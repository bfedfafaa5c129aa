/*
 * Loops over several operands: the common refinement of any number of walks, in the order of the
 * first one's strides. A nest is the same of two; it is asked for more often, and stays apart.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "nest.h"

enum { CLRS__MOST_OPERANDS = 6 };

typedef struct clrs__loop {
  int64_t extent, strides[CLRS__MOST_OPERANDS];
} clrs__loop;

/* Outermost first; the first operand's strides descending and positive; none of extent 1; those
 * merged that are one for all operands. */
typedef struct clrs__loops {
  uint32_t operand_count, loop_count;
  int64_t offsets[CLRS__MOST_OPERANDS];
  clrs__loop loops[CLRS_MAX_AXES];
} clrs__loops;

/* Walks of equal counts, of which the first meets no position twice. False, and two of the extents,
 * if a boundary of one falls inside an axis of another at no divisor. */
bool clrs__loops_refine(const clrs__walk *walks, uint32_t count, clrs__loops *loops,
                        clrs__conflict *conflict);

/* Elements. */
int64_t clrs__loops_count(const clrs__loops *loops);
