/*
 * Padding with a tensor's elements, as boxes: random pads of every mode, of sources and results of
 * any layout. The reference is the definition, element by element, one step at a time. Boxes must
 * cover everything, must not overlap, and must be few. Also the errors for bad pads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "expect.h"
#include "harness/oracle_moves.h"
#include "harness/rng.h"

enum { CASES = 3000 };

static const clrs_pad_mode modes[] = {CLRS_PAD_EDGE, CLRS_PAD_REFLECT, CLRS_PAD_SYMMETRIC,
                                      CLRS_PAD_WRAP};

typedef struct drawn_pad {
  clrs_pad_mode mode;
  clrs_shape shape;
  int64_t begins[CLRS_MAX_RANK], ends[CLRS_MAX_RANK];
} drawn_pad;

static drawn_pad draw(test_rng *rng) {
  drawn_pad made = {.mode = modes[rng_between(rng, 0, 3)],
                    .shape.rank = (uint32_t)rng_between(rng, 0, 5)};
  for (uint32_t d = 0; d < made.shape.rank; d++) {
    const int64_t extent = rng_percent(rng, 3) ? 0 : rng_between(rng, 1, 5);
    const int64_t most = extent == 0 ? 0 : rng_percent(rng, 30) ? 4 * extent + 3 : extent;
    made.shape.dims[d] = extent;
    made.begins[d] = rng_percent(rng, 40) ? 0 : rng_between(rng, 0, most);
    made.ends[d] = rng_percent(rng, 40) ? 0 : rng_between(rng, 0, most);
  }
  return made;
}

/* The source element that each place of the result shows, from the boxes, or -1 outside of all
 * boxes. */
static int64_t *show(const clrs_pad *pad, const clrs_view *source, int64_t count) {
  int64_t *shown = malloc(((size_t)count + 1) * sizeof *shown);
  clrs_view whole;
  assert_non_null(shown);
  for (int64_t k = 0; k < count; k++)
    shown[k] = -1;
  CHECK_OK(clrs_view_dense(source->dtype, &pad->whole, &whole, &error), error);
  for (size_t box = 0; box < pad->box_count; box++) {
    clrs_view seen = *source, place = whole;
    CHECK_OK(clrs_pad_source(pad, box, &seen, &error), error);
    CHECK_OK(clrs_pad_place(pad, box, &place, &error), error);
    assert_true(clrs_shape_equal(&seen.shape, &place.shape));
    const int64_t elements = oracle_count(&seen.shape);
    for (int64_t k = 0; k < elements; k++) {
      const int64_t at = view_position_at(&place, k);
      assert_true(at >= 0 && at < count && shown[at] == -1);
      shown[at] = view_position_at(&seen, k);
    }
  }
  return shown;
}

TEST(boxes_are_what_the_definition_says) {
  const uint64_t first = test_seed(70000);
  for (uint64_t seed = first; seed < first + (uint64_t)test_cases(CASES); seed++) {
    test_rng rng = rng_start(seed);
    const drawn_pad drawn = draw(&rng);
    const clrs_layout layout = layout_random_of_shape(&rng, CLRS_F32, &drawn.shape, true, 2);
    oracle expected = oracle_from_layout(&layout);
    clrs_view source;
    clrs_pad pad;
    CHECK_OK(clrs_view_from_layout(&layout, &source, &error), error);
    CHECK_OK(clrs_pad_init(drawn.mode, &drawn.shape, drawn.begins, drawn.ends, &pad, &error),
             error);
    oracle_pad(&expected, drawn.mode, drawn.begins, drawn.ends);
    assert_true(clrs_shape_equal(&pad.whole, &expected.shape));
    int64_t *shown = show(&pad, &source, expected.count);
    for (int64_t k = 0; k < expected.count; k++)
      CHECK_SEEDED(shown[k] == expected.positions[k], seed, "mode %d: element %d is %d, not %d",
                   (int)drawn.mode, (int)k, (int)shown[k], (int)expected.positions[k]);
    free(shown);
    oracle_free(&expected);
  }
}

