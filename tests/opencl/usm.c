/*
 * See usm.h. This program defines the two OpenCL functions below, so that the library calls them.
 * Both call the loader's functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "usm.h"

#include <dlfcn.h>

#include "harness/driver_defects.h"
#include "harness/fault_layer.h"

enum { HOST_MEM_CAPABILITIES = 0x4190, TYPE = 0x419A, BASE = 0x419B, SIZE = 0x419C };
enum { SVM_CAPABILITIES = 0x1053 };
enum { TYPE_UNKNOWN = 0x4196, TYPE_HOST = 0x4197 }; /* then of the device, and shared */
enum { MOST = 8 };
/* But Oclgrind finds no function at all. */
#define OF_EVERY_DRIVER "clIcdGetPlatformIDsKHR"

typedef cl_int(CL_API_CALL *device_info_fn)(cl_device_id, cl_device_info, size_t, void *, size_t *);
typedef void *(CL_API_CALL *find_fn)(cl_platform_id, const char *);
typedef cl_int(CL_API_CALL *memory_info_fn)(cl_context, const void *, cl_uint, size_t, void *,
                                            size_t *);
typedef void *(CL_API_CALL *allocate_host_fn)(cl_context, const void *, size_t, cl_uint, cl_int *);
typedef void *(CL_API_CALL *allocate_fn)(cl_context, cl_device_id, const void *, size_t, cl_uint,
                                         cl_int *);
typedef cl_int(CL_API_CALL *free_fn)(cl_context, void *);
typedef cl_int(CL_API_CALL *copy_fn)(cl_command_queue, cl_bool, void *, const void *, size_t,
                                     cl_uint, const cl_event *, cl_event *);

static struct {
  bool stands_in, hidden, lost, apart;
  bool finds; /* the driver finds a function that certainly exists */
  int until_failure;
  bool has_layer;
  fault_layer layer; /* found before the layer lets calls fail, because the search makes calls */
  cl_context context;
  cl_platform_id platform;
  struct {
    unsigned char *base;
    size_t size;
    usm_kind kind;
  } allocations[MOST];
} usm;

/* ---- what the library calls ---- */

static cl_int CL_API_CALL stand_in_info(cl_context context, const void *pointer, cl_uint what,
                                        size_t size, void *value, size_t *got) {
  cl_uint type = TYPE_UNKNOWN;
  void *base = NULL;
  size_t bytes = 0;
  (void)got;
  if (usm.until_failure > 0 && --usm.until_failure == 0)
    return CL_OUT_OF_RESOURCES;
  for (size_t i = 0; i < MOST && context == usm.context; i++) {
    const unsigned char *at = pointer, *first = usm.allocations[i].base;
    if (first != NULL && at >= first && at < first + usm.allocations[i].size) {
      type = TYPE_HOST + usm.allocations[i].kind;
      base = usm.allocations[i].base;
      bytes = usm.allocations[i].size;
    }
  }
  const void *answer = what == TYPE ? (void *)&type : what == BASE ? (void *)&base : &bytes;
  memcpy(value, answer, size);
  return CL_SUCCESS;
}

#define EXPORTED __attribute__((visibility("default")))
/* C has no cast between object pointers and function pointers. */
#define FIND(type, variable, expression)                                                           \
  type variable;                                                                                   \
  void *const variable##_address = (expression);                                                   \
  memcpy((void *)&variable, (const void *)&variable##_address, sizeof variable);                   \
  assert_non_null(variable##_address)

EXPORTED cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size,
                                            void *value, size_t *got) {
  FIND(device_info_fn, next, dlsym(RTLD_NEXT, "clGetDeviceInfo"));
  if (what == HOST_MEM_CAPABILITIES && usm.hidden)
    return CL_INVALID_VALUE;
  if (what == SVM_CAPABILITIES && usm.hidden) {
    *(cl_bitfield *)value = 0;
    return CL_SUCCESS;
  }
  if (what == CL_DEVICE_HOST_UNIFIED_MEMORY && (usm.apart || usm.stands_in)) {
    *(cl_bool *)value = !usm.apart;
    return next(device, CL_DEVICE_AVAILABLE, 0, NULL, NULL);
  }
  /* A supported query takes the place of the unsupported query, so that the fault layer can let the
   * query fail. */
  return next(device, what == HOST_MEM_CAPABILITIES && usm.stands_in ? CL_DEVICE_TYPE : what, size,
              value, got);
}

static bool layer_lost_function(void) {
  const char *failed = usm.has_layer ? usm.layer.failed() : NULL;
  return failed != NULL && strstr(failed, "ExtensionFunction") != NULL;
}

EXPORTED void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                                    const char *name) {
  FIND(find_fn, next, dlsym(RTLD_NEXT, "clGetExtensionFunctionAddressForPlatform"));
  const memory_info_fn info = stand_in_info;
  void *found = next(platform, usm.stands_in ? OF_EVERY_DRIVER : name);
  if (usm.stands_in && (found != NULL || (!usm.finds && !layer_lost_function())))
    memcpy((void *)&found, (const void *)&info, sizeof found);
  return usm.lost ? NULL : found;
}

