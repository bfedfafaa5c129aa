/*
 * The messages of rearrange and repeat for refused patterns, and the limits. conformance/einops
 * compares refusals and results with einops.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

typedef struct row {
  const char *text; /* applied to [2,3,4] */
  clrs_status status;
  const char *says;
} row;

static void check_rows(const row *rows, size_t count) {
  const clrs_shape shape = {3, {2, 3, 4}};
  for (size_t i = 0; i < count; i++) {
    clrs_view view;
    print_message("  %s\n", rows[i].text);
    CHECK_OK(clrs_view_dense(CLRS_F32, &shape, &view, &error), error);
    CHECK_FAILS(clrs_view_apply(&view, rows[i].text, &error), rows[i].status, error);
    CHECK_SAYS(error, rows[i].says);
    assert_true(clrs_shape_equal(&view.shape, &shape));
  }
}

TEST(every_rule_of_a_pattern_has_its_sentence) {
  static const row rows[] = {
      {"rearrange=", CLRS_INVALID_ARGUMENT, "'' has no '->'"},
      {"rearrange=abc", CLRS_INVALID_ARGUMENT, "'abc' has no '->'"},
      {"rearrange=a b c -> a -> b c", CLRS_INVALID_ARGUMENT, "'->' is no name of an axis"},
      {"rearrange=a b a -> a b", CLRS_INVALID_ARGUMENT, "axis 'a' stands twice on the left"},
      {"rearrange=a b c -> a b (c a)", CLRS_INVALID_ARGUMENT, "'a' stands twice on the right"},
      {"rearrange=a b c -> a b", CLRS_INVALID_ARGUMENT, "axis 'c' stands on the left only"},
      {"repeat=a b c -> a b", CLRS_INVALID_ARGUMENT, "axis 'c' stands on the left only"},
      {"rearrange=a b c -> a b c new", CLRS_INVALID_ARGUMENT, "'new' stands on the right only"},
      {"rearrange=a ... -> a", CLRS_INVALID_ARGUMENT, "'...' stands on the left only"},
      {"repeat=a b c -> a b c ...", CLRS_INVALID_ARGUMENT, "'...' stands on the right only"},
      {"rearrange=(a ...) -> a ...", CLRS_INVALID_ARGUMENT, "in parentheses; on the left it must"},
      {"rearrange=... a ... -> a ...", CLRS_INVALID_ARGUMENT, "'...' stands twice"},
      {"repeat=a b c -> a b c \xe2\x80\xa6, \xe2\x80\xa6=2", CLRS_INVALID_ARGUMENT, "is no name"},
      {"repeat=a \xe2\x80\xa6 ... -> a ... \xe2\x80\xa6", CLRS_INVALID_ARGUMENT, "in one pattern"},
      {"rearrange=((a b)) -> a b", CLRS_INVALID_ARGUMENT, "they have one level"},
      {"rearrange=(a b -> a b", CLRS_INVALID_ARGUMENT, "a '(' has no ')'"},
      {"rearrange=a b) -> a b", CLRS_INVALID_ARGUMENT, "a ')' has no '('"},
      {"rearrange=a\tb c -> a", CLRS_INVALID_ARGUMENT, "'a\\tb' is no name of an axis"},
      {"rearrange=_a b c -> b _a c", CLRS_INVALID_ARGUMENT, "'_a' is no name of an axis"},
      {"rearrange=a_ b c -> b a_ c", CLRS_INVALID_ARGUMENT, "'a_' is no name"},
      {"rearrange=2a b c -> b 2a c", CLRS_INVALID_ARGUMENT, "'2a' is no name"},
      {"rearrange=\xc3\x9f b c -> b", CLRS_INVALID_ARGUMENT, "'\xc3\x9f' is no name"},
      {"rearrange=a b c -> a b c 2", CLRS_INVALID_ARGUMENT, "length 2 without a name stands in re"},
      {"repeat=2 b c -> b c", CLRS_INVALID_ARGUMENT, "on the left of repeat"},
      {"repeat=a b c -> a b c 0", CLRS_INVALID_ARGUMENT, "a length of 0; it must be at least 1"},
      {"repeat=a b c -> a b c 9223372036854775808", CLRS_OVERFLOW, "does not fit in 64 bits"},
      {"repeat=a b c -> a b c new", CLRS_INVALID_ARGUMENT,
       "'new' is new and needs a length, as in"},
      {"rearrange=(a x) b c -> a x b c", CLRS_INVALID_ARGUMENT, "'a' and 'x' cannot both be inf"},
      {"rearrange=a b c -> c b a, d=2", CLRS_INVALID_ARGUMENT, "'d' has a length but is not in"},
      {"rearrange=a b c -> c b a, a=2, a=2", CLRS_INVALID_ARGUMENT, "axis 'a' has two lengths"},
      {"rearrange=a b c -> c b a, a=-2", CLRS_INVALID_ARGUMENT, "'a' is -2; it must be at least 0"},
      {"rearrange=a b c -> c b a, a=x", CLRS_INVALID_ARGUMENT, "'x' is not a decimal integer"},
      {"rearrange=a b c -> c b a, a", CLRS_INVALID_ARGUMENT, "' a' is not a length such as h=12"},
      {"rearrange=a b c -> c b a,", CLRS_INVALID_ARGUMENT, "'' is not a length such as h=12"},
      {"rearrange=a b c -> c b a, =2", CLRS_INVALID_ARGUMENT, "'' is no name of an axis"},
      {"rearrange={a b c -> c b {a", CLRS_INVALID_ARGUMENT, "'{a' is no name of an axis"},
      {"rearrange=a b c -> c b a, 1=2", CLRS_INVALID_ARGUMENT, "'1' is no name of an axis"},
      {"rearrange=a b c -> c b a h=2", CLRS_INVALID_ARGUMENT, "'h=2' is no name of an axis"},
  };
  check_rows(rows, COUNT(rows));
}

