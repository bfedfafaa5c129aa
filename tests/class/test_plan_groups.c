/*
 * What a wide device's work-groups are given, against a second reading of the rules: of all blocks
 * that a group could take, the first that keeps nearly all of it busy, or else the busiest; a tile
 * where each side is contiguous along another axis; nothing where the device has no room.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "nests.h"

/* A group of 256 items loads 16 bytes each, or 8 units of 2 and 4 bytes, or 4 of 8 and 16, as
 * kernels/gpu_rows.cl says; kernels/gpu_tile.cl has a square of units in local memory. */
typedef struct width {
  uint32_t unit_bits;
  int64_t group_units, tile_side;
} width;
static const width widths[] = {
    {8, 4096, 128}, {16, 2048, 64}, {32, 2048, 64}, {64, 1024, 32}, {128, 1024, 32}};

typedef struct block {
  clrs_class kernel_class; /* CLRS_CLASS_GPU_ANY: none */
  int row;                 /* axis, or -1 */
  int64_t extents[2], busy;
} block;

/* Thousandths of the blocks along an axis that are not beyond its end; the last of a million does
 * not count. */
static int64_t in_use(int64_t extent, int64_t size) {
  int64_t blocks = extent / size;
  blocks += blocks * size < extent;
  return blocks > 1000000 ? 1000 : extent * 1000 / (blocks * size);
}

static int64_t extent_of(const clrs_nest *nest, int axis) {
  return axis < 0 ? 1 : nest->axes[axis].extent;
}

/* Every width from the first that has no column to spare by half, down to 128 bytes; rows along no
 * axis, or along each from the innermost. The first that leaves an eighth of the group idle or less
 * ends the search. */
static block best_rows(const width *width, const clrs_nest *nest, uint32_t most_axes) {
  const int last = (int)nest->axis_count - 1;
  const int64_t columns = nest->axes[last].extent, group = width->group_units;
  const int64_t shortest = 128 * 8 / (int64_t)width->unit_bits;
  block best = {CLRS_CLASS_GPU_ANY, -1, {0, 0}, 0};
  for (int at = last; at >= 0; at--) {
    const int row = at == last ? -1 : at;
    if (row < 0 && nest->axis_count >= most_axes)
      continue;
    for (int64_t wide = group; wide >= 1; wide /= 2) {
      if (wide > 1 && wide >= 2 * columns)
        continue;
      const int64_t busy =
          in_use(columns, wide) * in_use(extent_of(nest, row), group / wide) / 1000 + 1;
      if (best.busy >= 875)
        return best;
      if (busy > best.busy)
        best = (block){CLRS_CLASS_GPU_ROWS, row, {group / wide, wide}, busy};
      if (wide <= shortest)
        break;
    }
  }
  return best;
}

static block best_tile(const width *width, const clrs_nest *nest, uint64_t local_bytes) {
  const int64_t side = width->tile_side;
  const clrs_nest_axis column = nest->axes[nest->axis_count - 1];
  block best = {CLRS_CLASS_GPU_ANY, -1, {0, 0}, 0};
  if (local_bytes < (uint64_t)(side * side) * width->unit_bits / 8)
    return best;
  for (int row = 0; row + 1 < (int)nest->axis_count; row++)
    if (nest->axes[row].source_stride == 1 && column.destination_stride == 1)
      best = (block){CLRS_CLASS_GPU_TILE,
                     row,
                     {side, side},
                     in_use(nest->axes[row].extent, side) * in_use(column.extent, side) / 1000 + 1};
  return best;
}

static bool has_runs_of_32_bytes(const width *width, const clrs_nest *nest) {
  const clrs_nest_axis column = nest->axes[nest->axis_count - 1];
  return column.source_stride >= -1 && column.source_stride <= 1 &&
         column.destination_stride == 1 && column.extent >= 256 / (int64_t)width->unit_bits;
}

/* Three eighths of a tile make up for reads of one unit per line; half a group for others. */
static block expected_block(const width *width, const clrs_nest *nest,
                            const clrs_device_limits *limits, uint32_t most_axes) {
  const block none = {CLRS_CLASS_GPU_ANY, -1, {0, 0}, 0};
  const block rows = best_rows(width, nest, most_axes);
  const block tile = best_tile(width, nest, limits->local_bytes);
  if (limits->max_group_items < 256)
    return none;
  if (limits->required_class == CLRS_CLASS_GPU_TILE)
    return tile;
  if (limits->required_class == CLRS_CLASS_GPU_ROWS)
    return rows;
  if (!has_runs_of_32_bytes(width, nest) && tile.busy >= 375)
    return tile;
  return rows.busy >= 500 ? rows : none;
}

