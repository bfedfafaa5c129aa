/*
 * What surrounds a part of a destination, as slices: of each dim all before and all after the part,
 * within what the dims in front of it have left. A 2x3 part at 1, 2 of a 4x6 destination has row 0
 * above it, row 3 below it, then of rows 1 and 2 the columns 0 and 1, and column 5.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/core.h"
#include "status.h"

typedef struct clrs__frame {
  const clrs_shape *outer, *inner; /* of one rank */
  const int64_t *begins;
  uint32_t next;                    /* part of the border: two for each dim */
  clrs_slice slices[CLRS_MAX_RANK]; /* of the destination: a part of the border, or what it is of */
} clrs__frame;

/* Where the part begins, in a caller's words: NULL is all 0. */
const int64_t *clrs__frame_begins(const int64_t *begins);

/* Does a shape of the destination's rank, that begins there, lie inside it? */
clrs_status clrs__frame_check(const clrs_shape *outer, const clrs_shape *inner,
                              const int64_t *begins, clrs_error *error);

/* To the next part of the border; or, with false, to what it surrounds. */
bool clrs__frame_next(clrs__frame *frame);
