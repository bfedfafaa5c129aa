/*
 * Counts kernel launches and program builds of this process, by standing in front of the OpenCL
 * loader: a program that links launches.c must export its symbols (ENABLE_EXPORTS).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_LAUNCHES_H
#define CLRS_TEST_LAUNCHES_H

typedef struct opencl_counts {
  long launches;    /* clEnqueueNDRangeKernel */
  long from_source; /* clCreateProgramWithSource */
  long from_binary; /* clCreateProgramWithBinary */
} opencl_counts;

/* Since the process began. One thread. */
opencl_counts opencl_counted(void);

#endif
