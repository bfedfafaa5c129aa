/*
 * Random plans, carried out on paper. Every launch is enumerated unit by unit as the header says.
 * Together the launches must move each bit of the destination exactly once, from the oracle's bit
 * of the source. No device is needed to prove that a plan is right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"
#include "harness/classes.h"

#include "class/table.h"
#include "harness/bits.h"
#include "harness/chain.h"
#include "harness/tensors.h"
#include "plans_equal.h"

enum { MAX_COUNT = 600, TEXT = 2000 };

static const clrs_dtype dtypes[] = {CLRS_BITS1, CLRS_U1,  CLRS_I2,  CLRS_U4,  CLRS_I8,
                                    CLRS_F16,   CLRS_F32, CLRS_F64, CLRS_C128};

typedef struct plan_case {
  uint64_t seed;
  clrs_view source, destination;
  clrs_move move;
  clrs_device_limits limits;
  oracle read, written;
  clrs_plan plan;
  char text[TEXT];
} plan_case;

/* Grains are the largest pieces that no unit and no element cuts: bytes, or packed elements. */
typedef struct grain_map {
  int64_t grains, bits;
  int64_t *from;  /* by destination grain, -1 if none */
  int64_t *owner; /* by destination byte: the launch that writes the byte, -1 if none */
} grain_map;

typedef struct tally {
  int64_t affine, composed, pieces, refused, unsupported, wide, narrow;
  int64_t by_class[CLRS__CLASS_COUNT];
} tally;

static clrs_operand draw_operand(test_rng *rng, const clrs_view *view) {
  static const uint32_t alignments[] = {1, 2, 8, 64};
  const uint64_t offset = (uint64_t)rng_between(rng, 0, 5);
  return (clrs_operand){view,
                        rng_percent(rng, 60)   ? 0
                        : rng_percent(rng, 50) ? offset * 16
                                               : offset,
                        rng_percent(rng, 60) ? 128 : alignments[rng_between(rng, 0, 3)]};
}

static void draw_source(plan_case *c, test_rng *rng, clrs_dtype dtype) {
  const layout_wish wish = {5, 10, 200, 0, true};
  const clrs_layout layout = layout_random(rng, dtype, &wish, rng_between(rng, 0, 9));
  CHECK_OK(clrs_view_from_layout(&layout, &c->source, &error), error);
  c->read = oracle_from_layout(&layout);
  print_layout(&layout, c->text, sizeof c->text);
  const int64_t steps = rng_between(rng, 0, 5);
  for (int64_t i = 0; i < steps; i++) {
    const move step = move_random(rng, &c->source.shape, MAX_COUNT);
    const size_t used = strlen(c->text);
    c->text[used] = ' ';
    move_print(&step, c->text + used + 1, sizeof c->text - used - 1);
    CHECK_OK(move_apply_view(&step, &c->source, &error), error);
    move_apply_oracle(&step, &c->read);
  }
}

/* A layout of the same shape, or a permuted, reshaped or flipped layout. */
static void draw_destination(plan_case *c, test_rng *rng, clrs_dtype dtype) {
  clrs_layout layout;
  const clrs_shape *shape = &c->read.shape;
  if (rng_percent(rng, 80)) {
    layout = layout_random_of_shape(rng, dtype, shape, rng_percent(rng, 5), 3);
  } else {
    const clrs_shape other = shape_random_of_count(rng, c->read.count);
    layout = layout_random_of_shape(rng, dtype, &other, false, 3);
  }
  const size_t used = strlen(c->text);
  (void)strncat(c->text, " -> ", sizeof c->text - used - 1);
  print_layout(&layout, c->text + strlen(c->text), sizeof c->text - strlen(c->text));
  CHECK_OK(clrs_view_from_layout(&layout, &c->destination, &error), error);
  c->written = oracle_from_layout(&layout);
  CHECK_OK(clrs_view_reshape(&c->destination, shape, &error), error);
  oracle_reshape(&c->written, shape);
}

