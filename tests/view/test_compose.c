/*
 * Two walks made one, and moves lowered through stacks of walks, piece by piece: each result is
 * compared with its definition, one position at a time. What is not found is not wrong but slow, so
 * the tests also count how often it is found: less often than before fails.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include <stdlib.h>

#include "harness/chain.h"
#include "harness/tensors.h"
#include "move/cut_axes.h"
#include "view/compose.h"

/* What was found of the default seeds when this was written: a better algebra finds more. */
enum { MAX_COUNT = 240, COMPOSED = 17996, FOUND = 16832, PIECES = 18234, AXES = 38729 };

typedef struct pair {
  int64_t to, from;
} pair;

static int64_t walk_count(const clrs__walk *walk) {
  int64_t count = 1;
  for (uint32_t i = 0; i < walk->axis_count; i++)
    count *= walk->axes[i].extent;
  return count;
}

static int64_t walk_at(const clrs__walk *walk, int64_t k) {
  int64_t position = walk->offset;
  for (uint32_t i = walk->axis_count; i-- > 0; k /= walk->axes[i].extent)
    position += k % walk->axes[i].extent * walk->axes[i].stride;
  return position;
}

/* Up to four axes: most of them dense in some order, so that much can be composed. */
static clrs__walk draw_lower(test_rng *rng) {
  clrs__walk walk = {.offset = rng_between(rng, 0, 50), .axis_count = 1};
  walk.axis_count = (uint32_t)rng_between(rng, 1, 4);
  int64_t order[4], stride = 1;
  rng_permutation(rng, walk.axis_count, order);
  for (uint32_t i = 0; i < walk.axis_count; i++) {
    clrs_axis *axis = &walk.axes[order[i]];
    axis->extent = rng_between(rng, 2, walk.axis_count < 3 ? 9 : 4);
    axis->stride = rng_percent(rng, 80) ? stride : stride + rng_between(rng, 1, 3);
    stride = axis->stride * axis->extent;
    if (rng_percent(rng, 15)) {
      walk.offset += (axis->extent - 1) * axis->stride;
      axis->stride = -axis->stride;
    }
  }
  clrs__walk_normalise(&walk);
  return walk;
}

/* A view of `count` dense elements after some operations, and what the oracle says it is. */
static clrs_view draw_upper(test_rng *rng, int64_t count, oracle *positions) {
  clrs_error error;
  clrs_view view;
  clrs_layout layout;
  const clrs_shape whole = {1, {count}};
  CHECK_OK(clrs_layout_init(CLRS_U8, &whole, NULL, 0, &layout, &error), error);
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  *positions = oracle_from_layout(&layout);
  for (int64_t i = rng_between(rng, 0, 4); i >= 0; i--) {
    const move step = move_random(rng, &view.shape, MAX_COUNT);
    CHECK_OK(move_apply_view(&step, &view, &error), error);
    move_apply_oracle(&step, positions);
  }
  return view;
}

static void walks_compose_to_what_they_are_one_after_the_other(void **state) {
  (void)state;
  const uint64_t seed = test_seed(410000);
  const int64_t cases = test_cases(20000);
  int64_t tried = 0, composed = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    oracle positions;
    clrs__walk upper, both;
    const clrs__walk lower = draw_lower(&rng);
    const clrs_view view = draw_upper(&rng, walk_count(&lower), &positions);
    if (positions.count > 0 && view.depth == 1) {
      clrs__view_level(&view, 0, &upper);
      tried++;
      if (clrs__walk_compose(&lower, &upper, &both)) {
        composed++;
        CHECK_SEEDED(walk_count(&both) == positions.count, seed + (uint64_t)i, "another count");
        for (int64_t k = 0; k < positions.count; k++)
          CHECK_SEEDED(walk_at(&both, k) == walk_at(&lower, positions.positions[k]),
                       seed + (uint64_t)i, "element %lld", (long long)k);
      }
    }
    oracle_free(&positions);
  }
  print_message("%lld of %lld pairs composed\n", (long long)composed, (long long)tried);
  if (seed == 410000 && cases == 20000)
    assert_true(composed >= COMPOSED);
}

/* ---- pieces ---- */

/* `view` with one more walk below. */
static clrs_view put_under(const clrs_view *view, const clrs__walk *lower) {
  clrs_view stacked = {.dtype = view->dtype, .shape = view->shape, .depth = 1};
  clrs_error error;
  CHECK_OK(clrs__view_set_top(&stacked, lower, &error), error);
  for (uint32_t level = 0; level < view->depth; level++) {
    clrs__walk walk;
    clrs__view_level(view, level, &walk);
    stacked.depth++;
    CHECK_OK(clrs__view_set_top(&stacked, &walk, &error), error);
  }
  return stacked;
}

static int compare_pairs(const void *a, const void *b) {
  const pair *x = a, *y = b;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  return (x->from > y->from) - (x->from < y->from);
}

