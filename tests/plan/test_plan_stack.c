/*
 * Launches that follow a stack of walks: units as wide as every level allows, indices as narrow as
 * every level's positions allow, and no more axes than the kernel's arguments hold.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "class/nests.h"
#include "harness/tensors.h"
#include "plan/plan.h"

enum { MOST = 4096 };

typedef struct stack_case {
  clrs_view dtype; /* only the dtype is read */
  clrs_move move;
  clrs__nest nest;
  clrs_view stack;
  clrs__cut cut;
} stack_case;

/* The nest as one of `count` nests of a pass. */
static clrs_status plan_stack(stack_case *c, uint32_t position, uint32_t count, clrs_error *error) {
  const clrs_device_limits limits = {32, UINT64_C(1) << 30, CLRS_EXECUTION_GPU, 0, 0, NULL, 0};
  const clrs__pass pass = {&c->move, &limits, CLRS__FROM_STACK, &c->stack, position, count, NULL};
  c->move.source.view = c->move.destination.view = &c->dtype;
  return clrs__choose_cut(&pass, &c->nest, &c->cut, error);
}

/* A class that does not follow stacks is refused in words. */
static void require_refused(stack_case *c) {
  const clrs_device_limits limits = {32, 1024, CLRS_EXECUTION_CPU, 0, 0, "cpu_any", 0};
  const clrs__pass pass = {&c->move, &limits, CLRS__FROM_STACK, &c->stack, 0, 1, NULL};
  CHECK_FAILS(clrs__choose_cut(&pass, &c->nest, &c->cut, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "this launch follows a stack of walks for ");
}

static void set_stack(clrs_view *stack, uint32_t depth, const clrs__walk *walks) {
  uint32_t next = 0;
  stack->depth = depth;
  for (uint32_t level = 0; level < depth; level++) {
    stack->levels[level] = (clrs_level){walks[level].offset, walks[level].axis_count};
    for (uint32_t i = 0; i < walks[level].axis_count; i++)
      stack->axes[next++] = walks[level].axes[i];
  }
  stack->levels[depth] = (clrs_level){INT64_MAX, 1}; /* not a level */
  for (; next < CLRS_VIEW_AXES; next++)
    stack->axes[next] = next % 2 ? (clrs_axis){2, 1} : (clrs_axis){7, 3};
}

/* ---- units ---- */

/* A walk of `count` steps, in pairs more often than not. */
static clrs__walk draw_walk(test_rng *rng, int64_t count, int64_t *reach) {
  const int64_t inner = rng_percent(rng, 80) ? (int64_t)1 << rng_between(rng, 1, 4) : 3;
  clrs__walk walk = {.offset = rng_percent(rng, 60) ? 8 : rng_between(rng, 0, 6)};
  const int64_t columns = (count + inner - 1) / inner;
  const int64_t step = rng_percent(rng, 70) ? inner * rng_between(rng, 1, 3) : inner + 1;
  walk.axes[walk.axis_count++] = (clrs_axis){columns, step};
  walk.axes[walk.axis_count++] = (clrs_axis){inner, rng_percent(rng, 90) ? 1 : 2};
  *reach = walk.offset + (columns - 1) * step + 2 * inner;
  clrs__walk_normalize(&walk);
  return walk;
}

/* The positions of a walk, step by step. */
static int64_t list_walk(const clrs__walk *walk, int64_t *positions) {
  int64_t count = 1;
  for (uint32_t i = 0; i < walk->axis_count; i++)
    count *= walk->axes[i].extent;
  for (int64_t k = 0; k < count; k++) {
    int64_t rest = k;
    positions[k] = walk->offset;
    for (uint32_t i = walk->axis_count; i-- > 0; rest /= walk->axes[i].extent)
      positions[k] += rest % walk->axes[i].extent * walk->axes[i].stride;
  }
  return count;
}

/* Do neighbours lead to neighbours, of which the first is even? Then in units of two. */
static bool pair_list(int64_t *positions, int64_t *count) {
  for (int64_t k = 0; k < *count; k += 2)
    if (*count % 2 != 0 || positions[k] % 2 != 0 || positions[k + 1] != positions[k] + 1)
      return false;
  for (int64_t k = 0; k < *count; k += 2)
    positions[k / 2] = positions[k] / 2;
  *count /= 2;
  return true;
}

TEST(units_are_as_wide_as_every_level_allows) {
  static const clrs_dtype dtypes[] = {CLRS_U4, CLRS_I8, CLRS_F16, CLRS_F32};
  const uint64_t seed = test_seed(790000);
  const int64_t cases = test_cases(6000);
  int64_t seen[129] = {0};
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    static stack_case c;
    static int64_t lists[4][MOST];
    int64_t counts[4], reach;
    clrs_error error = {0};
    clrs__walk walks[2], from = {.offset = rng_percent(&rng, 80) ? 0 : rng_between(&rng, 0, 8)};
    c.dtype.dtype = dtypes[rng_between(&rng, 0, 3)];
    c.move.source.alignment = (uint32_t)4 << rng_between(&rng, 0, 5);
    c.move.destination.alignment = rng_percent(&rng, 80) ? 128 : 8;
    const int64_t rows = rng_between(&rng, 1, 3), columns = rng_between(&rng, 1, 4) * 8;
    const int64_t pitch = rng_percent(&rng, 80) ? 64 : 33;
    c.nest = nest_of(AXES({rows, pitch, 100}, {columns, 1, 1}));
    c.nest.source_offset = from.offset;
    c.nest.destination_offset = rng_percent(&rng, 80) ? 0 : rng_between(&rng, 0, 8);
    clrs__nest_normalize(&c.nest);
    walks[1] = draw_walk(&rng, 256, &reach);
    walks[0] = draw_walk(&rng, reach, &reach);
    set_stack(&c.stack, 2, walks);
    assert_true(reach < MOST);
    counts[0] = counts[1] = rows * columns;
    for (int64_t k = 0; k < counts[0]; k++) {
      lists[0][k] = from.offset + k / columns * pitch + k % columns;
      lists[1][k] = c.nest.destination_offset + k / columns * 100 + k % columns;
    }
    counts[2] = list_walk(&walks[0], lists[2]);
    counts[3] = list_walk(&walks[1], lists[3]);
    uint32_t expected = clrs_dtype_bits(c.dtype.dtype);
    const uint32_t alignment = c.move.source.alignment < c.move.destination.alignment
                                   ? c.move.source.alignment
                                   : c.move.destination.alignment;
    for (bool pairs = true; pairs && expected < 128 && expected * 2 <= alignment * 8;) {
      for (int l = 0; pairs && l < 4; l++)
        pairs = pair_list(lists[l], &counts[l]);
      expected *= pairs ? 2 : 1;
    }
    CHECK_SEEDED(plan_stack(&c, 0, 1, &error) == CLRS_OK, seed + (uint64_t)i, "%s", error.message);
    CHECK_SEEDED(c.cut.unit_bits == expected, seed + (uint64_t)i, "%u bits, not %u",
                 c.cut.unit_bits, expected);
    seen[expected]++;
  }
  for (int bits = 4; cases >= 6000 && bits <= 128; bits *= 2)
    assert_true(seen[bits] > 20);
}

