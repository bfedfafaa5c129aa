/*
 * Boxes. A box has a part of each axis of a nest, or of some axes, and is moved at once. This file
 * finds the box of a number, and walks through the places of a box.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_BOXES_CL
#define CLRS_BOXES_CL
#ifndef UNIT
#define UNIT uchar
#endif
#ifndef UNIT_BITS
#define UNIT_BITS 4
#endif
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef BOXED
#define BOXED 1
#endif
#ifndef OWN_WORDS
#define OWN_WORDS box
#endif
#ifndef CLRS_UNPACKED_CL
#include "unpacked.cl"
#endif

/* The sides on which a unit of a box has a position. */
enum { SOURCE, IMAGES, RUNS, DESTINATION, SIDES };

typedef struct box_t {
  index_t axis_count;    /* in the order of the destination, the fastest last */
  uint in_image, in_run; /* bit k: images, or runs, hold axis k */
  index_t extents[CLRS_BOX_AXES], steps[SIDES][CLRS_BOX_AXES];
  index_t from, to; /* the first unit */
  index_t ahead;    /* bytes from here to the start of the next box in the source */
  index_t low, image,
      run; /* offset of an image's lowest unit (0 or negative), units of an image and of a run */
} box_t;

/* The fields that are equal in all boxes. In the words, the axes that number boxes come first. The
 * nest's axes follow, and then the same axes with the extents of boxes and the steps in the
 * stages. */
HELPER box_t start_boxes(move_ref move) {
  box_t box = {.axis_count = move->box_axis_count, .in_image = (uint)move->image_axes};
  const index_t first = move->outer_axis_count;
  box.in_run = (1u << box.axis_count) - (1u << move->first_run_axis);
  SHORT_LOOP for (index_t k = 0; k < box.axis_count; k++) {
    const nest_axis_t outside = move->axes[first + k];
    const nest_axis_t inside = move->axes[first + box.axis_count + k];
    box.extents[k] = inside.extent;
    box.steps[SOURCE][k] = outside.source_stride;
    box.steps[IMAGES][k] = inside.source_stride;
    box.steps[RUNS][k] = inside.destination_stride;
    box.steps[DESTINATION][k] = outside.destination_stride;
  }
  return box;
}

/* Bytes from this box to the next box in the source, or 0 for the last box. */
HELPER index_t find_next(move_ref move, count_t i, index_t from) {
  count_t rest = i + 1;
  index_t next = 0;
  if (i + 1 >= (count_t)move->count) {
    return 0;
  }
  for (index_t k = move->outer_axis_count; k-- > 0;) {
    const nest_axis_t axis = move->axes[k];
    next += take_digit(&rest, axis.extent, axis.divisor) * axis.source_stride;
  }
  return (next - from) / UNITS_PER_BYTE;
}

/* Finds box i. The last two axes that number boxes belong to the axes that boxes cut, if any. */
HELPER void find_box(move_ref move, count_t i, box_t *box) {
  const index_t first = move->outer_axis_count;
  count_t rest = i;
  box->from = box->to = 0;
  SHORT_LOOP for (index_t k = first; k-- > 0;) {
    const nest_axis_t axis = move->axes[k];
    const index_t digit = take_digit(&rest, axis.extent, axis.divisor);
    const index_t cut = k == first - 1 ? move->fast_cut : k == first - 2 ? move->slow_cut : -1;
    box->from += digit * axis.source_stride;
    box->to += digit * axis.destination_stride;
    if (cut >= 0) {
      const index_t most = move->axes[first + box->axis_count + cut].extent;
      box->extents[cut] = min(most, move->axes[first + cut].extent - digit * most);
    }
  }
  box->low = 0;
  box->image = box->run = 1;
  SHORT_LOOP for (index_t k = 0; k < box->axis_count; k++) {
    const index_t reach = (box->extents[k] - 1) * box->steps[SOURCE][k];
    if ((box->in_image >> k & 1) != 0) {
      box->low += min(reach, (index_t)0);
      box->image += max(reach, -reach);
    }
    box->run *= (box->in_run >> k & 1) != 0 ? box->extents[k] : 1;
  }
}

/* A pair of positions on two sides that walks along the axes of a box. */
typedef struct walk_t {
  index_t digits[CLRS_BOX_AXES];
  index_t from, to;
} walk_t;

HELPER walk_t start_walk(index_t from, index_t to) {
  walk_t walk = {{0}, from, to};
  return walk;
}

/* Advances to the next step of all axes except those with a bit in `but`, the last axis fastest.
 * Returns false after the last step. */
APART bool advance(const box_t *box, uint but, int side, int other, walk_t *walk) {
  SHORT_LOOP for (index_t k = box->axis_count; k-- > 0;) {
    if ((but >> k & 1) != 0) {
      continue;
    }
    if (++walk->digits[k] < box->extents[k]) {
      walk->from += box->steps[side][k];
      walk->to += box->steps[other][k];
      return true;
    }
    walk->from -= (box->extents[k] - 1) * box->steps[side][k];
    walk->to -= (box->extents[k] - 1) * box->steps[other][k];
    walk->digits[k] = 0;
  }
  return false;
}

#endif
