/*
 * The functions that make a map: the fields that each function sets, and the refused input.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

static const double one = 1, three = 3, ten = 10;
static const clrs_numbers scalar_one = {1, &one, {0}}, scalar_three = {1, &three, {0}},
                          scalar_ten = {1, &ten, {0}}, tensor = {0};

TEST(casts_follow_their_dialect) {
  static const struct {
    clrs_dialect dialect;
    clrs_dtype from, to;
    clrs_rounding rounding;
    clrs_overflow overflow;
  } rows[] = {
      {CLRS_ONNX, CLRS_F32, CLRS_U8, CLRS_ROUND_ZERO, CLRS_OVERFLOW_WRAP},
      {CLRS_ONNX, CLRS_I32, CLRS_U8, CLRS_ROUND_ZERO, CLRS_OVERFLOW_WRAP},
      {CLRS_ONNX, CLRS_BOOL, CLRS_I8, CLRS_ROUND_ZERO, CLRS_OVERFLOW_WRAP},
      {CLRS_ONNX, CLRS_F32, CLRS_F8E5M2, CLRS_ROUND_EVEN, CLRS_OVERFLOW_SATURATE},
      {CLRS_ONNX, CLRS_F32, CLRS_F8E8M0, CLRS_ROUND_UP, CLRS_OVERFLOW_SATURATE},
      {CLRS_ONNX, CLRS_F64, CLRS_F16, CLRS_ROUND_EVEN, CLRS_OVERFLOW_IEEE},
      {CLRS_OPENVINO, CLRS_F32, CLRS_I8, CLRS_ROUND_ZERO, CLRS_OVERFLOW_SATURATE},
      {CLRS_OPENVINO, CLRS_F32, CLRS_F8E8M0, CLRS_ROUND_EVEN, CLRS_OVERFLOW_SATURATE},
      {CLRS_ONEDNN, CLRS_F32, CLRS_U8, CLRS_ROUND_EVEN, CLRS_OVERFLOW_SATURATE},
      {CLRS_ONEDNN, CLRS_I32, CLRS_U8, CLRS_ROUND_EVEN, CLRS_OVERFLOW_SATURATE},
      {CLRS_ONEDNN, CLRS_F32, CLRS_BF16, CLRS_ROUND_EVEN, CLRS_OVERFLOW_IEEE},
      {CLRS_NUMPY, CLRS_F32, CLRS_F8E5M2, CLRS_ROUND_EVEN, CLRS_OVERFLOW_IEEE},
      {CLRS_NUMPY, CLRS_I64, CLRS_F32, CLRS_ROUND_EVEN, CLRS_OVERFLOW_IEEE},
      {CLRS_NUMPY, CLRS_U8, CLRS_U1, CLRS_ROUND_ZERO, CLRS_OVERFLOW_WRAP},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_map map;
    CHECK_OK(clrs_map_cast(rows[i].dialect, rows[i].from, rows[i].to, &map, &error), error);
    assert_int_equal(map.from, rows[i].from);
    assert_int_equal(map.to, rows[i].to);
    assert_int_equal(map.steps[0].kind, CLRS_STEP_ROUND);
    assert_int_equal(map.steps[0].dtype, rows[i].to);
    assert_int_equal(map.steps[0].rounding, rows[i].rounding);
    assert_int_equal(map.steps[0].overflow, rows[i].overflow);
    assert_int_equal(map.step_count, 1);
    assert_int_equal(map.number_count, 0);
    assert_false(map.reinterprets);
  }
}

TEST(casts_that_a_dialect_forbids_are_named) {
  static const struct {
    clrs_dialect dialect;
    clrs_dtype from, to;
    clrs_status status;
    const char *says;
  } rows[] = {
      {CLRS_ONEDNN, CLRS_F32, CLRS_I16, CLRS_INVALID_ARGUMENT, "oneDNN has no element type i16"},
      {CLRS_ONEDNN, CLRS_U64, CLRS_F32, CLRS_INVALID_ARGUMENT, "oneDNN has no element type u64"},
      {CLRS_ONNX, CLRS_F32, CLRS_U1, CLRS_INVALID_ARGUMENT, "ONNX has no element type u1"},
      {CLRS_OPENVINO, CLRS_F32, CLRS_F8E5M2FNUZ, CLRS_INVALID_ARGUMENT, "type f8e5m2fnuz, and so"},
      {CLRS_OPENVINO, CLRS_C64, CLRS_C64, CLRS_INVALID_ARGUMENT, "OpenVINO has no element type c"},
      {CLRS_ONNX, CLRS_C64, CLRS_F32, CLRS_UNSUPPORTED, "elements of c64 have no value"},
      {CLRS_ONNX, CLRS_F32, CLRS_STRING, CLRS_UNSUPPORTED, "elements of string have no value"},
      {CLRS_OPENVINO, CLRS_U6, CLRS_U8, CLRS_UNSUPPORTED, "elements of u6 have no value"},
      {CLRS_ONEDNN, CLRS_F4E3M0, CLRS_F32, CLRS_UNSUPPORTED, "f4e3m0"},
      {CLRS_NUMPY, CLRS_NF4, CLRS_F32, CLRS_UNSUPPORTED, "nf4"},
      {CLRS_NUMPY, CLRS_U8, CLRS_BITS8, CLRS_UNSUPPORTED, "bits8"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_map map;
    CHECK_FAILS(clrs_map_cast(rows[i].dialect, rows[i].from, rows[i].to, &map, &error),
                rows[i].status, error);
    CHECK_SAYS(error, rows[i].says);
  }
}

TEST(any_type_may_stay_what_it_is) {
  for (int dtype = 0; dtype < CLRS_DTYPE_COUNT; dtype++) {
    clrs_map map;
    CHECK_OK(clrs_map_cast(CLRS_NUMPY, (clrs_dtype)dtype, (clrs_dtype)dtype, &map, &error), error);
    assert_true(clrs_map_keeps_bits(&map));
  }
}

TEST(bitcasts_need_equal_widths) {
  clrs_map map;
  CHECK_OK(clrs_map_bitcast(CLRS_F32, CLRS_U32, &map, &error), error);
  assert_true(map.reinterprets && clrs_map_keeps_bits(&map));
  CHECK_OK(clrs_map_bitcast(CLRS_C64, CLRS_F64, &map, &error), error);
  CHECK_OK(clrs_map_bitcast(CLRS_U1, CLRS_BITS1, &map, &error), error);
  assert_false(clrs_map_keeps_bits(&map)); /* the bits are in other places of a byte */
  CHECK_OK(clrs_map_bitcast(CLRS_F32, CLRS_U32, &map, &error), error);
  CHECK_FAILS(clrs_map_step(&map, CLRS_STEP_ADD, CLRS_F32, &scalar_one, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "after a bitcast");
  CHECK_FAILS(clrs_map_round(&map, CLRS_F32, CLRS_ROUND_UP, CLRS_OVERFLOW_IEEE, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "after a bitcast");
}

TEST(quantizing_adds_and_subtracts_zero_points) {
  clrs_map map;
  CHECK_OK(clrs_map_quantize(CLRS_F32, CLRS_U8, &scalar_three, &scalar_ten, &map, &error), error);
  assert_int_equal(map.steps[0].kind, CLRS_STEP_DIVIDE);
  assert_int_equal(map.steps[1].kind, CLRS_STEP_ROUND_AND_ADD);
  assert_int_equal(map.steps[1].parameter.first, 1);
  assert_int_equal(map.steps[1].rounding, CLRS_ROUND_EVEN);
  assert_int_equal(map.steps[1].overflow, CLRS_OVERFLOW_SATURATE);
  CHECK_OK(clrs_map_dequantize(CLRS_U8, CLRS_F32, &tensor, &tensor, &map, &error), error);
  assert_int_equal(map.step_count, 2);
  assert_int_equal(map.steps[0].kind, CLRS_STEP_SUBTRACT);
  assert_int_equal(map.steps[0].dtype, CLRS_I64);
  assert_int_equal(map.steps[1].kind, CLRS_STEP_MULTIPLY);
  assert_int_equal(map.steps[1].parameter.count, 0);
  CHECK_OK(clrs_map_dequantize(CLRS_U8, CLRS_F16, &tensor, NULL, &map, &error), error);
  assert_int_equal(map.step_count, 2);
  assert_int_equal(map.steps[1].overflow, CLRS_OVERFLOW_IEEE);
  CHECK_OK(clrs_map_quantize(CLRS_F64, CLRS_I8, &scalar_three, NULL, &map, &error), error);
  assert_int_equal(map.steps[0].dtype, CLRS_F64);
  assert_int_equal(map.steps[1].kind, CLRS_STEP_ROUND);
}

/* The value in the message, and the rule. */
TEST(scales_that_are_no_scales_are_named) {
  static const struct {
    double scale;
    const char *says;
  } rows[] = {
      {0, "the number 0, which is 0 in f32"},     {-0.0, "the number -0, which is 0"},
      {1e-50, "the number 1e-50, which is 0 in"}, {1e39, "1e+39, which is not finite in f32"},
      {0.0 / 0.0, "nan, which is not finite"},    {1 / 0.0, "inf, which is not finite in f32"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    const clrs_numbers scale = {1, &rows[i].scale, {0}};
    clrs_map map;
    CHECK_FAILS(clrs_map_quantize(CLRS_F32, CLRS_U8, &scale, NULL, &map, &error),
                CLRS_INVALID_ARGUMENT, error);
    if (rows[i].scale == rows[i].scale) { /* a NaN may be printed with a sign */
      CHECK_SAYS(error, rows[i].says);
    }
    CHECK_FAILS(clrs_map_dequantize(CLRS_U8, CLRS_F32, &scale, NULL, &map, &error),
                CLRS_INVALID_ARGUMENT, error);
  }
  clrs_map map;
  const double negative = -0.5, tiny = 1e-50;
  CHECK_OK(
      clrs_map_quantize(CLRS_F32, CLRS_U8, &(clrs_numbers){1, &negative, {0}}, NULL, &map, &error),
      error);
  CHECK_OK(
      clrs_map_dequantize(CLRS_U8, CLRS_F64, &(clrs_numbers){1, &tiny, {0}}, NULL, &map, &error),
      error);
}

TEST(zero_points_are_numbers_of_their_type) {
  static const struct {
    clrs_dtype type;
    double zero;
    bool is_one;
  } rows[] = {
      {CLRS_U8, 255, true},
      {CLRS_U8, 256, false},
      {CLRS_U8, -1, false},
      {CLRS_I8, -128, true},
      {CLRS_I8, -129, false},
      {CLRS_I8, 128, false},
      {CLRS_I4, 7, true},
      {CLRS_I4, 8, false},
      {CLRS_U2, 3, true},
      {CLRS_U2, 4, false},
      {CLRS_U8, 0.5, false},
      {CLRS_I32, -2147483648.0, true},
      {CLRS_I32, 2147483648.0, false},
      {CLRS_U32, 4294967295.0, true},
      {CLRS_U8, 0.0 / 0.0, false},
      {CLRS_F32, 0, false},
      {CLRS_BOOL, 0, false},
      {CLRS_I64, 0, false},
      {CLRS_F8E4M3FN, 0, false},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    const clrs_numbers zero = {1, &rows[i].zero, {0}};
    const clrs_status expected = rows[i].is_one ? CLRS_OK : CLRS_INVALID_ARGUMENT;
    clrs_map map;
    assert_int_equal(clrs_map_quantize(CLRS_F32, rows[i].type, &scalar_one, &zero, &map, &error),
                     expected);
    assert_int_equal(clrs_map_dequantize(rows[i].type, CLRS_F32, &scalar_one, &zero, &map, &error),
                     expected);
  }
  clrs_map map;
  CHECK_FAILS(clrs_map_quantize(CLRS_F32, CLRS_F16, &scalar_one, &scalar_one, &map, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "a zero point of f16; only integers of up to 32 bits");
}

TEST(steps_are_appended_in_order_and_have_a_limit) {
  clrs_map map, before;
  CHECK_OK(clrs_map_cast(CLRS_ONNX, CLRS_U8, CLRS_F32, &map, &error), error);
  for (uint32_t i = 0; i < CLRS_MAP_STEPS - 1; i++) {
    const clrs_step_kind kind = (clrs_step_kind)(i % 4);
    CHECK_OK(clrs_map_step(&map, kind, CLRS_F32, &scalar_three, &error), error);
    assert_int_equal(map.steps[i].kind, i % 4);
    assert_int_equal(map.steps[i].parameter.first, i);
  }
  before = map;
  CHECK_FAILS(clrs_map_step(&map, CLRS_STEP_ADD, CLRS_F32, &scalar_one, &error),
              CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "16 steps; a map has at most 16");
  assert_memory_equal(&map, &before, sizeof map);
  CHECK_OK(clrs_map_round(&map, CLRS_U8, CLRS_ROUND_UP, CLRS_OVERFLOW_WRAP, &error), error);
  CHECK_FAILS(clrs_map_round(&map, CLRS_F32, CLRS_ROUND_UP, CLRS_OVERFLOW_IEEE, &error),
              CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "more than 16 steps");
  CHECK_OK(clrs_map_cast(CLRS_ONNX, CLRS_U8, CLRS_F32, &map, &error), error);
  const double many[CLRS_MAP_NUMBERS + 1] = {0};
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD, CLRS_F32,
                         &(clrs_numbers){CLRS_MAP_NUMBERS, many, {0}}, &error),
           error);
  CHECK_FAILS(clrs_map_step(&map, CLRS_STEP_ADD, CLRS_F32, &scalar_one, &error),
              CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "1 values and the map 64; a map holds 64");
}

TEST(clamping_takes_infinity_but_no_nan) {
  clrs_map map;
  CHECK_OK(clrs_map_cast(CLRS_ONNX, CLRS_F32, CLRS_F32, &map, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_AT_LEAST, CLRS_F32,
                         &(clrs_numbers){1, (double[]){-1 / 0.0}, {0}}, &error),
           error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_AT_MOST, CLRS_F32, &(clrs_numbers){1, (double[]){6}, {0}},
                         &error),
           error);
  assert_int_equal(map.step_count, 2);
  assert_int_equal(map.steps[0].kind, CLRS_STEP_AT_LEAST);
  assert_int_equal(map.steps[1].kind, CLRS_STEP_AT_MOST);
  assert_true(map.numbers[1] == 6);
  assert_false(clrs_map_keeps_bits(&map));
  const clrs_map before = map;
  const clrs_numbers none = {1, (double[]){0.0 / 0.0}, {0}};
  CHECK_FAILS(clrs_map_step(&map, CLRS_STEP_AT_LEAST, CLRS_F32, &none, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_FAILS(clrs_map_step(&map, CLRS_STEP_AT_MOST, CLRS_F32, &none, &error),
              CLRS_INVALID_ARGUMENT, error);
  assert_memory_equal(&map, &before, sizeof map);
}

TEST(a_rounding_that_no_bit_shows_is_no_step) {
  clrs_map map;
  CHECK_OK(clrs_map_cast(CLRS_ONNX, CLRS_I8, CLRS_F32, &map, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD, CLRS_F32, &scalar_one, &error), error);
  assert_int_equal(map.step_count, 1);
  assert_int_equal(map.steps[0].kind, CLRS_STEP_ADD);
  CHECK_OK(clrs_map_round(&map, CLRS_I16, CLRS_ROUND_UP, CLRS_OVERFLOW_WRAP, &error), error);
  CHECK_OK(clrs_map_round(&map, CLRS_I16, CLRS_ROUND_EVEN, CLRS_OVERFLOW_SATURATE, &error), error);
  assert_int_equal(map.step_count, 2); /* the saturated value already has the type */
  CHECK_OK(clrs_map_cast(CLRS_ONNX, CLRS_U8, CLRS_I16, &map, &error), error);
  CHECK_OK(clrs_map_round(&map, CLRS_U8, CLRS_ROUND_EVEN, CLRS_OVERFLOW_SATURATE, &error), error);
  assert_int_equal(map.step_count, 0);
  CHECK_FAILS(clrs_map_step(&map, CLRS_STEP_ROUND, CLRS_U8, &scalar_one, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "clrs_map_round appends it");
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ROUND_AND_ADD, CLRS_I8, &scalar_one, &error), error);
  assert_int_equal(map.to, CLRS_I8);
}

TESTS(NULL, NULL)
