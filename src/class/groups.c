/*
 * Blocks, for wide devices: a work-group moves a rectangle of two axes, rows and columns, of a size
 * that its kernel fixes. What is left to choose is which axes they are, and whether enough of the
 * group's work-items have something to do.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "groups.h"

#include "checked.h"

enum {
  LONG_RUN = 32,      /* bytes: what a device reads at least */
  SHORTEST_RUN = 128, /* bytes of a row that a group takes at least, if there are as many */
  BUSY = 7,           /* eighths of a group that have to move something to look no further */
  BUSY_ENOUGH = 4,
  BUSY_ENOUGH_TO_TURN = 3 /* a gather would read the source one unit per line */
};

/* As kernels/gpu_rows.cl has it. */
static int64_t units_of_group(uint32_t unit_bits) {
  const int64_t loads = unit_bits == 8 ? 16 : unit_bits <= 32 ? 8 : 4;
  return CLRS__GROUP_ITEMS * loads;
}

/* As kernels/gpu_tile.cl has it. */
static int64_t tile_side(uint32_t unit_bits) {
  return unit_bits == 8 ? 128 : unit_bits <= 32 ? 64 : 32;
}

static uint64_t tile_bytes(uint32_t unit_bits) {
  return (uint64_t)tile_side(unit_bits) * (uint64_t)tile_side(unit_bits) * (unit_bits / 8);
}

/* Two axes and the block they are cut into. */
typedef struct choice {
  clrs_class kernel_class;
  uint32_t row; /* the place of its axis; that of the column where there is no other */
  int64_t extents[2];
  int64_t busy; /* in a thousand, how much of the blocks is there */
} choice;

/* In a thousand. Of very many blocks the last does not count. */
static int64_t part_in_use(int64_t extent, int64_t block) {
  const int64_t blocks = clrs__divide_up(extent, block);
  return blocks > 1000000 ? 1000 : extent * 1000 / (blocks * block);
}

static int64_t row_extent(const clrs_nest *nest, uint32_t row) {
  return row + 1 == nest->axis_count ? 1 : nest->axes[row].extent;
}

/* The longest rows that leave nearly the whole group busy. */
static void fit_rows(const clrs_launch *launch, uint32_t row, choice *best) {
  const int64_t units = units_of_group(launch->unit_bits);
  const int64_t shortest = SHORTEST_RUN / (launch->unit_bits / 8);
  const int64_t columns = launch->nest.axes[launch->nest.axis_count - 1].extent;
  int64_t width = units;
  while (width / 2 >= columns) {
    width /= 2;
  }
  while (best->busy * 8 < (int64_t)BUSY * 1000) {
    const int64_t busy = part_in_use(columns, width) *
                             part_in_use(row_extent(&launch->nest, row), units / width) / 1000 +
                         1;
    if (busy > best->busy) {
      *best = (choice){CLRS_CLASS_GPU_ROWS, row, {units / width, width}, busy};
    }
    if (width <= shortest) {
      return;
    }
    width /= 2;
  }
}

static choice choose_rows(const clrs_launch *launch) {
  const uint32_t column = launch->nest.axis_count - 1;
  choice best = {.busy = 0};
  if (launch->nest.axis_count < clrs__launch_nest_axes(launch)) { /* room for a row of extent 1 */
    fit_rows(launch, column, &best);
  }
  for (uint32_t row = column; row > 0;) { /* the nearest first: it wins a tie */
    row--;
    fit_rows(launch, row, &best);
  }
  return best;
}

static choice choose_tile(const clrs_launch *launch, const clrs_device_limits *limits) {
  const clrs_nest *nest = &launch->nest;
  const clrs_nest_axis column = nest->axes[nest->axis_count - 1];
  const int64_t side = tile_side(launch->unit_bits);
  choice best = {.busy = 0};
  if (column.destination_stride != 1 || limits->local_bytes < tile_bytes(launch->unit_bits)) {
    return best;
  }
  for (uint32_t row = 0; row + 1 < nest->axis_count; row++) {
    if (nest->axes[row].source_stride == 1) {
      const int64_t busy =
          part_in_use(nest->axes[row].extent, side) * part_in_use(column.extent, side) / 1000 + 1;
      best = (choice){CLRS_CLASS_GPU_TILE, row, {side, side}, busy};
    }
  }
  return best;
}

/* Runs that both sides share, be it backwards or of one repeated unit, and that are long enough for
 * either. */
static bool has_long_runs(const clrs_launch *launch) {
  const clrs_nest_axis column = launch->nest.axes[launch->nest.axis_count - 1];
  return clrs__magnitude(column.source_stride) <= 1 && column.destination_stride == 1 &&
         column.extent >= LONG_RUN / (launch->unit_bits / 8);
}

/* What is required, if it can be had at any price, else the best that is busy enough. */
static choice choose_block(const clrs_launch *launch, const clrs_device_limits *limits) {
  const choice none = {.busy = 0}, tile = choose_tile(launch, limits), rows = choose_rows(launch);
  if (limits->required_class == CLRS_CLASS_GPU_TILE) {
    return tile;
  }
  if (limits->required_class == CLRS_CLASS_GPU_ROWS) {
    return rows;
  }
  if (limits->required_class != CLRS_CLASS_ANY) {
    return none;
  }
  if (!has_long_runs(launch) && tile.busy * 8 >= (int64_t)BUSY_ENOUGH_TO_TURN * 1000) {
    return tile;
  }
  return rows.busy * 8 >= (int64_t)BUSY_ENOUGH * 1000 ? rows : none;
}

static void take_block(clrs_launch *launch, const choice *chosen) {
  launch->kernel_class = chosen->kernel_class;
  launch->chunks_per_item = 1;
  launch->chunk_extents[0] = chosen->extents[0];
  launch->chunk_extents[1] = chosen->extents[1];
  clrs_nest *nest = &launch->nest;
  const bool has_row = chosen->row + 1 < nest->axis_count;
  const clrs_nest_axis column = nest->axes[nest->axis_count - 1];
  const clrs_nest_axis row = has_row ? nest->axes[chosen->row] : (clrs_nest_axis){1, 0, 0};
  for (uint32_t i = chosen->row; has_row && i + 1 < nest->axis_count; i++) {
    nest->axes[i] = nest->axes[i + 1];
  }
  nest->axis_count += has_row ? 0 : 1;
  nest->axes[nest->axis_count - 2] = row;
  nest->axes[nest->axis_count - 1] = column;
}

void clrs__launch_choose_groups(const clrs_device_limits *limits, clrs_launch *launch) {
  if (launch->kernel_class != CLRS_CLASS_GPU_ANY || launch->nest.axis_count == 0 ||
      limits->max_group_items < CLRS__GROUP_ITEMS) {
    return;
  }
  const clrs_class required = limits->required_class;
  const choice chosen = choose_block(launch, limits);
  const bool may_be_volume = required == CLRS_CLASS_ANY && !has_long_runs(launch) &&
                             chosen.kernel_class != CLRS_CLASS_GPU_TILE;
  if ((may_be_volume || required == CLRS_CLASS_GPU_SHORT) &&
      clrs__launch_choose_volume(limits, launch)) {
    return;
  }
  if (chosen.busy == 0) {
    return;
  }
  take_block(launch, &chosen);
}
