/*
 * Writes one value to every unit of the destination. The class fill, of both executions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "classes.h"

#include "checked.h"
#include "rows.h"
#include "tuning.h"

/* On a GPU each work-item fills a lane of 16 bytes of a row. If the last axis is not a row of whole
 * elements, or the buffer is not aligned to lanes, each work-item fills a unit. A row may begin
 * anywhere in its first lane. Example: a row of 5 bytes can touch two lanes. */
static void cut_lanes(const clrs__job *job, clrs__cut *cut) {
  const clrs__nest *nest = &cut->nest;
  const int64_t lane = 128 / (int64_t)job->unit_bits;
  cut->kind = CLRS__CUT_UNITS;
  cut->work = clrs__nest_count(nest);
  if (nest->axis_count == 0 || nest->axes[nest->axis_count - 1].source_stride != 0 ||
      nest->axes[nest->axis_count - 1].destination_stride != 1 ||
      job->destination_alignment < CLRS_BLOCK_BYTES) {
    return;
  }
  cut->aligned_bits = 8 * CLRS_BLOCK_BYTES;
  cut->as.units.run = nest->axes[nest->axis_count - 1].extent;
  cut->as.units.lanes = (cut->as.units.run + 2 * (lane - 1)) / lane;
  cut->work =
      clrs__exact_multiply(clrs__nest_repeats(nest, nest->axis_count - 1), cut->as.units.lanes);
}

static void encode(const clrs__cut *cut, clrs__words *words) {
  if (cut->kind != CLRS__CUT_UNITS || cut->as.units.run == 0) {
    clrs__encode_pieces(cut, words);
    words->row_units = 0;
    words->lanes_per_row = words->row_divisor = 1;
    return;
  }
  clrs__cut rows;
  clrs__cut_copy(&rows, cut);
  rows.nest.axis_count--;
  clrs__encode_pieces(&rows, words);
  words->row_units = cut->as.units.run;
  words->lanes_per_row = words->row_divisor = cut->as.units.lanes;
}

static bool fit(const clrs__job *job, bool is_required, clrs__cut *cut) {
  (void)is_required;
  cut->merit = CLRS__CPU_ROWS_MERIT;
  if (clrs__is_for_cpu(job)) {
    clrs__complete_axes(&cut->nest);
    clrs__cut_rows(cut, CLRS__ROWS_CHUNK_BYTES, INT64_MAX);
    return true;
  }
  cut_lanes(job, cut);
  return true;
}

const clrs__class clrs__fill = {.name = "fill",
                                .needs = "one value of whole bytes instead of a source",
                                .execution = CLRS_EXECUTION_AUTO,
                                .unit_widths = 8 | 16 | 32 | 64 | 128,
                                .from = CLRS__FROM_VALUE,
                                .own = CLRS__OWN_FILLED,
                                .best = CLRS__CPU_ROWS_MERIT,
                                .fit = fit,
                                .encode = encode,
                                .files = {"value"}};
