/*
 * Rows: source and destination share their fastest axis. The classes cpu_rows and gpu_rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rows.h"

#include "checked.h"
#include "classes.h"
#include "compose.h"
#include "grid.h"
#include "tuning.h"

/* ---- CPU ---- */

static bool has_short_rows(const clrs__nest *nest, int64_t unit_bytes) {
  const int64_t columns = clrs__chunk_axis(nest, 1)->extent, line = CLRS_LINE_BYTES / unit_bytes;
  return columns < line || (columns % line != 0 && columns < CLRS__ROWS_SHORT_BYTES / unit_bytes);
}

/* The axis along which rows are nearest in the source. Axes with overlapping rows do not count. */
static uint32_t nearest_rows(const clrs__nest *nest) {
  const uint64_t columns = (uint64_t)clrs__chunk_axis(nest, 1)->extent;
  uint32_t nearest = nest->axis_count - 2;
  uint64_t least = UINT64_MAX;
  for (uint32_t i = nest->axis_count - 1; i > 0; i--) {
    const clrs__nest_axis *rows = &nest->axes[i - 1];
    const uint64_t step = clrs__magnitude(rows->source_stride);
    if (rows->extent > 1 && step >= columns && step < least) {
      least = step;
      nearest = i - 1;
    }
  }
  return nearest;
}

void clrs__cut_rows(clrs__cut *cut, int64_t most_bytes, int64_t most_rows) {
  const int64_t unit_bytes = clrs__unit_bytes(cut->unit_bits);
  const clrs__nest_axis *rows = clrs__chunk_axis(&cut->nest, 0);
  int64_t *extents = cut->as.chunks.extents;
  clrs__nest_sort_outer_axes(&cut->nest, cut->nest.axis_count - 2);
  extents[1] = clrs__clamp(most_bytes / unit_bytes, 1, clrs__chunk_axis(&cut->nest, 1)->extent);
  extents[0] = clrs__clamp(most_bytes / clrs__exact_multiply(extents[1], unit_bytes), 1,
                           rows->extent < most_rows ? rows->extent : most_rows);
  clrs__share_chunks(cut);
}

/* Rows that the kernel fetches a chunk ahead are read in the order of the source, enough rows of
 * one place for several lines. Example: 12251 rows of 128 bytes of each of 16 heads. If the rows of
 * a head are neighbours, 64 rows of a head are read at a time, head after head. If the heads of a
 * place are neighbours, the 16 rows of a place are read in order. */
static void cut_fetched_rows(clrs__cut *cut, int64_t row_bytes) {
  clrs__nest *nest = &cut->nest;
  const uint32_t nearest = nearest_rows(nest);
  if (nest->axes[nearest].extent >= clrs__divide_up(CLRS__ROWS_LEAST_NEAR_BYTES, row_bytes)) {
    clrs__move_axis(nest, nearest, nest->axis_count - 2);
  }
  clrs__cut_rows(cut, CLRS__ROWS_FETCHED_CHUNK_BYTES, CLRS__ROWS_MOST_FETCHED);
}

/* The rows of a gather or a scatter lie anywhere. A chunk has the rows of its work-item, in the
 * order of the listed side. If no axis is a run, a row is a unit. */
static bool fit_named(clrs__cut *cut) {
  clrs__nest *nest = &cut->nest;
  clrs__end_in_run(nest);
  clrs__complete_axes(nest);
  const int64_t unit_bytes = clrs__unit_bytes(cut->unit_bits);
  int64_t *extents = cut->as.chunks.extents;
  extents[1] =
      clrs__clamp(CLRS__NAMED_ROW_BYTES / unit_bytes, 1, clrs__chunk_axis(nest, 1)->extent);
  extents[0] = clrs__clamp(CLRS__ITEM_BYTES / clrs__exact_multiply(extents[1], unit_bytes), 1,
                           clrs__chunk_axis(nest, 0)->extent);
  clrs__share_chunks(cut);
  cut->merit = CLRS__CPU_ROWS_MERIT;
  return true;
}

static bool fit_cpu(const clrs__job *job, bool is_required, clrs__cut *cut) {
  (void)is_required;
  if (job->from == CLRS__BY_INDEX) {
    return fit_named(cut);
  }
  if (clrs__arrange(&cut->nest) != CLRS__RUN) {
    return false;
  }
  const int64_t unit_bytes = clrs__unit_bytes(job->unit_bits);
  const int64_t columns = clrs__chunk_axis(&cut->nest, 1)->extent;
  const bool is_short = has_short_rows(&cut->nest, unit_bytes);
  cut->merit = is_short ? CLRS__CPU_SHORT_RUNS_MERIT : CLRS__CPU_ROWS_MERIT;
  if (columns <= CLRS_FETCHED_ROW_BYTES / unit_bytes) {
    cut_fetched_rows(cut, clrs__exact_multiply(columns, unit_bytes));
  } else {
    clrs__cut_rows(cut, CLRS__ROWS_CHUNK_BYTES, INT64_MAX);
  }
  return true;
}

