/*
 * What a core device's work-items are given, against a second reading of the rules: which class,
 * which axes are rows and columns, how large a block is and how many a work-item takes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "model_blocks.h"

/* Short runs, or a tile under 16 units on a side that several axes together make longer, are turned
 * where they can be; test_plan_packed.c says which. */
static bool is_turned(const clrs_nest *nest, uint32_t unit_bits, const block_model *m) {
  clrs_launch turned = launch_of(unit_bits, *nest);
  if (!clrs__launch_become_turned(nest, &turned))
    return false;
  const bool longer = (m->sides[0] < 16 && turned.chunk_extents[0] > m->sides[0]) ||
                      (m->sides[1] < 16 && turned.chunk_extents[1] > m->sides[1]);
  return m->wants_packing || (m->kernel_class == CLRS_CLASS_CPU_TILE && longer);
}

static clrs_class check_blocks(const clrs_nest *nest, uint32_t unit_bits, clrs_class general,
                               clrs_class required, uint64_t seed) {
  clrs_launch launch = launch_of(unit_bits, *nest);
  launch.kernel_class = general;
  launch.fills = general == CLRS_CLASS_FILL;
  const block_model m = model_blocks(nest, unit_bits, general, required, 31);
  const int64_t run = model_packed(nest, unit_bits / 8, 31).units * unit_bits / 8;
  const bool packs = general == CLRS_CLASS_GPU_ANY &&
                     (required == CLRS_CLASS_CPU_SHORT ||
                      (required == CLRS_CLASS_ANY && m.wants_packing && run >= 256) ||
                      (required == CLRS_CLASS_ANY && is_turned(nest, unit_bits, &m)));
  clrs__launch_choose_blocks(NULL, &launch, required);
  const clrs_class expected = packs ? CLRS_CLASS_CPU_SHORT : m.kernel_class;
  CHECK_SEEDED(launch.kernel_class == expected, seed, "%s, not %s",
               clrs_class_name(launch.kernel_class), clrs_class_name(expected));
  if (nest_units(nest, 0, nest->axis_count) < 5000)
    CHECK_SEEDED(nests_move_the_same(&launch.nest, nest), seed, "another move");
  clrs_launch turned = launch_of(unit_bits, *nest);
  if (packs && clrs__launch_become_turned(nest, &turned))
    CHECK_SEEDED(launch.chunk_extents[0] == turned.chunk_extents[0] &&
                     launch.chunk_extents[1] == turned.chunk_extents[1] &&
                     launch.chunks_per_item == turned.chunks_per_item &&
                     launch.outer_axis_count == turned.outer_axis_count &&
                     memcmp(launch.nest.axes, turned.nest.axes, sizeof turned.nest.axes) == 0,
                 seed, "turned, and then changed");
  if (packs)
    return expected;
  CHECK_SEEDED(
      launch.nest.axis_count == m.nest.axis_count &&
          memcmp(launch.nest.axes, m.nest.axes, m.nest.axis_count * sizeof m.nest.axes[0]) == 0,
      seed, "%s: other axes", clrs_class_name(expected));
  CHECK_SEEDED(launch.chunk_extents[0] == m.rows && launch.chunk_extents[1] == m.columns, seed,
               "%s: blocks of %lld by %lld, not %lld by %lld", clrs_class_name(expected),
               (long long)launch.chunk_extents[0], (long long)launch.chunk_extents[1],
               (long long)m.rows, (long long)m.columns);
  CHECK_SEEDED(launch.chunks_per_item == m.share, seed, "%s: %lld blocks, not %lld",
               clrs_class_name(expected), (long long)launch.chunks_per_item, (long long)m.share);
  return expected;
}

