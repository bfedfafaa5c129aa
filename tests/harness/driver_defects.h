/*
 * Defects of OpenCL drivers that the tests meet, by platform and driver version. A test is as
 * strict as the standard on every driver that is not listed, so a newer version has to be right,
 * or to be listed. Each defect has a program in tests/portability/defects that shows it without
 * this library.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_DRIVER_DEFECTS_H
#define CLRS_TEST_DRIVER_DEFECTS_H

#include <stdbool.h>

#include <CL/cl.h>

typedef enum driver_defect {
  /* A command whose producer failed gets the status 0; clWaitForEvents says that it failed. */
  DEFECT_STATUS_OF_FAILED,
  /* Several commands behind one that failed: the failure is lost, or the process ends. */
  DEFECT_SEVERAL_FAILED,
  /* clFinish of an unordered queue never ends after a marker that failed. */
  DEFECT_FINISH_AFTER_FAILED,
  /* The process ends when a sub-buffer is released while a kernel uses the buffer it is part of. */
  DEFECT_SUB_BUFFER_RELEASE,
  /* Memory of a released queue is kept for later ones, of as many as lived at once. */
  DEFECT_QUEUES_KEPT,
  /* Unified shared memory that was freed keeps references to its context and its queues. */
  DEFECT_USM_REFERENCES,
  /* clFlush waits for what was enqueued, and so for events that only its caller can set. */
  DEFECT_FLUSH_WAITS,
  /* On an unordered queue, a command behind one whose producer failed runs, and succeeds. */
  DEFECT_FAILED_LATER,
  DEFECT_COUNT
} driver_defect;

/* Is it known of this device's driver? Then a line says so, once in a process. */
bool driver_has_defect(cl_device_id device, driver_defect defect);

#endif
