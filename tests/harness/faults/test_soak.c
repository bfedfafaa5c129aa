/*
 * Many requests in sequence on a single library context: every kind of the table in turn. After a
 * warm-up, neither the memory of the process nor the number of OpenCL objects may grow.
 * CLRS_TEST_CASES says how many. The long run makes a million.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "harness/driver_defects.h"
#include "harness/fault_layer.h"
#include "harness/rng.h"
#include "scenario.h"

/* The warm-up is the first two of the parts that the requests are counted in. */
enum { SLACK_KIB = 1024, PARTS = 8, WARM = 2, STEPS_KIB = 64 * 1024 };

/* AddressSanitizer, if present, calls this function. The option disables the quarantine of freed
 * memory, which would look like growth. */
const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__asan_default_options(void) {
  return "quarantine_size_mb=0:thread_local_quarantine_size_kb=0";
}

static fault_layer layer;

static long resident_kib(void) {
  long pages[2] = {0, 0};
  FILE *file = fopen("/proc/self/statm", "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%ld %ld", &pages[0], &pages[1]), 2);
  assert_int_equal(fclose(file), 0);
  return pages[1] * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Two kinds are left out: the first needs a pattern in the destination, the second is about
 * programs. */
static void request(attempt *try, int64_t number, bool waits) {
  const scenario *s = &scenarios[(size_t)number % scenario_count];
  if (s->kind == REQUEST_DEVICE_PATTERN || s->kind == REQUEST_BLOB)
    return;
  CHECK_OK(scenario_run(s, try), try->error);
  if (try->event && waits) {
    CL_OK(clWaitForEvents(1, &try->event));
    CL_OK(clFinish(try->queue));
  }
  attempt_drop(try);
}

/* The library may hold the events of a request until a later request finds their commands complete.
 * Therefore each kind runs once more, and ends before the next. The number of held events then does
 * not depend on how many commands were in flight. */
static long references_at_rest(attempt *try) {
  CL_OK(clFinish(try->queue));
  for (size_t i = 0; i < scenario_count; i++)
    request(try, (int64_t)i, true);
  return layer.balance().live;
}

/* Grows by more than the slack: known, and seen. */
TEST(the_measure_sees_a_leak) {
  const long before = resident_kib();
  const size_t bytes = 4 * SLACK_KIB * 1024;
  unsigned char *leak = malloc(bytes);
  assert_non_null(leak);
  memset(leak, 1, bytes);
  assert_true(resident_kib() - before > SLACK_KIB);
  free(leak);
}

/* KiB after the warm-up. A driver that keeps the memory of queues may grow by steps, because each
 * warm-up request makes a queue. Then only memory that grows in every part counts as growth, and
 * the steps have a bound. */
static long growth(cl_device_id device, const long kib[PARTS + 1]) {
  const long all = kib[PARTS] - kib[WARM];
  long least = all;
  if (all <= SLACK_KIB || all > STEPS_KIB || !driver_has_defect(device, DEFECT_QUEUES_KEPT))
    return all;
  for (int i = WARM; i < PARTS; i++)
    least = kib[i + 1] - kib[i] < least ? kib[i + 1] - kib[i] : least;
  return least * (PARTS - WARM);
}

API_TEST(nothing_grows) {
  const int64_t requests = test_cases(20000), part = (requests + PARTS - 1) / PARTS;
  attempt try = {.a = a, .queue = a->device.queue, .library = a->library};
  long kib[PARTS + 1] = {0}, references[PARTS + 1] = {0};
  for (int64_t i = 0; i < part * PARTS; i++) {
    /* Waits only now and then, so that commands are in flight while tensors are released. */
    request(&try, i, i % 64 == 0);
    if ((i + 1) % part != 0)
      continue;
    references[(i + 1) / part] = references_at_rest(&try);
    kib[(i + 1) / part] = resident_kib();
  }
  print_message("%lld requests: %ld KiB after %lld of them, %ld KiB at the end; %ld and %ld "
                "references\n",
                (long long)(part * PARTS), kib[WARM], (long long)(part * WARM), kib[PARTS],
                references[WARM], references[PARTS]);
  assert_true(growth(a->device.device, kib) <= SLACK_KIB);
  assert_int_equal(references[PARTS], references[WARM]);
}

TESTS_UNLESS(device_and_layer_missing(&layer), NULL, NULL)
