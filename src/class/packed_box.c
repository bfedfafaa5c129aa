/*
 * Boxes whose units stay packed: the two ways to turn columns into rows by byte planes
 * (kernels/byte_planes.cl).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "packed_box.h"

#include <string.h>

#include "checked.h"
#include "tuning.h"

/* Nothing but one unit. */
static void start(clrs__box *b, int64_t kind) {
  for (uint32_t i = 0; i < b->nest->axis_count; i++) {
    b->extents[i] = 1;
  }
  memset(b->in_image, 0, sizeof b->in_image);
  memset(b->in_run, 0, sizeof b->in_run);
  b->image = b->run = b->images = b->units = 1;
  b->kind = kind;
}

/* Parts of the axis of about the same size, and of whole `steps`. */
static void take_part(clrs__box *b, uint32_t axis, int64_t most, int64_t step) {
  const int64_t extent = b->nest->axes[axis].extent;
  if (extent <= most) {
    b->extents[axis] = extent;
    return;
  }
  const int64_t even = clrs__divide_up(extent, clrs__divide_up(extent, most));
  const int64_t part = clrs__divide_up(even, step) * step;
  b->extents[axis] = part < most ? part : most;
}

static void count_units(clrs__box *b) {
  b->units = b->images = 1;
  for (uint32_t i = 0; i < b->nest->axis_count; i++) {
    b->units = clrs__exact_multiply(b->units, b->extents[i]);
    b->images *= b->in_image[i] ? 1 : b->extents[i];
  }
}

/* ---- columns to rows ---- */

/* An image of about `wanted` units out of the axes that are not the last. */
static void take_image(clrs__box *b, int64_t wanted) {
  const uint32_t last = b->nest->axis_count - 1;
  bool seen[CLRS_MAX_AXES] = {false};
  seen[last] = true;
  for (int64_t units = 1; units < wanted;) {
    const uint32_t i = clrs__box_next_source_axis(b->nest, seen);
    const clrs__nest_axis *axis = &b->nest->axes[i];
    if (i > last || clrs__box_has_wide_gap(b, axis)) {
      break;
    }
    take_part(b, i, clrs__divide_up(wanted, units), 1);
    seen[i] = true;
    b->in_image[i] = b->extents[i] > 1;
    units *= b->extents[i];
    b->image += (b->extents[i] - 1) * (int64_t)clrs__magnitude(axis->source_stride);
    if (b->extents[i] < axis->extent) {
      break;
    }
  }
}

/* What the planes of columns take: those of each unit of a group, or of all together. */
static int64_t planes_room(const clrs__box *b) {
  const clrs__nest_axis *axis = &b->nest->axes[b->nest->axis_count - 1];
  const int64_t per_byte = b->units_per_byte, lane = CLRS_LINE_BYTES / CLRS_LANES_PER_LINE;
  const int64_t piece = (b->image + per_byte - 2) / per_byte + 1;
  const int64_t apart = per_byte * (clrs__divide_up(piece, lane) * lane);
  const uint64_t step = clrs__magnitude(axis->source_stride);
  int64_t planes = apart;
  if (step < (uint64_t)apart) {
    const int64_t reach = (per_byte - 1) * (int64_t)step / per_byte + 1;
    const int64_t together = clrs__divide_up(reach + piece, lane) * lane;
    planes = together < apart ? together : apart;
  }
  return planes * CLRS_PLANE_PITCH(clrs__divide_up(b->run, per_byte));
}

/* Parts of a run begin where a line does, or else leave room in their last line for a byte that is
 * begun by one and ended by the next; which has units for that. */
static void take_run(clrs__box *b, int64_t bytes) {
  const uint32_t last = b->nest->axis_count - 1;
  const int64_t extent = b->nest->axes[last].extent, per_byte = b->units_per_byte;
  b->in_run[last] = true;
  b->run = extent;
  if (clrs__box_has_whole_bytes(b)) {
    take_part(b, last, bytes * per_byte, CLRS_LINE_BYTES * per_byte);
  } else {
    take_part(b, last, (bytes - 2) * per_byte, per_byte);
  }
  while (extent % b->extents[last] != 0 && extent % b->extents[last] < per_byte) {
    b->extents[last] -= per_byte;
  }
  b->run = b->extents[last];
}

/* An image of one unit has room, so a box is found: that takes a lane for each unit of a byte. */
_Static_assert(8 * (CLRS_LINE_BYTES / CLRS_LANES_PER_LINE) *
                       CLRS_PLANE_PITCH(CLRS__BOX_SHORTEST_UNZIPPED_PART) <=
                   CLRS_IMAGES_ROOM,
               "planes of one unit");

bool clrs__box_choose_unzipped(clrs__box *b) {
  const clrs__nest_axis *axis = &b->nest->axes[b->nest->axis_count - 1];
  if (axis->source_stride == 0 || axis->source_stride == 1 ||
      axis->extent < CLRS__BOX_SHORTEST_UNZIPPED_BYTES * b->units_per_byte) {
    return false;
  }
  int64_t image = CLRS__BOX_UNZIPPED_IMAGE_BYTES * b->units_per_byte,
          run = CLRS__BOX_LONGEST_UNZIPPED_PART;
  for (;;) {
    start(b, CLRS_BOX_UNZIPPED);
    take_image(b, image);
    take_run(b, run);
    if (planes_room(b) <= CLRS_IMAGES_ROOM) {
      count_units(b);
      return true;
    }
    *(run > CLRS__BOX_SHORTEST_UNZIPPED_PART ? &run : &image) /= 2;
  }
}

/* ---- rows to columns ---- */

/* The axis of the source's runs, if those inside it have no gaps in the destination, and how many
 * units these are; axis_count if not. */
static uint32_t find_zipped_axis(const clrs__nest *nest, int64_t *rows) {
  *rows = 1;
  for (uint32_t left = nest->axis_count; left > 0; left--) {
    const uint32_t i = left - 1;
    const clrs__nest_axis *axis = &nest->axes[i];
    if (axis->destination_stride != *rows || axis->source_stride == 0) {
      break;
    }
    if (axis->source_stride == 1) {
      return *rows > 1 ? i : nest->axis_count;
    }
    if (axis->extent > CLRS_ZIPPED_ROWS / *rows) {
      break;
    }
    *rows *= axis->extent;
  }
  return nest->axis_count;
}

bool clrs__box_choose_zipped(clrs__box *b) {
  int64_t rows;
  const uint32_t axis = find_zipped_axis(b->nest, &rows);
  if (axis == b->nest->axis_count ||
      b->nest->axes[axis].extent < CLRS__BOX_SHORTEST_ZIPPED_BYTES * b->units_per_byte) {
    return false;
  }
  start(b, CLRS_BOX_ZIPPED);
  const int64_t bytes = CLRS__BOX_ZIPPED_PART_BYTES / rows / CLRS_LINE_BYTES * CLRS_LINE_BYTES;
  take_part(b, axis,
            clrs__clamp(bytes, CLRS_LINE_BYTES, CLRS__BOX_LONGEST_ZIPPED_ROW_BYTES) *
                b->units_per_byte,
            CLRS_LINE_BYTES * b->units_per_byte);
  b->in_image[axis] = b->in_run[axis] = true;
  for (uint32_t i = axis + 1; i < b->nest->axis_count; i++) {
    b->extents[i] = b->nest->axes[i].extent;
    b->in_run[i] = true;
  }
  b->image = b->extents[axis];
  b->run = b->image * rows;
  count_units(b);
  return true;
}
