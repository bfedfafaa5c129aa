/* SPDX-License-Identifier: Apache-2.0 */
#include "lattice.h"

#include "axes.h"
#include "checked.h"
#include "chunks.h"
#include "tuning.h"
#include "view.h"

/* The runs of a side that follow each other. All fields but per_tile are as in lattice.cl. */
typedef struct side {
  int64_t step, ratio, extent, per_tile;
  bool residues_follow; /* the runs of the next residue follow */
} side;

typedef struct lattice {
  side rows, columns;
  uint32_t column_axis;
  int64_t run, residues, block;
} lattice;

/* ---- finding a lattice ---- */

/* Orders the axes by steps in positions, the fastest last. Returns true if the axes count all
 * positions. */
static bool order_by_positions(clrs__nest *nest) {
  for (uint32_t i = 1; i < nest->axis_count; i++) {
    uint32_t at = i;
    while (at > 0 && nest->axes[at - 1].source_stride < nest->axes[i].source_stride) {
      at--;
    }
    clrs__move_axis(nest, i, at);
  }
  int64_t counted = 1;
  uint32_t i = nest->axis_count;
  for (; i > 0 && nest->axes[i - 1].source_stride == counted; i--) {
    counted = clrs__exact_multiply(counted, nest->axes[i - 1].extent);
  }
  return i == 0;
}

/* Units that lie side by side on both sides. */
static int64_t find_run(const clrs__walk *walk, const clrs__nest *nest) {
  const clrs_axis from = walk->axes[walk->axis_count - 1];
  const clrs__nest_axis to = nest->axes[nest->axis_count - 1];
  const bool is_run = from.stride == 1 && to.destination_stride == 1 && from.extent == to.extent;
  return is_run ? from.extent : 1;
}

static bool find_columns(const clrs__nest *nest, lattice *found) {
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    const clrs__nest_axis axis = nest->axes[i];
    if (axis.destination_stride == found->run) {
      found->column_axis = i;
      found->columns.step = axis.source_stride;
      found->columns.extent = axis.extent;
      found->block = clrs__exact_multiply(axis.source_stride, axis.extent);
      return nest->source_offset % found->block == 0;
    }
  }
  return false;
}

static bool find_rows(const clrs__walk *walk, lattice *found) {
  int64_t step = 1;
  for (uint32_t i = walk->axis_count; i > 0 && step < found->block; i--) {
    const clrs_axis axis = walk->axes[i - 1];
    const int64_t counted = clrs__exact_multiply(step, axis.extent);
    if (axis.stride == found->run && counted == found->block) {
      found->rows.step = step;
      found->rows.extent = axis.extent;
      return true;
    }
    step = counted;
  }
  return false;
}

/* Returns true if all residues lie side by side, each with all of its runs, and the runs are a part
 * of the block. */
static bool do_residues_follow(const lattice *found, const side *of, int64_t extent,
                               int64_t stride) {
  return extent % found->residues == 0 && stride == clrs__exact_multiply(of->extent, found->run);
}

static bool find_lattice(const clrs__walk *walk, const clrs__nest *nest, lattice *found) {
  found->run = find_run(walk, nest);
  if (!find_columns(nest, found) || !find_rows(walk, found)) {
    return false;
  }
  const int64_t divisor = clrs__common_divisor(found->rows.step, found->columns.step);
  const uint32_t past_run = found->run > 1 ? 2 : 1;
  found->residues = divisor / found->run;
  found->rows.ratio = found->rows.step / divisor;
  found->columns.ratio = found->columns.step / divisor;
  if (found->residues > 1) { /* each side then has an axis between run and found axis */
    const clrs_axis from = walk->axes[walk->axis_count - past_run];
    const clrs__nest_axis to = nest->axes[nest->axis_count - past_run];
    found->rows.residues_follow = do_residues_follow(found, &found->rows, from.extent, from.stride);
    found->columns.residues_follow =
        do_residues_follow(found, &found->columns, to.extent, to.destination_stride);
  }
  return true;
}

/* ---- tiles ---- */

static void choose_tile(const lattice *found, int64_t run_bytes, side *band, side *across) {
  const int64_t lines_per_lag = across->ratio / band->ratio;
  if (across->residues_follow && across->extent < CLRS__LATTICE_SHORT_BYTES / run_bytes &&
      across->extent <= across->per_tile / 2 && lines_per_lag >= CLRS__LATTICE_LEAST_LINES) {
    const int64_t tiles = clrs__divide_up(found->residues, across->per_tile / across->extent);
    band->per_tile = clrs__equal_part(lines_per_lag + 1, band->per_tile, 0);
    across->per_tile =
        clrs__exact_multiply(clrs__divide_up(found->residues, tiles), across->extent);
  } else {
    band->per_tile = clrs__equal_part(across->ratio, band->per_tile, 0);
    across->per_tile = clrs__equal_part(across->extent, across->per_tile, 0);
  }
}

