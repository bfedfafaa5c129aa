/*
 * Listing OpenCL devices and finding one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "escape.h"
#include "fail.h"
#include "integers.h"

enum { MOST_PLATFORMS = 64, MOST_DEVICES = 256 }; /* of one platform */

static clrs_status no_device(clrs_error *error) {
  cli_fail(error, CLRS_OPENCL_ERROR,
           "no OpenCL device: none of the installed OpenCL platforms offers one");
  if (error != NULL) {
    error->opencl_code = CL_DEVICE_NOT_FOUND;
  }
  return CLRS_OPENCL_ERROR;
}

static bool parse_number(const char *text, size_t length, cl_uint *number) {
  int64_t value;
  if (cli_integer_parse(text, length, &value, NULL) != CLRS_OK || value < 0 || value > 0xffff) {
    return false;
  }
  *number = (cl_uint)value;
  return true;
}

clrs_status cli_device_id_parse(const char *text, cli_device_id *id, clrs_error *error) {
  const char *colon = strchr(text, ':');
  cli_device_id parsed;
  if (colon == NULL || !parse_number(text, (size_t)(colon - text), &parsed.platform) ||
      !parse_number(colon + 1, strlen(colon + 1), &parsed.device)) {
    return cli_fail(error, CLRS_INVALID_ARGUMENT,
                    "'%s' is not a device; write PLATFORM:DEVICE, such as 0:0",
                    cli_show(text).text);
  }
  *id = parsed;
  return CLRS_OK;
}

/* Appends the devices of one platform. One that offers none is no error. */
static clrs_status append_platform(cl_platform_id platform, cl_uint number, cli_device_list *list,
                                   clrs_error *error) {
  cl_device_id found[MOST_DEVICES];
  cl_uint count = 0;
  cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, found, &count);
  if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && count == 0)) {
    return CLRS_OK;
  }
  if (code != CL_SUCCESS) {
    return cli_fail_opencl(error, code, "clGetDeviceIDs");
  }
  count = count < MOST_DEVICES ? count : MOST_DEVICES;
  cli_device *grown = realloc(list->devices, (list->count + count) * sizeof *grown);
  if (grown == NULL) {
    return cli_fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  list->devices = grown;
  for (cl_uint i = 0; i < count; i++) {
    cli_device device = {{number, i}, platform, found[i], 0};
    code = clGetDeviceInfo(found[i], CL_DEVICE_TYPE, sizeof device.type, &device.type, NULL);
    if (code != CL_SUCCESS) {
      return cli_fail_opencl(error, code, "clGetDeviceInfo(CL_DEVICE_TYPE)");
    }
    list->devices[list->count++] = device;
  }
  return CLRS_OK;
}

clrs_status cli_device_list_read(cli_device_list *list, clrs_error *error) {
  cl_platform_id platforms[MOST_PLATFORMS];
  cl_uint count = 0;
  clrs_status status = CLRS_OK;
  memset(list, 0, sizeof *list);
  /* Loaders differ in how they say that there is no platform: an error of their own, or 0. */
  if (clGetPlatformIDs(MOST_PLATFORMS, platforms, &count) != CL_SUCCESS) {
    return no_device(error);
  }
  count = count < MOST_PLATFORMS ? count : MOST_PLATFORMS;
  for (cl_uint i = 0; i < count && status == CLRS_OK; i++) {
    status = append_platform(platforms[i], i, list, error);
  }
  if (status == CLRS_OK && list->count == 0) {
    status = no_device(error);
  }
  if (status != CLRS_OK) {
    cli_device_list_free(list);
  }
  return status;
}

void cli_device_list_free(cli_device_list *list) {
  free(list->devices);
  memset(list, 0, sizeof *list);
}

static cl_device_id find_default(const cli_device_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    if (list->devices[i].type & CL_DEVICE_TYPE_GPU) {
      return list->devices[i].device;
    }
  }
  return list->devices[0].device;
}

clrs_status cli_device_list_find(const cli_device_list *list, const char *text,
                                 cl_device_id *device, clrs_error *error) {
  cli_device_id id = {0, 0};
  if (text == NULL) {
    *device = find_default(list);
    return CLRS_OK;
  }
  CLI_TRY(cli_device_id_parse(text, &id, error));
  for (size_t i = 0; i < list->count; i++) {
    const cli_device *candidate = &list->devices[i];
    if (candidate->id.platform == id.platform && candidate->id.device == id.device) {
      *device = candidate->device;
      return CLRS_OK;
    }
  }
  return cli_fail(error, CLRS_INVALID_ARGUMENT,
                  "there is no device %s; `clreshape devices` lists those that there are", text);
}
