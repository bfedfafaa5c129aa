/*
 * The OpenCL side of a test: the first device, with one queue, and helpers that fail the test if
 * OpenCL fails. Without a device a test program exits with 77 (skipped), or with 1 if
 * CLRS_REQUIRE_DEVICE=1 requires a device. A failing driver, or a PoCL that cannot write the kernel
 * cache, does not count as a missing device: the program exits with 1 and a sentence.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_DEVICE_H
#define CLRS_TEST_DEVICE_H

#include "check.h"

#include <stdbool.h>

#include "clreshape/clreshape.h"

#define CL_OK(call) assert_int_equal((call), CL_SUCCESS)

typedef struct test_device {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_uint context_references, queue_references; /* when opened */
} test_device;

/* Returns 0 if there is a device, else the return value of main. Call before any test runs. */
int device_missing(void);

/* The same, and the fault layer is wanted too. */
struct fault_layer;
int device_and_layer_missing(struct fault_layer *layer);

void device_open(test_device *device);
/* The same, on this device. */
void device_open_on(test_device *device, cl_device_id id);
/* Requires that nobody kept a reference to the context or the queue, then releases both. */
void device_close(test_device *device);

/* Creates a library context on the device. `limits` may be NULL. */
clrs_context *device_library(const test_device *device, const clrs_device_limits *limits);

/* Has the device steps of maps in f64? */
bool device_has_doubles(cl_device_id device);
/* Have kernels room for the arguments of a table, by which small moves share a launch? */
bool device_shares_launches(cl_device_id device);

/* Creates another queue. The caller releases the queue before device_close. */
cl_command_queue device_queue(const test_device *device, cl_command_queue_properties properties);
cl_mem device_buffer(const test_device *device, cl_mem_flags flags, size_t bytes);
/* The bytes are visible to every queue when these functions return. */
void device_write(const test_device *device, cl_mem buffer, size_t bytes, const void *from);
void device_write_at(const test_device *device, cl_mem buffer, size_t offset, size_t bytes,
                     const void *from);
void device_read(const test_device *device, cl_mem buffer, size_t bytes, void *to);
cl_uint device_references(cl_mem buffer);
/* Requires that `count` references are left, now or a little later. A driver may drop internal
 * references after the event of the command has completed. */
void device_require_references(cl_mem buffer, cl_uint count);

/* Calls clFlush, except on drivers known to wait in clFlush. There, commands begin at a wait at the
 * latest. */
void device_flush(const test_device *device, cl_command_queue queue);
/* Waits, requires that the command succeeded, and releases the event. */
void device_finish_event(cl_event event);
cl_int device_event_status(cl_event event);
/* Waits, and returns true if the command failed by the result of the wait and by the event status.
 * A driver that is known to lose the status (driver_defects.h) is asked for the wait's answer
 * only. */
bool device_event_fails(const test_device *device, cl_event event);

#endif