static size_t count_boxes(clrs_pad_mode mode, int64_t extent, int64_t before, int64_t behind) {
  const clrs_shape shape = {1, {extent}};
  clrs_pad pad;
  CHECK_OK(clrs_pad_init(mode, &shape, &before, &behind, &pad, &error), error);
  assert_int_equal(pad.whole.dims[0], extent + before + behind);
  return pad.box_count;
}

/* Whatever the amounts: no more than four along a dim. */
TEST(boxes_are_few) {
  assert_int_equal(count_boxes(CLRS_PAD_EDGE, 7, 0, 0), 1);
  assert_int_equal(count_boxes(CLRS_PAD_EDGE, 7, 0, 3), 2);
  assert_int_equal(count_boxes(CLRS_PAD_EDGE, 7, 900, 3), 3);
  assert_int_equal(count_boxes(CLRS_PAD_REFLECT, 7, 2, 2), 3);
  assert_int_equal(count_boxes(CLRS_PAD_SYMMETRIC, 7, 2, 2), 3);
  assert_int_equal(count_boxes(CLRS_PAD_WRAP, 7, 2, 2), 3);
  assert_int_equal(count_boxes(CLRS_PAD_WRAP, 7, 7, 14), 1);
  assert_int_equal(count_boxes(CLRS_PAD_WRAP, 1, 1000000, 1000000), 1);
  assert_int_equal(count_boxes(CLRS_PAD_REFLECT, 1, 5, 5), 3);
  assert_int_equal(count_boxes(CLRS_PAD_REFLECT, 2, 1000, 1000), 1);
  assert_int_equal(count_boxes(CLRS_PAD_SYMMETRIC, 3, 3, 3), 2);
  assert_int_equal(count_boxes(CLRS_PAD_SYMMETRIC, 3, 1000, 1000), 4);
  assert_int_equal(count_boxes(CLRS_PAD_WRAP, 5, INT64_MAX - 100, 91), 3);
  assert_int_equal(count_boxes(CLRS_PAD_REFLECT, 5, 90, INT64_MAX - 99), 4);
}

static void require_refused(clrs_pad_mode mode, const clrs_shape *shape, const int64_t *begins,
                            const int64_t *ends, clrs_status status, const char *says) {
  clrs_pad pad = {.box_count = 77};
  CHECK_FAILS(clrs_pad_init(mode, shape, begins, ends, &pad, &error), status, error);
  CHECK_SAYS(error, says);
  assert_int_equal(pad.box_count, 77);
}

TEST(bad_pads_are_refused) {
  const clrs_shape empty = {2, {0, 4}}, nine = {9, {2, 2, 2, 2, 2, 2, 2, 2, 2}};
  const clrs_shape huge = {2, {INT64_MAX - 9, 1}};
  clrs_pad pad;
  require_refused(CLRS_PAD_SYMMETRIC, &huge, LIST(2, 0), LIST(0, 0), CLRS_OVERFLOW, "64 bits");
  require_refused(CLRS_PAD_WRAP, &nine, LIST(1, 1, 1, 1, 1, 1, 1, 1, 1),
                  LIST(1, 1, 1, 1, 1, 1, 1, 1, 1), CLRS_LIMIT_EXCEEDED, "over 8192 boxes");
  CHECK_OK(clrs_pad_init(CLRS_PAD_EDGE, &empty, LIST(0, 2), LIST(0, 3), &pad, &error), error);
  assert_int_equal(pad.whole.dims[1], 9);
}

/* ---- views of which no box can be made ---- */

/* Both functions refuse the pad if possible, and the view stays unchanged. */
static void require_no_box(const clrs_pad *pad, const clrs_view *view, bool is_place,
                           clrs_status status, const char *says) {
  clrs_view seen = *view;
  for (size_t box = 0; box < pad->box_count; box++)
    if ((is_place ? clrs_pad_place : clrs_pad_source)(pad, box, &seen, &error) != CLRS_OK) {
      assert_int_equal(error.status, status);
      CHECK_SAYS(error, says);
      assert_memory_equal(&seen, view, sizeof seen);
      return;
    } else {
      seen = *view;
    }
  fail_msg("every box is there, and none says %s", says);
}

