/*
 * How many work-items a launch is given: whatever there is to move, no dimension of 65536 or more,
 * no more items than the limits allow, whole groups, and nothing left over. Sizes here are far
 * beyond any memory, and nothing is moved.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "class/table.h"
#include "class/tuning.h"
#include "class/work_size.h"
#include "harness/rng.h"
#include "plan/plan.h"

typedef struct tally {
  int64_t by_class[CLRS__CLASS_COUNT], crowded, huge;
} tally;

/* Rows, transposed or with strides of any kind, of up to 2^55 bytes. */
static bool draw_views(test_rng *rng, clrs_view *source, clrs_view *destination) {
  static const clrs_dtype dtypes[] = {CLRS_BITS1, CLRS_I4, CLRS_U8, CLRS_F16, CLRS_F32, CLRS_C128};
  const clrs_dtype dtype = dtypes[rng_between(rng, 0, 5)];
  clrs_layout from, to;
  clrs_shape shape = {.rank = 3};
  for (uint32_t d = 0; d < 3; d++) {
    const int64_t most = INT64_C(1) << rng_between(rng, 0, 17);
    shape.dims[d] = rng_percent(rng, 20) ? most : rng_between(rng, 1, most);
  }
  const int64_t *dims = shape.dims;
  const int64_t pitch = rng_percent(rng, 50) ? dims[2] : dims[2] + rng_between(rng, 0, 3);
  const int64_t row_major[] = {dims[1] * pitch, pitch, 1};
  const int64_t turned[] = {dims[1] * dims[2], 1, dims[1]};
  const int64_t backwards[] = {-dims[1] * dims[2], -dims[2], -1};
  const int kind = (int)rng_between(rng, 0, 2);
  const int64_t *strides = kind == 0 ? row_major : kind == 1 ? turned : backwards;
  const int64_t offset = kind == 2 ? dims[0] * dims[1] * dims[2] : 0;
  return clrs_layout_init(dtype, &shape, strides, offset, &from, &error) == CLRS_OK &&
         clrs_layout_init(dtype, &shape, NULL, 0, &to, &error) == CLRS_OK &&
         clrs_view_from_layout(&from, source, &error) == CLRS_OK &&
         clrs_view_from_layout(&to, destination, &error) == CLRS_OK;
}

static clrs_device_limits draw_limits(test_rng *rng) {
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  limits.min_index_bits = rng_percent(rng, 50) ? 32 : 64;
  limits.execution = rng_percent(rng, 50) ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
  if (rng_percent(rng, 70))
    limits.max_work_items = (uint64_t)1 << rng_between(rng, 0, 40);
  if (rng_percent(rng, 70))
    limits.max_work_items += (uint64_t)rng_between(rng, 0, 1000);
  limits.max_group_items = (uint32_t)1 << rng_between(rng, 0, 10);
  limits.local_bytes = rng_percent(rng, 70) ? 32768 : 1024;
  if (rng_percent(rng, 40))
    limits.required_class = clrs_class_name((size_t)rng_between(rng, 0, CLRS__CLASS_COUNT - 1));
  return limits;
}

/* Both written from the kernels. In these classes a group moves a piece. */
static bool moves_by_groups(const clrs__cut *cut) {
  return cut->kernel_class == CLRS__CLASS_GPU_ROWS || cut->kernel_class == CLRS__CLASS_GPU_TILE ||
         cut->kernel_class == CLRS__CLASS_GPU_SHORT;
}

/* Work-items that share out pieces do not come back for more, all other work-items do. */
static bool comes_back(const clrs__cut *cut) {
  return cut->share == 0 || moves_by_groups(cut);
}

