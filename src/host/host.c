/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_list.h"
#include "fail.h"
#include "pocl_cache.h"
#include "text.h"

clrs_status cli_host_check_device_text(const char *device, clrs_error *error) {
  cli_device_id id;
  return cli_device_id_parse(device, &id, error);
}

static clrs_status find_device(const char *text, cl_device_id *device, clrs_error *error) {
  cli_device_list list;
  CLRS_TRY(cli_device_list_read(&list, error));
  clrs_status status = cli_device_list_find(&list, text, device, error);
  cli_device_list_free(&list);
  return status;
}

clrs_status cli_class_parse(const char *name, const char **kernel_class, clrs_error *error) {
  char known[400] = "";
  for (size_t i = 0; clrs_class_name(i) != NULL; i++) {
    if (strcmp(name, clrs_class_name(i)) == 0) {
      *kernel_class = i > 0 ? clrs_class_name(i) : NULL;
      return CLRS_OK;
    }
    const size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", clrs_class_name(i));
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "unknown class '%s'; known are %s",
                    clrs__show(name).text, known);
}

clrs_status cli_execution_from_environment(clrs_execution *execution, clrs_error *error) {
  const char *wish = getenv("CLRS_EXECUTION");
  if (wish == NULL) {
    *execution = CLRS_EXECUTION_AUTO;
  } else if (strcmp(wish, "cpu") == 0) {
    *execution = CLRS_EXECUTION_CPU;
  } else if (strcmp(wish, "gpu") == 0) {
    *execution = CLRS_EXECUTION_GPU;
  } else {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the environment's CLRS_EXECUTION is \"%.40s\"; it must be cpu or gpu", wish);
  }
  return CLRS_OK;
}

static clrs_status open_library(cli_host *host, const char *required, clrs_error *error) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  options.context = host->context;
  options.device = host->device;
  options.limits.required_class = required;
  CLRS_TRY(cli_execution_from_environment(&options.limits.execution, error));
  return clrs_context_create(&options, &host->clreshape, error);
}

/* Checks PoCL's cache and linker. Without a cache PoCL lists a device, but no kernel builds, and
 * the log does not say why. Without a linker PoCL works until PoCL has to compile, so a missing
 * linker only prints a message. */
static clrs_status check_pocl(cl_device_id device, clrs_error *error) {
  char sentence[600];
  cl_platform_id platform = NULL;
  if (clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) != CL_SUCCESS ||
      !cli_pocl_is(platform)) {
    return CLRS_OK;
  }
  if (!cli_pocl_finds_linker()) {
    cli_complain("there is no program ld in PATH: PoCL aborts this process if it has to compile a "
                 "kernel; install binutils, or add the folder of ld to PATH");
  }
  return cli_pocl_cache_works(sentence, sizeof sentence)
             ? CLRS_OK
             : clrs__fail(error, CLRS_OPENCL_ERROR, "%s", sentence);
}

static clrs_status open_opencl(cli_host *host, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  CLRS_TRY(check_pocl(host->device, error));
  host->context = clCreateContext(NULL, 1, &host->device, NULL, NULL, &code);
  if (host->context == NULL) {
    return clrs__fail_opencl(error, code, "clCreateContext");
  }
  CLRS_TRY(clrs_device_describe(host->device, &host->report, error));
  host->queue = clCreateCommandQueue(host->context, host->device, 0, &code);
  if (host->queue == NULL) {
    return clrs__fail_opencl(error, code, "clCreateCommandQueue");
  }
  return open_library(host, NULL, error);
}

clrs_status cli_host_open(const char *device, cli_host *host, clrs_error *error) {
  memset(host, 0, sizeof *host);
  CLRS_TRY(find_device(device, &host->device, error));
  clrs_status status = open_opencl(host, error);
  if (status != CLRS_OK) {
    cli_host_close(host);
  }
  return status;
}

clrs_status cli_host_require_class(cli_host *host, const char *required, clrs_error *error) {
  clrs_context_release(host->clreshape);
  host->clreshape = NULL;
  return open_library(host, required, error);
}

void cli_host_close(cli_host *host) {
  clrs_context_release(host->clreshape);
  if (host->queue != NULL) {
    clReleaseCommandQueue(host->queue);
  }
  if (host->context != NULL) {
    clReleaseContext(host->context);
  }
  memset(host, 0, sizeof *host);
}

bool cli_host_is_idle(cl_command_queue queue) {
  return clFinish(queue) == CL_SUCCESS;
}

clrs_status cli_host_wait(cl_event event, const char *what, clrs_error *error) {
  cl_int outcome = CL_COMPLETE;
  cl_int waited = clWaitForEvents(1, &event);
  cl_int asked =
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof outcome, &outcome, NULL);
  clReleaseEvent(event);
  if (asked == CL_SUCCESS && outcome < 0) {
    return clrs__fail_opencl(error, outcome, what);
  }
  if (waited != CL_SUCCESS) {
    return clrs__fail_opencl(error, waited, what);
  }
  if (asked != CL_SUCCESS || outcome != CL_COMPLETE) {
    return clrs__fail(error, CLRS_OPENCL_ERROR, "%s: its outcome is not known (OpenCL error %d)",
                      what, asked);
  }
  return CLRS_OK;
}
