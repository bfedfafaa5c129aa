/*
 * How large blocks are, for core devices: so that what a work-item reads and what it writes stay in
 * its cache while it does.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "blocks.h"

#include "checked.h"
#include "compose.h"

/* Measured on PoCL with two cores: a tile is one or two lines wide and long enough for the reads to
 * stream; the others are as large as a first-level cache. */
enum {
  LINE_BYTES = 64,
  TILE_COLUMN_BYTES = 128,
  NARROW_TILE_COLUMN_BYTES = 64,
  TILE_ROWS = 1024,
  TILE_ROW_BYTES = 4096,
  PAGE_BYTES = 4096,
  SHORT_ROW_BYTES = 1024,
  SHORT_RUN_BYTES = 256,
  FEWEST_SPLIT_ROWS = 8,
  MOST_SPLIT_ROWS = 40,
  TILE_BYTES = 16384,
  BLOCK_BYTES = 32768,
  ITEM_BYTES = 131072,
  TILE_SIDE = 16, /* an edge of fewer units is slower, so no block ends in one */
  /* As in cpu_tile.cl and transpose.cl. */
  STAGE_LINES = 1280,
  STAGE_COLUMNS = 512,
  LANES_PER_LINE = 4,
  /* Measured: 512 bytes of a row at a time, but runs of the source no shorter than 5 lines. */
  STAGED_ROW_BYTES = 512,
  STAGED_ROW_UNITS = 256,
  EQUAL_PART_TRIALS = 8
};

static int64_t extent_of(const clrs_launch *launch, uint32_t which) {
  return clrs__block_axis(launch, which)->extent;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

/* Do all rows of all blocks begin at lines, if the buffer does? */
static bool writes_lines(const clrs_nest *nest, int64_t line_units) {
  bool aligned = nest->destination_offset % line_units == 0;
  for (uint32_t i = 0; i + 1 < nest->axis_count; i++) {
    aligned = aligned && nest->axes[i].destination_stride % line_units == 0;
  }
  return aligned;
}

/* The largest of equal parts of an extent, of at most `most`. The last part, which may be smaller,
 * is not smaller than `least` if that can be. */
static int64_t equal_part(int64_t extent, int64_t most, int64_t least) {
  const int64_t parts = clrs__divide_up(extent, most);
  for (int64_t more = 0; more < EQUAL_PART_TRIALS; more++) {
    const int64_t part = clrs__divide_up(extent, parts + more);
    if (extent % part == 0 || extent % part >= least) {
      return part;
    }
  }
  return clrs__divide_up(extent, parts);
}

/* Runs of the source and rows of the destination of some lines each, which the kernel can stage. */
static void choose_staged_tile(clrs_launch *launch, int64_t unit_bytes) {
  const int64_t rows = extent_of(launch, 0), columns = extent_of(launch, 1);
  const int64_t line = LINE_BYTES / unit_bytes;
  const int64_t wide = clamp(STAGED_ROW_BYTES / unit_bytes, 1, STAGED_ROW_UNITS);
  const int64_t lines = (STAGE_LINES / clamp(columns, line, wide) - 1) | 1;
  int64_t *extents = launch->chunk_extents;
  extents[0] = equal_part(rows, LINE_BYTES * lines / unit_bytes, line / LANES_PER_LINE);
  const int64_t most = STAGE_LINES / (clrs__divide_up(extents[0], line) | 1);
  extents[1] = equal_part(
      columns, clamp(columns > most ? most - most % line : most, line, STAGE_COLUMNS), line);
}

static void choose_tile(clrs_launch *launch, int64_t unit_bytes) {
  if (!writes_lines(&launch->nest, LINE_BYTES / unit_bytes)) {
    choose_staged_tile(launch, unit_bytes);
    return;
  }
  const int64_t rows = extent_of(launch, 0), columns = extent_of(launch, 1);
  /* Each column is a stream of reads, of which the hardware follows 32 or so. */
  const int64_t column_bytes = unit_bytes < 4 ? NARROW_TILE_COLUMN_BYTES : TILE_COLUMN_BYTES;
  int64_t *extents = launch->chunk_extents;
  extents[0] = clamp(TILE_ROW_BYTES / unit_bytes, TILE_ROWS, INT64_MAX);
  extents[0] = clamp(extents[0], 1, rows);
  extents[1] = clamp(column_bytes / unit_bytes, 1, columns);
  /* Few rows leave room for more columns: longer runs of the destination. */
  extents[1] =
      clamp(TILE_BYTES / (extents[0] * unit_bytes) / LINE_BYTES * LINE_BYTES, extents[1], columns);
  /* An end that is shorter than a square would go unit by unit; let the last block but one have
   * it: two blocks as one. */
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): axes of a nest have an extent */
  if (columns % extents[1] < TILE_SIDE) {
    const int64_t blocks = columns / extents[1];
    extents[1] = clrs__divide_up(columns, blocks);
  }
  if (rows % extents[0] < TILE_SIDE) {
    const int64_t blocks = rows / extents[0];
    extents[0] = clrs__divide_up(rows, blocks);
  }
}

