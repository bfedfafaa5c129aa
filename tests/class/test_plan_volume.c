/*
 * Volumes for wide devices, against a second reading of the rules: from either side's fastest axes
 * as many steps as make runs of 128 bytes, up to twice that where an extent asks for it; at least
 * a step for each item of a group; all within the units that the kernel has room for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include <stdlib.h>

#include "nests.h"

enum { LOCAL_BYTES = 16896 /* 16 KiB, and a unit more for every 32 */, LEAST_UNITS = 256 };

static int64_t most_units(uint32_t unit_bits) {
  return unit_bits == 128 ? 1024 : unit_bits == 64 ? 2048 : 4096;
}

/* An axis, or the inner or outer steps of one. */
typedef struct piece {
  clrs_nest_axis axis;
  bool inside, looked_at;
} piece;

typedef struct model {
  piece pieces[CLRS_MAX_AXES];
  int count;
  int64_t units, most;
} model;

/* Takes a piece, or the largest divisor of it that the run may grow by and there is room for. */
static int64_t take_piece(model *m, int at, int64_t growth) {
  piece *whole = &m->pieces[at];
  int64_t part = whole->axis.extent;
  if (whole->inside)
    return part;
  part = part < growth ? part : growth;
  while (part * m->units > m->most || whole->axis.extent % part != 0)
    part--;
  if (part == 1)
    return 1;
  m->units *= part;
  if (part == whole->axis.extent) {
    whole->inside = true;
    return part;
  }
  memmove(whole + 1, whole, (size_t)(m->count++ - at) * sizeof *whole);
  whole[1].axis.extent = part;
  whole[1].inside = true;
  whole->axis.extent /= part;
  whole->axis.source_stride *= part;
  whole->axis.destination_stride *= part;
  return part;
}

/* The axes by the size of their steps, of equal ones the outer first; a repeated one is no run. */
static int64_t take_source(model *m, int64_t wanted) {
  int64_t run = 1;
  while (run < wanted) {
    int nearest = -1;
    for (int i = m->count - 1; i >= 0; i--) {
      const int64_t step = llabs(m->pieces[i].axis.source_stride);
      if (!m->pieces[i].looked_at && step != 0 &&
          (nearest < 0 || step <= llabs(m->pieces[nearest].axis.source_stride)))
        nearest = i;
    }
    if (nearest < 0)
      break;
    m->pieces[nearest].looked_at = true;
    run *= take_piece(m, nearest, 2 * wanted / run);
  }
  return run;
}

static int64_t take_destination(model *m, int64_t wanted) {
  int64_t run = 1;
  for (int at = m->count - 1; at >= 0 && run < wanted; at--)
    run *= take_piece(m, at, 2 * wanted / run);
  return run;
}

static bool has_unit_steps(const clrs_nest *nest) {
  bool source = false;
  for (uint32_t i = 0; i < nest->axis_count; i++)
    source = source || llabs(nest->axes[i].source_stride) == 1;
  return source && nest->axes[nest->axis_count - 1].destination_stride == 1;
}

/* The nest that is expected, outer axes first, or no axes if there is to be no volume. */
static clrs_nest expected_nest(uint32_t unit_bits, const clrs_nest *nest, bool is_required,
                               uint32_t most_axes, uint32_t *outer) {
  const int64_t wanted = 128 * 8 / (int64_t)unit_bits;
  model m = {.count = (int)nest->axis_count, .units = 1, .most = most_units(unit_bits)};
  clrs_nest expected = *nest;
  expected.axis_count = 0;
  for (int i = 0; i < m.count; i++)
    m.pieces[i].axis = nest->axes[i];
  const int64_t source = take_source(&m, wanted);
  const int64_t destination = take_destination(&m, wanted);
  take_destination(&m, LEAST_UNITS);
  const bool is_good = source * 2 >= wanted && destination * 2 >= wanted &&
                       m.units >= LEAST_UNITS && has_unit_steps(nest);
  uint32_t inside = 0;
  for (int i = 0; i < m.count; i++)
    inside += m.pieces[i].inside;
  *outer = (uint32_t)m.count - inside;
  /* The kernel's arguments hold what is inside in both orders. */
  if (*outer + 2 * inside > most_axes || !(is_good || (is_required && m.units > 1)))
    return expected;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < m.count; i++)
      if (m.pieces[i].inside == (pass == 1))
        expected.axes[expected.axis_count++] = m.pieces[i].axis;
  return expected;
}

/* The volume's axes once more, by the size of their steps in the source; beside each its step in
 * local memory, where units lie in the destination's order. */
