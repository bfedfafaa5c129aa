/*
 * Tensors in shared virtual memory. OpenCL 2.0 (clSVMAlloc) says that a buffer made with
 * CL_MEM_USE_HOST_PTR of what clSVMAlloc returned has that memory as its storage. So such a tensor
 * is one in a buffer, and all else is as with other buffers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "context.h"

/* As in OpenCL 2.0; the headers may be asked for 1.2. */
enum { DEVICE_SVM_CAPABILITIES = 0x1053 };

static clrs_status check_device(const clrs_context *context, clrs_error *error) {
  cl_bitfield capabilities = 0;
  const cl_int code = clGetDeviceInfo(context->device, DEVICE_SVM_CAPABILITIES, sizeof capabilities,
                                      &capabilities, NULL);
  return code == CL_SUCCESS && capabilities != 0
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED,
                          "the device has no shared virtual memory (CL_DEVICE_SVM_CAPABILITIES)");
}

static clrs_status check_shared(const clrs_shared_memory *shared, clrs_error *error) {
  CLRS_TRY(clrs__require(shared, "shared", error));
  CLRS_TRY(clrs__require(shared->pointer, "shared->pointer", error));
  return shared->bytes > 0
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "shared->bytes is 0; it must be what clSVMAlloc was asked for, or less");
}

clrs_status clrs_tensor_wrap_shared(clrs_context *context, const clrs_shared_memory *shared,
                                    const clrs_layout *layout, clrs_tensor **tensor,
                                    clrs_error *error) {
  cl_int code = CL_SUCCESS;
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(check_shared(shared, error));
  CLRS_TRY(check_device(context, error));
  cl_mem buffer =
      clCreateBuffer(clrs__context_opencl(context), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                     shared->bytes, shared->pointer, &code);
  CLRS_TRY_OPENCL("clCreateBuffer", code, error);
  const clrs_storage storage = {buffer, shared->byte_offset};
  const clrs_status status = clrs_tensor_wrap(context, &storage, layout, tensor, error);
  clReleaseMemObject(buffer); /* the tensor has its own reference */
  return status;
}