static clrs_nest draw_nest(test_rng *rng) {
  clrs_nest nest = nest_random(rng, rng_percent(rng, 60) ? 8 : 40);
  const int64_t a = rng_between(rng, 2, 5000), b = rng_between(rng, 2, 60);
  const int64_t c = rng_between(rng, 2, 5);
  if (rng_percent(rng, 20)) /* long sides, either way around */
    nest = rng_percent(rng, 50) ? nest_of(AXES({a, 1, b}, {b, a, 1}))
                                : nest_of(AXES({b, 1, a}, {a, b, 1}));
  else if (rng_percent(rng, 15)) /* planes zipped and unzipped */
    nest = rng_percent(rng, 50) ? nest_of(AXES({a, 1, c}, {c, a, 1}))
                                : nest_of(AXES({c, 1, a}, {a, c, 1}));
  else if (rng_percent(rng, 15)) /* tiles that have axes around them */
    nest = nest_of(AXES({c, b * a, a * b * c}, {b, a, 1}, {a, 1, b * c}, {c, a * b * c, b}));
  else if (rng_percent(rng, 10))
    nest = nest_of(AXES({b, rng_between(rng, -2, 2), a}, {a, rng_between(rng, -2, 2), 1}));
  else if (rng_percent(rng, 10)) /* blocks of columns that come out even, and what follows a row */
    nest = nest_of(AXES({c, 16 * a, 32 * c * b * 16}, {32 * c, 16 * a * c + a, 16 * b}, {b, 16, 16},
                        {16, 1, 1}));
  return nest;
}

static void random_nests_get_the_blocks_of_the_rules(void **state) {
  (void)state;
  static const clrs_class required[] = {CLRS_CLASS_ANY,       CLRS_CLASS_ANY,
                                        CLRS_CLASS_CPU_TILE,  CLRS_CLASS_CPU_ROWS,
                                        CLRS_CLASS_CPU_SHORT, CLRS_CLASS_CPU_ANY};
  const uint64_t seed = test_seed(760000);
  const int64_t cases = test_cases(12000);
  int64_t seen[CLRS_CLASS_COUNT] = {0};
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const uint32_t unit_bits = (uint32_t)8 << rng_between(&rng, 0, 4);
    const bool fills = rng_percent(&rng, 10);
    clrs_nest nest = draw_nest(&rng);
    for (uint32_t a = 0; fills && a < nest.axis_count; a++)
      nest.axes[a].source_stride = 0;
    if (nest_units(&nest, 0, nest.axis_count) > 400000)
      continue;
    const clrs_class wish = fills ? CLRS_CLASS_ANY : required[rng_between(&rng, 0, 5)];
    seen[check_blocks(&nest, unit_bits, fills ? CLRS_CLASS_FILL : CLRS_CLASS_GPU_ANY, wish,
                      seed + (uint64_t)i)]++;
  }
  for (int c = CLRS_CLASS_FILL; cases >= 12000 && c <= CLRS_CLASS_CPU_SHORT; c++)
    if (seen[c] < 300)
      fail_msg("%s: %lld launches", clrs_class_name((clrs_class)c), (long long)seen[c]);
}

/* Every size of a transpose near the bounds of a tile, of every unit. */
static void every_small_transpose(void **state) {
  (void)state;
  static const int64_t longs[] = {63,   64,   65,   80,   127,  128,  129,  143,  144,  255,  256,
                                  257,  271,  272,  511,  512,  513,  1023, 1024, 1025, 1039, 1040,
                                  2047, 2048, 2049, 2063, 2064, 4095, 4096, 4097, 4112};
  const size_t count = sizeof longs / sizeof longs[0];
  for (uint32_t unit_bits = 8; unit_bits <= 128; unit_bits *= 2) {
    for (int64_t rows = 2; rows < 36; rows++)
      for (int64_t columns = 2; columns < 36; columns++) {
        const clrs_nest nest = nest_of(AXES({rows, 1, columns}, {columns, rows, 1}));
        (void)check_blocks(&nest, unit_bits, CLRS_CLASS_GPU_ANY, CLRS_CLASS_ANY, (uint64_t)rows);
      }
    for (size_t i = 0; i < count; i++)
      for (int64_t side = 2; side < 36; side += 1 + (side > 9) * 4) {
        const clrs_nest tall = nest_of(AXES({longs[i], 1, side}, {side, longs[i], 1}));
        const clrs_nest flat = nest_of(AXES({side, 1, longs[i]}, {longs[i], side, 1}));
        (void)check_blocks(&tall, unit_bits, CLRS_CLASS_GPU_ANY, CLRS_CLASS_ANY, (uint64_t)side);
        (void)check_blocks(&flat, unit_bits, CLRS_CLASS_GPU_ANY, CLRS_CLASS_CPU_TILE,
                           (uint64_t)side);
        (void)check_blocks(&flat, unit_bits, CLRS_CLASS_GPU_ANY, CLRS_CLASS_ANY, (uint64_t)side);
      }
  }
}

