/*
 * A result in boxes. A box is a part of limited size, cut along the axes so that reading and
 * writing use long runs. Example: in a transpose of [100000,100000], a box of whole rows would read
 * single elements. A square box has runs of some thousand elements on both sides.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "runs.h"

typedef struct cli_boxes {
  clrs_mapped mapped;             /* the source, in the shape that is cut */
  clrs_view place;                /* places in the file of the result, in the same shape */
  int64_t extents[CLRS_MAX_RANK]; /* dims of a box; the last box may be smaller */
  int64_t counts[CLRS_MAX_RANK];  /* number of boxes along each dim */
  int64_t count;
  bool is_refined;                          /* may a box need further cutting? */
  uint64_t source_bytes, destination_bytes; /* most bytes of a box, dense */
  double cost; /* per element: bytes read and written, and RUN_COST bytes for each call */
} cli_boxes;

/* Limits for the boxes. */
typedef struct cli_boxes_wish {
  uint64_t most_bytes; /* on each side of a box */
  bool in_order;       /* must boxes be written in the order of the result? */
} cli_boxes_wish;

/* Chooses boxes for moving the elements of `mapped` to `place`, a view of the same shape and type.
 * The boxes are cut in a shape of their own, in which every dim is one axis of the source, of each
 * parameter and of the place. Example: [H,W,3] to [3,H,W] with a mean for each channel is cut as
 * [3,H * W].
 *
 * Returns CLRS_LIMIT_EXCEEDED if a side of a box exceeds wish->most_bytes. If there is no such
 * shape, as behind a roll, the dims of the result are cut. A box that then reads too much is cut
 * further, if the parts are few: see box_parts.h. */
clrs_status cli_boxes_choose(const clrs_mapped *mapped, const clrs_view *place,
                             const cli_boxes_wish *wish, cli_boxes *boxes, clrs_error *error);

/* A box: the runs that are read and written, and the move between both, dense. */
typedef struct cli_box {
  cli_runs read, written;
  clrs_mapped source;
  clrs_view destination;
} cli_box;
clrs_status cli_box_find(const cli_boxes *boxes, int64_t index, cli_box *box, clrs_error *error);

/* cli_box_find in two steps: the slices of box `index`, one for each dim, and the box of any
 * slices. */
void cli_box_slices(const cli_boxes *boxes, int64_t index, clrs_slice *slices);
clrs_status cli_box_of(const cli_boxes *boxes, const clrs_slice *slices, cli_box *box,
                       clrs_error *error);

/* Do the boxes, one after the other, read in ascending order, as a pipe needs? Sets *is_so. */
clrs_status cli_boxes_read_on(const cli_boxes *boxes, bool *is_so, clrs_error *error);
