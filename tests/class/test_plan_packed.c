/*
 * Packed launches and the order of outer axes, against a second reading of the rules.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "model_turned.h"

static bool check_packed(const clrs_nest *nest, int64_t unit_bytes, bool is_required,
                         uint64_t seed) {
  clrs_launch launch = launch_of((uint32_t)unit_bytes * 8, *nest);
  packed_model model = model_packed(nest, unit_bytes, 31);
  const bool is_expected = is_required || model.units * unit_bytes >= 256;
  const bool is_packed = clrs__launch_become_packed(nest, is_required, &launch);
  CHECK_SEEDED(is_packed == is_expected, seed, "packed: %d, a run of %lld", is_packed,
               (long long)model.units);
  if (!is_packed) {
    CHECK_SEEDED(launch.kernel_class == CLRS_CLASS_GPU_ANY && launch.chunks_per_item == 0, seed,
                 "changed for nothing");
    return false;
  }
  model_sort_outer(&model.nest, model.outer);
  CHECK_SEEDED(launch.kernel_class == CLRS_CLASS_CPU_SHORT &&
                   launch.outer_axis_count == model.outer &&
                   launch.nest.axis_count == model.nest.axis_count &&
                   memcmp(launch.nest.axes, model.nest.axes,
                          model.nest.axis_count * sizeof model.nest.axes[0]) == 0,
               seed, "other axes; %u outer ones, not %u", launch.outer_axis_count, model.outer);
  const int64_t blocks = nest_units(&model.nest, 0, model.outer);
  CHECK_SEEDED(launch.chunk_extents[0] == 1 && launch.chunk_extents[1] == model.units, seed,
               "blocks of %lld by %lld", (long long)launch.chunk_extents[0],
               (long long)launch.chunk_extents[1]);
  /* 128 KiB for a work-item, or all there is. */
  int64_t share = 1;
  while (share < blocks && (share + 1) * model.units * unit_bytes <= 131072)
    share++;
  CHECK_SEEDED(launch.chunks_per_item == share && clrs__launch_work(&launch) == blocks, seed,
               "%lld of %lld blocks", (long long)launch.chunks_per_item,
               (long long)clrs__launch_work(&launch));
  if (nest_units(nest, 0, nest->axis_count) < 5000)
    CHECK_SEEDED(nests_move_the_same(&launch.nest, nest), seed, "another move");
  return true;
}

static void random_nests_are_packed_by_the_rules(void **state) {
  (void)state;
  const uint64_t seed = test_seed(740000);
  const int64_t cases = test_cases(10000);
  int64_t packed = 0, parted = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const int64_t unit_bytes = (int64_t)1 << rng_between(&rng, 0, 4);
    clrs_nest nest = nest_random(&rng, rng_percent(&rng, 50) ? 6 : 16);
    if (rng_percent(&rng, 30)) {
      const int64_t rows = rng_between(&rng, 2, 40), columns = rng_between(&rng, 2, 20000);
      nest = nest_of(AXES({rows, 1, columns}, {columns, rows, 1}));
    }
    if (nest.axis_count == 0)
      continue;
    packed += check_packed(&nest, unit_bytes, rng_percent(&rng, 30), seed + (uint64_t)i);
    parted += model_packed(&nest, unit_bytes, 31).nest.axis_count > nest.axis_count;
  }
  if (cases >= 10000)
    assert_true(packed * 10 > cases && packed * 10 < 9 * cases && parted * 10 > cases);
}

/* Every length of the run's last axis, on either side of every bound. */
static void every_length_of_a_run(void **state) {
  (void)state;
  for (int64_t unit_bytes = 1; unit_bytes <= 16; unit_bytes *= 2)
    for (int64_t extent = 2; extent < 4200; extent++) {
      const clrs_nest one = nest_of(AXES({3, 1, extent}, {extent, 3, 1}));
      const clrs_nest two = nest_of(AXES({extent, 2, 3}, {3, 2 * extent, 1}));
      (void)check_packed(&one, unit_bytes, false, (uint64_t)extent);
      (void)check_packed(&two, unit_bytes, true, (uint64_t)extent);
    }
}

