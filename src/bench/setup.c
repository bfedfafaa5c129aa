/* SPDX-License-Identifier: Apache-2.0 */
#include "setup.h"

#include <string.h>

#include "fail.h"

/* What a driver does not answer stays empty or 0. */
static void read_device(cl_device_id id, bench_device *device) {
  cl_platform_id platform = NULL;
  clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof device->name - 1, device->name, NULL);
  clGetDeviceInfo(id, CL_DRIVER_VERSION, sizeof device->driver - 1, device->driver, NULL);
  clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof device->compute_units,
                  &device->compute_units, NULL);
  clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof device->cache_bytes,
                  &device->cache_bytes, NULL);
  clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof device->memory_bytes, &device->memory_bytes,
                  NULL);
  clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
  if (platform != NULL) {
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof device->platform - 1, device->platform,
                      NULL);
  }
}

clrs_status bench_setup_open(const char *device, bench_setup *setup, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  memset(setup, 0, sizeof *setup);
  CLRS_TRY(cli_host_open(device, &setup->host, error));
  read_device(setup->host.device, &setup->device);
  setup->queue = clCreateCommandQueue(setup->host.context, setup->host.device,
                                      CL_QUEUE_PROFILING_ENABLE, &code);
  if (setup->queue == NULL) {
    cli_host_close(&setup->host);
    return clrs__fail_opencl(error, code, "clCreateCommandQueue");
  }
  return CLRS_OK;
}

void bench_setup_close(bench_setup *setup) {
  clReleaseCommandQueue(setup->queue);
  cli_host_close(&setup->host);
}

double bench_device_seconds(cl_event event) {
  cl_ulong begin = 0, end = 0;
  if (clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL) !=
          CL_SUCCESS ||
      clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) !=
          CL_SUCCESS ||
      end < begin) {
    return 0;
  }
  return (double)(end - begin) * 1e-9;
}
