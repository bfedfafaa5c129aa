/*
 * The device's side of a model: buffers that begin with bytes of the host, and commands that run
 * one after the other on any queue, as each waits for the one before. A command that fails so makes
 * all later ones fail, and the event of the last one tells.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/clreshape.h>

#include "tensor_proto.h"

typedef struct onnx_device {
  clrs_context *library;  /* this and the queue are the caller's, and outlive the device */
  cl_command_queue queue; /* in order or out of order */
  cl_context context;
  clrs_device_report report; /* of the queue's device */
  cl_event last;             /* of the newest command; NULL before the first */
} onnx_device;

clrs_status onnx_device_open(clrs_context *library, cl_command_queue queue, onnx_device *device,
                             clrs_error *error);
void onnx_device_close(onnx_device *device); /* an all-zero one is allowed */

/* Where the next command goes, and what the command waits for. */
static inline clrs_on onnx_device_on(const onnx_device *device) {
  return (clrs_on){device->queue, device->last != NULL,
                   device->last != NULL ? &device->last : NULL};
}
/* This command, whose event is taken over, is now the newest. */
void onnx_device_follow(onnx_device *device, cl_event event);
/* An event of all commands so far, for the caller to release. */
clrs_status onnx_device_event(const onnx_device *device, cl_event *event, clrs_error *error);

/* A new buffer that begins as a copy of `bytes`, made before this returns; with `bytes` NULL it
 * begins as it may. Where there is no memory for it that is an error now, not the end at its first
 * use. */
clrs_status onnx_device_buffer(const onnx_device *device, size_t size, const void *bytes,
                               cl_mem *buffer, clrs_error *error);
/* A new dense tensor with a copy of the bytes. */
clrs_status onnx_device_upload(const onnx_device *device, const onnx_dense *dense,
                               clrs_tensor **tensor, clrs_error *error);
/* Copies bytes of one buffer to the beginning of another. */
clrs_status onnx_device_copy(onnx_device *device, cl_mem from, cl_mem to, size_t at, size_t size,
                             clrs_error *error);
