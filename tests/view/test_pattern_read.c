/*
 * Patterns that are tensors: which types and ranks each dialect takes, and that every value is read
 * exactly, at any address.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

enum { POISON = 0x5a, DIALECTS = 4 };

static const int64_t two_dims[] = {2};

static clrs_pattern_tensor list_of_two(clrs_dtype dtype, const void *data) {
  return (clrs_pattern_tensor){dtype, 1, two_dims, data};
}

/* A read that must fail and leave the pattern unchanged. The error stays for CHECK_SAYS. */
static void check_refused(clrs_dialect dialect, const clrs_pattern_tensor *tensor,
                          clrs_status status, clrs_error *error) {
  clrs_pattern pattern, untouched;
  memset(&pattern, POISON, sizeof pattern);
  untouched = pattern;
  CHECK_FAILS(clrs_pattern_read(dialect, CLRS_ZERO_COPIES, tensor, &pattern, error), status,
              *error);
  assert_memory_equal(&pattern, &untouched, sizeof pattern);
}

static const struct {
  clrs_dtype dtype;
  size_t bytes;
  int64_t lowest, highest;
} integers[] = {
    {CLRS_I8, 1, INT8_MIN, INT8_MAX},    {CLRS_I16, 2, INT16_MIN, INT16_MAX},
    {CLRS_I32, 4, INT32_MIN, INT32_MAX}, {CLRS_I64, 8, INT64_MIN, INT64_MAX},
    {CLRS_U8, 1, 0, UINT8_MAX},          {CLRS_U16, 2, 0, UINT16_MAX},
    {CLRS_U32, 4, 0, UINT32_MAX},        {CLRS_U64, 8, 0, INT64_MAX},
};

enum { INTEGERS = sizeof integers / sizeof integers[0] };

/* The low bytes of a value, as the host stores an integer of that size. */
static void put(unsigned char *to, int64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    const uint16_t probe = 1;
    const bool little = *(const unsigned char *)&probe == 1;
    to[little ? i : bytes - 1 - i] = (unsigned char)((uint64_t)value >> (8 * i));
  }
}

static bool takes(clrs_dialect dialect, clrs_dtype dtype) {
  switch (dialect) {
  case CLRS_ONNX:
    return dtype == CLRS_I64;
  case CLRS_ONEDNN:
    return dtype == CLRS_I32;
  default:
    break;
  }
  for (size_t i = 0; i < INTEGERS; i++) {
    if (integers[i].dtype == dtype) {
      return true;
    }
  }
  return false;
}

TEST(every_integer_is_read_exactly_at_any_address) {
  for (int dialect = 0; dialect < DIALECTS; dialect++) {
    for (size_t i = 0; i < INTEGERS; i++) {
      for (size_t shift = 0; takes((clrs_dialect)dialect, integers[i].dtype) && shift < 8;
           shift++) {
        _Alignas(8) unsigned char bytes[24];
        clrs_pattern pattern;
        put(bytes + shift, integers[i].lowest, integers[i].bytes);
        put(bytes + shift + integers[i].bytes, integers[i].highest, integers[i].bytes);
        const clrs_pattern_tensor tensor = list_of_two(integers[i].dtype, bytes + shift);
        CHECK_OK(clrs_pattern_read((clrs_dialect)dialect, CLRS_ZERO_IS_LITERAL, &tensor, &pattern,
                                   &error),
                 error);
        assert_int_equal(pattern.dialect, dialect);
        assert_int_equal(pattern.zero_mode, CLRS_ZERO_IS_LITERAL);
        assert_int_equal(pattern.length, 2);
        assert_true(pattern.values[0] == integers[i].lowest);
        assert_true(pattern.values[1] == integers[i].highest);
      }
    }
  }
}

TEST(minus_one_of_every_signed_type_infers) {
  for (size_t i = 0; i < INTEGERS; i++) {
    if (integers[i].lowest == 0) {
      continue;
    }
    unsigned char bytes[16];
    put(bytes, 3, integers[i].bytes);
    put(bytes + integers[i].bytes, -1, integers[i].bytes);
    const clrs_pattern_tensor tensor = list_of_two(integers[i].dtype, bytes);
    const clrs_shape input = {1, {12}};
    clrs_pattern pattern;
    clrs_shape shape;
    CHECK_OK(clrs_pattern_read(CLRS_OPENVINO, CLRS_ZERO_COPIES, &tensor, &pattern, &error), error);
    CHECK_OK(clrs_pattern_resolve(&pattern, &input, &shape, &error), error);
    assert_int_equal(shape.rank, 2);
    assert_int_equal(shape.dims[1], 4);
  }
}

