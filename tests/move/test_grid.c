/*
 * Grids of launches: for counts of work-items up to 2^40 and any limits, OpenCL's rules (whole
 * groups, no more items than the device allows). No item may be missing unless the device allows no
 * more.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"
#include "harness/rng.h"

#include "move/grid.h"

static int64_t draw_by_size(test_rng *rng, int most_bits) {
  return rng_between(rng, 1, INT64_C(1) << rng_between(rng, 0, most_bits));
}

TEST(grids_hold_their_items_within_the_limits) {
  const uint64_t seed = test_seed(7600000);
  for (int64_t i = 0; i < test_cases(50000); i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const clrs_device_limits limits = {.max_work_items = (uint64_t)draw_by_size(&rng, 40),
                                       .max_group_items = UINT32_C(1) << rng_between(&rng, 0, 10)};
    const int64_t items = draw_by_size(&rng, 40), wish = INT64_C(1) << rng_between(&rng, 0, 8);
    const int64_t allowed = clrs__grid_items_allowed(&limits);
    const clrs__grid grid = clrs__grid_of(items, wish, &limits);
    const int64_t has = (int64_t)(grid.global[0] * grid.global[1]), group = (int64_t)grid.group[0];
    CHECK_SEEDED(group >= 1 && group <= wish && (uint64_t)group <= limits.max_group_items &&
                     grid.group[1] == 1,
                 seed + (uint64_t)i, "a group of %lld", (long long)group);
    CHECK_SEEDED(grid.global[0] % grid.group[0] == 0, seed + (uint64_t)i, "a group in part");
    CHECK_SEEDED(grid.global[0] < 65536 && grid.global[1] < 65536, seed + (uint64_t)i,
                 "PoCL compiles %zu x %zu anew", grid.global[0], grid.global[1]);
    CHECK_SEEDED((uint64_t)allowed <= limits.max_work_items, seed + (uint64_t)i, "%lld allowed",
                 (long long)allowed);
    /* All items, with only a last row or group partly empty, or at least half of the allowed
     * items. */
    CHECK_SEEDED(has >= items || has > allowed - group - (int64_t)grid.global[1] * group,
                 seed + (uint64_t)i, "%lld of %lld items, %lld allowed", (long long)has,
                 (long long)items, (long long)allowed);
  }
}

TEST(small_grids_are_one_row) {
  const clrs_device_limits limits = {.max_work_items = 4096, .max_group_items = 256};
  const clrs__grid ten = clrs__grid_of(10, 4, &limits), many = clrs__grid_of(1000000, 64, &limits);
  assert_int_equal(ten.global[0], 12);
  assert_int_equal(ten.global[1], 1);
  assert_int_equal(ten.group[0], 4);
  assert_int_equal(many.global[0], 4096);
  assert_int_equal(many.global[1], 1);
  assert_int_equal(many.group[0], 64);
}

TESTS(NULL, NULL)
