/*
 * The host side of OpenCL that all commands share: choosing a device, and finding out whether an
 * enqueued command really ran.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif

#include <clreshape/clreshape.h>

typedef struct cli_host {
  cl_context context;
  cl_device_id device;
  cl_command_queue queue;    /* in order */
  clrs_device_report report; /* of the device */
  clrs_context *clreshape;
} cli_host;

/* Opens a device. `device` is "P:D", device number D of platform number P, as `clreshape devices`
 * lists devices. NULL takes the first GPU of any platform, or else the first device of any
 * platform. Returns CLRS_OPENCL_ERROR with opencl_code CLI_NO_DEVICE if there is no device.
 * cli_report turns that code into exit code 77. A driver that fails, or cannot write a cache, is
 * another failure with another message. On failure *host is all NULL and needs no close. */
clrs_status cli_host_open(const char *device, cli_host *host, clrs_error *error);
void cli_host_close(cli_host *host); /* closing an all-NULL host is allowed */

/* Reads the execution from the environment variable CLRS_EXECUTION: cpu or gpu, or
 * CLRS_EXECUTION_AUTO if the variable is not set. Returns CLRS_INVALID_ARGUMENT for any other
 * value. The library itself reads no environment, only options. */
clrs_status cli_execution_from_environment(clrs_execution *execution, clrs_error *error);

/* The kernel class of that name, as plans print it. "any" lets the planner choose. */
clrs_status cli_class_parse(const char *name, const char **kernel_class, clrs_error *error);

/* From now on every launch is of this class. Before any tensor is made. */
clrs_status cli_host_require_class(cli_host *host, const char *required, clrs_error *error);

/* Checks that `device` has the form "P:D". For usage errors, before any OpenCL call. */
clrs_status cli_host_check_device_text(const char *device, clrs_error *error);

/* Waits for the event, reads the command's result from the event, and releases the event. Only the
 * event tells the result: a blocking read can succeed after a failure. `what` names the command in
 * the message. */
clrs_status cli_host_wait(cl_event event, const char *what, clrs_error *error);

/* Checks after a failure that no command is still running. If false, memory that a command uses
 * must not be freed. The memory is the driver's until the process ends. */
bool cli_host_is_idle(cl_command_queue queue);
