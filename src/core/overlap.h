/*
 * Do two sets of positions meet, or one set with itself? Both are bounded linear Diophantine
 * equations; they are solved exactly, by search with pruning, within a bounded number of steps.
 * Where the bound is reached the answer is yes: it must never be a wrong no.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CORE_OVERLAP_H
#define CLRS_CORE_OVERLAP_H

#include "view.h"

/* May two different indices of the walk lead to one position? */
bool clrs__walk_overlaps_itself(const clrs_walk *walk);

/* The bytes [begin, end) of the buffer that the lowest walk of an operand, whose view was checked,
 * can touch. An empty operand gives 0, 0. Fails if they begin before the buffer or do not fit in 64
 * bits. */
clrs_status clrs__operand_footprint(const clrs_operand *operand, const char *what,
                                    clrs_footprint *footprint, clrs_error *error);

#endif
