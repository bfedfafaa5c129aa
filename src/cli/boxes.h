/*
 * A result in boxes: parts of at most so many bytes, cut along its axes so that a part is read and
 * written in long runs. Of a transpose of [100000,100000] a part of whole rows would read single
 * elements; a square part has runs of some thousand on both sides.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "runs.h"

typedef struct cli_boxes {
  clrs_mapped mapped;             /* the source, in the shape that is cut */
  clrs_view place;                /* in the file of the result, in the same shape */
  int64_t extents[CLRS_MAX_RANK]; /* of a box; of the last ones in a dim what is left */
  int64_t counts[CLRS_MAX_RANK];  /* of boxes along each dim */
  int64_t count;
  bool is_refined;                          /* may boxes have to be cut further? */
  uint64_t source_bytes, destination_bytes; /* that a box takes at most, dense */
  double cost; /* of an element: bytes that are read and written, with those that calls stand for */
} cli_boxes;

/* What is asked of them. */
typedef struct cli_boxes_wish {
  uint64_t most_bytes; /* on each side of a box */
  bool in_order;       /* is the result's next element always that of the box, or of the next? */
} cli_boxes_wish;

/* Chooses boxes of the input's elements as `mapped` makes them, which go to `place`, of that shape
 * and type. The boxes are cut in a shape of their own, in which every dim is one axis of the
 * source, of each parameter and of the place: [H,W,3] to [3,H,W] with a mean for each channel is
 * [3,H * W]. Each side of a box takes at most wish->most_bytes, else the status is
 * CLRS_LIMIT_EXCEEDED. Where axes have no such shape, as behind a roll, the dims of the result are
 * cut. Boxes that then read too much are cut further if the parts are few: box_parts.h. */
clrs_status cli_boxes_choose(const clrs_mapped *mapped, const clrs_view *place,
                             const cli_boxes_wish *wish, cli_boxes *boxes, clrs_error *error);

/* A box: what is read and written, and the move between both, dense. */
typedef struct cli_box {
  cli_runs read, written;
  clrs_mapped source;
  clrs_view destination;
} cli_box;
clrs_status cli_box_find(const cli_boxes *boxes, int64_t index, cli_box *box, clrs_error *error);

/* The same in two steps: one slice for each dim, and the box of any such slices. */
void cli_box_slices(const cli_boxes *boxes, int64_t index, clrs_slice *slices);
clrs_status cli_box_of(const cli_boxes *boxes, const clrs_slice *slices, cli_box *box,
                       clrs_error *error);

/* Is what the boxes read, one after the other, further on each time, as from a pipe? */
clrs_status cli_boxes_read_on(const cli_boxes *boxes, bool *is_so, clrs_error *error);
