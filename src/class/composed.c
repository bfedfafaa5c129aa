/*
 * Moves through a stack of walks. Source and destination share no axes. The class composed, of both
 * executions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "classes.h"

#include "axes.h"
#include "checked.h"
#include "chunks.h"
#include "lattice.h"
#include "tuning.h"
#include "view.h"

/* ---- CPU ----
 * Units are decoded CLRS_DECODED_UNITS at a time. If the nest has a suitable axis, rows of units
 * are decoded together. */

/* Returns true if units that share a byte of the destination lie along the last axis, and each byte
 * is full. */
static bool writes_whole_bytes(const clrs__cut *cut) {
  const clrs__nest *nest = &cut->nest;
  const int64_t units_per_byte = cut->unit_bits < 8 ? 8 / (int64_t)cut->unit_bits : 1;
  if (units_per_byte == 1) {
    return true;
  }
  const clrs__nest_axis *inner = &nest->axes[nest->axis_count > 0 ? nest->axis_count - 1 : 0];
  bool whole = nest->axis_count > 0 && inner->destination_stride == 1 &&
               inner->extent % units_per_byte == 0 &&
               nest->destination_offset % units_per_byte == 0;
  for (uint32_t i = 0; whole && i + 1 < nest->axis_count; i++) {
    whole = nest->axes[i].destination_stride % units_per_byte == 0;
  }
  return whole;
}

/* Steps along an axis, beginning with digits of 0. `length` is the number of steps until a digit of
 * the stack wraps. `step` is the distance of two steps in the storage. `wraps_at` is the least
 * extent of the inner digits that change by 1 at each step. */
typedef struct run {
  int64_t length, step, wraps_at;
} run;

/* A digit of either sign, the nearest to 0. *rest keeps the remaining digits. Example: 7 with
 * extent 8 is the digit -1, and *rest is 1. */
static int64_t take_digit(int64_t *rest, int64_t extent) {
  int64_t digit = *rest % extent;
  *rest /= extent;
  const int64_t carry = digit > extent / 2 ? 1 : digit < -(extent / 2) ? -1 : 0;
  *rest += carry;
  return digit - carry * extent;
}

/* Follows a run through one level. The positions of both ends of a run fit in 64 bits, and the step
 * fits as well. */
static run follow_level(const clrs__walk *walk, run from) {
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

static run find_run(const clrs_view *stack, clrs__nest_axis axis) {
  run found = {axis.extent, axis.source_stride, INT64_MAX};
  for (uint32_t level = stack->depth; level > 0 && found.length > 1;) {
    level--;
    clrs__walk walk;
    clrs__view_level(stack, level, &walk);
    found = follow_level(&walk, found);
  }
  return found;
}

/* Chooses the axis of rows with the nearest lines in the storage. The rows must leave enough units,
 * and be enough rows to pay. The last axis is never chosen, because the destination is written
 * along the last axis. */
static uint32_t choose_row_axis(const clrs_view *stack, const clrs__nest *nest, run *row) {
  const int64_t count = clrs__nest_count(nest);
  uint32_t best = nest->axis_count;
  for (uint32_t i = 0; i + 1 < nest->axis_count; i++) {
    const run found = find_run(stack, nest->axes[i]);
    const bool is_worth_it = found.length >= CLRS__COMPOSED_FEWEST_ROWS &&
                             count / nest->axes[i].extent >= CLRS__COMPOSED_FEWEST_UNITS;
    if (is_worth_it &&
        (best == nest->axis_count || clrs__magnitude(found.step) < clrs__magnitude(row->step))) {
      best = i;
      *row = found;
    }
  }
  return best;
}

/* After `period` rows the digits repeat, and rows read the same cache lines again. The period is
 * the common divisor of the rows and of the extent of the wrapping digit, so that these rows can
 * follow each other. Example: 96 rows with a digit of 64 have a period of 32. */
static int64_t choose_period(int64_t rows, const run *row) {
  const int64_t period = clrs__common_divisor(rows, row->wraps_at);
  return period >= CLRS__COMPOSED_SHORTEST_PERIOD && rows / period <= CLRS__COMPOSED_MOST_PERIODS
             ? period
             : rows;
}

/* The number of chunks, each CLRS_DECODED_UNITS by rows. */
static int64_t count_chunks(const clrs__cut *cut) {
  const int64_t units = clrs__nest_count(&cut->nest);
  if (cut->as.decoded.rows == 0) {
    return clrs__divide_up(units, CLRS_DECODED_UNITS);
  }
  const int64_t rows = cut->nest.axes[0].extent, period = cut->as.decoded.period;
  const int64_t per_row = clrs__divide_up(units / rows, CLRS_DECODED_UNITS);
  const int64_t per_period = clrs__divide_up(period, cut->as.decoded.rows);
  return clrs__exact_multiply(clrs__exact_multiply(per_row, per_period), rows / period);
}

static void cut_decoded(const clrs_view *stack, clrs__cut *cut) {
  const int64_t row_bytes = CLRS_DECODED_UNITS * cut->unit_bits / 8;
  run row = {0, 0, 0};
  const uint32_t row_axis = choose_row_axis(stack, &cut->nest, &row);
  int64_t chunk_rows = 1, periods = 1;
  if (row_axis < cut->nest.axis_count) {
    clrs__move_axis(&cut->nest, row_axis, 0);
    const int64_t rows = cut->nest.axes[0].extent, period = choose_period(rows, &row);
    periods = rows / period;
    chunk_rows = clrs__clamp(CLRS__CHUNK_BYTES / row_bytes, 1, period);
    cut->as.decoded.rows = chunk_rows;
    cut->as.decoded.period = period;
  }
  const int64_t chunk_bytes = clrs__exact_multiply(chunk_rows, row_bytes);
  const int64_t item_bytes = clrs__item_bytes(&cut->nest, cut->unit_bits);
  cut->kind = CLRS__CUT_DECODED;
  cut->work = count_chunks(cut);
  cut->share =
      clrs__clamp(clrs__exact_multiply(clrs__divide_up(item_bytes / chunk_bytes, periods), periods),
                  1, cut->work);
}

static bool fit(const clrs__job *job, bool is_required, clrs__cut *cut) {
  (void)is_required;
  cut->merit = CLRS__COMPOSED_MERIT;
  if (clrs__is_for_cpu(job)) {
    if (!writes_whole_bytes(cut)) {
      return false;
    }
    if (!clrs__cut_lattice(job, cut)) {
      cut_decoded(job->stack, cut);
    }
    return true;
  }
  cut->kind = CLRS__CUT_UNITS;
  cut->work = clrs__nest_count(&cut->nest);
  return job->unit_bits >= 8;
}

static void encode(const clrs__cut *cut, clrs__words *words) {
  clrs__encode_pieces(cut, words);
  if (cut->kind == CLRS__CUT_LATTICE) {
    words->outer_axis_count = cut->as.lattice.outer_axis_count;
  }
}

const clrs__class clrs__composed = {
    .name = "composed",
    .needs = "units of whole bytes and a source that is moved, not filled in",
    .execution = CLRS_EXECUTION_AUTO,
    .unit_widths = 1 | 2 | 4 | 8 | 16 | 32 | 64 | 128,
    .from = CLRS__FROM_STACK,
    .chunk_files = {"transpose", "columns", "lattice", "lattice_tile"},
    .best = CLRS__COMPOSED_MERIT,
    .fit = fit,
    .encode = encode};
