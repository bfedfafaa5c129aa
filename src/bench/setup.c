/* SPDX-License-Identifier: Apache-2.0 */
#include "setup.h"

#include <string.h>

#include "fail.h"

/* Returns false if the driver does not tell. */
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
