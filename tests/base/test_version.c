/*
 * The version of the library that runs, in the form that core.h documents.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

TEST(the_version_is_that_of_the_headers) {
  const unsigned version = clrs_version();
  assert_int_equal(version / 10000, CLRS_VERSION_MAJOR);
  assert_int_equal(version / 100 % 100, CLRS_VERSION_MINOR);
  assert_int_equal(version % 100, CLRS_VERSION_PATCH);
}

TESTS(NULL, NULL)
