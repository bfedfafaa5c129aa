/*
 * Integers on the command line: their ends, and what is none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/integers.h"
#include "harness/check.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef struct integer_row {
  const char *text;
  int64_t value;
} integer_row;

static void integers_are_read_to_the_ends_of_64_bits(void **state) {
  static const integer_row rows[] = {{"0", 0},
                                     {"-0", 0},
                                     {"+7", 7},
                                     {"007", 7},
                                     {"-1", -1},
                                     {"2147483648", 2147483648},
                                     {"9223372036854775807", INT64_MAX},
                                     {"-9223372036854775808", INT64_MIN}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_error error;
    int64_t value = 99;
    CHECK_OK(clrs__integer_parse(rows[i].text, strlen(rows[i].text), &value, &error), error);
    assert_int_equal(value, rows[i].value);
  }
}

static void integers_beyond_64_bits_are_overflow(void **state) {
  static const char *const rows[] = {"9223372036854775808", "-9223372036854775809",
                                     "18446744073709551617", "99999999999999999999999999999"};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_error error;
    int64_t value = 99;
    CHECK_FAILS(clrs__integer_parse(rows[i], strlen(rows[i]), &value, &error), CLRS_OVERFLOW,
                error);
    CHECK_SAYS(error, rows[i]);
    assert_int_equal(value, 99);
  }
}

static void anything_but_digits_is_no_integer(void **state) {
  static const char *const rows[] = {"",  "-",   "+",   "--1", "+-1",   "1 ", " 1",
                                     "x", "0x1", "1e3", "1.0", "1\xe2", "1-", "1_0"};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_error error;
    int64_t value = 99;
    CHECK_FAILS(clrs__integer_parse(rows[i], strlen(rows[i]), &value, &error),
                CLRS_INVALID_ARGUMENT, error);
    const bool is_text = strcmp(rows[i], "1\xe2") != 0; /* the other is no UTF-8 */
    CHECK_SAYS(error, is_text ? rows[i] : "1\\xe2");
    assert_int_equal(value, 99);
  }
}

static void only_the_given_length_is_read(void **state) {
  clrs_error error;
  int64_t value = 0;
  (void)state;
  CHECK_OK(clrs__integer_parse("1234", 2, &value, &error), error);
  assert_int_equal(value, 12);
}

static void lists_hold_as_many_values_as_a_shape(void **state) {
  int64_t values[CLRS_MAX_RANK];
  size_t count = 99;
  clrs_error error;
  char text[2 * CLRS_MAX_RANK + 2];
  (void)state;
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

static void lists_have_no_empty_entries(void **state) {
  static const char *const rows[] = {",", "1,", ",1", "1,,2", " ", "1, 2"};
  int64_t values[CLRS_MAX_RANK];
  size_t count;
  clrs_error error;
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    CHECK_FAILS(clrs__integers_parse(rows[i], strlen(rows[i]), &count, values, &error),
                CLRS_INVALID_ARGUMENT, error);
  }
  CHECK_OK(clrs__integers_parse("", 0, &count, values, &error), error);
  assert_int_equal(count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers_are_read_to_the_ends_of_64_bits),
      cmocka_unit_test(integers_beyond_64_bits_are_overflow),
      cmocka_unit_test(anything_but_digits_is_no_integer),
      cmocka_unit_test(only_the_given_length_is_read),
      cmocka_unit_test(lists_hold_as_many_values_as_a_shape),
      cmocka_unit_test(lists_have_no_empty_entries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
