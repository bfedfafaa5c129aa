/*
 * clrs__operands_overlap of stacked views: random chains, parts of them and strided views over one
 * storage, against lists of the bytes that their elements have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include <inttypes.h>
#include <stdlib.h>

#include "harness/bits.h"
#include "harness/chain.h"
#include "harness/tensors.h"
#include "move/listed.h"
#include "move/overlap.h"
#include "move/parts.h"
#include "view/ops.h"
#include "view/repeats.h"

enum { BYTES = 1 << 16, MAX_COUNT = 400 };

static const clrs_dtype dtypes[] = {CLRS_U8, CLRS_F16, CLRS_F32, CLRS_C128, CLRS_I4, CLRS_BITS1};

typedef struct subject {
  clrs_view view;
  oracle tensor;
  uint64_t byte_offset;
} subject;

typedef struct tally {
  int64_t stacked, shared, apart, refused, refused_packed;
} tally;

static bool packed(const subject *s) {
  return clrs_dtype_bits(s->view.dtype) < 8;
}

static clrs_operand operand_of(const subject *s) {
  return (clrs_operand){&s->view, s->byte_offset, 1};
}

static void subject_begin(subject *s, test_rng *rng, clrs_dtype dtype) {
  const layout_wish wish = {4, 9, 150, 1, rng_percent(rng, 40)};
  clrs_error error;
  const clrs_layout layout = layout_random(rng, dtype, &wish, rng_between(rng, 0, 60));
  CHECK_OK(clrs_view_from_layout(&layout, &s->view, &error), error);
  s->tensor = oracle_from_layout(&layout);
  s->byte_offset = (uint64_t)rng_between(rng, 0, 20);
}

/* Operations until the view is a stack, or some were made. */
static void subject_stack(subject *s, test_rng *rng) {
  for (int i = 0; i < 8 && s->view.depth < 2; i++) {
    clrs_error error;
    const move step = move_random(rng, &s->view.shape, MAX_COUNT);
    if (move_apply_view(&step, &s->view, &error) == CLRS_OK)
      move_apply_oracle(&step, &s->tensor);
  }
}

static subject subject_copy(const subject *s) {
  subject copy = *s;
  copy.tensor = oracle_copy(&s->tensor);
  return copy;
}

static void subject_slice(subject *s, const clrs_slice *slice) {
  clrs_error error;
  CHECK_OK(clrs_view_slice(&s->view, 1, slice, &error), error);
  oracle_slice(&s->tensor, 1, slice);
}

static void mark(const subject *s, unsigned char *touched, unsigned char flag) {
  const bit_span span = bits_of(s->view.dtype, s->byte_offset);
  assert_true(bits_mark(&span, &s->tensor, flag, touched, BYTES));
}

static bool share_a_byte(const subject *a, const subject *b) {
  static unsigned char touched[BYTES];
  memset(touched, 0, sizeof touched);
  mark(a, touched, 1);
  mark(b, touched, 2);
  return memchr(touched, 3, sizeof touched) != NULL;
}

/* Exact for whole bytes, and never a wrong no. */
static void compare(const subject *a, const subject *b, uint64_t seed, tally *tally) {
  const clrs_operand one = operand_of(a), other = operand_of(b);
  const bool expected = share_a_byte(a, b), answer = clrs__operands_overlap(&one, &other);
  CHECK_SEEDED(answer == expected || (answer && (packed(a) || packed(b))), seed,
               "the answer is %d, depths %u and %u", answer, a->view.depth, b->view.depth);
  CHECK_SEEDED(clrs__operands_overlap(&other, &one) == answer || packed(a) || packed(b), seed,
               "the other way round it is not %d", answer);
  if (a->tensor.count > 0 && b->tensor.count > 0)
    CHECK_SEEDED(clrs__lists_meet(&one, &other) == expected, seed, "the lists say %d", !expected);
  tally->stacked += a->view.depth > 1 || b->view.depth > 1;
  tally->shared += expected;
  tally->apart += !expected;
  tally->refused_packed += answer && !expected;
}

static void require_both_answers(const tally *tally, int64_t cases) {
  print_message("%lld pairs, %lld with a stack: %lld share a byte, %lld do not; refused all the "
                "same: %lld, all packed\n",
                (long long)cases, (long long)tally->stacked, (long long)tally->shared,
                (long long)tally->apart, (long long)tally->refused_packed);
  if (cases < 1000)
    return;
  assert_true(tally->stacked * 8 > cases);
  assert_true(tally->shared * 20 > cases && tally->apart * 20 > cases);
  /* packed neighbours in two bytes may count as one shared byte */
  assert_true(tally->refused_packed * 20 <= tally->apart);
}

