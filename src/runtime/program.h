/*
 * Programs: one per kernel variant. A variant is a class, the width of its units and of its index
 * arithmetic - never a shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_RUNTIME_PROGRAM_H
#define CLRS_RUNTIME_PROGRAM_H

#include "arguments.h"
#include "device.h"

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

/* What the variant's program is built with. */
enum { CLRS__OPTIONS_BYTES = 256 };
void clrs__variant_options(clrs__variant variant, char *options, size_t size);

/* Builds a program of the variant, from source or binary, and creates its kernel. */
clrs_status clrs__program_finish(cl_program program, cl_device_id device, clrs__variant variant,
                                 cl_kernel *kernel, clrs_error *error);

/* Builds the variant's program and creates its kernel. Blocks while the driver compiles. The
 * caller releases the kernel, which keeps its program alive. CLRS_BUILD_FAILURE ends in the log. */
clrs_status clrs__kernel_build(cl_context context, cl_device_id device, clrs__variant variant,
                               cl_kernel *kernel, clrs_error *error);

#endif
