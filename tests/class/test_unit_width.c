/*
 * The unit of a launch is the widest unit that can be moved whole, and index arithmetic is as
 * narrow as positions allow. A packed launch knows the axes that share bytes. Checked by
 * enumeration of nests that are handed to the planner's last step.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "nests.h"

enum { MOST_BITS = 1 << 16 };

static const clrs_dtype dtypes[] = {CLRS_BITS1, CLRS_U1,  CLRS_I2,  CLRS_U4,  CLRS_I8,
                                    CLRS_F16,   CLRS_F32, CLRS_F64, CLRS_C128};

typedef struct unit_case {
  clrs_view dtype; /* only the dtype is read */
  clrs_move move;
  clrs__nest nest; /* in elements */
  bool fills;
  clrs__cut cut;
} unit_case;

static clrs_status plan_nest(unit_case *c, const clrs_device_limits *limits, clrs_error *error) {
  const clrs__pass pass = {.move = &c->move,
                           .limits = limits,
                           .from = c->fills ? CLRS__FROM_VALUE : CLRS__FROM_SOURCE,
                           .count = 1};
  c->move.source.view = c->move.destination.view = &c->dtype;
  return clrs__choose_cut(&pass, &c->nest, &c->cut, error);
}

/* For every bit of the destination the bit of the source that goes there, or -1. */
static void list_bits(const unit_case *c, int32_t *from) {
  const int64_t width = clrs_dtype_bits(c->dtype.dtype);
  for (int i = 0; i < MOST_BITS; i++)
    from[i] = -1;
  for (int64_t k = 0; k < nest_units(&c->nest, 0, c->nest.axis_count); k++) {
    int64_t source, destination;
    nest_step(&c->nest, 0, k, &source, &destination);
    source = ((int64_t)c->move.source.byte_offset * 8 + (source + c->nest.source_offset) * width);
    destination = (int64_t)c->move.destination.byte_offset * 8 +
                  (destination + c->nest.destination_offset) * width;
    assert_true(source >= 0 && destination >= 0 && destination + width <= MOST_BITS);
    for (int64_t bit = 0; bit < width; bit++)
      from[destination + bit] = (int32_t)(source + bit);
  }
}

/* Does every written unit of the destination come from a single unit of the source? */
static bool unit_fits(const unit_case *c, const int32_t *from, int unit) {
  const uint32_t bytes = unit > 8 ? (uint32_t)unit / 8 : 1;
  if (c->move.source.alignment < bytes || c->move.destination.alignment < bytes)
    return false;
  for (int to = 0; to < MOST_BITS; to += unit)
    for (int bit = 0; bit < unit; bit++) {
      const bool is_written = from[to + bit] >= 0;
      if (is_written != (from[to] >= 0) ||
          (is_written && !c->fills && (from[to + bit] != from[to] + bit || from[to] % unit != 0)))
        return false;
    }
  return true;
}

static unit_case draw_case(test_rng *rng) {
  static const uint32_t alignments[] = {1, 2, 4, 8, 16, 128};
  unit_case c = {.fills = rng_percent(rng, 15)};
  c.dtype.dtype = dtypes[rng_between(rng, 0, sizeof dtypes / sizeof dtypes[0] - 1)];
  c.nest = nest_random(rng, rng_percent(rng, 50) ? 4 : 8);
  c.move.source.alignment = c.move.destination.alignment = 128;
  if (rng_percent(rng, 30)) {
    c.move.source.alignment = alignments[rng_between(rng, 0, 5)];
    c.move.destination.alignment = alignments[rng_between(rng, 0, 5)];
  }
  if (rng_percent(rng, 30)) {
    c.move.source.byte_offset = (uint64_t)1 << rng_between(rng, 0, 5);
    c.move.destination.byte_offset = (uint64_t)rng_between(rng, 0, 40);
  }
  if (rng_percent(rng, 30)) {
    c.nest.source_offset += (int64_t)1 << rng_between(rng, 0, 6);
    c.nest.destination_offset += rng_between(rng, 0, 20);
  }
  if (c.fills) {
    c.nest.source_offset = 0;
    for (uint32_t i = 0; i < c.nest.axis_count; i++)
      c.nest.axes[i].source_stride = 0;
    clrs__nest_normalize(&c.nest);
    c.move.source.byte_offset = 0;
    c.move.source.alignment = c.move.destination.alignment;
  }
  return c;
}

TEST(units_are_the_widest_that_move_whole) {
  static int32_t from[MOST_BITS];
  const uint64_t seed = test_seed(700000);
  const int64_t cases = test_cases(600);
  const clrs_device_limits wide = {32, UINT64_C(1) << 30, CLRS_EXECUTION_GPU, 0, 0, 0, 0};
  int64_t seen[129] = {0};
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    static unit_case c;
    c = draw_case(&rng);
    clrs_error error = {0};
    if (nest_units(&c.nest, 0, c.nest.axis_count) * clrs_dtype_bits(c.dtype.dtype) > MOST_BITS / 64)
      continue;
    CHECK_SEEDED(plan_nest(&c, &wide, &error) == CLRS_OK, seed + (uint64_t)i, "%s", error.message);
    list_bits(&c, from);
    int widest = 0;
    for (int unit = 1; unit <= 128; unit *= 2)
      widest = unit_fits(&c, from, unit) ? unit : widest;
    CHECK_SEEDED((int)c.cut.unit_bits == widest, seed + (uint64_t)i, "%u bits, not %d",
                 c.cut.unit_bits, widest);
    seen[widest]++;
  }
  for (int unit = 1; cases >= 600 && unit <= 128; unit *= 2)
    if (seen[unit] < 10)
      fail_msg("%lld units of %d bits", (long long)seen[unit], unit);
}

