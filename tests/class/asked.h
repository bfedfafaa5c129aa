/*
 * Asks every class for a cut of a job, and checks the general promises. The words move each unit of
 * the nest exactly once. A chunk is no larger than the kernel has room for. Every word fits the
 * width of the index.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TESTS_CLASS_ASKED_H
#define CLRS_TESTS_CLASS_ASKED_H

#include "paper.h"

enum { CACHED_BYTES = 128 << 10 }; /* bytes of either side of a chunk, in a second-level cache */

/* ---- room ---- */

/* Assumptions of the kernels of rows and tiles about the two axes. */
static void check_axes(const clrs__cut *cut, uint64_t seed) {
  const clrs__nest_axis *row = &cut->nest.axes[cut->nest.axis_count - 2], *column = row + 1;
  if (strstr(clrs_class_name(cut->kernel_class), "tile") != NULL)
    CHECK_SEEDED((row->source_stride == 1 ||
                  (row->source_stride == -1 && cut->kernel_class == CLRS__CLASS_CPU_TILE)) &&
                     column->destination_stride == 1,
                 seed, "no tile");
  if (cut->kernel_class == CLRS__CLASS_CPU_ROWS)
    CHECK_SEEDED(column->extent == 1 ||
                     (column->source_stride == 1 && column->destination_stride == 1),
                 seed, "no rows");
}

static void check_chunks(const clrs__cut *cut, uint64_t seed) {
  const int64_t *extents = cut->as.chunks.extents;
  const int64_t bits = cut->unit_bits, units = extents[0] * extents[1];
  CHECK_SEEDED(extents[0] > 0 && extents[1] > 0, seed, "an empty chunk");
  const int64_t piece = cut->wide_destination ? CLRS_BLOCK_BYTES * 8 / bits : 1;
  const int64_t pieces = cut->wide_destination ? CLRS_ROW_BLOCKS : CLRS_LOADS(bits);
  const int64_t staged = CLRS_STAGE_LINES * CLRS_LINE_BYTES; /* for what cpu_tile reads */
  const int64_t most = cut->kernel_class == CLRS__CLASS_CPU_TILE ? staged : CACHED_BYTES;
  if (cut->kernel_class == CLRS__CLASS_GPU_ROWS)
    CHECK_SEEDED(units == clrs__cut_group(cut) * pieces * piece &&
                     (extents[1] & (extents[1] - 1)) == 0 && extents[1] % piece == 0,
                 seed, "a chunk of %lld by %lld", (long long)extents[0], (long long)extents[1]);
  else if (cut->kernel_class == CLRS__CLASS_GPU_TILE)
    CHECK_SEEDED(extents[0] == CLRS_TILE_ROWS(bits, clrs__cut_group(cut)) &&
                     extents[1] == CLRS_TILE_COLUMNS(bits, clrs__cut_group(cut)),
                 seed, "sides");
  else /* read and written bytes lie in a second-level cache */
    CHECK_SEEDED(units * bits / 8 <= most, seed, "%s: a chunk of %lld by %lld units of %lld bits",
                 clrs_class_name(cut->kernel_class), (long long)extents[0], (long long)extents[1],
                 (long long)bits);
}

/* The items of a group take a volume, as many accesses each as the kernel has registers for. */
static void check_volume(const clrs__cut *cut, const clrs__words *words, uint64_t seed) {
  const int64_t bits = cut->unit_bits, units = cut->as.volumes.units;
  const int64_t kinds[] = {words->access_kinds % 4, words->access_kinds / 4};
  const int64_t accesses[] = {words->read_accesses, words->write_accesses};
  const int64_t most = CLRS_VOLUME_UNITS(bits, clrs__cut_group(cut));
  CHECK_SEEDED(units <= most, seed, "local memory");
  CHECK_SEEDED(most * (bits < 8 ? 8 : bits) / 8 + 2 * CLRS_TABLE_UNITS + 1240 <=
                   4096 + (16384 >> cut->halvings),
               seed, "20 KiB");
  for (int side = 0; side < 2; side++) {
    const int64_t each = kinds[side] == CLRS_ACCESS_WIDE    ? CLRS_MOST_WIDE_ACCESSES
                         : kinds[side] == CLRS_ACCESS_BLOCK ? CLRS_MOST_BLOCKS
                                                            : CLRS_MOST_ACCESSES(bits);
    CHECK_SEEDED(accesses[side] <= clrs__cut_group(cut) * each, seed, "%lld accesses",
                 (long long)accesses[side]);
    CHECK_SEEDED(kinds[side] != CLRS_ACCESS_WIDE || CLRS_WIDE_BYTES(bits) * 8 <= cut->aligned_bits,
                 seed, "aligned to %u bits", cut->aligned_bits);
    CHECK_SEEDED(
        (kinds[side] != CLRS_ACCESS_WORD && (side == 1 || kinds[0] != CLRS_ACCESS_BLOCK)) ||
            cut->aligned_bits >= 32,
        seed, "aligned to %u bits", cut->aligned_bits);
  }
}

