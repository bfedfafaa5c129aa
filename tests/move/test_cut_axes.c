/*
 * Moves lowered through stacks of walks, piece by piece: each result is compared with the
 * definition, one position at a time. A missed lowering is not wrong but slow, so the test also
 * counts the results. Fewer than before fails.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "view/walks.h"

#include "move/cut_axes.h"

/* The counts for the default seeds when this was written. A better algebra finds more. */
enum { FOUND = 16832, PIECES = 18234, AXES = 38729 };

/* `view` with an additional walk below. */
static clrs_view put_under(const clrs_view *view, const clrs__walk *lower) {
  clrs_view stacked = {.dtype = view->dtype, .shape = view->shape, .depth = 1};
  CHECK_OK(clrs__view_set_top(&stacked, lower, &error), error);
  for (uint32_t level = 0; level < view->depth; level++) {
    clrs__walk walk;
    clrs__view_level(view, level, &walk);
    stacked.depth++;
    CHECK_OK(clrs__view_set_top(&stacked, &walk, &error), error);
  }
  return stacked;
}

/* The axes are in the order of the destination, forwards, and have more than one step. */
static bool is_canonical(const clrs__nest *nest) {
  bool is = true;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    const int64_t step = nest->axes[i].destination_stride;
    is = is && nest->axes[i].extent > 1 && step > 0 &&
         (i == 0 || nest->axes[i - 1].destination_stride >= step);
  }
  return is;
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
    assert_true(is_canonical(nest));
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

/* Both sides are stacks, or one side is a stack and the other side is dense. */
static void draw_pieces(pieces_case *c, test_rng *rng) {
  c->source_walk = draw_lower(rng);
  c->source = draw_upper(rng, walk_count(&c->source_walk), &c->source_positions);
  const int64_t count = c->source_positions.count;
  c->destination_walk = (clrs__walk){.offset = 0, .axis_count = 1, .axes = {{count, 1}}};
  clrs__walk_normalize(&c->destination_walk);
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

static bool find_pieces(const clrs_view *source, const clrs_view *destination, clrs__pieces *pieces,
                        clrs__reason *reason) {
  const clrs_view *const views[] = {[CLRS__TO] = destination, [CLRS__FROM] = source};
  return clrs__pieces_find(views, 2, pieces, reason);
}

TEST(pieces_are_the_move_and_as_few_as_they_were) {
  const uint64_t seed = test_seed(420000);
  const int64_t cases = test_cases(20000);
  int64_t tried = 0, found = 0, pieces_of_all = 0, axes_of_all = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    pieces_case c;
    clrs__pieces pieces;
    clrs__reason reason;
    draw_pieces(&c, &rng);
    if (c.source_positions.count > 0) {
      tried++;
      if (find_pieces(&c.source, &c.destination, &pieces, &reason)) {
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

/* Elements 1 to 10 of 3 x 4, read column by column, which begin and end in the middle of
 * columns. */
static clrs_view columns_without_their_ends(void) {
  const clrs_shape shape = {2, {3, 4}}, flat = {1, {12}};
  const clrs_slice middle = {.axis = 0, .start = 1, .end = 11, .step = 1};
  const int64_t order[] = {1, 0};
  clrs_view view;
  CHECK_OK(clrs_view_dense(CLRS_U8, &shape, &view, &error), error);
  CHECK_OK(clrs_view_permute(&view, 2, order, &error), error);
  CHECK_OK(clrs_view_reshape(&view, &flat, &error), error);
  CHECK_OK(clrs_view_slice(&view, 1, &middle, &error), error);
  return view;
}

/* Either side, or both, in three pieces: the rest of a column, two columns, and a part of another
 * column. */
TEST(pieces_of_a_destination_are_moved_the_right_way) {
  const clrs_shape ten = {1, {10}};
  const clrs_view columns = columns_without_their_ends();
  clrs_view line;
  CHECK_OK(clrs_view_dense(CLRS_U8, &ten, &line, &error), error);
  for (int sides = 1; sides < 4; sides++) {
    clrs__pieces pieces;
    clrs__reason reason;
    pair found[MAX_COUNT];
    assert_true(
        find_pieces(sides & 1 ? &columns : &line, sides & 2 ? &columns : &line, &pieces, &reason));
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

TESTS(NULL, NULL)