/* Two slices of the same view: before and from an index on, or even and odd indices. */
TEST(parts_of_one_view) {
  tally tally = {0};
  const uint64_t seed = test_seed(810000);
  const int64_t cases = test_cases(20000);
  for (int64_t i = 0; i < cases; i++) {
    static subject a, b;
    test_rng rng = rng_start(seed + (uint64_t)i);
    subject_begin(&a, &rng, dtypes[rng_between(&rng, 0, 5)]);
    subject_stack(&a, &rng);
    b = subject_copy(&a);
    if (a.view.shape.rank > 0) {
      const int64_t axis = rng_between(&rng, 0, a.view.shape.rank - 1);
      const int64_t at = rng_between(&rng, 0, a.view.shape.dims[axis]);
      const bool odd_and_even = rng_percent(&rng, 30);
      const int64_t end = odd_and_even ? INT64_MAX : at + rng_between(&rng, 0, 9) / 9;
      subject_slice(&a, &(clrs_slice){axis, 0, end, odd_and_even ? 2 : 1});
      subject_slice(&b,
                    &(clrs_slice){axis, odd_and_even ? 1 : at, INT64_MAX, odd_and_even ? 2 : 1});
    }
    compare(&a, &b, seed + (uint64_t)i, &tally);
    oracle_free(&a.tensor);
    oracle_free(&b.tensor);
  }
  require_both_answers(&tally, cases);
}

/* A stack and a strided view, or two stacks that have nothing in common but the storage. */
TEST(strangers) {
  tally tally = {0};
  const uint64_t seed = test_seed(820000);
  const int64_t cases = test_cases(20000);
  for (int64_t i = 0; i < cases; i++) {
    static subject a, b;
    test_rng rng = rng_start(seed + (uint64_t)i);
    subject_begin(&a, &rng, dtypes[rng_between(&rng, 0, 5)]);
    subject_begin(&b, &rng, rng_percent(&rng, 50) ? a.view.dtype : dtypes[rng_between(&rng, 0, 5)]);
    subject_stack(&a, &rng);
    if (rng_percent(&rng, 50))
      subject_stack(&b, &rng);
    if (rng_percent(&rng, 50))
      b.byte_offset = a.byte_offset;
    compare(&a, &b, seed + (uint64_t)i, &tally);
    oracle_free(&a.tensor);
    oracle_free(&b.tensor);
  }
  require_both_answers(&tally, cases);
}

/* A matrix seen by columns, in rows that end within a column. */
static clrs_view columns_in_rows(clrs_dtype dtype, int64_t side, int64_t rows) {
  clrs_error error;
  const clrs_shape shape = {2, {rows, side * side / rows}};
  clrs_view view = view_strided(dtype, 2, LIST(side, side), LIST(1, side), 0);
  CHECK_OK(clrs_view_reshape(&view, &shape, &error), error);
  return view;
}

TEST(columns_of_a_large_stack_are_apart) {
  for (int is_wide = 0; is_wide < 2; is_wide++) {
    const clrs_dtype dtype = is_wide ? CLRS_F32 : CLRS_U8;
    clrs_view one = columns_in_rows(dtype, 1200, 800), other = one, from_999 = one;
    CHECK_OK(clrs_view_slice(&one, 1, &(clrs_slice){1, 0, 1000, 1}, &error), error);
    CHECK_OK(clrs_view_slice(&other, 1, &(clrs_slice){1, 1000, 1800, 1}, &error), error);
    CHECK_OK(clrs_view_slice(&from_999, 1, &(clrs_slice){1, 999, 1800, 1}, &error), error);
    assert_true(one.depth == 2 && other.depth == 2);
    const clrs_operand a = {&one, 64, 4}, b = {&other, 64, 4}, c = {&from_999, 64, 4};
    assert_false(clrs__operands_overlap(&a, &b));
    assert_true(clrs__operands_overlap(&a, &c));
  }
}

/* The columns beside a stack's columns, in the same rows, which the stack never reaches. */
TEST(a_large_stack_is_apart_from_the_columns_beside_it) {
  clrs_view left = view_strided(CLRS_F32, 2, LIST(120, 1000), LIST(1, 128), 0);
  const clrs_shape ragged = {2, {480, 250}};
  const clrs_view right = view_strided(CLRS_F32, 2, LIST(1000, 8), LIST(128, 1), 120);
  const clrs_view last = view_strided(CLRS_F32, 1, LIST(1000), LIST(128), 119);
  CHECK_OK(clrs_view_reshape(&left, &ragged, &error), error);
  CHECK_OK(clrs_view_slice(&left, 1, &(clrs_slice){0, 1, 480, 1}, &error), error);
  CHECK_OK(clrs__view_window(&left, &(clrs__window){1, 7, 3}, &error), error);
  CHECK_OK(clrs__view_flatten(&left, 1, &error), error);
  CHECK_OK(clrs_view_slice(&left, 1, &(clrs_slice){1, 3, 500, 1}, &error), error);
  assert_true(left.depth > 1);
  const clrs_operand a = {&left, 0, 4}, b = {&right, 0, 4}, c = {&last, 0, 4};
  assert_false(clrs__operands_overlap(&a, &b));
  assert_true(clrs__operands_overlap(&a, &c));
}