/* The launches of a plan share the stack: no launch may widen the stack, and only the first launch
 * converts the stack to units narrower than an element. */
TEST(launches_that_share_a_stack_leave_it_as_it_is) {
  static stack_case c;
  const clrs__walk walk = {4, 2, {{8, 32}, {16, 1}}};
  const clrs__walk bytes = {16, 2, {{8, 128}, {64, 1}}};
  c.dtype.dtype = CLRS_F32;
  c.move.source.alignment = c.move.destination.alignment = 128;
  c.nest = nest_of(AXES({64, 1, 1}));
  set_stack(&c.stack, 1, &walk);
  CHECK_OK(plan_stack(&c, 0, 2, &error), error);
  assert_int_equal(c.cut.unit_bits, 32);
  assert_int_equal(c.stack.levels[0].offset, 4);
  assert_memory_equal(c.stack.axes, walk.axes, 2 * sizeof walk.axes[0]);
  c.move.source.alignment = 1;
  CHECK_OK(plan_stack(&c, 0, 2, &error), error);
  assert_int_equal(c.cut.unit_bits, 8);
  assert_int_equal(c.stack.levels[0].offset, 16);
  assert_int_equal(c.stack.levels[0].axis_count, 2);
  assert_memory_equal(c.stack.axes, bytes.axes, 2 * sizeof bytes.axes[0]);
  CHECK_OK(plan_stack(&c, 1, 2, &error), error);
  assert_int_equal(c.stack.levels[0].offset, 16);
  assert_memory_equal(c.stack.axes, bytes.axes, 2 * sizeof bytes.axes[0]);
}

