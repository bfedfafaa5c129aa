/*
 * The OpenCL C files of kernels/, embedded byte for byte when the library is built.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stddef.h>

struct clrs__kernel_source {
  const char *name;          /* name of the file, without ".cl" */
  const unsigned char *text; /* `length` bytes, no NUL after them */
  size_t length;
};

extern const struct clrs__kernel_source clrs__kernel_sources[];
extern const size_t clrs__kernel_source_count;