static clrs__nest_axis outer_axis(const clrs__words *words, int64_t at) {
  const clrs__nest_axis_words *axis = &words->axes[at];
  return CLRS__NEST_AXIS(axis->extent, axis->source_stride, axis->destination_stride);
}

/* The axis that numbers parts of rows is sorted among the outer axes, the nearest last. Example: of
 * 12251 rows of each of 16 heads, the first 64 rows of all heads come before the next 64 rows. */
static void sort_row_parts(clrs__words *words) {
  const clrs__nest_axis_words parts = words->axes[words->row.parts_axis];
  const clrs__nest_axis axis = outer_axis(words, words->row.parts_axis);
  int64_t *at = &words->row.parts_axis;
  for (; *at > 0; --*at) {
    const clrs__nest_axis before = outer_axis(words, *at - 1);
    if (clrs__nearer_step(&before) >= clrs__nearer_step(&axis)) {
      break;
    }
    words->axes[*at] = words->axes[*at - 1];
  }
  words->axes[*at] = parts;
}

/* A chunk with all columns, or all rows, needs no digit for that axis. */
static void drop_parts(clrs__words *words, clrs__chunk_axis_words *axis) {
  if (axis->extent <= axis->chunk_extent && words->axis_count == axis->parts_axis + 1) {
    words->axis_count = axis->parts_axis;
    axis->parts_axis = -1;
  }
}

static void encode_cpu(const clrs__cut *cut, clrs__words *words) {
  clrs__encode_pieces(cut, words);
  drop_parts(words, &words->column);
  drop_parts(words, &words->row);
  if (words->row.parts_axis >= 0) {
    sort_row_parts(words);
  }
}

const clrs__class clrs__cpu_rows = {.name = "cpu_rows",
                                    .needs =
                                        "whole bytes and one axis that is contiguous on both sides",
                                    .execution = CLRS_EXECUTION_CPU,
                                    .unit_widths = 8 | 16 | 32 | 64 | 128,
                                    .from = CLRS__FROM_SOURCE | CLRS__BY_INDEX,
                                    .best = CLRS__CPU_ROWS_MERIT,
                                    .fit = fit_cpu,
                                    .encode = encode_cpu};

/* ---- GPU ----
 * A work-group moves a rectangle. The kernel fixes the size of the rectangle. The width is a power
 * of two. The host chooses the axis of the rows and the width of the rectangle. The host also
 * checks that enough of the group's work-items have something to do. */

bool clrs__has_long_runs(const clrs__job *job) {
  const clrs__nest_axis *column = &job->nest.axes[job->nest.axis_count - 1];
  return clrs__magnitude(column->source_stride) <= 1 && column->destination_stride == 1 &&
         column->extent >= CLRS__GPU_LONG_RUN_BYTES / clrs__unit_bytes(job->unit_bits);
}

int64_t clrs__part_in_use(int64_t rows, int64_t chunk_rows, int64_t columns,
                          int64_t chunk_columns) {
  return clrs__exact_multiply(clrs__chunks_in_use(rows, chunk_rows),
                              clrs__chunks_in_use(columns, chunk_columns)) /
             1000 +
         1;
}

typedef struct choice {
  uint32_t row; /* the place of the row axis, or of the column if there is no row axis */
  int64_t extents[2];
  int64_t busy; /* per mille */
} choice;

/* The pieces of a group and of a row: units, or blocks of several units. */
typedef struct pieces {
  int64_t in_group, shortest; /* shortest: part of a row that a group takes if there is as much */
  int64_t in_row, units;      /* units: of a piece */
} pieces;

/* Returns true if all rows begin and end at blocks. */
static bool has_whole_blocks(const clrs__job *job) {
  const clrs__nest *nest = &job->nest;
  const int64_t units = clrs__block_units(job->unit_bits);
  bool whole = job->destination_alignment % CLRS_BLOCK_BYTES == 0 &&
               nest->destination_offset % units == 0 &&
               nest->axes[nest->axis_count - 1].extent % units == 0;
  for (uint32_t i = 0; i + 1 < nest->axis_count; i++) {
    whole = whole && nest->axes[i].destination_stride % units == 0;
  }
  return whole;
}

/* Returns true if rows are contiguous on both sides, as long as some blocks, and made of units
 * narrower than a word. Wider units are as fast without blocks. */
static bool takes_blocks(const clrs__job *job) {
  const clrs__nest_axis *column = &job->nest.axes[job->nest.axis_count - 1];
  return job->unit_bits <= 16 && column->source_stride == 1 && column->destination_stride == 1 &&
         column->extent / clrs__block_units(job->unit_bits) >= CLRS__GPU_FEWEST_BLOCKS;
}

