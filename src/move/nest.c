/* SPDX-License-Identifier: Apache-2.0 */
#include "nest.h"

#include "checked.h"

int64_t clrs__nest_count(const clrs__nest *nest) {
  return clrs__nest_repeats(nest, nest->axis_count);
}

int64_t clrs__nest_repeats(const clrs__nest *nest, uint32_t axis_count) {
  int64_t count = 1;
  for (uint32_t i = 0; i < axis_count; i++) {
    count = clrs__exact_multiply(count, nest->axes[i].extent); /* both walks count the same */
  }
  return count;
}

void clrs__add_span(uint64_t *span, int64_t extent, int64_t stride) {
  uint64_t reach;
  if (__builtin_mul_overflow((uint64_t)extent - 1, clrs__magnitude(stride), &reach) ||
      __builtin_add_overflow(*span, reach, span)) {
    *span = UINT64_MAX;
  }
}

uint64_t clrs__axes_span(const clrs__nest_axis *axes, uint32_t count, uint32_t operand) {
  uint64_t span = 0;
  for (uint32_t i = 0; i < count; i++) {
    clrs__add_span(&span, axes[i].extent, axes[i].strides[operand]);
  }
  return span;
}

/* ---- refine ---- */

/* A walk that is taken from the last axis on: the rest of an axis, and the number of axes in
 * front. */
typedef struct front {
  const clrs__walk *walk;
  uint32_t remaining;
  clrs_axis axis;
} front;

/* Advances each front with a used up axis to the next axis. Returns the shortest extent. */
static int64_t advance(front *fronts, uint32_t count) {
  int64_t shortest = INT64_MAX;
  for (uint32_t i = 0; i < count; i++) {
    front *at = &fronts[i];
    if (at->axis.extent == 1 && at->remaining > 0) {
      at->axis = at->walk->axes[--at->remaining];
    }
    shortest = at->axis.extent < shortest ? at->axis.extent : shortest;
  }
  return shortest;
}

/* Takes the fastest `extent` steps of every front. */
static bool take(front *fronts, uint32_t count, int64_t extent, clrs__nest_axis *taken,
                 clrs__conflict *conflict) {
  taken->extent = extent;
  for (uint32_t i = 0; i < count; i++) {
    clrs_axis *axis = &fronts[i].axis;
    taken->strides[i] = axis->stride;
    if (axis->extent == extent) {
      axis->extent = 1;
      continue;
    }
    *conflict = i == CLRS__TO ? (clrs__conflict){extent, axis->extent}
                              : (clrs__conflict){axis->extent, extent};
    if (axis->extent % extent != 0 || !clrs__multiply(axis->stride, extent, &axis->stride)) {
      return false;
    }
    axis->extent /= extent;
  }
  return true;
}

static void prepend(clrs__nest *nest, const clrs__nest_axis *axis) {
  for (uint32_t i = nest->axis_count++; i > 0; i--) {
    nest->axes[i] = nest->axes[i - 1];
  }
  nest->axes[0] = *axis;
}

bool clrs__nest_refine(const clrs__walk *walks, uint32_t count, clrs__nest *nest,
                       clrs__conflict *conflict) {
  front fronts[CLRS__MOST_OPERANDS];
  nest->operand_count = count;
  nest->axis_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    fronts[i] = (front){&walks[i], walks[i].axis_count, {1, 0}};
    nest->offsets[i] = walks[i].offset;
  }
  for (;;) {
    clrs__nest_axis axis;
    const int64_t extent = advance(fronts, count);
    if (extent == 1) {
      break;
    }
    if (!take(fronts, count, extent, &axis, conflict)) {
      return false;
    }
    prepend(nest, &axis);
  }
  clrs__nest_normalize(nest);
  return true;
}

/* ---- normalize ---- */

static bool is_before(const clrs__nest_axis *a, const clrs__nest_axis *b, uint32_t operands) {
  uint32_t i = 0;
  while (i + 1 < operands && a->strides[i] == b->strides[i]) {
    i++;
  }
  return a->strides[i] > b->strides[i];
}

/* Moves axis `at` to the right place among the sorted axes in front. */
static void sort_in(clrs__nest *nest, uint32_t at) {
  const clrs__nest_axis axis = nest->axes[at];
  for (; at > 0 && is_before(&axis, &nest->axes[at - 1], nest->operand_count); at--) {
    nest->axes[at] = nest->axes[at - 1];
  }
  nest->axes[at] = axis;
}

static bool merge(clrs__nest_axis *outer, const clrs__nest_axis *inner, uint32_t operands) {
  int64_t extent, reach;
  for (uint32_t i = 0; i < operands; i++) {
    if (!clrs__multiply(inner->extent, inner->strides[i], &reach) || reach != outer->strides[i]) {
      return false;
    }
  }
  if (!clrs__multiply(outer->extent, inner->extent, &extent)) {
    return false;
  }
  *outer = *inner;
  outer->extent = extent;
  return true;
}

static void merge_all(clrs__nest *nest) {
  const uint32_t sorted = nest->axis_count;
  nest->axis_count = 0;
  for (uint32_t i = 0; i < sorted; i++) {
    const uint32_t last = nest->axis_count;
    if (last == 0 || !merge(&nest->axes[last - 1], &nest->axes[i], nest->operand_count)) {
      nest->axes[nest->axis_count++] = nest->axes[i];
    }
  }
}

/* An axis with a position that does not fit in 64 bits is not reversed. The nest is then correct,
 * but not canonical. */
void clrs__nest_normalize(clrs__nest *nest) {
  const uint32_t before = nest->axis_count;
  nest->axis_count = 0;
  for (uint32_t i = 0; i < before; i++) {
    if (nest->axes[i].extent > 1) {
      const uint32_t at = nest->axis_count++;
      nest->axes[at] = nest->axes[i];
      if (nest->axes[at].destination_stride < 0) {
        (void)clrs__nest_turn_axis(nest, at);
      }
      sort_in(nest, at);
    }
  }
  merge_all(nest);
}

void clrs__move_axis(clrs__nest *nest, uint32_t from, uint32_t to) {
  const clrs__nest_axis axis = nest->axes[from];
  for (; from < to; from++) {
    nest->axes[from] = nest->axes[from + 1];
  }
  for (; from > to; from--) {
    nest->axes[from] = nest->axes[from - 1];
  }
  nest->axes[to] = axis;
}

void clrs__insert_axis(clrs__nest *nest, uint32_t at) {
  nest->axes[nest->axis_count++] = CLRS__NEST_AXIS(1, 0, 0);
  clrs__move_axis(nest, nest->axis_count - 1, at);
}

static void swap(int64_t *a, int64_t *b) {
  const int64_t kept = *a;
  *a = *b;
  *b = kept;
}

void clrs__nest_swap_sides(clrs__nest *nest) {
  swap(&nest->destination_offset, &nest->source_offset);
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    swap(&nest->axes[i].destination_stride, &nest->axes[i].source_stride);
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
