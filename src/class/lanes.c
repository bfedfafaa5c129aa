/*
 * Lanes, for composed moves on core devices: kernels/composed.cl decodes units in batches, and rows
 * of them at once where an axis of the nest allows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "blocks.h"

#include "checked.h"

enum {
  BLOCK_BYTES = 32768,
  ITEM_BYTES = 131072,
  SHORTEST_RUN = 4, /* rows that pay for a decoding of their own */
  SHORTEST_PERIOD = 16,
  MOST_PERIODS = 32
};

bool clrs__launch_writes_whole_bytes(const clrs_launch *launch) {
  const clrs_nest *nest = &launch->nest;
  const int64_t units_per_byte = launch->unit_bits < 8 ? 8 / (int64_t)launch->unit_bits : 1;
  if (units_per_byte == 1) {
    return true;
  }
  const clrs_nest_axis *inner = &nest->axes[nest->axis_count > 0 ? nest->axis_count - 1 : 0];
  bool whole = nest->axis_count > 0 && inner->destination_stride == 1 &&
               inner->extent % units_per_byte == 0 &&
               nest->destination_offset % units_per_byte == 0;
  for (uint32_t i = 0; whole && i + 1 < nest->axis_count; i++) {
    whole = nest->axes[i].destination_stride % units_per_byte == 0;
  }
  return whole;
}

/* ---- which rows ---- */

/* Steps along an axis from digits of 0: how many before a digit of the stack wraps, how far apart
 * they lie in the storage, and the least extent of the inner digits that count them one by one. */
typedef struct run {
  int64_t length, step, wraps_at;
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
  run to = {from.length, 0, from.wraps_at};
  int64_t rest = from.step;
  for (uint32_t i = walk->axis_count; i > 0;) {
    i--;
    const clrs_axis axis = walk->axes[i];
    const int64_t digit = i > 0 ? take_digit(&rest, axis.extent) : rest;
    if (digit != 0) {
      const uint64_t steps = ((uint64_t)axis.extent - 1) / clrs__magnitude(digit) + 1;
      to.length = steps < (uint64_t)to.length ? (int64_t)steps : to.length;
    }
    if (i > 0 && clrs__magnitude(digit) == 1) {
      to.wraps_at = axis.extent < to.wraps_at ? axis.extent : to.wraps_at;
    }
    if (!clrs__multiply_add(to.step, digit, axis.stride, &to.step)) {
      return (run){1, 0, 0};
    }
  }
  return to;
}

static run find_run(const clrs_view *stack, clrs_nest_axis axis) {
  run found = {axis.extent, axis.source_stride, INT64_MAX};
  for (uint32_t level = stack->depth; level > 0 && found.length > 1;) {
    level--;
    clrs_walk walk;
    clrs__view_level(stack, level, &walk);
    found = follow_level(&walk, found);
  }
  return found;
}

/* Rows of the nearest lines in the storage, as long as they leave a batch full and are worth it.
 * Never the last axis: along that the destination is written. */
static uint32_t choose_row_axis(const clrs_view *stack, const clrs_nest *nest, run *row) {
  const int64_t count = clrs__nest_count(nest);
  uint32_t best = nest->axis_count;
  for (uint32_t i = 0; i + 1 < nest->axis_count; i++) {
    const run found = find_run(stack, nest->axes[i]);
    const bool is_worth_it =
        found.length >= SHORTEST_RUN && count / nest->axes[i].extent >= CLRS__LANES;
    if (is_worth_it &&
        (best == nest->axis_count || clrs__magnitude(found.step) < clrs__magnitude(row->step))) {
      best = i;
      *row = found;
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

/* A batch's digits take the same values again where the rows and the digit that counts them wrap
 * together: there, other elements of the same lines are read. */
static int64_t choose_period(int64_t rows, const run *row) {
  const int64_t period = clrs__common_divisor(rows, row->wraps_at);
  return period >= SHORTEST_PERIOD && rows / period <= MOST_PERIODS ? period : rows;
}

void clrs__launch_choose_lanes(const clrs_view *stack, clrs_launch *launch) {
  const int64_t row_bytes = CLRS__LANES * (int64_t)launch->unit_bits / 8;
  run row = {0, 0, 0};
  const uint32_t row_axis = choose_row_axis(stack, &launch->nest, &row);
  int64_t block_rows = 1, periods = 1;
  launch->outer_axis_count = 0;
  launch->interleaves = false;
  if (row_axis < launch->nest.axis_count) {
    move_first(&launch->nest, row_axis);
    const int64_t rows = launch->nest.axes[0].extent, period = choose_period(rows, &row);
    periods = rows / period;
    block_rows = period < BLOCK_BYTES / row_bytes ? period : BLOCK_BYTES / row_bytes;
    launch->chunk_extents[0] = block_rows;
    launch->chunk_extents[1] = period;
  }
  const int64_t blocks = clrs__launch_lane_blocks(launch);
  const int64_t wanted = clrs__divide_up(ITEM_BYTES / (block_rows * row_bytes), periods) * periods;
  launch->chunks_per_item = wanted < blocks ? wanted : blocks;
}
