/* SPDX-License-Identifier: Apache-2.0 */
#include "walk.h"

#include "checked.h"

int64_t clrs__walk_count(const clrs_walk *walk) {
  int64_t count = 1;
  for (uint32_t i = 0; i < walk->axis_count; i++) {
    bool fits = clrs__multiply(count, walk->axes[i].extent, &count);
    count = fits ? count : 0; /* never, by the invariants */
  }
  return count;
}

void clrs__walk_append(clrs_walk *walk, clrs_axis axis) {
  walk->axes[walk->axis_count++] = axis;
}

/* Extends `outer` by `inner` if stepping through both is stepping through one. */
static bool merge(clrs_axis *outer, clrs_axis inner) {
  int64_t reach;
  if (!clrs__multiply(inner.extent, inner.stride, &reach) || reach != outer->stride ||
      !clrs__multiply(outer->extent, inner.extent, &outer->extent)) {
    return false;
  }
  outer->stride = inner.stride;
  return true;
}

void clrs__walk_normalise(clrs_walk *walk) {
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

/* What is left of a walk whose axes are taken from the fastest end. */
typedef struct axis_supply {
  const clrs_walk *walk;
  uint32_t next; /* axes [0, next) are untouched */
  clrs_axis current;
} axis_supply;

static void refill(axis_supply *supply) {
  if (supply->current.extent == 1 && supply->next > 0) {
    supply->current = supply->walk->axes[--supply->next];
  }
}

/* Takes as much of the current axis as divides `needed`; extent 0 if nothing does. */
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

bool clrs__walk_regroup(const clrs_walk *walk, const clrs_shape *shape, clrs__groups *groups) {
  axis_supply supply = {.walk = walk, .next = walk->axis_count, .current = {1, 0}};
  uint32_t first = CLRS_MAX_AXES; /* groups fill the array from its end */
  for (uint32_t dim = shape->rank; dim-- > 0;) {
    const uint32_t end = first;
    for (int64_t needed = shape->dims[dim]; needed > 1;) {
      refill(&supply);
      const clrs_axis taken = take(&supply, needed);
      if (taken.extent < 2) {
        return false;
      }
      groups->axes[--first] = taken;
      needed /= taken.extent;
    }
    groups->dims[dim] = (clrs__group){first, end - first};
  }
  groups->offset = walk->offset;
  groups->dim_count = shape->rank;
  return true;
}

/* ---- compose ---- */

/* The mixed radix that a walk's extents make of its positions: digit k counts steps of axis k. */
typedef struct radix {
  const clrs_walk *walk;
  int64_t highest_digits[CLRS_MAX_AXES]; /* that the upper walk can reach */
} radix;

static void digits_of(const radix *radix, int64_t position, int64_t *digits) {
  for (uint32_t k = radix->walk->axis_count; k-- > 0;) {
    const int64_t extent = radix->walk->axes[k].extent;
    digits[k] = position % extent;
    position /= extent;
  }
}

/* The lowest digit that overflows while `axis` runs from `start`, or -1. */
static int overflowing_digit(const radix *radix, const int64_t *start, const int64_t *step,
                             int64_t extent) {
  for (uint32_t k = radix->walk->axis_count; k-- > 0;) {
    int64_t reached;
    if (!clrs__multiply_add(start[k], extent - 1, step[k], &reached) ||
        reached >= radix->walk->axes[k].extent) {
      return (int)k;
    }
  }
  return -1;
}

static bool axis_stride(const radix *radix, const int64_t *digits, int64_t *stride) {
  *stride = 0;
  for (uint32_t k = 0; k < radix->walk->axis_count; k++) {
    if (!clrs__multiply_add(*stride, digits[k], radix->walk->axes[k].stride, stride)) {
      return false;
    }
  }
  return true;
}

static bool lower_axis(radix *radix, const int64_t *start, clrs_axis upper, clrs_walk *walk);

/* Where the run of an axis fills digit k exactly it becomes two axes: the inner fills the digit,
 * the outer steps the next. False if the digit overflows anywhere else. */
static bool lower_split(radix *radix, const int64_t *start, clrs_axis upper, int64_t digit_extent,
                        int64_t digit_step, clrs_walk *walk) {
  if (digit_step == 0 || digit_extent % digit_step != 0) {
    return false;
  }
  const clrs_axis inner = {digit_extent / digit_step, upper.stride};
  if (upper.extent % inner.extent != 0 || upper.extent == inner.extent) {
    return false;
  }
  clrs_axis outer = {upper.extent / inner.extent, 0};
  return clrs__multiply(inner.extent, inner.stride, &outer.stride) &&
         lower_axis(radix, start, outer, walk) && lower_axis(radix, start, inner, walk);
}

/* Reserves what an axis adds to each digit; false if all axes together overflow one. */
static bool claim_digits(radix *radix, const int64_t *step, int64_t extent) {
  for (uint32_t k = 0; k < radix->walk->axis_count; k++) {
    int64_t *highest = &radix->highest_digits[k];
    if (!clrs__multiply_add(*highest, extent - 1, step[k], highest) ||
        *highest >= radix->walk->axes[k].extent) {
      return false;
    }
  }
  return true;
}

/* Appends the axes of the lower walk's storage that one upper axis steps through, outermost first.
 * Its stride is not negative. */
static bool lower_axis(radix *radix, const int64_t *start, clrs_axis upper, clrs_walk *walk) {
  int64_t step[CLRS_MAX_AXES];
  digits_of(radix, upper.stride, step);
  const int k = overflowing_digit(radix, start, step, upper.extent);
  if (k >= 0) {
    return lower_split(radix, start, upper, radix->walk->axes[k].extent, step[k], walk);
  }
  clrs_axis lowered = {upper.extent, 0};
  if (walk->axis_count == CLRS_MAX_AXES || !claim_digits(radix, step, upper.extent) ||
      !axis_stride(radix, step, &lowered.stride)) {
    return false;
  }
  clrs__walk_append(walk, lowered);
  return true;
}

/* lower_axis for a stride of either sign: a negative one is lowered reversed, from the position
 * that it ends at, and the axes that come of it are reversed back. */
static bool lower_signed_axis(radix *radix, const int64_t *start, clrs_axis upper,
                              clrs_walk *walk) {
  const uint32_t first = walk->axis_count;
  const bool negative = upper.stride < 0;
  if (negative && !clrs__negate(upper.stride, &upper.stride)) {
    return false;
  }
  if (!lower_axis(radix, start, upper, walk)) {
    return false;
  }
  for (uint32_t i = first; negative && i < walk->axis_count; i++) {
    if (!clrs__axis_reverse(&walk->axes[i], &walk->offset)) {
      return false;
    }
  }
  return true;
}

/* The lowest position that a walk reaches. */
static bool lowest_position(const clrs_walk *walk, int64_t *lowest) {
  *lowest = walk->offset;
  for (uint32_t i = 0; i < walk->axis_count; i++) {
    const clrs_axis axis = walk->axes[i];
    if (axis.stride < 0 && !clrs__multiply_add(*lowest, axis.extent - 1, axis.stride, lowest)) {
      return false;
    }
  }
  return true;
}

bool clrs__walk_compose(const clrs_walk *lower, const clrs_walk *upper, clrs_walk *walk) {
  radix radix = {.walk = lower};
  int64_t start[CLRS_MAX_AXES];
  int64_t lowest, offset;
  if (!lowest_position(upper, &lowest)) {
    return false;
  }
  digits_of(&radix, lowest, start);
  if (!axis_stride(&radix, start, &offset) || !clrs__add(offset, lower->offset, &walk->offset)) {
    return false;
  }
  for (uint32_t k = 0; k < lower->axis_count; k++) {
    radix.highest_digits[k] = start[k];
  }
  walk->axis_count = 0;
  for (uint32_t i = 0; i < upper->axis_count; i++) {
    if (!lower_signed_axis(&radix, start, upper->axes[i], walk)) {
      return false;
    }
  }
  clrs__walk_normalise(walk);
  return true;
}
