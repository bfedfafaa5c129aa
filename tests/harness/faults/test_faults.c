/*
 * Every OpenCL call that the library makes fails: once, or with all later calls (a lost device),
 * and without effect, or after the effect. Every command fails after acceptance. For every failure,
 * in every request of the table:
 *
 * - the caller gets an error with OpenCL's code, or an event that fails
 * - the caller gets no result and no other event
 * - the destination is unchanged, or the error says that the destination may have changed
 * - no reference is left, and no reference is released twice
 * - the same request then succeeds on the same library context, with the right result
 *
 * In the warm run, one library context lives through all failures of a request. In the cold run
 * (the argument), each failure meets a new context, so context creation and kernel builds fail too.
 *
 *   test_faults [warm|cold [PATTERN]]   PATTERN chooses among the tests, as cmocka does
 *   CLRS_TEST_PART=2/5                  only the second fifth of the requests
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/driver_defects.h"
#include "harness/fault_layer.h"
#include "scenario.h"

enum { MOST_CALLS = 500 };

static fault_layer layer;
static cl_event ended; /* the event that some requests wait for */
static bool cold;
static size_t part_begin, part_end; /* of the requests */

typedef struct totals {
  int points, warned;
} totals;

static void describe(const scenario *s, const fault *f, const char *call) {
  static const char *const kinds[] = {"before it was made", "after it was made",
                                      "as a command, later"};
  print_message("  %s: %s, number %d%s, fails with %d %s\n", s->name, call ? call : "nothing",
                f->nth, f->sticky ? " and all later ones" : "", (int)f->code, kinds[f->kind]);
}

#define REQUIRE(condition, s, f, call, ...)                                                        \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      describe(s, f, call);                                                                        \
      fail_msg(__VA_ARGS__);                                                                       \
    }                                                                                              \
  } while (0)

/* `library` is NULL if each attempt makes a new context. */
static void start(const api *a, const scenario *s, clrs_context *library, attempt *try) {
  scenario_reset(s, a);
  clrs_context_retain(library);
  *try = (attempt){.a = a, .library = library, .queue = device_queue(&a->device, 0)};
  if (s->is_behind) {
    try->wait_count = 1;
    try->wait_list = &ended;
  }
}

/* A queue may be unusable after a failure. All other objects must stay usable. */
static void renew_queue(attempt *try, cl_command_queue_properties properties) {
  (void)clFinish(try->queue);
  CL_OK(clReleaseCommandQueue(try->queue));
  try->queue = device_queue(&try->a->device, properties);
}

static void succeed(const scenario *s, attempt *try) {
  CHECK_OK(scenario_run(s, try), try->error);
  assert_true((try->event != NULL) == scenario_has_event(s));
  if (try->event) {
    CL_OK(clWaitForEvents(1, &try->event));
    scenario_verify(s, try);
  }
  attempt_drop(try);
}

static void finish(attempt *try, fault_balance before) {
  clrs_context_trim_pool(try->library, 0);
  clrs_context_release(try->library);
  (void)clFinish(try->queue);
  CL_OK(clReleaseCommandQueue(try->queue));
  const fault_balance after = layer.balance();
  if (memcmp(&before, &after, sizeof before) != 0)
    fail_msg("%ld references left, %ld released too often, %ld kernels shared",
             after.live - before.live, after.over_releases - before.over_releases,
             after.shared_kernels - before.shared_kernels);
}

/* ---- a call fails ---- */

static void check_failure(const scenario *s, const fault *f, const char *call, const attempt *try,
                          clrs_status status) {
  const clrs_error *error = &try->error;
  const bool build = strcmp(call, "clBuildProgram") == 0;
  REQUIRE(status == (build ? CLRS_BUILD_FAILURE : CLRS_OPENCL_ERROR) && error->status == status &&
              error->opencl_code == f->code && error->message[0] != '\0',
          s, f, call, "%s, code %d: %s", clrs_status_name(status), (int)error->opencl_code,
          error->message);
  REQUIRE(!build || f->sticky || strstr(error->message, FAULT_LAYER_BUILD_LOG), s, f, call,
          "no build log in: %s", error->message);
  REQUIRE(!try->event && !try->result, s, f, call, "an output was given all the same");
}

