/*
 * Decimal numbers: random numbers against strtod in the C locale, numbers in the middle between
 * doubles and at the limits, and invalid numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"
#include "harness/rng.h"

#include "decimal.h"

static clrs_status parse(const char *text, double *value) {
  return clrs__decimal_parse((clrs__span){text, strlen(text)}, value, &error);
}

static void check_as_strtod(const char *text) {
  const double expected = strtod(text, NULL);
  double value = 7;
  if (parse(text, &value) != CLRS_OK || memcmp(&value, &expected, sizeof value) != 0) {
    print_error("'%s' is %a, and should be %a: %s\n", text, value, expected, error.message);
    fail();
  }
}

TEST(known_numbers_are_the_nearest_doubles) {
  static const char *const texts[] = {
      "0", "-0", "+0.0", "1", "-1", "0.1", ".5", "5.", "1e3", "1E-3", "+1.5e+10", "0.485", "00012",
      "0.00000000000000000000000001", "123456789012345678e3", "9999999999999999999",
      /* halves of a step: 2^53 + 1, and slightly more and less */
      "9007199254740993", "9007199254740993.0", "9007199254740993.1", "9007199254740992.9",
      "9007199254740995",
      /* slightly more than halves: in bits 65 to 96 from the top, and in lower bits alone */
      "2998853828889771036e4", "9503553028771820743e10",
      /* the limits of doubles, of normal doubles, and of nonzero doubles */
      "1.797693134862315708e308", "2.2250738585072014e-308", "2.225073858507201136e-308",
      "4.9406564584124654e-324", "2.4703282292062328e-324", "2.4703282292062327e-324", "1e-400",
      "1e-99999", "0e99999", "0e-9223372036854775808", "1e-9223372036854775808",
      "17976931348623157e292"};
  for (size_t i = 0; i < COUNT(texts); i++) {
    print_message("  %s\n", texts[i]);
    check_as_strtod(texts[i]);
  }
}

TEST(random_numbers_are_the_nearest_doubles) {
  const uint64_t seed = test_seed(310);
  for (int64_t i = 0; i < test_cases(20000); i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    char text[64];
    double value;
    const uint64_t bits = rng_next(&rng) & ~((uint64_t)1 << 62); /* below 2 */
    memcpy(&value, &bits, sizeof value);
    if (i % 2 == 0) {
      snprintf(text, sizeof text, "%.*g", (int)rng_between(&rng, 1, 19), value);
    } else {
      snprintf(text, sizeof text, "%s%lld.%llde%lld", rng_percent(&rng, 50) ? "-" : "",
               (long long)rng_between(&rng, 0, 999999999),
               (long long)rng_between(&rng, 0, 999999999), (long long)rng_between(&rng, -330, 290));
    }
    check_as_strtod(text);
  }
}

TEST(what_is_no_number_is_named) {
  static const struct {
    const char *text;
    clrs_status status;
    const char *says;
  } rows[] = {
      {"", CLRS_INVALID_ARGUMENT, "'' is not a decimal number"},
      {"-", CLRS_INVALID_ARGUMENT, "'-' is not a decimal number"},
      {".", CLRS_INVALID_ARGUMENT, "'.' is not a decimal number"},
      {"e5", CLRS_INVALID_ARGUMENT, "'e5' is not a decimal number"},
      {".e5", CLRS_INVALID_ARGUMENT, "'.e5' is not a decimal number"},
      {"1e", CLRS_INVALID_ARGUMENT, "'' is not a decimal integer"},
      {"1e5.", CLRS_INVALID_ARGUMENT, "'5.' is not a decimal integer"},
      {"1.2.3", CLRS_INVALID_ARGUMENT, "'1.2.3' is not"},
      {"--1", CLRS_INVALID_ARGUMENT, "'--1' is not"},
      {"+-1", CLRS_INVALID_ARGUMENT, "'+-1' is not"},
      {" 1", CLRS_INVALID_ARGUMENT, "' 1' is not"},
      {"1 ", CLRS_INVALID_ARGUMENT, "'1 ' is not"},
      {"1f", CLRS_INVALID_ARGUMENT, "'1f' is not"},
      {"0x10", CLRS_INVALID_ARGUMENT, "'0x10' is not"},
      {"1_000", CLRS_INVALID_ARGUMENT, "'1_000' is not"},
      {"nan", CLRS_INVALID_ARGUMENT, "'nan' is not"},
      {"inf", CLRS_INVALID_ARGUMENT, "'inf' is not"},
      {"1/255", CLRS_INVALID_ARGUMENT, "'1/255' is not"},
      {"12345678901234567890", CLRS_LIMIT_EXCEEDED, "has more than 19 digits"},
      {"0.012345678901234567890", CLRS_LIMIT_EXCEEDED, "has more than 19 digits"},
      {"1e309", CLRS_OVERFLOW, "'1e309' is beyond the numbers of a double"},
      {"-1.7976931348623159e308", CLRS_OVERFLOW, "is beyond"},
      {"1e9223372036854775807", CLRS_OVERFLOW, "is beyond"},
      {"1e9223372036854775808", CLRS_OVERFLOW, "does not fit in 64 bits"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    double value = 7;
    print_message("  '%s'\n", rows[i].text);
    CHECK_FAILS(parse(rows[i].text, &value), rows[i].status, error);
    CHECK_SAYS(error, rows[i].says);
    assert_true(value == 7);
  }
}

/* Only the span is read. */
TEST(a_number_ends_where_its_span_does) {
  double value;
  CHECK_OK(clrs__decimal_parse((clrs__span){"1.25e3", 3}, &value, &error), error);
  assert_true(value == 1.2);
}

TESTS(NULL, NULL)