TEST(every_misfit_of_a_shape_has_its_sentence) {
  static const row rows[] = {
      {"rearrange=a b -> b a", CLRS_COUNT_MISMATCH, "the left has 2 dims; the shape [2,3,4] has 3"},
      {"rearrange=a b c d -> b a c d", CLRS_COUNT_MISMATCH, "the left has 4 dims"},
      {"rearrange=a b c d ... -> b a c d ...", CLRS_COUNT_MISMATCH, "has at least 4 dims"},
      {"rearrange=a b 1 -> b a", CLRS_COUNT_MISMATCH, "dimension 2 has extent 4, which is not 1"},
      {"rearrange=a b c -> b a c, b=2", CLRS_COUNT_MISMATCH, "dimension 1 has extent 3, which is"},
      {"rearrange=a (b x) c -> a b x c, x=2", CLRS_COUNT_MISMATCH,
       "extent 3, which is no multiple"},
      {"rearrange=a (b x) c -> a b x c, x=0", CLRS_COUNT_MISMATCH, "no multiple of 0"},
      {"rearrange=... (b x) -> ... b x, x=8", CLRS_COUNT_MISMATCH, "dimension 2 has extent 4"},
      {"rearrange=(a x y) b c -> a x y b c, x=9223372036854775807, y=2", CLRS_OVERFLOW,
       "the lengths of dimension 0 multiply to more than 64 bits"},
      {"repeat=a b c -> (a 9223372036854775807) b c", CLRS_OVERFLOW, "does not fit in 64 bits"},
      {"repeat=a b c -> a b c 9223372036854775807", CLRS_OVERFLOW, "more than 64 bits"},
  };
  check_rows(rows, COUNT(rows));
}

/* "a0 a1 ... -> a0 a1 ...", with `added` behind. */
static const char *long_pattern(unsigned axes, const char *added) {
  static char text[CLRS_CHAIN_TEXT];
  size_t used = (size_t)snprintf(text, sizeof text, "repeat=");
  for (unsigned side = 0; side < 2; side++) {
    for (unsigned i = 0; i < axes; i++)
      used += (size_t)snprintf(text + used, sizeof text - used, "a%u ", i);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s", side ? added : "-> ");
  }
  return text;
}

