/*
 * Drivers that cannot wait for a read, or wait for one that failed and say nothing. Such a driver
 * may still carry the read out, so the memory that it would write outlives the call, but not
 * without end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "device/api.h"
#include "fault_layer.h"
#include "host_faults.h"

static fault_layer layer;
static bool hides_failures; /* clWaitForEvents calls every end a good one */

/* A name with two underscores is the linker's, not ours. */
cl_int __real_clWaitForEvents(cl_uint count, const cl_event *events);
cl_int __wrap_clWaitForEvents(cl_uint count, const cl_event *events);
cl_int __wrap_clWaitForEvents(cl_uint count, const cl_event *events) {
  const cl_int code = __real_clWaitForEvents(count, events);
  return hides_failures ? CL_SUCCESS : code;
}

static clrs_status read_one(const api *a, clrs_pattern *pattern, clrs_error *error) {
  const clrs_pattern openvino = {CLRS_OPENVINO, CLRS_ZERO_COPIES, 0, {0}};
  const clrs_pattern_tensor tensor = {CLRS_U8, 1, LIST(1), NULL};
  const clrs_storage storage = {a->source, 7};
  return clrs_pattern_read_buffer(a->library, &openvino, &storage, &tensor, pattern,
                                  a->device.queue, 0, NULL, error);
}

/* Which call of a read waits for it. */
static int find_wait(const api *a) {
  for (fault f = {1, CL_OUT_OF_RESOURCES, false, FAULT_BEFORE}; f.nth < 100; f.nth++) {
    clrs_pattern pattern;
    clrs_error error;
    layer.arm(&f);
    (void)read_one(a, &pattern, &error);
    const char *failed = layer.failed();
    layer.arm(NULL);
    if (failed && strcmp(failed, "clWaitForEvents") == 0)
      return f.nth;
  }
  fail_msg("nothing waits for a read");
  return 0;
}

/* From the wait on every call fails: whether the read is over is not to be known. */
static void lose(const api *a, int wait) {
  const fault lost = {wait, CL_OUT_OF_RESOURCES, true, FAULT_BEFORE};
  clrs_pattern pattern = {.length = 7};
  clrs_error error;
  layer.arm(&lost);
  CHECK_FAILS(read_one(a, &pattern, &error), CLRS_OPENCL_ERROR, error);
  layer.arm(NULL);
  CHECK_SAYS(error, "clWaitForEvents");
  assert_int_equal(pattern.length, 7);
}

static void what_a_lost_read_may_write_is_kept_but_not_without_end(void **state) {
  enum { FEWEST_KEPT = 100, MOST_KEPT = 999, READS = 1200 }; /* "hundreds", context.h says */
  api *a = *state;
  const int wait = find_wait(a);
  const long before = host_faults_live();
  long kept = 0;
  for (int i = 1; i <= READS; i++) {
    lose(a, wait);
    kept = host_faults_live() - before;
    if (kept != i && (i <= FEWEST_KEPT || kept > MOST_KEPT))
      fail_msg("after %d lost reads the memory of %ld is kept", i, kept);
  }
  for (int i = 0; i < 3; i++) {
    lose(a, wait);
    assert_int_equal(host_faults_live() - before, kept);
  }
  clrs_pattern pattern;
  clrs_error error;
  CHECK_OK(read_one(a, &pattern, &error), error);
  assert_int_equal(pattern.values[0], a->bytes[7]);
  assert_int_equal(host_faults_live() - before, kept);
}

/* The wait alone fails: the event says that the read is over. */
static void what_has_ended_is_not_kept(void **state) {
  const api *a = *state;
  const fault once = {find_wait(a), CL_OUT_OF_RESOURCES, false, FAULT_AFTER};
  const long before = host_faults_live();
  clrs_pattern pattern;
  clrs_error error;
  layer.arm(&once);
  CHECK_FAILS(read_one(a, &pattern, &error), CLRS_OPENCL_ERROR, error);
  layer.arm(NULL);
  assert_int_equal(host_faults_live(), before);
}

static void a_failure_that_the_wait_hides_is_an_error(void **state) {
  const api *a = *state;
  const fault later = {1, CL_OUT_OF_RESOURCES, false, FAULT_ASYNC};
  clrs_pattern pattern = {.length = 7};
  clrs_error error;
  layer.arm(&later);
  hides_failures = true;
  const clrs_status status = read_one(a, &pattern, &error);
  hides_failures = false;
  layer.arm(NULL);
  assert_int_equal(status, CLRS_OPENCL_ERROR);
  CHECK_SAYS(error, "reading the pattern");
  assert_true(error.opencl_code < 0);
  assert_int_equal(pattern.length, 7);
}

int main(void) {
  int missing = device_missing();
  if (missing == 0)
    missing = fault_layer_missing(&layer);
  if (missing)
    return missing;
#define TEST(name) cmocka_unit_test_setup_teardown(name, api_open, api_close)
  const struct CMUnitTest tests[] = {
      TEST(what_a_lost_read_may_write_is_kept_but_not_without_end),
      TEST(what_has_ended_is_not_kept),
      TEST(a_failure_that_the_wait_hides_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
