/*
 * Boxes: how much of each axis cpu_subbyte moves at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_BOX_H
#define CLRS_CLASS_BOX_H

#include "axes.h"

/* How much of each axis of the nest a box has, and what it makes of them. */
typedef struct clrs__box {
  const clrs__nest *nest; /* by steps in the destination, the largest first */
  int64_t units_per_byte;
  int64_t extents[CLRS_MAX_AXES];
  bool in_image[CLRS_MAX_AXES], in_run[CLRS_MAX_AXES];
  int64_t image, run;    /* units: of an image from its lowest to its highest, of a run */
  int64_t images, units; /* how many there are of a box */
  int64_t kind;
} clrs__box;

/* The longest runs on both sides that a box has room for; false if there is none. `nest` and
 * `units_per_byte` are given. */
bool clrs__box_choose(clrs__box *b);
/* From image to image in the stage. */
int64_t clrs__box_image_pitch(const clrs__box *b);

/* What the kinds share. */
/* The axis with the smallest step in the source of those not seen, and more of equal ones in the
 * order of the nest; axis_count if there is none. */
uint32_t clrs__box_next_source_axis(const clrs__nest *nest, const bool *seen);
/* Would steps of the axis leave too much between images of what the box has so far? */
bool clrs__box_has_wide_gap(const clrs__box *b, const clrs__nest_axis *axis);
/* Does every run begin and end where a byte does? Else both its ends are bytes to look up. */
bool clrs__box_has_whole_bytes(const clrs__box *b);

#endif
