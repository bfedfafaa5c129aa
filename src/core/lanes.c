/*
 * Lanes, for composed moves on core devices: kernels/composed.cl decodes units in batches, and rows
 * of them at once where an axis of the nest allows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checked.h"
#include "plan.h"

enum {
  LANES = 256, /* as in kernels/composed.cl */
  BLOCK_BYTES = 65536,
  ITEM_BYTES = 131072,
  SHORTEST_RUN = 4 /* rows that pay for a decoding of their own */
};

bool clrs__launch_has_lanes(const clrs_launch *launch) {
  return launch->kernel_class == CLRS_CLASS_COMPOSED && launch->blocks_per_item > 0;
}

bool clrs__launch_writes_whole_bytes(const clrs_launch *launch) {
  const clrs_nest *nest = &launch->nest;
  const int64_t units_per_byte = launch->unit_bits < 8 ? 8 / (int64_t)launch->unit_bits : 1;
  if (units_per_byte == 1) {
    return true;
  }
  const clrs_nest_axis *inner = &nest->axes[nest->axis_count - 1];
  bool whole = nest->axis_count > 0 && inner->destination_stride == 1 &&
               inner->extent % units_per_byte == 0 &&
               nest->destination_offset % units_per_byte == 0;
  for (uint32_t i = 0; whole && i + 1 < nest->axis_count; i++) {
    whole = nest->axes[i].destination_stride % units_per_byte == 0;
  }
  return whole;
}

static int64_t count_blocks(int64_t units, int64_t block) {
  return units / block + (units % block != 0);
}

int64_t clrs__launch_lane_blocks(const clrs_launch *launch) {
  const int64_t rows = launch->block_extents[0] > 0 ? launch->nest.axes[0].extent : 1;
  const int64_t rows_per_block = launch->block_extents[0] > 0 ? launch->block_extents[0] : 1;
  return count_blocks(clrs__nest_count(&launch->nest) / rows, LANES) *
         count_blocks(rows, rows_per_block);
}

/* ---- which rows ---- */

/* How many steps an axis takes, from digits of 0, before a digit of the stack wraps, and how far
 * apart they lie in the storage. */
typedef struct run {
  int64_t length, step;
} run;

/* A digit of either sign, the nearest to 0; *rest keeps the others. */
static int64_t take_digit(int64_t *rest, int64_t extent) {
  int64_t digit = *rest % extent;
  *rest /= extent;
  const int64_t carry = digit > extent / 2 ? 1 : digit < -(extent / 2) ? -1 : 0;
  *rest += carry;
  return digit - carry * extent;
}

/* Through one level; the positions of both ends of a run fit in 64 bits, so its step does too. */
static run follow_level(const clrs_walk *walk, run from) {
  run to = {from.length, 0};
  int64_t rest = from.step;
  for (uint32_t i = walk->axis_count; i-- > 0;) {
    const clrs_axis axis = walk->axes[i];
    const int64_t digit = i > 0 ? take_digit(&rest, axis.extent) : rest;
    if (digit != 0) {
      const uint64_t steps = ((uint64_t)axis.extent - 1) / clrs__magnitude(digit) + 1;
      to.length = steps < (uint64_t)to.length ? (int64_t)steps : to.length;
    }
    if (!clrs__multiply_add(to.step, digit, axis.stride, &to.step)) {
      return (run){1, 0};
    }
  }
  return to;
}

static run find_run(const clrs_view *stack, clrs_nest_axis axis) {
  run found = {axis.extent, axis.source_stride};
  for (uint32_t level = stack->depth; level-- > 0 && found.length > 1;) {
    clrs_walk walk;
    clrs__view_level(stack, level, &walk);
    found = follow_level(&walk, found);
  }
  return found;
}

/* Rows of the nearest lines in the storage, as long as they leave a batch full and are worth it.
 * Never the last axis: along that the destination is written. */
static uint32_t choose_row_axis(const clrs_view *stack, const clrs_nest *nest) {
  const int64_t count = clrs__nest_count(nest);
  uint32_t best = nest->axis_count;
  run least = {0, 0};
  for (uint32_t i = 0; i + 1 < nest->axis_count; i++) {
    const run found = find_run(stack, nest->axes[i]);
    const bool is_worth_it = found.length >= SHORTEST_RUN && count / nest->axes[i].extent >= LANES;
    if (is_worth_it &&
        (best == nest->axis_count || clrs__magnitude(found.step) < clrs__magnitude(least.step))) {
      best = i;
      least = found;
    }
  }
  return best;
}

static void move_first(clrs_nest *nest, uint32_t at) {
  const clrs_nest_axis axis = nest->axes[at];
  for (uint32_t i = at; i > 0; i--) {
    nest->axes[i] = nest->axes[i - 1];
  }
  nest->axes[0] = axis;
}

void clrs__launch_choose_lanes(const clrs_view *stack, clrs_launch *launch) {
  const int64_t row_bytes = LANES * (int64_t)launch->unit_bits / 8;
  const uint32_t row_axis = choose_row_axis(stack, &launch->nest);
  launch->outer_axis_count = 0;
  launch->interleaves = false;
  int64_t rows = 1;
  if (row_axis < launch->nest.axis_count) {
    move_first(&launch->nest, row_axis);
    rows = launch->nest.axes[0].extent;
    rows = rows < BLOCK_BYTES / row_bytes ? rows : BLOCK_BYTES / row_bytes;
    launch->block_extents[0] = rows;
  }
  launch->blocks_per_item = 1;
  const int64_t blocks = clrs__launch_lane_blocks(launch);
  const int64_t wanted = ITEM_BYTES / (rows * row_bytes);
  launch->blocks_per_item = wanted < 1 ? 1 : wanted < blocks ? wanted : blocks;
}