static void check_both_orders(const clrs_launch *launch, uint64_t seed) {
  const clrs_launch both = clrs__launch_in_both_orders(launch);
  const uint32_t outer = launch->outer_axis_count, end = launch->nest.axis_count;
  CHECK_SEEDED(both.nest.axis_count == 2 * end - outer, seed, "axes");
  CHECK_SEEDED(clrs__launch_argument_axes(launch) == both.nest.axis_count, seed, "room");
  CHECK_SEEDED(memcmp(both.nest.axes, launch->nest.axes, end * sizeof both.nest.axes[0]) == 0, seed,
               "the first axes are others");
  for (uint32_t i = end; i < both.nest.axis_count; i++) {
    const clrs_nest_axis axis = both.nest.axes[i];
    int64_t step = 1;
    uint32_t found = end;
    for (uint32_t k = end; k-- > outer; step *= launch->nest.axes[k].extent)
      if (step == axis.destination_stride) {
        found = k;
        break;
      }
    CHECK_SEEDED(found < end && launch->nest.axes[found].extent == axis.extent &&
                     launch->nest.axes[found].source_stride == axis.source_stride,
                 seed, "axis %u of the source's order", i - end);
    CHECK_SEEDED(i == end ||
                     llabs(both.nest.axes[i - 1].source_stride) >= llabs(axis.source_stride),
                 seed, "not by steps in the source");
    for (uint32_t k = end; k < i; k++)
      CHECK_SEEDED(both.nest.axes[k].destination_stride != axis.destination_stride, seed, "twice");
  }
}

static bool check_volume(uint32_t unit_bits, const clrs_nest *nest, bool is_required,
                         uint64_t seed) {
  const clrs_device_limits limits = {
      32,  UINT64_C(1) << 30, CLRS_EXECUTION_GPU,
      256, LOCAL_BYTES,       is_required ? CLRS_CLASS_GPU_SHORT : CLRS_CLASS_ANY};
  clrs_launch launch = launch_of(unit_bits, *nest);
  uint32_t outer = 0;
  const clrs_nest expected = expected_nest(unit_bits, nest, is_required, 31, &outer);
  const bool is_chosen = clrs__launch_choose_volume(&limits, &launch);
  CHECK_SEEDED(is_chosen == (expected.axis_count > 0), seed, "a volume: %d", is_chosen);
  if (!is_chosen) {
    CHECK_SEEDED(launch.kernel_class == CLRS_CLASS_GPU_ANY, seed, "changed for nothing");
    return false;
  }
  CHECK_SEEDED(launch.kernel_class == CLRS_CLASS_GPU_SHORT, seed, "class");
  CHECK_SEEDED(launch.outer_axis_count == outer && launch.nest.axis_count == expected.axis_count &&
                   memcmp(launch.nest.axes, expected.axes,
                          expected.axis_count * sizeof expected.axes[0]) == 0,
               seed, "other axes; %u outer ones, not %u", launch.outer_axis_count, outer);
  CHECK_SEEDED(clrs__launch_work(&launch) == nest_units(&expected, 0, outer), seed, "work");
  CHECK_SEEDED(clrs__launch_is_grouped(&launch) && !clrs__launch_has_lanes(&launch), seed, "kind");
  check_both_orders(&launch, seed);
  return true;
}

static void random_nests_get_the_volume_of_the_rules(void **state) {
  (void)state;
  const uint64_t seed = test_seed(730000);
  const int64_t cases = test_cases(30000);
  int64_t chosen = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const uint32_t unit_bits = (uint32_t)8 << rng_between(&rng, 0, 4);
    const clrs_nest nest = nest_random(&rng, rng_percent(&rng, 50) ? 20 : 300);
    if (nest.axis_count > 0)
      chosen += check_volume(unit_bits, &nest, rng_percent(&rng, 30), seed + (uint64_t)i);
  }
  if (cases >= 30000)
    assert_true(chosen * 10 > cases && chosen * 10 < 9 * cases);
}

/* Every size of a small transpose of every unit: where the choice changes. */
static void every_small_transpose_gets_the_volume_of_the_rules(void **state) {
  (void)state;
  for (uint32_t unit_bits = 8; unit_bits <= 128; unit_bits *= 2)
    for (int64_t rows = 2; rows < 100; rows++)
      for (int64_t columns = 2; columns < 100; columns += 1 + (rows > 40)) {
        const clrs_nest nest = nest_of(AXES({rows, 1, columns}, {columns, rows, 1}));
        (void)check_volume(unit_bits, &nest, false, (uint64_t)(rows * 1000 + columns));
      }
}

/* Axes of 2, of which as many are inside as there are units: both orders need room. */
static void many_axes_need_room_in_both_orders(void **state) {
  (void)state;
  int refused = 0;
  for (uint32_t axes = 10; axes <= 31; axes++) {
    clrs_nest nest = {.axis_count = axes};
    for (uint32_t i = 0; i < axes; i++)
      nest.axes[i] = (clrs_nest_axis){2, INT64_C(1) << i, INT64_C(1) << (axes - 1 - i)};
    nest_poison(&nest);
    refused += !check_volume(32, &nest, true, axes);
  }
  assert_true(refused > 0 && refused < 22);
}

