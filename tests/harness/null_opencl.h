/*
 * OpenCL without a device, for what has to know only what the host does: buffers have a size and no
 * bytes, reading gives zeros, kernels are built and launched and do nothing. A program that links
 * null_opencl.c calls these functions instead of the system's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_NULL_OPENCL_H
#define CLRS_TEST_NULL_OPENCL_H

#include <stddef.h>

#include <CL/cl.h>

cl_context null_opencl_context(void);
cl_device_id null_opencl_device(void);
cl_command_queue null_opencl_queue(void);

/* Buffers, events, programs and kernels that were made and not released. */
size_t null_opencl_live(void);

#endif
