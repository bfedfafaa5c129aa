/*
 * Programs as the driver's binaries, and for whom they are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_RUNTIME_PROGRAM_BINARY_H
#define CLRS_RUNTIME_PROGRAM_BINARY_H

#include "program.h"

/* One line that changes with whatever a binary depends on: this library's version, the text of its
 * kernels, the platform, the device and the driver's version. */
enum { CLRS__IDENTITY_BYTES = 1024 };
clrs_status clrs__programs_identity(cl_device_id device, char *text, size_t size,
                                    clrs_error *error);

/* Of the program that the kernel is from, for that device. */
clrs_status clrs__kernel_binary_size(cl_kernel kernel, cl_device_id device, size_t *size,
                                     clrs_error *error);
clrs_status clrs__kernel_binary_read(cl_kernel kernel, cl_device_id device, unsigned char *bytes,
                                     size_t size, clrs_error *error);

typedef struct clrs__binary {
  const unsigned char *bytes;
  size_t length;
} clrs__binary;

/* The binary must be one that the driver wrote: it may not survive another. */
clrs_status clrs__kernel_from_binary(cl_context context, cl_device_id device, clrs__variant variant,
                                     const clrs__binary *binary, cl_kernel *kernel,
                                     clrs_error *error);

#endif
