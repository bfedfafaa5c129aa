/*
 * Maps in words: every part of a map, and memory that is too small. tests/chain/test_map_ops.c has
 * the words of texts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bound.h"

static void check_words(const clrs_map *map, const char *expected) {
  char words[200];
  assert_int_equal(clrs_map_explain(map, words, sizeof words), strlen(expected));
  assert_string_equal(words, expected);
  assert_int_equal(clrs_map_explain(map, NULL, 0), strlen(expected));
}

TEST(every_part_has_its_words) {
  const clrs_numbers tensor = {0}, points = {5, NUMBERS(1, 2, 3, 4, 5), {0}};
  clrs_map map;
  map = cast_of(CLRS_ONNX, CLRS_C64, CLRS_C64);
  check_words(&map, "c64 -> c64: every bit is kept");
  map = cast_of(CLRS_ONNX, CLRS_U8, CLRS_F32);
  check_words(&map, "u8 -> f32");
  add_step(&map, CLRS_STEP_AT_MOST, 4, NUMBERS(1, 2, 3, 4), (clrs_spread){0});
  add_step(&map, CLRS_STEP_ADD, 0, NULL, (clrs_spread){0});
  check_words(&map, "u8 -> f32: at most (1 2 3 4) + a tensor in f32");
  CHECK_OK(clrs_map_quantize(CLRS_F32, CLRS_I8, &tensor, &points, &map, &error), error);
  check_words(&map,
              "f32 -> i8: / a tensor in f32, half to even, saturated, + zero point (5 numbers)");
  CHECK_OK(clrs_map_dequantize(CLRS_I8, CLRS_F32, &tensor, &points, &map, &error), error);
  check_words(&map, "i8 -> f32: - zero point (5 numbers), * a tensor in f32");
  map = cast_of(CLRS_ONNX, CLRS_I32, CLRS_F16);
  map.steps[0].rounding = CLRS_ROUND_UP;
  check_words(&map, "i32 -> f16: up, infinity beyond");
}

TEST(what_does_not_fit_is_cut_and_counted) {
  const clrs_map map = cast_of(CLRS_ONNX, CLRS_F32, CLRS_F16);
  const char *whole = "f32 -> f16: half to even, infinity beyond";
  for (size_t size = 1; size <= strlen(whole) + 1; size++) {
    char words[64];
    memset(words, '#', sizeof words);
    assert_int_equal(clrs_map_explain(&map, words, size), strlen(whole));
    assert_int_equal(strlen(words), size - 1);
    assert_memory_equal(words, whole, size - 1);
    assert_int_equal(words[size], '#');
  }
}

TEST(what_is_no_map_has_none) {
  char words[8] = "before";
  clrs_map map = cast_of(CLRS_ONNX, CLRS_F32, CLRS_F16);
  assert_int_equal(clrs_map_explain(NULL, words, sizeof words), 0);
  assert_string_equal(words, "");
  map.steps[0].rounding = (clrs_rounding)-1;
  assert_int_equal(clrs_map_explain(&map, words, sizeof words), 0);
}

TESTS(NULL, NULL)
