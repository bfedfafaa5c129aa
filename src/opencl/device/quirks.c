/* SPDX-License-Identifier: Apache-2.0 */
#include "quirks.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "processor.h"

#define POCL "Portable Computing Language"
#define INTEL "Intel(R) OpenCL"
#define OCLGRIND "Oclgrind"
#define RUSTICL "rusticl"
#define VIVANTE "Vivante OpenCL Platform"

/* A peculiarity of a driver. The versions are the versions in which the peculiarity was seen. */
typedef struct known {
  const char *platform;           /* name of the platform */
  const char *driver;             /* prefix of the driver's version. "" for any version */
  clrs_compile_path compile_path; /* a native row is for CPU devices only */
  const char *note;
} known;

/* A driver without a native row compiles portably. Rusticl and Intel's GPU compiler translate
 * through SPIR-V. These compilers end the process over a vector of 64 elements or over clang's
 * prefetch, although the front end claims to support both. */
static const known table[] = {
    {POCL, "", CLRS_COMPILE_PATH_NATIVE,
     "PoCL 3.0 to 7.1: clang makes machine code, so kernels use vectors of 64 bytes and prefetch"},
    {POCL, "7.1", CLRS_COMPILE_PATH_PORTABLE,
     "PoCL 7.1: releasing a sub-buffer while a kernel uses its root ends the process"},
    {POCL, "7.1", CLRS_COMPILE_PATH_PORTABLE,
     "PoCL 7.1: a variable may be read after its lifetime, which gives wrong bytes or no end; "
     "POCL_PREGION_VALUE_REMAT=0 in the environment prevents that"},
    {INTEL, "", CLRS_COMPILE_PATH_NATIVE,
     "Intel's CPU runtime 2026.22: clang makes machine code, so kernels use vectors of 64 bytes "
     "and prefetch"},
    {INTEL, "", CLRS_COMPILE_PATH_PORTABLE,
     "Intel's CPU runtime 2026.22: the event of a command whose wait list failed says CL_COMPLETE; "
     "only clWaitForEvents tells"},
    {INTEL, "", CLRS_COMPILE_PATH_PORTABLE,
     "Intel's CPU runtime 2026.22: a marker behind several failed commands ends the process; a "
     "request of several launches waits for its last one there if its queue is in order"},
    {OCLGRIND, "", CLRS_COMPILE_PATH_PORTABLE,
     "Oclgrind 21.10: no kernel is made where a function of some kinds is inlined, so none is, and "
     "maps, gathers and scatters are not optimized"},
    {RUSTICL, "25.", CLRS_COMPILE_PATH_PORTABLE,
     "rusticl 25.0: a struct among a kernel's arguments is copied for every work-item, which takes "
     "its compiler seconds"},
    {RUSTICL, "26.", CLRS_COMPILE_PATH_PORTABLE,
     "rusticl 26.2: a struct among a kernel's arguments is copied for every work-item, so a move "
     "has its words in a buffer"},
    {RUSTICL, "", CLRS_COMPILE_PATH_PORTABLE,
     "rusticl 26.2: the process may end while several queues of one context are used; the program "
     "clreshape uses one"},
    {VIVANTE, "", CLRS_COMPILE_PATH_PORTABLE,
     "Vivante, not tried: its compiler is said to know __kernel and __global, not kernel and "
     "global"},
};

/* If the environment asks for the portable path on a CPU, the CPU gets the same workaround as
 * rusticl. */
static clrs_status heed_environment(bool is_cpu, clrs__quirks *quirks, clrs_error *error) {
  const char *wish = getenv("CLRS_COMPILE_PATH");
  if (wish == NULL) {
    return CLRS_OK;
  }
  const bool native = strcmp(wish, "native") == 0;
  if (!native && strcmp(wish, "portable") != 0) {
    return clrs__fail(
        error, CLRS_INVALID_ARGUMENT,
        "the environment's CLRS_COMPILE_PATH is \"%.40s\"; it must be native or portable", wish);
  }
  quirks->compile_path = native ? CLRS_COMPILE_PATH_NATIVE : CLRS_COMPILE_PATH_PORTABLE;
  if (is_cpu) {
    quirks->copies_words = !native;
  }
  return CLRS_OK;
}