static clrs_pad pad_of(clrs_pad_mode mode, const clrs_shape *shape, const int64_t *begins,
                       const int64_t *ends) {
  clrs_pad pad;
  CHECK_OK(clrs_pad_init(mode, shape, begins, ends, &pad, &error), error);
  return pad;
}

/* The deepest possible stack, with dims that need another walk. */
TEST(boxes_of_the_deepest_stack_are_refused) {
  clrs_view view = dense(1, LIST(5040));
  static const int64_t rows[] = {6, 16, 9, 10, 14, 15};
  clrs_status status = CLRS_OK;
  for (int i = 0; status == CLRS_OK; i++) {
    const clrs_shape cut = {2, {rows[i % 6], 5040 / rows[i % 6]}};
    CHECK_OK(clrs_view_reshape(&view, &cut, &error), error);
    status = clrs_view_permute(&view, 2, LIST(1, 0), &error);
  }
  const clrs_shape inner = {2, {view.shape.dims[0] - 1, view.shape.dims[1]}};
  const clrs_pad before = pad_of(CLRS_PAD_WRAP, &view.shape, LIST(1, 0), NULL);
  const clrs_pad inside = pad_of(CLRS_PAD_WRAP, &inner, LIST(1, 0), NULL);
  require_no_box(&before, &view, false, CLRS_LIMIT_EXCEEDED, "more than 8 walks");
  require_no_box(&inside, &view, true, CLRS_LIMIT_EXCEEDED, "more than 8 walks");
}

TEST(boxes_that_need_more_axes_or_dims_are_refused) {
  const clrs__walk full[] = {uneven_walk(60), uneven_walk(36)};
  /* Two dims with a common step while windows lie behind the dims, and with separate steps in
   * place. */
  const clrs__walk nearly[] = {uneven_walk(60), uneven_walk(34), {0, 2, {{15, 1}, {7, 3}}}};
  clrs_view view = view_of_walks(2, full);
  const clrs_pad twice = pad_of(CLRS_PAD_WRAP, &view.shape, NULL, view.shape.dims);
  require_no_box(&twice, &view, false, CLRS_LIMIT_EXCEEDED, "needs 97 axes in its stack of 2");
  view = view_of_walks(3, nearly);
  view.shape = (clrs_shape){2, {15, 7}};
  const clrs_shape three = {2, {3, 7}};
  const clrs_pad apart = pad_of(CLRS_PAD_SYMMETRIC, &three, LIST(6, 0), LIST(6, 0));
  require_no_box(&apart, &view, true, CLRS_LIMIT_EXCEEDED, "needs 97 axes in its stack of 3");
  clrs_shape most = {.rank = CLRS_MAX_RANK};
  int64_t sides[CLRS_MAX_RANK] = {6};
  for (uint32_t dim = 0; dim < CLRS_MAX_RANK; dim++)
    most.dims[dim] = 1;
  most.dims[0] = 3;
  const clrs_pad pieces = pad_of(CLRS_PAD_SYMMETRIC, &most, sides, sides);
  view = dense(CLRS_MAX_RANK, pieces.whole.dims);
  require_no_box(&pieces, &view, true, CLRS_LIMIT_EXCEEDED, "adds a dim to rank 32");
}

/* 2^63, the step back, has no place in 64 bits. */
TEST(a_step_that_cannot_be_turned_is_no_mirror) {
  const clrs__walk walk = {0, 1, {{2, INT64_MIN}}};
  const clrs_view view = view_of_walks(1, &walk);
  const clrs_pad mirror = pad_of(CLRS_PAD_SYMMETRIC, &view.shape, LIST(2), NULL);
  require_no_box(&mirror, &view, false, CLRS_OVERFLOW, "dimension 0 cannot be reversed");
}

TESTS(NULL, NULL)