static clrs_status apply_to_ones(uint32_t rank, const char *text, clrs_view *view,
                                 clrs_error *error) {
  clrs_shape shape = {.rank = rank};
  for (uint32_t i = 0; i < rank; i++)
    shape.dims[i] = 1;
  CHECK_OK(clrs_view_dense(CLRS_F32, &shape, view, error), *error);
  return clrs_view_apply(view, text, error);
}

TEST(patterns_reach_as_far_as_shapes) {
  clrs_view view;
  CHECK_OK(apply_to_ones(32, long_pattern(32, ""), &view, &error), error);
  CHECK_OK(apply_to_ones(31, long_pattern(31, "2"), &view, &error), error);
  CHECK_FAILS(apply_to_ones(32, long_pattern(32, "(1)"), &view, &error), CLRS_LIMIT_EXCEEDED,
              error);
  CHECK_FAILS(apply_to_ones(32, long_pattern(32, "1"), &view, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_FAILS(apply_to_ones(32, long_pattern(32, "2"), &view, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "more than 32 axes or dims");
  CHECK_FAILS(apply_to_ones(32,
                            "rearrange=1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "
                            "1 1 1 1 a -> a",
                            &view, &error),
              CLRS_LIMIT_EXCEEDED, error);
  CHECK_FAILS(apply_to_ones(0, long_pattern(33, ""), &view, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_FAILS(apply_to_ones(32, "repeat=... -> ... 2", &view, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "more than 32 dims at a time");
  CHECK_FAILS(apply_to_ones(32, "repeat=... -> (... 2)", &view, &error), CLRS_LIMIT_EXCEEDED,
              error);
  CHECK_OK(apply_to_ones(32, "rearrange=... -> (...)", &view, &error), error);
  assert_int_equal(view.shape.rank, 1);
}

TEST(dims_beyond_the_limit_are_refused_wherever_they_come_from) {
  static const char *const rows[] = {
      "repeat=... -> 2 ...",
      "repeat=... -> (2 ...)",
      "rearrange=... -> 1 ...",
      "rearrange=... -> ... 1",
      "rearrange=(a b) ... -> a b ..., b=1",
      "rearrange=... (a b) -> ... a b, b=1",
      "rearrange=... (a b) -> ... (a b), b=1",
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_view view;
    print_message("  %s\n", rows[i]);
    CHECK_FAILS(apply_to_ones(32, rows[i], &view, &error), CLRS_LIMIT_EXCEEDED, error);
    CHECK_SAYS(error, "more than 32 dims at a time");
  }
}

/* An empty dim may be cut into anything, but strides must fit. */
TEST(empty_dims_do_not_hide_an_overflow) {
  const clrs_shape shape = {2, {0, 6}};
  clrs_view view;
  CHECK_OK(clrs_view_dense(CLRS_F32, &shape, &view, &error), error);
  CHECK_FAILS(clrs_view_apply(&view, "rearrange=(a x) b -> a x b, x=9223372036854775807", &error),
              CLRS_OVERFLOW, error);
  CHECK_OK(clrs_view_apply(&view, "rearrange=(a x) b -> a x b, x=92233720368547758", &error),
           error);
}

/* Axes that never factor stack a walk each, until no more fit. */
TEST(a_stack_that_is_full_refuses_and_stays) {
  static const unsigned lengths[] = {4, 7776};
  const clrs_shape shape = {1, {64 * 729}};
  clrs_view view = {0};
  clrs_status status = CLRS_OK;
  CHECK_OK(clrs_view_dense(CLRS_F32, &shape, &view, &error), error);
  for (size_t i = 0; i < 100 && status == CLRS_OK; i++) {
    const clrs_view before = view;
    char text[50];
    (void)snprintf(text, sizeof text, "rearrange=(a b) -> (b a), a=%u", lengths[i % 2]);
    status = clrs_view_apply(&view, text, &error);
    if (status != CLRS_OK)
      assert_memory_equal(&view, &before, sizeof view);
  }
  assert_int_equal(status, CLRS_LIMIT_EXCEEDED);
}

TESTS(NULL, NULL)