TEST(each_dialect_takes_its_types_and_no_other) {
  const unsigned char ones[32] = {1};
  for (int dialect = 0; dialect < DIALECTS; dialect++) {
    for (int dtype = 0; dtype < CLRS_DTYPE_COUNT; dtype++) {
      if (takes((clrs_dialect)dialect, (clrs_dtype)dtype)) {
        continue;
      }
      const clrs_pattern_tensor tensor = list_of_two((clrs_dtype)dtype, ones);
      check_refused((clrs_dialect)dialect, &tensor, CLRS_INVALID_ARGUMENT, &error);
      CHECK_SAYS(error, clrs_dtype_name((clrs_dtype)dtype, CLRS_TYPES_CLRESHAPE));
    }
  }
}

TEST(unsigned_over_int64_is_an_error_with_the_value) {
  static const struct {
    uint64_t value;
    const char *digits;
  } rows[] = {{UINT64_C(1) << 63, "9223372036854775808"}, {UINT64_MAX, "18446744073709551615"}};
  for (size_t i = 0; i < 2; i++) {
    const uint64_t values[] = {1, rows[i].value};
    const clrs_pattern_tensor tensor = list_of_two(CLRS_U64, values);
    check_refused(CLRS_OPENVINO, &tensor, CLRS_OVERFLOW, &error);
    CHECK_SAYS(error, rows[i].digits);
    CHECK_SAYS(error, "dimension 1");
    check_refused(CLRS_NUMPY, &tensor, CLRS_OVERFLOW, &error);
  }
}

TEST(only_openvino_takes_a_scalar_and_only_one) {
  const int64_t values[] = {1, -1, 0, 2};
  const char *const words[] = {"1", "-1", "0", "2"};
  for (size_t i = 1; i < 4; i++) {
    const clrs_pattern_tensor tensor = {CLRS_I64, 0, NULL, &values[i]};
    check_refused(CLRS_OPENVINO, &tensor, CLRS_INVALID_PATTERN, &error);
    CHECK_SAYS(error, words[i]);
  }
  const int32_t one32 = 1;
  const clrs_pattern_tensor onnx = {CLRS_I64, 0, NULL, values};
  const clrs_pattern_tensor onednn = {CLRS_I32, 0, NULL, &one32};
  check_refused(CLRS_ONNX, &onnx, CLRS_INVALID_ARGUMENT, &error);
  CHECK_SAYS(error, "rank 0");
  check_refused(CLRS_ONEDNN, &onednn, CLRS_INVALID_ARGUMENT, &error);
  check_refused(CLRS_NUMPY, &onnx, CLRS_INVALID_ARGUMENT, &error);
}

TEST(openvino_scalar_one_makes_a_scalar) {
  for (size_t i = 0; i < INTEGERS; i++) {
    unsigned char one[8];
    put(one, 1, integers[i].bytes);
    const clrs_pattern_tensor tensor = {integers[i].dtype, 0, NULL, one};
    const clrs_shape input = {2, {1, 1}}, full = {1, {2}};
    clrs_pattern pattern;
    clrs_shape shape;
    CHECK_OK(clrs_pattern_read(CLRS_OPENVINO, CLRS_ZERO_COPIES, &tensor, &pattern, &error), error);
    CHECK_OK(clrs_pattern_resolve(&pattern, &input, &shape, &error), error);
    assert_int_equal(shape.rank, 0);
    CHECK_FAILS(clrs_pattern_resolve(&pattern, &full, &shape, &error), CLRS_COUNT_MISMATCH, error);
  }
}

TEST(no_dialect_takes_a_matrix) {
  const int64_t values[] = {2, 3};
  const int64_t dims[] = {1, 2};
  for (int dialect = 0; dialect < DIALECTS; dialect++) {
    const clrs_dtype dtype = dialect == CLRS_ONEDNN ? CLRS_I32 : CLRS_I64;
    const clrs_pattern_tensor tensor = {dtype, 2, dims, values};
    check_refused((clrs_dialect)dialect, &tensor, CLRS_INVALID_ARGUMENT, &error);
    CHECK_SAYS(error, "rank 2");
    CHECK_SAYS(error, dialect == CLRS_OPENVINO ? "takes 0 or 1" : "takes rank 1 only");
  }
}