static void check_range(const clrs__cut *cut, const clrs_device_limits *limits, uint64_t seed,
                        tally *seen) {
  const clrs__range range = clrs__cut_range(cut, limits);
  const uint64_t work = (uint64_t)cut->work;
  const uint64_t items = range.global[0] * range.global[1];
  CHECK_SEEDED(work > 0, seed, "no work");
  for (int d = 0; d < 2; d++) {
    CHECK_SEEDED(range.global[d] > 0 && range.global[d] < 65536, seed, "dimension %d has %llu", d,
                 (unsigned long long)range.global[d]);
    CHECK_SEEDED(range.group[d] > 0 && range.global[d] % range.group[d] == 0, seed, "split group");
  }
  CHECK_SEEDED(range.group[1] == 1 &&
                   (range.group[0] == 1 || range.group[0] <= limits->max_group_items),
               seed, "groups of %llu", (unsigned long long)range.group[0]);
  CHECK_SEEDED(!moves_by_groups(cut) || range.group[0] == 256u >> cut->halvings, seed,
               "a group of %llu", (unsigned long long)range.group[0]);
  CHECK_SEEDED(comes_back(cut) || range.group[0] == 1, seed,
               "a group of items that share out pieces");
  /* Rows of a grid are equal, so a few items may have nothing to do. */
  const uint64_t spare = range.global[1] > 1 ? range.global[1] * range.group[0] : range.group[0];
  CHECK_SEEDED(items <= limits->max_work_items + spare, seed, "%llu items of at most %llu",
               (unsigned long long)items, (unsigned long long)limits->max_work_items);
  if (!comes_back(cut))
    CHECK_SEEDED(items >= (work - 1) / (uint64_t)cut->share + 1, seed,
                 "%llu items do not take %llu", (unsigned long long)items,
                 (unsigned long long)work);
  const uint64_t groups = items / range.group[0];
  const bool loops = (moves_by_groups(cut) ? groups : items) < work;
  CHECK_SEEDED(range.loops == (clrs__cut_may_loop(cut) && loops), seed, "loops: %d", range.loops);
  if (cut->kind == CLRS__CUT_VOLUMES) {
    const uint64_t most = (uint64_t)CLRS__GPU_MOST_VOLUME_GROUPS << cut->halvings;
    const uint64_t allowed = limits->max_work_items / range.group[0];
    const uint64_t least = work < most ? work : most;
    CHECK_SEEDED(groups < most + range.global[1] && (groups >= least || groups >= allowed), seed,
                 "%llu groups", (unsigned long long)groups);
  }
  seen->by_class[cut->kernel_class]++;
  seen->crowded += items + spare >= limits->max_work_items;
  seen->huge += work > UINT64_C(65535) * 65535;
}

TEST(every_launch_fits_and_reaches_everything) {
  tally seen = {.crowded = 0};
  const uint64_t seed = test_seed(500000);
  const int64_t cases = test_cases(20000);
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    clrs_view views[2];
    clrs_error error = {0};
    clrs_plan plan;
    if (!draw_views(&rng, &views[0], &views[1]))
      continue;
    const clrs_device_limits limits = draw_limits(&rng);
    const clrs_move move = {{&views[0], 0, 128}, {&views[1], 0, 128}, CLRS_COPY_ALWAYS};
    const clrs_status status = clrs_plan_move(&move, &limits, &plan, &error);
    CHECK_SEEDED(status == CLRS_OK ||
                     (status == CLRS_UNSUPPORTED && limits.required_class != clrs_class_name(0)),
                 seed + (uint64_t)i, "%s", error.message);
    for (uint32_t l = 0; status == CLRS_OK && l < plan.launch_count; l++)
      check_range(&clrs__plan_data_in(&plan)->cuts[l], &limits, seed + (uint64_t)i, &seen);
  }
  print_message("%lld launches as large as may be, %lld with more work than 65535 groups squared\n",
                (long long)seen.crowded, (long long)seen.huge);
  for (int c = CLRS__CLASS_ANY + 1; c < CLRS__CLASS_COUNT && cases >= 1000; c++)
    if (c != CLRS__CLASS_FILL && seen.by_class[c] < 20)
      fail_msg("class %s: %lld launches", clrs_class_name((size_t)c), (long long)seen.by_class[c]);
  if (cases >= 1000)
    assert_true(seen.crowded >= 100 && seen.huge >= 100);
}

TEST(unknown_group_limits_do_not_shrink_groups) {
  const clrs__cut cut = {.kernel_class = CLRS__CLASS_GPU_ANY, .work = 1000};
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  assert_int_equal(clrs__cut_range(&cut, &limits).group[0], 64);
  limits.max_group_items = 16;
  assert_int_equal(clrs__cut_range(&cut, &limits).group[0], 16);
}

TESTS(NULL, NULL)