static int64_t pairs_of(const clrs__pieces *pieces, pair *pairs) {
  int64_t used = 0;
  for (uint32_t p = 0; p < pieces->count; p++) {
    const clrs__nest *nest = &pieces->nests[p];
    clrs__walk from = {.offset = nest->source_offset, .axis_count = nest->axis_count};
    clrs__walk to = {.offset = nest->destination_offset, .axis_count = nest->axis_count};
    for (uint32_t i = 0; i < nest->axis_count; i++) {
      from.axes[i] = (clrs_axis){nest->axes[i].extent, nest->axes[i].source_stride};
      to.axes[i] = (clrs_axis){nest->axes[i].extent, nest->axes[i].destination_stride};
    }
    for (int64_t k = 0; k < walk_count(&from); k++) {
      assert_true(used < MAX_COUNT);
      pairs[used++] = (pair){walk_at(&to, k), walk_at(&from, k)};
    }
  }
  return used;
}

typedef struct pieces_case {
  clrs_view source, destination;
  clrs__walk source_walk, destination_walk;
  oracle source_positions, destination_positions;
} pieces_case;

/* Both sides are stacks, or one is, and the other dense. */
static void draw_pieces(pieces_case *c, test_rng *rng) {
  c->source_walk = draw_lower(rng);
  c->source = draw_upper(rng, walk_count(&c->source_walk), &c->source_positions);
  const int64_t count = c->source_positions.count;
  c->destination_walk = (clrs__walk){.offset = 0, .axis_count = 1, .axes = {{count, 1}}};
  clrs__walk_normalise(&c->destination_walk);
  clrs_error error;
  clrs_layout layout;
  clrs_shape shape = shape_random_of_count(rng, count);
  CHECK_OK(clrs_layout_init(CLRS_U8, &shape, NULL, 0, &layout, &error), error);
  CHECK_OK(clrs_view_from_layout(&layout, &c->destination, &error), error);
  c->destination_positions = oracle_from_layout(&layout);
  for (int64_t i = rng_between(rng, 0, 2); i > 0; i--) {
    int64_t axes[CLRS_MAX_RANK];
    rng_permutation(rng, shape.rank, axes);
    CHECK_OK(clrs_view_permute(&c->destination, shape.rank, axes, &error), error);
    oracle_permute(&c->destination_positions, axes);
    shape = shape_random_of_count(rng, count);
    CHECK_OK(clrs_view_reshape(&c->destination, &shape, &error), error);
    oracle_reshape(&c->destination_positions, &shape);
  }
  c->source = put_under(&c->source, &c->source_walk);
}

static void check_pieces(const pieces_case *c, const clrs__pieces *pieces, uint64_t seed) {
  pair found[MAX_COUNT], expected[MAX_COUNT];
  const int64_t count = c->source_positions.count;
  CHECK_SEEDED(pairs_of(pieces, found) == count, seed, "another count");
  for (int64_t k = 0; k < count; k++)
    expected[k] = (pair){c->destination_positions.positions[k],
                         walk_at(&c->source_walk, c->source_positions.positions[k])};
  qsort(found, (size_t)count, sizeof found[0], compare_pairs);
  qsort(expected, (size_t)count, sizeof expected[0], compare_pairs);
  CHECK_SEEDED(memcmp(found, expected, (size_t)count * sizeof found[0]) == 0, seed,
               "the pieces are another move");
}

static void pieces_are_the_move_and_as_few_as_they_were(void **state) {
  (void)state;
  const uint64_t seed = test_seed(420000);
  const int64_t cases = test_cases(20000);
  int64_t tried = 0, found = 0, pieces_of_all = 0, axes_of_all = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    pieces_case c;
    clrs__pieces pieces;
    clrs_reason reason;
    draw_pieces(&c, &rng);
    if (c.source_positions.count > 0) {
      tried++;
      if (clrs__pieces_find(&c.source, &c.destination, &pieces, &reason)) {
        check_pieces(&c, &pieces, seed + (uint64_t)i);
        found++;
        pieces_of_all += pieces.count;
        for (uint32_t p = 0; p < pieces.count; p++)
          axes_of_all += pieces.nests[p].axis_count;
      }
    }
    oracle_free(&c.source_positions);
    oracle_free(&c.destination_positions);
  }
  print_message("%lld of %lld moves lowered, to %lld pieces of %lld axes\n", (long long)found,
                (long long)tried, (long long)pieces_of_all, (long long)axes_of_all);
  if (seed == 420000 && cases == 20000)
    assert_true(found > FOUND ||
                (found == FOUND && pieces_of_all <= PIECES && axes_of_all <= AXES));
}

/* Elements 1 to 10 of 3 x 4, read column by column: they end in the middle of two columns. */
static clrs_view columns_without_their_ends(void) {
  const clrs_shape shape = {2, {3, 4}}, flat = {1, {12}};
  const clrs_slice middle = {.axis = 0, .start = 1, .end = 11, .step = 1};
  const int64_t order[] = {1, 0};
  clrs_error error;
  clrs_view view;
  CHECK_OK(clrs_view_dense(CLRS_U8, &shape, &view, &error), error);
  CHECK_OK(clrs_view_permute(&view, 2, order, &error), error);
  CHECK_OK(clrs_view_reshape(&view, &flat, &error), error);
  CHECK_OK(clrs_view_slice(&view, 1, &middle, &error), error);
  return view;
}

