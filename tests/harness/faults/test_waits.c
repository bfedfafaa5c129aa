/*
 * Drivers that cannot wait for a read, or that wait for a failed read and report success. The
 * driver may still carry out the read, so the destination memory outlives the call, but not for
 * ever.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/driver_defects.h"
#include "harness/fault_layer.h"
#include "host_faults.h"
#include "opencl/api.h"

static fault_layer layer;
static bool hides_failures; /* clWaitForEvents reports success for every end */

/* Destinations of the reads, each place once. */
enum { READS = 256 };
static void *written[4 * READS];
static int places;

static void forget_places(void) {
  places = 0;
}

static void note_place(void *to) {
  int at = 0;
  while (at < places && written[at] != to)
    at++;
  written[at] = to;
  places += at == places;
}

/* A name with two underscores is the linker's, not ours. */
cl_int __real_clWaitForEvents(cl_uint count, const cl_event *events);
cl_int __wrap_clWaitForEvents(cl_uint count, const cl_event *events);
cl_int __wrap_clWaitForEvents(cl_uint count, const cl_event *events) {
  const cl_int code = __real_clWaitForEvents(count, events);
  return hides_failures ? CL_SUCCESS : code;
}

cl_int __real_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                  size_t offset, size_t size, void *to, cl_uint waits,
                                  const cl_event *wait_list, cl_event *event);
cl_int __wrap_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                  size_t offset, size_t size, void *to, cl_uint waits,
                                  const cl_event *wait_list, cl_event *event);
cl_int __wrap_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                  size_t offset, size_t size, void *to, cl_uint waits,
                                  const cl_event *wait_list, cl_event *event) {
  note_place(to);
  return __real_clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to, waits, wait_list,
                                    event);
}

/* Reads a byte, after the gate, if there is a gate. */
static clrs_status read_one(const api *a, clrs_context *library, cl_event gate,
                            clrs_pattern *pattern, clrs_error *error) {
  const clrs_rules openvino = {CLRS_OPENVINO, CLRS_ZERO_COPIES};
  const clrs_storage storage = {a->source, 7};
  return clrs_pattern_read_buffer(library, &openvino, &storage, CLRS_U8, 1, LIST(1), pattern,
                                  &(clrs_on){a->device.queue, gate ? 1 : 0, gate ? &gate : NULL},
                                  error);
}

/* Returns the number of this call within a read. */
static int find_call(const api *a, const char *name, cl_event gate) {
  for (fault f = {1, CL_OUT_OF_RESOURCES, false, FAULT_BEFORE}; f.nth < 100; f.nth++) {
    clrs_pattern pattern;
    layer.arm(&f);
    (void)read_one(a, a->library, gate, &pattern, &error);
    const char *failed = layer.failed();
    layer.arm(NULL);
    if (failed && strcmp(failed, name) == 0)
      return f.nth;
  }
  fail_msg("no read calls %s", name);
  return 0;
}

static cl_event close_gate(const api *a) {
  cl_int code;
  cl_event gate = clCreateUserEvent(a->device.context, &code);
  CL_OK(code);
  return gate;
}

static void open_gate(const api *a, cl_event gate) {
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clFinish(a->device.queue));
  CL_OK(clReleaseEvent(gate));
}

/* The driver cannot wait, or fails every call from then on. The reads go on. Before each the
 * library asks whether the earlier reads have ended. */
static void lose_all(const api *a, clrs_context *library, cl_event gate, fault at_wait) {
  for (int i = 0; i < READS; i++, at_wait.nth++) {
    clrs_pattern pattern = {.length = 7};
    layer.arm(&at_wait);
    CHECK_FAILS(read_one(a, library, gate, &pattern, &error), CLRS_OPENCL_ERROR, error);
    layer.arm(NULL);
    CHECK_SAYS(error, "clWaitForEvents");
    assert_int_equal(pattern.length, 7);
  }
}

