/*
 * Contexts of devices without a known driver, whose kernels are tested, and the counts of their
 * tests.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_SELF_TESTED_H
#define CLRS_TEST_SELF_TESTED_H

#include "api.h"
#include "harness/falsify.h"

#define CHECK_COUNT(context, passed_, wrong_, untested_)                                           \
  do {                                                                                             \
    const clrs_self_test found = clrs_context_self_test(context);                                  \
    assert_int_equal(found.passed, passed_);                                                       \
    assert_int_equal(found.wrong, wrong_);                                                         \
    assert_int_equal(found.untested, untested_);                                                   \
    assert_int_equal(found.wrong > 0, strlen(found.sentence) > 0);                                 \
  } while (0)

/* `wish` is the environment's, or NULL. */
static inline clrs_context *library_with(const api *a, const char *wish, const char *required,
                                         clrs_execution execution) {
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  limits.required_class = required;
  limits.execution = execution;
  falsify = (falsified){.launches = 0};
  if (wish)
    assert_int_equal(setenv("CLRS_SELF_TEST", wish, 1), 0);
  clrs_context *made = device_library(&a->device, &limits);
  assert_int_equal(unsetenv("CLRS_SELF_TEST"), 0);
  return made;
}

#endif
