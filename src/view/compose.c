/* SPDX-License-Identifier: Apache-2.0 */
#include "compose.h"

#include <string.h>

#include "checked.h"

void clrs__nest_copy(clrs__nest *to, const clrs__nest *from) {
  memcpy(to, from, offsetof(clrs__nest, axes) + from->axis_count * sizeof from->axes[0]);
}

/* ---- digits ---- */

typedef struct digits {
  int64_t of[CLRS_MAX_AXES]; /* by axis of the lower walk */
} digits;

static void find_digits(const clrs__walk *lower, int64_t position, digits *result) {
  for (uint32_t k = lower->axis_count; k > 0;) {
    k--;
    result->of[k] = position % lower->axes[k].extent;
    position /= lower->axes[k].extent;
  }
}

/* The position in the storage: the sum of digits times strides. Returns false on overflow. */
static bool lower_position(const clrs__walk *lower, const digits *position, int64_t *result) {
  *result = 0;
  for (uint32_t k = 0; k < lower->axis_count; k++) {
    if (!clrs__multiply_add(*result, position->of[k], lower->axes[k].stride, result)) {
      return false;
    }
  }
  return true;
}

/* Returns the innermost digit that overflows when an axis takes its steps from `start`, or 0 if no
 * digit does. Digit 0 is the outermost and cannot overflow, because every position is inside the
 * walk. */
static uint32_t carrying_digit(const clrs__walk *lower, const digits *start, const digits *step,
                               int64_t extent) {
  for (uint32_t k = lower->axis_count; k > 1;) {
    k--;
    int64_t reached;
    if (!clrs__multiply_add(start->of[k], extent - 1, step->of[k], &reached) || reached < 0 ||
        reached >= lower->axes[k].extent) {
      return k;
    }
  }
  return 0;
}

/* The digits of one operand at the start, and the change of the digits in a step along an axis. */
typedef struct digit_path {
  uint32_t operand;
  digits start, step;
} digit_path;

/* Sets path->step to a change of digits that is the same at every step along the axis, and returns
 * 0. Otherwise sets path->step to the stride's own digits and returns the digit that carries.
 *
 * Example: a lower walk of extents (4, 6) gives position p the digits (p / 6, p % 6). Stride 7 from
 * 0 goes 0, 7, 14, 21, which is (0,0) (1,1) (2,2) (3,3). Each step adds the stride's own digits
 * (1,1). Stride 5 from 5 goes 5, 10, 15, 20, which is (0,5) (1,4) (2,3) (3,2). The stride's own
 * digits (0,5) would carry at once, but the difference of the first two positions, (1,-1), holds
 * all the way. */
static uint32_t find_step(const clrs__walk *lower, const clrs__nest *nest, uint32_t axis,
                          digit_path *path) {
  const int64_t extent = nest->axes[axis].extent, stride = nest->axes[axis].strides[path->operand];
  find_digits(lower, stride, &path->step);
  const uint32_t carrying = carrying_digit(lower, &path->start, &path->step, extent);
  int64_t second;
  if (carrying == 0 || !clrs__add(nest->offsets[path->operand], stride, &second)) {
    return carrying;
  }
  digits across;
  find_digits(lower, second, &across);
  for (uint32_t k = 0; k < lower->axis_count; k++) {
    across.of[k] -= path->start.of[k];
  }
  if (carrying_digit(lower, &path->start, &across, extent) != 0) {
    return carrying;
  }
  path->step = across;
  return 0;
}

/* ---- the nest ---- */

bool clrs__nest_turn_axis(clrs__nest *nest, uint32_t at) {
  int64_t offsets[CLRS__MOST_OPERANDS] = {0};
  const clrs__nest_axis *from = &nest->axes[at];
  clrs__nest_axis turned = {.extent = from->extent};
  for (uint32_t i = 0; i < nest->operand_count; i++) {
    clrs_axis axis = {from->extent, from->strides[i]};
    offsets[i] = nest->offsets[i];
    if (!clrs__axis_reverse(&axis, &offsets[i])) {
      return false;
    }
    turned.strides[i] = axis.stride;
  }
  nest->axes[at] = turned;
  memcpy(nest->offsets, offsets, nest->operand_count * sizeof *offsets);
  return true;
}

/* Reverses axes along which an operand goes down, so that its digits only grow along every axis. */
static bool turn_axes(clrs__nest *nest, uint32_t operand) {
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    if (nest->axes[i].strides[operand] < 0 && !clrs__nest_turn_axis(nest, i)) {
      return false;
    }
  }
  return true;
}

bool clrs__nest_split_axis(clrs__nest *nest, uint32_t at, int64_t extent) {
  clrs__nest_axis outer = nest->axes[at];
  if (nest->axis_count == CLRS_MAX_AXES) {
    return false;
  }
  for (uint32_t i = 0; i < nest->operand_count; i++) {
    if (!clrs__multiply(outer.strides[i], extent, &outer.strides[i])) {
      return false;
    }
  }
  outer.extent /= extent;
  for (uint32_t i = nest->axis_count++; i > at; i--) {
    nest->axes[i] = nest->axes[i - 1];
  }
  nest->axes[at] = outer;
  nest->axes[at + 1].extent = extent;
  return true;
}

