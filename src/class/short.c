/*
 * Short axes: if the fastest axes are short on both sides, several axes are moved at a time. The
 * class cpu_short. volumes.c has the class of GPUs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "classes.h"

#include "checked.h"
#include "chunks.h"
#include "compose.h"
#include "short_sides.h"
#include "tuning.h"

/* ---- CPU ----
 * Columns are as many of the destination's axes as fill a run without gaps. If other axes fill a
 * run of the source, these axes are rows, and a chunk is transposed like a tile. */

/* The number of units, `step` units apart, whose lines stay in the cache until the next chunk reads
 * the rest of the lines. Example: with units of 4 bytes a way has 16384 units and a line 16. Units
 * 4096 apart share 4 sets, so 8 ways keep 8 * 4 = 32 units. */
static int64_t units_that_stay(int64_t step, int64_t unit_bytes) {
  const int64_t line = CLRS_LINE_BYTES / unit_bytes, way = CLRS__SHORT_WAY_BYTES / unit_bytes;
  const int64_t apart = clrs__common_divisor(way, step);
  return step < line ? INT64_MAX
                     : clrs__exact_multiply(CLRS__SHORT_WAYS, way / (apart > line ? apart : line));
}

/* The largest part of an axis that a run of `units` units has room for. */
static int64_t room_for(const clrs__nest_axis *axis, int64_t units, int64_t unit_bytes) {
  const int64_t bytes = CLRS_SHORT_BYTES / unit_bytes / units, table = CLRS_SHORT_UNITS / units;
  const int64_t stay = units_that_stay((int64_t)clrs__magnitude(axis->source_stride), unit_bytes);
  const int64_t least = CLRS__SHORT_LEAST_BYTES / unit_bytes / units;
  const int64_t cached = stay > least ? stay : least, most = bytes < table ? bytes : table;
  return cached < most ? cached : most;
}

/* The part of axis `at` that a run of `units` units takes. Returns 1 if there is no room. Units in
 * a row on both sides are not cut, because tables have whole rows. */
static int64_t part_of_run(const clrs__job *job, const clrs__nest *nest, uint32_t at,
                           int64_t units) {
  const int64_t unit_bytes = clrs__unit_bytes(job->unit_bits);
  const int64_t extent = nest->axes[at].extent;
  const int64_t room = room_for(&nest->axes[at], units, unit_bytes);
  if (extent <= room) {
    return extent;
  }
  if (room <= 1 || nest->axis_count >= clrs__job_nest_room(job)) {
    return 1;
  }
  const int64_t inner_bytes = clrs__exact_multiply(units, unit_bytes);
  return units == 1 && clrs__common_run(nest) > 1 ? clrs__short_even_part(extent, room, inner_bytes)
                                                  : clrs__short_part(extent, room, inner_bytes);
}

/* Makes a chunk of the inner axes that one run of the destination holds. A part that divides its
 * axis becomes an axis of the nest. For any other part, the encoded words get an axis of parts. */
static void cut_run(const clrs__job *job, clrs__cut *cut) {
  clrs__nest *nest = &cut->nest;
  uint32_t first = nest->axis_count;
  int64_t units = 1, whole = 1;
  bool more = true;
  while (more && first > 0 && nest->axes[first - 1].destination_stride == units) {
    const int64_t extent = nest->axes[first - 1].extent;
    const int64_t part = part_of_run(job, nest, first - 1, units);
    const bool divides = extent % part == 0;
    more = part == extent;
    if (!more && (part == 1 || (divides && !clrs__nest_split_axis(nest, first - 1, part)))) {
      break;
    }
    first -= more || !divides ? 1 : 0;
    whole = clrs__exact_multiply(units, divides ? part : extent);
    units = clrs__exact_multiply(units, part);
  }
  cut->as.short_axes.outer_axis_count = first;
  cut->as.short_axes.turns = false;
  cut->as.short_axes.rows = 1;
  cut->as.short_axes.row_extent = 1;
  cut->as.short_axes.columns = (int32_t)units;
  cut->as.short_axes.column_extent = whole;
  cut->as.short_axes.run = units > 1 ? (int32_t)clrs__common_run(nest) : 1;
}

