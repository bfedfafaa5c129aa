/*
 * Binaries of programs, as the driver gives them, and the identity of the device that the binaries
 * are for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "blob.h"
#include "program.h"

/* One line of text that changes with everything that a binary depends on: the version of this
 * library, the text of the kernels, the build options, the platform, the device and the driver. For
 * a CPU device the line also has a checksum of the processor's abilities. */
enum { CLRS__IDENTITY_BYTES = 1024 };
clrs_status clrs__programs_identity(const clrs__program_target *target, char *text, size_t size,
                                    clrs_error *error);

/* Reads the binary for that device. With room == NULL only sets *size. With room, *size must be the
 * size from an earlier call without room, and the binary is written to `room`. */
clrs_status clrs__program_binary(cl_program program, cl_device_id device, unsigned char *room,
                                 size_t *size, clrs_error *error);

/* The binary must come from the driver: the driver may end the process over any other bytes. */
clrs_status clrs__kernel_from_binary(const clrs__program_target *target, clrs__variant variant,
                                     clrs__bytes binary, clrs__built_kernel *built,
                                     clrs_error *error);
