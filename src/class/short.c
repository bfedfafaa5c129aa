/*
 * Short axes: where the fastest axes are short on both sides, several are moved at a time. The
 * class cpu_short; volumes.c has that of GPUs.
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
 * Columns are as many of the destination's axes as fill a run without gaps; where other axes do the
 * same in the source, these are rows, and a chunk is turned like a tile. */

/* How many units that lie this many units apart can be read, each with its line, so that the lines
 * are still there when the next chunk reads what is beside. */
static int64_t units_that_stay(int64_t step, int64_t unit_bytes) {
  const int64_t line = CLRS_LINE_BYTES / unit_bytes, way = CLRS__SHORT_WAY_BYTES / unit_bytes;
  const int64_t apart = clrs__common_divisor(way, step);
  return step < line ? INT64_MAX
                     : clrs__exact_multiply(CLRS__SHORT_WAYS, way / (apart > line ? apart : line));
}

/* How much of an axis a run of so many units can take. */
static int64_t room_for(const clrs__nest_axis *axis, int64_t units, int64_t unit_bytes) {
  const int64_t bytes = CLRS_SHORT_BYTES / unit_bytes / units, table = CLRS_SHORT_UNITS / units;
  const int64_t stay = units_that_stay((int64_t)clrs__magnitude(axis->source_stride), unit_bytes);
  const int64_t least = CLRS__SHORT_LEAST_BYTES / unit_bytes / units;
  const int64_t cached = stay > least ? stay : least, most = bytes < table ? bytes : table;
  return cached < most ? cached : most;
}

/* How much of axis `at` a run of so many units takes with it; 1 if that has no room. Units that lie
 * in a row on both sides are not cut off: tables have whole ones. */
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

/* Makes a chunk of the inner axes that one run of the destination holds. Of a part that divides its
 * axis the nest gets an axis; another one comes with the words. */
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

/* Of a tile that is too narrow for squares, or whose rows in the destination are shorter than a
 * line: does a product of axes make that side longer? Of a tile of up to three lines, twice as
 * long? All four axes of 40x50x60x20 units of 32 bits reversed went from 0.20 to 0.45 so: tiles of
 * 20 by 40 became 80 by 240. But no where a tile reads at least a line of each run and writes whole
 * lines, so that nothing is staged: with wide units such a tile is the faster one. Of units of 32
 * bits, 32 rows by 16 columns are such a tile. */
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

/* Are runs on a side so short that it is better to gather larger chunks unit by unit? A chunk that
 * is turned ends where rows and columns would take the same axis. Bytes are better turned. */
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

/* Windows that overlap have runs on both sides and columns beside each other. A unit of 16 bytes is
 * a lane by itself: there is no kernel that turns these. */
static bool has_lanes_to_gather(const clrs__job *job) {
  return clrs__common_run(&job->nest) >= CLRS__LANE_BYTES / clrs__unit_bytes(job->unit_bits);
}

/* ---- blocks ---- */

/* Steps are within the span of the source. */
static int64_t reach_of(const clrs__nest_axis *axis) {
  return clrs__exact_multiply((int64_t)clrs__magnitude(axis->source_stride), axis->extent - 1);
}

/* Of so many units, the first and the last of which are `reach` apart in the source: are there no
 * more others between them than there are of these? */
static bool lie_together(int64_t units, int64_t reach) {
  return reach / CLRS__SHORT_MOST_SPREAD < units;
}

static int64_t most_block_units(int64_t unit_bytes) {
  const int64_t bytes =
      unit_bytes < 8 ? CLRS__SHORT_MOST_BLOCK_BYTES : CLRS__SHORT_MOST_WIDE_BLOCK_BYTES;
  return clrs__clamp(bytes / unit_bytes, 1, CLRS__SHORT_MOST_BLOCK_UNITS);
}

/* Do some of the last axes make a small block that lies together on both sides? Of many 5 by 11
 * matrices, a matrix is one. */
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

/* Makes a chunk of small blocks that lie side by side in the source too, if there are such. */
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

/* Is a run one of many blocks, made of several axes unit by unit? Tiles and any strides have a loop
 * for each part of such a run. What lies in a row on both sides is better copied as rows. */
static bool is_block(const clrs__cut *run) {
  const uint32_t outer = run->as.short_axes.outer_axis_count;
  return outer > 0 && run->nest.axis_count - outer > 1 && run->as.short_axes.run == 1;
}

/* A run of the destination that is long, or small blocks with gaps behind them. */
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
      clrs__short_rows(job, cut); /* or else it stays as it is */
    }
  } else if (!clrs__short_rows(job, cut) && !fit_run(job, is_required, cut)) {
    return false;
  }
  share(cut);
  return true;
}

/* Of inner axis `at`, which makes `extent` units with those inside it, a chunk has what makes
 * `part` units of them. Puts the axis that numbers such parts among the outer ones; gives its step
 * in the destination. */
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

/* The first of the last axes that have so many units together. */
static uint32_t first_axis_of(const clrs__nest *nest, int64_t units) {
  uint32_t first = nest->axis_count;
  for (int64_t inside = 1; inside < units;) {
    inside = clrs__exact_multiply(inside, nest->axes[--first].extent);
  }
  return first;
}

/* Rows, or columns, whose parts the axis with this step in the destination numbers, if any does. */
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