TEST(an_empty_list_needs_no_data_and_makes_a_scalar) {
  const int64_t none = 0;
  for (int dialect = 0; dialect < DIALECTS; dialect++) {
    const clrs_dtype dtype = dialect == CLRS_ONEDNN ? CLRS_I32 : CLRS_I64;
    const clrs_pattern_tensor tensor = {dtype, 1, &none, NULL};
    const clrs_shape input = {2, {1, 1}};
    clrs_pattern pattern;
    clrs_shape shape;
    CHECK_OK(clrs_pattern_read((clrs_dialect)dialect, CLRS_ZERO_COPIES, &tensor, &pattern, &error),
             error);
    CHECK_OK(clrs_pattern_resolve(&pattern, &input, &shape, &error), error);
    assert_int_equal(shape.rank, 0);
  }
}

TEST(the_length_is_checked_before_the_data) {
  const int64_t one = 1, lengths[] = {33, INT64_MAX, -3, INT64_MIN};
  const char *const words[] = {"33", "9223372036854775807", "-3", "-9223372036854775808"};
  for (size_t i = 0; i < 4; i++) {
    const clrs_pattern_tensor tensor = {CLRS_I64, 1, &lengths[i], &one};
    check_refused(CLRS_ONNX, &tensor, i < 2 ? CLRS_LIMIT_EXCEEDED : CLRS_INVALID_ARGUMENT, &error);
    CHECK_SAYS(error, words[i]);
  }
}

TEST(the_longest_list_is_read_whole) {
  const int64_t length = CLRS_MAX_RANK;
  int64_t values[CLRS_MAX_RANK];
  clrs_pattern pattern;
  for (int64_t i = 0; i < length; i++)
    values[i] = 100 + i;
  const clrs_pattern_tensor list = {CLRS_I64, 1, &length, values};
  CHECK_OK(clrs_pattern_read(CLRS_ONNX, CLRS_ZERO_COPIES, &list, &pattern, &error), error);
  assert_int_equal(pattern.length, CLRS_MAX_RANK);
  assert_memory_equal(pattern.values, values, sizeof values);
}

TEST(null_is_refused_by_name) {
  clrs_pattern pattern;
  const int64_t values[] = {2, 3};
  const clrs_pattern_tensor good = list_of_two(CLRS_I64, values);
  const int64_t one = 1;
  const clrs_pattern_tensor no_data = list_of_two(CLRS_I64, NULL);
  const clrs_pattern_tensor no_datum = {CLRS_I64, 1, &one, NULL};
  const clrs_pattern_tensor no_dims = {CLRS_I64, 1, NULL, values};
  const clrs_pattern_tensor no_scalar = {CLRS_I64, 0, NULL, NULL};
  CHECK_FAILS(clrs_pattern_read(CLRS_ONNX, CLRS_ZERO_COPIES, NULL, &pattern, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "tensor");
  CHECK_FAILS(clrs_pattern_read(CLRS_ONNX, CLRS_ZERO_COPIES, &good, NULL, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "pattern");
  check_refused(CLRS_ONNX, &no_data, CLRS_INVALID_ARGUMENT, &error);
  CHECK_SAYS(error, "data");
  check_refused(CLRS_ONNX, &no_datum, CLRS_INVALID_ARGUMENT, &error);
  CHECK_SAYS(error, "data");
  check_refused(CLRS_ONNX, &no_dims, CLRS_INVALID_ARGUMENT, &error);
  CHECK_SAYS(error, "dims");
  check_refused(CLRS_OPENVINO, &no_scalar, CLRS_INVALID_ARGUMENT, &error);
  CHECK_SAYS(error, "data");
  assert_int_equal(clrs_pattern_read(CLRS_ONNX, CLRS_ZERO_COPIES, &no_data, &pattern, NULL),
                   CLRS_INVALID_ARGUMENT);
}

TEST(unknown_enumerators_are_refused_by_value) {
  clrs_pattern pattern;
  const int64_t values[] = {2, 3};
  const clrs_pattern_tensor good = list_of_two(CLRS_I64, values);
  const clrs_pattern_tensor odd = list_of_two(CLRS_DTYPE_COUNT, values);
  check_refused((clrs_dialect)4, &good, CLRS_INVALID_ARGUMENT, &error);
  CHECK_SAYS(error, "4");
  CHECK_FAILS(clrs_pattern_read(CLRS_ONNX, (clrs_zero_mode)7, &good, &pattern, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "7");
  check_refused(CLRS_NUMPY, &odd, CLRS_INVALID_ARGUMENT, &error);
  CHECK_SAYS(error, "element type");
}

TESTS(NULL, NULL)