/* ---- what tests call ---- */

bool usm_open(const test_device *device) {
  cl_bitfield capabilities = 0;
  usm.context = device->context;
  usm.has_layer = fault_layer_find(&usm.layer);
  CL_OK(clGetDeviceInfo(device->device, CL_DEVICE_PLATFORM, sizeof usm.platform,
                        (void *)&usm.platform, NULL));
  /* A driver that knows the query may still answer that the device has no such memory. */
  usm.stands_in = clGetDeviceInfo(device->device, HOST_MEM_CAPABILITIES, sizeof capabilities,
                                  &capabilities, NULL) != CL_SUCCESS ||
                  capabilities == 0;
  FIND(find_fn, next, dlsym(RTLD_NEXT, "clGetExtensionFunctionAddressForPlatform"));
  usm.finds = next(usm.platform, OF_EVERY_DRIVER) != NULL;
  return !usm.stands_in;
}

bool usm_answers(void) {
  return clGetExtensionFunctionAddressForPlatform(usm.platform, "clGetMemAllocInfoINTEL") != NULL;
}

void usm_hide(bool hidden) {
  usm.hidden = hidden;
}

void usm_lose_function(bool lost) {
  usm.lost = lost;
}

void usm_fail(int question) {
  usm.until_failure = question;
}

void usm_set_apart(bool apart) {
  usm.apart = apart;
}

#define OF_DRIVER(type, variable, name)                                                            \
  FIND(type, variable, clGetExtensionFunctionAddressForPlatform(usm.platform, name))

static void *allocate_of_driver(const test_device *device, usm_kind kind, size_t bytes) {
  cl_int code;
  OF_DRIVER(allocate_host_fn, of_host, "clHostMemAllocINTEL");
  OF_DRIVER(allocate_fn, of_device, "clDeviceMemAllocINTEL");
  OF_DRIVER(allocate_fn, shared, "clSharedMemAllocINTEL");
  void *memory = kind == USM_HOST ? of_host(device->context, NULL, bytes, 0, &code)
                                  : (kind == USM_DEVICE ? of_device : shared)(
                                        device->context, device->device, NULL, bytes, 0, &code);
  CL_OK(code);
  return memory;
}

void *usm_allocate(const test_device *device, usm_kind kind, size_t bytes) {
  if (!usm.stands_in)
    return allocate_of_driver(device, kind, bytes);
  size_t i = 0;
  while (usm.allocations[i].base != NULL)
    assert_true(++i < MOST);
  void *memory = NULL;
  assert_int_equal(posix_memalign(&memory, 128, bytes), 0);
  usm.allocations[i].base = memory;
  usm.allocations[i].size = bytes;
  usm.allocations[i].kind = kind;
  return memory;
}

void usm_free(const test_device *device, void *memory) {
  if (!usm.stands_in) {
    OF_DRIVER(free_fn, blocking_free, "clMemBlockingFreeINTEL");
    CL_OK(blocking_free(device->context, memory));
    return;
  }
  for (size_t i = 0; i < MOST; i++)
    if (usm.allocations[i].base == memory)
      usm.allocations[i].base = NULL;
  free(memory);
}

void usm_close(test_device *device) {
  if (usm.stands_in || !driver_has_defect(device->device, DEFECT_USM_REFERENCES))
    return;
  CL_OK(clGetContextInfo(device->context, CL_CONTEXT_REFERENCE_COUNT,
                         sizeof device->context_references, &device->context_references, NULL));
  CL_OK(clGetCommandQueueInfo(device->queue, CL_QUEUE_REFERENCE_COUNT,
                              sizeof device->queue_references, &device->queue_references, NULL));
}

void usm_copy(const test_device *device, void *to, const void *from, size_t bytes) {
  if (usm.stands_in) {
    memcpy(to, from, bytes);
    return;
  }
  OF_DRIVER(copy_fn, copy, "clEnqueueMemcpyINTEL");
  /* Without an event, because the fault layer does not know the call that would make the event. */
  CL_OK(copy(device->queue, CL_TRUE, to, from, bytes, 0, NULL, NULL));
}
