/*
 * Counts the OpenCL calls of this process, in front of the loader. A test can then check "one
 * launch" and "no memory" independently of the planner. A program that links opencl_counts.c must
 * export the symbols (ENABLE_EXPORTS). A shared object with the counts is loaded before the
 * library.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_OPENCL_COUNTS_H
#define CLRS_TEST_OPENCL_COUNTS_H

#include <stdint.h>

/* tests/conformance/chains/clreshape.py also declares this struct. */
typedef struct opencl_counts {
  int64_t launches;    /* clEnqueueNDRangeKernel */
  int64_t transfers;   /* clEnqueueCopyBuffer: would be a second pass in disguise */
  int64_t from_source; /* clCreateProgramWithSource */
  int64_t from_binary; /* clCreateProgramWithBinary */
  int64_t buffers;     /* clCreateBuffer, but for words that kernels only read */
  uint64_t buffer_bytes;
  int64_t event_questions; /* clGetEventInfo */
} opencl_counts;

/* Since the process began, or the counts were set to 0. One thread. */
opencl_counts opencl_counted(void);
void opencl_counts_reset(void);

#endif