/* Runs that step through the source by anything from a unit to more than a cache's way. */
static void every_step_of_a_run(void **state) {
  (void)state;
  for (int64_t unit_bytes = 1; unit_bytes <= 16; unit_bytes *= 2)
    for (int64_t step = 1; step <= 200000; step += step)
      for (int64_t off = -3; off <= 3; off++) {
        const int64_t sign = off % 2 == 0 ? 1 : -1;
        const clrs_nest plain = nest_of(AXES({3, 1, 4096}, {4096, sign * (step + off), 1}));
        const clrs_nest inner = nest_of(AXES({5, 3, 6144}, {2048, 3 * step, 3}, {3, off, 1}));
        (void)check_packed(&plain, unit_bytes, off == 0, (uint64_t)step);
        (void)check_packed(&inner, unit_bytes, off == 0, (uint64_t)step);
      }
}

/* By hand: units 32 KiB apart lie in 2 places of 8 ways each, so a run takes 16; of 4 bytes 64, as
 * it has at least 256 bytes. Those an odd number of units apart do not share places: 8 KiB of them.
 */
static void a_run_of_far_units_by_hand(void **state) {
  (void)state;
  clrs_launch launch = launch_of(32, nest_of(AXES({8, 1, 4096}, {4096, 8192, 1})));
  assert_true(clrs__launch_become_packed(&launch.nest, true, &launch));
  assert_int_equal(launch.chunk_extents[1], 64);
  launch = launch_of(128, nest_of(AXES({8, 1, 4096}, {4096, 2048, 1})));
  assert_true(clrs__launch_become_packed(&launch.nest, true, &launch));
  assert_int_equal(launch.chunk_extents[1], 16);
  launch = launch_of(128, nest_of(AXES({8, 1, 4096}, {4096, 2049, 1})));
  assert_true(clrs__launch_become_packed(&launch.nest, true, &launch));
  assert_int_equal(launch.chunk_extents[1], 512);
}

/* A split needs room for an axis more. */
static void an_axis_is_split_only_where_there_is_room(void **state) {
  (void)state;
  for (uint32_t axes = 30; axes <= 31; axes++) {
    clrs_nest nest = {.axis_count = axes};
    for (uint32_t i = 0; i < axes; i++)
      nest.axes[i] = (clrs_nest_axis){1, 0, INT64_C(1) << 40};
    nest.axes[axes - 1] = (clrs_nest_axis){4096, 2, 1};
    nest_poison(&nest);
    assert_true(check_packed(&nest, 4, true, axes));
  }
}

static void outer_axes_go_by_their_nearer_side(void **state) {
  (void)state;
  const uint64_t seed = test_seed(750000);
  const int64_t cases = test_cases(5000);
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    clrs_nest nest = {.axis_count = (uint32_t)rng_between(&rng, 0, 8)};
    for (uint32_t a = 0; a < nest.axis_count; a++)
      nest.axes[a] = (clrs_nest_axis){10 + a, rng_between(&rng, -12, 12), rng_between(&rng, 1, 12)};
    nest_poison(&nest);
    clrs_nest expected = nest;
    const uint32_t count = (uint32_t)rng_between(&rng, 0, nest.axis_count);
    model_sort_outer(&expected, count);
    clrs__nest_sort_outer_axes(&nest, count);
    CHECK_SEEDED(memcmp(nest.axes, expected.axes, sizeof nest.axes) == 0, seed + (uint64_t)i,
                 "%u axes in another order", count);
  }
}

/* By hand: 3 x 7 x 5 of 4 bytes make a run of 420 bytes, which is enough; of an axis of 100 more
 * the run takes 16 steps at most, of which 10 divide it, 16 * 105 * 4 being over 8 KiB at 20. */
static void a_run_by_hand(void **state) {
  (void)state;
  const clrs_nest nest = nest_of(AXES({100, 1, 105}, {3, 700, 35}, {7, 100, 5}, {5, 2100, 1}));
  clrs_launch launch = launch_of(32, nest);
  assert_true(clrs__launch_become_packed(&nest, false, &launch));
  assert_int_equal(launch.outer_axis_count, 1);
  assert_int_equal(launch.chunk_extents[1], 10 * 105);
  const clrs_nest_axis outer = {10, 10, 1050};
  assert_memory_equal(&launch.nest.axes[0], &outer, sizeof outer);
  assert_int_equal(launch.chunks_per_item, 10);
}

