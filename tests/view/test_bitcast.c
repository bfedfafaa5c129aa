/*
 * Elements of another width. In random views, element k of the narrow type must be part k of the
 * wide element there, and the way back must give the original view.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bitcast.h"

#include "harness/chain.h"
#include "harness/check.h"
#include "harness/tensors.h"

enum { CASES = 20000, MOST_COUNT = 100 };

/* Of 32, 16, 8, 4 and 1 bits. */
static const clrs_dtype types[] = {CLRS_F32, CLRS_BF16, CLRS_BITS8, CLRS_I4, CLRS_BITS1};

static void check_positions(const clrs_view *view, const oracle *elements, int64_t parts,
                            uint64_t seed) {
  oracle expected = {.shape = elements->shape, .count = elements->count * parts};
  const char *why = NULL;
  expected.shape.dims[expected.shape.rank - 1] *= parts;
  expected.positions = malloc((size_t)(expected.count + 1) * sizeof(int64_t));
  assert_non_null(expected.positions);
  for (int64_t k = 0; k < expected.count; k++)
    expected.positions[k] = elements->positions[k / parts] * parts + k % parts;
  CHECK_SEEDED(view_matches(view, &expected, &why), seed, "%s", why);
  free(expected.positions);
}

/* Is the last axis dense, by the oracle's positions? */
static bool is_dense(const oracle *elements) {
  const int64_t last = elements->shape.dims[elements->shape.rank - 1];
  bool dense = true;
  for (int64_t k = 0; k < elements->count; k++)
    dense = dense && (k % last == 0 || elements->positions[k] == elements->positions[k - 1] + 1);
  return dense;
}

/* Is it narrowed? */
static bool check_case(uint64_t seed) {
  test_rng rng = rng_start(seed);
  const layout_wish wish = {3, 5, MOST_COUNT, 3, true};
  const int64_t wide = rng_between(&rng, 0, 3), narrow = rng_between(&rng, wide + 1, 4);
  const clrs_layout layout = layout_random(&rng, types[wide], &wish, rng_between(&rng, 0, 5));
  clrs_view view, cut;
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  oracle elements = oracle_from_layout(&layout);
  for (int64_t i = rng_between(&rng, 0, 3); i > 0; i--) {
    const move step = move_random(&rng, &elements.shape, MOST_COUNT);
    if (move_apply_view(&step, &view, &error) == CLRS_OK)
      move_apply_oracle(&step, &elements);
  }
  cut = view;
  const clrs_status status = clrs__view_bitcast(&cut, types[narrow], &error);
  if (status == CLRS_OK) {
    check_positions(&cut, &elements, clrs_dtype_bits(types[wide]) / clrs_dtype_bits(types[narrow]),
                    seed);
    CHECK_OK(clrs__view_bitcast(&cut, types[wide], &error), error);
    check_positions(&cut, &elements, 1, seed);
  } else if (elements.shape.rank > 0 && view.depth <= 1) {
    CHECK_SEEDED(status == CLRS_WOULD_COPY && !is_dense(&elements), seed, "%s", error.message);
  }
  oracle_free(&elements);
  return status == CLRS_OK;
}

static void narrow_elements_are_parts_of_wide_ones(void **state) {
  (void)state;
  const uint64_t seed = test_seed(8100000);
  const int64_t cases = test_cases(CASES);
  int64_t narrowed = 0;
  for (int64_t i = 0; i < cases; i++)
    narrowed += check_case(seed + (uint64_t)i);
  print_message("  %d of %d narrowed\n", (int)narrowed, (int)cases);
  assert_true(cases < 100 || (narrowed > cases / 5 && narrowed < cases));
}

static void what_does_not_fit_is_refused(void **state) {
  (void)state;
  const clrs_view far = view_strided(CLRS_U64, 2, LIST(2, 2), LIST(INT64_MAX / 2, 1), 0);
  clrs_view view = far;
  CHECK_FAILS(clrs__view_bitcast(&view, CLRS_U8, &error), CLRS_OVERFLOW, error);
  CHECK_SAYS(error, "a position does not fit in 64 bits when it counts elements of u8");
  assert_memory_equal(&view, &far, sizeof view);
  view = view_strided(CLRS_U64, 2, LIST(0, INT64_MAX / 4), NULL, 0);
  CHECK_FAILS(clrs__view_bitcast(&view, CLRS_U8, &error), CLRS_OVERFLOW, error);
  CHECK_FAILS(clrs__view_bitcast(&view, CLRS_STRING, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "the bits of strings");
  view = view_strided(CLRS_U1, 1, LIST(8), NULL, 0);
  CHECK_FAILS(clrs__view_bitcast(&view, CLRS_U4, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "lie at different ends");
  CHECK_OK(clrs__view_bitcast(&view, CLRS_U8, &error), error); /* as the bits lie */
  assert_int_equal(view.shape.dims[0], 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(narrow_elements_are_parts_of_wide_ones),
      cmocka_unit_test(what_does_not_fit_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
