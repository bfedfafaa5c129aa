/*
 * Kernels on paper: carries out the words of a cut piece by piece, as kernels/shared.h defines the
 * words.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TESTS_CLASS_PAPER_H
#define CLRS_TESTS_CLASS_PAPER_H

#include "class/work_size.h"
#include "harness/check.h"
#include "nests.h"

enum { MOST_UNITS = 1 << 12 };

typedef struct pair {
  int64_t from, to;
} pair;

typedef struct paper {
  uint64_t seed;
  const char *name;
  int64_t count;
  pair pairs[MOST_UNITS];
} paper;

static int compare_pairs(const void *a, const void *b) {
  const pair *left = a, *right = b;
  return left->to != right->to ? (left->to > right->to ? 1 : -1)
                               : (left->from > right->from) - (left->from < right->from);
}

static void move_unit(paper *done, int64_t from, int64_t to) {
  CHECK_SEEDED(done->count < MOST_UNITS, done->seed, "%s moves too many units", done->name);
  done->pairs[done->count++] = (pair){from, to};
}

/* ---- a kernel on paper ---- */

/* The position of step `index` of the axes [first, end), the last axis the fastest. */
static pair step_of(const clrs__words *words, int64_t first, int64_t end, int64_t index) {
  pair at = {0, 0};
  for (int64_t i = end; i-- > first; index /= words->axes[i].extent) {
    at.from += index % words->axes[i].extent * words->axes[i].source_stride;
    at.to += index % words->axes[i].extent * words->axes[i].destination_stride;
  }
  return at;
}

/* Axes with the fastest first, as on GPUs, in the order of all other axes. */
static void turn(clrs__words *words) {
  for (int64_t i = 0, j = words->axis_count - 1; i < j; i++, j--) {
    const clrs__nest_axis_words axis = words->axes[i];
    words->axes[i] = words->axes[j];
    words->axes[j] = axis;
  }
  words->row.parts_axis = words->axis_count - 1 - words->row.parts_axis;
  words->column.parts_axis = words->axis_count - 1 - words->column.parts_axis;
}

/* Number of rows, or columns, in chunk `index`: the rows of a part of the split axis, where the
 * axes [0, end) number chunks. */
static int64_t part_of(const clrs__words *words, clrs__chunk_axis_words axis, int64_t end,
                       int64_t index) {
  if (axis.parts_axis < 0)
    return axis.chunk_extent;
  for (int64_t i = end; --i > axis.parts_axis;)
    index /= words->axes[i].extent;
  const int64_t left =
      axis.extent - index % words->axes[axis.parts_axis].extent * axis.chunk_extent;
  return left < axis.chunk_extent ? left : axis.chunk_extent;
}

static void move_chunk(paper *done, const clrs__words *words, int64_t index) {
  const int64_t end = words->axis_count;
  const pair start = step_of(words, 0, end, index);
  const clrs__chunk_axis_words *row = &words->row, *column = &words->column;
  const int64_t rows = part_of(words, *row, end, index);
  const int64_t columns = part_of(words, *column, end, index);
  for (int64_t r = 0; r < rows; r++)
    for (int64_t c = 0; c < columns; c++)
      move_unit(done, start.from + r * row->source_stride + c * column->source_stride,
                start.to + r * row->destination_stride + c * column->destination_stride);
}

/* Rows and columns of inner axes: the last axes that together make units_per_row. */
static void move_short(paper *done, const clrs__words *words, int64_t index) {
  const pair start = step_of(words, 0, words->outer_axis_count, index);
  const int64_t run = words->units_per_run, columns = words->units_per_row;
  int64_t units = 1, column_units = 1;
  for (int64_t i = words->outer_axis_count; i < words->axis_count; i++)
    units *= words->axes[i].extent;
  CHECK_SEEDED(units == columns * words->row.chunk_extent, done->seed, "%s: rows", done->name);
  CHECK_SEEDED(columns == run * words->column.chunk_extent, done->seed, "%s: runs", done->name);
  for (int64_t i = words->axis_count; column_units < columns; i--)
    column_units *= words->axes[i - 1].extent;
  CHECK_SEEDED(column_units == columns, done->seed, "%s: columns", done->name);
  const int64_t row_part = part_of(words, words->row, words->outer_axis_count, index);
  const int64_t column_part = part_of(words, words->column, words->outer_axis_count, index) * run;
  CHECK_SEEDED(row_part > 0 && column_part > 0, done->seed, "%s: an empty part", done->name);
  for (int64_t r = 0; r < row_part; r++)
    for (int64_t c = 0; c < column_part; c++) {
      const int64_t outer = words->outer_axis_count, end = words->axis_count;
      const pair column = step_of(words, outer, end, c);
      const pair row = step_of(words, outer, end, r * columns);
      /* Columns are read along a row of the source, and written along a row of the destination. */
      CHECK_SEEDED(column.to == c, done->seed, "%s: a gap", done->name);
      CHECK_SEEDED(!words->has_turned_rows || row.from == r, done->seed, "%s", done->name);
      move_unit(done, start.from + row.from + column.from, start.to + row.to + column.to);
    }
}