static void check_room(const clrs__cut *cut, uint64_t seed) {
  const clrs__words_form form = {cut->index_bits, clrs__cut_nest_room(cut), 0, false,
                                 CLRS__OWN_NONE};
  const int64_t bits = cut->unit_bits;
  CHECK_SEEDED(clrs__cut_axis_count(cut) <= form.nest_axes, seed, "no room for the axes");
  CHECK_SEEDED(cut->work > 0 && cut->share >= 0 && cut->share <= cut->work, seed, "work");
  if (cut->kind == CLRS__CUT_CHUNKS) {
    check_axes(cut, seed);
    check_chunks(cut, seed);
  } else if (cut->kind == CLRS__CUT_SHORT) {
    const int64_t rows = cut->as.short_axes.rows, columns = cut->as.short_axes.columns;
    CHECK_SEEDED(rows <= CLRS_SHORT_UNITS && columns <= CLRS_SHORT_UNITS, seed, "tables");
    CHECK_SEEDED(cut->as.short_axes.turns ? columns <= CLRS_SHORT_COLUMNS && bits <= 64
                 : rows == 1              ? columns * bits / 8 <= CLRS_SHORT_BYTES
                                          : rows <= CLRS_SHORT_ROWS &&
                                   rows * columns * bits / 8 <= CLRS_SHORT_RUNS_BYTES,
                 seed, "%lld by %lld", (long long)rows, (long long)columns);
  }
}

/* The words as values and as stored words: no word is cut off. */
static void check_width(const clrs__cut *cut, const clrs__words *words, uint64_t seed) {
  for (int64_t i = 0; cut->index_bits == 32 && i < words->axis_count; i++) {
    const clrs__nest_axis_words *axis = &words->axes[i];
    CHECK_SEEDED(axis->extent == (int32_t)axis->extent &&
                     axis->source_stride == (int32_t)axis->source_stride &&
                     axis->destination_stride == (int32_t)axis->destination_stride &&
                     words->count == (int32_t)words->count,
                 seed, "a word of more than 32 bits");
  }
}

/* Words may leave out axes of one step, and merge axes. Boxes have the axes of the nest also in the
 * order of the destination, and only there merged. */
static void check_axis_count(const clrs__cut *cut, const clrs__words *words, uint64_t seed) {
  clrs__nest merged = cut->nest;
  clrs__nest_normalize(&merged);
  const int64_t left_out = clrs__cut_axis_count(cut) - words->axis_count;
  CHECK_SEEDED(left_out >= 0 && (cut->kind != CLRS__CUT_BOXES ||
                                 left_out == cut->nest.axis_count - merged.axis_count),
               seed, "%lld axes in the words", (long long)words->axis_count);
}

/* ---- a job ---- */

/* The properties of a cut that need no execution. */
static void check_sizes(const clrs__cut *cut, clrs__words *words, uint64_t seed) {
  const clrs__class *of = clrs__class_of(cut->kernel_class);
  check_room(cut, seed);
  of->encode(cut, words);
  if (cut->kind == CLRS__CUT_VOLUMES)
    check_volume(cut, words, seed);
  check_width(cut, words, seed);
  CHECK_SEEDED(cut->merit > 0 && cut->merit <= of->best, seed, "%s: merit", of->name);
  CHECK_SEEDED(words->count == cut->work, seed, "%s: work", of->name);
  check_axis_count(cut, words, seed);
}

static void check_cut(const clrs__job *job, const clrs__cut *cut, paper *done, paper *all) {
  const clrs__class *of = clrs__class_of(cut->kernel_class);
  clrs__words words;
  check_sizes(cut, &words, done->seed);
  if (cut->kind == CLRS__CUT_CHUNKS && of->execution == CLRS_EXECUTION_CPU)
    CHECK_SEEDED(cut->as.chunks.extents[0] * cut->as.chunks.extents[1] * (int64_t)cut->unit_bits /
                         8 <=
                     CACHED_BYTES,
                 done->seed, "%s: a chunk that no cache holds", of->name);
  done->name = all->name = of->name;
  done->count = all->count = 0;
  if (cut->kind == CLRS__CUT_UNITS || (cut->kind == CLRS__CUT_CHUNKS && of->takes_groups))
    turn(&words);
  carry_out(cut, &words, done);
  list_nest(&job->nest, all);
  CHECK_SEEDED(words.source_start == job->nest.source_offset &&
                   words.destination_start == job->nest.destination_offset,
               done->seed, "%s: starts", of->name);
  require_same(done, all);
}

typedef struct tally {
  int64_t free[CLRS__CLASS_COUNT], required[CLRS__CLASS_COUNT];
  int64_t row_parts, column_parts; /* cuts of cpu_short whose rows, or columns, are in parts */
} tally;

static void count_parts(const clrs__cut *cut, tally *seen) {
  if (cut->kind == CLRS__CUT_SHORT) {
    seen->row_parts += cut->as.short_axes.row_extent != cut->as.short_axes.rows;
    seen->column_parts += cut->as.short_axes.column_extent != cut->as.short_axes.columns;
  }
}

/* Asks every class, as one of several and as the only class. */
static void ask_all(const clrs__job *job, uint64_t seed, tally *seen) {
  static paper done, all;
  const clrs_execution here = job->limits->execution;
  clrs__cut cut;
  bool any = false;
  done.seed = all.seed = seed;
  for (int c = CLRS__CLASS_ANY + 1; c < CLRS__CLASS_COUNT; c++) {
    const clrs_execution of = clrs__class_of((clrs__class_number)c)->execution;
    const bool is_here = of == CLRS_EXECUTION_AUTO || of == here;
    const bool answers = clrs__class_ask((clrs__class_number)c, job, false, &cut);
    if (answers)
      check_cut(job, &cut, &done, &all);
    any = any || (answers && is_here);
    seen->free[c] += answers && is_here;
    const bool can = clrs__class_ask((clrs__class_number)c, job, true, &cut);
    CHECK_SEEDED(can || !answers, seed, "%s answers but cannot",
                 clrs_class_name((clrs__class_number)c));
    if (can) {
      check_cut(job, &cut, &done, &all);
      count_parts(&cut, seen);
    }
    seen->required[c] += can;
  }
  CHECK_SEEDED(any, seed, "no class takes the job");
}

#endif
