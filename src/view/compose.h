/*
 * Composition: makes one walk of two walks, where the upper walk counts the elements of the lower
 * walk.
 *
 * The extents of the lower walk are a mixed radix: digit k of a position counts steps of axis k. A
 * list of axes over positions becomes a list of axes over the storage if no digit ever carries into
 * the next digit. If the run of an axis fills a digit exactly, the axis is split there. If not,
 * cutting the axis in two may still help.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "walk.h"

/* The operands of a nest: the destination, the source, then the parameters of a map or the indices
 * of a gather. */
enum { CLRS__TO = 0, CLRS__FROM = 1, CLRS__MOST_OPERANDS = 6 };

/* An axis of a loop nest: each step of the axis is one step in every operand. The strides of the
 * two operands that every nest has also have names. */
typedef struct clrs__nest_axis {
  int64_t extent;
  union {
    int64_t strides[CLRS__MOST_OPERANDS];
    struct {
      int64_t destination_stride, source_stride;
    };
  };
} clrs__nest_axis;

#define CLRS__NEST_AXIS(extent, source_stride, destination_stride)                                 \
  ((clrs__nest_axis){(extent), {{(destination_stride), (source_stride)}}})

/* Canonical: outermost axis first, destination strides descending and positive (0 cannot occur), no
 * axis of extent 1, and mergeable axes merged. */
typedef struct clrs__nest {
  uint32_t operand_count, axis_count;
  union {
    int64_t offsets[CLRS__MOST_OPERANDS];
    struct {
      int64_t destination_offset, source_offset;
    };
  };
  clrs__nest_axis axes[CLRS_MAX_AXES];
} clrs__nest;

/* Copies the axes in use, usually a few of 64. */
void clrs__nest_copy(clrs__nest *to, const clrs__nest *from);

/* Reverses the direction of an axis. Returns false, and leaves the nest unchanged, if a position
 * does not fit in 64 bits. */
bool clrs__nest_turn_axis(clrs__nest *nest, uint32_t at);

/* Splits an axis into two. `extent` divides the extent of the axis, and is the extent of the inner
 * axis, which follows the outer axis. Returns false, and leaves the nest unchanged, if there is no
 * room or a stride does not fit in 64 bits. */
bool clrs__nest_split_axis(clrs__nest *nest, uint32_t at, int64_t extent);

/* Makes one walk of two. Returns false if no walk was found. */
bool clrs__walk_compose(const clrs__walk *lower, const clrs__walk *upper, clrs__walk *walk);

typedef enum clrs__lowering {
  CLRS__LOWERED, /* the operand's positions are positions in the storage of `lower` */
  CLRS__CUT,     /* impossible as one nest; see the cut */
  CLRS__STUCK    /* impossible, even in pieces, for this algebra */
} clrs__lowering;

/* The place of a cut: after the first `extent` steps of an axis. */
typedef struct clrs__axis_cut {
  uint32_t axis;
  int64_t extent;
} clrs__axis_cut;

/* Lowers an operand of a nest. The operand's positions count the elements of `lower`. If the result
 * is not CLRS__LOWERED, the nest still describes the same move, with axes possibly split or
 * reversed. */
clrs__lowering clrs__nest_lower(const clrs__walk *lower, uint32_t operand, clrs__nest *nest,
                                clrs__axis_cut *cut);
