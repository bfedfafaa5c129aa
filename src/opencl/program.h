/*
 * Programs: one per kernel variant. A variant is a class, the width of its units and of its index
 * arithmetic - never a shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_PROGRAM_H
#define CLRS_PROGRAM_H

#include "arguments.h"
#include "quirks.h"

typedef struct clrs__variant {
  clrs_class kernel_class;
  uint32_t unit_bits, index_bits;
  uint32_t nest_axes, level_axes; /* room for them; levels make it follow a stack */
  bool msb_first, interleaves, fills, is_blocked;
  bool is_batched; /* reads its moves from a table */
} clrs__variant;

clrs__variant clrs__launch_variant(const clrs_launch *launch);
/* The variant that carries out many such launches as one. */
clrs__variant clrs__batch_variant(const clrs_launch *launch);
bool clrs__variant_equal(clrs__variant a, clrs__variant b);

/* What the variant's program is built with, for any device. */
enum { CLRS__OPTIONS_BYTES = 256 };
void clrs__variant_options(clrs__variant variant, char *options, size_t size);

/* The files of kernels/ that make up the variant's program, in the order in which they include each
 * other, without ".cl". No others: a compiler that cannot digest one of them needs only those. */
typedef struct clrs__kernel_files {
  size_t count;
  const char *names[4];
} clrs__kernel_files;
clrs__kernel_files clrs__variant_files(clrs__variant variant);

/* For whom programs are built. */
typedef struct clrs__program_target {
  cl_context context;
  cl_device_id device;
  clrs_compile_path compile_path;
} clrs__program_target;

/* A kernel and its program. OpenCL lets a kernel keep its program alive, but Intel's CPU runtime
 * forgets a program at its last release, so both are held. */
typedef struct clrs__built_kernel {
  clrs__variant variant;
  cl_program program;
  cl_kernel kernel;
} clrs__built_kernel;
void clrs__built_kernel_release(clrs__built_kernel *built);

/* Builds a program of the variant, from source or binary, and creates its kernel. Takes over the
 * reference to the program, also on failure. */
clrs_status clrs__program_finish(cl_program program, const clrs__program_target *target,
                                 clrs__variant variant, clrs__built_kernel *built,
                                 clrs_error *error);

/* Builds the variant's program and creates its kernel. Blocks while the driver compiles.
 * CLRS_BUILD_FAILURE ends in the log. */
clrs_status clrs__kernel_build(const clrs__program_target *target, clrs__variant variant,
                               clrs__built_kernel *built, clrs_error *error);

#endif
