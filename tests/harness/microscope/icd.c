/*
 * The microscope's front end: the platform, the device, and the dispatch table of the loader.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "objects.h"

#define EXPORTED __attribute__((visibility("default")))

struct _cl_platform_id microscope_platform = {{&microscope_dispatch, 1}};
struct _cl_device_id microscope_device = {{&microscope_dispatch, 1}};

static cl_int tell_text(size_t room, void *value, size_t *size, const char *text) {
  return object_tell(room, value, size, text, strlen(text) + 1);
}

static cl_int CL_API_CALL my_clGetPlatformInfo(cl_platform_id platform, cl_platform_info name,
                                               size_t room, void *value, size_t *size) {
  (void)platform;
  switch (name) {
  case CL_PLATFORM_PROFILE:
    return tell_text(room, value, size, "FULL_PROFILE");
  case CL_PLATFORM_VERSION:
    return tell_text(room, value, size, "OpenCL 1.2 microscope");
  case CL_PLATFORM_NAME:
  case CL_PLATFORM_VENDOR:
    return tell_text(room, value, size, "clreshape microscope");
  case CL_PLATFORM_EXTENSIONS:
    return tell_text(room, value, size, "cl_khr_icd");
  case CL_PLATFORM_ICD_SUFFIX_KHR:
    return tell_text(room, value, size, "CLRS");
  default:
    return CL_INVALID_VALUE;
  }
}

static cl_int CL_API_CALL my_clGetDeviceIDs(cl_platform_id platform, cl_device_type type,
                                            cl_uint room, cl_device_id *devices, cl_uint *count) {
  (void)platform;
  if ((type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT)) == 0) {
    return CL_DEVICE_NOT_FOUND;
  }
  if (devices != NULL && room > 0) {
    devices[0] = &microscope_device;
  }
  if (count != NULL) {
    *count = 1;
  }
  return CL_SUCCESS;
}

static cl_int tell_number(size_t room, void *value, size_t *size, uint64_t number, size_t bytes) {
  return object_tell(room, value, size, &number, bytes); /* little-endian, as this machine is */
}

static cl_int device_text(cl_device_info name, size_t room, void *value, size_t *size) {
  switch (name) {
  case CL_DEVICE_NAME:
  case CL_DEVICE_VENDOR:
    return tell_text(room, value, size, "clreshape microscope");
  case CL_DEVICE_VERSION:
    return tell_text(room, value, size, "OpenCL 1.2 microscope");
  case CL_DRIVER_VERSION:
    return tell_text(room, value, size, "1");
  case CL_DEVICE_OPENCL_C_VERSION:
    return tell_text(room, value, size, "OpenCL C 1.2 microscope");
  case CL_DEVICE_PROFILE:
    return tell_text(room, value, size, "FULL_PROFILE");
  case CL_DEVICE_EXTENSIONS:
    return tell_text(room, value, size, "");
  default:
    return CL_INVALID_VALUE;
  }
}

static cl_int CL_API_CALL my_clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t room,
                                             void *value, size_t *size) {
  (void)device;
  const cl_platform_id platform = &microscope_platform;
  const size_t group_sizes[3] = {1024, 1024, 1024};
  switch (name) {
  case CL_DEVICE_TYPE:
    return tell_number(room, value, size, CL_DEVICE_TYPE_CPU, sizeof(cl_device_type));
  case CL_DEVICE_PLATFORM:
    return object_tell(room, value, size, &platform, sizeof platform);
  case CL_DEVICE_MAX_WORK_ITEM_SIZES:
    return object_tell(room, value, size, group_sizes, sizeof group_sizes);
  case CL_DEVICE_MAX_WORK_GROUP_SIZE:
    return tell_number(room, value, size, 1024, sizeof(size_t));
  case CL_DEVICE_MAX_PARAMETER_SIZE:
    return tell_number(room, value, size, MAX_ARGUMENT_BYTES, sizeof(size_t));
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
  case CL_DEVICE_GLOBAL_MEM_SIZE:
    return tell_number(room, value, size, (uint64_t)1 << 36, sizeof(cl_ulong));
  case CL_DEVICE_LOCAL_MEM_SIZE:
    return tell_number(room, value, size, 32768, sizeof(cl_ulong));
  case CL_DEVICE_SINGLE_FP_CONFIG: /* this machine's */
  case CL_DEVICE_DOUBLE_FP_CONFIG:
    return tell_number(room, value, size,
                       CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
                           CL_FP_ROUND_TO_INF | CL_FP_FMA | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT,
                       sizeof(cl_device_fp_config));
  case CL_DEVICE_QUEUE_PROPERTIES:
    return tell_number(room, value, size, 0, sizeof(cl_command_queue_properties));
  case CL_DEVICE_MAX_COMPUTE_UNITS:
  case CL_DEVICE_AVAILABLE:
  case CL_DEVICE_COMPILER_AVAILABLE:
  case CL_DEVICE_HOST_UNIFIED_MEMORY:
  case CL_DEVICE_ENDIAN_LITTLE:
    return tell_number(room, value, size, 1, sizeof(cl_uint));
  case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
    return tell_number(room, value, size, 3, sizeof(cl_uint));
  case CL_DEVICE_ADDRESS_BITS:
    return tell_number(room, value, size, 64, sizeof(cl_uint));
  case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
    return tell_number(room, value, size, 1024, sizeof(cl_uint));
  default:
    return device_text(name, room, value, size);
  }
}