static void expect_full(const api *a, clrs_context *library, cl_event gate) {
  clrs_pattern pattern = {.length = 7};
  CHECK_FAILS(read_one(a, library, gate, &pattern, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "256 reads");
  assert_int_equal(pattern.length, 7);
}

/* No other data goes where such a read may write. A read that has ended frees the memory. */
API_TEST(what_a_read_writes_is_kept_until_it_ends) {
  cl_event gate = close_gate(a);
  const fault once = {find_call(a, "clWaitForEvents", gate), CL_OUT_OF_RESOURCES, false,
                      FAULT_BEFORE};
  const long before = host_faults_live();
  clrs_context *library = device_library(&a->device, NULL);
  clrs_pattern pattern;
  forget_places();
  lose_all(a, library, gate, once);
  assert_int_equal(places, READS);
  expect_full(a, library, gate);
  open_gate(a, gate);
  for (int i = 0; i < 3 * READS; i++)
    CHECK_OK(read_one(a, library, NULL, &pattern, &error), error);
  assert_int_equal(places, READS);
  clrs_context_release(library);
  assert_int_equal(host_faults_live(), before);
}

/* If no event tells the end of a read, the library leaves the memory to the driver. */
API_TEST(what_nobody_can_watch_is_left_to_the_driver) {
  cl_event gate = close_gate(a);
  const fault for_good = {find_call(a, "clWaitForEvents", gate), CL_OUT_OF_RESOURCES, true,
                          FAULT_BEFORE};
  const long before = host_faults_live();
  clrs_context *library = device_library(&a->device, NULL);
  lose_all(a, library, gate, for_good);
  expect_full(a, library, gate);
  clrs_context_release(library);
  assert_int_equal(host_faults_live(), before + 1);
  open_gate(a, gate);
}

/* A read that the driver reports as not enqueued may still run, but not hundreds of reads later. */
API_TEST(what_was_not_enqueued_is_not_used_again_soon) {
  const fault once = {find_call(a, "clEnqueueReadBuffer", NULL), CL_OUT_OF_RESOURCES, false,
                      FAULT_BEFORE};
  const long before = host_faults_live();
  clrs_context *library = device_library(&a->device, NULL);
  clrs_pattern pattern;
  forget_places();
  for (int i = 0; i < 2 * READS; i++) {
    layer.arm(&once);
    CHECK_FAILS(read_one(a, library, NULL, &pattern, &error), CLRS_OPENCL_ERROR, error);
    layer.arm(NULL);
    assert_int_equal(places, i < READS ? i + 1 : READS);
  }
  CHECK_OK(read_one(a, library, NULL, &pattern, &error), error);
  clrs_context_release(library);
  assert_int_equal(host_faults_live(), before);
}

/* The wait alone fails: the event says that the read is over. */
API_TEST(what_has_ended_is_not_kept) {
  const fault once = {find_call(a, "clWaitForEvents", NULL), CL_OUT_OF_RESOURCES, false,
                      FAULT_AFTER};
  CL_OK(clFinish(a->device.queue)); /* a driver may begin no read that nobody waits for */
  clrs_pattern pattern;
  for (int i = 0; i < 2 * READS; i++) {
    layer.arm(&once);
    CHECK_FAILS(read_one(a, a->library, NULL, &pattern, &error), CLRS_OPENCL_ERROR, error);
    layer.arm(NULL);
  }
  CHECK_OK(read_one(a, a->library, NULL, &pattern, &error), error);
}

API_TEST(a_failure_that_the_wait_hides_is_an_error) {
  const fault later = {1, CL_OUT_OF_RESOURCES, false, FAULT_ASYNC};
  if (driver_has_defect(a->device.device, DEFECT_STATUS_OF_FAILED))
    return; /* the wait's answer is all that tells there */
  clrs_pattern pattern = {.length = 7};
  layer.arm(&later);
  hides_failures = true;
  const clrs_status status = read_one(a, a->library, NULL, &pattern, &error);
  hides_failures = false;
  layer.arm(NULL);
  assert_int_equal(status, CLRS_OPENCL_ERROR);
  CHECK_SAYS(error, "reading the pattern");
  assert_true(error.opencl_code < 0);
  assert_int_equal(pattern.length, 7);
}

TESTS_UNLESS(device_and_layer_missing(&layer), NULL, NULL)
