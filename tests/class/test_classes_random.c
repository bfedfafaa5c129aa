/*
 * What holds for every class, whatever it was tuned to: random nests, each cut by every class that
 * takes it, on both executions. The words that its kernel would read are carried out on paper,
 * piece by piece as kernels/shared.h says what they are, and move each unit of the nest exactly
 * once. A chunk is no larger than its kernel has room for, and every word fits the width of the
 * index.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include <stdlib.h>

#include "paper.h"

/* The stages have room for the box, and each of its units a place of its own in that of the runs.
 */
static void check_stages(const paper *done, const clrs__words *words, const int64_t *extents) {
  static bool taken[CLRS_RUNS_ROOM];
  const int64_t first = words->outer_axis_count + words->box_axis_count;
  int64_t units = 1, lowest = 0, highest = 0;
  for (int64_t k = 0; k < words->box_axis_count; k++) {
    const int64_t reach = (extents[k] - 1) * words->axes[first + k].source_stride;
    *(reach < 0 ? &lowest : &highest) += reach;
    units *= extents[k];
  }
  CHECK_SEEDED(highest - lowest < CLRS_IMAGES_ROOM && units <= CLRS_RUNS_ROOM, done->seed,
               "stages");
  memset(taken, 0, (size_t)CLRS_RUNS_ROOM);
  for (int64_t i = 0; i < units; i++) {
    int64_t rest = i, at = 0;
    for (int64_t k = words->box_axis_count; k-- > 0; rest /= extents[k])
      at += rest % extents[k] * words->axes[first + k].destination_stride;
    CHECK_SEEDED(at < CLRS_RUNS_ROOM && !taken[at], done->seed, "two units in one place");
    taken[at] = true;
  }
}

