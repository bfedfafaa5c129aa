/*
 * The host side of OpenCL that every command shares: choosing a device, and finding out whether a
 * command really ran.
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

/* `device` is "P:D", the device's number D in platform number P as `clreshape devices` lists them.
 * NULL takes the first GPU of any platform, or else the first device of any platform.
 * Without any device at all: CLRS_OPENCL_ERROR with opencl_code CLI_NO_DEVICE, which cli_report
 * turns into exit code 77. A driver that fails, or that cannot write its cache, is another failure
 * with another sentence. On failure *host is all NULL and needs no close. */
clrs_status cli_host_open(const char *device, cli_host *host, clrs_error *error);
void cli_host_close(cli_host *host); /* closing an all-NULL host is allowed */

/* The way of execution that the environment asks for in CLRS_EXECUTION: cpu or gpu, or
 * CLRS_EXECUTION_AUTO if it is not set. Any other value is CLRS_INVALID_ARGUMENT. The library
 * itself looks at nothing but its options. */
clrs_status cli_execution_from_environment(clrs_execution *execution, clrs_error *error);

/* The kernel class of that name, as plans print it; "any" lets the planner choose. */
clrs_status cli_class_parse(const char *name, const char **kernel_class, clrs_error *error);

/* From now on every launch is of this class. Before any tensor is made. */
clrs_status cli_host_require_class(cli_host *host, const char *required, clrs_error *error);

/* Is `device` of the form "P:D"? For usage errors, before any OpenCL call. */
clrs_status cli_host_check_device_text(const char *device, clrs_error *error);

/* Waits for the event, asks it how its command ended (no other call tells: a blocking read can
 * succeed after a failure) and releases it. `what` names the command in the message. */
clrs_status cli_host_wait(cl_event event, const char *what, clrs_error *error);

/* After a failure: is it known that no command goes on? Otherwise the memory that one uses must not
 * be freed; it is the driver's until the process ends. */
bool cli_host_is_idle(cl_command_queue queue);
