/*
 * Programs: one per kernel variant.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "quirks.h"
#include "variant.h"

/* The context and device that programs are built for, and how to build. */
typedef struct clrs__program_target {
  cl_context context;
  cl_device_id device;
  clrs_compile_path compile_path;
  bool never_inlines, inlines_first, loses_static, lacks_keywords, copies_words; /* quirks.h */
  bool words_in_buffer; /* the words of a move are in a buffer */
  uint64_t processor;   /* from the quirks */
} clrs__program_target;

/* A kernel and its program. OpenCL lets a kernel keep the program alive, but Intel's CPU runtime
 * forgets a program at the program's last release. Both are therefore held. */
typedef struct clrs__built_kernel {
  clrs__variant variant;
  cl_program program;
  cl_kernel kernel;
  size_t most_items; /* work-items of a group: CL_KERNEL_WORK_GROUP_SIZE, or the device's limit */
} clrs__built_kernel;
void clrs__built_kernel_release(clrs__built_kernel *built);

/* The kernel's name and the build options. Programs with equal titles are equal. */
enum { CLRS__TITLE_BYTES = CLRS__OPTIONS_BYTES + 32 };
void clrs__program_title(const clrs__variant *variant, char title[CLRS__TITLE_BYTES]);

/* Builds a program of the variant, from source or binary, and creates the kernel. Takes over the
 * reference to the program, also on failure. */
clrs_status clrs__program_finish(cl_program program, const clrs__program_target *target,
                                 clrs__variant variant, clrs__built_kernel *built,
                                 clrs_error *error);

/* Builds the variant's program and creates the kernel. Blocks while the driver compiles. The
 * message of CLRS_BUILD_FAILURE ends with the build log. */
clrs_status clrs__kernel_build(const clrs__program_target *target, clrs__variant variant,
                               clrs__built_kernel *built, clrs_error *error);