/* Rows in the same order and of an even length, which wider units can move. */
static void draw_rows(plan_case *c, test_rng *rng, clrs_dtype dtype) {
  const clrs_shape shape = {
      3, {rng_between(rng, 1, 6), rng_between(rng, 1, 6), rng_between(rng, 1, 8) * 4}};
  const int64_t axes[] = {1, 0, 2};
  clrs_layout layout;
  CHECK_OK(clrs_layout_init(dtype, &shape, NULL, 0, &layout, &error), error);
  CHECK_OK(clrs_view_from_layout(&layout, &c->source, &error), error);
  c->read = oracle_from_layout(&layout);
  CHECK_OK(clrs_view_permute(&c->source, 3, axes, &error), error);
  oracle_permute(&c->read, axes);
  CHECK_OK(clrs_layout_init(dtype, &c->read.shape, NULL, 0, &layout, &error), error);
  CHECK_OK(clrs_view_from_layout(&layout, &c->destination, &error), error);
  c->written = oracle_from_layout(&layout);
  print_layout(&layout, c->text, sizeof c->text);
}

static void draw_case(plan_case *c, test_rng *rng) {
  const clrs_dtype dtype = dtypes[rng_between(rng, 0, sizeof dtypes / sizeof dtypes[0] - 1)];
  if (rng_percent(rng, 15)) {
    draw_rows(c, rng, dtype);
  } else {
    draw_source(c, rng, dtype);
    draw_destination(c, rng, dtype);
  }
  c->move.source = draw_operand(rng, &c->source);
  c->move.destination = draw_operand(rng, &c->destination);
  c->limits = (clrs_device_limits)CLRS_DEVICE_LIMITS_INIT;
  c->limits.min_index_bits = rng_percent(rng, 50) ? 32 : 64;
  c->limits.execution = rng_percent(rng, 50) ? CLRS_EXECUTION_GPU : CLRS_EXECUTION_CPU;
  c->limits.max_group_items = rng_percent(rng, 70) ? 256 >> (c->seed % 3) : 63;
  c->limits.local_bytes = 32768;
  c->limits.launch_bytes = rng_percent(rng, 20) ? c->limits.launch_bytes : 0;
  if (rng_percent(rng, 30))
    c->limits.required_class = clrs_class_name((size_t)rng_between(rng, 0, CLRS__CLASS_COUNT - 1));
}

static grain_map map_create(const plan_case *c) {
  const uint32_t width = clrs_dtype_bits(c->source.dtype);
  int64_t lowest, highest;
  oracle_range(&c->written, &lowest, &highest);
  const bit_span span = bits_of(c->source.dtype, c->move.destination.byte_offset);
  const int64_t bytes = (int64_t)bits_end(&span, highest);
  grain_map map = {.bits = width < 8 ? width : 8};
  map.grains = bytes * 8 / map.bits;
  map.from = malloc((size_t)(map.grains + 1) * sizeof *map.from);
  map.owner = malloc((size_t)(bytes + 1) * sizeof *map.owner);
  if (!map.from || !map.owner)
    abort();
  for (int64_t i = 0; i < map.grains; i++)
    map.from[i] = -1;
  for (int64_t i = 0; i < bytes; i++)
    map.owner[i] = -1;
  return map;
}

/* A single unit of a launch: marks the grains of the unit. */
static void put_unit(const plan_case *c, grain_map *map, uint32_t index, int64_t to, int64_t from) {
  const int64_t unit = c->plan.launches[index].unit_bits;
  CHECK_SEEDED(to >= 0 && from >= 0, c->seed, "negative position: %s", c->text);
  for (int64_t bit = 0; bit < unit; bit += map->bits) {
    const int64_t grain = (to * unit + bit) / map->bits, byte = (to * unit + bit) / 8;
    CHECK_SEEDED(grain < map->grains, c->seed, "writes past the destination: %s", c->text);
    CHECK_SEEDED(map->from[grain] == -1, c->seed, "writes twice: %s", c->text);
    CHECK_SEEDED(map->owner[byte] == -1 || map->owner[byte] == index ||
                     clrs__plan_data_in(&c->plan)->in_order,
                 c->seed, "unordered launches share byte %lld: %s", (long long)byte, c->text);
    map->from[grain] = (from * unit + bit) / map->bits;
    map->owner[byte] = index;
  }
}

/* The last volume along a ragged axis begins earlier. True if the previous volume has moved the
 * unit. */
static bool begins_earlier(const clrs__cut *cut, const int64_t *digits, int64_t *from,
                           int64_t *to) {
  bool is_moved = false;
  for (uint32_t j = 0, at = cut->as.volumes.outer_axis_count; j < CLRS__RAGGED_AXES; j++) {
    const clrs__ragged *ragged = &cut->as.volumes.ragged[j];
    if (ragged->back > 0 && digits[at - 1 - j] + 1 == cut->nest.axes[at - 1 - j].extent) {
      *from -= ragged->back * cut->nest.axes[ragged->axis].source_stride;
      *to -= ragged->back * cut->nest.axes[ragged->axis].destination_stride;
      is_moved = is_moved || digits[ragged->axis] < ragged->back;
    }
  }
  return is_moved;
}