/* Compares the chunk with a tile that is too narrow for squares, or whose rows in the destination
 * are shorter than a line. Returns true if the product of axes makes that side longer. For a tile
 * of up to three lines, the side must become twice as long. Example: 40x50x60x20 units of 32 bits
 * with all four axes reversed went from 0.20 to 0.45, as tiles of 20 by 40 became 80 by 240.
 *
 * Returns false if a tile reads at least a line of each run and writes whole lines, so that nothing
 * is staged. For wide units that tile is faster. With units of 32 bits, an example is a tile of 32
 * rows by 16 columns. */
static bool is_wider_than_tile(const clrs__job *job, const clrs__cut *turned) {
  clrs__nest tile;
  clrs__nest_copy(&tile, &job->nest);
  if (clrs__arrange(&tile) != CLRS__TRANSPOSED) {
    return false;
  }
  const int64_t rows = clrs__chunk_axis(&tile, 0)->extent;
  const int64_t columns = clrs__chunk_axis(&tile, 1)->extent;
  const int64_t unit_bytes = clrs__unit_bytes(job->unit_bits);
  const int64_t line = CLRS_LINE_BYTES / unit_bytes;
  if (unit_bytes >= CLRS__SHORT_LEAST_TILED_UNIT_BYTES && rows >= line &&
      clrs__writes_lines(&tile, line)) {
    return false;
  }
  const bool is_narrow = columns < CLRS__SQUARE_SIDE || columns < line;
  return (rows < CLRS__SQUARE_SIDE && turned->as.short_axes.rows > rows) ||
         (is_narrow && turned->as.short_axes.columns > columns) ||
         (columns / line < CLRS__SHORT_WIDER_TILE_LINES &&
          turned->as.short_axes.columns / 2 >= columns && turned->as.short_axes.rows >= line);
}

/* Returns true if runs on a side are so short that gathering larger chunks unit by unit is faster.
 * A transposed chunk ends at an axis that both rows and columns would take. Bytes are faster
 * transposed. */
static bool is_narrow(const clrs__cut *turned) {
  const int64_t least = CLRS__SHORT_TURNED_LEAST_SIDE_BYTES / clrs__unit_bytes(turned->unit_bits);
  return turned->unit_bits > 8 &&
         (turned->as.short_axes.rows < least || turned->as.short_axes.columns < least);
}

static void share(clrs__cut *cut) {
  const uint32_t outer = cut->as.short_axes.outer_axis_count;
  const int64_t row_parts = clrs__divide_up(cut->as.short_axes.row_extent, cut->as.short_axes.rows);
  const int64_t column_parts =
      clrs__divide_up(cut->as.short_axes.column_extent, cut->as.short_axes.columns);
  const int64_t units = clrs__exact_multiply(cut->as.short_axes.rows, cut->as.short_axes.columns);
  const int64_t bytes = clrs__exact_multiply(units, clrs__unit_bytes(cut->unit_bits));
  clrs__nest_sort_outer_axes(&cut->nest, outer);
  cut->kind = CLRS__CUT_SHORT;
  cut->work = clrs__exact_multiply(clrs__nest_repeats(&cut->nest, outer),
                                   clrs__exact_multiply(row_parts, column_parts));
  cut->share = clrs__clamp(clrs__item_bytes(&cut->nest, cut->unit_bits) / bytes, 1, cut->work);
}

/* Overlapping windows have runs on both sides and columns beside each other. A unit of 16 bytes is
 * a lane alone, and no kernel transposes units of 16 bytes. */
static bool has_lanes_to_gather(const clrs__job *job) {
  return clrs__common_run(&job->nest) >= CLRS__LANE_BYTES / clrs__unit_bytes(job->unit_bits);
}

