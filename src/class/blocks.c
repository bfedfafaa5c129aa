/*
 * Blocks, for core devices: a work-item moves a rectangle of two axes, rows and columns, chosen so
 * that what it reads and what it writes stay in its cache while it does.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "blocks.h"

#include "checked.h"

/* Measured on PoCL with two cores. */
enum {
  LINE_BYTES = 64,
  SHARE = 16384, /* units or bytes where there are no blocks */
  FEWEST_BLOCK_UNITS = 16,
  TILE_SIDE = 16, /* of a square of units */
  SHORTEST_TILE_SIDE = 4,
  SHORTEST_GOOD_TILE_SIDE = 8,
  SHORT_TILE_BYTES = 16, /* of a row: less than a lane */
  SHORT_RUN_BYTES = 512,
  SHORT_ROW_BYTES = 224, /* of a row that is not made of lines */
  MOST_PLANES = 4        /* that cpu_any.cl zips in a loop of its own */
};

/* ---- which axes ---- */

/* Moves an axis to the last place but one, before the columns; the others keep their order. */
static void make_row(clrs_nest *nest, uint32_t at) {
  const clrs_nest_axis axis = nest->axes[at];
  for (uint32_t i = at; i + 2 < nest->axis_count; i++) {
    nest->axes[i] = nest->axes[i + 1];
  }
  nest->axes[nest->axis_count - 2] = axis;
}

/* The axis, but the last, along which the source steps least: its neighbours share lines. */
static uint32_t nearest_source_axis(const clrs_nest *nest) {
  uint32_t nearest = nest->axis_count - 2;
  for (uint32_t i = nest->axis_count - 1; i > 0;) {
    i--;
    const uint64_t stride = clrs__magnitude(nest->axes[i].source_stride);
    if (stride > 0 && stride < clrs__magnitude(nest->axes[nearest].source_stride)) {
      nearest = i;
    }
  }
  return nearest;
}

/* Every block has two axes, if need be of extent 1. */
static void complete_axes(clrs_nest *nest) {
  while (nest->axis_count < 2) {
    for (uint32_t i = nest->axis_count++; i > 0; i--) {
      nest->axes[i] = nest->axes[i - 1];
    }
    nest->axes[0] = (clrs_nest_axis){1, 0, 0};
  }
}

/* Makes rows of the axis whose neighbours share lines of the source, if the columns' do not. */
static void choose_row_axis(clrs_nest *nest) {
  const uint32_t nearest = nearest_source_axis(nest);
  const uint64_t column_step = clrs__magnitude(nest->axes[nest->axis_count - 1].source_stride);
  if (clrs__magnitude(nest->axes[nearest].source_stride) < column_step) {
    make_row(nest, nearest);
  }
}

/* Finding a block costs as much as moving some units: where the two axes make a tiny one, the
 * longest axis is the better row. */
static void avoid_tiny_blocks(clrs_nest *nest) {
  const uint32_t row = nest->axis_count - 2;
  uint32_t longest = row;
  if (nest->axes[row].extent >= FEWEST_BLOCK_UNITS / nest->axes[row + 1].extent) {
    return;
  }
  for (uint32_t i = 0; i < row; i++) {
    longest = nest->axes[i].extent > nest->axes[longest].extent ? i : longest;
  }
  make_row(nest, longest);
}

static bool is_row(clrs_nest_axis column) {
  return column.extent == 1 || (column.source_stride == 1 && column.destination_stride == 1);
}

static bool is_tile(clrs_nest_axis row, clrs_nest_axis column) {
  return row.source_stride == 1 && column.destination_stride == 1;
}

static bool zips_planes(clrs_nest_axis row, clrs_nest_axis column) {
  return row.destination_stride == column.extent && column.extent <= MOST_PLANES;
}

static bool unzips_planes(clrs_nest_axis row, clrs_nest_axis column) {
  return column.source_stride == row.extent && row.extent <= MOST_PLANES;
}

/* Very narrow tiles do better as strided blocks, above all where they zip planes. */
static bool is_good_tile(clrs_nest_axis row, clrs_nest_axis column) {
  return row.extent >= SHORTEST_TILE_SIDE && column.extent >= SHORTEST_TILE_SIDE &&
         !zips_planes(row, column) && !unzips_planes(row, column);
}

/* Puts the rows and columns of the class last. */
static clrs_class choose_class(clrs_nest *nest, clrs_class required) {
  const clrs_nest_axis column = nest->axes[nest->axis_count - 1];
  const bool is_free = required == CLRS_CLASS_ANY;
  if (is_row(column) && (is_free || required == CLRS_CLASS_CPU_ROWS)) {
    return CLRS_CLASS_CPU_ROWS;
  }
  choose_row_axis(nest);
  if (required == CLRS_CLASS_CPU_TILE && is_tile(nest->axes[nest->axis_count - 2], column)) {
    return CLRS_CLASS_CPU_TILE;
  }
  avoid_tiny_blocks(nest);
  const clrs_nest_axis row = nest->axes[nest->axis_count - 2];
  const bool tile = is_tile(row, column) && is_good_tile(row, column);
  return tile && is_free ? CLRS_CLASS_CPU_TILE : CLRS_CLASS_CPU_ANY;
}

