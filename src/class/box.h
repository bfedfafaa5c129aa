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
  bool is_copied;
} clrs__box;

/* The longest runs on both sides that a box has room for; false if there is none. `nest` and
 * `units_per_byte` are given. */
bool clrs__box_choose(clrs__box *b);
/* From image to image in the stage. */
int64_t clrs__box_image_pitch(const clrs__box *b);

#endif