/* The contents of local memory for a volume, unit by unit: places in the source, or nothing. */
static int64_t local_memory[1 << 14];
enum { NOTHING = -1 };

static int64_t access_units(int64_t kind, int64_t bits) {
  return kind == CLRS_ACCESS_UNIT   ? (bits < 8 ? 8 / bits : 1)
         : kind == CLRS_ACCESS_WORD ? 32 / bits
                                    : CLRS_WIDE_BYTES(bits) * 8 / bits;
}

/* A unit is put on an empty place, or a second time if an access begins earlier. */
static void put_unit(const paper *done, const clrs__words *words, int64_t bytes, int64_t to,
                     int64_t unit) {
  const int64_t place = to / bytes;
  int64_t units = 1;
  for (int64_t i = words->outer_axis_count; i < words->write_axis_end; i++)
    units *= words->axes[i].extent;
  CHECK_SEEDED(to % bytes == 0 && place >= 0 && place < (1 << 14) && units > 0 &&
                   (local_memory[place] == NOTHING || local_memory[place] == unit),
               done->seed, "%s: local memory", done->name);
  local_memory[place] = unit;
}

/* Reads of one unit each, or of several units by a table. The last access ends with the table. */
static void read_volume(paper *done, const clrs__words *words, int64_t bits, int64_t source) {
  const int64_t kind = words->access_kinds % 4, bytes = bits < 8 ? 1 : bits / 8;
  const int64_t width = kind == CLRS_ACCESS_UNIT ? 1 : access_units(kind, bits);
  const int64_t last = words->read_axis_end - 1, table = words->table_units;
  CHECK_SEEDED(width == 1 || (table >= width && table <= CLRS_TABLE_UNITS &&
                              words->axes[last].extent == (table + width - 1) / width),
               done->seed, "%s: a table of %lld", done->name, (long long)table);
  for (int64_t access = 0; access < words->read_accesses; access++) {
    pair read = step_of(words, words->write_axis_end, words->read_axis_end, access);
    int64_t first = 0;
    if (width > 1) {
      first = access % words->axes[last].extent * width;
      read.from -= first;
      first = first < table - width ? first : table - width;
      read.from += first;
    }
    CHECK_SEEDED(kind != CLRS_ACCESS_WIDE || (source + read.from) % width == 0, done->seed,
                 "%s: unaligned", done->name);
    for (int64_t k = 0; k < width; k++) {
      const pair inside = width == 1
                              ? (pair){0, 0}
                              : step_of(words, words->read_axis_end, words->axis_count, first + k);
      put_unit(done, words, bytes, read.to + inside.to, source + read.from + k);
    }
  }
}

/* Steps that the last volume along an axis shares with the volume before. */
typedef struct shared_steps {
  int64_t axis, written;
} shared_steps;

/* The begin of a volume, and both kinds of steps that are already written. */
static pair start_of_volume(const clrs__words *words, int64_t index, shared_steps shared[2]) {
  const int64_t outer = words->outer_axis_count;
  const pair backs[] = {{words->fast_back_from, words->fast_back_to},
                        {words->slow_back_from, words->slow_back_to}};
  const int64_t written[] = {words->written % 65536, words->written / 65536};
  const int64_t axes[] = {words->ragged_axes % 64, words->ragged_axes / 64};
  pair start = step_of(words, 0, outer, index);
  for (int64_t j = 0; j < 2; j++) {
    const int64_t extent = j < outer ? words->axes[outer - 1 - j].extent : 0;
    const bool is_last = j < outer && index % extent == extent - 1;
    start.from -= is_last ? backs[j].from : 0;
    start.to -= is_last ? backs[j].to : 0;
    shared[j] = (shared_steps){axes[j], is_last ? written[j] : 0};
    index /= j < outer ? extent : 1;
  }
  return start;
}

/* Has the volume before the access of this number? */
static bool is_written(const clrs__words *words, int64_t access, const shared_steps shared[2]) {
  bool written = false;
  for (int64_t i = words->write_axis_end; i-- > words->outer_axis_count;) {
    const int64_t step = access % words->axes[i].extent;
    for (int j = 0; j < 2; j++)
      written = written || (i == shared[j].axis && step < shared[j].written);
    access /= words->axes[i].extent;
  }
  return written;
}