/* ---- blocks ---- */

/* The distance in the source from the first to the last step, which is within the span of the
 * source. */
static int64_t reach_of(const clrs__nest_axis *axis) {
  return clrs__exact_multiply((int64_t)clrs__magnitude(axis->source_stride), axis->extent - 1);
}

/* `reach` is the distance in the source between the first and the last of `units` units. Returns
 * true if at most as many other units lie in between. */
static bool lie_together(int64_t units, int64_t reach) {
  return reach / CLRS__SHORT_MOST_SPREAD < units;
}

static int64_t most_block_units(int64_t unit_bytes) {
  const int64_t bytes =
      unit_bytes < 8 ? CLRS__SHORT_MOST_BLOCK_BYTES : CLRS__SHORT_MOST_WIDE_BLOCK_BYTES;
  return clrs__clamp(bytes / unit_bytes, 1, CLRS__SHORT_MOST_BLOCK_UNITS);
}

/* Returns true if some of the last axes make a small block that lies together on both sides.
 * Example: each of many 5 by 11 matrices is a block. */
static bool has_small_blocks(const clrs__job *job) {
  const int64_t most = most_block_units(clrs__unit_bytes(job->unit_bits));
  int64_t units = 1, reach = 0;
  for (uint32_t i = job->nest.axis_count; i > 0; i--) {
    const clrs__nest_axis *axis = &job->nest.axes[i - 1];
    if (axis->destination_stride != units || axis->extent > most / units) {
      return false;
    }
    units = clrs__exact_multiply(units, axis->extent);
    reach += reach_of(axis);
    if (lie_together(units, reach)) {
      return true;
    }
  }
  return false;
}

static bool is_long_run(const clrs__cut *run) {
  const int64_t bytes =
      clrs__exact_multiply(run->as.short_axes.columns, clrs__unit_bytes(run->unit_bits));
  return bytes >= CLRS__SHORT_LEAST_BYTES;
}

/* Makes a chunk of small blocks if the blocks lie side by side in the source as well. Returns false
 * otherwise. */
static bool cut_blocks(const clrs__job *job, clrs__cut *cut) {
  if (!has_small_blocks(job)) {
    return false;
  }
  cut_run(job, cut);
  int64_t reach = 0;
  for (uint32_t i = cut->as.short_axes.outer_axis_count; i < cut->nest.axis_count; i++) {
    reach += reach_of(&cut->nest.axes[i]);
  }
  if (is_long_run(cut) && lie_together(cut->as.short_axes.column_extent, reach)) {
    return true;
  }
  clrs__nest_copy(&cut->nest, &job->nest);
  return false;
}

/* Returns true if a run is one of many blocks, made of several axes unit by unit. Tiles and any
 * strides have a loop for each part of the run. Runs of both sides are faster copied as rows. */
static bool is_block(const clrs__cut *run) {
  const uint32_t outer = run->as.short_axes.outer_axis_count;
  return outer > 0 && run->nest.axis_count - outer > 1 && run->as.short_axes.run == 1;
}

/* Accepts a long run of the destination, or small blocks with gaps behind them. */
static bool fit_run(const clrs__job *job, bool is_required, clrs__cut *cut) {
  cut_run(job, cut);
  if (is_long_run(cut)) {
    return true;
  }
  cut->merit = CLRS__CPU_BLOCKS_APART_MERIT;
  return is_required || is_block(cut);
}

static bool fit_cpu(const clrs__job *job, bool is_required, clrs__cut *cut) {
  cut->merit = CLRS__CPU_SHORT_MERIT;
  if (cut_blocks(job, cut)) {
    cut->merit = CLRS__CPU_BLOCKS_MERIT;
  } else if (!has_lanes_to_gather(job) && clrs__short_turned(job, cut)) {
    cut->merit = is_wider_than_tile(job, cut) ? CLRS__CPU_TURNED_WIDER_MERIT : cut->merit;
    if (is_narrow(cut)) {
      clrs__short_rows(job, cut); /* if not, the cut stays as it is */
    }
  } else if (!clrs__short_rows(job, cut) && !fit_run(job, is_required, cut)) {
    return false;
  }
  share(cut);
  return true;
}

