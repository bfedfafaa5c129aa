/*
 * Tiles: the source is contiguous along rows, the destination along columns. The classes cpu_tile
 * and gpu_tile.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "classes.h"

#include "checked.h"
#include "compose.h"
#include "grid.h"
#include "rows.h"
#include "tuning.h"

/* ---- CPU ---- */

/* The most columns with room in the kernel's stage, at `lines` lines each, without the columns that
 * a chunk takes from the next chunk (kernels/cpu_tile.cl). */
static int64_t columns_staged(int64_t lines, int64_t line_units) {
  const int64_t most = CLRS_STAGE_LINES / (lines | 1);
  return clrs__clamp(most, 1, CLRS_STAGE_COLUMNS) - line_units;
}

/* Chooses runs of the source and rows of the destination of some lines each, so that the kernel can
 * stage them. */
static void cut_staged(clrs__cut *cut, int64_t unit_bytes) {
  const int64_t rows = clrs__chunk_axis(&cut->nest, 0)->extent;
  const int64_t columns = clrs__chunk_axis(&cut->nest, 1)->extent;
  const int64_t line = CLRS_LINE_BYTES / unit_bytes;
  const int64_t widest =
      clrs__clamp(CLRS__TILE_STAGED_ROW_BYTES / unit_bytes, line, CLRS__TILE_STAGED_ROW_UNITS);
  const int64_t staged = columns < widest ? columns : widest + line;
  const int64_t read = CLRS_COLUMNS_READ(staged, line);
  const int64_t most_bytes =
      clrs__exact_multiply(clrs__item_bytes(&cut->nest, cut->unit_bits), CLRS__TILE_STAGED_ITEMS);
  const int64_t shared = most_bytes / clrs__exact_multiply(staged, CLRS_LINE_BYTES);
  const int64_t room = CLRS_STAGE_LINES / read - 1;
  const int64_t lines =
      clrs__clamp((shared < room ? shared : room) | 1, 1, CLRS__TILE_STAGED_RUN_LINES);
  int64_t *extents = cut->as.chunks.extents;
  extents[0] = clrs__equal_part(rows, clrs__exact_multiply(CLRS_LINE_BYTES, lines) / unit_bytes,
                                line / CLRS_LANES_PER_LINE);
  const int64_t most = columns_staged(clrs__divide_up(extents[0], line), line);
  extents[1] = columns <= most + line ? columns : clrs__equal_part(columns, most, line);
}

/* A last chunk that is shorter than a square costs as much as a square. Slightly larger chunks
 * avoid a short last chunk. Example: 100 steps in chunks of 32 leave a last chunk of 4. In three
 * chunks of 34 steps, the last chunk has 32. */
static int64_t without_short_end(int64_t extent, int64_t chunk) {
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): axes of a nest have an extent */
  return extent % chunk < CLRS__SQUARE_SIDE ? clrs__divide_up(extent, extent / chunk) : chunk;
}

static void cut_lines(clrs__cut *cut, int64_t unit_bytes) {
  const int64_t rows = clrs__chunk_axis(&cut->nest, 0)->extent;
  const int64_t columns = clrs__chunk_axis(&cut->nest, 1)->extent;
  /* Each column is a stream of reads. The hardware follows about 32 streams. */
  const int64_t column_bytes =
      unit_bytes < 4 ? CLRS__TILE_NARROW_COLUMN_BYTES : CLRS__TILE_COLUMN_BYTES;
  int64_t *extents = cut->as.chunks.extents;
  extents[0] = clrs__clamp(
      clrs__clamp(CLRS__TILE_ROW_BYTES / unit_bytes, CLRS__TILE_ROWS, INT64_MAX), 1, rows);
  extents[1] = clrs__clamp(column_bytes / unit_bytes, 1, columns);
  /* A chunk of few rows has room for more columns, which are longer runs of the destination. */
  const int64_t room = CLRS__TILE_BYTES / clrs__exact_multiply(extents[0], unit_bytes);
  extents[1] = clrs__clamp(room - room % CLRS_LINE_BYTES, extents[1], columns);
  extents[1] = without_short_end(columns, extents[1]);
  extents[0] = without_short_end(rows, extents[0]);
}

