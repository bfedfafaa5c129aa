/*
 * A producer and consumer for dlpack_peers.py, with DLPack's header of 1.3. Lends the result of a
 * chain on f32 [4, 6], values 0 to 23, from byte 8 of a buffer. Reads a returned tensor by a move.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <dlpack/dlpack.h>

#include "clreshape/clreshape.h"

enum { COUNT = 24, BYTE_OFFSET = 8, BYTES = BYTE_OFFSET + COUNT * sizeof(float) };

static struct {
  cl_context context;
  cl_command_queue queue;
  cl_mem buffer;
  clrs_context *library;
  clrs_error error;
} shim;

CLRS_API const char *shim_error(void);
CLRS_API int shim_open(void);
CLRS_API uint32_t shim_references(void);
CLRS_API void *shim_lend(const char *text, bool is_versioned);
CLRS_API bool shim_take(void *managed, bool is_versioned, float *elements);
CLRS_API void shim_delete(void *managed, bool is_versioned);
CLRS_API void shim_close(void);

const char *shim_error(void) {
  return shim.error.message;
}

/* Returns 0, or the code of an OpenCL call or of the library. */
int shim_open(void) {
  unsigned char bytes[BYTES] = {0};
  cl_platform_id platform;
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  cl_int code = clGetPlatformIDs(1, &platform, NULL);
  for (int i = 0; i < COUNT; i++)
    ((float *)(void *)(bytes + BYTE_OFFSET))[i] = (float)i;
  if (code == CL_SUCCESS)
    code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &options.device, NULL);
  if (code == CL_SUCCESS)
    shim.context = clCreateContext(NULL, 1, &options.device, NULL, NULL, &code);
  if (code == CL_SUCCESS)
    shim.queue = clCreateCommandQueue(shim.context, options.device, 0, &code);
  if (code == CL_SUCCESS)
    shim.buffer = clCreateBuffer(shim.context, CL_MEM_COPY_HOST_PTR, sizeof bytes, bytes, &code);
  options.context = shim.context;
  return code != CL_SUCCESS ? code : (int)clrs_context_create(&options, &shim.library, &shim.error);
}

void shim_close(void) {
  clrs_context_release(shim.library);
  clReleaseMemObject(shim.buffer);
  clReleaseCommandQueue(shim.queue);
  clReleaseContext(shim.context);
}

uint32_t shim_references(void) {
  cl_uint count = 0;
  clGetMemObjectInfo(shim.buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL);
  return count;
}

static clrs_status lend(clrs_tensor *tensor, const char *text, bool is_versioned, void **managed) {
  DLManagedTensor *plain = NULL;
  DLManagedTensorVersioned *versioned = NULL;
  clrs_view view = *clrs_tensor_view(tensor);
  clrs_tensor *result = NULL;
  clrs_chain chain;
  clrs_status status = clrs_chain_parse(text, &chain, &shim.error);
  if (status == CLRS_OK)
    status = clrs_chain_apply(&chain, NULL, &view, &shim.error);
  if (status == CLRS_OK)
    status = clrs_tensor_with_view(tensor, &view, &result, &shim.error);
  if (status == CLRS_OK)
    status = is_versioned ? clrs_tensor_to_dlpack_versioned(result, 0, &versioned, &shim.error)
                          : clrs_tensor_to_dlpack(result, 0, &plain, &shim.error);
  clrs_tensor_release(result);
  *managed = is_versioned ? (void *)versioned : (void *)plain;
  return status;
}

void *shim_lend(const char *text, bool is_versioned) {
  const clrs_storage storage = {shim.buffer, BYTE_OFFSET};
  const clrs_layout layout = {CLRS_F32, 2, {4, 6}, {6, 1}, 0};
  clrs_tensor *tensor = NULL;
  void *managed = NULL;
  if (clrs_tensor_wrap(shim.library, &storage, &layout, &tensor, &shim.error) == CLRS_OK)
    (void)lend(tensor, text, is_versioned, &managed);
  clrs_tensor_release(tensor);
  return managed;
}

void shim_delete(void *managed, bool is_versioned) {
  if (is_versioned)
    ((DLManagedTensorVersioned *)managed)->deleter(managed);
  else
    ((DLManagedTensor *)managed)->deleter(managed);
}

static clrs_status read(clrs_tensor *tensor, float *elements) {
  clrs_tensor *dense = NULL;
  cl_event event = NULL;
  clrs_status status = clrs_enqueue_chain(tensor, "", CLRS_COPY_ALWAYS, NULL, &dense,
                                          &(clrs_on){.queue = shim.queue}, &event, &shim.error);
  if (status != CLRS_OK)
    return status;
  int64_t count = 0;
  status = clrs_shape_count(&clrs_tensor_view(dense)->shape, &count, &shim.error);
  const clrs_storage storage = clrs_tensor_storage(dense);
  if (status == CLRS_OK && count > 0 &&
      clEnqueueReadBuffer(shim.queue, storage.buffer, CL_TRUE, storage.byte_offset,
                          (size_t)count * sizeof *elements, elements, 1, &event,
                          NULL) != CL_SUCCESS)
    status = CLRS_OPENCL_ERROR;
  clWaitForEvents(1, &event);
  clReleaseEvent(event);
  clrs_tensor_release(dense);
  return status;
}

/* The managed tensor is used up in any case. */
bool shim_take(void *managed, bool is_versioned, float *elements) {
  clrs_tensor *tensor = NULL;
  clrs_status status =
      is_versioned ? clrs_tensor_from_dlpack_versioned(shim.library, managed, &tensor, &shim.error)
                   : clrs_tensor_from_dlpack(shim.library, managed, &tensor, &shim.error);
  if (status != CLRS_OK) {
    shim_delete(managed, is_versioned);
    return false;
  }
  status = read(tensor, elements);
  clrs_tensor_release(tensor);
  return status == CLRS_OK;
}
