/*
 * The OpenCL devices of the machine, in the order in which `clreshape devices` numbers them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif

#include <clreshape/clreshape.h>

/* "P:D": which device of which platform, from 0. */
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

/* Without any device: CLRS_OPENCL_ERROR with opencl_code CLI_NO_DEVICE. A driver that fails is a
 * failure, also where another offers a device: nobody is to get another device than the one that
 * they count on without a word. */
clrs_status cli_device_list_read(cli_device_list *list, clrs_error *error);
void cli_device_list_free(cli_device_list *list);

/* The device that `text` ("P:D") names, or the default one for NULL: the first GPU of any
 * platform, or else the first device of any. */
clrs_status cli_device_list_find(const cli_device_list *list, const char *text,
                                 cl_device_id *device, clrs_error *error);