static void run_launch(const plan_case *c, grain_map *map, uint32_t index) {
  const clrs__plan_data *data = clrs__plan_data_in(&c->plan);
  const clrs__cut *cut = &data->cuts[index];
  const clrs__nest *nest = &cut->nest;
  const int64_t count = clrs__nest_count(nest);
  for (int64_t k = 0; k < count; k++) {
    int64_t rest = k, from = nest->source_offset, to = nest->destination_offset;
    int64_t digits[CLRS_MAX_AXES];
    for (uint32_t a = nest->axis_count; a-- > 0;) {
      digits[a] = rest % nest->axes[a].extent;
      rest /= nest->axes[a].extent;
      from += digits[a] * nest->axes[a].source_stride;
      to += digits[a] * nest->axes[a].destination_stride;
    }
    if (cut->kind != CLRS__CUT_VOLUMES || !begins_earlier(cut, digits, &from, &to))
      put_unit(c, map, index, to,
               cut->from == CLRS__FROM_STACK ? view_position_at(&data->stack, from) : from);
  }
}

/* Every element of the destination came from the right element of the source, and nothing else
 * moved. */
static void check_map(const plan_case *c, grain_map *map) {
  const int64_t width = clrs_dtype_bits(c->source.dtype), step = map->bits;
  const int64_t to_start = (int64_t)c->move.destination.byte_offset * 8;
  const int64_t from_start = (int64_t)c->move.source.byte_offset * 8;
  for (int64_t k = 0; k < c->read.count; k++)
    for (int64_t bit = 0; bit < width; bit += step) {
      const int64_t to = (to_start + c->written.positions[k] * width + bit) / step;
      const int64_t from = (from_start + c->read.positions[k] * width + bit) / step;
      CHECK_SEEDED(map->from[to] == from, c->seed, "element %lld comes from %lld, not %lld: %s",
                   (long long)k, (long long)map->from[to], (long long)from, c->text);
      map->from[to] = -1;
    }
  for (int64_t grain = 0; grain < map->grains; grain++)
    CHECK_SEEDED(map->from[grain] == -1, c->seed, "moves what is not asked: %s", c->text);
}

/* Outermost first, destination strides descending and positive, merged, no extent of 1. */
static void check_canonical(const plan_case *c, const clrs__nest *nest) {
  for (uint32_t a = 0; a < nest->axis_count; a++) {
    const clrs__nest_axis *axis = &nest->axes[a], *next = axis + 1;
    CHECK_SEEDED(axis->extent > 1 && axis->destination_stride > 0, c->seed, "%s", c->text);
    if (a + 1 == nest->axis_count)
      break;
    CHECK_SEEDED(axis->destination_stride >= next->destination_stride, c->seed, "not sorted: %s",
                 c->text);
    CHECK_SEEDED(axis->destination_stride != next->extent * next->destination_stride ||
                     axis->source_stride != next->extent * next->source_stride,
                 c->seed, "axes that could be one: %s", c->text);
  }
}

/* Chosen freely, a class belongs to one way; local memory is never used on the other. */
static clrs__class_number class_of(const plan_case *c) {
  return c->limits.required_class == NULL ? CLRS__CLASS_ANY : class_named(c->limits.required_class);
}

static void check_class(const plan_case *c, clrs__class_number found) {
  const bool cpu = c->limits.execution == CLRS_EXECUTION_CPU;
  const clrs__class *asked = clrs__class_of(found);
  const bool is_here = asked->execution != (cpu ? CLRS_EXECUTION_GPU : CLRS_EXECUTION_CPU);
  CHECK_SEEDED(class_of(c) ? found == class_of(c) : is_here, c->seed, "%s", c->text);
  CHECK_SEEDED(!asked->takes_groups || c->limits.max_group_items >= 64, c->seed, "%s", c->text);
  CHECK_SEEDED(!cpu || (found != CLRS__CLASS_GPU_TILE && found != CLRS__CLASS_GPU_SHORT), c->seed,
               "%s", c->text);
}