/* Only housekeeping calls may fail unnoticed: queries whether held events have ended, and the
 * pool's markers, without which memory is not recycled. */
static bool keeps_house(const scenario *s, const char *call) {
  return strcmp(call, "clGetEventInfo") == 0 ||
         (s->is_pooled && strcmp(call, "clEnqueueMarkerWithWaitList") == 0);
}

/* A build that is short of memory or resources is tried twice. */
static bool builds_again(const fault *f, const char *call) {
  return strcmp(call, "clBuildProgram") == 0 && !f->sticky && f->code != CL_BUILD_PROGRAM_FAILURE;
}

/* False if the request makes fewer calls. */
static bool fail_call(const api *a, const scenario *s, clrs_context *library, const fault *f,
                      totals *all) {
  const fault_balance before = layer.balance();
  attempt try;
  start(a, s, library, &try);
  layer.arm(f);
  const clrs_status status = scenario_run(s, &try);
  const char *call = layer.failed();
  layer.arm(NULL);
  if (call && status == CLRS_OK) {
    REQUIRE(keeps_house(s, call) || builds_again(f, call), s, f, call, "nobody noticed");
    if (try.event) {
      CL_OK(clWaitForEvents(1, &try.event));
      scenario_verify(s, &try);
    }
  } else if (call) {
    REQUIRE(!builds_again(f, call), s, f, call, "it was not built again");
    check_failure(s, f, call, &try, status);
    const bool warned = strstr(try.error.message, "may write") != NULL;
    renew_queue(&try, 0);
    /* If a driver carries out a refused command, the library cannot help. */
    scenario_verify_unwritten(s, &try, warned || f->kind == FAULT_AFTER);
    all->points++;
    all->warned += warned;
    succeed(s, &try);
  }
  attempt_drop(&try);
  finish(&try, before);
  return call != NULL;
}

static clrs_context *warm_library(const api *a, const scenario *s) {
  attempt try;
  if (cold)
    return NULL;
  start(a, s, NULL, &try);
  succeed(s, &try);
  renew_queue(&try, 0);
  CL_OK(clReleaseCommandQueue(try.queue));
  clrs_context_trim_pool(try.library, 0); /* memory kept by the pool would count as a leak */
  return try.library;
}

static void fail_calls(const api *a, const scenario *s, fault f, totals *all) {
  const fault_balance before = layer.balance();
  clrs_context *library = warm_library(a, s);
  for (f.nth = 1; f.nth < MOST_CALLS; f.nth++) {
    static const cl_int codes[] = {CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY,
                                   CL_BUILD_PROGRAM_FAILURE};
    f.code = codes[f.nth % 3];
    if (!fail_call(a, s, library, &f, all))
      break;
  }
  assert_in_range(f.nth, scenario_has_event(s) ? 4 : 1, MOST_CALLS - 1);
  attempt last = {.a = a, .library = library, .queue = device_queue(&a->device, 0)};
  finish(&last, before);
}

static void every_call_fails(const api *a, fault_kind kind, bool sticky) {
  totals all = {0, 0};
  for (size_t i = part_begin; i < part_end; i++)
    fail_calls(a, &scenarios[i], (fault){.sticky = sticky, .kind = kind}, &all);
  print_message("%d failures injected into %zu requests, %d of them between launches\n", all.points,
                part_end - part_begin, all.warned);
}

static int open_all(void **state) {
  cl_int code;
  api_open(state);
  const api *a = *state;
  ended = clCreateUserEvent(a->device.context, &code);
  CL_OK(code);
  CL_OK(clSetUserEventStatus(ended, CL_COMPLETE));
  return 0;
}