/* Mends an axis whose steps make digit k carry. Splits the axis if its run fills the digit exactly,
 * otherwise sets the place of a cut. A run that fills the digit is shorter than the axis, because
 * otherwise the digit would not carry. Example: a digit of extent 6 and steps of 2 from 0 make runs
 * of 3. An axis of 12 steps is split into 4 runs. An axis of 10 steps is cut after 9. */
static clrs__lowering mend_axis(const clrs_axis digit, int64_t start, int64_t step,
                                clrs__nest *nest, clrs__axis_cut *cut) {
  const int64_t extent = nest->axes[cut->axis].extent;
  if (step == 0) {
    return CLRS__STUCK;
  }
  const int64_t run = digit.extent / step;
  const bool fills = digit.extent % step == 0 && start < step;
  if (fills && extent % run == 0) {
    return clrs__nest_split_axis(nest, cut->axis, run) ? CLRS__LOWERED : CLRS__STUCK;
  }
  cut->extent = fills ? extent - extent % run : (digit.extent - 1 - start) / step + 1;
  return CLRS__CUT;
}

/* Splits axes until no axis makes a digit carry. */
static clrs__lowering split_axes(const clrs__walk *lower, digit_path *path, clrs__nest *nest,
                                 clrs__axis_cut *cut) {
  for (cut->axis = 0; cut->axis < nest->axis_count;) {
    const uint32_t k = find_step(lower, nest, cut->axis, path);
    if (k == 0) {
      cut->axis++;
      continue;
    }
    const clrs__lowering mended =
        mend_axis(lower->axes[k], path->start.of[k], path->step.of[k], nest, cut);
    if (mended != CLRS__LOWERED) {
      return mended;
    }
  }
  return CLRS__LOWERED;
}

/* The range of the digits that all axes together reach. */
typedef struct digit_range {
  digits lowest, highest;
} digit_range;

static void extend_range(digit_range *range, const clrs__walk *lower, const digits *step,
                         int64_t extent) {
  for (uint32_t k = 0; k < lower->axis_count; k++) {
    digits *end = step->of[k] < 0 ? &range->lowest : &range->highest;
    end->of[k] += (extent - 1) * step->of[k]; /* each less than an extent: no wrap */
  }
}

static bool is_within(const digit_range *range, const clrs__walk *lower) {
  bool within = true;
  for (uint32_t k = 0; k < lower->axis_count; k++) {
    within = within && range->lowest.of[k] >= 0 && range->highest.of[k] < lower->axes[k].extent;
  }
  return within;
}

/* Returns true if all axes together make no digit carry. Each stride is then lowered alone. */
static bool lower_axes(const clrs__walk *lower, digit_path *path, clrs__nest *nest) {
  digit_range reached = {path->start, path->start};
  clrs__nest lowered;
  clrs__nest_copy(&lowered, nest);
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    if (find_step(lower, nest, i, path) != 0 ||
        !lower_position(lower, &path->step, &lowered.axes[i].strides[path->operand])) {
      return false;
    }
    extend_range(&reached, lower, &path->step, nest->axes[i].extent);
    if (!is_within(&reached, lower)) {
      return false;
    }
  }
  int64_t *offset = &lowered.offsets[path->operand];
  if (!lower_position(lower, &path->start, offset) || !clrs__add(*offset, lower->offset, offset)) {
    return false;
  }
  clrs__nest_copy(nest, &lowered);
  return true;
}

clrs__lowering clrs__nest_lower(const clrs__walk *lower, uint32_t operand, clrs__nest *nest,
                                clrs__axis_cut *cut) {
  if (!turn_axes(nest, operand)) {
    return CLRS__STUCK;
  }
  digit_path path;
  path.operand = operand;
  find_digits(lower, nest->offsets[operand], &path.start);
  const clrs__lowering split = split_axes(lower, &path, nest, cut);
  if (split != CLRS__LOWERED) {
    return split;
  }
  return lower_axes(lower, &path, nest) ? CLRS__LOWERED : CLRS__STUCK;
}

/* ---- two walks ---- */

/* The upper walk as the source of a nest. The destination's strides record the direction of each
 * axis: 1, or -1 after the axis is reversed. */
static void nest_of_walk(const clrs__walk *walk, clrs__nest *nest) {
  nest->operand_count = 2;
  nest->source_offset = walk->offset;
  nest->destination_offset = 0;
  nest->axis_count = walk->axis_count;
  for (uint32_t i = 0; i < walk->axis_count; i++) {
    nest->axes[i] = CLRS__NEST_AXIS(walk->axes[i].extent, walk->axes[i].stride, 1);
  }
}

bool clrs__walk_compose(const clrs__walk *lower, const clrs__walk *upper, clrs__walk *walk) {
  clrs__nest nest;
  clrs__axis_cut cut;
  nest_of_walk(upper, &nest);
  if (clrs__nest_lower(lower, CLRS__FROM, &nest, &cut) != CLRS__LOWERED) {
    return false;
  }
  walk->offset = nest.source_offset;
  walk->axis_count = 0;
  for (uint32_t i = 0; i < nest.axis_count; i++) {
    clrs_axis axis = {nest.axes[i].extent, nest.axes[i].source_stride};
    if (nest.axes[i].destination_stride < 0 && !clrs__axis_reverse(&axis, &walk->offset)) {
      return false;
    }
    clrs__walk_append(walk, axis);
  }
  clrs__walk_normalize(walk);
  return true;
}
