/*
 * Whether two operands share a byte, by listing: against a map of the bytes that the oracle's
 * positions have, for elements of 4 to 64 bits, at any byte of the buffer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/chain.h"
#include "harness/check.h"
#include "harness/tensors.h"

#include "move/listed.h"

enum { CASES = 20000, MOST_COUNT = 60, MOST_BYTES = 1 << 16 };

static const clrs_dtype types[] = {CLRS_U4, CLRS_U8, CLRS_F16, CLRS_F32, CLRS_F64};

typedef struct side {
  clrs_view view;
  clrs_operand operand;
  oracle positions;
} side;

static void draw_side(test_rng *rng, side *drawn) {
  const layout_wish wish = {3, 5, MOST_COUNT, 0, true};
  const clrs_dtype dtype = types[rng_between(rng, 0, sizeof types / sizeof types[0] - 1)];
  const clrs_layout layout = layout_random(rng, dtype, &wish, 0);
  CHECK_OK(clrs_view_from_layout(&layout, &drawn->view, &error), error);
  drawn->positions = oracle_from_layout(&layout);
  for (int64_t i = rng_between(rng, 0, 3); i > 0; i--) {
    const move step = move_random(rng, &drawn->positions.shape, MOST_COUNT);
    if (move_apply_view(&step, &drawn->view, &error) == CLRS_OK)
      move_apply_oracle(&step, &drawn->positions);
  }
  drawn->operand = (clrs_operand){&drawn->view, (uint64_t)rng_between(rng, 0, 400), 1};
}

/* Visits each byte of each element: marks the byte, or returns whether the byte is marked. */
static bool walk_bytes(const side *of, bool *marked, bool is_marking) {
  const int64_t bits = clrs_dtype_bits(of->view.dtype);
  for (int64_t k = 0; k < of->positions.count; k++) {
    const int64_t first = (int64_t)of->operand.byte_offset * 8 + of->positions.positions[k] * bits;
    for (int64_t byte = first / 8; byte <= (first + bits - 1) / 8; byte++) {
      assert_in_range(byte, 0, MOST_BYTES - 1);
      if (!is_marking && marked[byte])
        return true;
      marked[byte] = marked[byte] || is_marking;
    }
  }
  return false;
}

TEST(lists_meet_where_a_byte_is_shared) {
  static bool marked[MOST_BYTES];
  const uint64_t seed = test_seed(7700000);
  const int64_t cases = test_cases(CASES);
  int64_t meetings = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    side a, b;
    draw_side(&rng, &a);
    draw_side(&rng, &b);
    if (a.positions.count > 0 && b.positions.count > 0) {
      memset(marked, 0, sizeof marked);
      (void)walk_bytes(&a, marked, true);
      const bool meet = walk_bytes(&b, marked, false);
      CHECK_SEEDED(clrs__lists_meet(&a.operand, &b.operand) == meet, seed + (uint64_t)i, "meet: %d",
                   meet);
      CHECK_SEEDED(clrs__lists_meet(&b.operand, &a.operand) == meet, seed + (uint64_t)i,
                   "the other way round");
      meetings += meet;
    }
    oracle_free(&a.positions);
    oracle_free(&b.positions);
  }
  assert_true(cases < 1000 || (meetings > cases / 20 && meetings < cases));
}

TEST(the_effort_is_no_small_number_where_it_does_not_fit) {
  const int64_t many = INT64_C(1) << 62;
  const clrs_view long_row = view_strided(CLRS_U8, 1, LIST(many), LIST(0), 0);
  const clrs_view pixel = view_strided(CLRS_U8, 1, LIST(4), LIST(1), 0);
  const clrs_operand a = {&long_row, 0, 1}, b = {&pixel, 0, 1};
  assert_true(clrs__listing_effort(&a, &a) == INT64_MAX);
  assert_true(clrs__listing_effort(&b, &b) == 4); /* four are held, and four looked up */
}

TESTS(NULL, NULL)
