/*
 * Tiles of 4-bit units, in pairs on both sides. The class nibble_tile.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "classes.h"

#include "chunks.h"
#include "tuning.h"

enum { ROWS = 2048, COLUMNS = 256 }; /* units: measured on PoCL with two cores */

/* Every byte of either side holds two units that stay together: all but the unit steps are even. */
static bool is_made_of_pairs(const clrs__nest *nest) {
  bool even = nest->source_offset % 2 == 0 && nest->destination_offset % 2 == 0;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    const clrs__nest_axis *axis = &nest->axes[i];
    const bool is_row = i + 2 == nest->axis_count, is_column = i + 1 == nest->axis_count;
    even = even && (is_row || axis->source_stride % 2 == 0) &&
           (is_column || axis->destination_stride % 2 == 0) &&
           (!(is_row || is_column) || axis->extent % 2 == 0);
  }
  return even;
}

static bool fit(const clrs__job *job, bool is_required, clrs__cut *cut) {
  (void)is_required;
  if (job->msb_first || cut->nest.axis_count < 2) {
    return false;
  }
  clrs__choose_row_axis(&cut->nest);
  if (!clrs__is_transposed(&cut->nest) || !is_made_of_pairs(&cut->nest)) {
    return false;
  }
  clrs__nest_sort_outer_axes(&cut->nest, cut->nest.axis_count - 2);
  int64_t *extents = cut->as.chunks.extents;
  extents[0] = clrs__clamp(ROWS, 2, clrs__chunk_axis(&cut->nest, 0)->extent);
  extents[1] = clrs__clamp(COLUMNS, 2, clrs__chunk_axis(&cut->nest, 1)->extent);
  clrs__share_chunks(cut);
  cut->merit = CLRS__NIBBLE_TILE_MERIT;
  return true;
}

/* The kernel counts pairs of units: a step of a row or a column takes two. */
static void encode(const clrs__cut *cut, clrs__words *words) {
  clrs__cut pairs;
  clrs__cut_copy(&pairs, cut);
  pairs.nest.source_offset /= 2;
  pairs.nest.destination_offset /= 2;
  for (uint32_t i = 0; i + 2 < pairs.nest.axis_count; i++) {
    pairs.nest.axes[i].source_stride /= 2;
    pairs.nest.axes[i].destination_stride /= 2;
  }
  for (uint32_t which = 0; which < 2; which++) {
    pairs.nest.axes[pairs.nest.axis_count - 2 + which].extent /= 2;
    pairs.as.chunks.extents[which] /= 2;
  }
  clrs__encode_pieces(&pairs, words);
}

const clrs__class clrs__nibble_tile = {
    .name = "nibble_tile",
    .needs = "4-bit elements, the first in the low bits, an axis that is contiguous in the source "
             "alone and one that is contiguous in the destination alone, and even extents and "
             "steps elsewhere",
    .execution = CLRS_EXECUTION_CPU,
    .unit_widths = 4,
    .from = CLRS__FROM_SOURCE,
    .kernel_unit_bits = 8, /* pairs */
    .chunk_files = {"transpose"},
    .best = CLRS__NIBBLE_TILE_MERIT,
    .fit = fit,
    .encode = encode};
