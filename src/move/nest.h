/*
 * Nests: the common refinement of the walks of all operands, in canonical form.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "overlap.h"

/* Two extents that end at different elements. Neither extent divides the other. */
typedef struct clrs__conflict {
  int64_t source_extent, destination_extent;
} clrs__conflict;

/* Makes the canonical nest of walks with equal counts: the destination's walk, which has no
 * position twice, the source's walk, and the walks of other operands. Returns false and sets
 * *conflict if a boundary of a walk falls inside an axis of another walk at no divisor. Example:
 * the extents [4,6] and [8,3] refine to 4, 2 and 3. */
bool clrs__nest_refine(const clrs__walk *walks, uint32_t count, clrs__nest *nest,
                       clrs__conflict *conflict);

/* Drops, reverses, sorts and merges axes until the form is canonical. */
void clrs__nest_normalize(clrs__nest *nest);

/* Moves an axis. The other axes keep their order. */
void clrs__move_axis(clrs__nest *nest, uint32_t from, uint32_t to);
/* Inserts an axis of one step at place `at`. */
void clrs__insert_axis(clrs__nest *nest, uint32_t at);

/* Exchanges source and destination. */
void clrs__nest_swap_sides(clrs__nest *nest);

/* The number of elements, or units, that the nest moves. */
int64_t clrs__nest_count(const clrs__nest *nest);

/* The number of repeats of the first `axis_count` axes. */
int64_t clrs__nest_repeats(const clrs__nest *nest, uint32_t axis_count);

/* Adds the span of an axis along an operand, from the first position to the last. Saturates. */
void clrs__add_span(uint64_t *span, int64_t extent, int64_t stride);
/* The span of some axes along an operand. */
uint64_t clrs__axes_span(const clrs__nest_axis *axes, uint32_t count, uint32_t operand);

/* A key for sorting axes: the smaller of an axis' two steps. Consecutive blocks should be near on
 * either side. Nearness in the source counts more, because hardware prefetches reads, and writes do
 * not wait. Examples: the steps 100 in the source and 60 in the destination give 100. The steps 100
 * and 30 give 2 * 30 + 1 = 61. */
uint64_t clrs__nearer_step(const clrs__nest_axis *axis);
/* Orders the first `count` axes so that consecutive blocks are near on either side. */
void clrs__nest_sort_outer_axes(clrs__nest *nest, uint32_t count);
