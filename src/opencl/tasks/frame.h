/*
 * The border around a part of a destination, as slices. For each dim, one slice lies in front of
 * the part and one behind the part, within the range that earlier dims have left. Example: a 2x3
 * part at (1, 2) of a 4x6 destination. The border is row 0, row 3, columns 0 and 1 of rows 1 and 2,
 * and column 5 of rows 1 and 2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/core.h"
#include "status.h"

typedef struct clrs__frame {
  const clrs_shape *outer, *inner; /* of equal rank */
  const int64_t *begins;
  uint32_t next;                    /* next slice of the border, two for each dim */
  clrs_slice slices[CLRS_MAX_RANK]; /* border piece, or the part */
} clrs__frame;

/* The begins of the part as the caller gave them. NULL means 0 in each dim. */
const int64_t *clrs__frame_begins(const int64_t *begins);

/* Checks that `inner`, which has the rank of `outer`, lies inside `outer` at these begins.
 * CLRS_OUT_OF_BOUNDS otherwise. */
clrs_status clrs__frame_check(const clrs_shape *outer, const clrs_shape *inner,
                              const int64_t *begins, clrs_error *error);

/* Steps to the next slice of the border and returns true. After the last slice, sets the slices to
 * the part itself and returns false. */
bool clrs__frame_next(clrs__frame *frame);