/* Either side, or both, in three pieces: what is left of a column, two columns, and of another. */
static void pieces_of_a_destination_are_moved_the_right_way(void **state) {
  (void)state;
  const clrs_shape ten = {1, {10}};
  const clrs_view columns = columns_without_their_ends();
  clrs_view line;
  clrs_error error;
  CHECK_OK(clrs_view_dense(CLRS_U8, &ten, &line, &error), error);
  for (int sides = 1; sides < 4; sides++) {
    clrs__pieces pieces;
    clrs_reason reason;
    pair found[MAX_COUNT];
    assert_true(clrs__pieces_find(sides & 1 ? &columns : &line, sides & 2 ? &columns : &line,
                                  &pieces, &reason));
    assert_int_equal(pieces.count, 3);
    assert_int_equal(pairs_of(&pieces, found), 10);

    for (int64_t k = 0; k < 10; k++) {
      const int64_t at = (k + 1) % 3 * 4 + (k + 1) / 3;
      const pair expected = {sides & 2 ? at : k, sides & 1 ? at : k};
      bool is_found = false;
      for (int64_t i = 0; i < 10; i++)
        is_found = is_found || compare_pairs(&found[i], &expected) == 0;
      assert_true(is_found);
    }
  }
}

/* A step of 8 places runs over the lower walk's digit of 2, so it would have to be split. */
static void an_axis_is_not_split_where_axes_run_out(void **state) {
  (void)state;
  const clrs__walk lower = {0, 2, {{4, 10}, {2, 1}}};
  for (uint32_t axes = 62; axes <= CLRS_MAX_AXES; axes++) {
    clrs__nest nest = {.axis_count = axes};
    clrs__axis_cut cut;
    for (uint32_t i = 0; i + 1 < axes; i++)
      nest.axes[i] = (clrs__nest_axis){1, 0, 8};
    nest.axes[axes - 1] = (clrs__nest_axis){8, 1, 1};
    const bool has_room = axes < CLRS_MAX_AXES;
    assert_int_equal(clrs__nest_lower(&lower, &nest, &cut), has_room ? CLRS__LOWERED : CLRS__STUCK);
    assert_int_equal(nest.axis_count, has_room ? axes + 1 : axes);
    if (has_room) {
      const clrs__nest_axis split[] = {{4, 10, 2}, {2, 1, 1}};
      assert_memory_equal(&nest.axes[axes - 1], split, sizeof split);
    }
  }
}

/* ---- far apart ---- */

/* `view` as one row, and of that what the slice takes. */
static void slice_flat(clrs_view *view, int64_t count, clrs_slice slice) {
  const clrs_shape flat = {1, {count}};
  clrs_error error;
  CHECK_OK(clrs_view_reshape(view, &flat, &error), error);
  CHECK_OK(clrs_view_slice(view, 1, &slice, &error), error);
}

/* From the last element of a row to the last but one of the next: seen from the first, the second
 * lies a row of 2^40 before it, and 2^40 steps like that would leave 64 bits. */
static void a_slice_over_the_end_of_a_very_long_row(void **state) {
  (void)state;
  const int64_t row = INT64_C(1) << 40;
  clrs_view view = view_strided(CLRS_U8, 2, LIST(4, row), LIST(2 * row, 1), 0);
  slice_flat(&view, 4 * row, (clrs_slice){0, row - 1, 2 * row - 1, 1});
  assert_int_equal(view.shape.dims[0], row);
  assert_int_equal(view_position_at(&view, 0), row - 1);
  assert_int_equal(view_position_at(&view, 1), 2 * row);
  assert_int_equal(view_position_at(&view, row - 1), 3 * row - 2);
}

/* The corners of a square whose sides are 2^62: every position fits in 64 bits, as the first is
 * -2^62, but the way from one to the other does not. */
static void corners_that_are_too_far_apart(void **state) {
  (void)state;
  const int64_t side = INT64_C(1) << 62;
  clrs_view view = view_strided(CLRS_U8, 2, LIST(2, 2), LIST(side, side), -side);
  slice_flat(&view, 4, (clrs_slice){0, 0, 4, 3});
  assert_int_equal(view.shape.dims[0], 2);
  assert_int_equal(view_position_at(&view, 0), -side);
  assert_int_equal(view_position_at(&view, 1), side);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walks_compose_to_what_they_are_one_after_the_other),
      cmocka_unit_test(pieces_of_a_destination_are_moved_the_right_way),
      cmocka_unit_test(pieces_are_the_move_and_as_few_as_they_were),
      cmocka_unit_test(an_axis_is_not_split_where_axes_run_out),
      cmocka_unit_test(a_slice_over_the_end_of_a_very_long_row),
      cmocka_unit_test(corners_that_are_too_far_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