static clrs_status heed_self_test(clrs__quirks *quirks, clrs_error *error) {
  const char *wish = getenv("CLRS_SELF_TEST");
  if (wish == NULL) {
    return CLRS_OK;
  }
  quirks->tests_kernels = strcmp(wish, "1") == 0;
  return quirks->tests_kernels || strcmp(wish, "0") == 0
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "the environment's CLRS_SELF_TEST is \"%.40s\"; it must be 0 or 1", wish);
}

/* Returns true if tests have run the platform's drivers: all of the table but Vivante's. */
static bool is_tried(const char *platform) {
  bool is = false;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    is = is || strcmp(platform, table[i].platform) == 0;
  }
  return is && strcmp(platform, VIVANTE) != 0;
}

static void note(clrs__quirks *quirks, const char *text) {
  if (quirks->note_count < CLRS_MAX_DEVICE_NOTES) {
    quirks->notes[quirks->note_count++] = text;
  }
}

static void look_up(const char *platform, const char *driver, bool is_cpu, clrs__quirks *quirks) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const known *row = &table[i];
    const bool is_native = row->compile_path == CLRS_COMPILE_PATH_NATIVE;
    if (strcmp(platform, row->platform) == 0 &&
        strncmp(driver, row->driver, strlen(row->driver)) == 0 && (is_cpu || !is_native)) {
      quirks->compile_path = is_native ? CLRS_COMPILE_PATH_NATIVE : quirks->compile_path;
      note(quirks, row->note);
    }
  }
  quirks->tests_kernels = !is_cpu && !is_tried(platform);
  /* pocl_broadcast of PoCL 3.1 uses an event after the last release. PoCL 4.0 retains the event. */
  quirks->loses_events = strcmp(platform, POCL) == 0 && strtol(driver, NULL, 10) < 4;
  quirks->markers_wait_for_one = strcmp(platform, INTEL) == 0; /* see Intel's last note */
  quirks->never_inlines = strcmp(platform, OCLGRIND) == 0;
  /* LLVM 21 of PoCL 7.1 took over 20 minutes for a map of 12 steps, and takes 13 seconds so. */
  quirks->inlines_first = strcmp(platform, POCL) == 0 && strtol(driver, NULL, 10) >= 7;
  /* Seen in rusticl 26.2: a flip of an axis reads an axis in front of the first. Functions that are
   * only inline have not shown the defect. */
  quirks->loses_static = strcmp(platform, RUSTICL) == 0;
  quirks->lacks_keywords = strcmp(platform, VIVANTE) == 0;
  quirks->most_queues = strcmp(platform, RUSTICL) == 0 ? 1 : 0;
  /* Without inlining, rusticl 25.0 lost the last columns of a tile. */
  quirks->copies_words = strcmp(platform, RUSTICL) == 0 && strtol(driver, NULL, 10) >= 26;
}

/* PoCL 3.1 for i386 compiles for i686, as the device's name says: "pthread-i686-Intel(R) Xeon(R)".
 * That processor computes floats and doubles in x87 registers of 80 bits, although the device
 * claims to round (tests/portability/defects/excess_bits.c). */
static clrs_status look_up_x87(cl_device_id device, clrs__quirks *quirks, clrs_error *error) {
  char name[200];
  CLRS_TRY(clrs__device_text(device, CL_DEVICE_NAME, name, sizeof name, error));
  const char *at = strstr(name, "-i");
  quirks->keeps_excess =
      at != NULL && at[2] >= '3' && at[2] <= '6' && strncmp(at + 3, "86-", 3) == 0;
  if (quirks->keeps_excess) {
    note(quirks, "PoCL 3.1 for i386: results keep more bits than their type has; maps compute f32 "
                 "by integers, and steps of f64 are refused");
  }
  return CLRS_OK;
}

