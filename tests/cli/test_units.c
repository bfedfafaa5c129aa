/*
 * Elements as several units each: after random operations, unit j of the element at position p is
 * at p times the units, and j further on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/chain.h"
#include "harness/check.h"
#include "harness/tensors.h"

#include "cli/units.h"

enum { CASES = 10000, MOST_COUNT = 100 };

static void check_case(uint64_t seed) {
  test_rng rng = rng_start(seed);
  const layout_wish wish = {3, 5, MOST_COUNT, 3, true};
  const int64_t units = rng_between(&rng, 2, 7);
  const clrs_layout layout = layout_random(&rng, CLRS_BITS32, &wish, rng_between(&rng, 0, 5));
  clrs_view view, found;
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  oracle elements = oracle_from_layout(&layout);
  for (int64_t i = rng_between(&rng, 0, 4); i > 0; i--) {
    const move step = move_random(&rng, &elements.shape, MOST_COUNT);
    if (move_apply_view(&step, &view, &error) == CLRS_OK)
      move_apply_oracle(&step, &elements);
  }
  oracle expected = {.shape = elements.shape, .count = elements.count * units};
  expected.shape.dims[expected.shape.rank++] = units;
  expected.positions = malloc((size_t)(expected.count + 1) * sizeof(int64_t));
  assert_non_null(expected.positions);
  for (int64_t k = 0; k < expected.count; k++)
    expected.positions[k] = elements.positions[k / units] * units + k % units;
  const char *why = NULL;
  CHECK_OK(cli_view_in_units(&view, (uint32_t)units, &found, &error), error);
  CHECK_SEEDED(view_matches(&found, &expected, &why), seed, "%s", why);
  free(expected.positions);
  oracle_free(&elements);
}

TEST(each_element_becomes_its_units) {
  const uint64_t seed = test_seed(7900000);
  for (int64_t i = 0; i < test_cases(CASES); i++)
    check_case(seed + (uint64_t)i);
}

TEST(what_does_not_fit_is_refused) {
  clrs_view view;
  int64_t ones[CLRS_MAX_RANK];
  for (int i = 0; i < CLRS_MAX_RANK; i++)
    ones[i] = 1;
  const clrs_view far = view_strided(CLRS_BITS32, 1, LIST(2), LIST(INT64_MAX / 2), 0);
  const clrs_view deep = view_strided(CLRS_BITS32, CLRS_MAX_RANK, ones, NULL, 0);
  CHECK_FAILS(cli_view_in_units(&far, 3, &view, &error), CLRS_OVERFLOW, error);
  CHECK_FAILS(cli_view_in_units(&deep, 3, &view, &error), CLRS_LIMIT_EXCEEDED, error);
}

TESTS(NULL, NULL)
