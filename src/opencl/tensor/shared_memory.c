/*
 * Tensors in memory that has a pointer. The memory becomes a buffer by CL_MEM_USE_HOST_PTR, and the
 * tensor is then like any other.
 *
 * For shared virtual memory (clSVMAlloc), OpenCL 2.0 guarantees that such a buffer uses the memory
 * itself. For unified shared memory, cl_intel_unified_shared_memory does not say so. Intel's CPU
 * runtime 2026.22 and PoCL 6.0 were tested and use the memory itself. Only the source of Intel's
 * GPU runtime (compute-runtime) was read. The GPU runtime takes the whole allocation, whatever the
 * pointer into the allocation, so the buffer is made of the whole allocation. On a GPU with its own
 * memory, the GPU runtime copies host memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "context.h"
#include "tensor.h"

/* ---- both ---- */

static clrs_status check_shared(const clrs_shared_memory *shared, clrs_error *error) {
  CLRS_TRY(clrs__require(shared, "shared", error));
  CLRS_TRY(clrs__require(shared->pointer, "shared->pointer", error));
  return shared->bytes > 0
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "shared->bytes is 0; it must be what was allocated, or less");
}

static clrs_status wrap_buffer(clrs_context *context, void *memory, size_t size,
                               uint64_t byte_offset, const clrs_layout *layout,
                               clrs_tensor **tensor, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  cl_mem buffer =
      clCreateBuffer(context->opencl, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, memory, &code);
  CLRS_TRY_OPENCL("clCreateBuffer", code, error);
  const clrs_storage storage = {buffer, byte_offset};
  const clrs_status status = clrs_tensor_wrap(context, &storage, layout, tensor, error);
  clReleaseMemObject(buffer); /* the tensor has its own reference */
  return status;
}

/* ---- shared virtual memory ---- */

/* The number from OpenCL 2.0, because the headers may be set to 1.2. */
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

clrs_status clrs_tensor_wrap_shared(clrs_context *context, const clrs_shared_memory *shared,
                                    const clrs_layout *layout, clrs_tensor **tensor,
                                    clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(check_shared(shared, error));
  CLRS_TRY(check_device(context, error));
  return wrap_buffer(context, shared->pointer, shared->bytes, shared->byte_offset, layout, tensor,
                     error);
}

/* ---- unified shared memory ---- */

/* The numbers from CL/cl_ext.h, because older headers lack the extension. */
enum {
  DEVICE_HOST_MEM_CAPABILITIES = 0x4190,
  MEM_ALLOC_TYPE = 0x419A,
  MEM_ALLOC_BASE_PTR = 0x419B,
  MEM_ALLOC_SIZE = 0x419C,
  MEM_TYPE_UNKNOWN = 0x4196,
  MEM_TYPE_DEVICE = 0x4198
};
typedef cl_int(CL_API_CALL *memory_info_fn)(cl_context context, const void *pointer, cl_uint what,
                                            size_t size, void *value, size_t *got);

typedef struct allocation {
  void *base;
  size_t size;
  size_t before; /* bytes in front of the caller's pointer */
} allocation;

static clrs_status fail_missing(clrs_error *error) {
  clrs__describe(error, CLRS_UNSUPPORTED,
                 "the device has no unified shared memory (cl_intel_unified_shared_memory)");
  return CLRS_UNSUPPORTED; /* tells an analyzer that nothing is found */
}

/* A device without the extension does not know the query. */
static clrs_status find_function(const clrs_context *context, memory_info_fn *info,
                                 clrs_error *error) {
  cl_bitfield capabilities;
  cl_platform_id platform;
  const cl_int code = clGetDeviceInfo(context->device, DEVICE_HOST_MEM_CAPABILITIES,
                                      sizeof capabilities, &capabilities, NULL);
  if (code == CL_INVALID_VALUE) {
    return fail_missing(error);
  }
  CLRS_TRY_OPENCL("clGetDeviceInfo", code, error);
  CLRS_TRY_OPENCL("clGetDeviceInfo",
                  clGetDeviceInfo(context->device, CL_DEVICE_PLATFORM, sizeof platform,
                                  (void *)&platform, NULL),
                  error);
  void *address = clGetExtensionFunctionAddressForPlatform(platform, "clGetMemAllocInfoINTEL");
  memcpy((void *)info, (const void *)&address, sizeof address); /* no cast in C */
  return address != NULL ? CLRS_OK : fail_missing(error);
}