static void subject_columns(subject *s, int64_t rows, int64_t columns, clrs_slice chosen) {
  const clrs_shape shape = {2, {rows, columns}};
  CHECK_OK(clrs_view_reshape(&s->view, &shape, &error), error);
  oracle_reshape(&s->tensor, &shape);
  subject_slice(s, &chosen);
}

/* A stack of any kind over 48 elements: five columns of a reshape to [4, 12]. */
static subject small_stack(int64_t column, uint32_t rank, const int64_t *dims,
                           const int64_t *strides) {
  subject made = {.byte_offset = 0};
  clrs_layout layout;
  clrs_shape shape = {rank, {0}};
  memcpy(shape.dims, dims, rank * sizeof dims[0]);
  CHECK_OK(clrs_layout_init(CLRS_U8, &shape, strides, 0, &layout, &error), error);
  CHECK_OK(clrs_view_from_layout(&layout, &made.view, &error), error);
  made.tensor = oracle_from_layout(&layout);
  subject_columns(&made, 4, 12, (clrs_slice){1, column, column + 5, 1});
  assert_int_equal(made.view.depth, 2);
  return made;
}

/* A stack of three walks: two columns of the five, as [5, 4]. */
static subject deep_stack(int64_t column, int64_t inner) {
  subject made = small_stack(column, 2, LIST(6, 8), LIST(1, 6));
  subject_columns(&made, 5, 4, (clrs_slice){1, inner, inner + 2, 1});
  assert_int_equal(made.view.depth, 3);
  return made;
}

/* The same offset, but other extents, other strides, or another number of axes below. Or the same
 * walks below, one or two. */
TEST(stacks_over_other_walks) {
  tally tally = {0};
  subject stacks[] = {small_stack(0, 2, LIST(6, 8), LIST(1, 6)),
                      small_stack(0, 2, LIST(6, 8), LIST(1, 7)),
                      small_stack(0, 2, LIST(6, 8), LIST(2, 12)),
                      small_stack(0, 2, LIST(3, 16), LIST(1, 3)),
                      small_stack(0, 3, LIST(2, 3, 8), LIST(4, 1, 7)),
                      small_stack(0, 3, LIST(6, 4, 2), LIST(1, 6, 50)),
                      deep_stack(0, 0),
                      deep_stack(0, 2),
                      deep_stack(5, 0),
                      deep_stack(3, 2)};
  enum { STACKS = sizeof stacks / sizeof stacks[0] };
  for (uint64_t i = 0; i < STACKS; i++)
    for (uint64_t k = 0; k < STACKS; k++)
      compare(&stacks[i], &stacks[k], i * STACKS + k, &tally);
  for (int i = 0; i < STACKS; i++)
    oracle_free(&stacks[i].tensor);
}

/* ---- lists ---- */

/* Every second element of many, and the elements between, where the lists differ only in the last
 * element. */
TEST(long_lists_are_compared_in_chunks) {
  const clrs_view even = view_strided(CLRS_F16, 1, LIST(3000), LIST(2), 0);
  const clrs_view odd = view_strided(CLRS_F16, 1, LIST(5000), LIST(2), 1);
  const clrs_view last = view_strided(CLRS_F16, 2, LIST(5000, 2), LIST(2, -998), 999);
  const clrs_operand a = {&even, 0, 2}, b = {&odd, 0, 2}, c = {&last, 0, 2}, d = {&odd, 1, 1};
  assert_false(clrs__lists_meet(&a, &b));
  assert_false(clrs__lists_meet(&b, &a));
  assert_true(clrs__lists_meet(&b, &c));
  assert_true(clrs__lists_meet(&c, &a) == clrs__operands_overlap(&c, &a));
  assert_true(clrs__lists_meet(&a, &d));
  assert_int_equal(clrs__listing_effort(&a, &b), 3 * 5000);
  assert_int_equal(clrs__listing_effort(&b, &a), 3 * 5000);
}