static cl_int CL_API_CALL my_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                      cl_kernel_work_group_info name, size_t room,
                                                      void *value, size_t *size) {
  (void)kernel, (void)device;
  return name == CL_KERNEL_WORK_GROUP_SIZE ? tell_number(room, value, size, 1024, sizeof(size_t))
                                           : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL my_clRetainDevice(cl_device_id device) {
  (void)device;
  return CL_SUCCESS;
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room,
                                                                cl_platform_id *platforms,
                                                                cl_uint *count) {
  if (platforms != NULL && room > 0) {
    platforms[0] = &microscope_platform;
  }
  if (count != NULL) {
    *count = 1;
  }
  return CL_SUCCESS;
}

EXPORTED CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) {
  if (strcmp(name, "clIcdGetPlatformIDsKHR") != 0) {
    return NULL;
  }
  cl_int(CL_API_CALL *const function)(cl_uint, cl_platform_id *, cl_uint *) =
      clIcdGetPlatformIDsKHR;
  void *address = NULL;
  memcpy(&address, &function, sizeof address);
  return address;
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform,
                                                           cl_platform_info name, size_t room,
                                                           void *value, size_t *size) {
  return my_clGetPlatformInfo(platform, name, room, value, size);
}

#define ENTRY(name) .name = my_##name

const cl_icd_dispatch microscope_dispatch = {
    ENTRY(clGetPlatformInfo),
    ENTRY(clGetDeviceIDs),
    ENTRY(clGetDeviceInfo),
    ENTRY(clRetainDevice),
    .clReleaseDevice = my_clRetainDevice,
    ENTRY(clCreateContext),
    ENTRY(clRetainContext),
    ENTRY(clReleaseContext),
    ENTRY(clGetContextInfo),
    ENTRY(clCreateCommandQueue),
    ENTRY(clRetainCommandQueue),
    ENTRY(clReleaseCommandQueue),
    ENTRY(clGetCommandQueueInfo),
    ENTRY(clFlush),
    ENTRY(clFinish),
    ENTRY(clWaitForEvents),
    ENTRY(clGetEventInfo),
    ENTRY(clRetainEvent),
    ENTRY(clReleaseEvent),
    ENTRY(clEnqueueMarkerWithWaitList),
    .clEnqueueBarrierWithWaitList = my_clEnqueueMarkerWithWaitList,
    ENTRY(clCreateBuffer),
    ENTRY(clCreateSubBuffer),
    ENTRY(clRetainMemObject),
    ENTRY(clReleaseMemObject),
    ENTRY(clGetMemObjectInfo),
    ENTRY(clEnqueueReadBuffer),
    ENTRY(clEnqueueWriteBuffer),
    ENTRY(clEnqueueCopyBuffer),
    ENTRY(clEnqueueFillBuffer),
    ENTRY(clEnqueueMapBuffer),
    ENTRY(clEnqueueUnmapMemObject),
    ENTRY(clCreateProgramWithSource),
    ENTRY(clRetainProgram),
    ENTRY(clReleaseProgram),
    ENTRY(clBuildProgram),
    ENTRY(clGetProgramBuildInfo),
    ENTRY(clCreateKernel),
    ENTRY(clRetainKernel),
    ENTRY(clReleaseKernel),
    ENTRY(clGetKernelWorkGroupInfo),
    ENTRY(clSetKernelArg),
    ENTRY(clEnqueueNDRangeKernel),
};