/* A buffer over host memory, or over shared memory, uses that memory only if the device shares
 * memory with the host. */
static clrs_status check_type(clrs_context *context, const clrs_shared_memory *shared, cl_uint type,
                              clrs_error *error) {
  cl_bool is_one = CL_FALSE;
  if (type == MEM_TYPE_UNKNOWN) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "shared->pointer, %p, is no unified shared memory of context %p; it must be "
                      "what clHostMemAllocINTEL, clDeviceMemAllocINTEL or clSharedMemAllocINTEL "
                      "returned, or point into that",
                      shared->pointer, (void *)context->opencl);
  }
  CLRS_TRY_OPENCL(
      "clGetDeviceInfo",
      clGetDeviceInfo(context->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof is_one, &is_one, NULL),
      error);
  return is_one || type == MEM_TYPE_DEVICE
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED,
                          "shared->pointer is not of clDeviceMemAllocINTEL, and the device has "
                          "memory of its own (CL_DEVICE_HOST_UNIFIED_MEMORY): a buffer there may "
                          "be a copy");
}

static clrs_status find_allocation(clrs_context *context, const clrs_shared_memory *shared,
                                   allocation *found, clrs_error *error) {
  static const char call[] = "clGetMemAllocInfoINTEL";
  cl_context opencl = context->opencl;
  memory_info_fn info = NULL;
  cl_uint type = MEM_TYPE_UNKNOWN;
  CLRS_TRY(find_function(context, &info, error));
  /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): `info` was found if nothing failed */
  CLRS_TRY_OPENCL(call, info(opencl, shared->pointer, MEM_ALLOC_TYPE, sizeof type, &type, NULL),
                  error);
  CLRS_TRY(check_type(context, shared, type, error));
  CLRS_TRY_OPENCL(call,
                  info(opencl, shared->pointer, MEM_ALLOC_BASE_PTR, sizeof found->base,
                       (void *)&found->base, NULL),
                  error);
  CLRS_TRY_OPENCL(
      call, info(opencl, shared->pointer, MEM_ALLOC_SIZE, sizeof found->size, &found->size, NULL),
      error);
  found->before = (size_t)((const char *)shared->pointer - (const char *)found->base);
  return CLRS_OK;
}

static clrs_status check_size(const clrs_shared_memory *shared, const allocation *found,
                              clrs_error *error) {
  if (shared->bytes > found->size || found->before > found->size - shared->bytes) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "shared->bytes is %zu; from shared->pointer on the allocation has %zu",
                      shared->bytes, found->size - found->before);
  }
  return CLRS_OK;
}

/* Checks that the tensor touches only the bytes that the caller has named. */
static clrs_status check_begin(const clrs_tensor *tensor, size_t begin, clrs_error *error) {
  clrs_byte_range bytes;
  CLRS_TRY(clrs_tensor_bytes(tensor, &bytes, error));
  return bytes.size == 0 || bytes.offset >= begin
             ? CLRS_OK
             : clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                          "the tensor touches bytes from %zu on of an allocation, and "
                          "shared->pointer is its byte %zu",
                          bytes.offset, begin);
}

clrs_status clrs_tensor_wrap_usm(clrs_context *context, const clrs_shared_memory *shared,
                                 const clrs_layout *layout, clrs_tensor **tensor,
                                 clrs_error *error) {
  allocation found = {0};
  uint64_t byte_offset;
  clrs_tensor *made = NULL;
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(check_shared(shared, error));
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(find_allocation(context, shared, &found, error));
  CLRS_TRY(check_size(shared, &found, error));
  if (__builtin_add_overflow(found.before, shared->byte_offset, &byte_offset)) {
    return clrs__fail(error, CLRS_OVERFLOW, "byte offset %" PRIu64 " does not fit in 64 bits",
                      shared->byte_offset);
  }
  CLRS_TRY(wrap_buffer(context, found.base, found.before + shared->bytes, byte_offset, layout,
                       &made, error));
  return clrs__tensor_hand_over(made, check_begin(made, found.before, error), tensor);
}