static void check_block(const clrs_launch *launch, const clrs_nest *before, const block *expected,
                        uint64_t seed) {
  const clrs_nest *nest = &launch->nest;
  CHECK_SEEDED(launch->kernel_class == expected->kernel_class, seed, "%s, not %s",
               clrs_class_name(launch->kernel_class), clrs_class_name(expected->kernel_class));
  if (expected->kernel_class == CLRS_CLASS_GPU_ANY) {
    CHECK_SEEDED(launch->chunks_per_item == 0 && launch->chunk_extents[0] == 0 &&
                     nest->axis_count == before->axis_count,
                 seed, "changed for nothing");
    return;
  }
  clrs_nest wanted = *before; /* its row axis goes behind the others, the last stays the last */
  uint32_t next = 0;
  for (int i = 0; i + 1 < (int)before->axis_count; i++)
    if (i != expected->row)
      wanted.axes[next++] = before->axes[i];
  wanted.axes[next++] = expected->row < 0 ? (clrs_nest_axis){1, 0, 0} : before->axes[expected->row];
  wanted.axes[next++] = before->axes[before->axis_count - 1];
  CHECK_SEEDED(nest->axis_count == next &&
                   memcmp(nest->axes, wanted.axes, next * sizeof *wanted.axes) == 0,
               seed, "other axes than row %d", expected->row);
  CHECK_SEEDED(launch->chunk_extents[0] == expected->extents[0] &&
                   launch->chunk_extents[1] == expected->extents[1],
               seed, "blocks of %lld by %lld, not %lld by %lld",
               (long long)launch->chunk_extents[0], (long long)launch->chunk_extents[1],
               (long long)expected->extents[0], (long long)expected->extents[1]);
  CHECK_SEEDED(launch->chunks_per_item == 1, seed, "shares");
  int64_t blocks = 1;
  for (uint32_t i = 0; i < next; i++) {
    const int64_t size = i + 2 < next ? 1 : expected->extents[i + 2 - next];
    blocks *= (nest->axes[i].extent + size - 1) / size;
  }
  CHECK_SEEDED(clrs__launch_work(launch) == blocks, seed, "%lld blocks", (long long)blocks);
}

/* Volumes have rules of their own; a device without room for one shows those of the others. */
static void check_choice(const width *width, const clrs_nest *nest,
                         const clrs_device_limits *limits, uint64_t seed, int64_t *seen) {
  clrs_launch launch = launch_of(width->unit_bits, *nest);
  const block expected = expected_block(width, nest, limits, 31);
  clrs__launch_choose_groups(limits, &launch);
  check_block(&launch, nest, &expected, seed);
  CHECK_SEEDED(clrs__launch_argument_axes(&launch) == launch.nest.axis_count, seed, "axes");
  seen[launch.kernel_class]++;
}

static clrs_device_limits wide_device(clrs_class required, uint64_t local_bytes) {
  return (clrs_device_limits){32,  UINT64_C(1) << 30, CLRS_EXECUTION_GPU,
                              256, local_bytes,       required};
}

static void random_nests_get_the_busiest_block(void **state) {
  (void)state;
  static const clrs_class required[] = {CLRS_CLASS_ANY, CLRS_CLASS_ANY, CLRS_CLASS_GPU_TILE,
                                        CLRS_CLASS_GPU_ROWS};
  const uint64_t seed = test_seed(720000);
  const int64_t cases = test_cases(20000);
  int64_t seen[CLRS_CLASS_COUNT] = {0};
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const width *width = &widths[rng_between(&rng, 0, 4)];
    clrs_nest nest = nest_random(&rng, rng_percent(&rng, 30) ? 5000 : 300);
    if (rng_percent(&rng, 10)) { /* millions of blocks */
      const int64_t rows = rng_between(&rng, 2, 200), columns = rng_between(&rng, 1, 1 << 30) * 8;
      nest = rng_percent(&rng, 50) ? nest_of(AXES({columns, 2, rows}, {rows, 2 * columns, 1}))
                                   : nest_of(AXES({rows, 1, columns}, {columns, rows, 1}));
    }
    if (nest.axis_count == 0)
      continue;
    /* 16512 bytes hold any tile and no volume. */
    clrs_device_limits limits =
        wide_device(required[rng_between(&rng, 0, 3)], rng_percent(&rng, 80) ? 16512 : 8192);
    limits.max_group_items = rng_percent(&rng, 95) ? 256 : 255;
    check_choice(width, &nest, &limits, seed + (uint64_t)i, seen);
  }
  if (cases >= 20000)
    assert_true(seen[CLRS_CLASS_GPU_ANY] > 500 && seen[CLRS_CLASS_GPU_ROWS] > 500 &&
                seen[CLRS_CLASS_GPU_TILE] > 500);
}

