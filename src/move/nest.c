/* SPDX-License-Identifier: Apache-2.0 */
#include "nest.h"

#include "checked.h"

int64_t clrs__nest_count(const clrs__nest *nest) {
  return clrs__nest_repeats(nest, nest->axis_count);
}

int64_t clrs__nest_repeats(const clrs__nest *nest, uint32_t axis_count) {
  int64_t count = 1;
  for (uint32_t i = 0; i < axis_count; i++) {
    count = clrs__exact_multiply(count, nest->axes[i].extent); /* as both walks count the same */
  }
  return count;
}

/* ---- refine ---- */

/* The part of `axis` that runs over its fastest `extent` elements; *axis keeps the rest. */
static bool split_off(clrs_axis *axis, int64_t extent, int64_t *stride) {
  *stride = axis->stride;
  axis->extent /= extent;
  return axis->extent == 1 || clrs__multiply(axis->stride, extent, &axis->stride);
}

static void prepend(clrs__nest *nest, clrs__nest_axis axis) {
  for (uint32_t i = nest->axis_count++; i > 0; i--) {
    nest->axes[i] = nest->axes[i - 1];
  }
  nest->axes[0] = axis;
}

static void next_axis(const clrs__walk *walk, uint32_t *remaining, clrs_axis *axis) {
  if (axis->extent == 1 && *remaining > 0) {
    *axis = walk->axes[--*remaining];
  }
}

bool clrs__nest_refine(const clrs__walk *source, const clrs__walk *destination, clrs__nest *nest,
                       clrs__conflict *conflict) {
  uint32_t sources = source->axis_count, destinations = destination->axis_count;
  clrs_axis from = {1, 0}, to = {1, 0};
  nest->source_offset = source->offset;
  nest->destination_offset = destination->offset;
  nest->axis_count = 0;
  for (;;) {
    next_axis(source, &sources, &from);
    next_axis(destination, &destinations, &to);
    const int64_t extent = from.extent < to.extent ? from.extent : to.extent;
    if (extent == 1) {
      break;
    }
    clrs__nest_axis axis = {.extent = extent};
    *conflict = (clrs__conflict){from.extent, to.extent};
    if (from.extent % extent != 0 || to.extent % extent != 0 ||
        !split_off(&from, extent, &axis.source_stride) ||
        !split_off(&to, extent, &axis.destination_stride)) {
      return false;
    }
    prepend(nest, axis);
  }
  clrs__nest_normalize(nest);
  return true;
}

/* ---- normalize ---- */

static bool is_before(const clrs__nest_axis *a, const clrs__nest_axis *b) {
  if (a->destination_stride != b->destination_stride) {
    return a->destination_stride > b->destination_stride;
  }
  return a->source_stride > b->source_stride;
}

/* Makes the destination stride positive by running the axis the other way on both sides. Where a
 * position does not fit in 64 bits the axis stays: correct, only not canonical. */
static void turn(clrs__nest *nest, clrs__nest_axis *axis) {
  clrs_axis from = {axis->extent, axis->source_stride};
  clrs_axis to = {axis->extent, axis->destination_stride};
  int64_t source_offset = nest->source_offset, destination_offset = nest->destination_offset;
  if (to.stride < 0 && clrs__axis_reverse(&from, &source_offset) &&
      clrs__axis_reverse(&to, &destination_offset)) {
    *axis = (clrs__nest_axis){axis->extent, from.stride, to.stride};
    nest->source_offset = source_offset;
    nest->destination_offset = destination_offset;
  }
}

static void insert_sorted(clrs__nest *nest, clrs__nest_axis axis) {
  uint32_t at = nest->axis_count++;
  for (; at > 0 && is_before(&axis, &nest->axes[at - 1]); at--) {
    nest->axes[at] = nest->axes[at - 1];
  }
  nest->axes[at] = axis;
}

static bool merge(clrs__nest_axis *outer, clrs__nest_axis inner) {
  int64_t source_reach, destination_reach, extent;
  if (!clrs__multiply(inner.extent, inner.source_stride, &source_reach) ||
      !clrs__multiply(inner.extent, inner.destination_stride, &destination_reach) ||
      source_reach != outer->source_stride || destination_reach != outer->destination_stride ||
      !clrs__multiply(outer->extent, inner.extent, &extent)) {
    return false;
  }
  *outer = (clrs__nest_axis){extent, inner.source_stride, inner.destination_stride};
  return true;
}

void clrs__nest_normalize(clrs__nest *nest) {
  const uint32_t before = nest->axis_count;
  nest->axis_count = 0;
  for (uint32_t i = 0; i < before; i++) {
    clrs__nest_axis axis = nest->axes[i];
    if (axis.extent > 1) {
      turn(nest, &axis);
      insert_sorted(nest, axis);
    }
  }
  const uint32_t sorted = nest->axis_count;
  nest->axis_count = 0;
  for (uint32_t i = 0; i < sorted; i++) {
    const clrs__nest_axis axis = nest->axes[i];
    if (nest->axis_count == 0 || !merge(&nest->axes[nest->axis_count - 1], axis)) {
      nest->axes[nest->axis_count++] = axis;
    }
  }
}

uint64_t clrs__nearer_step(const clrs__nest_axis *axis) {
  const uint64_t source = clrs__magnitude(axis->source_stride);
  const uint64_t destination = clrs__magnitude(axis->destination_stride);
  return source / 2 < destination ? source : destination + destination + 1;
}

void clrs__nest_sort_outer_axes(clrs__nest *nest, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const clrs__nest_axis axis = nest->axes[i];
    uint32_t at = i;
    for (; at > 0 && clrs__nearer_step(&nest->axes[at - 1]) < clrs__nearer_step(&axis); at--) {
      nest->axes[at] = nest->axes[at - 1];
    }
    nest->axes[at] = axis;
  }
}