/* A row may begin anywhere in its first block. Example: a row of 5 bytes can lie in two blocks. */
static pieces pieces_of(const clrs__job *job, int64_t items, bool are_blocks) {
  const int64_t units = are_blocks ? clrs__block_units(job->unit_bits) : 1;
  const int64_t columns = job->nest.axes[job->nest.axis_count - 1].extent;
  const int64_t outside = are_blocks && !has_whole_blocks(job) ? units - 1 : 0;
  const int loads = are_blocks ? CLRS_ROW_BLOCKS : CLRS_LOADS(job->unit_bits);
  return (pieces){clrs__exact_multiply(items, loads),
                  CLRS__GPU_SHORTEST_ROW_BYTES /
                      clrs__exact_multiply(units, clrs__unit_bytes(job->unit_bits)),
                  clrs__divide_up(columns + outside, units), units};
}

/* Tries widths from large to small, beginning with the widest that is not half empty. */
static void try_row(const clrs__job *job, uint32_t row, pieces p, choice *best) {
  const clrs__nest *nest = &job->nest;
  const int64_t rows = row + 1 == nest->axis_count ? 1 : nest->axes[row].extent;
  int64_t width = p.in_group;
  while (width / 2 >= p.in_row) {
    width /= 2;
  }
  while (best->busy < CLRS__GPU_ROWS_BUSY) {
    const int64_t busy = clrs__part_in_use(rows, p.in_group / width, p.in_row, width);
    if (busy > best->busy) {
      const int64_t columns = clrs__exact_multiply(width, p.units);
      *best = (choice){row, {p.in_group / width, columns}, busy};
    }
    if (width <= p.shortest) {
      return;
    }
    width /= 2;
  }
}

/* Rows that repeat gathered data: as much of a column as makes a group of short rows. Example: a
 * column of a matrix that is repeated 622 times is read once for 128 repeats. */
static choice choose_repeats(const clrs__job *job, pieces p) {
  const clrs__nest *nest = &job->nest;
  const uint32_t column = nest->axis_count - 1;
  const int64_t least = CLRS__GPU_LONG_RUN_BYTES / clrs__unit_bytes(job->unit_bits);
  choice best = {.busy = 0};
  for (uint32_t row = column; row > 0 && clrs__magnitude(nest->axes[column].source_stride) > 1;) {
    row--;
    if (nest->axes[row].source_stride == 0) {
      int64_t width = p.in_group;
      while (width > least && p.in_group / width < nest->axes[row].extent) {
        width /= 2;
      }
      const int64_t busy =
          clrs__part_in_use(nest->axes[row].extent, p.in_group / width, p.in_row, width);
      best = busy > best.busy ? (choice){row, {p.in_group / width, width}, busy} : best;
    }
  }
  return best;
}

static choice choose_row(const clrs__job *job, pieces p) {
  const uint32_t column = job->nest.axis_count - 1;
  choice best = choose_repeats(job, p);
  if (best.busy >= CLRS__GPU_ROWS_BUSY) {
    return best;
  }
  best.busy = 0;
  if (job->nest.axis_count < clrs__job_nest_room(job)) { /* room for a row of extent 1 */
    try_row(job, column, p, &best);
  }
  for (uint32_t row = column; row > 0;) { /* the nearest axis first: it wins a tie */
    row--;
    try_row(job, row, p, &best);
  }
  return best;
}

static bool fit_gpu(const clrs__job *job, bool is_required, clrs__cut *cut) {
  const bool are_blocks = takes_blocks(job) && clrs__cut_take_blocks(job, cut);
  const pieces p = pieces_of(job, clrs__cut_group(cut), are_blocks);
  const choice chosen = choose_row(job, p);
  if (chosen.busy == 0 || (!is_required && chosen.busy < CLRS__GPU_ROWS_BUSY_ENOUGH)) {
    return false;
  }
  const uint32_t column = job->nest.axis_count - 1;
  if (chosen.row == column) {
    clrs__insert_axis(&cut->nest, column);
  } else {
    clrs__move_axis(&cut->nest, chosen.row, column - 1);
  }
  cut->as.chunks.extents[0] = chosen.extents[0];
  cut->as.chunks.extents[1] = chosen.extents[1];
  cut->as.chunks.column_parts = clrs__divide_up(p.in_row, chosen.extents[1] / p.units);
  cut->kind = CLRS__CUT_CHUNKS;
  cut->work = clrs__chunk_count(cut);
  cut->merit = clrs__has_long_runs(job) ? CLRS__GPU_ROWS_MERIT : CLRS__GPU_ROWS_SHORT_MERIT;
  return true;
}

const clrs__class clrs__gpu_rows = {
    .name = "gpu_rows",
    .needs = "units of whole bytes, axes that source and destination share, and a device whose "
             "work-groups may have 64 items",
    .execution = CLRS_EXECUTION_GPU,
    .unit_widths = 8 | 16 | 32 | 64 | 128,
    .from = CLRS__FROM_SOURCE,
    .takes_groups = true,
    .files = {"blocks"},
    .best = CLRS__GPU_ROWS_MERIT,
    .fit = fit_gpu,
    .encode = clrs__encode_group_pieces};