/* ---- packed launches ---- */

TEST(packed_axes_are_outer_if_they_leave_a_byte_free) {
  const uint64_t seed = test_seed(710000);
  const int64_t cases = test_cases(3000);
  const clrs_device_limits wide = {
      32, UINT64_C(1) << 30, CLRS_EXECUTION_GPU, 0, 0, clrs_class_name(CLRS__CLASS_SUBBYTE), 0};
  int64_t interleaved = 0, inner = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    static unit_case c;
    c = (unit_case){.nest = nest_random(&rng, 5)};
    c.dtype.dtype = dtypes[rng_between(&rng, 0, 3)];
    c.move.source.alignment = c.move.destination.alignment = 128;
    /* Axes may also lie within the gaps of other axes, or meet. The planner's callers exclude
     * conflicts. */
    for (uint32_t a = 0; rng_percent(&rng, 50) && a < c.nest.axis_count; a++)
      c.nest.axes[a].destination_stride = rng_between(&rng, 1, 40);
    clrs__nest_normalize(&c.nest);
    clrs_error error = {0};
    CHECK_SEEDED(plan_nest(&c, &wide, &error) == CLRS_OK, seed + (uint64_t)i, "%s", error.message);
    const clrs__cut *cut = &c.cut;
    const int64_t per_byte = 8 / (int64_t)cut->unit_bits;
    const uint32_t end = cut->nest.axis_count;
    uint32_t outer = end;
    int64_t from, to, before = -1;
    bool ascends = true;
    for (uint32_t a = end; a-- > 0;) {
      nest_step(&cut->nest, a + 1, nest_units(&cut->nest, a + 1, end) - 1, &from, &to);
      const bool leaves_a_byte = cut->nest.axes[a].destination_stride - to >= per_byte;
      outer = leaves_a_byte ? outer : a;
    }
    for (int64_t k = 0; k < nest_units(&cut->nest, 0, end); k++) {
      nest_step(&cut->nest, 0, k, &from, &to);
      ascends = ascends && to > before;
      before = to;
    }
    nest_step(&cut->nest, outer, nest_units(&cut->nest, outer, end) - 1, &from, &to);
    const int64_t per_block = per_byte * CLRS_BLOCK_BYTES;
    const int64_t blocks = (per_block - 1 + to) / per_block + 1;
    CHECK_SEEDED(cut->as.bytes.outer_axis_count == outer, seed + (uint64_t)i,
                 "%u outer axes, not %u", cut->as.bytes.outer_axis_count, outer);
    CHECK_SEEDED(cut->as.bytes.interleaves != ascends, seed + (uint64_t)i, "order");
    CHECK_SEEDED(cut->as.bytes.span == to, seed + (uint64_t)i, "span");
    CHECK_SEEDED(cut->work == nest_units(&cut->nest, 0, outer) * blocks, seed + (uint64_t)i,
                 "work");
    interleaved += cut->as.bytes.interleaves;
    inner += outer < end && outer > 0;
  }
  if (cases >= 3000)
    assert_true(interleaved > 100 && inner > 100);
}

/* ---- index arithmetic ---- */

/* A few units of slack are kept: kernels look 512 units ahead at most. */
static const int64_t last_narrow = INT64_C(0x7fffffff) - 513;

static uint32_t index_bits_of(clrs__nest nest, uint32_t min_index_bits) {
  static unit_case c;
  c = (unit_case){.nest = nest, .dtype.dtype = CLRS_I8};
  c.move.source.alignment = c.move.destination.alignment = 1;
  const clrs_device_limits limits = {min_index_bits,
                                     UINT64_C(1) << 30,
                                     CLRS_EXECUTION_GPU,
                                     0,
                                     0,
                                     clrs_class_name(CLRS__CLASS_GPU_ANY),
                                     0};
  CHECK_OK(plan_nest(&c, &limits, &error), error);
  return c.cut.index_bits;
}

TEST(narrow_indices_end_where_a_span_or_the_count_does) {
  for (int64_t over = 0; over < 2; over++) {
    const uint32_t bits = over ? 64 : 32;
    const int64_t reach = last_narrow + over;
    const struct {
      const char *name;
      clrs__nest nest;
    } rows[] = {
        {"count", nest_of(AXES({reach, 0, 1}))},
        {"source", nest_of(AXES({2, reach, 1}))},
        {"source_backwards", nest_of(AXES({2, -reach, 1}))},
        {"destination", nest_of(AXES({2, 1, reach}))},
        {"source_of_two_axes", nest_of(AXES({2, reach - 12, 8}, {4, 4, 1}))},
        {"destination_of_two_axes", nest_of(AXES({2, 9, reach - 12}, {4, 0, 4}))},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
      if (index_bits_of(rows[i].nest, 32) != bits)
        fail_msg("%s: %u bits, not %u", rows[i].name, index_bits_of(rows[i].nest, 32), bits);
  }
  assert_int_equal(index_bits_of(nest_of(AXES({2, 1, 1})), 64), 64);
  /* Spans that do not fit in 64 bits themselves. */
  assert_int_equal(index_bits_of(nest_of(AXES({3, INT64_MIN, 1})), 32), 64);
  assert_int_equal(
      index_bits_of(nest_of(AXES({2, INT64_MAX, 9}, {3, INT64_MAX, 3}, {2, 2, 1})), 32), 64);
}

TESTS(NULL, NULL)
