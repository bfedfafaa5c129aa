/*
 * Limits of small GPUs. See fault_layer_limits.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fault_layer_limits.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_icd_dispatch driver;

/* ---- the limits ---- */

/* SIZE_MAX is no limit. */
static struct {
  size_t group, items, kernel, local, arguments;
  bool is_gpu, is_embedded, has_integers, is_intel, is_vivante;
} most = {.group = SIZE_MAX,
          .items = SIZE_MAX,
          .kernel = SIZE_MAX,
          .local = SIZE_MAX,
          .arguments = SIZE_MAX};

static bool read_number(const char *word, const char *name, size_t *limit) {
  const size_t length = strlen(name);
  char *end = NULL;
  if (strncmp(word, name, length) != 0)
    return false;
  *limit = strtoul(word + length, &end, 10);
  return end != word + length && *end == '\0';
}

static bool read_word(const char *word) {
  if (strcmp(word, "gpu") == 0)
    return most.is_gpu = true;
  if (strcmp(word, "embedded") == 0)
    return most.is_embedded = true;
  if (strcmp(word, "integers") == 0)
    return most.has_integers = true;
  if (strcmp(word, "intel") == 0)
    return most.is_intel = true;
  if (strcmp(word, "vivante") == 0)
    return most.is_vivante = true;
  return read_number(word, "group=", &most.group) || read_number(word, "items=", &most.items) ||
         read_number(word, "kernel=", &most.kernel) || read_number(word, "local=", &most.local) ||
         read_number(word, "arguments=", &most.arguments);
}

static void read_limits(const char *text) {
  char words[200], *rest = NULL;
  (void)snprintf(words, sizeof words, "%s", text);
  for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    if (!read_word(word)) {
      (void)fprintf(stderr, "CLRS_LAYER_LIMITS has no word %s\n", word);
      abort();
    }
  }
}

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/* ---- what the driver is asked ---- */

static cl_int answer(const void *bytes, size_t count, size_t size, void *value, size_t *got) {
  if (value && size < count)
    return CL_INVALID_VALUE;
  if (value)
    memcpy(value, bytes, count);
  if (got)
    *got = count;
  return CL_SUCCESS;
}

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info name, size_t size,
                                      void *value, size_t *got) {
  static const cl_device_type gpu = CL_DEVICE_TYPE_GPU;
  static const char embedded[] = "EMBEDDED_PROFILE", integers[] = "cles_khr_int64";
  static const char intel[] = "2026.22";
  const cl_ulong local = most.local;
  const size_t by_dimension[] = {most.items, most.items, most.items};
  if (name == CL_DEVICE_TYPE && most.is_gpu)
    return answer(&gpu, sizeof gpu, size, value, got);
  if (name == CL_DEVICE_PROFILE && most.is_embedded)
    return answer(embedded, sizeof embedded, size, value, got);
  if (name == CL_DEVICE_EXTENSIONS && most.has_integers)
    return answer(integers, sizeof integers, size, value, got);
  if (name == CL_DRIVER_VERSION && most.is_intel)
    return answer(intel, sizeof intel, size, value, got);
  if (name == CL_DEVICE_MAX_WORK_GROUP_SIZE && most.group < SIZE_MAX)
    return answer(&most.group, sizeof most.group, size, value, got);
  if (name == CL_DEVICE_MAX_WORK_ITEM_SIZES && most.items < SIZE_MAX)
    return answer(by_dimension, sizeof by_dimension, size, value, got);
  if (name == CL_DEVICE_LOCAL_MEM_SIZE && most.local < SIZE_MAX)
    return answer(&local, sizeof local, size, value, got);
  if (name == CL_DEVICE_MAX_PARAMETER_SIZE && most.arguments < SIZE_MAX)
    return answer(&most.arguments, sizeof most.arguments, size, value, got);
  return driver.clGetDeviceInfo(device, name, size, value, got);
}

static cl_int CL_API_CALL platform_info(cl_platform_id platform, cl_platform_info name, size_t size,
                                        void *value, size_t *got) {
  static const char vivante[] = "Vivante OpenCL Platform", intel[] = "Intel(R) OpenCL";
  if (name == CL_PLATFORM_NAME && most.is_vivante)
    return answer(vivante, sizeof vivante, size, value, got);
  if (name == CL_PLATFORM_NAME && most.is_intel)
    return answer(intel, sizeof intel, size, value, got);
  return driver.clGetPlatformInfo(platform, name, size, value, got);
}

static cl_int CL_API_CALL group_info(cl_kernel kernel, cl_device_id device,
                                     cl_kernel_work_group_info name, size_t size, void *value,
                                     size_t *got) {
  const size_t limit = smaller(most.group, most.kernel);
  return name == CL_KERNEL_WORK_GROUP_SIZE && limit < SIZE_MAX
             ? answer(&limit, sizeof limit, size, value, got)
             : driver.clGetKernelWorkGroupInfo(kernel, device, name, size, value, got);
}

/* ---- programs ---- */

static cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id *devices,
                                const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                void *user_data) {
  static const char *const words[] = {"kernel", "global", "local", "constant", "private"};
  for (size_t i = 0; most.is_vivante && i < sizeof words / sizeof *words; i++) {
    char needed[40];
    (void)snprintf(needed, sizeof needed, " -D%s=__%s", words[i], words[i]);
    if (!options || !strstr(options, needed))
      return CL_BUILD_PROGRAM_FAILURE;
  }
  return driver.clBuildProgram(program, count, devices, options, notify, user_data);
}

/* ---- arguments ---- */

enum { MOST_ARGUMENTS = 64, MOST_KERNELS = 4096 };

/* The sizes of the arguments of each kernel. A kernel's place is that of its address. */
static struct {
  cl_kernel kernel;
  size_t sizes[MOST_ARGUMENTS];
} kernels[MOST_KERNELS];
static size_t kernel_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Returns the place of a kernel, or of a new one. */
static size_t find(cl_kernel kernel) {
  size_t at = 0;
  while (at < kernel_count && kernels[at].kernel != kernel)
    at++;
  if (at == MOST_KERNELS)
    abort();
  kernels[at].kernel = kernel;
  kernel_count += at == kernel_count;
  return at;
}

/* A kernel may have the address of one that was released. */
static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code) {
  const cl_kernel made = driver.clCreateKernel(program, name, code);
  if (made) {
    pthread_mutex_lock(&lock);
    memset(kernels[find(made)].sizes, 0, sizeof kernels[0].sizes);
    pthread_mutex_unlock(&lock);
  }
  return made;
}

static size_t size_of_arguments(cl_kernel kernel, cl_uint index, size_t size) {
  size_t sum = 0;
  pthread_mutex_lock(&lock);
  const size_t at = find(kernel);
  if (index >= MOST_ARGUMENTS)
    abort();
  kernels[at].sizes[index] = size;
  for (int i = 0; i < MOST_ARGUMENTS; i++)
    sum += kernels[at].sizes[i];
  pthread_mutex_unlock(&lock);
  return sum;
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value) {
  return size_of_arguments(kernel, index, size) > most.arguments
             ? CL_INVALID_ARG_SIZE
             : driver.clSetKernelArg(kernel, index, size, value);
}

/* ---- events ---- */

enum { MOST_EVENTS = 4096 };

/* PoCL 3.1 uses an event after the last release, unlike Intel's runtime. The layer therefore holds
 * events of launches until a clFinish after their ends. */
static cl_event held[MOST_EVENTS];
static size_t held_count;

static void hold(cl_event event) {
  pthread_mutex_lock(&lock);
  if (held_count == MOST_EVENTS || driver.clRetainEvent(event) != CL_SUCCESS)
    abort();
  held[held_count++] = event;
  pthread_mutex_unlock(&lock);
}

static bool has_ended(cl_event event) {
  cl_int status = CL_QUEUED;
  return driver.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                               NULL) == CL_SUCCESS &&
         status <= CL_COMPLETE;
}

static cl_int CL_API_CALL finish(cl_command_queue queue) {
  const cl_int code = driver.clFinish(queue);
  size_t kept = 0;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < held_count; i++) {
    if (has_ended(held[i]))
      (void)driver.clReleaseEvent(held[i]);
    else
      held[kept++] = held[i];
  }
  held_count = kept;
  pthread_mutex_unlock(&lock);
  return code;
}

/* ---- launches ---- */

static bool has_room(cl_command_queue queue, cl_kernel kernel) {
  cl_device_id device = NULL;
  cl_ulong bytes = 0;
  return driver.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, (void *)&device,
                                      NULL) == CL_SUCCESS &&
         driver.clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes,
                                         &bytes, NULL) == CL_SUCCESS &&
         bytes <= most.local;
}

static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                                 const size_t *offset, const size_t *global, const size_t *local,
                                 cl_uint waits, const cl_event *wait_list, cl_event *event) {
  size_t items = 1;
  for (cl_uint i = 0; local && i < dims; i++)
    items *= local[i];
  if (items > smaller(most.group, smaller(most.items, most.kernel)))
    return CL_INVALID_WORK_GROUP_SIZE;
  if (most.local < SIZE_MAX && !has_room(queue, kernel))
    return CL_OUT_OF_RESOURCES;
  const cl_int code = driver.clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local,
                                                    waits, wait_list, event);
  if (code == CL_SUCCESS && event && most.is_intel)
    hold(*event);
  return code;
}

void limits_install(cl_icd_dispatch *table) {
  const char *text = getenv("CLRS_LAYER_LIMITS");
  if (!text)
    return;
  read_limits(text);
  driver = *table;
  table->clGetPlatformInfo = platform_info;
  table->clGetDeviceInfo = device_info;
  table->clGetKernelWorkGroupInfo = group_info;
  table->clBuildProgram = build;
  table->clCreateKernel = create_kernel;
  table->clSetKernelArg = set_argument;
  table->clFinish = finish;
  table->clEnqueueNDRangeKernel = launch;
}
