/*
 * OpenCL without a device, for tests of the host part only. Buffers have a size and no bytes,
 * reading gives zeros, and kernels are built and launched but do nothing. A program that links
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
