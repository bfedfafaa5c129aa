/*
 * Padding between two shapes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "clreshape/plan.h"
#include "status.h"

/* Calls clrs_pad_init for a shape `inner` that begins at `begins` inside of `outer`, a shape of the
 * same rank. */
clrs_status clrs__pad_between(clrs_pad_mode mode, const clrs_shape *inner, const clrs_shape *outer,
                              const int64_t *begins, clrs_pad *pad, clrs_error *error);

/* One dim: its extent in the source, and the elements added before and behind. */
typedef struct clrs__pad_edges {
  int64_t extent, before, behind;
} clrs__pad_edges;

/* Pieces of one dim that show the same elements of the source. */
typedef struct clrs__pad_run {
  int64_t start, period, count; /* in the result: `count` pieces, one every `period` */
  int64_t length;               /* of a piece */
  int64_t first, step;          /* in the source, of each piece, with step 1, -1 or 0 */
} clrs__pad_run;

enum { CLRS__PAD_RUNS = 4 }; /* two kinds of pieces, and cut pieces at both ends */
typedef struct clrs__pad_runs {
  uint32_t count;
  clrs__pad_run list[CLRS__PAD_RUNS];
} clrs__pad_runs;

/* Finds the runs of a dim that has elements, for another mode than constant. Returns false if the
 * period does not fit in 64 bits. */
bool clrs__pad_find_runs(clrs_pad_mode mode, const clrs__pad_edges *dim, clrs__pad_runs *all);

/* Adds up the extent and the border of dim number `dim`. Returns CLRS_INVALID_ARGUMENT if the
 * border is negative, or repeats elements of a dim that has none. */
clrs_status clrs__pad_widen(clrs_pad_mode mode, const clrs__pad_edges *at, uint32_t dim,
                            int64_t *widened, clrs_error *error);

clrs_status clrs__pad_mode_check(clrs_pad_mode mode, clrs_error *error);
