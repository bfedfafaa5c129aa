/*
 * The device side of a model: buffers with bytes of the host, and commands. Each command waits for
 * the command before, so that commands run in order on any queue. If a command fails, all later
 * commands fail, and the last event tells.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/clreshape.h>

#include "tensor_proto.h"

typedef struct onnx_device {
  clrs_context *library;  /* library and queue are the caller's, and outlive the device */
  cl_command_queue queue; /* in order or out of order */
  cl_context context;
  clrs_device_report report; /* report of the queue's device */
  cl_event last;             /* event of the newest command, or NULL */
} onnx_device;

clrs_status onnx_device_open(clrs_context *library, cl_command_queue queue, onnx_device *device,
                             clrs_error *error);
void onnx_device_close(onnx_device *device); /* an all-zero device is allowed */

/* Returns the queue of the next command, and the event for which the command waits. */
static inline clrs_on onnx_device_on(const onnx_device *device) {
  return (clrs_on){device->queue, device->last != NULL,
                   device->last != NULL ? &device->last : NULL};
}
/* Makes the command of `event` the newest command. Takes over the event. */
void onnx_device_follow(onnx_device *device, cl_event event);
/* Makes an event of all commands so far. The caller releases the event. */
clrs_status onnx_device_event(const onnx_device *device, cl_event *event, clrs_error *error);

/* Makes a new buffer with a copy of `bytes`, taken before the function returns. With `bytes` NULL
 * the contents are undefined. Returns an error now if there is no memory, and not at the first
 * use. */
clrs_status onnx_device_buffer(const onnx_device *device, size_t size, const void *bytes,
                               cl_mem *buffer, clrs_error *error);
/* Makes a new dense tensor with a copy of the bytes. */
clrs_status onnx_device_upload(const onnx_device *device, const onnx_dense *dense,
                               clrs_tensor **tensor, clrs_error *error);
/* Copies `size` bytes from the beginning of `from` to byte `at` of `to`. */
clrs_status onnx_device_copy(onnx_device *device, cl_mem from, cl_mem to, size_t at, size_t size,
                             clrs_error *error);
