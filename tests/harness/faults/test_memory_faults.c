/*
 * Every allocation of the library fails, once or with all later allocations. The caller must get
 * out of memory, nothing is left, nothing is written, and the same request then succeeds.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/fault_layer.h"
#include "host_faults.h"
#include "scenario.h"

enum { MOST_CALLS = 200 };

static fault_layer layer;
static bool is_long; /* also for good, not just once */

static void start(const api *a, const scenario *s, attempt *try) {
  scenario_reset(s, a);
  *try = (attempt){.a = a, .queue = a->device.queue};
}

/* The library may skip holding events of an earlier request: a lack of memory for this is no
 * error. */
static void succeed(const scenario *s, attempt *try) {
  if (try->event) {
    CL_OK(clWaitForEvents(1, &try->event));
    scenario_verify(s, try);
  }
  attempt_drop(try);
}

/* False if the request makes fewer allocations. */
static bool fail_allocation(const api *a, const scenario *s, host_fault f) {
  const fault_balance before = layer.balance();
  const long blocks = host_faults_live();
  attempt try;
  start(a, s, &try);
  host_faults_arm(f);
  clrs_status status = scenario_run(s, &try);
  host_faults_arm((host_fault){.kind = HOST_NONE});
  const char *call = host_faults_failed();
  if (status != CLRS_OK) {
    if (!call || status != CLRS_OUT_OF_MEMORY || try.error.status != status ||
        try.error.message[0] == '\0' || try.event || try.result)
      fail_msg("%s, %s number %d failed: %s: %s", s->name, call ? call : "nothing", f.nth,
               clrs_status_name(status), try.error.message);
    CL_OK(clFinish(try.queue));
    scenario_verify_unwritten(s, &try, strstr(try.error.message, "may write") != NULL);
    status = scenario_run(s, &try);
  }
  assert_int_equal(status, CLRS_OK);
  succeed(s, &try);
  clrs_context_release(try.library);
  CL_OK(clFinish(try.queue));
  const fault_balance after = layer.balance();
  if (memcmp(&before, &after, sizeof before) != 0 || blocks != host_faults_live())
    fail_msg("%s, %s number %d failed: %ld objects and %ld blocks left", s->name,
             call ? call : "nothing", f.nth, after.live - before.live, host_faults_live() - blocks);
  return call != NULL;
}

API_TEST(every_allocation_fails) {
  const int kinds = is_long ? 2 : 1;
  int points = 0;
  for (size_t i = 0; i < scenario_count; i++)
    for (int sticky = 0; sticky < kinds; sticky++) {
      host_fault f = {HOST_NO_MEMORY, 1, sticky};
      while (f.nth < MOST_CALLS && fail_allocation(*state, &scenarios[i], f))
        f.nth++;
      assert_true(f.nth > 1);
      points += f.nth - 1;
    }
  print_message("%d allocations failed\n", points);
}

int main(int argc, char **argv) {
  is_long = argc > 1 && strcmp(argv[1], "long") == 0;
  const int missing = device_and_layer_missing(&layer);
  if (missing)
    return missing;
  return RUN_TESTS(NULL, NULL);
}