/* Classes that cut a nest choose the order of axes. All other classes keep the nest canonical. */
static void check_launch(const plan_case *c, uint32_t index) {
  const clrs_launch *launch = &c->plan.launches[index];
  const clrs__cut *cut = &clrs__plan_data_in(&c->plan)->cuts[index];
  const uint32_t bits = launch->unit_bits;
  CHECK_SEEDED(launch->kernel_class == clrs_class_name(cut->kernel_class) &&
                   bits == cut->unit_bits && launch->index_bits == cut->index_bits,
               c->seed, "a launch that says something else: %s", c->text);
  CHECK_SEEDED(bits > 0 && (bits & (bits - 1)) == 0 && bits <= 128, c->seed, "unit of %u bits: %s",
               bits, c->text);
  CHECK_SEEDED(launch->index_bits >= c->limits.min_index_bits, c->seed, "%s", c->text);
  CHECK_SEEDED(cut->msb_first == (c->source.dtype == CLRS_U1), c->seed, "%s", c->text);
  check_class(c, class_named(launch->kernel_class));
  if (cut->kind == CLRS__CUT_UNITS || cut->kind == CLRS__CUT_BYTES)
    check_canonical(c, &cut->nest);
  const uint64_t unit_bytes = bits < 8 ? 1 : bits / 8;
  const clrs_move *move = &c->move;
  const bool relied =
      c->plan.source.alignment >= unit_bytes && c->plan.destination.alignment >= unit_bytes;
  const bool known =
      move->source.alignment >= unit_bytes && move->destination.alignment >= unit_bytes;
  CHECK_SEEDED(relied && (known || bits <= 8), c->seed, "%s", c->text);
  CHECK_SEEDED(c->plan.source.alignment <= move->source.alignment &&
                   c->plan.destination.alignment <= move->destination.alignment,
               c->seed, "the plan relies on more than it was told: %s", c->text);
}

/* The nest in the explanation, in elements: for a single launch the nest must pair the same
 * positions as the two views. */
static void check_shown_nest(const plan_case *c) {
  const clrs__nest *nest = &clrs__plan_data_in(&c->plan)->nest;
  check_canonical(c, nest);
  if (c->plan.launch_count != 1)
    return;
  int64_t lowest, highest;
  oracle_range(&c->written, &lowest, &highest);
  int64_t *from = malloc((size_t)(highest - lowest + 1) * sizeof *from);
  if (!from)
    abort();
  for (int64_t i = 0; i <= highest - lowest; i++)
    from[i] = INT64_MIN;
  for (int64_t k = 0; k < c->read.count; k++)
    from[c->written.positions[k] - lowest] = c->read.positions[k];
  for (int64_t k = 0; k < c->read.count; k++) {
    int64_t rest = k, source = nest->source_offset, to = nest->destination_offset;
    for (uint32_t a = nest->axis_count; a-- > 0; rest /= nest->axes[a].extent) {
      source += rest % nest->axes[a].extent * nest->axes[a].source_stride;
      to += rest % nest->axes[a].extent * nest->axes[a].destination_stride;
    }
    CHECK_SEEDED(to >= lowest && to <= highest && from[to - lowest] == source, c->seed,
                 "the shown nest is another move: %s", c->text);
    from[to - lowest] = INT64_MIN; /* once */
  }
  free(from);
}

static void check_footprint(const plan_case *c, const clrs_operand *operand, const oracle *tensor,
                            const clrs_footprint *footprint, bool exact) {
  const bit_span span = bits_of(operand->view->dtype, operand->byte_offset);
  int64_t lowest, highest;
  oracle_range(tensor, &lowest, &highest);
  const uint64_t begin = bits_end(&span, lowest) - (span.width < 8 ? 1 : span.width / 8);
  const uint64_t end = bits_end(&span, highest);
  CHECK_SEEDED(footprint->begin <= begin && footprint->end >= end, c->seed, "%s", c->text);
  if (exact)
    CHECK_SEEDED(footprint->begin == begin && footprint->end == end, c->seed, "%s", c->text);
}