/* Is a block's row of the destination or of the source too short for its class to do well? */
static bool has_short_runs(const clrs_launch *launch, int64_t unit_bytes) {
  const clrs_nest_axis row = *clrs__block_axis(launch, 0), column = *clrs__block_axis(launch, 1);
  const int64_t short_run = SHORT_RUN_BYTES / unit_bytes;
  if (launch->kernel_class == CLRS_CLASS_CPU_TILE) {
    return row.extent < SHORT_TILE_BYTES / unit_bytes || column.extent < SHORTEST_GOOD_TILE_SIDE;
  }
  if (launch->kernel_class == CLRS_CLASS_CPU_ROWS) {
    const int64_t line = LINE_BYTES / unit_bytes;
    return column.extent < line ||
           (column.extent % line != 0 && column.extent < SHORT_ROW_BYTES / unit_bytes);
  }
  if (zips_planes(row, column)) {
    return row.extent < short_run / column.extent;
  }
  const bool is_simple =
      unzips_planes(row, column) || column.source_stride == 0 || column.source_stride == -1;
  return !is_simple || column.extent < short_run;
}

/* Of a tile that is too narrow for squares: does a product of axes make that side longer? */
static bool is_wider(const clrs_launch *turned, const clrs_launch *tile) {
  bool wider = false;
  for (uint32_t which = 0; which < 2; which++) {
    const int64_t extent = clrs__block_axis(tile, which)->extent;
    wider = wider || (extent < TILE_SIDE && turned->chunk_extents[which] > extent);
  }
  return tile->kernel_class == CLRS_CLASS_CPU_TILE && wider;
}

/* Makes a packed launch of one whose runs are short, or the required one. */
static bool become_packed(const clrs_nest *canonical, int64_t unit_bytes, clrs_class required,
                          clrs_launch *launch) {
  const bool is_required = required == CLRS_CLASS_CPU_SHORT;
  const bool packs =
      is_required || (required == CLRS_CLASS_ANY && has_short_runs(launch, unit_bytes));
  clrs_launch turned = *launch;
  const bool may_turn = packs || required == CLRS_CLASS_ANY;
  if (may_turn && clrs__launch_become_turned(canonical, &turned) &&
      (packs || is_wider(&turned, launch))) {
    *launch = turned;
    return true;
  }
  return packs && clrs__launch_become_packed(canonical, is_required, launch);
}

/* Every byte of either side holds two units that stay together: all but the unit steps are even. */
static bool is_made_of_pairs(const clrs_nest *nest) {
  bool even = nest->source_offset % 2 == 0 && nest->destination_offset % 2 == 0;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    const clrs_nest_axis axis = nest->axes[i];
    const bool is_row = i + 2 == nest->axis_count, is_column = i + 1 == nest->axis_count;
    even = even && (is_row || axis.source_stride % 2 == 0) &&
           (is_column || axis.destination_stride % 2 == 0) &&
           (!(is_row || is_column) || axis.extent % 2 == 0);
  }
  return even;
}

/* Makes a tile of a packed launch, if it can be one. */
static bool become_nibbles(clrs_launch *launch) {
  clrs_nest nest = launch->nest;
  if (launch->unit_bits != 4 || launch->msb_first || launch->fills || launch->follows_stack ||
      nest.axis_count < 2) {
    return false;
  }
  choose_row_axis(&nest);
  const clrs_nest_axis *axes = &nest.axes[nest.axis_count - 2];
  if (axes[0].source_stride != 1 || axes[1].destination_stride != 1 || !is_made_of_pairs(&nest)) {
    return false;
  }
  launch->nest = nest;
  launch->kernel_class = CLRS_CLASS_NIBBLE_TILE;
  return true;
}

void clrs__launch_choose_blocks(const clrs_view *stack, clrs_launch *launch, clrs_class required) {
  const bool stays_bits = required == CLRS_CLASS_SUBBYTE;
  if (launch->follows_stack && !stays_bits && clrs__launch_writes_whole_bytes(launch)) {
    launch->kernel_class = CLRS_CLASS_COMPOSED;
    clrs__launch_choose_lanes(stack, launch);
    return;
  }
  if (launch->kernel_class == CLRS_CLASS_SUBBYTE && (stays_bits || !become_nibbles(launch))) {
    launch->chunks_per_item = SHARE < clrs__launch_work(launch) ? SHARE : clrs__launch_work(launch);
    return;
  }
  const int64_t unit_bytes = launch->unit_bits < 8 ? 1 : launch->unit_bits / 8;
  const clrs_nest canonical = launch->nest;
  complete_axes(&launch->nest);
  if (launch->kernel_class == CLRS_CLASS_GPU_ANY) {
    launch->kernel_class = choose_class(&launch->nest, required);
    if (become_packed(&canonical, unit_bytes, required, launch)) {
      return;
    }
  }
  clrs__nest_sort_outer_axes(&launch->nest, launch->nest.axis_count - 2);
  clrs__launch_choose_extents(launch);
}
