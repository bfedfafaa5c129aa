/*
 * Units of less than a byte on a CPU: boxes of axes with runs on both sides. The class cpu_subbyte.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "classes.h"

#include "box.h"
#include "checked.h"
#include "tuning.h"

/* Returns true if each axis steps over all units inside it in the destination. */
static bool is_found_by_division(const clrs__nest *nest) {
  int64_t span = 0;
  for (uint32_t i = nest->axis_count; i > 0; i--) {
    const clrs__nest_axis *axis = &nest->axes[i - 1];
    if (axis->destination_stride <= span) {
      return false;
    }
    span = clrs__exact_multiply_add(span, axis->extent - 1, axis->destination_stride);
  }
  return nest->axis_count > 0 && nest->axes[nest->axis_count - 1].destination_stride == 1;
}

/* Puts the axes along which the box has one step before the other axes. */
static void order_axes(const clrs__box *b, clrs__nest *nest, uint32_t *outer) {
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

/* Enters the axes of the box into the cut. Returns false if there are too many. */
static bool enter_axes(const clrs__box *b, clrs__cut *cut) {
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

/* The number of boxes along an axis of the box. */
static int64_t parts_of(const clrs__cut *cut, int32_t axis) {
  if (axis < 0) {
    return 1;
  }
  const clrs__nest_axis *whole = &cut->nest.axes[cut->as.boxes.outer_axis_count + (uint32_t)axis];
  return clrs__divide_up(whole->extent, cut->as.boxes.extents[axis]);
}

static bool fit(const clrs__job *job, bool is_required, clrs__cut *cut) {
  (void)is_required;
  clrs__box b = {.nest = &job->nest, .units_per_byte = 8 / (int64_t)job->unit_bits};
  if (!is_found_by_division(&job->nest) || !clrs__box_choose(&b) || !enter_axes(&b, cut)) {
    return false;
  }
  order_axes(&b, &cut->nest, &cut->as.boxes.outer_axis_count);
  cut->kind = CLRS__CUT_BOXES;
  cut->as.boxes.image_pitch = (int32_t)clrs__box_image_pitch(&b);
  cut->as.boxes.is_copied = b.is_copied;
  cut->work = clrs__exact_multiply(clrs__nest_repeats(&cut->nest, cut->as.boxes.outer_axis_count),
                                   clrs__exact_multiply(parts_of(cut, cut->as.boxes.fast_cut),
                                                        parts_of(cut, cut->as.boxes.slow_cut)));
  const int64_t boxes = clrs__divide_up((int64_t)CLRS__BOX_ITEM_BYTES * b.units_per_byte, b.units);
  cut->share = clrs__clamp(cut->work / CLRS__BOX_FEWEST_ITEMS, 1, boxes);
  cut->merit = CLRS__CPU_SUBBYTE_MERIT;
  return clrs__cut_axis_count(cut) <= clrs__job_nest_room(job);
}

/* Adds the axis that numbers the parts of an axis of the box. Example: 100 steps of stride 3 in
 * parts of 40 are an axis of 3 steps of stride 120. */
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

/* Adds the axes of a box with their steps in the stages. Steps within an image or a run are the
 * steps of the nest. The remaining steps lead from one image or run to the next. */
static void add_staged(const clrs__cut *cut, clrs__nest *axes) {
  const uint32_t outer = cut->as.boxes.outer_axis_count, count = cut->as.boxes.axis_count;
  int64_t image_step = cut->as.boxes.image_pitch, run_step = 1;
  for (uint32_t left = count; left > 0; left--) {
    const uint32_t i = left - 1;
    const int64_t extent = cut->as.boxes.extents[i];
    const bool in_image = (cut->as.boxes.image_axes >> i & 1) != 0;
    axes->axes[axes->axis_count + i] = CLRS__NEST_AXIS(
        extent, in_image ? cut->nest.axes[outer + i].source_stride : image_step, run_step);
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
  clrs__nest_normalize(&found); /* back to the order by steps in the destination */
  for (uint32_t i = 0; i < found.axis_count; i++) {
    axes.axes[axes.axis_count++] = found.axes[i];
  }
  clrs__encode_axes(cut, &axes, words);
  for (uint32_t i = first + 2 * count; i < axes.axis_count; i++) {
    words->axes[i].divisor = words->axes[i].destination_stride;
  }
  words->outer_axis_count = first;
  words->box_axis_count = count;
  words->first_run_axis = cut->as.boxes.first_run_axis;
  words->image_axes = cut->as.boxes.image_axes;
  words->fast_cut = cut->as.boxes.fast_cut;
  words->slow_cut = cut->as.boxes.slow_cut;
  words->is_copied = cut->as.boxes.is_copied;
}

const clrs__class clrs__cpu_subbyte = {
    .name = "cpu_subbyte",
    .needs =
        "elements of less than a byte, a destination with an axis without gaps whose axes each "
        "step over those inside, and few axes",
    .execution = CLRS_EXECUTION_CPU,
    .unit_widths = 1 | 2 | 4,
    .from = CLRS__FROM_SOURCE,
    .files = {"unpacked", "boxes", "packed_lines", "packed_runs"},
    .chunk_files = {"transpose"},
    .own = CLRS__OWN_BOX,
    .best = CLRS__CPU_SUBBYTE_MERIT,
    .fit = fit,
    .encode = encode};