static int close_all(void **state) {
  CL_OK(clReleaseEvent(ended));
  return api_close(state);
}

#define FIXTURE_TEST(name) TEST_IN(name, open_all, close_all)

FIXTURE_TEST(every_call_fails_once) {
  every_call_fails(*state, FAULT_BEFORE, false);
}

FIXTURE_TEST(every_call_fails_for_good) {
  every_call_fails(*state, FAULT_BEFORE, true);
}

FIXTURE_TEST(every_call_is_made_and_fails_once) {
  every_call_fails(*state, FAULT_AFTER, false);
}

FIXTURE_TEST(every_call_is_made_and_fails_for_good) {
  every_call_fails(*state, FAULT_AFTER, true);
}

/* ---- a lost device ---- */

/* Every call on a lost device ends soon, with an error. Releasing everything makes no such call. */
static void lose_device(const api *a, const scenario *s, const fault *f) {
  const fault_balance before = layer.balance();
  attempt try;
  start(a, s, NULL, &try);
  CHECK_OK(scenario_run(s, &try), try.error);
  attempt_drop(&try);
  layer.arm(f);
  for (int again = 0; again < 3; again++) {
    const int calls = layer.calls();
    const clrs_status status = scenario_run(s, &try);
    if (!layer.failed()) /* a warmed-up context has nothing to ask */
      break;
    REQUIRE(status == CLRS_OPENCL_ERROR && try.error.opencl_code == f->code && !try.event, s, f,
            layer.failed(), "%s: %s", clrs_status_name(status), try.error.message);
    REQUIRE(layer.calls() - calls <= 2, s, f, layer.failed(), "%d calls to a lost device",
            layer.calls() - calls);
  }
  const int calls = layer.calls();
  clrs_context_release(try.library);
  REQUIRE(layer.calls() == calls, s, f, "teardown", "asks a lost device");
  try.library = NULL;
  layer.arm(NULL);
  renew_queue(&try, 0);
  finish(&try, before);
}

FIXTURE_TEST(a_lost_device_stays_lost) {
  static const cl_int codes[] = {CL_OUT_OF_RESOURCES, CL_DEVICE_NOT_AVAILABLE,
                                 CL_INVALID_COMMAND_QUEUE, -9999};
  for (size_t i = part_begin; i < part_end; i++)
    for (size_t c = 0; c < sizeof codes / sizeof codes[0]; c++) {
      const fault lost = {1, codes[c], true, FAULT_BEFORE};
      lose_device(*state, &scenarios[i], &lost);
    }
}

/* ---- a command is accepted and fails later ---- */

/* The caller learns of the failure from the call or from the event. Another command of the request
 * may have run. */
static void check_event_fails(const scenario *s, const fault *f, const char *call, attempt *try,
                              clrs_status status) {
  if (status == CLRS_OK) {
    REQUIRE(try->event, s, f, call, "success without an event");
    REQUIRE(device_event_fails(&try->a->device, try->event), s, f, call, "the event's status is %d",
            (int)device_event_status(try->event));
  } else {
    REQUIRE(try->error.message[0] != '\0' && !try->event && !try->result, s, f, call,
            "no message, or an output was given");
  }
}