/* Blocks side by side read from other places of the source. Where rows are short, what follows them
 * there is read before those: the innermost of the outer axes goes inside the blocks of columns. */
static void split_columns(clrs_launch *launch, int64_t unit_bytes) {
  clrs_nest *nest = &launch->nest;
  const int64_t part = launch->chunk_extents[1];
  const uint32_t row = nest->axis_count - 2, column = row + 1;
  if (row == 0 || nest->axis_count >= clrs__launch_nest_axes(launch) ||
      nest->axes[row].extent >= SHORT_ROW_BYTES / unit_bytes ||
      clrs__magnitude(nest->axes[row - 1].source_stride) >= (uint64_t)(PAGE_BYTES / unit_bytes) ||
      part == nest->axes[column].extent || nest->axes[column].extent % part != 0 ||
      !clrs__nest_split_axis(nest, column, part)) {
    return;
  }
  const clrs_nest_axis parts = nest->axes[column];
  nest->axes[column] = nest->axes[row];
  nest->axes[row] = nest->axes[row - 1];
  nest->axes[row - 1] = parts;
}

/* Of at most `most`. */
static int64_t largest_divisor(int64_t extent, int64_t most) {
  int64_t divisor = most;
  while (extent % divisor != 0) {
    divisor--;
  }
  return divisor;
}

static void choose_rows(clrs_launch *launch, int64_t unit_bytes) {
  int64_t *extents = launch->chunk_extents;
  extents[1] = clamp((int64_t)2 * BLOCK_BYTES / unit_bytes, 1, extent_of(launch, 1));
  extents[0] = clamp((int64_t)2 * BLOCK_BYTES / (extents[1] * unit_bytes), 1, extent_of(launch, 0));
}

/* Short rows that follow each other in the source, but not in the destination, are moved a few of
 * each place at a time: neither side then goes to a new page with every row. */
static void split_rows(clrs_launch *launch, int64_t unit_bytes) {
  clrs_nest *nest = &launch->nest;
  const uint32_t row = nest->axis_count - 2;
  const int64_t page = PAGE_BYTES / unit_bytes;
  if (row == 0 || nest->axis_count >= clrs__launch_nest_axes(launch) ||
      nest->axes[row].extent <= MOST_SPLIT_ROWS ||
      nest->axes[row + 1].extent > SHORT_RUN_BYTES / unit_bytes ||
      clrs__magnitude(nest->axes[row].source_stride) < (uint64_t)page ||
      clrs__magnitude(nest->axes[row - 1].source_stride) >= (uint64_t)page) {
    return;
  }
  const int64_t part = largest_divisor(nest->axes[row].extent, MOST_SPLIT_ROWS);
  if (part < FEWEST_SPLIT_ROWS || !clrs__nest_split_axis(nest, row, part)) {
    return;
  }
  const clrs_nest_axis parts = nest->axes[row];
  nest->axes[row] = nest->axes[row - 1];
  nest->axes[row - 1] = parts;
  launch->chunk_extents[0] = part;
}

static void choose_strided(clrs_launch *launch, int64_t unit_bytes) {
  int64_t *extents = launch->chunk_extents;
  const bool near_rows = clrs__magnitude(clrs__block_axis(launch, 0)->source_stride) <
                         clrs__magnitude(clrs__block_axis(launch, 1)->source_stride);
  extents[0] = clamp(near_rows ? LINE_BYTES / unit_bytes : 1, 1, extent_of(launch, 0));
  extents[1] = clamp(BLOCK_BYTES / (extents[0] * unit_bytes), 1, extent_of(launch, 1));
  extents[0] = clamp(BLOCK_BYTES / (extents[1] * unit_bytes), extents[0], extent_of(launch, 0));
}

static void choose_nibbles(clrs_launch *launch) {
  launch->chunk_extents[0] = clamp((int64_t)2 * TILE_ROWS, 2, extent_of(launch, 0));
  launch->chunk_extents[1] = clamp((int64_t)2 * TILE_COLUMN_BYTES, 2, extent_of(launch, 1));
}

void clrs__launch_choose_extents(clrs_launch *launch) {
  const int64_t unit_bytes = launch->unit_bits < 8 ? 1 : launch->unit_bits / 8;
  const clrs_class kernel_class = launch->kernel_class;
  if (kernel_class == CLRS_CLASS_CPU_TILE) {
    choose_tile(launch, unit_bytes);
    split_columns(launch, unit_bytes);
  } else if (kernel_class == CLRS_CLASS_NIBBLE_TILE) {
    choose_nibbles(launch);
  } else if (kernel_class == CLRS_CLASS_FILL || kernel_class == CLRS_CLASS_CPU_ROWS) {
    choose_rows(launch, unit_bytes);
    split_rows(launch, unit_bytes);
  } else {
    choose_strided(launch, unit_bytes);
  }
  const int64_t block_bytes = launch->chunk_extents[0] * launch->chunk_extents[1] * unit_bytes;
  launch->chunks_per_item = clamp(ITEM_BYTES / block_bytes, 1, clrs__launch_blocks(launch));
}