/* Whatever nest the launch has had: it is made of the canonical one. */
static bool check_turned(const clrs_nest *nest, int64_t unit_bytes, uint64_t seed) {
  clrs_launch launch = launch_of((uint32_t)unit_bytes * 8, nest_of(AXES({2, 2, 3}, {3, 4, 1})));
  const clrs_launch before = launch;
  const turned_model m = model_turned(nest, unit_bytes, 31);
  const bool turns = clrs__launch_become_turned(nest, &launch);
  CHECK_SEEDED(turns == m.turns, seed, "%lld rows, %lld columns: turned: %d", (long long)m.units[0],
               (long long)m.units[1], turns);
  if (!turns) {
    CHECK_SEEDED(memcmp(&launch, &before, sizeof before) == 0, seed, "changed for nothing");
    return false;
  }
  CHECK_SEEDED(launch.chunk_extents[0] == m.units[0] && launch.chunk_extents[1] == m.units[1], seed,
               "%lld rows, %lld columns, not %lld and %lld", (long long)launch.chunk_extents[0],
               (long long)launch.chunk_extents[1], (long long)m.units[0], (long long)m.units[1]);
  CHECK_SEEDED(
      launch.kernel_class == CLRS_CLASS_CPU_SHORT && launch.outer_axis_count == m.outer &&
          launch.nest.axis_count == m.nest.axis_count &&
          memcmp(launch.nest.axes, m.nest.axes, m.nest.axis_count * sizeof m.nest.axes[0]) == 0,
      seed, "other axes; %u outer ones, not %u", launch.outer_axis_count, m.outer);
  CHECK_SEEDED(launch.chunks_per_item == m.share &&
                   clrs__launch_work(&launch) == nest_units(&m.nest, 0, m.outer),
               seed, "%lld of %lld blocks, not %lld", (long long)launch.chunks_per_item,
               (long long)clrs__launch_work(&launch), (long long)m.share);
  if (nest_units(nest, 0, nest->axis_count) < 3000)
    CHECK_SEEDED(nests_move_the_same(&launch.nest, nest), seed, "another move");
  return true;
}

/* Sides near every bound, alone and with a third axis between them. */
static void every_pair_of_sides(void **state) {
  (void)state;
  static const int64_t sides[] = {2,   3,   4,    5,    7,    8,    15,   16,   17,   31,
                                  32,  33,  60,   63,   64,   65,   84,   85,   86,   96,
                                  127, 128, 129,  255,  256,  257,  341,  512,  513,  600,
                                  682, 683, 1023, 1024, 1025, 2047, 2048, 2049, 4096, 5040};
  const size_t count = sizeof sides / sizeof sides[0];
  for (int64_t unit_bytes = 1; unit_bytes <= 8; unit_bytes *= 2)
    for (size_t i = 0; i < count; i++)
      for (size_t j = 0; j < count; j++) {
        const int64_t a = sides[i], b = sides[j];
        const clrs_nest two = nest_of(AXES({a, 1, b}, {b, a, 1}));
        (void)check_turned(&two, unit_bytes, (uint64_t)(10000 * a + b));
        for (int64_t c = 3; c <= 8; c += 5) {
          const clrs_nest three = nest_of(AXES({a, 1, b * c}, {c, a, b}, {b, a * c, 1}));
          const clrs_nest ends = nest_of(AXES({c, 1, a * b}, {b, c, a}, {a, b * c, 1}));
          (void)check_turned(&three, unit_bytes, (uint64_t)(10000 * a + b));
          (void)check_turned(&ends, unit_bytes, (uint64_t)(10000 * a + b));
        }
      }
}

/* Both sides are to be split: there is room for both, for the rows, for none. */
static void sides_are_split_where_there_is_room(void **state) {
  (void)state;
  for (uint32_t axes = 29; axes <= 31; axes++) {
    clrs_nest nest = {.axis_count = axes};
    for (uint32_t i = 0; i < axes; i++)
      nest.axes[i] = (clrs_nest_axis){1, 0, INT64_C(1) << 40};
    nest.axes[axes - 2] = (clrs_nest_axis){4096, 1, 200};
    nest.axes[axes - 1] = (clrs_nest_axis){200, 4096, 1};
    nest_poison(&nest);
    assert_int_equal(check_turned(&nest, 4, axes), axes < 31);
    nest.axes[axes - 2].destination_stride = nest.axes[axes - 1].extent = 4096;
    assert_int_equal(check_turned(&nest, 4, axes), axes < 30);
  }
}

