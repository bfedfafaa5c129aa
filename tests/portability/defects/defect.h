/*
 * Shared by the programs of this folder. Each program shows a behaviour of drivers, with OpenCL
 * alone. It prints a sentence and ends with 0 (as the standard says), 1 (the defect is there) or 77
 * (this device cannot show the defect). The question runs in a separate process, because a driver
 * may end the process or wait for ever.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_DEFECT_H
#define CLRS_TEST_DEFECT_H

#include <CL/cl.h>

enum { DEFECT_NONE = 0, DEFECT_SHOWN = 1, DEFECT_CANNOT_TELL = 77 };

typedef struct opened {
  cl_device_id device;
  cl_context context;
  cl_command_queue in_order;
  cl_kernel kernel; /* writes 7 into the int at the work-item's place in the only argument */
  cl_program program;
  cl_mem buffer; /* 4096 ints, all 0, the kernel's argument */
} opened;

/* Ends the process with DEFECT_CANNOT_TELL where an OpenCL call fails. */
void need(cl_int code, const char *what);
opened defect_open(void);
/* A kernel of another source, with the buffer as the only argument. */
cl_kernel defect_kernel(const opened *o, const char *source, const char *name);
cl_command_queue defect_unordered(const opened *o);
cl_event defect_gate(const opened *o);
cl_int defect_status(cl_event event);
/* Flushes the queue, so the device begins with commands that wait for nothing. Not on Oclgrind,
 * which would wait for all commands (flush_waits.c). */
void defect_flush(const opened *o, cl_command_queue queue);
/* Launches four work-items of the kernel. Waits for `gate` unless NULL. */
cl_event defect_launch(const opened *o, cl_command_queue queue, cl_event gate);

/* Runs `ask` in a separate process and returns the result. If the process dies or takes longer than
 * 30 s, times $CLRS_MATRIX_PATIENCE, the sentence is `verdict`, with the kind of end. */
int defect_ask(int (*ask)(void), const char *verdict);

#endif
