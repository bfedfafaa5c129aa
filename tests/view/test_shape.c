/*
 * Shapes: the input that clrs_shape_init accepts, and element counts in checked 64-bit arithmetic.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "boundary.h"
#include "view/shape.h"

enum { POISON = 0x5a };

static clrs_shape poisoned(void) {
  clrs_shape shape;
  memset(&shape, POISON, sizeof shape);
  return shape;
}

static void check_untouched(const clrs_shape *shape) {
  const clrs_shape expected = poisoned();
  assert_memory_equal(shape, &expected, sizeof expected);
}

TEST(a_shape_keeps_its_dims) {
  clrs_shape shape = poisoned();
  CHECK_OK(clrs_shape_init(3, (const int64_t[]){2, 0, 7}, &shape, &error), error);
  assert_int_equal(shape.rank, 3);
  assert_memory_equal(shape.dims, ((const int64_t[]){2, 0, 7}), 3 * sizeof(int64_t));
}

TEST(a_scalar_needs_no_dims_and_has_one_element) {
  clrs_shape shape = poisoned();
  int64_t count = -1;
  CHECK_OK(clrs_shape_init(0, NULL, &shape, &error), error);
  CHECK_OK(clrs_shape_count(&shape, &count, &error), error);
  assert_int_equal(shape.rank, 0);
  assert_int_equal(count, 1);
}

TEST(rank_32_is_the_limit) {
  int64_t dims[33], count = -1;
  for (int i = 0; i < 33; i++) {
    dims[i] = i == 31 ? 3 : 1;
  }
  clrs_shape shape;
  CHECK_OK(clrs_shape_init(32, dims, &shape, &error), error);
  CHECK_OK(clrs_shape_count(&shape, &count, &error), error);
  assert_int_equal(count, 3);
  shape = poisoned();
  CHECK_FAILS(clrs_shape_init(33, dims, &shape, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "33");
  CHECK_SAYS(error, "32");
  CHECK_FAILS(clrs_shape_init(SIZE_MAX, dims, &shape, &error), CLRS_LIMIT_EXCEEDED, error);
  check_untouched(&shape);
}

/* The expected result for the shape of `rank` dims, in arithmetic that cannot overflow. */
static clrs_status expected_count(uint32_t rank, const int64_t *dims, int64_t *count) {
  wide product = 1;
  bool empty = false;
  for (uint32_t i = 0; i < rank; i++) {
    if (dims[i] < 0) {
      return CLRS_INVALID_ARGUMENT;
    }
    empty = empty || dims[i] == 0;
    product = dims[i] == 0 ? product : wide_multiply(product, dims[i]);
  }
  if (product > INT64_MAX) {
    return CLRS_OVERFLOW;
  }
  *count = empty ? 0 : (int64_t)product;
  return CLRS_OK;
}

static void check_count(uint32_t rank, const int64_t *dims) {
  int64_t expected = 0, count = -7;
  clrs_error error;
  clrs_shape shape = poisoned();
  const clrs_status status = expected_count(rank, dims, &expected);
  const clrs_status got = clrs_shape_init(rank, dims, &shape, &error);
  /* A shape with both faults may be refused for either. */
  const bool either = status == CLRS_INVALID_ARGUMENT && got == CLRS_OVERFLOW;
  if (got != status && !either) {
    fail_msg("[%lld,%lld,%lld] of rank %u gave %s, expected %s", (long long)dims[0],
             (long long)dims[1], (long long)dims[2], rank, clrs_status_name(got),
             clrs_status_name(status));
  }
  if (status != CLRS_OK) {
    check_untouched(&shape);
    return;
  }
  CHECK_OK(clrs_shape_count(&shape, &count, &error), error);
  if (count != expected) {
    fail_msg("[%lld,%lld,%lld] of rank %u has %lld elements, expected %lld", (long long)dims[0],
             (long long)dims[1], (long long)dims[2], rank, (long long)count, (long long)expected);
  }
}

TEST(counts_near_the_powers_of_two_are_exact) {
  for (size_t a = 0; a < BOUNDARY_COUNT; a++) {
    check_count(1, (const int64_t[]){boundary_values[a], 0, 0});
    for (size_t b = 0; b < BOUNDARY_COUNT; b++) {
      check_count(2, (const int64_t[]){boundary_values[a], boundary_values[b], 0});
      for (size_t c = 0; c < BOUNDARY_COUNT; c++) {
        check_count(3,
                    (const int64_t[]){boundary_values[a], boundary_values[b], boundary_values[c]});
      }
    }
  }
}

TEST(equality_compares_rank_and_dims_only) {
  clrs_shape a = poisoned(), b;
  memset(&b, 0, sizeof b);
  CHECK_OK(clrs_shape_init(2, (const int64_t[]){2, 3}, &a, &error), error);
  CHECK_OK(clrs_shape_init(2, (const int64_t[]){2, 3}, &b, &error), error);
  assert_true(clrs_shape_equal(&a, &b)); /* values behind the dims do not count */
  assert_true(clrs_shape_equal(&a, &a));
  b.dims[1] = 4;
  assert_false(clrs_shape_equal(&a, &b));
  b = (clrs_shape){3, {2, 3, 1}};
  assert_false(clrs_shape_equal(&a, &b));
  assert_false(clrs_shape_equal(&b, &a));
  const clrs_shape scalar = {0}, one = {1, {1}}, other_scalar = {0, {9}};
  assert_false(clrs_shape_equal(&scalar, &one));
  assert_true(clrs_shape_equal(&scalar, &other_scalar));
}

TEST(nothing_equals_null_or_a_shape_over_the_limit) {
  const clrs_shape scalar = {0}, broken = {33, {1}};
  assert_false(clrs_shape_equal(NULL, &scalar));
  assert_false(clrs_shape_equal(&scalar, NULL));
  assert_false(clrs_shape_equal(NULL, NULL));
  assert_false(clrs_shape_equal(&broken, &broken));
}

TEST(negative_axes_count_from_the_end) {
  static const int64_t rows[][2] = {{0, 0}, {2, 2}, {-1, 2}, {-3, 0}};
  uint32_t index = 77;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    CHECK_OK(clrs__axis_normalize(rows[i][0], 3, "axis", &index, &error), error);
    assert_int_equal(index, rows[i][1]);
  }
  CHECK_FAILS(clrs__axis_normalize(3, 3, "axis", &index, &error), CLRS_INVALID_ARGUMENT, error);
  assert_string_equal(error.message, "axis 3 is out of range for rank 3; it must be in [-3, 2]");
  assert_int_equal(index, 0);
}

TESTS(NULL, NULL)
