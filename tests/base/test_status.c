/*
 * Failures of functions: names of statuses, sentences within the room, and the further fields.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "base/status.h"

TEST(every_status_has_its_name) {
  static const struct {
    clrs_status status;
    const char *name;
  } rows[] = {
#define ROW(status) {status, #status}
      ROW(CLRS_OK),
      ROW(CLRS_INVALID_ARGUMENT),
      ROW(CLRS_INVALID_PATTERN),
      ROW(CLRS_COUNT_MISMATCH),
      ROW(CLRS_OVERFLOW),
      ROW(CLRS_LIMIT_EXCEEDED),
      ROW(CLRS_OUT_OF_BOUNDS),
      ROW(CLRS_OVERLAP),
      ROW(CLRS_WOULD_COPY),
      ROW(CLRS_UNSUPPORTED),
      ROW(CLRS_OUT_OF_MEMORY),
      ROW(CLRS_OPENCL_ERROR),
      ROW(CLRS_BUILD_FAILURE),
#undef ROW
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    assert_string_equal(clrs_status_name(rows[i].status), rows[i].name);
  assert_string_equal(clrs_status_name((clrs_status)10000), "unknown status");
}

TEST(messages_grow_and_end_within_their_room) {
  assert_int_equal(clrs__fail(&error, CLRS_OVERFLOW, "%d apples", 3), CLRS_OVERFLOW);
  assert_int_equal(error.opencl_code, 0);
  clrs__append(&error, "; %d pears", 4);
  assert_string_equal(error.message, "3 apples; 4 pears");
  for (int i = 0; i < 200; i++)
    clrs__append(&error, "; and %d plums", i);
  assert_int_equal(strlen(error.message), sizeof error.message - 1);
  assert_int_equal(error.status, CLRS_OVERFLOW);
  clrs__append(NULL, "%s", "nothing to add to");
  assert_int_equal(clrs__fail(NULL, CLRS_OVERLAP, "%s", "nobody asks"), CLRS_OVERLAP);
  assert_int_equal(clrs__require(&error, "x", NULL), CLRS_OK);
  CHECK_FAILS(clrs__require(NULL, "x", &error), CLRS_INVALID_ARGUMENT, error);
  assert_string_equal(error.message, "x is NULL; it must point to a value");
}

TEST(opencls_code_is_kept_beside_the_sentence) {
  CHECK_FAILS(clrs__fail_opencl(&error, -5, "clCreateBuffer"), CLRS_OPENCL_ERROR, error);
  assert_int_equal(error.opencl_code, -5);
  assert_string_equal(error.message, "clCreateBuffer failed with OpenCL error -5");
  CHECK_FAILS(clrs__fail(&error, CLRS_OVERFLOW, "%d", 7), CLRS_OVERFLOW, error);
  assert_int_equal(error.opencl_code, 0); /* of the previous failure */
  assert_int_equal(clrs__fail_opencl(NULL, -5, "clCreateBuffer"), CLRS_OPENCL_ERROR);
}

TEST(a_buffer_may_be_as_large_as_the_device_says) {
  CHECK_OK(clrs__check_buffer_size(1000, 1000, &error), error);
  CHECK_FAILS(clrs__check_buffer_size(1001, 1000, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "1001 bytes");
  CHECK_SAYS(error, "at most 1000");
}

TESTS(NULL, NULL)