/* Positions of elements fit in 64 bits, but positions of bytes do not. */
TEST(positions_that_do_not_fit_are_an_overflow) {
  static stack_case c;
  const clrs__walk far[] = {{0, 2, {{2, INT64_MAX / 8}, {2, 1}}}, {INT64_MAX / 8, 1, {{4, 1}}}};
  c.dtype.dtype = CLRS_C128;
  c.move.source.alignment = c.move.destination.alignment = 1;
  for (int i = 0; i < 2; i++) {
    c.nest = nest_of(AXES({4, 1, 1}));
    set_stack(&c.stack, 1, &far[i]);
    CHECK_FAILS(plan_stack(&c, 0, 1, &error), CLRS_OVERFLOW, error);
    CHECK_SAYS(error, "position of the source");
  }
}

/* In units narrower than an element every walk may need an axis more, and a view has room for 96.
 */
TEST(units_that_take_too_many_axes_are_refused) {
  static stack_case c;
  clrs__walk walks[3];
  c.dtype.dtype = CLRS_F16;
  c.move.source.alignment = c.move.destination.alignment = 1;
  c.nest = nest_of(AXES({4, 1, 1}));
  for (uint32_t level = 0; level < 3; level++) {
    walks[level] = (clrs__walk){.axis_count = 32};
    for (uint32_t i = 0; i < 32; i++)
      walks[level].axes[i] = (clrs_axis){2, 3};
  }
  set_stack(&c.stack, 3, walks);
  CHECK_FAILS(plan_stack(&c, 0, 1, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "99 axes in its stack of 3 walks; the limit is 96");
}

/* A walk of a single place has no neighbours. Only a caller writes such a walk below another
 * walk. */
TEST(a_walk_of_one_place_is_not_paired) {
  static stack_case c;
  const clrs__walk walks[] = {{.offset = 8}, {0, 1, {{8, 0}}}};
  c.dtype.dtype = CLRS_F16;
  c.move.source.alignment = c.move.destination.alignment = 128;
  c.nest = nest_of(AXES({8, 1, 1}));
  set_stack(&c.stack, 2, walks);
  CHECK_OK(plan_stack(&c, 0, 1, &error), error);
  assert_int_equal(c.cut.unit_bits, 16);
  assert_int_equal(c.stack.levels[0].offset, 8);
  require_refused(&c);
}

/* ---- lattices ---- */

/* [rows, columns, run] turned, read as so many other rows, and turned again. */
typedef struct lattice_row {
  int64_t rows, columns, other_rows, run;
  clrs__cut_kind kind;
  int64_t tile_rows, tile_columns; /* 0: any */
} lattice_row;

static clrs_view turned_twice(const lattice_row *row) {
  const int64_t count = row->rows * row->columns;
  const clrs_shape other = {3, {row->other_rows, count / row->other_rows, row->run}};
  clrs_view view = view_strided(CLRS_I8, 3, LIST(row->rows, row->columns, row->run), NULL, 0);
  CHECK_OK(clrs_view_permute(&view, 3, LIST(1, 0, 2), &error), error);
  CHECK_OK(clrs_view_reshape(&view, &other, &error), error);
  CHECK_OK(clrs_view_permute(&view, 3, LIST(1, 0, 2), &error), error);
  return view;
}

static void plan_composed_on_a_cpu(const clrs_view *source, clrs_plan *plan) {
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  limits.execution = CLRS_EXECUTION_CPU;
  limits.required_class = "composed";
  const clrs_move move = {{source, 0, 128}, {NULL, 0, 1}, CLRS_COPY_ALWAYS};
  CHECK_OK(clrs_plan_move(&move, &limits, plan, &error), error);
  assert_int_equal(plan->launch_count, 1);
}

/* For steps without a common divisor the kernel needs the product and the sum in 32 bits. 32767 and
 * 65535 are the last numbers that fit: with both one larger, the product is 2^31. */
TEST(a_lattice_has_ratios_that_fit) {
  static const lattice_row rows[] = {
      {6, 10, 15, 1, CLRS__CUT_LATTICE, 0, 0},
      {6, 10, 15, 100000, CLRS__CUT_LATTICE, 1, 1}, /* runs that no stage has room for */
      {32767, 65535, 32767, 1, CLRS__CUT_LATTICE, 0, 0},
      {46340, 46341, 46340, 1, CLRS__CUT_DECODED, 0, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    static clrs_plan plan;
    const clrs_view source = turned_twice(&rows[i]);
    plan_composed_on_a_cpu(&source, &plan);
    const clrs__cut *cut = &clrs__plan_data_in(&plan)->cuts[0];
    assert_int_equal(cut->index_bits, 32);
    assert_int_equal(cut->kind, rows[i].kind);
    if (rows[i].tile_rows > 0) {
      assert_int_equal(cut->as.lattice.rows, rows[i].tile_rows);
      assert_int_equal(cut->as.lattice.columns, rows[i].tile_columns);
    }
  }
}

/* One element over a walk of 30, which only a caller writes: no columns exist. */
TEST(one_element_of_a_walk_is_no_lattice) {
  static clrs_plan plan;
  static clrs_view view;
  const clrs__walk walks[] = {{0, 2, {{6, 1}, {5, 6}}}, {.offset = 7}};
  view.dtype = CLRS_I8;
  set_stack(&view, 2, walks);
  plan_composed_on_a_cpu(&view, &plan);
  const clrs__cut *cut = &clrs__plan_data_in(&plan)->cuts[0];
  assert_int_equal(cut->kind, CLRS__CUT_DECODED);
  assert_int_equal(cut->work, 1);
  assert_int_equal(cut->nest.axis_count, 0);
  assert_int_equal(cut->nest.source_offset, 7);
}

/* ---- indices ---- */

static uint32_t index_bits_of(uint32_t depth, const clrs__walk *walks) {
  static stack_case c;
  c.dtype.dtype = CLRS_I8;
  c.move.source.alignment = c.move.destination.alignment = 1;
  c.nest = nest_of(AXES({2, 1, 1}));
  set_stack(&c.stack, depth, walks);
  CHECK_OK(plan_stack(&c, 0, 1, &error), error);
  return c.cut.index_bits;
}

/* The lowest level's offset is added in 64 bits. */
TEST(every_level_but_the_lowest_offset_counts_for_indices) {
  const int64_t last_narrow = INT64_C(0x7fffffff) - 513;
  for (int64_t over = 0; over < 2; over++) {
    const int64_t reach = last_narrow + over;
    const clrs__walk lowest[] = {{0, 1, {{2, reach}}}, {0, 1, {{4, 1}}}};
    const clrs__walk sum[] = {{0, 2, {{2, reach - 9}, {4, -3}}}, {0, 1, {{4, 1}}}};
    const clrs__walk upper[] = {{0, 1, {{4, 1}}}, {5, 1, {{2, reach - 5}}}};
    const clrs__walk below[] = {{0, 1, {{4, 1}}}, {-5, 1, {{2, reach - 5}}}};
    assert_int_equal(index_bits_of(2, lowest), over ? 64 : 32);
    assert_int_equal(index_bits_of(2, sum), over ? 64 : 32);
    assert_int_equal(index_bits_of(2, upper), over ? 64 : 32);
    assert_int_equal(index_bits_of(2, below), over ? 64 : 32);
  }
  const clrs__walk far[] = {{INT64_C(1) << 40, 1, {{4, 1}}}, {0, 1, {{4, 1}}}};
  assert_int_equal(index_bits_of(2, far), 32);
}

/* ---- room ---- */

TEST(arguments_hold_so_many_axes) {
  static const struct {
    bool follows_stack;
    uint32_t index_bits, axes, of_levels, nest_axes, level_axes;
  } rows[] = {
      {false, 32, 1, 0, 31, 0},  {false, 64, 1, 0, 21, 0}, {true, 32, 1, 13, 16, 32},
      {true, 32, 1, 12, 16, 12}, {true, 64, 1, 9, 2, 21},  {true, 64, 2, 9, 2, 21},
      {true, 64, 3, 9, 8, 14},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    clrs__cut cut = {.from = rows[i].follows_stack ? CLRS__FROM_STACK : CLRS__FROM_SOURCE,
                     .index_bits = rows[i].index_bits,
                     .level_axes = rows[i].of_levels};
    cut.nest.axis_count = rows[i].axes;
    assert_int_equal(clrs__cut_nest_room(&cut), rows[i].nest_axes);
    assert_int_equal(clrs__cut_level_room(&cut), rows[i].level_axes);
  }
}

/* A nest of that many axes over levels of that many. */
static clrs_status plan_axes(uint32_t nest_axes, uint32_t lower, uint32_t upper, bool is_wide,
                             clrs_error *error) {
  static stack_case c;
  c.dtype.dtype = CLRS_I8;
  c.move.source.alignment = c.move.destination.alignment = 1;
  c.nest = (clrs__nest){.operand_count = 2, .axis_count = nest_axes};
  for (uint32_t i = 0; i < nest_axes; i++)
    c.nest.axes[i] = axis_of(2, 0, INT64_C(3) << (nest_axes - 1 - i));
  for (uint32_t i = 0; i < nest_axes; i++)
    c.nest.axes[i].source_stride = i % 2 ? 1 : 5;
  nest_poison(&c.nest);
  if (is_wide)
    c.nest.axes[0].destination_stride = INT64_C(1) << 40;
  clrs__walk walks[2] = {{.axis_count = lower}, {.axis_count = upper}};
  for (uint32_t i = 0; i < 40; i++)
    walks[0].axes[i] = walks[1].axes[i] = (clrs_axis){2, i % 2 ? 1 : 5};
  set_stack(&c.stack, 2, walks);
  return plan_stack(&c, 0, 1, error);
}

TEST(too_many_axes_are_refused_and_counted) {
  static const struct {
    uint32_t nest, lower, upper;
    bool is_wide, fits;
    const char *says;
  } rows[] = {
      {16, 16, 16, false, true, ""},
      {17, 1, 1, false, false, "nest of 17 axes over a stack of 2"},
      {2, 17, 16, false, false,
       "over a stack of 33; in 32-bit arithmetic a kernel takes 16 and 32"},
      {2, 20, 1, true, true, ""},
      {2, 1, 21, true, false, "a kernel takes 2 and 21"},
      {8, 13, 1, true, true, ""},
      {8, 7, 8, true, false, "a kernel takes 8 and 14"},
      {9, 1, 1, true, false, "nest of 9"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    clrs_error error = {0};
    const clrs_status status =
        plan_axes(rows[i].nest, rows[i].lower, rows[i].upper, rows[i].is_wide, &error);
    if (status != (rows[i].fits ? CLRS_OK : CLRS_UNSUPPORTED))
      fail_msg("row %zu: %s", i, error.message);
    if (!rows[i].fits)
      CHECK_SAYS(error, rows[i].says);
  }
}

TESTS(NULL, NULL)
