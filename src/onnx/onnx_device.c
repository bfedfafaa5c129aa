/* SPDX-License-Identifier: Apache-2.0 */
#include "onnx_device.h"

#include <inttypes.h>
#include <stdio.h>

#include "status.h"

clrs_status onnx_device_open(clrs_context *library, cl_command_queue queue, onnx_device *device,
                             clrs_error *error) {
  cl_device_id id = NULL;
  *device = (onnx_device){.library = library, .queue = queue};
  CLRS_TRY_OPENCL("clGetCommandQueueInfo",
                  clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof device->context,
                                        &device->context, NULL),
                  error);
  CLRS_TRY_OPENCL("clGetCommandQueueInfo",
                  clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof id, &id, NULL), error);
  return clrs_device_describe(id, &device->report, error);
}

void onnx_device_close(onnx_device *device) {
  if (device->last != NULL) {
    clReleaseEvent(device->last);
  }
  *device = (onnx_device){0};
}

void onnx_device_follow(onnx_device *device, cl_event event) {
  if (device->last != NULL) {
    clReleaseEvent(device->last);
  }
  device->last = event;
}

clrs_status onnx_device_event(const onnx_device *device, cl_event *event, clrs_error *error) {
  const clrs_on on = onnx_device_on(device);
  CLRS_TRY_OPENCL("clEnqueueMarkerWithWaitList",
                  clEnqueueMarkerWithWaitList(on.queue, on.wait_count, on.waits, event), error);
  return CLRS_OK;
}

clrs_status onnx_device_buffer(const onnx_device *device, size_t size, const void *bytes,
                               cl_mem *buffer, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  char call[64];
  CLRS_TRY(clrs__check_buffer_size(size, device->report.max_buffer_bytes, error));
  const cl_mem_flags content = bytes != NULL ? CL_MEM_COPY_HOST_PTR : 0;
  *buffer = clCreateBuffer(device->context, device->report.buffer_flags | content, size,
                           (void *)(uintptr_t)bytes, &code);
  snprintf(call, sizeof call, "clCreateBuffer of %zu bytes", size);
  return *buffer != NULL ? CLRS_OK : clrs__fail_opencl(error, code, call);
}

clrs_status onnx_device_upload(const onnx_device *device, const onnx_dense *dense,
                               clrs_tensor **tensor, clrs_error *error) {
  clrs_storage storage = {NULL, 0};
  clrs_layout layout;
  CLRS_TRY(clrs_layout_init(dense->dtype, &dense->shape, NULL, 0, &layout, error));
  if (dense->size > 0) {
    CLRS_TRY(onnx_device_buffer(device, dense->size, dense->bytes, &storage.buffer, error));
  }
  clrs_status status = clrs_tensor_wrap(device->library, &storage, &layout, tensor, error);
  if (storage.buffer != NULL) {
    clReleaseMemObject(storage.buffer); /* the tensor has its own reference */
  }
  return status;
}

clrs_status onnx_device_copy(onnx_device *device, cl_mem from, cl_mem to, size_t at, size_t size,
                             clrs_error *error) {
  const clrs_on on = onnx_device_on(device);
  cl_event event;
  CLRS_TRY_OPENCL(
      "clEnqueueCopyBuffer",
      clEnqueueCopyBuffer(on.queue, from, to, 0, at, size, on.wait_count, on.waits, &event), error);
  onnx_device_follow(device, event);
  return CLRS_OK;
}
