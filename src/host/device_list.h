/*
 * The OpenCL devices of the machine, in the order of `clreshape devices`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif

#include <clreshape/clreshape.h>

/* "P:D": the number of a platform, and of a device of that platform, both from 0. */
typedef struct cli_device_id {
  cl_uint platform, device;
} cli_device_id;

typedef struct cli_device {
  cli_device_id id;
  cl_platform_id platform;
  cl_device_id device;
  cl_device_type type;
} cli_device;

typedef struct cli_device_list {
  size_t count; /* at least 1 */
  cli_device *devices;
} cli_device_list;

clrs_status cli_device_id_parse(const char *text, cli_device_id *id, clrs_error *error);

/* Lists all devices. Returns CLRS_OPENCL_ERROR with opencl_code CLI_NO_DEVICE if there is no
 * device. Fails if any driver fails, even if another driver offers a device. Otherwise a user would
 * silently get another device than the expected device. */
clrs_status cli_device_list_read(cli_device_list *list, clrs_error *error);
void cli_device_list_free(cli_device_list *list);

/* Finds the device that `text` ("P:D") names. NULL names the default device: the first GPU of any
 * platform, or else the first device of any platform. */
clrs_status cli_device_list_find(const cli_device_list *list, const char *text,
                                 cl_device_id *device, clrs_error *error);