/* Long sides, which blocks part so that the last is not too short, and destinations that begin
 * anywhere. */
static void long_sides_are_parted_by_the_rules(void **state) {
  (void)state;
  const uint64_t seed = test_seed(790000);
  const int64_t cases = test_cases(8000);
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const uint32_t unit_bits = (uint32_t)8 << rng_between(&rng, 0, 3);
    const int64_t line = 512 / unit_bits;
    const int64_t a = rng_between(&rng, 4, 300), b = rng_between(&rng, 300, 200000);
    const bool is_tall = rng_percent(&rng, 50);
    const int64_t rows = is_tall ? b : a, columns = is_tall ? a : b;
    const int64_t pitch = rng_percent(&rng, 60) ? columns : (columns + line - 1) / line * line;
    clrs_nest nest = nest_of(AXES({rows, 1, pitch}, {columns, rows, 1}));
    nest.destination_offset = rng_percent(&rng, 50) ? 0 : rng_between(&rng, 0, 3 * line);
    (void)check_blocks(&nest, unit_bits, CLRS_CLASS_GPU_ANY, CLRS_CLASS_CPU_TILE,
                       seed + (uint64_t)i);
  }
}

/* By hand: of 8-byte units, 152 rows are 19 lines, of which 1280 hold 67 columns or, whole
 * lines, 64. 3655 columns are 57 times 64 and 7, which is no line; as 59 parts they are 58 times 62
 * and 59. */
static void a_part_too_many_by_hand(void **state) {
  (void)state;
  clrs_launch launch = launch_of(64, nest_of(AXES({152, 1, 3655}, {3655, 152, 1})));
  clrs__launch_choose_blocks(NULL, &launch, CLRS_CLASS_CPU_TILE);
  assert_int_equal(launch.kernel_class, CLRS_CLASS_CPU_TILE);
  assert_int_equal(launch.chunk_extents[0], 152);
  assert_int_equal(launch.chunk_extents[1], 62);
}

/* Of three axes the columns step as little as the first; the rows stay where they are. */
static void rows_are_no_nearer_than_columns(void **state) {
  (void)state;
  const clrs_nest nest = nest_of(AXES({64, 2, 4096}, {64, 500, 64}, {64, 2, 1}));
  clrs_launch launch = launch_of(32, nest);
  clrs__launch_choose_blocks(NULL, &launch, CLRS_CLASS_CPU_ANY);
  assert_int_equal(launch.kernel_class, CLRS_CLASS_CPU_ANY);
  assert_memory_equal(launch.nest.axes, nest.axes, 3 * sizeof nest.axes[0]);
}