static int64_t taken_up(paper *done, const clrs__words *words, int64_t place) {
  CHECK_SEEDED(place >= 0 && place < (1 << 14) && local_memory[place] != NOTHING, done->seed,
               "%s: nothing was put down", done->name);
  return local_memory[place] - words->source_start;
}

/* A block of a run, with a buffer that begins at a block. */
static void write_block(paper *done, const clrs__words *words, pair write, int64_t to,
                        int64_t access, const shared_steps shared[2]) {
  const clrs__nest_axis_words *last = &words->axes[words->write_axis_end - 1];
  const int64_t width = last->destination_stride, number = access % last->extent;
  const int64_t past = (words->destination_start + to) % width;
  int64_t first = 0;
  for (int j = 0; j < 2; j++)
    first = shared[j].axis == CLRS_RUN_AXIS ? first + shared[j].written : first;
  for (int64_t unit = number * width - past; unit < (number + 1) * width - past; unit++)
    if (unit >= first && unit < words->run_units)
      move_unit(done, taken_up(done, words, write.from + unit - number * width),
                to + unit - number * width);
}

/* Through local memory: read in one order, written in another order. */
static void move_volume(paper *done, const clrs__words *words, int64_t bits, int64_t index) {
  const int64_t first = words->outer_axis_count, kind = words->access_kinds / 4;
  const int64_t width = access_units(kind, bits), bytes = bits < 8 ? 1 : bits / 8;
  shared_steps shared[2];
  const pair start = start_of_volume(words, index, shared);
  for (int64_t unit = 0; unit < 1 << 14; unit++)
    local_memory[unit] = NOTHING;
  CHECK_SEEDED((words->swizzle_shift >= 3 && words->swizzle_shift <= 8) ||
                   words->swizzle_shift == 31,
               done->seed, "%s: shift", done->name);
  read_volume(done, words, bits, start.from + words->source_start);
  for (int64_t access = 0; access < words->write_accesses; access++) {
    pair write = step_of(words, first, words->write_axis_end, access);
    const int64_t to = start.to + write.to;
    write.from /= bytes;
    if (is_written(words, access, shared))
      continue;
    if (kind == CLRS_ACCESS_BLOCK) {
      write_block(done, words, write, to, access, shared);
      continue;
    }
    CHECK_SEEDED((words->destination_start + to) % width == 0 && write.from % width == 0,
                 done->seed, "%s: unaligned", done->name);
    for (int64_t k = 0; k < width; k++)
      move_unit(done, taken_up(done, words, write.from + k), to + k);
  }
}

/* A bundle of neighbours, aligned in the destination, with at most one step of the other axes
 * between the neighbours. Or a unit behind all bundles. */
static void move_neighbours(paper *done, const clrs__words *words, int64_t index) {
  const int64_t axes = words->axis_count, bundles = words->bundles;
  const int64_t width = index < bundles ? words->units_per_bundle : 1;
  const int64_t first =
      index < bundles ? index * width : bundles * words->units_per_bundle + index - bundles;
  CHECK_SEEDED(width == 1 || words->axes[axes - 1].extent >= width, done->seed, "%s: short steps",
               done->name);
  for (int64_t unit = first; unit < first + width; unit++) {
    const pair at = step_of(words, 0, axes, unit);
    CHECK_SEEDED((words->destination_start + at.to - (unit - first)) % width == 0, done->seed,
                 "%s: unaligned", done->name);
    move_unit(done, at.from, at.to);
  }
}

/* The part of a row in a lane of so many units, with a buffer that begins at a lane. */
static void fill_lane(paper *done, const clrs__words *words, int64_t lane, int64_t index) {
  const pair row = step_of(words, 0, words->axis_count, index / words->lanes_per_row);
  const int64_t past = (words->destination_start + row.to) % lane;
  const int64_t first = index % words->lanes_per_row * lane - past;
  for (int64_t unit = first < 0 ? 0 : first; unit < first + lane && unit < words->row_units; unit++)
    move_unit(done, row.from, row.to + unit);
}