static clrs_status look_up_driver(cl_device_id device, bool is_cpu, clrs__quirks *quirks,
                                  clrs_error *error) {
  char platform_name[120], driver[120];
  cl_platform_id platform = NULL;
  CLRS_TRY_OPENCL("clGetDeviceInfo",
                  clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL),
                  error);
  CLRS_TRY(
      clrs__platform_text(platform, CL_PLATFORM_NAME, platform_name, sizeof platform_name, error));
  CLRS_TRY(clrs__device_text(device, CL_DRIVER_VERSION, driver, sizeof driver, error));
  look_up(platform_name, driver, is_cpu, quirks);
  return strcmp(platform_name, POCL) == 0 ? look_up_x87(device, quirks, error) : CLRS_OK;
}

clrs_status clrs__quirks_of(cl_device_id device, clrs__quirks *quirks, clrs_error *error) {
  cl_device_type type = 0;
  CLRS_TRY_OPENCL("clGetDeviceInfo",
                  clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL), error);
  *quirks =
      (clrs__quirks){.compile_path = CLRS_COMPILE_PATH_PORTABLE, .buffer_flags = CL_MEM_READ_WRITE};
  const bool is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  if (is_cpu) {
    /* Host memory exists at once. PoCL 3.1 allocates all other memory at the first use, and ends
     * the process if no memory is left by then. */
    quirks->buffer_flags |= CL_MEM_ALLOC_HOST_PTR;
    quirks->processor = clrs__processor_checksum();
  }
  CLRS_TRY(look_up_driver(device, is_cpu, quirks, error));
  CLRS_TRY(heed_self_test(quirks, error));
  return heed_environment(is_cpu, quirks, error);
}

clrs_status clrs_device_describe(cl_device_id device, clrs_device_report *report,
                                 clrs_error *error) {
  clrs__quirks quirks = {.note_count = 0};
  clrs_execution execution = CLRS_EXECUTION_AUTO;
  CLRS_TRY(clrs__require(device, "device", error));
  CLRS_TRY(clrs__require(report, "report", error));
  CLRS_TRY(clrs__choose_execution(device, CLRS_EXECUTION_AUTO, &execution, error));
  CLRS_TRY(clrs__quirks_of(device, &quirks, error));
  report->execution = execution;
  report->max_buffer_bytes = UINT64_MAX;
  (void)clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof report->max_buffer_bytes,
                        &report->max_buffer_bytes, NULL);
  report->compile_path = quirks.compile_path;
  report->buffer_flags = quirks.buffer_flags;
  report->most_queues = quirks.most_queues;
  report->note_count = quirks.note_count;
  memcpy(report->notes, quirks.notes, sizeof quirks.notes);
  return CLRS_OK;
}

/* ---- markers ---- */

clrs_status clrs__quirks_mark_last_only(const clrs__quirks *quirks, cl_command_queue queue,
                                        bool *last_only, clrs_error *error) {
  cl_command_queue_properties properties = 0;
  *last_only = false;
  if (!quirks->markers_wait_for_one) {
    return CLRS_OK;
  }
  CLRS_TRY_OPENCL(
      "clGetCommandQueueInfo",
      clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL),
      error);
  *last_only = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
  return CLRS_OK;
}

/* ---- events that are held ---- */

static bool may_be_released(cl_event event) {
  cl_int status = CL_QUEUED;
  return clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) !=
             CL_SUCCESS ||
         status <= CL_COMPLETE;
}

static void release_ended(clrs__held_events *held) {
  while (held->first < held->count && may_be_released(held->events[held->first])) {
    clReleaseEvent(held->events[held->first++]);
  }
  const size_t kept = held->count - held->first;
  if (held->first > kept) { /* an event moves at most once per released event */
    for (size_t i = 0; i < kept; i++) {
      held->events[i] = held->events[held->first + i];
    }
    held->first = 0;
    held->count = kept;
  }
}

void clrs__held_events_add(clrs__held_events *held, size_t count, const cl_event *events) {
  release_ended(held);
  for (size_t i = 0; i < count; i++) {
    cl_event *grown = clrs__array_grow(held->events, held->count, &held->capacity, sizeof *grown);
    if (grown == NULL) {
      clReleaseEvent(events[i]);
      continue;
    }
    held->events = grown;
    grown[held->count++] = events[i];
  }
}

void clrs__held_events_destroy(clrs__held_events *held) {
  for (size_t i = held->first; i < held->count; i++) {
    clReleaseEvent(held->events[i]);
  }
  free(held->events);
}