/* A box: the last ones of the axes that it cuts may be smaller. */
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
  if (words->box_kind == CLRS_BOX_UNPACKED)
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
      move_volume(done, words, clrs__unit_bytes(cut->unit_bits), i);
    } else if (cut->kernel_class == CLRS_CLASS_GPU_ANY) {
      move_neighbours(done, words, i);
    } else if (cut->kernel_class == CLRS_CLASS_FILL && cut->kind == CLRS__CUT_UNITS &&
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

/* ---- room ---- */

/* What the kernels of rows and tiles take for granted of their two axes. */
static void check_axes(const clrs__cut *cut, uint64_t seed) {
  const clrs__nest_axis *row = &cut->nest.axes[cut->nest.axis_count - 2], *column = row + 1;
  if (strstr(clrs_class_name(cut->kernel_class), "tile") != NULL)
    CHECK_SEEDED((row->source_stride == 1 ||
                  (row->source_stride == -1 && cut->kernel_class == CLRS_CLASS_CPU_TILE)) &&
                     column->destination_stride == 1,
                 seed, "no tile");
  if (cut->kernel_class == CLRS_CLASS_CPU_ROWS)
    CHECK_SEEDED(column->extent == 1 ||
                     (column->source_stride == 1 && column->destination_stride == 1),
                 seed, "no rows");
}

static void check_chunks(const clrs__cut *cut, uint64_t seed) {
  const int64_t *extents = cut->as.chunks.extents;
  const int64_t bits = cut->unit_bits, units = extents[0] * extents[1];
  CHECK_SEEDED(extents[0] > 0 && extents[1] > 0, seed, "an empty chunk");
  const int64_t piece = cut->as.chunks.in_blocks ? CLRS_BLOCK_BYTES * 8 / bits : 1;
  const int64_t pieces = cut->as.chunks.in_blocks ? CLRS_ROW_BLOCKS : CLRS_LOADS(bits);
  if (cut->kernel_class == CLRS_CLASS_GPU_ROWS)
    CHECK_SEEDED(units == CLRS_GROUP_ITEMS * pieces * piece &&
                     (extents[1] & (extents[1] - 1)) == 0 && extents[1] % piece == 0,
                 seed, "a chunk of %lld by %lld", (long long)extents[0], (long long)extents[1]);
  else if (cut->kernel_class == CLRS_CLASS_GPU_TILE)
    CHECK_SEEDED(extents[0] == CLRS_TILE_ROWS(bits) && extents[1] == CLRS_TILE_COLUMNS(bits), seed,
                 "sides");
  else /* what is read and what is written lie in a second-level cache */
    CHECK_SEEDED(units * bits / 8 <= 128 << 10, seed, "a chunk of %lld units", (long long)units);
}

/* The items of a group take a volume, as many accesses each as the kernel has registers for. */
static void check_volume(const clrs__cut *cut, uint64_t seed) {
  const int64_t bits = cut->unit_bits, units = cut->as.volumes.units;
  const int64_t widths[] = {cut->as.volumes.read_width, cut->as.volumes.write_width};
  CHECK_SEEDED(units <= CLRS_VOLUME_UNITS(bits), seed, "local memory");
  CHECK_SEEDED(CLRS_VOLUME_UNITS(bits) * (bits < 8 ? 8 : bits) / 8 + 2 * CLRS_TABLE_UNITS + 1240 <=
                   20480,
               seed, "20 KiB");
  for (int side = 0; side < 2; side++) {
    const bool is_wide = widths[side] * bits == CLRS_WIDE_BYTES(bits) * 8;
    CHECK_SEEDED(is_wide || units <= widths[side] * CLRS_GROUP_ITEMS * CLRS_MOST_ACCESSES(bits),
                 seed, "%lld accesses", (long long)(units / widths[side]));
    CHECK_SEEDED(widths[side] * bits <= cut->aligned_bits, seed, "aligned to %u bits",
                 cut->aligned_bits);
    CHECK_SEEDED(side == 0 || widths[side] * bits % 8 == 0, seed, "part of a byte");
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
  } else if (cut->kind == CLRS__CUT_VOLUMES) {
    check_volume(cut, seed);
  }
}

/* The words as they are and as they are stored: none is cut off. */
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

/* ---- cases ---- */

static void check_cut(const clrs__job *job, const clrs__cut *cut, paper *done, paper *all) {
  const clrs__class *of = clrs__class_of(cut->kernel_class);
  clrs__words words;
  of->encode(cut, &words);
  check_room(cut, done->seed);
  check_width(cut, &words, done->seed);
  CHECK_SEEDED(cut->merit > 0 && cut->merit <= of->best, done->seed, "%s: merit", of->name);
  CHECK_SEEDED(words.count == cut->work, done->seed, "%s: work", of->name);
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

/* Two short axes turned, and a long one, whose extent has few divisors now and then. As rows it is
 * longer than those that one chunk has of 64 bits. */
static clrs__nest draw_parts(test_rng *rng) {
  const bool has_rows = rng_percent(rng, 40);
  const int64_t a = has_rows ? 3 : rng_between(rng, 2, 7);
  const int64_t b = has_rows ? 3 : rng_between(rng, 2, 7);
  const int64_t most = MOST_UNITS / (a * b);
  const int64_t n = has_rows ? rng_between(rng, 257, most) : rng_between(rng, 1, most);
  if (has_rows)
    return nest_of(AXES({n, 1, a * b}, {a, n, b}, {b, a * n, 1}));
  return rng_percent(rng, 50) ? nest_of(AXES({n, a * b, a * b}, {b, 1, a}, {a, b, 1}))
                              : nest_of(AXES({a, 1, b * n}, {b, a * n, n}, {n, a, 1}));
}

/* Short axes, long rows, and tiles. */
static clrs__nest draw_nest(test_rng *rng) {
  if (rng_percent(rng, 15))
    return draw_parts(rng);
  const int64_t most = rng_percent(rng, 70) ? 9 : 40;
  clrs__nest nest = nest_random(rng, most);
  if (rng_percent(rng, 30)) { /* transposed, even on both sides */
    const int64_t r = rng_between(rng, 1, 22) * 2, c = rng_between(rng, 1, 22) * 2;
    nest = nest_of(AXES({2, r * c, r * c}, {r, 1, c}, {c, r, 1}));
    nest.source_offset = rng_between(rng, 0, 3) * 2;
  }
  return nest;
}

static clrs__job draw_job(test_rng *rng, const clrs_device_limits *limits) {
  const uint32_t bits = 1u << rng_between(rng, 0, 7), bytes = bits < 8 ? 1 : bits / 8;
  clrs__job job = {.unit_bits = bits,
                   .index_bits = rng_percent(rng, 50) ? 32 : 64,
                   .from = rng_percent(rng, 85) ? CLRS__FROM_SOURCE : CLRS__FROM_VALUE,
                   .limits = limits,
                   .source_alignment = bytes << rng_between(rng, 0, 5),
                   .destination_alignment = bytes << rng_between(rng, 0, 5),
                   .nest = draw_nest(rng)};
  for (uint32_t i = 0; job.from == CLRS__FROM_VALUE && i < job.nest.axis_count; i++)
    job.nest.axes[i].source_stride = 0;
  return job;
}

typedef struct tally {
  int64_t free[CLRS_CLASS_COUNT], required[CLRS_CLASS_COUNT];
  int64_t row_parts, column_parts; /* of cpu_short, the last of which is smaller */
} tally;

static void count_parts(const clrs__cut *cut, tally *seen) {
  if (cut->kind == CLRS__CUT_SHORT) {
    seen->row_parts += cut->as.short_axes.row_extent != cut->as.short_axes.rows;
    seen->column_parts += cut->as.short_axes.column_extent != cut->as.short_axes.columns;
  }
}

/* Asks every class, as one of several and as the only one. */
static void ask_all(const clrs__job *job, uint64_t seed, tally *seen) {
  static paper done, all;
  const clrs_execution here = job->limits->execution;
  clrs__cut cut;
  bool any = false;
  done.seed = all.seed = seed;
  for (int c = CLRS_CLASS_ANY + 1; c < CLRS_CLASS_COUNT; c++) {
    const clrs_execution of = clrs__class_of((clrs_class)c)->execution;
    const bool is_here = of == CLRS_EXECUTION_AUTO || of == here;
    const bool answers = clrs__class_ask((clrs_class)c, job, false, &cut);
    if (answers)
      check_cut(job, &cut, &done, &all);
    any = any || (answers && is_here);
    seen->free[c] += answers && is_here;
    const bool can = clrs__class_ask((clrs_class)c, job, true, &cut);
    CHECK_SEEDED(can || !answers, seed, "%s answers but cannot", clrs_class_name((clrs_class)c));
    if (can) {
      check_cut(job, &cut, &done, &all);
      count_parts(&cut, seen);
    }
    seen->required[c] += can;
  }
  CHECK_SEEDED(any, seed, "no class takes the job");
}

static void every_class_moves_each_unit_once(void **state) {
  (void)state;
  const uint64_t seed = test_seed(820000);
  const int64_t cases = test_cases(4000);
  static tally seen;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
    limits.execution = rng_percent(&rng, 50) ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
    limits.max_group_items = 256;
    limits.local_bytes = 32768;
    const clrs__job job = draw_job(&rng, &limits);
    if (nest_units(&job.nest, 0, job.nest.axis_count) <= MOST_UNITS)
      ask_all(&job, seed + (uint64_t)i, &seen);
  }
  print_message("in parts of rows %lld, of columns %lld\n", (long long)seen.row_parts,
                (long long)seen.column_parts);
  assert_true(cases < 4000 || (seen.row_parts >= 10 && seen.column_parts >= 40));
  for (int c = CLRS_CLASS_ANY + 1; cases >= 4000 && c < CLRS_CLASS_COUNT; c++)
    if (c != CLRS_CLASS_COMPOSED && (seen.free[c] < 20 || seen.required[c] < seen.free[c]))
      fail_msg("%s: %lld and %lld times", clrs_class_name((clrs_class)c), (long long)seen.free[c],
               (long long)seen.required[c]);
}

/* ---- the table ---- */

/* A name, which is that of a kernel's file, and needs are said; no number of no class has any. */
static void every_class_has_a_row(void **state) {
  (void)state;
  for (int c = CLRS_CLASS_ANY + 1; c < CLRS_CLASS_COUNT; c++) {
    const clrs__class *of = clrs__class_of((clrs_class)c);
    assert_true(of != NULL && of->name != NULL && of->needs != NULL && of->unit_widths != 0 &&
                of->from != 0 && of->best > 0 && of->fit != NULL && of->encode != NULL);
  }
  assert_null(clrs__class_of(CLRS_CLASS_ANY));
  assert_null(clrs__class_of(CLRS_CLASS_COUNT));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_class_moves_each_unit_once),
      cmocka_unit_test(every_class_has_a_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