/* Chunks side by side read from distant places of the source. If rows are short, the data behind
 * the rows is read first: the innermost outer axis moves inside the chunks of columns. */
static void split_columns(clrs__cut *cut, int64_t unit_bytes) {
  clrs__nest *nest = &cut->nest;
  const int64_t part = cut->as.chunks.extents[1];
  const uint32_t row = nest->axis_count - 2, column = row + 1;
  if (row > 0 && nest->axis_count < clrs__cut_nest_room(cut) &&
      nest->axes[row].extent < CLRS__TILE_SHORT_ROW_BYTES / unit_bytes &&
      clrs__magnitude(nest->axes[row - 1].source_stride) <
          (uint64_t)(CLRS__PAGE_BYTES / unit_bytes) &&
      part != nest->axes[column].extent && nest->axes[column].extent % part == 0 &&
      clrs__nest_split_axis(nest, column, part)) {
    clrs__move_axis(nest, column, row - 1);
  }
}

/* A narrow matrix with runs near each other in the source is staged in source order. Staging is
 * faster than a table entry for each unit if there are enough units of 1 or 2 bytes. 5 by 292 bytes
 * took half the time, 7 by 20 bytes three times as long. */
static bool is_staged_whole(const clrs__nest *nest, int64_t unit_bytes) {
  const clrs__nest_axis *row = clrs__chunk_axis(nest, 0), *column = clrs__chunk_axis(nest, 1);
  return unit_bytes <= CLRS__TILE_WIDEST_WHOLE_BYTES && column->source_stride >= row->extent &&
         column->source_stride / 2 <= row->extent &&
         row->extent >= clrs__divide_up(CLRS__TILE_LEAST_WHOLE_UNITS, column->extent);
}

/* cpu_short could not make short rows with gaps between them any longer. */
static bool is_narrow(const clrs__nest *nest, int64_t unit_bytes) {
  const int64_t rows = clrs__chunk_axis(nest, 0)->extent;
  const int64_t columns = clrs__chunk_axis(nest, 1)->extent;
  const bool has_short_side =
      rows < CLRS__TILE_SHORT_SIDE_BYTES / unit_bytes ||
      (columns < CLRS__TILE_SHORTEST_GOOD_SIDE && !clrs__leaves_gaps(nest, columns));
  return has_short_side && !is_staged_whole(nest, unit_bytes);
}

/* A required tile may have any width. */
static bool arrange_required(clrs__nest *nest) {
  clrs__complete_axes(nest);
  clrs__choose_row_axis(nest);
  return clrs__is_transposed(nest);
}

static bool fit_cpu(const clrs__job *job, bool is_required, clrs__cut *cut) {
  const int64_t unit_bytes = clrs__unit_bytes(job->unit_bits);
  if (is_required ? !arrange_required(&cut->nest) : clrs__arrange(&cut->nest) != CLRS__TRANSPOSED) {
    return false;
  }
  const bool has_lines = clrs__writes_lines(&cut->nest, CLRS_LINE_BYTES / unit_bytes);
  cut->merit = is_narrow(&cut->nest, unit_bytes) ? CLRS__CPU_SHORT_RUNS_MERIT
               : has_lines                       ? CLRS__CPU_TILE_OF_LINES_MERIT
                                                 : CLRS__CPU_TILE_MERIT;
  clrs__nest_sort_outer_axes(&cut->nest, cut->nest.axis_count - 2);
  if (has_lines) {
    cut_lines(cut, unit_bytes);
    split_columns(cut, unit_bytes);
  } else {
    cut_staged(cut, unit_bytes);
  }
  clrs__share_chunks(cut);
  return true;
}