/* Short axes, in reverse or in any order. */
static void random_products_are_turned_by_the_rules(void **state) {
  (void)state;
  const uint64_t seed = test_seed(760000);
  const int64_t cases = test_cases(5000);
  int64_t turned = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    clrs_nest nest = {.axis_count = (uint32_t)rng_between(&rng, 2, 7)};
    int64_t order[CLRS_MAX_AXES];
    rng_permutation(&rng, nest.axis_count, order);
    int64_t from = 1, to = 1;
    for (uint32_t a = 0; a < nest.axis_count; a++)
      nest.axes[a].extent =
          rng_percent(&rng, 10) ? rng_between(&rng, 100, 3000) : rng_between(&rng, 2, 12);
    for (uint32_t a = nest.axis_count; a-- > 0; to *= nest.axes[a].extent)
      nest.axes[a].destination_stride = to;
    for (uint32_t a = nest.axis_count; a-- > 0; from *= nest.axes[order[a]].extent)
      nest.axes[order[a]].source_stride = from;
    nest_poison(&nest);
    turned += check_turned(&nest, (int64_t)1 << rng_between(&rng, 0, 4), seed + (uint64_t)i);
  }
  if (cases >= 5000)
    assert_true(turned * 4 > cases && turned * 10 < 9 * cases);
}

/* By hand: 15 to the power of 4 in reverse, of 4 bytes, make a block of 225 rows and 225 columns,
 * nothing outside it. */
static void a_block_by_hand(void **state) {
  (void)state;
  const clrs_nest nest = nest_of(AXES({15, 1, 3375}, {15, 15, 225}, {15, 225, 15}, {15, 3375, 1}));
  clrs_launch launch = launch_of(32, nest);
  assert_true(clrs__launch_become_turned(&nest, &launch));
  assert_int_equal(launch.outer_axis_count, 0);
  assert_int_equal(launch.chunk_extents[0], 225);
  assert_int_equal(launch.chunk_extents[1], 225);
  const clrs_nest_axis axes[] = {{15, 15, 225}, {15, 1, 3375}, {15, 225, 15}, {15, 3375, 1}};
  assert_memory_equal(launch.nest.axes, axes, sizeof axes);
}

/* In 64-bit arithmetic arguments hold 21 axes. Of 4096 rows and 4096 columns a block takes a part
 * each, 512 and 256 units of 4 bytes, which makes two axes more. */
static void axes_are_turned_only_where_there_is_room(void **state) {
  (void)state;
  for (uint32_t axes = 18; axes <= 21; axes++) {
    clrs_nest nest = {.axis_count = axes};
    for (uint32_t i = 0; i + 2 < axes; i++)
      nest.axes[i] = (clrs_nest_axis){2, INT64_C(3) << (30 + i), INT64_C(1) << (44 - i)};
    nest.axes[axes - 2] = (clrs_nest_axis){4096, 1, 4096};
    nest.axes[axes - 1] = (clrs_nest_axis){4096, 4096, 1};
    nest_poison(&nest);
    clrs_launch launch = launch_of(32, nest);
    launch.index_bits = 64;
    assert_int_equal(clrs__launch_become_turned(&nest, &launch), axes + 2 <= 21);
    assert_int_equal(launch.nest.axis_count, axes + 2 <= 21 ? axes + 2 : axes);
    if (axes + 2 <= 21) {
      assert_int_equal(launch.chunk_extents[0], 512);
      assert_int_equal(launch.chunk_extents[1], 256);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_nests_are_packed_by_the_rules),
      cmocka_unit_test(every_step_of_a_run),
      cmocka_unit_test(a_run_of_far_units_by_hand),
      cmocka_unit_test(every_length_of_a_run),
      cmocka_unit_test(an_axis_is_split_only_where_there_is_room),
      cmocka_unit_test(outer_axes_go_by_their_nearer_side),
      cmocka_unit_test(a_run_by_hand),
      cmocka_unit_test(every_pair_of_sides),
      cmocka_unit_test(sides_are_split_where_there_is_room),
      cmocka_unit_test(random_products_are_turned_by_the_rules),
      cmocka_unit_test(a_block_by_hand),
      cmocka_unit_test(axes_are_turned_only_where_there_is_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