/* Six bits from bit 6 on lie in bytes 0 and 1. */
TEST(elements_across_bytes_count_for_both) {
  const clrs_view six = view_strided(CLRS_U6, 1, LIST(1), NULL, 1);
  const clrs_view byte = view_strided(CLRS_U8, 1, LIST(1), NULL, 1);
  const clrs_operand a = {&six, 0, 1}, b = {&byte, 0, 1}, c = {&byte, 1, 1};
  assert_true(clrs__lists_meet(&a, &b));
  assert_true(clrs__lists_meet(&b, &a));
  assert_false(clrs__lists_meet(&a, &c));
}

/* ---- bounds ---- */

/* Not only the bounds of the lowest walk, because a stack may leave out the ends. */
TEST(bounds_of_stacks_are_those_of_their_elements) {
  const uint64_t first = test_seed(77000);
  const int64_t cases = test_cases(3000);
  int64_t narrower = 0;
  for (uint64_t seed = first; seed < first + (uint64_t)cases; seed++) {
    test_rng rng = rng_start(seed);
    subject s;
    int64_t lowest, highest;
    subject_begin(&s, &rng, CLRS_U8);
    subject_stack(&s, &rng);
    oracle_range(&s.tensor, &lowest, &highest);
    const clrs_bounds bounds = clrs__touched_bounds(&s.view), walk = clrs__view_bounds(&s.view);
    CHECK_SEEDED(bounds.empty == (s.tensor.count == 0), seed, "%d", bounds.empty);
    if (!bounds.empty) {
      CHECK_SEEDED(bounds.lowest == lowest && bounds.highest == highest, seed,
                   "%" PRId64 " to %" PRId64 ", not %" PRId64 " to %" PRId64, bounds.lowest,
                   bounds.highest, lowest, highest);
      narrower += walk.lowest < lowest || walk.highest > highest;
    }
    oracle_free(&s.tensor);
  }
  CHECK_SEEDED(narrower > cases / 100, first, "%" PRId64 " are narrower", narrower);
}

/* For many elements, a bound of the bytes that the walks touch. */
TEST(bounds_of_large_stacks_hold_their_elements) {
  clrs_view view = view_strided(CLRS_U8, 2, LIST(6000, 6000), LIST(1, 6001), 0);
  CHECK_OK(clrs_view_apply(&view, "reshape=-1 slice=5:35999978:7 reshape=-1,2 permute=1,0", &error),
           error);
  const clrs_bounds bounds = clrs__touched_bounds(&view), walk = clrs__view_bounds(&view);
  assert_true(view.depth > 1);
  assert_true(walk.lowest <= bounds.lowest && bounds.highest <= walk.highest);
  for (int64_t k = 0; k < 36000000 / 7; k += 997) {
    const int64_t at = view_position_at(&view, k);
    assert_true(bounds.lowest <= at && at <= bounds.highest);
  }
}

/* Which of 60001, 61001, 62001, ... add up to a position? The sum of n of them ends in n, so no sum
 * is 540009. This is known only after nearly all sums of eight are tried. */
static clrs_view puzzle(uint32_t axes) {
  int64_t dims[CLRS_MAX_RANK], strides[CLRS_MAX_RANK];
  for (uint32_t i = 0; i < axes; i++) {
    dims[i] = 2;
    strides[i] = 60001 + (int64_t)i * 1000;
  }
  return view_strided(CLRS_U8, axes, dims, strides, 0);
}

/* Searching gives up, and the list of 131,072 sums tells. */
TEST(a_puzzle_is_solved_by_its_list) {
  static unsigned char touched[1 << 21];
  const clrs_view view = puzzle(17);
  const clrs_operand a = {&view, 0, 1};
  int64_t shared = 0, apart = 0;
  for (int64_t k = 0; k < 1 << 17; k++)
    touched[view_position_at(&view, k)] = 1;
  for (int64_t at = 510008; at < 570000; at += at % 1000 == 8 ? 1 : 2999) {
    const clrs_view byte = view_strided(CLRS_U8, 1, LIST(1), NULL, at);
    const clrs_operand b = {&byte, 0, 1};
    assert_int_equal(clrs__operands_overlap(&a, &b), touched[at]);
    shared += touched[at];
    apart += !touched[at];
  }
  assert_true(shared > 10 && apart > 10);
}

/* A list of a million is too long. */
TEST(what_takes_too_many_steps_may_meet) {
  const clrs_view view = puzzle(20);
  const clrs_view byte = view_strided(CLRS_U8, 1, LIST(1), NULL, 695005);
  const clrs_operand a = {&view, 0, 1}, b = {&byte, 0, 1};
  int64_t budget = CLRS__MEETING_STEPS;
  assert_int_equal(clrs__operands_meet(&a, &b, &budget), CLRS__MAY_MEET);
  assert_true(budget < CLRS__MEETING_STEPS && budget > 0);
  assert_true(clrs__operands_overlap(&a, &b));
}

TESTS(NULL, NULL)
