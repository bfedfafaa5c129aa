/*
 * A layer for the OpenCL loader (OPENCL_LAYERS), by which OpenVINO's GPU plugin takes Intel's CPU
 * runtime for a GPU of Intel's. The plugin's kernels are OpenCL C, which that runtime compiles and
 * runs. Only a device that claims to be such a GPU is missing. The layer is for tests alone,
 * because the answers below are not true.
 *
 * The layer also counts the commands that carry bytes between host and device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_ext.h>
#include <CL/cl_layer.h>
#include <stdatomic.h>
#include <string.h>

static cl_icd_dispatch driver, layer;
static atomic_uint transfers;

/* For the test, which finds the function by dlsym. */
unsigned openvino_layer_transfers(void);
unsigned openvino_layer_transfers(void) {
  return atomic_load(&transfers);
}

static cl_int answer(const void *value, size_t bytes, size_t room, void *into, size_t *needed) {
  if (into != NULL && room < bytes) {
    return CL_INVALID_VALUE;
  }
  if (into != NULL) {
    memcpy(into, value, bytes);
  }
  if (needed != NULL) {
    *needed = bytes;
  }
  return CL_SUCCESS;
}

/* ---- what the plugin asks of a device ---- */

/* Whoever looks for a GPU finds the CPU. */
static cl_int CL_API_CALL devices(cl_platform_id platform, cl_device_type type, cl_uint room,
                                  cl_device_id *into, cl_uint *count) {
  const cl_device_type wanted = (type & CL_DEVICE_TYPE_GPU) != 0 ? CL_DEVICE_TYPE_CPU : type;
  return driver.clGetDeviceIDs(platform, wanted, room, into, count);
}

/* The type, and the queries of cl_intel_device_attribute_query. The version is 12.0, a GPU without
 * a matrix engine, for which the plugin has kernels in OpenCL C alone. The numbers of the device's
 * parts are plausible for a small GPU: the plugin derives sizes of launches from the numbers. */
typedef struct fact {
  cl_device_info name;
  cl_ulong value; /* little-endian: the first bytes equal a shorter integer */
  size_t bytes;
} fact;

static const fact facts[] = {
    {CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU, sizeof(cl_device_type)},
    {CL_DEVICE_IP_VERSION_INTEL, 12 << 22, sizeof(cl_version)},
    {CL_DEVICE_ID_INTEL, 1, sizeof(cl_uint)},
    {CL_DEVICE_NUM_SLICES_INTEL, 1, sizeof(cl_uint)},
    {CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL, 1, sizeof(cl_uint)},
    {CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL, 8, sizeof(cl_uint)},
    {CL_DEVICE_NUM_THREADS_PER_EU_INTEL, 7, sizeof(cl_uint)},
    {CL_DEVICE_FEATURE_CAPABILITIES_INTEL, 0, sizeof(cl_device_feature_capabilities_intel)},
};

/* Kernels for Intel's sub-groups read neighbouring registers of a GPU. On a CPU convolutions with
 * sub-groups are wrong, and without the extensions the plugin takes plain kernels. Without shared
 * memory the plugin has only buffers, and every transfer is a command that this layer sees. */
static void forget(char *extensions) {
  static const char *const unwanted[] = {"cl_intel_subgroups", "cl_intel_unified_shared_memory"};
  for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++) {
    for (char *at = extensions; (at = strstr(at, unwanted[i])) != NULL;) {
      memset(at, 'x', strcspn(at, " "));
    }
  }
}

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info name, size_t room,
                                      void *into, size_t *needed) {
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
    if (facts[i].name == name) {
      return answer(&facts[i].value, facts[i].bytes, room, into, needed);
    }
  }
  const cl_int code = driver.clGetDeviceInfo(device, name, room, into, needed);
  if (code == CL_SUCCESS && name == CL_DEVICE_EXTENSIONS && into != NULL) {
    forget(into);
  }
  return code;
}

/* The plugin queries a kernel's program after the release of the program, and Intel's CPU runtime
 * has then forgotten the program: tests/portability/defects/forgotten_program.c. So the program is
 * never released. */
static cl_int CL_API_CALL kernels(cl_program program, cl_uint room, cl_kernel *into,
                                  cl_uint *count) {
  if (into != NULL) {
    driver.clRetainProgram(program);
  }
  return driver.clCreateKernelsInProgram(program, room, into, count);
}

/* ---- transfers ---- */

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      size_t offset, size_t bytes, void *into, cl_uint waits,
                                      const cl_event *wait_list, cl_event *event) {
  atomic_fetch_add(&transfers, 1);
  return driver.clEnqueueReadBuffer(queue, buffer, blocking, offset, bytes, into, waits, wait_list,
                                    event);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       size_t offset, size_t bytes, const void *from, cl_uint waits,
                                       const cl_event *wait_list, cl_event *event) {
  atomic_fetch_add(&transfers, 1);
  return driver.clEnqueueWriteBuffer(queue, buffer, blocking, offset, bytes, from, waits, wait_list,
                                     event);
}

static void *CL_API_CALL map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                    cl_map_flags flags, size_t offset, size_t bytes, cl_uint waits,
                                    const cl_event *wait_list, cl_event *event, cl_int *code) {
  atomic_fetch_add(&transfers, 1);
  return driver.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, bytes, waits, wait_list,
                                   event, code);
}

/* ---- what the loader asks ---- */

cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t room, void *into, size_t *needed) {
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  return name == CL_LAYER_API_VERSION ? answer(&version, sizeof version, room, into, needed)
                                      : CL_INVALID_VALUE;
}

cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target,
                               cl_uint *entries_made, const cl_icd_dispatch **made) {
  const cl_uint known = sizeof driver / sizeof(void *);
  if (entries < known) {
    return CL_INVALID_VALUE;
  }
  memcpy(&driver, target, sizeof driver);
  layer = driver;
  layer.clGetDeviceIDs = devices;
  layer.clGetDeviceInfo = device_info;
  layer.clCreateKernelsInProgram = kernels;
  layer.clEnqueueReadBuffer = read_buffer;
  layer.clEnqueueWriteBuffer = write_buffer;
  layer.clEnqueueMapBuffer = map_buffer;
  *entries_made = known;
  *made = &layer;
  return CL_SUCCESS;
}
