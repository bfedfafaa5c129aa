/* SPDX-License-Identifier: Apache-2.0 */
#include "setup.h"

#include <string.h>

#include "fail.h"

/* No, if the driver does not tell. */
static bool is_gpu(cl_device_id device) {
  cl_device_type type = 0;
  return clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL) == CL_SUCCESS &&
         (type & CL_DEVICE_TYPE_GPU) != 0;
}

clrs_status bench_setup_open(const char *device, bench_setup *setup, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  memset(setup, 0, sizeof *setup);
  CLRS_TRY(cli_host_open(device, &setup->host, error));
  setup->device = cli_device_facts_read(setup->host.device);
  setup->is_gpu = is_gpu(setup->host.device);
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

clrs_status bench_write(const bench_setup *setup, cl_mem buffer, const void *bytes, size_t size,
                        clrs_error *error) {
  cl_event event = NULL;
  CLRS_TRY_OPENCL(
      "clEnqueueWriteBuffer",
      clEnqueueWriteBuffer(setup->queue, buffer, CL_FALSE, 0, size, bytes, 0, NULL, &event), error);
  return cli_host_wait(event, "writing a buffer", error);
}

clrs_status bench_poison(const bench_setup *setup, cl_mem buffer, uint64_t bytes,
                         clrs_error *error) {
  const unsigned char poison = BENCH_POISON;
  CLRS_TRY_OPENCL("clEnqueueFillBuffer",
                  clEnqueueFillBuffer(setup->queue, buffer, &poison, sizeof poison, 0,
                                      (size_t)bytes, 0, NULL, NULL),
                  error);
  return CLRS_OK;
}

void bench_release(cl_mem buffer) {
  if (buffer != NULL) {
    clReleaseMemObject(buffer);
  }
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
