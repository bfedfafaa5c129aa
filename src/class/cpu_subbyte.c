/*
 * Units of less than a byte on a CPU: boxes of axes that make runs on both sides. The class
 * cpu_subbyte.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "classes.h"

#include <string.h>

#include "axes.h"
#include "checked.h"
#include "tuning.h"

/* Measured on PoCL with two cores. */
enum {
  LONGEST_RUN = 8192, /* units wanted of a run on either side, if a box has room for them */
  SHORTEST_RUN = 16,
  TURNED_IMAGE_BYTES = 128,
  SHORTEST_TURNED_BYTES = 32,
  SHORTEST_RAGGED_BYTES = 128,
  SHORTEST_COPIED_BYTES = 96,
  COPIED_BYTES = 16384,
  WIDEST_GAP = 4, /* in images: times what lies inside the axis */
  ITEM_BYTES = 2 * CLRS__ITEM_BYTES,
  FEWEST_ITEMS = 8
};

/* How much of each axis of the nest a box has, and what it makes of them. */
typedef struct box {
  const clrs__nest *nest; /* by steps in the destination, the largest first */
  int64_t units_per_byte;
  int64_t extents[CLRS_MAX_AXES];
  bool in_image[CLRS_MAX_AXES], in_run[CLRS_MAX_AXES];
  int64_t image, run;    /* units: of an image from its lowest to its highest, of a run */
  int64_t images, units; /* how many there are of a box */
  int64_t kind;
} box;

static void take(box *b, uint32_t axis, int64_t wanted) {
  const int64_t extent = b->nest->axes[axis].extent;
  const int64_t part = wanted < extent ? wanted : extent;
  b->extents[axis] = part > b->extents[axis] ? part : b->extents[axis];
}

/* The axis with the smallest step in the source of at least `least`, and more of equal ones in the
 * order of the nest; axis_count if there is none. */
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

/* Follows the axes of the source from the smallest step on, as long as they leave no wide gaps, and
 * marks those of the box: they make an image. With `wanted` the box takes as much of them as makes
 * so many units. */
