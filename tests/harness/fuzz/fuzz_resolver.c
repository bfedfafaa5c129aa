/*
 * Shapes and patterns of every dialect against an oracle in 128-bit arithmetic that follows the
 * wording of the rules, not the resolver. An accepted pattern must obey the rules. With literal
 * zeros, and for ONNX also with copying zeros, a refused pattern must have no answer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clreshape/plan.h>

#include "fuzz.h"

__extension__ typedef __int128 wide;

#define TOO_MUCH ((wide)1 << 100)

static wide multiply(wide a, wide b) {
  return a == 0 || b == 0 ? 0 : a > TOO_MUCH / b ? TOO_MUCH : a * b;
}

static wide count_of(uint32_t rank, const int64_t *dims) {
  wide count = 1;
  for (uint32_t i = 0; i < rank; i++) {
    count = multiply(count, dims[i]);
  }
  return count;
}

static bool zeros_copy(const clrs_pattern *pattern) {
  return pattern->dialect != CLRS_NUMPY && pattern->zero_mode == CLRS_ZERO_COPIES;
}

/* An accepted pattern keeps the count and every requested number. */
static void check_accepted(const clrs_pattern *pattern, const clrs_shape *input,
                           const clrs_shape *shape) {
  REQUIRE(shape->rank == pattern->length);
  REQUIRE(count_of(shape->rank, shape->dims) == count_of(input->rank, input->dims));
  for (uint32_t i = 0; i < shape->rank; i++) {
    const int64_t value = pattern->values[i];
    REQUIRE(shape->dims[i] >= 0);
    if (value > 0) {
      REQUIRE(shape->dims[i] == value);
    } else if (value == 0 && zeros_copy(pattern)) {
      REQUIRE(i < input->rank && shape->dims[i] == input->dims[i]);
    } else if (value == 0) {
      REQUIRE(shape->dims[i] == 0);
    }
  }
}

/* Has the pattern, by the letter, an answer that this resolver must find? */
static bool has_answer(const clrs_pattern *pattern, const clrs_shape *input) {
  wide product = 1, positive = 1;
  uint32_t inferred = 0;
  for (uint32_t i = 0; i < pattern->length; i++) {
    int64_t value = pattern->values[i];
    if (value == 0 && zeros_copy(pattern)) {
      if (i >= input->rank) {
        return false;
      }
      value = input->dims[i];
    }
    if (value < -1 && pattern->dialect != CLRS_NUMPY) {
      return false;
    }
    inferred += value < 0;
    product = value < 0 ? product : multiply(product, value);
    positive = value <= 0 ? positive : multiply(positive, value);
  }
  const wide count = count_of(input->rank, input->dims);
  if (inferred == 0) {
    return product == count && positive <= INT64_MAX;
  }
  return inferred == 1 && product > 0 && product <= INT64_MAX && count % product == 0;
}

static void check(const clrs_pattern *pattern, const clrs_shape *input) {
  clrs_shape shape;
  clrs_error error;
  const clrs_status status = clrs_pattern_resolve(pattern, input, &shape, &error);
  const bool decided = pattern->dialect == CLRS_ONNX || !zeros_copy(pattern);
  /* OpenVINO infers 1 beside a zero of an empty tensor. */
  const bool lenient = pattern->dialect == CLRS_OPENVINO && count_of(input->rank, input->dims) == 0;
  if (status == CLRS_OK) {
    check_accepted(pattern, input, &shape);
    REQUIRE(!decided || lenient || has_answer(pattern, input));
  } else {
    REQUIRE(error.status == status && error.message[0] != '\0');
    REQUIRE(!decided || !has_answer(pattern, input));
  }
}

static size_t read_numbers(fuzz_source *source, int64_t *numbers) {
  const size_t count = fuzz_byte(source) % (CLRS_MAX_RANK + 2);
  const size_t few = count > 6 && count <= CLRS_MAX_RANK ? count % 6 : count;
  for (size_t i = 0; i < few; i++) {
    numbers[i] = fuzz_number(source);
  }
  return few;
}

/* Often of the input's own dims, in parts or joined: otherwise few counts would match. */
static void make_match(fuzz_source *source, const clrs_shape *input, int64_t *values,
                       size_t length) {
  for (size_t i = 0; i < length; i++) {
    const uint8_t wish = fuzz_byte(source);
    if (input->rank > 0 && wish < 128) {
      values[i] = input->dims[wish % input->rank];
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_source source = {data, size};
  int64_t dims[CLRS_MAX_RANK + 2], values[CLRS_MAX_RANK + 2];
  clrs_shape input;
  clrs_pattern pattern;
  clrs_error error;
  const uint8_t mode = fuzz_byte(&source);
  fuzz_memory_begin(size);
  const size_t rank = read_numbers(&source, dims);
  bool negative = rank > CLRS_MAX_RANK;
  wide product = 1;
  for (size_t i = 0; i < rank; i++) {
    negative = negative || dims[i] < 0;
    product = dims[i] > 0 ? multiply(product, dims[i]) : product;
  }
  const clrs_status shaped = clrs_shape_init(rank, dims, &input, &error);
  REQUIRE((shaped == CLRS_OK) == (!negative && product <= INT64_MAX));
  if (shaped == CLRS_OK) {
    const size_t length = read_numbers(&source, values);
    make_match(&source, &input, values, length);
    const clrs_status read = clrs_pattern_init(
        (clrs_dialect)(mode % 4), (clrs_zero_mode)(mode / 4 % 2), length, values, &pattern, &error);
    REQUIRE((read == CLRS_OK) == (length <= CLRS_MAX_RANK));
    if (read == CLRS_OK) {
      check(&pattern, &input);
    }
  }
  fuzz_memory_end();
  return 0;
}
