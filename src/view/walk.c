/* SPDX-License-Identifier: Apache-2.0 */
#include "walk.h"

#include "checked.h"

void clrs__walk_start(clrs__walk *walk, int64_t offset) {
  walk->offset = offset;
  walk->axis_count = 0;
}

void clrs__walk_append(clrs__walk *walk, clrs_axis axis) {
  walk->axes[walk->axis_count++] = axis;
}

/* Merges `inner` into `outer` if stepping through both axes is stepping through one. */
static bool merge(clrs_axis *outer, clrs_axis inner) {
  int64_t reach;
  if (!clrs__multiply(inner.extent, inner.stride, &reach) || reach != outer->stride ||
      !clrs__multiply(outer->extent, inner.extent, &outer->extent)) {
    return false;
  }
  outer->stride = inner.stride;
  return true;
}

void clrs__walk_normalize(clrs__walk *walk) {
  const uint32_t before = walk->axis_count;
  walk->axis_count = 0;
  for (uint32_t i = 0; i < before; i++) {
    const clrs_axis axis = walk->axes[i];
    if (axis.extent == 1) {
      continue;
    }
    if (walk->axis_count == 0 || !merge(&walk->axes[walk->axis_count - 1], axis)) {
      clrs__walk_append(walk, axis);
    }
  }
}

bool clrs__axis_reverse(clrs_axis *axis, int64_t *offset) {
  return clrs__multiply_add(*offset, axis->extent - 1, axis->stride, offset) &&
         clrs__negate(axis->stride, &axis->stride);
}

/* ---- regroup ---- */

/* The rest of a walk whose axes are taken from the fastest end. */
typedef struct axis_supply {
  const clrs__walk *walk;
  uint32_t next; /* axes [0, next) are untouched */
  clrs_axis current;
} axis_supply;

static void refill(axis_supply *supply) {
  if (supply->current.extent == 1 && supply->next > 0) {
    supply->current = supply->walk->axes[--supply->next];
  }
}

/* Takes as much of the current axis as divides `needed`. Returns extent 0 if nothing divides. */
static clrs_axis take(axis_supply *supply, int64_t needed) {
  clrs_axis taken = supply->current;
  if (needed % taken.extent == 0) {
    supply->current.extent = 1;
  } else if (taken.extent % needed == 0 &&
             clrs__multiply(taken.stride, needed, &supply->current.stride)) {
    supply->current.extent /= needed;
    taken.extent = needed;
  } else {
    taken.extent = 0;
  }
  return taken;
}

bool clrs__walk_deal(const clrs__walk *walk, const clrs_shape *shape, clrs__dim_axes *dealt) {
  axis_supply supply = {.walk = walk, .next = walk->axis_count, .current = {1, 0}};
  uint32_t first = CLRS_MAX_AXES; /* the dims fill the array from its end */
  for (uint32_t dim = shape->rank; dim > 0;) {
    dim--;
    const uint32_t end = first;
    for (int64_t needed = shape->dims[dim]; needed > 1;) {
      refill(&supply);
      const clrs_axis taken = take(&supply, needed);
      if (taken.extent < 2) {
        return false;
      }
      dealt->axes[--first] = taken;
      needed /= taken.extent;
    }
    dealt->dims[dim] = (clrs__axis_span){first, end - first};
  }
  dealt->offset = walk->offset;
  dealt->dim_count = shape->rank;
  return true;
}

void clrs__walk_append_dim(clrs__walk *walk, const clrs__dim_axes *dealt, uint32_t dim) {
  for (uint32_t i = 0; i < dealt->dims[dim].count; i++) {
    clrs__walk_append(walk, dealt->axes[dealt->dims[dim].first + i]);
  }
}

void clrs__walk_from_dealt(clrs__walk *walk, const clrs__dim_axes *dealt) {
  clrs__walk_start(walk, dealt->offset);
  for (uint32_t dim = 0; dim < dealt->dim_count; dim++) {
    clrs__walk_append_dim(walk, dealt, dim);
  }
}