/* Every size of a transpose from nothing to more than a tile, where the choice changes. */
static void every_small_transpose_gets_the_busiest_block(void **state) {
  (void)state;
  int64_t seen[CLRS_CLASS_COUNT] = {0};
  for (size_t w = 0; w < 5; w++)
    for (int64_t rows = 2; rows < 140; rows++)
      for (int64_t columns = 2; columns < 140; columns += 1 + (w != 2)) {
        const clrs_nest nest = nest_of(AXES({rows, 1, columns}, {columns, rows, 1}));
        const clrs_device_limits limits = wide_device(CLRS_CLASS_ANY, 16512);
        check_choice(&widths[w], &nest, &limits, (uint64_t)(rows * 1000 + columns), seen);
      }
  assert_true(seen[CLRS_CLASS_GPU_ANY] > 0 && seen[CLRS_CLASS_GPU_TILE] > 0);
}

static void a_tile_needs_its_own_bytes_of_local_memory(void **state) {
  (void)state;
  const clrs_nest nest = nest_of(AXES({256, 1, 256}, {256, 256, 1}));
  for (size_t w = 0; w < 5; w++) {
    const uint64_t bytes =
        (uint64_t)(widths[w].tile_side * widths[w].tile_side) * widths[w].unit_bits / 8;
    for (uint64_t less = 0; less < 2; less++) {
      const clrs_device_limits limits = wide_device(CLRS_CLASS_GPU_TILE, bytes - less);
      clrs_launch launch = launch_of(widths[w].unit_bits, nest);
      clrs__launch_choose_groups(&limits, &launch);
      assert_int_equal(launch.kernel_class, less ? CLRS_CLASS_GPU_ANY : CLRS_CLASS_GPU_TILE);
    }
  }
}

/* A row of extent 1 is an axis more, for which the kernel's arguments must have room. */
static void rows_of_extent_1_need_room_for_an_axis(void **state) {
  (void)state;
  for (uint32_t axes = 30; axes <= 31; axes++) {
    clrs_nest nest = {.axis_count = axes};
    for (uint32_t i = 0; i < axes; i++)
      nest.axes[i] = (clrs_nest_axis){i + 1 < axes ? 2 : 4096, 1, 1};
    int64_t seen[CLRS_CLASS_COUNT] = {0};
    const clrs_device_limits limits = wide_device(CLRS_CLASS_GPU_ROWS, 0);
    check_choice(&widths[2], &nest, &limits, axes, seen);
    assert_int_equal(seen[CLRS_CLASS_GPU_ROWS], 1);
  }
}

static void nothing_is_chosen_for_no_axes_or_another_class(void **state) {
  (void)state;
  const clrs_device_limits limits = wide_device(CLRS_CLASS_ANY, 32768);
  clrs_launch launch = launch_of(32, nest_of(0, NULL));
  clrs__launch_choose_groups(&limits, &launch);
  assert_int_equal(launch.kernel_class, CLRS_CLASS_GPU_ANY);
  launch = launch_of(32, nest_of(AXES({4096, 1, 1})));
  launch.kernel_class = CLRS_CLASS_COMPOSED;
  clrs__launch_choose_groups(&limits, &launch);
  assert_int_equal(launch.kernel_class, CLRS_CLASS_COMPOSED);
  assert_int_equal(launch.chunks_per_item, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_nests_get_the_busiest_block),
      cmocka_unit_test(every_small_transpose_gets_the_busiest_block),
      cmocka_unit_test(a_tile_needs_its_own_bytes_of_local_memory),
      cmocka_unit_test(rows_of_extent_1_need_room_for_an_axis),
      cmocka_unit_test(nothing_is_chosen_for_no_axes_or_another_class),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
