/*
 * The OpenCL side of a test: the first device, with one queue, and helpers that fail the test
 * where OpenCL fails. Without a device a test program exits with 77 (skipped), or with 1 where
 * CLRS_REQUIRE_DEVICE=1 says that there must be one. A driver that fails, or a PoCL that cannot
 * write its cache, is no missing device: it exits with 1 and a sentence.
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

/* 0 if there is a device, else what main must return. Say it before any test runs. */
int device_missing(void);

/* The same, and the fault layer is wanted too. */
struct fault_layer;
int device_and_layer_missing(struct fault_layer *layer);

void device_open(test_device *device);
/* The same, on this device. */
void device_open_on(test_device *device, cl_device_id id);
/* Requires that nobody kept a reference to the context or the queue, then releases both. */
void device_close(test_device *device);

/* A library context for it. `limits` may be NULL. */
clrs_context *device_library(const test_device *device, const clrs_device_limits *limits);

/* Has the device steps of maps in f64? */
bool device_has_doubles(cl_device_id device);

/* One more queue; the caller releases it before device_close. */
cl_command_queue device_queue(const test_device *device, cl_command_queue_properties properties);
cl_mem device_buffer(const test_device *device, cl_mem_flags flags, size_t bytes);
/* Every queue sees what was written when these return. */
void device_write(const test_device *device, cl_mem buffer, size_t bytes, const void *from);
void device_write_at(const test_device *device, cl_mem buffer, size_t offset, size_t bytes,
                     const void *from);
void device_read(const test_device *device, cl_mem buffer, size_t bytes, void *to);
cl_uint device_references(cl_mem buffer);
/* That so many references are left, at once or after a little: a driver may drop its own after the
 * command's event has said that it ended. */
void device_require_references(cl_mem buffer, cl_uint count);

/* clFlush, but where a driver is known to wait there: what is enqueued begins at a wait, if not
 * before. */
void device_flush(const test_device *device, cl_command_queue queue);
/* Waits, and requires that the command ran; then releases the event. */
void device_finish_event(cl_event event);
cl_int device_event_status(cl_event event);
/* Waits; did the command fail, by the wait's answer and by its status? A driver that is known to
 * lose the status (driver_defects.h) is asked for the wait's answer only. */
bool device_event_fails(const test_device *device, cl_event event);

#endif