/* Returns true if the kernel's products of ratios fit, including the terms that round up. The
 * product divides the block, and the sum is at most one more. Example: the ratios 3 and 2 fit if 3
 * + 2 is at most `most` - 6. */
static bool do_ratios_fit(const lattice *found, int64_t most) {
  const int64_t rows = found->rows.ratio, columns = found->columns.ratio;
  const int64_t sum = clrs__exact_multiply_add(rows, columns, 1);
  return sum <= most - clrs__exact_multiply(rows, columns);
}

/* The number of tiles in a block, at most the number of its runs. */
static int64_t count_tiles(const lattice *found, const side *band, const side *across) {
  if (across->per_tile > across->extent) {
    const int64_t parts = across->ratio / band->ratio / band->per_tile + 1;
    const int64_t groups = clrs__divide_up(found->residues, across->per_tile / across->extent);
    return clrs__exact_multiply(clrs__exact_multiply(parts, band->ratio), groups);
  }
  const int64_t parts = clrs__divide_up(across->extent, across->per_tile);
  const int64_t bands = clrs__divide_up(across->ratio, band->per_tile);
  return clrs__exact_multiply(clrs__exact_multiply(parts, bands), found->residues);
}

/* Limits a tile on both sides to the room of its stage. */
static void limit_tile(lattice *found, int64_t run_bytes) {
  const int64_t bytes = run_bytes == 1 ? CLRS__LATTICE_NARROW_COLUMN_BYTES
                        : found->run == 1 && run_bytes <= CLRS__WIDEST_TURNED_BYTES
                            ? CLRS__LATTICE_TURNED_COLUMN_BYTES
                            : CLRS__LATTICE_COLUMN_BYTES;
  const int64_t columns = clrs__clamp(bytes / run_bytes, 1, CLRS_LATTICE_LINES);
  const int64_t lines =
      clrs__divide_up(clrs__exact_multiply(columns, run_bytes), CLRS_LINE_BYTES) | 1;
  const int64_t rows = CLRS_LATTICE_STAGE_LINES / lines;
  found->columns.per_tile = columns;
  /* One row if the stage has no room: long runs are moved without a stage. */
  found->rows.per_tile = clrs__clamp(CLRS__LATTICE_ROW_BYTES / run_bytes, 1, rows);
}

static bool cut_tiles(lattice *found, clrs__cut *cut) {
  const int64_t run_bytes = clrs__exact_multiply(found->run, cut->unit_bits / 8);
  const bool by_rows = found->rows.ratio <= found->columns.ratio;
  side *band = by_rows ? &found->rows : &found->columns;
  side *across = by_rows ? &found->columns : &found->rows;
  const int64_t repeats = clrs__nest_repeats(&cut->nest, found->column_axis);
  const int64_t most = cut->index_bits == 32 ? INT32_MAX : INT64_MAX;
  limit_tile(found, run_bytes);
  choose_tile(found, run_bytes, band, across);
  if (!do_ratios_fit(found, most)) {
    return false;
  }
  const int64_t tile_bytes = clrs__exact_multiply(
      clrs__exact_multiply(found->rows.per_tile, found->columns.per_tile), run_bytes);
  cut->kind = CLRS__CUT_LATTICE;
  cut->work = clrs__exact_multiply(count_tiles(found, band, across), repeats);
  cut->share = clrs__clamp(clrs__item_bytes(&cut->nest, cut->unit_bits) / tile_bytes, 1, cut->work);
  cut->as.lattice.outer_axis_count = found->column_axis;
  cut->as.lattice.run = found->run;
  cut->as.lattice.rows = found->rows.per_tile;
  cut->as.lattice.columns = found->columns.per_tile;
  return true;
}

bool clrs__cut_lattice(const clrs__job *job, clrs__cut *cut) {
  lattice found = {.residues = 1};
  clrs__walk walk;
  clrs__view_level(job->stack, 0, &walk);
  if (job->unit_bits < 8 || job->stack->depth != 1 || walk.axis_count == 0 ||
      cut->nest.axis_count == 0) {
    return false;
  }
  const bool is_lattice = order_by_positions(&cut->nest) &&
                          find_lattice(&walk, &cut->nest, &found) && cut_tiles(&found, cut);
  if (!is_lattice) {
    clrs__nest_copy(&cut->nest, &job->nest);
  }
  return is_lattice;
}