/* The stages have room for the box, and each unit has a separate place in the stage of the runs. */
static void check_stages(const paper *done, const clrs__words *words, const int64_t *extents) {
  static bool taken[CLRS_BOX_ROOM];
  const int64_t first = words->outer_axis_count + words->box_axis_count;
  int64_t units = 1, lowest = 0, highest = 0;
  for (int64_t k = 0; k < words->box_axis_count; k++) {
    const int64_t reach = (extents[k] - 1) * words->axes[first + k].source_stride;
    *(reach < 0 ? &lowest : &highest) += reach;
    units *= extents[k];
  }
  CHECK_SEEDED(highest - lowest < CLRS_BOX_ROOM && units <= CLRS_BOX_ROOM, done->seed, "stages");
  memset(taken, 0, (size_t)CLRS_BOX_ROOM);
  for (int64_t i = 0; i < units; i++) {
    int64_t rest = i, at = 0;
    for (int64_t k = words->box_axis_count; k-- > 0; rest /= extents[k])
      at += rest % extents[k] * words->axes[first + k].destination_stride;
    CHECK_SEEDED(at < CLRS_BOX_ROOM && !taken[at], done->seed, "two units in one place");
    taken[at] = true;
  }
}

/* A box: the last boxes along a cut axis may be smaller. */
static void move_box(paper *done, const clrs__words *words, int64_t index) {
  const int64_t outer = words->outer_axis_count, axes = words->box_axis_count;
  const pair start = step_of(words, 0, outer, index);
  const int64_t cuts[] = {words->fast_cut, words->slow_cut};
  int64_t extents[CLRS_BOX_AXES], units = 1, part = index;
  for (int64_t k = 0; k < axes; k++)
    extents[k] = words->axes[outer + axes + k].extent;
  for (int i = 0; i < 2 && cuts[i] >= 0; i++) {
    const int64_t parts = words->axes[outer - 1 - i].extent;
    const int64_t left = words->axes[outer + cuts[i]].extent - part % parts * extents[cuts[i]];
    extents[cuts[i]] = left < extents[cuts[i]] ? left : extents[cuts[i]];
    part /= parts;
  }
  for (int64_t k = 0; k < axes; k++)
    units *= extents[k];
  if (words->is_copied == 0)
    check_stages(done, words, extents);
  for (int64_t i = 0; i < units; i++) {
    pair at = start;
    int64_t rest = i;
    for (int64_t k = axes; k-- > 0; rest /= extents[k]) {
      at.from += rest % extents[k] * words->axes[outer + k].source_stride;
      at.to += rest % extents[k] * words->axes[outer + k].destination_stride;
    }
    move_unit(done, at.from, at.to);
  }
}

/* Bytes are pieces of another kind: the axes are the nest's, and so are the units. */
static void carry_out(const clrs__cut *cut, const clrs__words *words, paper *done) {
  const bool by_axes = cut->kind == CLRS__CUT_BYTES || cut->kind == CLRS__CUT_DECODED;
  const int64_t pieces = by_axes ? clrs__nest_count(&cut->nest) : words->count;
  for (int64_t i = 0; i < pieces; i++) {
    if (cut->kind == CLRS__CUT_CHUNKS) {
      move_chunk(done, words, i);
    } else if (cut->kind == CLRS__CUT_SHORT) {
      move_short(done, words, i);
    } else if (cut->kind == CLRS__CUT_BOXES) {
      move_box(done, words, i);
    } else if (cut->kind == CLRS__CUT_VOLUMES) {
      move_volume(done, words, cut->unit_bits, i);
    } else if (cut->kernel_class == CLRS__CLASS_GPU_ANY) {
      move_neighbours(done, words, i);
    } else if (cut->kernel_class == CLRS__CLASS_FILL && cut->kind == CLRS__CUT_UNITS &&
               words->row_units > 0) {
      fill_lane(done, words, 128 / (int64_t)cut->unit_bits, i);
    } else {
      const pair at = step_of(words, 0, words->axis_count, i);
      move_unit(done, at.from, at.to);
    }
  }
}

static void list_nest(const clrs__nest *nest, paper *all) {
  const int64_t count = nest_units(nest, 0, nest->axis_count);
  for (int64_t k = 0; k < count; k++) {
    pair at;
    nest_step(nest, 0, k, &at.from, &at.to);
    move_unit(all, at.from, at.to);
  }
}

static void require_same(paper *done, paper *all) {
  qsort(done->pairs, (size_t)done->count, sizeof done->pairs[0], compare_pairs);
  qsort(all->pairs, (size_t)all->count, sizeof all->pairs[0], compare_pairs);
  CHECK_SEEDED(done->count == all->count &&
                   memcmp(done->pairs, all->pairs, (size_t)all->count * sizeof(pair)) == 0,
               done->seed, "%s moves %lld units, not these %lld", done->name,
               (long long)done->count, (long long)all->count);
}
#endif
