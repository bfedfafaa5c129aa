/*
 * A driver whose compiler makes wrong code, in front of the OpenCL loader: after a launch of the
 * chosen kernel each blocking read gives a wrong byte. A program that links falsify.c must export
 * the symbols (ENABLE_EXPORTS).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_FALSIFY_H
#define CLRS_TEST_FALSIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct falsified {
  const char *kernel; /* the start of the names of the wrong kernels, NULL for none */
  size_t byte;        /* the wrong byte of a read */
  bool lacks_queues;  /* clCreateCommandQueue fails */
  int64_t launches;   /* clEnqueueNDRangeKernel, counted */
} falsified;

/* Of this process. One thread. */
extern falsified falsify;

#endif
