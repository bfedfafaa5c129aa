/*
 * Inverse views: for random operations on a dense tensor, the inverse has each element at the
 * inverted position of the oracle. No inverse exists if an element is missing or shown twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/chain.h"
#include "harness/check.h"
#include "harness/tensors.h"

#include "cli/inverse.h"

enum { CASES = 20000, MOST_COUNT = 120 };

/* The position in the view of each element of the tensor. Returns false unless each element is
 * there exactly once. */
static bool turn_round(const oracle *shown, int64_t count, int64_t *places) {
  for (int64_t at = 0; at < count; at++)
    places[at] = -1;
  for (int64_t k = 0; k < shown->count; k++) {
    if (places[shown->positions[k]] >= 0)
      return false;
    places[shown->positions[k]] = k;
  }
  return shown->count == count;
}

/* The inverse of the dense view is the inverse. */
static clrs_status inverse_of(const clrs_view *view, const clrs_shape *shape, clrs_view *inverse) {
  CHECK_OK(clrs_view_dense(view->dtype, &view->shape, inverse, &error), error);
  return cli_view_return(view, shape, inverse, &error);
}

static void check_case(uint64_t seed, int64_t *inverted) {
  test_rng rng = rng_start(seed);
  int64_t places[MOST_COUNT];
  clrs_layout layout;
  clrs_view view, inverse;
  const int64_t count = rng_between(&rng, 0, MOST_COUNT);
  const clrs_shape shape = shape_random_of_count(&rng, count);
  CHECK_OK(clrs_layout_init(CLRS_U8, &shape, NULL, 0, &layout, &error), error);
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  oracle shown = oracle_from_layout(&layout);
  for (int64_t i = rng_between(&rng, 0, 4); i > 0; i--) {
    const move step = move_random(&rng, &shown.shape, MOST_COUNT);
    const bool keeps = step.kind != MOVE_SLICE && step.kind != MOVE_SPLIT;
    if ((keeps || rng_percent(&rng, 10)) && move_apply_view(&step, &view, &error) == CLRS_OK)
      move_apply_oracle(&step, &shown);
  }
  const bool is_whole = turn_round(&shown, count, places);
  const clrs_status status = inverse_of(&view, &shape, &inverse);
  CHECK_SEEDED(status == CLRS_OK || status == CLRS_UNSUPPORTED, seed, "%s", error.message);
  CHECK_SEEDED(is_whole || status != CLRS_OK, seed, "an element is missing, or there twice");
  CHECK_SEEDED(status == CLRS_OK || !is_whole || view.depth > 1, seed, "%s", error.message);
  if (status == CLRS_OK) {
    const char *why = NULL;
    const oracle expected = {.shape = shape, .count = count, .positions = places};
    CHECK_SEEDED(view_matches(&inverse, &expected, &why), seed, "%s", why);
    ++*inverted;
  }
  oracle_free(&shown);
}

TEST(an_inverse_leads_back) {
  const uint64_t seed = test_seed(7800000);
  const int64_t cases = test_cases(CASES);
  int64_t inverted = 0;
  for (int64_t i = 0; i < cases; i++)
    check_case(seed + (uint64_t)i, &inverted);
  assert_true(cases < 1000 || (inverted > cases / 2 && inverted < cases));
}

/* The position of an element of [3,4,5]. */
static int64_t place(const clrs_view *view, int64_t k) {
  clrs_view one = *view;
  clrs_bounds bounds;
  const clrs_slice slices[] = {
      {0, k / 20, k / 20 + 1, 1}, {1, k / 5 % 4, k / 5 % 4 + 1, 1}, {2, k % 5, k % 5 + 1, 1}};
  CHECK_OK(clrs_view_slice(&one, 3, slices, &error), error);
  CHECK_OK(clrs_view_bounds(&one, &bounds, &error), error);
  return bounds.lowest;
}

TEST(rolls_lead_back) {
  static const char *const texts[] = {"roll=0,1", "roll=2,-1", "roll=1,3 roll=2,1",
                                      "roll=0,1 roll=1,1 roll=2,1"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    clrs_view view = view_strided(CLRS_U8, 3, LIST(3, 4, 5), NULL, 0), inverse;
    const clrs_view whole = view;
    CHECK_OK(clrs_view_apply(&view, texts[i], &error), error);
    CHECK_OK(inverse_of(&view, &whole.shape, &inverse), error);
    for (int64_t k = 0; k < 60; k++)
      assert_int_equal(place(&view, place(&inverse, k)), k);
    CHECK_OK(clrs_view_apply(&view, "tile=1,1,2 slice=:,:,2:7 flip=0", &error), error);
    CHECK_FAILS(inverse_of(&view, &whole.shape, &inverse), CLRS_UNSUPPORTED, error);
  }
}

TESTS(NULL, NULL)
