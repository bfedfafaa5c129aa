/* SPDX-License-Identifier: Apache-2.0 */
#include "parts.h"

#include <assert.h>
#include <string.h>

#include "checked.h"

clrs__part clrs__part_whole(const clrs_view *view) {
  return (clrs__part){0, clrs__shape_count(&view->shape) - 1};
}

clrs_bounds clrs__walk_bounds(const clrs__walk *walk) {
  clrs_bounds bounds = {false, walk->offset, walk->offset};
  bool fits = true;
  for (uint32_t i = 0; fits && i < walk->axis_count; i++) {
    const clrs_axis axis = walk->axes[i];
    int64_t *end = axis.stride < 0 ? &bounds.lowest : &bounds.highest;
    fits = clrs__multiply_add(*end, axis.extent - 1, axis.stride, end); /* was checked */
  }
  return bounds;
}

/* The outermost axis along which a part extends, or axis_count if the part is one element. One step
 * along the axis is *step elements. */
static uint32_t outermost_axis(const clrs_axis *axes, uint32_t axis_count, const clrs__part *part,
                               int64_t *step) {
  int64_t inner = 1;
  uint32_t axis = axis_count;
  *step = 1;
  while (axis > 0 && part->first / inner != part->last / inner) {
    axis--;
    *step = inner;
    (void)clrs__multiply(inner, axes[axis].extent, &inner); /* the count of elements fits */
  }
  return axis;
}

/* Cuts a walk down to a box around the elements [first, last]. Axes outside of the outermost axis
 * that differs stay at one index. Axes inside are kept whole. Example: the elements 6 to 13 of
 * [4,5] lie in the rows 1 and 2, which are the elements 5 to 14. Returns the first element of the
 * box. */
static int64_t cut_walk(clrs__walk *walk, const clrs__part *part) {
  int64_t step;
  const uint32_t outer = outermost_axis(walk->axes, walk->axis_count, part, &step);
  int64_t index = part->first / step;
  for (uint32_t axis = outer < walk->axis_count ? outer + 1 : outer; axis > 0;) {
    axis--;
    (void)clrs__multiply_add(walk->offset, index % walk->axes[axis].extent, walk->axes[axis].stride,
                             &walk->offset); /* a position of the walk */
    index /= walk->axes[axis].extent;
  }
  if (outer < walk->axis_count) {
    walk->axes[outer].extent = part->last / step - part->first / step + 1;
  }
  walk->axis_count -= outer;
  memmove(walk->axes, walk->axes + outer, walk->axis_count * sizeof walk->axes[0]);
  return part->first - part->first % step;
}

bool clrs__part_walk(const clrs_view *view, const clrs__part *part, clrs__walk *walk) {
  bool is_exact = true;
  uint32_t level = view->depth - 1;
  clrs__view_level(view, level, walk);
  (void)cut_walk(walk, part);
  while (level > 0) {
    clrs__walk lower, both;
    const clrs_bounds bounds = clrs__walk_bounds(walk);
    const clrs__part below = {bounds.lowest, bounds.highest};
    clrs__view_level(view, --level, &lower);
    walk->offset -= cut_walk(&lower, &below); /* neither is negative */
    is_exact = is_exact && clrs__walk_compose(&lower, walk, &both);
    *walk = is_exact ? both : lower;
  }
  return is_exact;
}

static uint32_t first_axis_of_top(const clrs_view *view) {
  uint32_t first = 0;
  for (uint32_t level = 0; level + 1 < view->depth; level++) {
    first += view->levels[level].axis_count;
  }
  return first;
}

clrs__part clrs__part_split(const clrs_view *view, clrs__part *part) {
  int64_t step;
  (void)outermost_axis(view->axes + first_axis_of_top(view),
                       view->levels[view->depth - 1].axis_count, part, &step);
  const int64_t front = part->first / step, back = part->last / step;
  int64_t middle = part->last;
  (void)clrs__multiply(front + (back - front) / 2 + 1, step, &middle); /* <= last */
  const clrs__part rest = {middle, part->last};
  part->last = middle - 1;
  return rest;
}

/* ---- bounds ---- */

enum {
  MAX_OPEN_PARTS = 128, /* each part is halved at most 126 times */
  MAX_PARTS = 1024      /* parts of 512 elements, if each is a part */
};

void clrs__bounds_widen(clrs_bounds *all, const clrs_bounds *more) {
  if (more->empty) {
    return;
  }
  if (all->empty) {
    *all = *more;
  }
  all->lowest = more->lowest < all->lowest ? more->lowest : all->lowest;
  all->highest = more->highest > all->highest ? more->highest : all->highest;
}

/* The bounds are the union of parts whose walks touch no other elements. Other parts are halved,
 * unless the bounds found so far include the part. Example: 6 elements in two parts. One walk
 * touches 2 to 9, and the other may touch 3 to 12. The second part is halved, and if the halves
 * touch 3 to 5 and 7, the bounds are 2 to 9. */
clrs_bounds clrs__touched_bounds(const clrs_view *view) {
  clrs_bounds found = {.empty = true};
  if (clrs__view_is_empty(view)) {
    return found;
  }
  clrs__part open[MAX_OPEN_PARTS] = {clrs__part_whole(view)};
  for (uint32_t count = 1, parts = 0; count > 0; parts++) {
    clrs__part part = open[--count];
    clrs__walk walk;
    const bool is_exact = clrs__part_walk(view, &part, &walk);
    const clrs_bounds bounds = clrs__walk_bounds(&walk);
    const bool is_known =
        !found.empty && bounds.lowest >= found.lowest && bounds.highest <= found.highest;
    if (is_exact || parts >= MAX_PARTS) {
      clrs__bounds_widen(&found, &bounds);
    } else if (!is_known) {
      assert(count + 2 <= MAX_OPEN_PARTS);
      open[count + 1] = clrs__part_split(view, &part);
      open[count] = part;
      count += 2;
    }
  }
  return found;
}
