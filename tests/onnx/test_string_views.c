/*
 * Strings as Arrow's views: inline characters, characters outside of the view, and invalid views.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "onnx/string_views.h"

static clrs_onnx_text text_of(const char *characters) {
  return (clrs_onnx_text){(const uint8_t *)characters, strlen(characters)};
}

static void check_round_trip(onnx_strings *strings, const char *characters) {
  uint8_t view[CLRS_ONNX_STRING_BYTES];
  clrs_onnx_text text;
  CHECK_OK(onnx_strings_put(strings, text_of(characters), view, &error), error);
  const clrs_onnx_strings shown = onnx_strings_shown(strings);
  CHECK_OK(clrs_onnx_strings_get(&shown, view, &text, &error), error);
  assert_int_equal(text.size, strlen(characters));
  assert_memory_equal(text.bytes, characters, text.size);
}

/* The bytes that Arrow's columnar format prescribes. */
TEST(views_are_as_arrow_has_them) {
  static const uint8_t twelve[] = {12,  0,   0,   0,   'a', 'b', 'c', 'd',
                                   'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'};
  static const uint8_t two[] = {2, 0, 0, 0, 'h', 'i', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  static const uint8_t second[] = {14, 0, 0, 0, 'A', 'B', 'C', 'D', 0, 0, 0, 0, 13, 0, 0, 0};
  uint8_t view[CLRS_ONNX_STRING_BYTES];
  onnx_strings strings = {0};
  CHECK_OK(onnx_strings_put(&strings, text_of("abcdefghijkl"), view, &error), error);
  assert_memory_equal(view, twelve, sizeof twelve);
  CHECK_OK(onnx_strings_put(&strings, text_of("hi"), view, &error), error);
  assert_memory_equal(view, two, sizeof two);
  assert_int_equal(strings.size, 0);
  CHECK_OK(onnx_strings_put(&strings, text_of("abcdefghijklm"), view, &error), error);
  CHECK_OK(onnx_strings_put(&strings, text_of("ABCDEFGHIJKLMN"), view, &error), error);
  assert_memory_equal(view, second, sizeof second);
  assert_memory_equal(strings.characters, "abcdefghijklmABCDEFGHIJKLMN", 27);
  onnx_strings_free(&strings);
}

TEST(texts_come_back) {
  onnx_strings strings = {0};
  char text[400];
  for (size_t length = 0; length < sizeof text; length++) {
    memset(text, (int)('a' + length % 26), length);
    text[length] = '\0';
    check_round_trip(&strings, text);
  }
  onnx_strings_free(&strings);
  onnx_strings_free(&strings);
}

static void check_lie(const clrs_onnx_strings *strings, const int32_t fields[4]) {
  uint8_t view[CLRS_ONNX_STRING_BYTES];
  clrs_onnx_text text;
  memcpy(view, fields, sizeof view);
  CHECK_FAILS(clrs_onnx_strings_get(strings, view, &text, &error), CLRS_OUT_OF_BOUNDS, error);
}

TEST(views_that_lie_are_refused) {
  static const int32_t lies[][4] = {{-1, 0, 0, 0},         {21, 0, 0, 0},        {20, 0, 0, 1},
                                    {20, 0, 1, 0},         {20, 0, 0, -1},       {20, 0, -1, 0},
                                    {INT32_MAX, 0, 0, 20}, {13, 0, 0, INT32_MAX}};
  onnx_strings strings = {0};
  uint8_t view[CLRS_ONNX_STRING_BYTES];
  CHECK_OK(onnx_strings_put(&strings, text_of("twenty characters..."), view, &error), error);
  const clrs_onnx_strings shown = onnx_strings_shown(&strings);
  for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++)
    check_lie(&shown, lies[i]);
  onnx_strings_free(&strings);
}

TESTS(NULL, NULL)
