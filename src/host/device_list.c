/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_list.h"
#include "fail.h"
#include "integers.h"
#include "pocl_cache.h"
#include "text.h"

enum { PLATFORM_NOT_FOUND = -1001 };              /* CL_PLATFORM_NOT_FOUND_KHR, of the loader */
enum { MOST_PLATFORMS = 64, MOST_DEVICES = 256 }; /* of one platform */

static bool parse_number(const char *text, size_t length, cl_uint *number) {
  int64_t value;
  if (clrs__integer_parse(text, length, &value, NULL) != CLRS_OK || value < 0 || value > 0xffff) {
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
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "'%s' is not a device; write PLATFORM:DEVICE, such as 0:0",
                      clrs__show(text).text);
  }
  *id = parsed;
  return CLRS_OK;
}

/* ---- what there is, and why there is nothing ---- */

#define ANOTHER_DRIVER "set OCL_ICD_VENDORS to the folder with the .icd file of a driver that does"

static clrs_status fail_platforms(cl_int code, clrs_error *error) {
  (void)clrs__fail_opencl(error, code, "clGetPlatformIDs");
  clrs__append(error, ": the OpenCL loader or a driver does not work; reinstall it, "
                      "or " ANOTHER_DRIVER);
  return CLRS_OPENCL_ERROR;
}

static clrs_status no_platform(clrs_error *error) {
  return cli_fail_no_device(
      error, "no OpenCL device: no OpenCL platform is installed; install a driver, "
             "such as pocl-opencl-icd for the CPU or that of the GPU's maker, or set "
             "OCL_ICD_VENDORS to the folder with its .icd file");
}

/* Checks PoCL's cache. PoCL offers at least the CPU unless PoCL failed or was told to hide the
 * CPU. */
static clrs_status check_caches(const cl_platform_id *platforms, cl_uint count, clrs_error *error) {
  char sentence[600];
  for (cl_uint i = 0; i < count; i++) {
    if (cli_pocl_is(platforms[i]) && !cli_pocl_cache_works(sentence, sizeof sentence)) {
      return clrs__fail(error, CLRS_OPENCL_ERROR, "%s", sentence);
    }
  }
  return CLRS_OK;
}

static clrs_status no_device(const cl_platform_id *platforms, cl_uint count, clrs_error *error) {
  char names[400] = "", name[100];
  size_t used = 0;
  CLRS_TRY(check_caches(platforms, count, error));
  for (cl_uint i = 0; i < count && used < sizeof names - 1; i++) {
    snprintf(name, sizeof name, "platform %u", i);
    (void)clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
    snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", clrs__show(name).text);
    used = strlen(names);
  }
  return cli_fail_no_device(error,
                            "no OpenCL device: none of the installed OpenCL platforms (%s) offers "
                            "one; install the driver of a device, such as pocl-opencl-icd for the "
                            "CPU, or unset what hides it, such as POCL_DEVICES",
                            names);
}

static clrs_status fail_devices(cl_platform_id platform, cl_int code, clrs_error *error) {
  char name[100] = "";
  (void)clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
  (void)clrs__fail_opencl(error, code, "clGetDeviceIDs");
  clrs__append(error,
               ": the driver of the platform \"%s\" does not work; reinstall it, "
               "or " ANOTHER_DRIVER,
               clrs__show(name).text);
  return CLRS_OPENCL_ERROR;
}

static clrs_status append_devices(const cli_device *first, cl_uint count, const cl_device_id *found,
                                  cli_device_list *list, clrs_error *error) {
  cli_device *grown = realloc(list->devices, (list->count + count) * sizeof *grown);
  if (grown == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  list->devices = grown;
  for (cl_uint i = 0; i < count; i++) {
    cli_device device = *first;
    device.id.device = i;
    device.device = found[i];
    const cl_int code =
        clGetDeviceInfo(found[i], CL_DEVICE_TYPE, sizeof device.type, &device.type, NULL);
    if (code != CL_SUCCESS) {
      return clrs__fail_opencl(error, code, "clGetDeviceInfo(CL_DEVICE_TYPE)");
    }
    list->devices[list->count++] = device;
  }
  return CLRS_OK;
}

/* Appends the devices of one platform. A platform without devices is no error. */
static clrs_status append_platform(cl_platform_id platform, cl_uint number, cli_device_list *list,
                                   clrs_error *error) {
  const cli_device first = {{number, 0}, platform, NULL, 0};
  cl_device_id found[MOST_DEVICES];
  cl_uint count = 0;
  cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, found, &count);
  if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && count == 0)) {
    return CLRS_OK;
  }
  if (code != CL_SUCCESS) {
    return fail_devices(platform, code, error);
  }
  return append_devices(&first, count < MOST_DEVICES ? count : MOST_DEVICES, found, list, error);
}

clrs_status cli_device_list_read(cli_device_list *list, clrs_error *error) {
  cl_platform_id platforms[MOST_PLATFORMS];
  cl_uint count = 0;
  clrs_status status = CLRS_OK;
  memset(list, 0, sizeof *list);
  /* Loaders report a missing platform in two ways: an error code, or a count of 0. */
  const cl_int code = clGetPlatformIDs(MOST_PLATFORMS, platforms, &count);
  if (code == PLATFORM_NOT_FOUND || (code == CL_SUCCESS && count == 0)) {
    return no_platform(error);
  }
  if (code != CL_SUCCESS) {
    return fail_platforms(code, error);
  }
  count = count < MOST_PLATFORMS ? count : MOST_PLATFORMS;
  for (cl_uint i = 0; i < count && status == CLRS_OK; i++) {
    status = append_platform(platforms[i], i, list, error);
  }
  if (status == CLRS_OK && list->count == 0) {
    status = no_device(platforms, count, error);
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
  CLRS_TRY(cli_device_id_parse(text, &id, error));
  for (size_t i = 0; i < list->count; i++) {
    const cli_device *candidate = &list->devices[i];
    if (candidate->id.platform == id.platform && candidate->id.device == id.device) {
      *device = candidate->device;
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "there is no device %s; `clreshape devices` lists those that there are", text);
}
