/*
 * The version of the library that runs, in the form that core.h documents.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

static void the_version_is_that_of_the_headers(void **state) {
  (void)state;
  const unsigned version = clrs_version();
  assert_int_equal(version / 10000, CLRS_VERSION_MAJOR);
  assert_int_equal(version / 100 % 100, CLRS_VERSION_MINOR);
  assert_int_equal(version % 100, CLRS_VERSION_PATCH);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_version_is_that_of_the_headers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