/* The walk of a nest has room for 64 axes, and a part of one would be one more. */
static void an_axis_is_not_split_where_axes_run_out(void **state) {
  (void)state;
  for (uint32_t axes = 63; axes <= 64; axes++) {
    const clrs_device_limits limits = {32,  UINT64_C(1) << 30, CLRS_EXECUTION_GPU,
                                       256, LOCAL_BYTES,       CLRS_CLASS_GPU_SHORT};
    clrs_nest nest = {.axis_count = axes};
    for (uint32_t i = 0; i < axes; i++)
      nest.axes[i] = (clrs_nest_axis){i + 1 < axes ? 1009 : 4000, i + 1 < axes ? 0 : 1, 1};
    clrs_launch launch = launch_of(32, nest);
    assert_false(clrs__launch_choose_volume(&limits, &launch));
    assert_int_equal(launch.nest.axis_count, axes);
  }
}

static void a_volume_needs_local_memory(void **state) {
  (void)state;
  const clrs_nest nest = nest_of(AXES({64, 1, 64}, {64, 64, 1}));
  for (uint64_t less = 0; less < 2; less++) {
    const clrs_device_limits limits = {32,  UINT64_C(1) << 30,  CLRS_EXECUTION_GPU,
                                       256, LOCAL_BYTES - less, CLRS_CLASS_ANY};
    clrs_launch launch = launch_of(32, nest);
    assert_int_equal(clrs__launch_choose_volume(&limits, &launch), !less);
  }
}

/* By hand, of units of 4 bytes: a run wants 32, and may get 64. */
static void a_volume_by_hand(void **state) {
  (void)state;
  const clrs_nest nest = nest_of(AXES({24, 1, 40}, {40, 24, 1}));
  const clrs_device_limits limits = {32,  UINT64_C(1) << 30, CLRS_EXECUTION_GPU,
                                     256, LOCAL_BYTES,       CLRS_CLASS_ANY};
  clrs_launch launch = launch_of(32, nest);
  assert_true(clrs__launch_choose_volume(&limits, &launch));
  /* All 24 of the source's run, which grows by 64 / 24 = 2 of the 40 more; then, along the
   * destination, these 2 and up to 64 / 2 = 32 of what is left: 20. */
  const clrs_nest expected = nest_of(AXES({24, 1, 40}, {20, 48, 2}, {2, 24, 1}));
  assert_int_equal(launch.nest.axis_count, 3);
  assert_int_equal(launch.outer_axis_count, 0);
  assert_memory_equal(launch.nest.axes, expected.axes, 3 * sizeof expected.axes[0]);
}

/* A group's choice: a volume where the runs that both sides share are short and no tile is good. */
static void volumes_are_for_short_runs_without_a_tile(void **state) {
  (void)state;
  const struct {
    const char *name;
    clrs_class required, expected;
    clrs_nest nest;
  } rows[] = {
      {"tile", CLRS_CLASS_ANY, CLRS_CLASS_GPU_TILE, nest_of(AXES({64, 1, 64}, {64, 64, 1}))},
      {"tile_but_required", CLRS_CLASS_GPU_SHORT, CLRS_CLASS_GPU_SHORT,
       nest_of(AXES({64, 1, 64}, {64, 64, 1}))},
      {"short_runs", CLRS_CLASS_ANY, CLRS_CLASS_GPU_SHORT,
       nest_of(AXES({64, 7, 448}, {64, 448, 7}, {7, 1, 1}))},
      {"long_runs", CLRS_CLASS_ANY, CLRS_CLASS_GPU_ROWS,
       nest_of(AXES({256, 8, 2048}, {256, 2048, 8}, {8, 1, 1}))},
      {"rows_are_required", CLRS_CLASS_GPU_ROWS, CLRS_CLASS_GPU_ROWS,
       nest_of(AXES({64, 7, 448}, {64, 448, 7}, {7, 1, 1}))},
      {"no_divisor", CLRS_CLASS_GPU_SHORT, CLRS_CLASS_GPU_ANY, nest_of(AXES({4099, 3, 2}))},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const clrs_device_limits limits = {32,  UINT64_C(1) << 30, CLRS_EXECUTION_GPU,
                                       256, LOCAL_BYTES,       rows[i].required};
    clrs_launch launch = launch_of(32, rows[i].nest);
    clrs__launch_choose_groups(&limits, &launch);
    if (launch.kernel_class != rows[i].expected)
      fail_msg("%s: %s", rows[i].name, clrs_class_name(launch.kernel_class));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_nests_get_the_volume_of_the_rules),
      cmocka_unit_test(every_small_transpose_gets_the_volume_of_the_rules),
      cmocka_unit_test(many_axes_need_room_in_both_orders),
      cmocka_unit_test(an_axis_is_not_split_where_axes_run_out),
      cmocka_unit_test(a_volume_needs_local_memory),
      cmocka_unit_test(a_volume_by_hand),
      cmocka_unit_test(volumes_are_for_short_runs_without_a_tile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
