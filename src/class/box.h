/*
 * Boxes: how much of each axis cpu_subbyte moves at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_BOX_H
#define CLRS_CLASS_BOX_H

#include "axes.h"

/* A box: a part of each axis of the nest. In the source a box consists of images, in the
 * destination of runs. */
typedef struct clrs__box {
  const clrs__nest *nest; /* axes by steps in the destination, the largest first */
  int64_t units_per_byte;
  int64_t extents[CLRS_MAX_AXES];
  bool in_image[CLRS_MAX_AXES], in_run[CLRS_MAX_AXES];
  int64_t image, run;    /* units: of an image from lowest to highest, of a run */
  int64_t images, units; /* number in a box */
  bool is_copied;
} clrs__box;

/* Chooses the box with the longest runs on both sides that fits in the stages. Returns false if no
 * box fits. The caller sets `nest` and `units_per_byte`. */
bool clrs__box_choose(clrs__box *b);
/* Units from image to image in the stage. */
int64_t clrs__box_image_pitch(const clrs__box *b);

#endif
