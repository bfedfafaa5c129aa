/*
 * Integers on the command line: the ends of the range, and invalid text.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/integers.h"
#include "harness/check.h"

typedef struct integer_row {
  const char *text;
  int64_t value;
} integer_row;

TEST(integers_are_read_to_the_ends_of_64_bits) {
  static const integer_row rows[] = {{"0", 0},
                                     {"-0", 0},
                                     {"+7", 7},
                                     {"007", 7},
                                     {"-1", -1},
                                     {"2147483648", 2147483648},
                                     {"9223372036854775807", INT64_MAX},
                                     {"-9223372036854775808", INT64_MIN}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    int64_t value = 99;
    CHECK_OK(clrs__integer_parse(rows[i].text, strlen(rows[i].text), &value, &error), error);
    assert_int_equal(value, rows[i].value);
  }
}

TEST(integers_beyond_64_bits_are_overflow) {
  static const char *const rows[] = {"9223372036854775808", "-9223372036854775809",
                                     "18446744073709551617", "99999999999999999999999999999"};
  for (size_t i = 0; i < COUNT(rows); i++) {
    int64_t value = 99;
    CHECK_FAILS(clrs__integer_parse(rows[i], strlen(rows[i]), &value, &error), CLRS_OVERFLOW,
                error);
    CHECK_SAYS(error, rows[i]);
    assert_int_equal(value, 99);
  }
}

TEST(anything_but_digits_is_no_integer) {
  static const char *const rows[] = {"",  "-",   "+",   "--1", "+-1",   "1 ", " 1",
                                     "x", "0x1", "1e3", "1.0", "1\xe2", "1-", "1_0"};
  for (size_t i = 0; i < COUNT(rows); i++) {
    int64_t value = 99;
    CHECK_FAILS(clrs__integer_parse(rows[i], strlen(rows[i]), &value, &error),
                CLRS_INVALID_ARGUMENT, error);
    const bool is_text = strcmp(rows[i], "1\xe2") != 0; /* the other is no UTF-8 */
    CHECK_SAYS(error, is_text ? rows[i] : "1\\xe2");
    assert_int_equal(value, 99);
  }
}

TEST(only_the_given_length_is_read) {
  int64_t value = 0;
  CHECK_OK(clrs__integer_parse("1234", 2, &value, &error), error);
  assert_int_equal(value, 12);
}

TEST(lists_hold_as_many_values_as_a_shape) {
  int64_t values[CLRS_MAX_RANK];
  size_t count = 99;
  char text[2 * CLRS_MAX_RANK + 2];
  for (size_t i = 0; i <= CLRS_MAX_RANK; i++) {
    memcpy(text + 2 * i, "1,", 2);
  }
  text[2 * CLRS_MAX_RANK - 1] = '\0';
  CHECK_OK(clrs__integers_parse(text, strlen(text), &count, values, &error), error);
  assert_int_equal(count, CLRS_MAX_RANK);
  text[2 * CLRS_MAX_RANK - 1] = ',';
  text[2 * CLRS_MAX_RANK + 1] = '\0';
  CHECK_FAILS(clrs__integers_parse(text, strlen(text), &count, values, &error), CLRS_LIMIT_EXCEEDED,
              error);
  CHECK_SAYS(error, "32");
}

TEST(lists_have_no_empty_entries) {
  static const char *const rows[] = {",", "1,", ",1", "1,,2", " ", "1, 2"};
  int64_t values[CLRS_MAX_RANK];
  size_t count;
  for (size_t i = 0; i < COUNT(rows); i++) {
    CHECK_FAILS(clrs__integers_parse(rows[i], strlen(rows[i]), &count, values, &error),
                CLRS_INVALID_ARGUMENT, error);
  }
  CHECK_OK(clrs__integers_parse("", 0, &count, values, &error), error);
  assert_int_equal(count, 0);
}

TESTS(NULL, NULL)
