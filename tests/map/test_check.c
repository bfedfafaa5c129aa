/*
 * Maps with fields that were set by hand.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "check.h"

/* Two steps, of which the second has a list, and a zero point. */
static clrs_map good(void) {
  const double scale = 0.5, list[] = {1, 2, 3}, zero = 7;
  const clrs_numbers numbers[] = {
      {1, &scale, {0}}, {3, list, {CLRS_SPREAD_AXIS, 0, 0}}, {1, &zero, {0}}};
  clrs_map map;
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_F32, CLRS_F32, &map, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_DIVIDE, CLRS_F32, &numbers[0], &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD, CLRS_F32, &numbers[1], &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ROUND_AND_ADD, CLRS_U8, &numbers[2], &error), error);
  return map;
}

/* A single change makes the map wrong. */
#define REFUSED(change, status, says)                                                              \
  do {                                                                                             \
    clrs_map map = good();                                                                         \
    change;                                                                                        \
    CHECK_FAILS(clrs_map_check(&map, &error), (status), error);                                    \
    CHECK_SAYS(error, says);                                                                       \
    assert_false(clrs_map_keeps_bits(&map));                                                       \
  } while (0)

TEST(enumerators_that_no_enum_has_are_named) {
  REFUSED(map.steps[2].overflow = (clrs_overflow)3, CLRS_INVALID_ARGUMENT, "overflow 3 is unknown");
  REFUSED(map.steps[1].kind = (clrs_step_kind)13, CLRS_INVALID_ARGUMENT, "step kind 13 is unknown");
  REFUSED(map.steps[1].dtype = CLRS_I16, CLRS_INVALID_ARGUMENT, "steps in i16");
  REFUSED(map.steps[1].dtype = CLRS_I64, CLRS_INVALID_ARGUMENT,
          "where integers are only subtracted");
  REFUSED((map.steps[1].dtype = CLRS_I64, map.steps[1].kind = CLRS_STEP_SUBTRACT),
          CLRS_INVALID_ARGUMENT, "a zero point of f32");
  REFUSED((map.steps[1].kind = CLRS_STEP_ROUND, map.steps[1].dtype = CLRS_C64), CLRS_UNSUPPORTED,
          "elements of c64 have no value");
  REFUSED((map.steps[1].kind = CLRS_STEP_ROUND, map.steps[1].dtype = CLRS_F16,
           map.steps[1].overflow = CLRS_OVERFLOW_WRAP),
          CLRS_INVALID_ARGUMENT, "f16 does not wrap");
  REFUSED((map.steps[1].kind = CLRS_STEP_ROUND, map.steps[1].rounding = (clrs_rounding)5),
          CLRS_INVALID_ARGUMENT, "rounding 5 is unknown");
  REFUSED((map.steps[1].kind = CLRS_STEP_ROUND_AND_ADD, map.steps[1].dtype = CLRS_F16),
          CLRS_INVALID_ARGUMENT, "a zero point of f16");
  REFUSED((map.steps[1].kind = CLRS_STEP_ROUND_AND_ADD, map.steps[1].dtype = CLRS_I8,
           map.numbers[1] = 1.5),
          CLRS_INVALID_ARGUMENT, "the zero point 1.5 is no number of i8");
  REFUSED(map.steps[1].parameter.spread.kind = (clrs_spread_kind)3, CLRS_INVALID_ARGUMENT,
          "spread 3 is unknown");
}

TEST(counts_beyond_their_limits_are_named) {
  REFUSED(map.number_count = 65, CLRS_LIMIT_EXCEEDED, "65 numbers; a map holds at most 64");
  REFUSED((map.steps[1].parameter.count = 4, map.steps[1].parameter.first = 2),
          CLRS_INVALID_ARGUMENT, "the 4 numbers of step 1 (add) begin at 2; the map has 5");
  REFUSED(map.steps[1].parameter.first = 6, CLRS_INVALID_ARGUMENT, "begin at 6");
  REFUSED(map.steps[1].parameter.first = UINT32_MAX, CLRS_INVALID_ARGUMENT, "begin at 4294967295");
  REFUSED(map.steps[2].parameter.count = 2, CLRS_INVALID_ARGUMENT,
          "the 2 numbers of the zero point begin at 4");
  REFUSED((map.step_count = 16, map.steps[15] = map.steps[1]), CLRS_LIMIT_EXCEEDED,
          "16 steps; a map has at most 16, and the last one rounds then");
  REFUSED(map.step_count = 2, CLRS_INVALID_ARGUMENT, "a map to u8 whose last step gives f32");
  REFUSED(map.step_count = 0, CLRS_INVALID_ARGUMENT, "a map to u8 whose last step gives f32");
  clrs_map map = good();
  map.steps[1].parameter.count = 3;
  CHECK_OK(clrs_map_check(&map, &error), error);
}

