/*
 * The layer itself, a separate shared object: the entry points for the loader, the entry points for
 * tests, and the report at the end of the process. See fault_layer.h.
 *
 * With CLRS_LAYER_REPORT=FILE every process appends one line to the file, which proves to a harness
 * that the layer was loaded. A process with a nonzero balance ends with FAULT_LAYER_EXIT. The check
 * runs when the layer is unloaded, after all exit handlers of the program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fault_layer.h"

#include <CL/cl_layer.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault_layer_decide.h"
#include "fault_layer_guard.h"
#include "fault_layer_objects.h"

#define EXPORTED __attribute__((visibility("default")))

static cl_icd_dispatch hooked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static fault armed;
static int seen, seen_commands;
static const char *failed_call;

EXPORTED void fault_layer_arm(const fault *fault_);
EXPORTED const char *fault_layer_failed(void);
EXPORTED int fault_layer_calls(void);
EXPORTED fault_balance fault_layer_balance(void);

EXPORTED void fault_layer_arm(const fault *fault_) {
  hooks_settle();
  pthread_mutex_lock(&lock);
  armed = fault_ ? *fault_ : (fault){.nth = 0};
  seen = seen_commands = 0;
  failed_call = NULL;
  pthread_mutex_unlock(&lock);
}

EXPORTED const char *fault_layer_failed(void) {
  return failed_call;
}

EXPORTED int fault_layer_calls(void) {
  return seen;
}

decision decide(const char *call, bool is_command) {
  pthread_mutex_lock(&lock);
  const bool counts = is_command || armed.kind != FAULT_ASYNC;
  seen++;
  seen_commands += is_command;
  const int number = armed.kind == FAULT_ASYNC ? seen_commands : seen;
  const bool fails =
      counts && armed.nth > 0 && (number == armed.nth || (armed.sticky && number > armed.nth));
  if (fails && !failed_call)
    failed_call = call;
  const decision made = {fails, armed.kind, armed.code};
  pthread_mutex_unlock(&lock);
  return made;
}

/* ---- the balance ---- */

EXPORTED fault_balance fault_layer_balance(void) {
  return (fault_balance){objects_live(), objects_over_releases(), guard_canaries(),
                         objects_shared_kernels()};
}

static void report(const char *path, const char *line) {
  FILE *file = fopen(path, "a");
  if (!file || fputs(line, file) < 0 || fclose(file) != 0)
    abort();
}

static __attribute__((destructor)) void report_at_the_end(void) {
  const char *path = getenv("CLRS_LAYER_REPORT");
  const fault_balance now = fault_layer_balance();
  const bool good =
      now.live == 0 && now.over_releases == 0 && now.canaries == 0 && now.shared_kernels == 0;
  char objects[2000], line[2400];
  objects_describe(objects, sizeof objects);
  (void)snprintf(line, sizeof line,
                 "%s: live=%ld over_releases=%ld canaries=%ld shared_kernels=%ld%s\n",
                 good ? "balanced" : "NOT BALANCED", now.live, now.over_releases, now.canaries,
                 now.shared_kernels, objects);
  if (path)
    report(path, line);
  if (!good) {
    (void)fprintf(stderr, "fault layer: %s", line);
    (void)fflush(NULL);
    _exit(FAULT_LAYER_EXIT);
  }
}

/* ---- what the loader asks for ---- */

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size,
                                                        void *value, size_t *got) {
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  if (what != CL_LAYER_API_VERSION || (value && size < sizeof version))
    return CL_INVALID_VALUE;
  if (value)
    memcpy(value, &version, sizeof version);
  if (got)
    *got = sizeof version;
  return CL_SUCCESS;
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target,
                                                     cl_uint *entries_made,
                                                     const cl_icd_dispatch **made) {
  cl_icd_dispatch driver = {NULL};
  const size_t room = sizeof driver / sizeof(void *);
  const size_t known = entries < room ? entries : room;
  memcpy(&driver, target, known * sizeof(void *));
  hooks_install(&driver, &hooked);
  *entries_made = (cl_uint)known;
  *made = &hooked;
  return CL_SUCCESS;
}