static void check_plan(plan_case *c, tally *seen) {
  const clrs_plan *plan = &c->plan;
  CHECK_SEEDED(plan->launch_count >= 1 && plan->launch_count <= CLRS_MAX_LAUNCHES, c->seed, "%s",
               c->text);
  const bool moves = plan->outcome == CLRS_OUTCOME_AFFINE || plan->outcome == CLRS_OUTCOME_COMPOSED;
  CHECK_SEEDED(moves && clrs__plan_data_in(plan)->reason_count > 0, c->seed, "%s", c->text);
  const uint64_t bits = (uint64_t)c->read.count * clrs_dtype_bits(c->source.dtype);
  CHECK_SEEDED(plan->bytes_written == (bits + 7) / 8, c->seed, "%s", c->text);
  CHECK_SEEDED(plan_sums_up(plan, class_of(c)), c->seed, "%s", c->text);
  check_footprint(c, &c->move.source, &c->read, &plan->source, c->source.depth == 1);
  check_footprint(c, &c->move.destination, &c->written, &plan->destination, true);
  if (plan->outcome == CLRS_OUTCOME_AFFINE)
    check_shown_nest(c);
  grain_map map = map_create(c);
  for (uint32_t i = 0; i < plan->launch_count; i++) {
    check_launch(c, i);
    seen->by_class[class_named(plan->launches[i].kernel_class)]++;
    CHECK_SEEDED((clrs__plan_data_in(plan)->cuts[i].from == CLRS__FROM_STACK) ==
                     (plan->outcome == CLRS_OUTCOME_COMPOSED),
                 c->seed, "%s", c->text);
    run_launch(c, &map, i);
    seen->wide += plan->launches[i].unit_bits > clrs_dtype_bits(c->source.dtype);
    seen->narrow += plan->launches[i].unit_bits < clrs_dtype_bits(c->source.dtype);
  }
  check_map(c, &map);
  free(map.from);
  free(map.owner);
  seen->affine += plan->outcome == CLRS_OUTCOME_AFFINE;
  seen->composed += plan->outcome == CLRS_OUTCOME_COMPOSED;
  seen->pieces += plan->launch_count > 1;
}

static void run_case(plan_case *c, test_rng *rng, tally *seen) {
  clrs_error error = {0};
  draw_case(c, rng);
  memset(&c->plan, 0xa5, sizeof c->plan);
  const clrs_status status = clrs_plan_move(&c->move, &c->limits, &c->plan, &error);
  CHECK_SEEDED(plans_again(&c->move, &c->limits, &c->plan, status), c->seed, "%s", c->text);
  const bool collides = oracle_has_duplicates(&c->written);
  CHECK_SEEDED(!collides || status == CLRS_OVERLAP, c->seed, "two elements in one place: %s",
               c->text);
  if (c->read.count == 0) {
    CHECK_SEEDED(status == CLRS_OK && c->plan.outcome == CLRS_OUTCOME_EMPTY &&
                     c->plan.launch_count == 0,
                 c->seed, "%s", c->text);
  } else if (status == CLRS_OVERLAP) {
    CHECK_SEEDED(collides, c->seed, "refused without need: %s", c->text);
    seen->refused++;
  } else if (status == CLRS_UNSUPPORTED) {
    seen->unsupported += class_of(c) == CLRS__CLASS_ANY;
  } else {
    CHECK_SEEDED(status == CLRS_OK, c->seed, "%s: %s", c->text, error.message);
    check_plan(c, seen);
  }
}

TEST(random_plans_move_each_bit_once) {
  tally seen = {0};
  const uint64_t seed = test_seed(300000);
  const int64_t cases = test_cases(20000);
  for (int64_t i = 0; i < cases; i++) {
    static plan_case c;
    memset(&c, 0, sizeof c);
    c.seed = seed + (uint64_t)i;
    test_rng rng = rng_start(c.seed);
    run_case(&c, &rng, &seen);
    oracle_free(&c.read);
    oracle_free(&c.written);
  }
  print_message("%lld plans: %lld affine (%lld in pieces), %lld composed, %lld overlapping; %lld "
                "widened and %lld narrowed units\n",
                (long long)cases, (long long)seen.affine, (long long)seen.pieces,
                (long long)seen.composed, (long long)seen.refused, (long long)seen.wide,
                (long long)seen.narrow);
  if (cases >= 1000) {
    assert_true(seen.affine * 2 > cases && seen.composed * 100 > cases && seen.unsupported == 0);
    assert_true(seen.wide * 100 > cases && seen.narrow * 100 > cases);
    assert_true(seen.pieces * 250 > cases); /* uncut moves are right, but slow */
    for (int k = CLRS__CLASS_ANY + 1; k < CLRS__CLASS_COUNT; k++)
      assert_true(seen.by_class[k] > 0 || k == CLRS__CLASS_FILL);
  }
}

TESTS(NULL, NULL)
