/*
 * Finds out whether two sets of positions meet, or one set meets itself. For walks, both questions
 * are bounded linear Diophantine equations. Search with pruning solves the equations exactly,
 * within a bounded number of steps. Stacks of walks are halved until their parts are walks. If a
 * bound is reached the answer is yes, because a wrong no would be unsafe.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "view.h"

/* A bit of the alignment of a slot whose root buffer is aligned to 16 bytes. The other bits are the
 * alignment of the slot's first byte in the root. So a buffer that an alignment belongs to has a
 * root that is aligned to N, up to 16, if the alignment is at least N. */
enum { CLRS__ROOT_ALIGNED = 1 << 30 };

/* Returns true if two different indices of the walk may lead to one position. */
bool clrs__walk_overlaps_itself(const clrs__walk *walk);
/* Returns true if an index of each of the two walks may lead to one position. */
bool clrs__walks_meet(const clrs__walk *a, const clrs__walk *b);

/* The bytes [begin, end) of the buffer that the lowest walk of an operand can touch. The operand's
 * view was checked. An empty operand has the bytes [0, 0). Fails if the bytes begin before the
 * buffer or do not fit in 64 bits. */
clrs_status clrs__operand_footprint(const clrs_operand *operand, const char *what,
                                    clrs_footprint *footprint, clrs_error *error);
/* The same footprint for the elements within `bounds`. */
clrs_status clrs__bounds_footprint(const clrs_operand *operand, const clrs_bounds *bounds,
                                   const char *what, clrs_footprint *footprint, clrs_error *error);

/* Most steps of clrs__operands_overlap for one pair: enough for some 8,000 pairs of parts of
 * stacks, or for lists of some 10,000 elements each. */
#define CLRS__MEETING_STEPS ((int64_t)1 << 20)

typedef enum clrs__meeting { CLRS__APART, CLRS__MEET, CLRS__MAY_MEET } clrs__meeting;

/* Returns whether two operands share a byte. Returns CLRS__MAY_MEET if an exact answer needs more
 * steps than *budget. Subtracts the steps from *budget. Both operands have elements and a
 * footprint. */
clrs__meeting clrs__operands_meet(const clrs_operand *a, const clrs_operand *b, int64_t *budget);

/* Returns true if the two views, over the same storage, share a byte. The answer is exact for
 * whole-byte types within bounded work. The bound is enough for nearly all strided views, and for
 * stacks of some thousand elements or of some thousand strided parts. The answer is never wrongly
 * false. The answer may be wrongly true beyond the bound, for packed elements in neighbouring
 * bytes, and if an operand is NULL or not a valid view. Offsets are the operands' offsets. The
 * alignment of the operands does not matter. */
bool clrs__operands_overlap(const clrs_operand *a, const clrs_operand *b);
