/*
 * Programs as the driver's binaries, and for whom they are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "blob.h"
#include "program.h"

/* One line that changes with whatever a binary depends on: this library's version, the text of its
 * kernels, how they are compiled, the platform, the device, what the processor can do if that is
 * the device, and the driver's version. */
enum { CLRS__IDENTITY_BYTES = 1024 };
clrs_status clrs__programs_identity(const clrs__program_target *target, char *text, size_t size,
                                    clrs_error *error);

/* What the program has for that device: *size says how much. With room for *size bytes, which a
 * call without room said, the binary is written there. */
clrs_status clrs__program_binary(cl_program program, cl_device_id device, unsigned char *room,
                                 size_t *size, clrs_error *error);

/* The binary must be one that the driver wrote: it may not survive another. */
clrs_status clrs__kernel_from_binary(const clrs__program_target *target, clrs__variant variant,
                                     clrs__bytes binary, clrs__built_kernel *built,
                                     clrs_error *error);
