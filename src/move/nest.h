/*
 * Nests: the common refinement of the walks of all operands, in canonical form.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "overlap.h"

/* Two extents that end at different elements, neither dividing the other. */
typedef struct clrs__conflict {
  int64_t source_extent, destination_extent;
} clrs__conflict;

/* The canonical nest over walks of equal counts: the destination's, which meets no position twice,
 * the source's, and those of other operands. Returns false, and where, if a boundary of one walk
 * falls inside an axis of another at no divisor. */
bool clrs__nest_refine(const clrs__walk *walks, uint32_t count, clrs__nest *nest,
                       clrs__conflict *conflict);

/* Drops, turns, sorts and merges axes until the form is canonical. */
void clrs__nest_normalize(clrs__nest *nest);

/* Makes the source of the destination, and the other way round. */
void clrs__nest_swap_sides(clrs__nest *nest);

/* Elements, or units, that the nest moves. */
int64_t clrs__nest_count(const clrs__nest *nest);

/* How often its first axes repeat what lies inside them. */
int64_t clrs__nest_repeats(const clrs__nest *nest, uint32_t axis_count);

/* Adds what an axis spans along one operand, from its first position to its last; saturates. */
void clrs__add_span(uint64_t *span, int64_t extent, int64_t stride);
/* What some axes span along one operand. */
uint64_t clrs__axes_span(const clrs__nest_axis *axes, uint32_t count, uint32_t operand);

/* Of two blocks in a row, the nearer they lie to each other on either side the better: the smaller
 * of an axis' two steps. Nearness in the source counts more: the hardware foresees reads, and
 * writes do not wait. */
uint64_t clrs__nearer_step(const clrs__nest_axis *axis);
/* Orders its first axes so that what follows in time lies near, on either side. */
void clrs__nest_sort_outer_axes(clrs__nest *nest, uint32_t count);