static bool fail_command(const api *a, const scenario *s, clrs_context *library, const fault *f,
                         totals *all) {
  const fault_balance before = layer.balance();
  attempt try;
  start(a, s, library, &try);
  renew_queue(&try, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  layer.arm(f);
  const clrs_status status = scenario_run(s, &try);
  const char *call = layer.failed();
  layer.arm(NULL);
  if (call) {
    if (s->is_pooled && status == CLRS_OK && !device_event_fails(&a->device, try.event))
      scenario_verify(s, &try); /* the copy before failed, or a marker */
    else
      check_event_fails(s, f, call, &try, status);
    /* PoCL 3.1 aborts if a failed event is released before the other events */
    (void)clFinish(try.queue);
    attempt_drop(&try);
    renew_queue(&try, 0);
    all->points++;
    succeed(s, &try);
  }
  attempt_drop(&try);
  finish(&try, before);
  return call != NULL;
}

static void fail_commands(const api *a, const scenario *s, totals *all) {
  clrs_context *library = warm_library(a, s);
  fault f = {1, CL_OUT_OF_RESOURCES, false, FAULT_ASYNC};
  while (f.nth < MOST_CALLS && fail_command(a, s, library, &f, all))
    f.nth++;
  assert_true(f.nth > 1 || !scenario_has_event(s));
  clrs_context_release(library);
}

/* These tests leave commands behind a failed command, some on an unordered queue. */
static void skip_where_failures_are_lost(const api *a) {
  if (driver_has_defect(a->device.device, DEFECT_SEVERAL_FAILED) ||
      driver_has_defect(a->device.device, DEFECT_FINISH_AFTER_FAILED) ||
      driver_has_defect(a->device.device, DEFECT_FAILED_LATER))
    skip();
}

FIXTURE_TEST(every_command_fails_later) {
  totals all = {0, 0};
  skip_where_failures_are_lost(*state);
  for (size_t i = part_begin; i < part_end; i++)
    fail_commands(*state, &scenarios[i], &all);
  print_message("%d commands failed after they were accepted\n", all.points);
}

/* ---- what a request waits for has failed, or fails while it waits ---- */

static void fail_producer(const api *a, const scenario *s, clrs_context *library, bool has_failed) {
  const fault none = {0, CL_OUT_OF_RESOURCES, false, FAULT_ASYNC};
  const fault_balance before = layer.balance();
  attempt try;
  cl_int code;
  start(a, s, library, &try);
  renew_queue(&try, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event gate = clCreateUserEvent(a->device.context, &code);
  CL_OK(code);
  if (has_failed)
    CL_OK(clSetUserEventStatus(gate, none.code));
  try.wait_count = 1;
  try.wait_list = &gate;
  const clrs_status status = scenario_run(s, &try);
  if (!has_failed)
    CL_OK(clSetUserEventStatus(gate, none.code));
  check_event_fails(s, &none, "the producer", &try, status);
  attempt_drop(&try);
  renew_queue(&try, 0);
  scenario_verify_unwritten(s, &try, false);
  try.wait_count = 0;
  try.wait_list = NULL;
  succeed(s, &try);
  CL_OK(clReleaseEvent(gate));
  finish(&try, before);
}

/* Only a blocking read meets a producer that has failed already, because PoCL 3.1 never ends a
 * command that is enqueued behind a failed command. */
FIXTURE_TEST(a_failed_producer_fails_every_request) {
  skip_where_failures_are_lost(*state);
  for (size_t i = part_begin; i < part_end; i++) {
    const scenario *s = &scenarios[i];
    if (scenario_has_event(s)) {
      clrs_context *library = warm_library(*state, s);
      fail_producer(*state, s, library, s->kind == REQUEST_DEVICE_PATTERN);
      clrs_context_release(library);
    }
  }
}

/* False if the part makes no sense. */
static bool choose_part(void) {
  const char *part = getenv("CLRS_TEST_PART");
  unsigned long which = 1, count = 1;
  if (part && (sscanf(part, "%lu/%lu", &which, &count) != 2 || which < 1 || which > count))
    return false;
  part_begin = scenario_count * (which - 1) / count;
  part_end = scenario_count * which / count;
  return true;
}

int main(int argc, char **argv) {
  if (!choose_part()) {
    print_error("CLRS_TEST_PART must be like 2/5\n");
    return 1;
  }
  if (argc > 2)
    cmocka_set_test_filter(argv[2]);
  cold = argc > 1 && strcmp(argv[1], "cold") == 0;
  const int missing = device_and_layer_missing(&layer);
  if (missing)
    return missing;
  return RUN_TESTS(NULL, NULL);
}