/* Rows, strided runs, zips and unzips of every length near their bounds. */
static void every_length_of_a_row(void **state) {
  (void)state;
  for (uint32_t unit_bits = 8; unit_bits <= 128; unit_bits *= 2)
    for (int64_t length = 2; length < 520; length++) {
      const clrs_nest nests[] = {
          nest_of(AXES({9, length + 7, length}, {length, 1, 1})),
          nest_of(AXES({9, 1, length}, {length, 0, 1})),
          nest_of(AXES({9, length, length}, {length, -1, 1})),
          nest_of(AXES({9, 2 * length, length}, {length, 2, 1})),
          nest_of(AXES({3, 1, length}, {length, 3, 1})),
          nest_of(AXES({5, 1, length}, {length, 5, 1})),
          nest_of(AXES({length, 1, 4}, {4, length, 1})),
          nest_of(AXES({length, 1, 5}, {5, length, 1})),
          nest_of(AXES({3, 7 * length, 9 * length}, {9, length, length}, {length, 1, 1})),
      };
      for (size_t i = 0; i < sizeof nests / sizeof nests[0]; i++)
        (void)check_blocks(&nests[i], unit_bits, CLRS_CLASS_GPU_ANY, CLRS_CLASS_ANY,
                           (uint64_t)length * 10 + i);
    }
}

/* Columns are split where rows of under 1 KiB are followed, within a page, by others. */
static void every_pitch_near_a_page(void **state) {
  (void)state;
  int64_t split = 0;
  for (int64_t row = 200; row < 300; row += 8)
    for (int64_t pitch = 1000; pitch <= 1048; pitch += 4)
      for (int64_t columns = 62; columns <= 66; columns += 2) {
        const clrs_nest nest =
            nest_of(AXES({4, pitch, row * columns}, {row, 1, columns}, {columns, 4 * pitch, 1}));
        clrs_launch launch = launch_of(32, nest);
        (void)check_blocks(&nest, 32, CLRS_CLASS_GPU_ANY, CLRS_CLASS_ANY, (uint64_t)pitch);
        clrs__launch_choose_blocks(NULL, &launch, CLRS_CLASS_ANY);
        split += launch.nest.axis_count == 4;
      }
  assert_true(split > 0 && split < 13 * 13);
  /* Not where the kernel's arguments have no room for an axis more. */
  for (uint32_t axes = 30; axes <= 31; axes++) {
    clrs_nest nest = {.axis_count = axes};
    for (uint32_t i = 0; i < axes; i++)
      nest.axes[i] = (clrs_nest_axis){1, 1000, INT64_C(1) << 40};
    nest.axes[axes - 2] = (clrs_nest_axis){40, 1, 64};
    nest.axes[axes - 1] = (clrs_nest_axis){640, 4000, 1};
    nest_poison(&nest);
    (void)check_blocks(&nest, 32, CLRS_CLASS_GPU_ANY, CLRS_CLASS_CPU_TILE, axes);
  }
}

/* Rows are split where they are short, each lies on a page of its own, and others follow them on
 * that page. */
static void every_short_row_near_its_bounds(void **state) {
  (void)state;
  int64_t split = 0, cases = 0;
  for (int64_t rows = 7; rows < 130; rows++)
    for (int64_t columns = 16; columns <= 80; columns += 8)
      for (int64_t step = 1016; step <= 1040; step += 8) {
        const clrs_nest nests[] = {
            nest_of(AXES({9, columns, rows * columns}, {rows, step, columns}, {columns, 1, 1})),
            nest_of(AXES({9, step, rows * columns}, {rows, 9 * step, columns}, {columns, 1, 1}))};
        for (size_t i = 0; i < 2; i++, cases++) {
          clrs_launch launch = launch_of(32, nests[i]);
          (void)check_blocks(&nests[i], 32, CLRS_CLASS_GPU_ANY, CLRS_CLASS_ANY, (uint64_t)rows);
          clrs__launch_choose_blocks(NULL, &launch, CLRS_CLASS_ANY);
          split += launch.kernel_class == CLRS_CLASS_CPU_ROWS && launch.nest.axis_count == 4;
        }
      }
  assert_true(split > cases / 20 && split < cases / 2);
  for (uint32_t axes = 30; axes <= 31; axes++) {
    clrs_nest nest = {.axis_count = axes};
    for (uint32_t i = 0; i < axes; i++)
      nest.axes[i] = (clrs_nest_axis){1, 1000, INT64_C(1) << 40};
    nest.axes[axes - 2] = (clrs_nest_axis){80, 2048, 64};
    nest.axes[axes - 1] = (clrs_nest_axis){64, 1, 1};
    nest_poison(&nest);
    clrs_launch launch = launch_of(32, nest);
    (void)check_blocks(&nest, 32, CLRS_CLASS_GPU_ANY, CLRS_CLASS_CPU_ROWS, axes);
    clrs__launch_choose_blocks(NULL, &launch, CLRS_CLASS_CPU_ROWS);
    assert_int_equal(launch.nest.axis_count, 31);
  }
}

