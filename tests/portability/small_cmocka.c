/*
 * The part of cmocka that the core tests use. Debian has cmocka's library for one word size at a
 * time, so i386.sh and other.sh link this file instead. A test runs until the first false
 * assertion.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { FAILED = 1, SKIPPED = 2 };
static jmp_buf end_of_test;

void _fail(const char *const file, const int line) {
  printf("%s:%d: failed\n", file, line);
  (void)fflush(stdout);
  longjmp(end_of_test, FAILED);
}

void _skip(const char *const file, const int line) {
  printf("%s:%d: skipped\n", file, line);
  longjmp(end_of_test, SKIPPED);
}

static void require(int is_true, const char *what, const char *file, int line) {
  if (!is_true) {
    printf("%s\n", what);
    _fail(file, line);
  }
}

void _assert_true(const LargestIntegralType result, const char *const expression,
                  const char *const file, const int line) {
  require(result != 0, expression, file, line);
}

void _assert_int_equal(const LargestIntegralType a, const LargestIntegralType b,
                       const char *const file, const int line) {
  require(a == b, "integers differ", file, line);
}

void _assert_int_not_equal(const LargestIntegralType a, const LargestIntegralType b,
                           const char *const file, const int line) {
  require(a != b, "integers are equal", file, line);
}

void _assert_in_range(const LargestIntegralType value, const LargestIntegralType minimum,
                      const LargestIntegralType maximum, const char *const file, const int line) {
  require(value >= minimum && value <= maximum, "an integer is out of range", file, line);
}

void _assert_string_equal(const char *const a, const char *const b, const char *const file,
                          const int line) {
  require(strcmp(a, b) == 0, a, file, line);
}

void _assert_string_not_equal(const char *const a, const char *const b, const char *file,
                              const int line) {
  require(strcmp(a, b) != 0, a, file, line);
}

void _assert_memory_equal(const void *const a, const void *const b, const size_t size,
                          const char *const file, const int line) {
  require(memcmp(a, b, size) == 0, "bytes differ", file, line);
}

void print_message(const char *const format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}

void print_error(const char *const format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
}

static int run_one(const struct CMUnitTest *test, void *of_group) {
  /* static: what a setup sets after setjmp is still known after longjmp */
  static void *state;
  state = test->initial_state != NULL ? test->initial_state : of_group;
  const int code = setjmp(end_of_test);
  if (code == 0) {
    if (test->setup_func != NULL && test->setup_func(&state) != 0) {
      _fail(test->name, 0);
    }
    test->test_func(&state);
  }
  if (test->teardown_func != NULL) {
    (void)test->teardown_func(&state);
  }
  if (code == FAILED) {
    printf("FAIL %s\n", test->name);
  }
  return code == FAILED;
}

int _cmocka_run_group_tests(const char *group_name, const struct CMUnitTest *const tests,
                            const size_t num_tests, CMFixtureFunction group_setup,
                            CMFixtureFunction group_teardown) {
  int failed = 0;
  void *state = NULL;
  if (group_setup != NULL && group_setup(&state) != 0) {
    printf("FAIL the setup of %s\n", group_name);
    return 1;
  }
  for (size_t i = 0; i < num_tests; i++) {
    failed += run_one(&tests[i], state);
  }
  if (group_teardown == NULL) {
    return failed;
  }
  return failed + (setjmp(end_of_test) != 0 || group_teardown(&state) != 0);
}
