/*
 * clrs__operands_overlap against brute force: whatever shares a byte must be found, and what shares
 * none must hardly ever be refused.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include <stdlib.h>

#include "harness/bits.h"
#include "harness/chain.h"
#include "harness/tensors.h"
#include "move/overlap.h"

enum { BYTES = 1 << 16 };

static const clrs_dtype dtypes[] = {CLRS_BITS1, CLRS_U2,  CLRS_I4,  CLRS_U8,
                                    CLRS_F16,   CLRS_F32, CLRS_C128};

typedef struct side {
  clrs_view view;
  clrs_operand operand;
  oracle tensor;
} side;

static void side_draw(side *s, test_rng *rng, char *text, size_t size) {
  const clrs_dtype dtype = dtypes[rng_between(rng, 0, sizeof dtypes / sizeof dtypes[0] - 1)];
  const layout_wish wish = {4, 7, 120, 2, true};
  clrs_error error;
  clrs_layout layout = layout_random(rng, dtype, &wish, rng_between(rng, 0, 60));
  if (rng_percent(rng, 30)) {
    const clrs_shape shape = {2, {rng_between(rng, 2, 9), rng_between(rng, 2, 9)}};
    layout = layout_wild_of_shape(rng, dtype, &shape, rng_between(rng, 0, 60));
  }
  CHECK_OK(clrs_view_from_layout(&layout, &s->view, &error), error);
  s->tensor = oracle_from_layout(&layout);
  s->operand = (clrs_operand){&s->view, (uint64_t)rng_between(rng, 0, 60), 1};
  print_layout(&layout, text, size);
}

static void mark(const side *s, unsigned char *touched, unsigned char flag) {
  const bit_span span = bits_of(s->view.dtype, s->operand.byte_offset);
  assert_true(bits_mark(&span, &s->tensor, flag, touched, BYTES));
}

static bool share_a_byte(const side *a, const side *b) {
  static unsigned char touched[BYTES];
  memset(touched, 0, sizeof touched);
  mark(a, touched, 1);
  mark(b, touched, 2);
  for (size_t i = 0; i < BYTES; i++)
    if (touched[i] == 3)
      return true;
  return false;
}

TEST(overlap_is_found_exactly) {
  int64_t shared = 0, apart = 0, cautious = 0, cautious_packed = 0;
  const uint64_t seed = test_seed(800000);
  const int64_t cases = test_cases(20000);
  for (int64_t i = 0; i < cases; i++) {
    static side a, b;
    char text[2][300];
    test_rng rng = rng_start(seed + (uint64_t)i);
    side_draw(&a, &rng, text[0], sizeof text[0]);
    side_draw(&b, &rng, text[1], sizeof text[1]);
    const bool answer = clrs__operands_overlap(&a.operand, &b.operand);
    const bool expected = share_a_byte(&a, &b);
    CHECK_SEEDED(answer || !expected, seed + (uint64_t)i, "%s from %llu and %s from %llu", text[0],
                 (unsigned long long)a.operand.byte_offset, text[1],
                 (unsigned long long)b.operand.byte_offset);
    assert_true(clrs__operands_overlap(&b.operand, &a.operand) == answer || !expected);
    shared += expected;
    apart += !expected;
    const bool packed = clrs_dtype_bits(a.view.dtype) < 8 || clrs_dtype_bits(b.view.dtype) < 8;
    cautious += answer && !expected && !packed;
    cautious_packed += answer && !expected && packed;
    oracle_free(&a.tensor);
    oracle_free(&b.tensor);
  }
  print_message("%lld pairs: %lld share a byte, %lld do not; refused all the same: %lld of whole "
                "bytes, %lld packed\n",
                (long long)cases, (long long)shared, (long long)apart, (long long)cautious,
                (long long)cautious_packed);
  if (cases >= 1000) {
    assert_true(shared * 10 > cases && apart * 10 > cases);
    assert_true(cautious * 1000 <= apart);
    /* packed neighbours in two bytes may count as one shared byte */
    assert_true(cautious_packed * 50 <= apart);
  }
}

TEST(interleaved_columns_are_apart) {
  const clrs_view left = view_strided(CLRS_F32, 2, LIST(100, 3), LIST(8, 1), 0);
  const clrs_view right = view_strided(CLRS_F32, 2, LIST(100, 5), LIST(8, 1), 3);
  const clrs_view wide = view_strided(CLRS_F32, 2, LIST(100, 4), LIST(8, 1), 0);
  const clrs_operand a = {&left, 0, 4}, b = {&right, 0, 4}, c = {&wide, 0, 4}, d = {&left, 1, 1};
  assert_false(clrs__operands_overlap(&a, &b));
  assert_true(clrs__operands_overlap(&c, &b));
  assert_true(clrs__operands_overlap(&d, &b)); /* one byte further on */
}

TEST(even_and_odd_are_apart_however_many) {
  const int64_t far = INT64_C(1) << 40;
  const clrs_view even = view_strided(CLRS_F32, 1, &far, LIST(2), 0),
                  odd = view_strided(CLRS_F32, 1, &far, LIST(2), 1);
  const clrs_operand a = {&even, 0, 4}, b = {&odd, 0, 4};
  assert_false(clrs__operands_overlap(&a, &b));
}

/* As overlap.h says: no wrong no. */
TEST(no_operand_and_no_view_may_overlap_anything) {
  const clrs_view view = view_strided(CLRS_F32, 1, LIST(9), NULL, 0);
  clrs_view broken = view;
  broken.depth = CLRS_MAX_DEPTH + 1;
  const clrs_operand good = {&view, 0, 4}, far = {&view, 4096, 4}, bad = {&broken, 4096, 4};
  const clrs_operand beyond = {&view, UINT64_MAX, 4};
  const clrs_operand *const none[] = {NULL, &bad, &beyond};
  assert_false(clrs__operands_overlap(&good, &far));
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    assert_true(clrs__operands_overlap(&good, none[i]));
    assert_true(clrs__operands_overlap(none[i], &good));
  }
}