const clrs__class clrs__cpu_tile = {
    .name = "cpu_tile",
    .needs = "units of whole bytes, an axis that is contiguous in the source alone and one that is "
             "contiguous in the destination alone",
    .execution = CLRS_EXECUTION_CPU,
    .unit_widths = 8 | 16 | 32 | 64 | 128,
    .from = CLRS__FROM_SOURCE,
    .chunk_files = {"transpose", "turn"},
    .best = CLRS__CPU_TILE_OF_LINES_MERIT,
    .fit = fit_cpu,
    .encode = clrs__encode_pieces};

/* ---- GPU ---- */

/* Sets the rows and columns of a tile. */
static bool choose_size(const clrs__job *job, clrs__cut *cut) {
  if (clrs__is_for_cpu(job) || !clrs__halve_groups(job->limits, 0, &cut->halvings)) {
    return false;
  }
  cut->as.chunks.extents[0] = CLRS_TILE_ROWS(job->unit_bits, clrs__cut_group(cut));
  cut->as.chunks.extents[1] = CLRS_TILE_COLUMNS(job->unit_bits, clrs__cut_group(cut));
  return true;
}

/* The place of the axis along which the source is contiguous. Returns the place of the column if no
 * axis is contiguous. */
static uint32_t find_row(const clrs__nest *nest) {
  uint32_t row = nest->axis_count - 1;
  while (row > 0 && nest->axes[row - 1].source_stride != 1) {
    row--;
  }
  return row > 0 ? row - 1 : nest->axis_count - 1;
}

/* A side is wide if it consists of vectors: runs along rows of the source, or along columns of the
 * destination. */
static void find_wide_sides(const clrs__job *job, uint32_t row, uint32_t column, clrs__cut *cut) {
  const clrs__nest *nest = &job->nest;
  const int64_t units = CLRS_VECTOR_UNITS(job->unit_bits);
  bool source = job->source_alignment % CLRS_VECTOR_BYTES == 0 &&
                nest->source_offset % units == 0 && nest->axes[row].extent % units == 0;
  bool destination = job->destination_alignment % CLRS_VECTOR_BYTES == 0 &&
                     nest->destination_offset % units == 0 &&
                     nest->axes[column].extent % units == 0;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    source = source && (i == row || nest->axes[i].source_stride % units == 0);
    destination = destination && (i == column || nest->axes[i].destination_stride % units == 0);
  }
  cut->wide_source = source;
  cut->wide_destination = destination;
}

static bool fit_gpu(const clrs__job *job, bool is_required, clrs__cut *cut) {
  const int64_t *extents = cut->as.chunks.extents;
  if (!choose_size(job, cut) || (!is_required && clrs__has_long_runs(job))) {
    return false;
  }
  const uint32_t column = job->nest.axis_count - 1, row = find_row(&job->nest);
  if (row == column || job->nest.axes[column].destination_stride != 1) {
    return false;
  }
  const int64_t busy = clrs__part_in_use(job->nest.axes[row].extent, extents[0],
                                         job->nest.axes[column].extent, extents[1]);
  if (!is_required && busy < CLRS__GPU_TILE_BUSY_ENOUGH) {
    return false;
  }
  clrs__move_axis(&cut->nest, row, column - 1);
  find_wide_sides(job, row, column, cut);
  cut->kind = CLRS__CUT_CHUNKS;
  cut->work = clrs__chunk_count(cut);
  cut->merit = CLRS__GPU_TILE_MERIT;
  return true;
}

const clrs__class clrs__gpu_tile = {
    .name = "gpu_tile",
    .needs = "whole bytes, an axis that is contiguous in the source alone and one that is "
             "contiguous in the destination alone, GPU execution, and a device with work-groups of "
             "64 items and 4 KiB of local memory",
    .execution = CLRS_EXECUTION_GPU,
    .unit_widths = 8 | 16 | 32 | 64 | 128,
    .from = CLRS__FROM_SOURCE,
    .takes_groups = true,
    .files = {"gpu_turn"},
    .best = CLRS__GPU_TILE_MERIT,
    .fit = fit_gpu,
    .encode = clrs__encode_group_pieces};
