/*
 * Defects of OpenCL drivers that the tests meet, by platform and driver version. A test is as
 * strict as the standard on every driver that is not listed, so a newer version has to be right, or
 * to be listed. Each defect has a program in tests/portability/defects that shows the defect
 * without this library.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_DRIVER_DEFECTS_H
#define CLRS_TEST_DRIVER_DEFECTS_H

#include <stdbool.h>

#include <CL/cl.h>

typedef enum driver_defect {
  /* A command with a failed producer gets the status 0, although clWaitForEvents reports the
   * failure. */
  DEFECT_STATUS_OF_FAILED,
  /* With several commands behind a failed command, the failure is lost or the process ends. */
  DEFECT_SEVERAL_FAILED,
  /* clFinish of an unordered queue never ends after a marker that failed. */
  DEFECT_FINISH_AFTER_FAILED,
  /* The process ends when a sub-buffer is released while a kernel uses the parent buffer. */
  DEFECT_SUB_BUFFER_RELEASE,
  /* Memory of released queues is kept for later queues, as much as for the peak number of live
   * queues. */
  DEFECT_QUEUES_KEPT,
  /* Freed unified shared memory keeps references to the context and the queues. */
  DEFECT_USM_REFERENCES,
  /* clFlush waits for enqueued commands, and so for events that only the caller can set. */
  DEFECT_FLUSH_WAITS,
  /* On an unordered queue, a command with a failed producer runs and succeeds. */
  DEFECT_FAILED_LATER,
  DEFECT_COUNT
} driver_defect;

/* Returns true if the driver of this device has the defect. Then a line says so, once in a
 * process. */
bool driver_has_defect(cl_device_id device, driver_defect defect);

#endif