static void follow_source(box *b, int64_t wanted) {
  bool seen[CLRS_MAX_AXES] = {false};
  int64_t units = 1;
  b->image = 1;
  for (uint32_t i; (i = next_source_axis(b->nest, seen)) < b->nest->axis_count;) {
    const clrs__nest_axis *axis = &b->nest->axes[i];
    if (clrs__magnitude(axis->source_stride) > (uint64_t)(WIDEST_GAP * b->image)) {
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

/* The same of the destination, whose runs have no gaps. */
static void follow_destination(box *b, int64_t wanted) {
  b->run = 1;
  for (uint32_t i = b->nest->axis_count; i-- > 0;) {
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

/* From image to image: with room for the other units of the first and the last byte, and such that
 * neighbours are not in the same set of a cache. */
static int64_t image_pitch(const box *b) {
  const int64_t room = b->image + 8, line = CLRS_LINE_BYTES;
  return room < 8 * line ? room : (room / line | 1) * line + (room / line % 2 != 0) * 2 * line;
}

/* What of the box its axes are in, and how large the stages are. */
static void measure(box *b) {
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

/* Parts of an axis of about the same size, and if they are long enough of whole lines or bytes of
 * that side: `step` units of it lie between the steps of the axis. */
static int64_t even_part(int64_t extent, int64_t part, int64_t step, int64_t units_per_byte) {
  const int64_t wholes[] = {CLRS_LINE_BYTES * units_per_byte, 8 * units_per_byte, units_per_byte};
  for (int i = 0; i < 3; i++) {
    const int64_t whole = wholes[i] / clrs__common_divisor(wholes[i], step % wholes[i]);
    if (part >= 2 * whole || part == whole) {
      const int64_t most = part / whole * whole;
      const int64_t even = clrs__divide_up(extent, clrs__divide_up(extent, most));
      return clrs__divide_up(even, whole) * whole;
    }
  }
  return part;
}

static void even_extents(box *b) {
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

static void choose_extents(box *b, int64_t image, int64_t run) {
  for (uint32_t i = 0; i < b->nest->axis_count; i++) {
    b->extents[i] = 1;
  }
  follow_source(b, image);
  follow_destination(b, run);
  even_extents(b);
  measure(b);
}

static bool has_room(const box *b) {
  return b->units <= CLRS_RUNS_ROOM &&
         clrs__exact_multiply(b->images, image_pitch(b)) <= CLRS_RUNS_ROOM;
}

/* What the box has where images hold the axes that were `seen`, and runs the others. */
static void measure_turned(box *b, const bool *seen) {
  b->image = b->run = 1;
  for (uint32_t i = 0; i < b->nest->axis_count; i++) {
    b->in_image[i] = seen[i] && b->extents[i] > 1;
    b->in_run[i] = !seen[i] && b->extents[i] > 1;
    b->image *= b->in_image[i] ? b->extents[i] : 1;
    b->run *= b->in_run[i] ? b->extents[i] : 1;
  }
  b->units = clrs__exact_multiply(b->image, b->run);
}

/* Takes axes of the source until they make an image of about `wanted` units, but none of those that
 * begin a run, and the other way round. */
static void choose_turned(box *b, int64_t image, int64_t run) {
  const clrs__nest *nest = b->nest;
  bool seen[CLRS_MAX_AXES] = {false};
  int64_t units = 1;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    b->extents[i] = 1;
  }
  for (uint32_t i; units < image; units *= b->extents[i]) {
    i = next_source_axis(nest, seen);
    if (i + 1 >= nest->axis_count || nest->axes[i].source_stride != units ||
        (units > 1 && b->extents[i] > 1)) {
      break;
    }
    seen[i] = true;
    take(b, i, clrs__divide_up(image, units));
    if (b->extents[i] < nest->axes[i].extent) {
      break;
    }
  }
  units = 1;
  for (uint32_t i = nest->axis_count; i-- > 0 && units < run; units *= b->extents[i]) {
    if (seen[i] || nest->axes[i].destination_stride != units) {
      break;
    }
    take(b, i, clrs__divide_up(run, units));
    if (b->extents[i] < nest->axes[i].extent) {
      break;
    }
  }
  even_extents(b);
  measure_turned(b, seen);
}

/* Does every run begin and end where a byte does? Else both its ends are bytes to look up. */
static bool has_whole_bytes(const box *b) {
  bool whole =
      b->nest->destination_offset % b->units_per_byte == 0 && b->run % b->units_per_byte == 0;
  for (uint32_t i = 0; i < b->nest->axis_count; i++) {
    whole = whole && (b->in_run[i] || b->nest->axes[i].destination_stride % b->units_per_byte == 0);
  }
  return whole;
}

/* Are images and runs both long enough? */
static bool is_worth_turning(const box *b) {
  const int64_t least = has_whole_bytes(b) ? SHORTEST_TURNED_BYTES : SHORTEST_RAGGED_BYTES;
  return b->image >= 2 * b->units_per_byte && b->run >= least * b->units_per_byte;
}

static bool turned_has_room(const box *b) {
  const int64_t pitch = CLRS_COLUMN_PITCH(b->image / b->units_per_byte);
  return b->image <= CLRS_TURNED_ROWS && b->run <= CLRS_TURNED_COLUMNS &&
         (b->run + 63) / 64 * 64 * pitch <= CLRS_IMAGES_ROOM;
}

static bool choose_turned_box(box *b) {
  const int64_t image = TURNED_IMAGE_BYTES * b->units_per_byte;
  for (int64_t run = CLRS_TURNED_COLUMNS; run >= 64; run /= 2) {
    choose_turned(b, image, run);
    if (turned_has_room(b)) {
      b->kind = CLRS_BOX_TURNED;
      return is_worth_turning(b);
    }
  }
  return false;
}

/* A part of a long run that both sides have. */
static bool choose_copied_box(box *b) {
  const uint32_t last = b->nest->axis_count - 1;
  const clrs__nest_axis *axis = &b->nest->axes[last];
  if (axis->source_stride != 1 || axis->extent < SHORTEST_COPIED_BYTES * b->units_per_byte) {
    return false;
  }
  for (uint32_t i = 0; i < last; i++) {
    b->extents[i] = 1;
  }
  b->extents[last] = COPIED_BYTES * b->units_per_byte;
  b->extents[last] = axis->extent < b->extents[last] ? axis->extent : b->extents[last];
  even_extents(b);
  b->kind = CLRS_BOX_COPIED;
  return true;
}

/* The longest runs on both sides that a box has room for. */
static bool choose_box(box *b) {
  if (choose_copied_box(b) || choose_turned_box(b)) {
    return true;
  }
  b->kind = CLRS_BOX_UNPACKED;
  int64_t image = LONGEST_RUN, run = LONGEST_RUN;
  choose_extents(b, image, run);
  while (!has_room(b) && image >= SHORTEST_RUN) {
    *(image >= run ? &image : &run) /= 2;
    choose_extents(b, image, run);
  }
  return has_room(b);
}

/* Does each axis step over all that lies inside it in the destination? */
static bool is_found_by_division(const clrs__nest *nest) {
  int64_t span = 0;
  for (uint32_t i = nest->axis_count; i-- > 0;) {
    const clrs__nest_axis *axis = &nest->axes[i];
    if (axis->destination_stride <= span) {
      return false;
    }
    span = clrs__exact_multiply_add(span, axis->extent - 1, axis->destination_stride);
  }
  return nest->axis_count > 0 && nest->axes[nest->axis_count - 1].destination_stride == 1;
}

/* Puts the axes of which the box is one step before the others. */
static void order_axes(const box *b, clrs__nest *nest, uint32_t *outer) {
  nest->axis_count = 0;
  for (int in_box = 0; in_box < 2; in_box++) {
    *outer = in_box == 0 ? 0 : nest->axis_count;
    for (uint32_t i = 0; i < b->nest->axis_count; i++) {
      if ((b->extents[i] > 1) == in_box) {
        nest->axes[nest->axis_count++] = b->nest->axes[i];
      }
    }
  }
  clrs__nest_sort_outer_axes(nest, *outer);
}

/* Enters the axes of the box into the cut; false if they are too many. */
static bool enter_axes(const box *b, clrs__cut *cut) {
  uint32_t count = 0;
  cut->as.boxes.fast_cut = cut->as.boxes.slow_cut = -1;
  for (uint32_t i = 0; i < b->nest->axis_count; i++) {
    if (b->extents[i] == 1) {
      continue;
    }
    if (count == CLRS_BOX_AXES) {
      return false;
    }
    if (b->extents[i] < b->nest->axes[i].extent) {
      if (cut->as.boxes.fast_cut >= 0 && !b->in_image[i]) {
        cut->as.boxes.slow_cut = (int32_t)count;
      } else {
        cut->as.boxes.slow_cut = cut->as.boxes.fast_cut;
        cut->as.boxes.fast_cut = (int32_t)count;
      }
    }
    cut->as.boxes.first_run_axis += b->in_run[i] ? 0 : 1;
    cut->as.boxes.image_axes |= b->in_image[i] ? UINT32_C(1) << count : 0;
    cut->as.boxes.extents[count++] = (int32_t)b->extents[i];
  }
  cut->as.boxes.axis_count = count;
  return true;
}

/* How many boxes an axis of them is cut into. */
static int64_t parts_of(const clrs__cut *cut, int32_t axis) {
  const clrs__nest_axis *whole = &cut->nest.axes[cut->as.boxes.outer_axis_count + (uint32_t)axis];
  return axis < 0 ? 1 : clrs__divide_up(whole->extent, cut->as.boxes.extents[axis]);
}

static bool fit(const clrs__job *job, bool is_required, clrs__cut *cut) {
  (void)is_required;
  box b = {.nest = &job->nest, .units_per_byte = 8 / (int64_t)job->unit_bits};
  if (!is_found_by_division(&job->nest) || !choose_box(&b) || !enter_axes(&b, cut)) {
    return false;
  }
  order_axes(&b, &cut->nest, &cut->as.boxes.outer_axis_count);
  cut->kind = CLRS__CUT_BOXES;
  cut->as.boxes.image_pitch = (int32_t)image_pitch(&b);
  cut->as.boxes.kind = (int32_t)b.kind;
  cut->work = clrs__exact_multiply(clrs__nest_repeats(&cut->nest, cut->as.boxes.outer_axis_count),
                                   parts_of(cut, cut->as.boxes.fast_cut) *
                                       parts_of(cut, cut->as.boxes.slow_cut));
  const int64_t boxes = clrs__divide_up(ITEM_BYTES * b.units_per_byte, b.units);
  cut->share = clrs__clamp(cut->work / FEWEST_ITEMS, 1, boxes);
  cut->merit = CLRS__CPU_SUBBYTE_MERIT;
  return clrs__cut_axis_count(cut) <= clrs__job_nest_room(job);
}

/* Adds the axis that numbers the parts of one of the box. */
static void add_parts(const clrs__cut *cut, int32_t axis, clrs__nest *axes) {
  if (axis >= 0) {
    clrs__nest_axis parts = cut->nest.axes[cut->as.boxes.outer_axis_count + (uint32_t)axis];
    const int64_t part = cut->as.boxes.extents[axis];
    parts.extent = parts_of(cut, axis);
    parts.source_stride = clrs__exact_multiply(parts.source_stride, part);
    parts.destination_stride = clrs__exact_multiply(parts.destination_stride, part);
    axes->axes[axes->axis_count++] = parts;
  }
}

/* The axes of a box, with their steps in the stages: within an image or a run those of the nest;
 * from one to the next those that are left. */
static void add_staged(const clrs__cut *cut, clrs__nest *axes) {
  const uint32_t outer = cut->as.boxes.outer_axis_count, count = cut->as.boxes.axis_count;
  int64_t image_step = cut->as.boxes.image_pitch, run_step = 1;
  for (uint32_t i = count; i-- > 0;) {
    const int64_t extent = cut->as.boxes.extents[i];
    const bool in_image = (cut->as.boxes.image_axes >> i & 1) != 0;
    axes->axes[axes->axis_count + i] = (clrs__nest_axis){
        extent, in_image ? cut->nest.axes[outer + i].source_stride : image_step, run_step};
    image_step = in_image ? image_step : clrs__exact_multiply(image_step, extent);
    run_step = clrs__exact_multiply(run_step, extent);
  }
  axes->axis_count += count;
}

static void encode(const clrs__cut *cut, clrs__words *words) {
  const uint32_t outer = cut->as.boxes.outer_axis_count, count = cut->as.boxes.axis_count;
  clrs__nest axes, found;
  clrs__nest_copy(&axes, &cut->nest);
  axes.axis_count = outer;
  add_parts(cut, cut->as.boxes.slow_cut, &axes);
  add_parts(cut, cut->as.boxes.fast_cut, &axes);
  const uint32_t first = axes.axis_count;
  for (uint32_t i = 0; i < count; i++) {
    axes.axes[axes.axis_count++] = cut->nest.axes[outer + i];
  }
  add_staged(cut, &axes);
  clrs__nest_copy(&found, &cut->nest);
  clrs__nest_normalize(&found); /* as it came: by steps in the destination */
  for (uint32_t i = 0; i < found.axis_count; i++) {
    axes.axes[axes.axis_count++] = found.axes[i];
  }
  clrs__encode_axes(cut, &axes, words);
  for (uint32_t i = first + 2 * count; i < axes.axis_count; i++) {
    words->axes[i].divisor = words->axes[i].destination_stride;
  }
  words->outer_axis_count = first;
  words->inner_units = count;
  words->first_run_axis = cut->as.boxes.first_run_axis;
  words->image_axes = cut->as.boxes.image_axes;
  words->fast_cut = cut->as.boxes.fast_cut;
  words->slow_cut = cut->as.boxes.slow_cut;
  words->box_kind = cut->as.boxes.kind;
}

const clrs__class clrs__cpu_subbyte = {
    .name = "cpu_subbyte",
    .needs =
        "elements of less than a byte, a destination with an axis without gaps whose axes each "
        "step over those inside, and few axes",
    .execution = CLRS_EXECUTION_CPU,
    .unit_widths = 1 | 2 | 4,
    .from = CLRS__FROM_SOURCE,
    .transposes = true,
    .has_boxes = true,
    .best = CLRS__CPU_SUBBYTE_MERIT,
    .fit = fit,
    .encode = encode};