TEST(nothing_overlaps_what_has_no_elements) {
  const clrs_view none = view_strided(CLRS_F32, 2, LIST(0, 3), NULL, 0),
                  some = view_strided(CLRS_F32, 1, LIST(9), NULL, 0);
  const clrs_operand a = {&none, 0, 4}, b = {&some, 0, 4};
  assert_false(clrs__operands_overlap(&a, &b));
  assert_false(clrs__operands_overlap(&b, &a));
  assert_false(clrs__operands_overlap(&a, &a));
}

TEST(no_elements_have_an_empty_footprint) {
  const clrs_view none = view_strided(CLRS_F32, 2, LIST(0, 3), NULL, 0);
  const clrs_operand operand = {&none, 40, 4};
  clrs_footprint footprint = {7, 7, 7};
  CHECK_OK(clrs__operand_footprint(&operand, "source", &footprint, &error), error);
  assert_int_equal(footprint.begin, 0);
  assert_int_equal(footprint.end, 0);
  assert_int_equal(footprint.alignment, 4);
}

/* The last byte where a bit has a number of 63 bits. A view that looks back from this byte ends
 * there. */
TEST(the_last_byte_to_count_from) {
  const clrs_view back = view_strided(CLRS_U8, 1, LIST(1), NULL, -1);
  clrs_operand operand = {&back, INT64_MAX / 8, 1};
  clrs_footprint footprint;
  CHECK_OK(clrs__operand_footprint(&operand, "source", &footprint, &error), error);
  assert_true(footprint.begin == INT64_MAX / 8 - 1 && footprint.end == INT64_MAX / 8);
  operand.byte_offset++;
  CHECK_FAILS(clrs__operand_footprint(&operand, "source", &footprint, &error), CLRS_OVERFLOW,
              error);
  operand.byte_offset = UINT64_MAX - 99; /* as a signed number, -100 */
  CHECK_FAILS(clrs__operand_footprint(&operand, "source", &footprint, &error), CLRS_OVERFLOW,
              error);
}

/* Half bytes, in every second byte of one side and the bytes between on the other side: eight bits
 * from each to the next, and no byte that both sides write. */
TEST(packed_neighbours_in_bytes_of_their_own_are_apart) {
  const clrs_view even = view_strided(CLRS_U4, 1, LIST(3), LIST(4), 0);
  const clrs_view odd = view_strided(CLRS_U4, 1, LIST(3), LIST(4), 2);
  const clrs_view bytes = view_strided(CLRS_U8, 1, LIST(3), LIST(2), 1);
  const clrs_view upper = view_strided(CLRS_U4, 1, LIST(3), LIST(4), 1);
  const clrs_operand a = {&even, 0, 1}, b = {&odd, 0, 1}, c = {&bytes, 0, 1}, d = {&upper, 0, 1};
  assert_false(clrs__operands_overlap(&a, &b));
  assert_false(clrs__operands_overlap(&b, &a));
  assert_false(clrs__operands_overlap(&a, &c));
  assert_false(clrs__operands_overlap(&c, &a));
  assert_true(clrs__operands_overlap(&a, &d));
}

/* The bits of 31 in reverse: sums of different powers of two, which are never equal. */
TEST(reversed_bits_never_meet) {
  clrs__walk walk = {.axis_count = 31};
  for (uint32_t i = 0; i < walk.axis_count; i++)
    walk.axes[i] = (clrs_axis){2, INT64_C(1) << i};
  assert_false(clrs__walk_overlaps_itself(&walk));
  walk.axes[30].stride = 3; /* 1 and 2 */
  assert_true(clrs__walk_overlaps_itself(&walk));
}

/* Rows of 100,000 positions, and a position behind each row. The order of the axes does not matter,
 * though a search from the shortest step on would try each position of a row. */
TEST(far_rows_are_compared_at_once) {
  const int64_t far = INT64_C(1) << 40;
  const clrs__walk rows = {.axis_count = 2, .axes = {{3, far}, {100000, 1}}};
  const clrs__walk turned = {.axis_count = 2, .axes = {{100000, 1}, {3, far}}};
  const clrs__walk behind = {.offset = 200000, .axis_count = 1, .axes = {{3, far}}};
  assert_false(clrs__walks_meet(&rows, &behind));
  assert_false(clrs__walks_meet(&turned, &behind));
  assert_false(clrs__walks_meet(&behind, &turned));
}

/* A million sums of even numbers, none of which is odd. */
TEST(even_sums_are_never_odd) {
  clrs__walk sums = {.axis_count = 20}, odd = {.offset = 1390011};
  for (uint32_t i = 0; i < sums.axis_count; i++)
    sums.axes[i] = (clrs_axis){2, 2 * (60001 + (int64_t)i * 1000)};
  assert_false(clrs__walks_meet(&sums, &odd));
  assert_false(clrs__walks_meet(&odd, &sums));
}

/* Position 1, repeated as often as can be counted, and the positions 0 and 2. */
TEST(repeats_do_not_count) {
  const clrs__walk one = {.offset = 1, .axis_count = 1, .axes = {{INT64_MAX, 0}}};
  const clrs__walk two = {.axis_count = 2, .axes = {{2, 2}, {INT64_MAX / 2, 0}}};
  assert_false(clrs__walks_meet(&one, &two));
  assert_false(clrs__walks_meet(&two, &one));
  assert_true(clrs__walks_meet(&one, &one));
}

TESTS(NULL, NULL)
