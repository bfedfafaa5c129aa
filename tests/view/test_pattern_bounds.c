/*
 * Patterns of numbers around 2^31, 2^32, 2^53, 2^62 and the ends of int64, against an oracle in
 * 128-bit arithmetic. Zeros are literal here, so a pattern has only numbers and -1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "boundary.h"

enum { POISON = 0x5a };

typedef struct expectation {
  clrs_status status;
  int64_t inferred;
} expectation;

/* The product of the non-negative values. `empty` if a value is 0, which is left out of the
 * product. */
typedef struct weight {
  wide product;
  bool empty;
  uint32_t negatives, below_minus_one;
} weight;

static weight weigh(uint32_t count, const int64_t *values) {
  weight result = {1, false, 0, 0};
  for (uint32_t i = 0; i < count; i++) {
    result.negatives += values[i] < 0;
    result.below_minus_one += values[i] < -1;
    result.empty = result.empty || values[i] == 0;
    result.product = values[i] > 0 ? wide_multiply(result.product, values[i]) : result.product;
  }
  return result;
}

static expectation expect_inferred(clrs_dialect dialect, const weight *input,
                                   const weight *pattern) {
  const int64_t count = input->empty ? 0 : (int64_t)input->product;
  const expectation invalid = {CLRS_INVALID_PATTERN, 0};
  if (pattern->empty) {
    const bool openvino_infers_one = dialect == CLRS_OPENVINO && count == 0;
    return openvino_infers_one ? (expectation){CLRS_OK, 1} : invalid;
  }
  const int64_t others = (int64_t)pattern->product;
  return count % others != 0 ? invalid : (expectation){CLRS_OK, count / others};
}

static expectation expect(clrs_dialect dialect, const clrs_shape *input,
                          const clrs_pattern *pattern) {
  const weight before = weigh(input->rank, input->dims);
  const weight after = weigh(pattern->length, pattern->values);
  if (before.negatives > 0) {
    return (expectation){CLRS_INVALID_ARGUMENT, 0};
  }
  if (before.product > INT64_MAX) {
    return (expectation){CLRS_OVERFLOW, 0};
  }
  if (after.negatives > 1 || (after.below_minus_one > 0 && dialect != CLRS_NUMPY)) {
    return (expectation){CLRS_INVALID_PATTERN, 0};
  }
  if (after.product > INT64_MAX) {
    return (expectation){CLRS_OVERFLOW, 0};
  }
  if (after.negatives == 1) {
    return expect_inferred(dialect, &before, &after);
  }
  const bool equal =
      before.empty || after.empty ? before.empty == after.empty : before.product == after.product;
  return (expectation){equal ? CLRS_OK : CLRS_COUNT_MISMATCH, 0};
}

static void report(const clrs_pattern *pattern, const clrs_shape *input, clrs_status got,
                   clrs_status expected) {
  for (uint32_t i = 0; i < input->rank; i++) {
    print_error("input dim %lld\n", (long long)input->dims[i]);
  }
  for (uint32_t i = 0; i < pattern->length; i++) {
    print_error("pattern value %lld\n", (long long)pattern->values[i]);
  }
  fail_msg("dialect %d gives %s, or other dims than expected; expected %s", (int)pattern->dialect,
           clrs_status_name(got), clrs_status_name(expected));
}

static void check(const clrs_pattern *pattern, const clrs_shape *input) {
  const expectation expected = expect(pattern->dialect, input, pattern);
  clrs_shape shape, untouched;
  memset(&shape, POISON, sizeof shape);
  untouched = shape;
  const clrs_status got = clrs_pattern_resolve(pattern, input, &shape, NULL);
  bool right = got == expected.status;
  /* An input with both faults may be refused for either. */
  right = right || (expected.status == CLRS_INVALID_ARGUMENT && got == CLRS_OVERFLOW);
  if (got != CLRS_OK) {
    right = right && memcmp(&shape, &untouched, sizeof shape) == 0;
  }
  for (uint32_t i = 0; right && got == CLRS_OK && i < pattern->length; i++) {
    const int64_t value = pattern->values[i];
    right = shape.dims[i] == (value < 0 ? expected.inferred : value);
  }
  if (!right || (got == CLRS_OK && shape.rank != pattern->length)) {
    report(pattern, input, got, expected.status);
  }
}

static void check_dialects(uint32_t length, const int64_t *values, uint32_t rank,
                           const int64_t *dims) {
  clrs_shape input = {rank, {0}};
  memcpy(input.dims, dims, rank * sizeof *dims);
  for (int dialect = CLRS_ONNX; dialect <= CLRS_NUMPY; dialect++) {
    clrs_pattern pattern;
    CHECK_OK(clrs_pattern_init((clrs_dialect)dialect, CLRS_ZERO_IS_LITERAL, length, values,
                               &pattern, &error),
             error);
    check(&pattern, &input);
  }
}

TEST(pairs_of_any_input_pair) {
  const size_t count = BOUNDARY_COUNT;
  for (size_t i = 0; i < count * count * count * count; i++) {
    const int64_t dims[] = {boundary_values[i % count], boundary_values[i / count % count]};
    const int64_t values[] = {boundary_values[i / count / count % count],
                              boundary_values[i / count / count / count]};
    check_dialects(2, values, 2, dims);
  }
}

TEST(triples_with_each_single_input) {
  const size_t count = BOUNDARY_COUNT;
  for (size_t i = 0; i < count * count * count * count; i++) {
    const int64_t dim = boundary_values[i % count];
    const int64_t values[] = {boundary_values[i / count % count],
                              boundary_values[i / count / count % count],
                              boundary_values[i / count / count / count]};
    check_dialects(3, values, 1, &dim);
  }
}

TEST(copied_zeros_are_weighed_exactly) {
  for (size_t a = 0; a < BOUNDARY_COUNT; a++) {
    const int64_t dim = boundary_values[a];
    clrs_shape shape, input;
    if (dim < 1 || clrs_shape_init(2, (const int64_t[]){dim, 1}, &input, &error) != CLRS_OK) {
      continue;
    }
    for (int dialect = CLRS_ONNX; dialect <= CLRS_ONEDNN; dialect++) {
      const clrs_pattern copies = {(clrs_dialect)dialect, CLRS_ZERO_COPIES, 2, {0, -1}};
      CHECK_OK(clrs_pattern_resolve(&copies, &input, &shape, &error), error);
      assert_true(shape.dims[0] == dim && shape.dims[1] == 1);
      const clrs_pattern doubles = {(clrs_dialect)dialect, CLRS_ZERO_COPIES, 2, {0, 2}};
      const bool fits = dim <= INT64_MAX / 2;
      CHECK_FAILS(clrs_pattern_resolve(&doubles, &input, &shape, &error),
                  fits ? CLRS_COUNT_MISMATCH : CLRS_OVERFLOW, error);
    }
  }
}

TESTS(NULL, NULL)
