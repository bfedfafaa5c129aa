/*
 * Views copied on the host with the cursor. In random chains of operations, each copied element
 * must come from the oracle's position. Also memory that is too small.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/chain.h"
#include "harness/check.h"
#include "harness/tensors.h"

#include "view/cursor.h"

enum { CASES = 3000, MOST_COUNT = 200, POISON = 0xa5 };

static const clrs_dtype types[] = {CLRS_U8, CLRS_I16, CLRS_F32, CLRS_F64, CLRS_C128};

typedef struct copied {
  clrs_view view;
  oracle expected;
  uint8_t *source;
  size_t bytes, source_size;
} copied;

/* A layout with the lowest position 0, after up to 5 operations. */
static copied draw(test_rng *rng) {
  const layout_wish wish = {4, 6, MOST_COUNT, 3, true};
  copied c;
  const clrs_dtype dtype = types[rng_between(rng, 0, sizeof types / sizeof types[0] - 1)];
  const clrs_layout layout = layout_random(rng, dtype, &wish, rng_between(rng, 0, 3));
  int64_t lowest, highest;
  CHECK_OK(clrs_view_from_layout(&layout, &c.view, &error), error);
  c.expected = oracle_from_layout(&layout);
  /* the range that a stack of walks may touch as a whole */
  oracle_range(&c.expected, &lowest, &highest);
  for (int64_t i = rng_between(rng, 0, 5); i > 0; i--) {
    const move step = move_random(rng, &c.expected.shape, MOST_COUNT);
    if (move_apply_view(&step, &c.view, &error) == CLRS_OK)
      move_apply_oracle(&step, &c.expected);
  }
  c.bytes = clrs_dtype_bits(dtype) / 8;
  c.source_size = (size_t)(highest + 1) * c.bytes;
  c.source = malloc(c.source_size);
  assert_non_null(c.source);
  rng_fill(rng, c.source, c.source_size);
  return c;
}

TEST(each_element_comes_from_its_position) {
  const uint64_t seed = test_seed(7300000);
  uint8_t destination[(MOST_COUNT + 1) * 16];
  for (int64_t i = 0; i < test_cases(CASES); i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    copied c = draw(&rng);
    const size_t size = (size_t)c.expected.count * c.bytes;
    memset(destination, POISON, sizeof destination);
    CHECK_OK(clrs_view_copy_host(&c.view, c.source, c.source_size, destination, size, &error),
             error);
    for (int64_t k = 0; k < c.expected.count; k++)
      CHECK_SEEDED(memcmp(destination + (size_t)k * c.bytes,
                          c.source + (size_t)c.expected.positions[k] * c.bytes, c.bytes) == 0,
                   seed + (uint64_t)i, "element %lld", (long long)k);
    CHECK_SEEDED(destination[size] == POISON, seed + (uint64_t)i, "written behind the end");
    if (c.expected.count > 0) {
      CHECK_FAILS(
          clrs_view_copy_host(&c.view, c.source, c.source_size, destination, size - 1, &error),
          CLRS_OUT_OF_BOUNDS, error);
    }
    free(c.source);
    oracle_free(&c.expected);
  }
}

TEST(the_cursor_gives_each_position_in_turn) {
  const uint64_t seed = test_seed(7400000);
  for (int64_t i = 0; i < test_cases(CASES); i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    copied c = draw(&rng);
    clrs__cursor cursor;
    if (c.expected.count > 0)
      clrs__cursor_start(&cursor, &c.view);
    for (int64_t k = 0; k < c.expected.count; k++)
      CHECK_SEEDED(clrs__cursor_next(&cursor) == c.expected.positions[k], seed + (uint64_t)i,
                   "element %lld", (long long)k);
    free(c.source);
    oracle_free(&c.expected);
  }
}

TESTS(NULL, NULL)