/* A kernel gets such numbers twice. */
TEST(numbers_that_are_shared_count_for_each_parameter) {
  const double numbers[40] = {1};
  const clrs_numbers list = {40, numbers, {CLRS_SPREAD_AXIS, 0, 0}};
  clrs_map map;
  CHECK_OK(clrs_map_cast(CLRS_ONNX, CLRS_F32, CLRS_F32, &map, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD, CLRS_F32, &list, &error), error);
  map.steps[1] = map.steps[0];
  map.step_count = 2;
  CHECK_FAILS(clrs_map_check(&map, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "the parameters have 80 numbers together; a map has at most 64");
  map.steps[1].parameter.count = 24;
  CHECK_OK(clrs_map_check(&map, &error), error);
  map.steps[map.step_count++] = (clrs_step){
      .kind = CLRS_STEP_ROUND_AND_ADD, .parameter = {.count = 1}, .dtype = map.to = CLRS_I8};
  CHECK_FAILS(clrs_map_check(&map, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "the parameters have 65 numbers together");
}

TEST(a_bitcast_has_no_other_fields_than_its_types) {
  clrs_map map;
  char text[80];
  memset(&map, 0xEE, sizeof map);
  map.from = CLRS_U16, map.to = CLRS_F16, map.reinterprets = true;
  CHECK_OK(clrs_map_check(&map, &error), error);
  assert_true(clrs_map_keeps_bits(&map));
  clrs_map_explain(&map, text, sizeof text);
  assert_string_equal(text, "u16 -> f16: every bit is kept");
}

TEST(types_and_overflow_must_go_together) {
  REFUSED(map.from = CLRS_C64, CLRS_UNSUPPORTED, "elements of c64 have no value");
  REFUSED((map.to = map.steps[2].dtype = CLRS_NF4), CLRS_UNSUPPORTED, "nf4");
  REFUSED((map.to = map.steps[2].dtype = CLRS_BOOL), CLRS_INVALID_ARGUMENT, "a zero point of bool");
}

TEST(numbers_must_suit_their_steps) {
  REFUSED(map.numbers[0] = 0, CLRS_INVALID_ARGUMENT, "step 0 (divide) has the number 0");
  REFUSED((map.steps[0].dtype = CLRS_F16, map.numbers[0] = 1e-9), CLRS_INVALID_ARGUMENT,
          "0 in f16");
  REFUSED((map.steps[1].dtype = CLRS_F16, map.numbers[2] = 70000), CLRS_INVALID_ARGUMENT,
          "step 1 (add) has the number 70000, which is not finite in f16");
  REFUSED(map.numbers[4] = 256, CLRS_INVALID_ARGUMENT, "the zero point 256 is no number of u8");
  clrs_map map = good();
  map.steps[0].dtype = CLRS_F64, map.numbers[0] = 1e-300; /* where it is not 0 */
  CHECK_OK(clrs_map_check(&map, &error), error);
  map.steps[0].kind = CLRS_STEP_MULTIPLY, map.numbers[0] = 0; /* allowed, if useless */
  CHECK_OK(clrs_map_check(&map, &error), error);
  map.steps[0].kind = CLRS_STEP_AT_MOST, map.numbers[0] = 1 / 0.0;
  CHECK_OK(clrs_map_check(&map, &error), error);
}

static clrs_map cast(clrs_dtype from, clrs_dtype to) {
  clrs_map map;
  CHECK_OK(clrs_map_cast(CLRS_ONNX, from, to, &map, &error), error);
  return map;
}

TEST(bits_are_kept_where_nothing_is_computed) {
  assert_false(clrs_map_keeps_bits(NULL));
  clrs_map map = cast(CLRS_I8, CLRS_U8);
  assert_true(clrs_map_keeps_bits(&map)); /* it wraps */
  map.steps[0].overflow = CLRS_OVERFLOW_SATURATE;
  assert_false(clrs_map_keeps_bits(&map));
  map.from = CLRS_U8;
  assert_true(clrs_map_keeps_bits(&map)); /* of integers */
  map.from = map.to = map.steps[0].dtype = CLRS_F8E4M3FN;
  assert_true(clrs_map_keeps_bits(&map)); /* a single NaN of either sign exists */
  map.from = map.to = map.steps[0].dtype = CLRS_F16;
  assert_false(clrs_map_keeps_bits(&map)); /* NaN becomes the quiet NaN */
  map.from = map.to = map.steps[0].dtype = CLRS_BOOL;
  assert_false(clrs_map_keeps_bits(&map)); /* 2 becomes 1 */
  map = cast(CLRS_I8, CLRS_U8);
  CHECK_OK(
      clrs_map_step(&map, CLRS_STEP_ADD, CLRS_F32, &(clrs_numbers){1, (double[]){1}, {0}}, &error),
      error);
  assert_false(clrs_map_keeps_bits(&map));
  map = cast(CLRS_I8, CLRS_U16);
  assert_false(clrs_map_keeps_bits(&map));
  map = cast(CLRS_F16, CLRS_BF16);
  assert_false(clrs_map_keeps_bits(&map));
  map = cast(CLRS_BOOL, CLRS_U8);
  assert_false(clrs_map_keeps_bits(&map)); /* 2 becomes 1 */
  map = cast(CLRS_U8, CLRS_BOOL);
  assert_false(clrs_map_keeps_bits(&map));
  map = good();
  assert_false(clrs_map_keeps_bits(&map));
  map = cast(CLRS_I8, CLRS_U8);
  map.steps[0].kind = CLRS_STEP_ROUND_AND_ADD; /* of a tensor */
  assert_false(clrs_map_keeps_bits(&map));
}

/* Behind a rounding to i32, which is step 0. */
TEST(integers_compute_with_integers) {
#define WORDS_REFUSED(change, says)                                                                \
  REFUSED((map.steps[0] = (clrs_step){.kind = CLRS_STEP_ROUND, .dtype = CLRS_I32},                 \
           map.steps[1].dtype = CLRS_I32, change),                                                 \
          CLRS_INVALID_ARGUMENT, says)
  WORDS_REFUSED(map.numbers[1] = 0.5, "step 1 (add) has the number 0.5, which is no number of i32");
  WORDS_REFUSED(map.numbers[1] = 2147483648.0, "2147483648, which is no number of i32");
  WORDS_REFUSED(map.steps[1].kind = CLRS_STEP_DIVIDE, "step 1 (divide) in i32, which has no divis");
  WORDS_REFUSED((map.steps[1].kind = CLRS_STEP_SHIFT_LEFT, map.numbers[1] = 32),
                "step 1 (shift left) has the number 32, which is no shift of 0 to 31 bits");
  WORDS_REFUSED((map.steps[1].kind = CLRS_STEP_SHIFT_RIGHT, map.numbers[1] = -1), "is no shift of");
  WORDS_REFUSED(map.steps[0].dtype = CLRS_U32, "step 1 (add) in i32, where u32 arrives");
  REFUSED(map.steps[1].dtype = CLRS_I32, CLRS_INVALID_ARGUMENT, "in i32, where f32 arrives");
  REFUSED(map.steps[1].kind = CLRS_STEP_SHIFT_LEFT, CLRS_INVALID_ARGUMENT,
          "step 1 (shift left) in f32; only i32 is shifted");
  clrs_map map = good();
  map.steps[0] = (clrs_step){.kind = CLRS_STEP_ROUND, .dtype = CLRS_I32};
  map.steps[1].dtype = CLRS_I32;
  CHECK_OK(clrs_map_check(&map, &error), error);
  map.from = map.steps[0].dtype = CLRS_BOOL;
  CHECK_OK(clrs_map_check(&map, &error), error);
  map.steps[1].kind = CLRS_STEP_SHIFT_LEFT;
  for (map.numbers[1] = 0; map.numbers[1] <= 31; map.numbers[1] += 31)
    CHECK_OK(clrs_map_check(&map, &error), error);
}

/* A term and the end of the term have one type, whatever stands between. */
TEST(a_term_ends_in_its_type) {
  const clrs_numbers two = {1, (double[]){2}, {0}};
  clrs_map map = cast(CLRS_U8, CLRS_U8);
  CHECK_FAILS(clrs_map_step(&map, CLRS_STEP_ADD_TERM, CLRS_F32, NULL, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "step 0 (add term) in f32; no term stands before");
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_TERM, CLRS_F32, &two, &error), error);
  CHECK_FAILS(clrs_map_step(&map, CLRS_STEP_ADD_TERM, CLRS_F16, NULL, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "step 1 (add term) in f16; the last term is of f32");
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_MULTIPLY, CLRS_F64, &two, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD_TERM, CLRS_F32, NULL, &error), error);
  assert_int_equal(map.step_count, 3);
  char text[128];
  clrs_map_explain(&map, text, sizeof text);
  assert_string_equal(text, "u8 -> f32: + (2 in f32, * 2 in f64, ) in f32");
}

/* Each changed field makes two maps differ. */
TEST(maps_are_equal_if_each_field_is) {
  const clrs_map map = good();
  assert_true(clrs__map_equal(&map, &map));
  for (int i = 0; i < 16; i++) {
    clrs_map other = map;
    clrs_step *step = &other.steps[0];
    clrs_parameter *parameter = &step->parameter;
    other.from += i == 0, other.to += i == 1, other.reinterprets ^= i == 2;
    other.step_count -= i == 3, other.number_count -= i == 4, other.numbers[0] += i == 5;
    step->kind += i == 6, step->dtype += i == 7, step->rounding += i == 8, step->overflow += i == 9;
    parameter->count += i == 10, parameter->first += i == 11, parameter->spread.kind += i == 12;
    parameter->spread.axis += i == 13, parameter->spread.block += i == 14;
    parameter->is_of_source ^= i == 15;
    assert_false(clrs__map_equal(&map, &other));
  }
}

TESTS(NULL, NULL)
