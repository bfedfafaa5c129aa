/*
 * Fills: every bit of the destination exactly once and no other bit, from a single value.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "class/nests.h"
#include "harness/bits.h"
#include "harness/tensors.h"
#include "plans_equal.h"

enum { BITS = 1 << 18 };

typedef struct fill_case {
  clrs_view view;
  clrs_operand destination;
  oracle tensor;
  clrs_plan plan;
} fill_case;

/* Marks each bit of the destination with the bit of the value that goes there. A unit wider than an
 * element repeats the value, a narrower unit takes a part of the value. */
static void put_launch(const fill_case *c, const clrs__cut *cut, int16_t *bits, uint64_t seed) {
  const clrs__nest *nest = &cut->nest;
  const int64_t unit = cut->unit_bits, width = clrs_dtype_bits(c->view.dtype);
  CHECK_SEEDED(cut->from == CLRS__FROM_VALUE && nest->source_offset == 0, seed, "source");
  for (int64_t k = 0; k < nest_units(nest, 0, nest->axis_count); k++) {
    int64_t from, to;
    nest_step(nest, 0, k, &from, &to);
    to = (to + nest->destination_offset) * unit;
    CHECK_SEEDED(to >= 0 && to + unit <= BITS, seed, "out of bounds");
    CHECK_SEEDED(from >= 0 && from * unit < width, seed, "steps out of the value");
    for (int64_t bit = 0; bit < unit; bit++) {
      CHECK_SEEDED(bits[to + bit] == -1, seed, "twice");
      bits[to + bit] = (int16_t)((from * unit + bit) % width);
    }
  }
}

static void check_fill(fill_case *c, uint64_t seed) {
  static int16_t bits[BITS];
  const clrs_plan *plan = &c->plan;
  const int64_t width = clrs_dtype_bits(c->view.dtype);
  memset(bits, -1, sizeof bits);
  for (uint32_t i = 0; i < plan->launch_count; i++)
    put_launch(c, &clrs__plan_data_in(plan)->cuts[i], bits, seed);
  for (int64_t k = 0; k < c->tensor.count; k++)
    for (int64_t bit = 0; bit < width; bit++) {
      int16_t *at = &bits[(int64_t)c->destination.byte_offset * 8 + c->tensor.positions[k] * width];
      CHECK_SEEDED(at[bit] == bit, seed, "bit %d of an element", at[bit]);
      at[bit] = -1;
    }
  for (int64_t bit = 0; bit < BITS; bit++)
    CHECK_SEEDED(bits[bit] == -1, seed, "bit %lld is of no element", (long long)bit);
  for (uint32_t i = 0; i < clrs__plan_data_in(plan)->nest.axis_count; i++)
    CHECK_SEEDED(clrs__plan_data_in(plan)->nest.axes[i].source_stride == 0, seed,
                 "a step in the source");
  int64_t lowest, highest;
  oracle_range(&c->tensor, &lowest, &highest);
  const bit_span span = bits_of(c->view.dtype, c->destination.byte_offset);
  CHECK_SEEDED(plan->outcome == CLRS_OUTCOME_AFFINE && plan->bytes_read == 0 &&
                   plan->bytes_written == ((uint64_t)(c->tensor.count * width) + 7) / 8,
               seed, "bytes");
  CHECK_SEEDED(plan->source.begin == 0 && plan->source.end == 0 && plan->source.alignment >= 1,
               seed, "source");
  const uint32_t unit_bytes = (plan->launches[0].unit_bits + 7) / 8;
  const bool in_blocks = plan->destination.alignment == CLRS_BLOCK_BYTES;
  CHECK_SEEDED(plan->destination.end == bits_end(&span, highest) &&
                   (in_blocks ? c->destination.alignment >= CLRS_BLOCK_BYTES
                              : plan->destination.alignment == unit_bytes),
               seed, "destination");
  CHECK_SEEDED(clrs__plan_data_in(plan)->reason_count == 1 &&
                   clrs__plan_data_in(plan)->reasons[0].kind == CLRS__REASON_DESTINATION_GIVEN,
               seed, "reason");
}

TEST(random_fills_write_each_bit_once) {
  static const clrs_dtype dtypes[] = {CLRS_U1, CLRS_U4, CLRS_I8, CLRS_F16, CLRS_F32, CLRS_C128};
  const uint64_t seed = test_seed(800000);
  const int64_t cases = test_cases(2000);
  int64_t merged = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const layout_wish wish = {4, 6, 60, 5, false};
    static fill_case c;
    static clrs_plan again;
    clrs_error error = {0};
    clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
    limits.execution = rng_percent(&rng, 50) ? CLRS_EXECUTION_GPU : CLRS_EXECUTION_CPU;
    const clrs_layout layout =
        layout_random(&rng, dtypes[rng_between(&rng, 0, 5)], &wish, rng_between(&rng, 0, 3));
    CHECK_OK(clrs_view_from_layout(&layout, &c.view, &error), error);
    c.tensor = oracle_from_layout(&layout);
    int64_t lowest, highest;
    oracle_range(&c.tensor, &lowest, &highest);
    c.destination = (clrs_operand){&c.view, (uint64_t)rng_between(&rng, 0, 3) * 2,
                                   rng_percent(&rng, 70) ? 128 : 2};
    if ((highest + 2) * clrs_dtype_bits(layout.dtype) > BITS - 64) {
      oracle_free(&c.tensor);
      continue; /* few cases, which reach past the map */
    }
    memset(&c.plan, 0x5a, sizeof c.plan);
    CHECK_OK(clrs_plan_fill(&c.destination, &limits, &c.plan, &error), error);
    CHECK_OK(clrs_plan_fill(&c.destination, &limits, &again, &error), error);
    CHECK_SEEDED(plans_equal(&c.plan, &again), seed + (uint64_t)i, "another plan");
    if (c.tensor.count > 0)
      check_fill(&c, seed + (uint64_t)i);
    else
      CHECK_SEEDED(c.plan.outcome == CLRS_OUTCOME_EMPTY && c.plan.launch_count == 0,
                   seed + (uint64_t)i, "nothing to fill");
    merged +=
        c.tensor.count > 1 && clrs__plan_data_in(&c.plan)->nest.axis_count == 1 && layout.rank > 1;
    oracle_free(&c.tensor);
  }
  assert_true(cases < 2000 || merged > 100);
}

/* Where a fill starts does not depend on how the destination is cut. A dense destination is a
 * single axis. */
TEST(fills_that_cannot_be_are_refused) {
  clrs_plan plan;
  const clrs_shape shape = {1, {4}};
  const int64_t repeated = 0;
  clrs_layout layout;
  clrs_view view;
  const clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  clrs_operand destination = {&view, 0, 128};
  CHECK_OK(clrs_layout_init(CLRS_F32, &shape, &repeated, 0, &layout, &error), error);
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  CHECK_FAILS(clrs_plan_fill(&destination, &limits, &plan, &error), CLRS_OVERLAP, error);
  CHECK_OK(clrs_view_dense(CLRS_U3, &shape, &view, &error), error);
  CHECK_FAILS(clrs_plan_fill(&destination, &limits, &plan, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "u3");
  CHECK_OK(clrs_layout_init(CLRS_F32, &shape, NULL, -1, &layout, &error), error);
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  CHECK_FAILS(clrs_plan_fill(&destination, &limits, &plan, &error), CLRS_OUT_OF_BOUNDS, error);
  destination.alignment = 3;
  CHECK_FAILS(clrs_plan_fill(&destination, &limits, &plan, &error), CLRS_INVALID_ARGUMENT, error);
}

TESTS(NULL, NULL)
