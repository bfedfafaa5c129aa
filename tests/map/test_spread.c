/*
 * Parameters as views: which number each element of the source gets.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"
#include "map/spread.h"

static clrs_view dense(size_t rank, const int64_t *dims) {
  clrs_shape shape;
  clrs_view view;
  CHECK_OK(clrs_shape_init(rank, dims, &shape, &error), error);
  CHECK_OK(clrs_view_dense(CLRS_U8, &shape, &view, &error), error);
  return view;
}

/* The numbers that the elements get, where the parameter's are 0, 1, 2, ... */
static void check_numbers(const clrs_view *view, size_t count, const uint8_t *expected) {
  uint8_t numbers[64], found[64];
  for (size_t i = 0; i < sizeof numbers; i++) {
    numbers[i] = (uint8_t)i;
  }
  CHECK_OK(clrs_view_copy_host(view, numbers, sizeof numbers, found, sizeof found, &error), error);
  assert_memory_equal(found, expected, count);
}

static void spread(clrs_spread how, size_t own_rank, const int64_t *own, size_t rank,
                   const int64_t *dims, const uint8_t *expected) {
  clrs_view view = dense(own_rank, own);
  const clrs_shape shape = dense(rank, dims).shape;
  int64_t count = 0;
  CHECK_OK(clrs__spread_view(&how, &shape, &view, &error), error);
  assert_true(clrs_shape_equal(&view.shape, &shape));
  CHECK_OK(clrs_shape_count(&shape, &count, &error), error);
  check_numbers(&view, (size_t)count, expected);
}

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__})

TEST(one_number_goes_everywhere) {
  const clrs_spread ways[] = {{CLRS_SPREAD_BROADCAST, 0, 0},
                              {CLRS_SPREAD_AXIS, 1, 0},
                              {CLRS_SPREAD_BLOCKS, 5, 9}}; /* not even looked at */
  for (size_t i = 0; i < COUNT(ways); i++) {
    spread(ways[i], 0, NULL, 2, LIST(2, 2), BYTES(0, 0, 0, 0));
    spread(ways[i], 1, LIST(1), 2, LIST(2, 2), BYTES(0, 0, 0, 0));
    spread(ways[i], 3, LIST(1, 1, 1), 1, LIST(3), BYTES(0, 0, 0));
  }
}

TEST(a_list_lies_along_an_axis) {
  const clrs_spread first = {CLRS_SPREAD_AXIS, 0, 0}, last = {CLRS_SPREAD_AXIS, -1, 1},
                    blocks = {CLRS_SPREAD_AXIS, 1, 2};
  spread(first, 1, LIST(2), 2, LIST(2, 3), BYTES(0, 0, 0, 1, 1, 1));
  spread(last, 1, LIST(3), 2, LIST(2, 3), BYTES(0, 1, 2, 0, 1, 2));
  spread(blocks, 1, LIST(2), 2, LIST(2, 3), BYTES(0, 0, 1, 0, 0, 1));
}

TEST(blocks_may_end_short) {
  const clrs_spread by_two = {CLRS_SPREAD_BLOCKS, -1, 2}, by_three = {CLRS_SPREAD_BLOCKS, 0, 3},
                    by_far_more = {CLRS_SPREAD_BLOCKS, 1, INT64_MAX};
  spread(by_two, 2, LIST(2, 2), 2, LIST(2, 4), BYTES(0, 0, 1, 1, 2, 2, 3, 3));
  spread(by_two, 2, LIST(2, 2), 2, LIST(2, 3), BYTES(0, 0, 1, 2, 2, 3));
  spread(by_three, 2, LIST(2, 2), 2, LIST(4, 2), BYTES(0, 1, 0, 1, 0, 1, 2, 3));
  spread(by_far_more, 2, LIST(2, 1), 2, LIST(2, 2), BYTES(0, 0, 1, 1));
  spread(by_two, 2, LIST(1, 2), 2, LIST(2, 3), BYTES(0, 0, 1, 0, 0, 1)); /* broadcast too */
}

TEST(shapes_broadcast_from_the_last_dim) {
  const clrs_spread how = {0};
  spread(how, 1, LIST(2), 2, LIST(2, 2), BYTES(0, 1, 0, 1));
  spread(how, 2, LIST(2, 1), 2, LIST(2, 2), BYTES(0, 0, 1, 1));
  spread(how, 2, LIST(2, 2), 3, LIST(2, 2, 2), BYTES(0, 1, 2, 3, 0, 1, 2, 3));
}

TEST(empty_sources_take_empty_parameters) {
  const clrs_spread blocks = {CLRS_SPREAD_BLOCKS, 0, 4}, axis = {CLRS_SPREAD_AXIS, 0, 0};
  spread(blocks, 2, LIST(0, 3), 2, LIST(0, 3), BYTES(0));
  spread(axis, 1, LIST(0), 2, LIST(0, 3), BYTES(0));
  spread(axis, 1, LIST(1), 2, LIST(0, 3), BYTES(0));
}

static void refuse(clrs_spread how, size_t own_rank, const int64_t *own, clrs_status status,
                   const char *says) {
  clrs_view view = dense(own_rank, own);
  const clrs_view before = view;
  const clrs_shape shape = dense(2, LIST(4, 6)).shape;
  CHECK_FAILS(clrs__spread_view(&how, &shape, &view, &error), status, error);
  CHECK_SAYS(error, says);
  assert_memory_equal(&view, &before, sizeof view);
}

TEST(what_does_not_fit_is_named) {
  const clrs_spread first = {CLRS_SPREAD_AXIS, 0, 0}, blocks = {CLRS_SPREAD_BLOCKS, 1, 4},
                    whole = {0}, list = {CLRS_SPREAD_AXIS, 1, 4};
  refuse(first, 1, LIST(3), CLRS_COUNT_MISMATCH,
         "dimension 0 of the source is 4, and the parameter has 3 numbers");
  refuse(first, 2, LIST(4, 1), CLRS_INVALID_ARGUMENT, "a parameter of rank 2 along an axis");
  refuse(blocks, 2, LIST(4, 3), CLRS_COUNT_MISMATCH,
         "axis 1 has 6 elements in blocks of 4, for 2 numbers; the parameter has 3");
  refuse(blocks, 2, LIST(3, 2), CLRS_COUNT_MISMATCH, "dimension 0 of the source is 4");
  refuse(blocks, 1, LIST(2), CLRS_INVALID_ARGUMENT, "has rank 1; the source's is 2");
  refuse(list, 1, LIST(3), CLRS_COUNT_MISMATCH, "axis 1 has 6 elements in blocks of 4");
  refuse(whole, 1, LIST(4), CLRS_COUNT_MISMATCH, "dimension 1 of the source is 6");
  refuse(whole, 3, LIST(2, 4, 6), CLRS_COUNT_MISMATCH, "a parameter of rank 3");
}

/* The last block is cut off the repeated blocks, which have more elements than the source. */
TEST(blocks_that_count_too_many_elements_overflow) {
  const int64_t block = INT64_C(1) << 62;
  const clrs_shape shape = {1, {block + 1}};
  clrs_view view = dense(1, LIST(2));
  const clrs_view before = view;
  CHECK_FAILS(
      clrs__spread_view(&(clrs_spread){CLRS_SPREAD_BLOCKS, 0, block}, &shape, &view, &error),
      CLRS_OVERFLOW, error);
  assert_memory_equal(&view, &before, sizeof view);
}

TESTS(NULL, NULL)
