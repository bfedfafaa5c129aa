/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* nftw, RTLD_NEXT */
#include "compiled.h"

#include <dlfcn.h>
#include <ftw.h>

#include "harness/device.h"

static size_t libraries;

static int count_library(const char *path, const struct stat *status, int kind, struct FTW *at) {
  (void)status, (void)at;
  const size_t length = strlen(path);
  libraries += kind == FTW_F && length > 3 && strcmp(path + length - 3, ".so") == 0;
  return 0;
}

size_t compiled(void) {
  libraries = 0;
  assert_int_equal(nftw(getenv("POCL_CACHE_DIR"), count_library, 16, FTW_PHYS), 0);
  return libraries;
}

size_t compiled_at_launch;

__attribute__((visibility("default"))) cl_int CL_API_CALL
clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel called, cl_uint dims, const size_t *offset,
                       const size_t *global, const size_t *local, cl_uint waits,
                       const cl_event *wait_list, cl_event *event) {
  cl_int (*next)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                 const size_t *, cl_uint, const cl_event *, cl_event *);
  void *symbol = dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
  memcpy(&next, &symbol, sizeof symbol);
  compiled_at_launch = compiled();
  return next(queue, called, dims, offset, global, local, waits, wait_list, event);
}