/* A chunk has `part` of the `extent` units of inner axis `at` and the axes inside it. Inserts the
 * axis that numbers the parts among the outer axes. Returns the step of the new axis in the
 * destination. Example: 97 steps of 4 units are 388 units. A part of 128 units is 32 steps, and the
 * new axis has 4 parts, the last with 1 step. */
static int64_t insert_parts(clrs__nest *nest, uint32_t at, int64_t extent, int64_t part,
                            uint32_t *outer) {
  clrs__nest_axis parts = nest->axes[at];
  const int64_t steps = part / (extent / parts.extent);
  nest->axes[at].extent = steps;
  parts.extent = clrs__divide_up(parts.extent, steps);
  parts.source_stride = clrs__exact_multiply(parts.source_stride, steps); /* within the span */
  parts.destination_stride = clrs__exact_multiply(parts.destination_stride, steps);
  nest->axes[nest->axis_count++] = parts;
  clrs__move_axis(nest, nest->axis_count - 1, (*outer)++);
  return parts.destination_stride;
}

/* The first of the last axes that together have `units` units. */
static uint32_t first_axis_of(const clrs__nest *nest, int64_t units) {
  uint32_t first = nest->axis_count;
  for (int64_t inside = 1; inside < units;) {
    inside = clrs__exact_multiply(inside, nest->axes[--first].extent);
  }
  return first;
}

/* The words of rows, or columns. If an axis has the step `step` in the destination, the axis
 * numbers the parts. */
static clrs__chunk_axis_words words_of_parts(const clrs__words *words, int64_t extent, int64_t part,
                                             int64_t step) {
  int64_t axis = words->outer_axis_count - 1;
  while (axis >= 0 && (step == 0 || words->axes[axis].destination_stride != step)) {
    axis--;
  }
  return (clrs__chunk_axis_words){.extent = extent, .chunk_extent = part, .parts_axis = axis};
}

static void encode_cpu(const clrs__cut *cut, clrs__words *words) {
  const int64_t rows = cut->as.short_axes.rows, columns = cut->as.short_axes.columns;
  const int64_t row_extent = cut->as.short_axes.row_extent, run = cut->as.short_axes.run;
  const int64_t column_extent = cut->as.short_axes.column_extent;
  uint32_t outer = cut->as.short_axes.outer_axis_count;
  int64_t row_step = 0, column_step = 0;
  clrs__nest nest;
  clrs__nest_copy(&nest, &cut->nest);
  if (column_extent != columns) {
    column_step =
        insert_parts(&nest, first_axis_of(&nest, column_extent), column_extent, columns, &outer);
  }
  if (row_extent != rows) {
    row_step = insert_parts(&nest, outer, row_extent, rows, &outer);
  }
  clrs__nest_sort_outer_axes(&nest, outer);
  clrs__encode_axes(cut, &nest, words);
  words->outer_axis_count = outer;
  words->units_per_row = columns;
  words->units_per_run = run;
  words->has_turned_rows = cut->as.short_axes.turns;
  words->row = words_of_parts(words, row_extent, rows, row_step);
  words->column = words_of_parts(words, column_extent / run, columns / run, column_step);
}

const clrs__class clrs__cpu_short = {
    .name = "cpu_short",
    .needs = "units of whole bytes and axes that source and destination share",
    .execution = CLRS_EXECUTION_CPU,
    .unit_widths = 8 | 16 | 32 | 64 | 128,
    .from = CLRS__FROM_SOURCE,
    .own = CLRS__OWN_RUN,
    .chunk_files = {"transpose", "columns", "shuffles"},
    .best = CLRS__CPU_TURNED_WIDER_MERIT,
    .fit = fit_cpu,
    .encode = encode_cpu};
