/* SPDX-License-Identifier: Apache-2.0 */
#include "box.h"

#include <string.h>

#include "checked.h"
#include "tuning.h"

static void take(clrs__box *b, uint32_t axis, int64_t wanted) {
  const int64_t extent = b->nest->axes[axis].extent;
  const int64_t part = wanted < extent ? wanted : extent;
  b->extents[axis] = part > b->extents[axis] ? part : b->extents[axis];
}

/* The unseen axis with the smallest nonzero step in the source. Equal steps keep the order of the
 * nest. Returns axis_count if all axes are seen. */
static uint32_t next_source_axis(const clrs__nest *nest, const bool *seen) {
  uint32_t next = nest->axis_count;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    const uint64_t step = clrs__magnitude(nest->axes[i].source_stride);
    if (!seen[i] && step > 0 &&
        (next == nest->axis_count || step < clrs__magnitude(nest->axes[next].source_stride))) {
      next = i;
    }
  }
  return next;
}

/* Returns true if steps of the axis would leave a wide gap between images of the box as it is. */
static bool has_wide_gap(const clrs__box *b, const clrs__nest_axis *axis) {
  const uint64_t step = clrs__magnitude(axis->source_stride);
  return step > CLRS__BOX_NEAR_UNITS && (step - 1) / CLRS__BOX_WIDEST_GAP >= (uint64_t)b->image;
}

/* Follows the axes of the source, beginning with the smallest step, until a step leaves a wide gap.
 * Marks the axes of the box, which make up an image. With `wanted` above 0, the box takes enough of
 * the axes for that many units. */
static void follow_source(clrs__box *b, int64_t wanted) {
  bool seen[CLRS_MAX_AXES] = {false};
  int64_t units = 1;
  b->image = 1;
  for (uint32_t i; (i = next_source_axis(b->nest, seen)) < b->nest->axis_count;) {
    const clrs__nest_axis *axis = &b->nest->axes[i];
    if (has_wide_gap(b, axis)) {
      break;
    }
    if (wanted > units) {
      take(b, i, clrs__divide_up(wanted, units));
    }
    seen[i] = true;
    b->in_image[i] = b->extents[i] > 1;
    units *= b->extents[i];
    b->image += (b->extents[i] - 1) * (int64_t)clrs__magnitude(axis->source_stride);
    if (b->extents[i] < axis->extent && wanted > 0) {
      break;
    }
  }
}

/* Follows the axes of the destination in the same way. Runs of the destination have no gaps. */
static void follow_destination(clrs__box *b, int64_t wanted) {
  b->run = 1;
  for (uint32_t left = b->nest->axis_count; left > 0; left--) {
    const uint32_t i = left - 1;
    const clrs__nest_axis *axis = &b->nest->axes[i];
    if (axis->destination_stride != b->run) {
      break;
    }
    if (wanted > b->run) {
      take(b, i, clrs__divide_up(wanted, b->run));
    }
    b->in_run[i] = b->extents[i] > 1;
    b->run *= b->extents[i];
    if (b->extents[i] < axis->extent) {
      break;
    }
  }
}

/* The pitch leaves room for the unused units of the first and the last byte. Neighbouring images
 * fall into different sets of a cache. Examples with lines of 64 bytes: an image of 100 units has
 * the pitch 108. An image of 640 units needs 648, which is 10 lines, and has the pitch 11 * 64 =
 * 704. */
int64_t clrs__box_image_pitch(const clrs__box *b) {
  const int64_t room = b->image + 8, line = CLRS_LINE_BYTES;
  return room < 8 * line ? room : (room / line | 1) * line + (room / line % 2 != 0 ? 2 * line : 0);
}

/* Finds which axes of the box are in images and in runs, and the sizes of the stages. */
static void measure(clrs__box *b) {
  memset(b->in_image, 0, sizeof b->in_image);
  memset(b->in_run, 0, sizeof b->in_run);
  follow_source(b, 0);
  follow_destination(b, 0);
  b->images = b->units = 1;
  for (uint32_t i = 0; i < b->nest->axis_count; i++) {
    b->in_image[i] = b->in_image[i] || (b->extents[i] > 1 && b->nest->axes[i].source_stride == 0);
    b->units *= b->extents[i];
    b->images *= b->in_image[i] ? 1 : b->extents[i];
  }
}

/* Parts of an axis of about the same size. Long parts are multiples of whole lines or bytes of
 * their side. `step` is the number of units between steps of the axis. */
static int64_t even_part(int64_t extent, int64_t part, int64_t step, int64_t units_per_byte) {
  const int64_t wholes[] = {CLRS_LINE_BYTES * units_per_byte, 8 * units_per_byte, units_per_byte};
  for (int i = 0; i < 3; i++) {
    const int64_t whole = wholes[i] / clrs__common_divisor(wholes[i], step % wholes[i]);
    if (part >= 2 * whole || part == whole) {
      return clrs__part_of_wholes(extent, part, whole);
    }
  }
  return part;
}

static void even_extents(clrs__box *b) {
  measure(b);
  for (uint32_t i = 0; i < b->nest->axis_count; i++) {
    const clrs__nest_axis *axis = &b->nest->axes[i];
    if (b->extents[i] > 1 && b->extents[i] < axis->extent) {
      const int64_t step = b->in_run[i] ? axis->destination_stride : axis->source_stride;
      b->extents[i] =
          even_part(axis->extent, b->extents[i], (int64_t)clrs__magnitude(step), b->units_per_byte);
    }
  }
}

static void choose_extents(clrs__box *b, int64_t image, int64_t run) {
  for (uint32_t i = 0; i < b->nest->axis_count; i++) {
    b->extents[i] = 1;
  }
  follow_source(b, image);
  follow_destination(b, run);
  even_extents(b);
  measure(b);
}

static bool has_room(const clrs__box *b) {
  return b->units <= CLRS_BOX_ROOM &&
         clrs__exact_multiply(b->images, clrs__box_image_pitch(b)) <= CLRS_BOX_ROOM;
}

/* Chooses a part of a long run of both sides. */
static bool choose_copied_box(clrs__box *b) {
  const uint32_t last = b->nest->axis_count - 1;
  const clrs__nest_axis *axis = &b->nest->axes[last];
  if (axis->source_stride != 1 ||
      axis->extent < CLRS__BOX_SHORTEST_COPIED_BYTES * b->units_per_byte) {
    return false;
  }
  for (uint32_t i = 0; i < last; i++) {
    b->extents[i] = 1;
  }
  b->extents[last] = CLRS__BOX_COPIED_BYTES * b->units_per_byte;
  b->extents[last] = axis->extent < b->extents[last] ? axis->extent : b->extents[last];
  even_extents(b);
  b->is_copied = true;
  return true;
}

bool clrs__box_choose(clrs__box *b) {
  if (choose_copied_box(b)) {
    return true;
  }
  int64_t image = CLRS__BOX_LONGEST_RUN, run = CLRS__BOX_LONGEST_RUN;
  choose_extents(b, image, run);
  while (!has_room(b) && image >= CLRS__BOX_SHORTEST_RUN) {
    *(image >= run ? &image : &run) /= 2;
    choose_extents(b, image, run);
  }
  return has_room(b);
}