static void no_axes_are_a_block_of_one(void **state) {
  (void)state;
  clrs_launch launch = launch_of(32, nest_of(0, NULL));
  clrs__launch_choose_blocks(NULL, &launch, CLRS_CLASS_ANY);
  assert_int_equal(launch.kernel_class, CLRS_CLASS_CPU_ROWS);
  assert_int_equal(launch.nest.axis_count, 2);
  assert_int_equal(clrs__launch_blocks(&launch), 1);
  assert_int_equal(launch.chunks_per_item, 1);
}

/* ---- by hand ---- */

/* speed.md's classes, of units of 4 bytes, with blocks worked out on paper. */
static void classes_by_hand(void **state) {
  (void)state;
  const struct {
    const char *name;
    clrs_nest nest;
    clrs_class expected;
    int64_t rows, columns, share;
  } rows[] = {
      {"one_run", nest_of(AXES({100000, 1, 1})), CLRS_CLASS_CPU_ROWS, 1, 16384, 2},
      {"pitched_rows", nest_of(AXES({100, 512, 256}, {256, 1, 1})), CLRS_CLASS_CPU_ROWS, 64, 256,
       2},
      {"square_transpose", nest_of(AXES({4096, 1, 4096}, {4096, 4096, 1})), CLRS_CLASS_CPU_TILE,
       1024, 32, 1},
      {"odd_transpose", nest_of(AXES({1030, 1, 33}, {33, 1030, 1})), CLRS_CLASS_CPU_TILE, 515, 33,
       1},
      {"backwards", nest_of(AXES({20000, -1, 1})), CLRS_CLASS_CPU_ANY, 1, 8192, 3},
      {"repeated", nest_of(AXES({9, 2, 20000}, {20000, 0, 1})), CLRS_CLASS_CPU_ANY, 1, 8192, 4},
      {"zip_of_3", nest_of(AXES({20000, 1, 3}, {3, 20000, 1})), CLRS_CLASS_CPU_ANY, 2730, 3, 4},
      {"unzip_of_3", nest_of(AXES({3, 1, 20000}, {20000, 3, 1})), CLRS_CLASS_CPU_ANY, 3, 2730, 4},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    clrs_launch launch = launch_of(32, rows[i].nest);
    clrs__launch_choose_blocks(NULL, &launch, CLRS_CLASS_ANY);
    if (launch.kernel_class != rows[i].expected || launch.chunk_extents[0] != rows[i].rows ||
        launch.chunk_extents[1] != rows[i].columns || launch.chunks_per_item != rows[i].share)
      fail_msg("%s: %s, %lld by %lld, %lld each", rows[i].name,
               clrs_class_name(launch.kernel_class), (long long)launch.chunk_extents[0],
               (long long)launch.chunk_extents[1], (long long)launch.chunks_per_item);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_nests_get_the_blocks_of_the_rules),
      cmocka_unit_test(every_small_transpose),
      cmocka_unit_test(long_sides_are_parted_by_the_rules),
      cmocka_unit_test(a_part_too_many_by_hand),
      cmocka_unit_test(rows_are_no_nearer_than_columns),
      cmocka_unit_test(every_length_of_a_row),
      cmocka_unit_test(every_pitch_near_a_page),
      cmocka_unit_test(every_short_row_near_its_bounds),
      cmocka_unit_test(no_axes_are_a_block_of_one),
      cmocka_unit_test(classes_by_hand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
