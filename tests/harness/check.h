/*
 * Status checks for cmocka tests that print the whole error, not just a number.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_CHECK_H
#define CLRS_TEST_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "clreshape/plan.h"

/*
 * TEST(name) { ... } is a test. In TEST_IN(name, setup, teardown) { ... }, `*state` is the
 * object that setup made. In TEST_OF, `object` is the same object with the right type. Each test
 * adds itself to the tests that RUN_TESTS runs. TESTS ends a file whose main only runs the tests.
 * TESTS_UNLESS is TESTS with a reason to skip: main returns `missing` if `missing` is not 0.
 */
#define TEST_OF(type, object, name, setup, teardown)                                               \
  static void in_##name(void **state, type *object);                                               \
  static void name(void **state) {                                                                 \
    memset(&error, 0, sizeof error);                                                               \
    in_##name(state, *state);                                                                      \
  }                                                                                                \
  __attribute__((constructor)) static void add_##name(void) {                                      \
    check_tests[check_test_count++] =                                                              \
        (struct CMUnitTest)cmocka_unit_test_setup_teardown(name, setup, teardown);                 \
  }                                                                                                \
  static void in_##name(__attribute__((unused)) void **state, __attribute__((unused)) type *object)
#define TEST_IN(name, setup, teardown) TEST_OF(void, in_state, name, setup, teardown)
#define TEST(name) TEST_IN(name, NULL, NULL)
#define RUN_TESTS(setup, teardown)                                                                 \
  _cmocka_run_group_tests("tests", check_tests, check_test_count, setup, teardown)
#define TESTS_UNLESS(missing, setup, teardown)                                                     \
  int main(void) {                                                                                 \
    const int without = (missing);                                                                 \
    return without ? without : RUN_TESTS(setup, teardown);                                         \
  }
#define TESTS(setup, teardown) TESTS_UNLESS(0, setup, teardown)

/* The error of a call, for each thread of each file. A test begins with zeros. */
__attribute__((unused)) static _Thread_local clrs_error error;

__attribute__((unused)) static struct CMUnitTest check_tests[64];
__attribute__((unused)) static size_t check_test_count;

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Dims, strides or axes. */
#define LIST(...) ((const int64_t[]){__VA_ARGS__})

/* The clrs_on of a queue and nothing to wait for. */
#define ON(queue_) (&(clrs_on){.queue = (queue_)})

/* Runs `call`, which must mention &(error), and requires CLRS_OK. */
#define CHECK_OK(call, error)                                                                      \
  do {                                                                                             \
    memset(&(error), 0, sizeof(error));                                                            \
    check_status((call), CLRS_OK, &(error), #call, __FILE__, __LINE__);                            \
  } while (0)

/* Requires `expected`, the same status in the error, and a sentence. */
#define CHECK_FAILS(call, expected, error)                                                         \
  do {                                                                                             \
    memset(&(error), 0, sizeof(error));                                                            \
    check_status((call), (expected), &(error), #call, __FILE__, __LINE__);                         \
  } while (0)

/* The message must contain `text`: the offending value, or the name of the rule. */
#define CHECK_SAYS(error, text) check_says(&(error), (text), __FILE__, __LINE__)

static inline void check_status(clrs_status got, clrs_status expected, const clrs_error *error,
                                const char *call, const char *file, int line) {
  if (got != expected) {
    print_error("%s\n  gave %s, expected %s: %s\n", call, clrs_status_name(got),
                clrs_status_name(expected), error->message);
    _fail(file, line);
  }
  if (expected != CLRS_OK && (error->status != expected || error->message[0] == '\0')) {
    print_error("%s\n  the error says %s: \"%s\", expected %s and a sentence\n", call,
                clrs_status_name(error->status), error->message, clrs_status_name(expected));
    _fail(file, line);
  }
}

static inline void check_says(const clrs_error *error, const char *text, const char *file,
                              int line) {
  if (!strstr(error->message, text)) {
    print_error("the message \"%s\" does not mention \"%s\"\n", error->message, text);
    _fail(file, line);
  }
}

/* cmocka prints only that a condition was false. Random tests must also print how to repeat the
 * case. */
#define CHECK_SEEDED(condition, seed, ...)                                                         \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      print_error("%s is false: ", #condition);                                                    \
      print_error(__VA_ARGS__);                                                                    \
      print_error("\n  repeat with CLRS_TEST_SEED=%llu CLRS_TEST_CASES=1\n",                       \
                  (unsigned long long)(seed));                                                     \
      _fail(__FILE__, __LINE__);                                                                   \
    }                                                                                              \
  } while (0)

#endif
