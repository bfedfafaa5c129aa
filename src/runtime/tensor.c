/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

struct clrs_tensor {
  atomic_size_t references;
  clrs_context *context;
  clrs__buffer buffer;  /* root == NULL only without elements */
  uint64_t byte_offset; /* of element 0 from the start of the root */
  clrs_view view;
};

/* ---- life ---- */

static clrs_status check_inside(const clrs_tensor *tensor, clrs_error *error) {
  const clrs_operand operand = clrs__tensor_operand(tensor);
  clrs_footprint bytes;
  CLRS_TRY(clrs__operand_footprint(&operand, "tensor", &bytes, error));
  if (bytes.end == bytes.begin) {
    return CLRS_OK;
  }
  if (tensor->buffer.root == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the buffer is NULL; only a tensor without elements may have none");
  }
  if (bytes.begin < tensor->buffer.begin || bytes.end > tensor->buffer.end) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "the tensor %s touches bytes %" PRIu64 " to %" PRIu64
                      " of a buffer that has %" PRIu64 " to %" PRIu64,
                      clrs__dims_text(tensor->view.shape.rank, tensor->view.shape.dims).text,
                      bytes.begin, bytes.end, tensor->buffer.begin, tensor->buffer.end);
  }
  return CLRS_OK;
}

/* Puts a checked copy of *draft on the heap; it retains the context and the root. */
static clrs_status publish(const clrs_tensor *draft, clrs_tensor **tensor, clrs_error *error) {
  CLRS_TRY(check_inside(draft, error));
  clrs_tensor *created = malloc(sizeof *created);
  if (created == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a tensor");
  }
  const cl_int code =
      draft->buffer.root != NULL ? clRetainMemObject(draft->buffer.root) : CL_SUCCESS;
  if (code != CL_SUCCESS) {
    free(created);
    return clrs__fail_opencl(error, code, "clRetainMemObject");
  }
  created->context = draft->context;
  created->buffer = draft->buffer;
  created->byte_offset = draft->byte_offset;
  created->view = draft->view;
  atomic_init(&created->references, 1);
  clrs_context_retain(created->context);
  *tensor = created;
  return CLRS_OK;
}

void clrs_tensor_retain(clrs_tensor *tensor) {
  if (tensor != NULL) {
    atomic_fetch_add(&tensor->references, 1);
  }
}

void clrs_tensor_release(clrs_tensor *tensor) {
  if (tensor == NULL || atomic_fetch_sub(&tensor->references, 1) > 1) {
    return;
  }
  if (tensor->buffer.root != NULL) {
    clReleaseMemObject(tensor->buffer.root);
  }
  clrs_context_release(tensor->context);
  free(tensor);
}

/* ---- making them ---- */

/* The offset counts from the start of the buffer that was given, a sub-buffer's too. */
static clrs_status locate(clrs_tensor *draft, const clrs_storage *storage, clrs_error *error) {
  draft->byte_offset = storage->byte_offset;
  if (storage->buffer == NULL) {
    draft->buffer = (clrs__buffer){.alignment = 1, .readable = true, .writable = true};
    return CLRS_OK;
  }
  CLRS_TRY(clrs__buffer_query(clrs__context_opencl(draft->context), storage->buffer, &draft->buffer,
                              error));
  if (__builtin_add_overflow(draft->buffer.begin, storage->byte_offset, &draft->byte_offset)) {
    return clrs__fail(error, CLRS_OVERFLOW, "byte offset %" PRIu64 " does not fit in 64 bits",
                      storage->byte_offset);
  }
  return CLRS_OK;
}

clrs_status clrs_tensor_wrap(clrs_context *context, const clrs_storage *storage,
                             const clrs_layout *layout, clrs_tensor **tensor, clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(storage, "storage", error));
  CLRS_TRY(clrs__require(layout, "layout", error));
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  clrs_tensor draft = {.context = context};
  CLRS_TRY(clrs_view_from_layout(layout, &draft.view, error));
  CLRS_TRY(locate(&draft, storage, error));
  return publish(&draft, tensor, error);
}

clrs_status clrs__tensor_adopt(clrs_context *context, cl_mem buffer, const clrs_layout *layout,
                               clrs_tensor **tensor, clrs_error *error) {
  const clrs_storage storage = {buffer, 0};
  const clrs_status status = clrs_tensor_wrap(context, &storage, layout, tensor, error);
  if (buffer != NULL) {
    clReleaseMemObject(buffer);
  }
  return status;
}

/* Bytes of a dense tensor. */
static clrs_status dense_bytes(const clrs_layout *layout, uint64_t *bytes, clrs_error *error) {
  clrs_view view;
  clrs_footprint footprint;
  CLRS_TRY(clrs_view_from_layout(layout, &view, error));
  const clrs_operand operand = {&view, 0, 1};
  CLRS_TRY(clrs__operand_footprint(&operand, "tensor", &footprint, error));
  *bytes = footprint.end;
  return CLRS_OK;
}

clrs_status clrs_tensor_allocate(clrs_context *context, clrs_dtype dtype, const clrs_shape *shape,
                                 clrs_tensor **tensor, clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  clrs_layout layout;
  uint64_t bytes;
  cl_mem buffer = NULL;
  CLRS_TRY(clrs_layout_init(dtype, shape, NULL, 0, &layout, error));
  CLRS_TRY(dense_bytes(&layout, &bytes, error));
  if (bytes > 0) {
    CLRS_TRY(clrs__context_allocate(context, bytes, &buffer, error));
  }
  return clrs__tensor_adopt(context, buffer, &layout, tensor, error);
}

clrs_status clrs_tensor_with_view(clrs_tensor *tensor, const clrs_view *view, clrs_tensor **result,
                                  clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__require(result, "result", error));
  CLRS_TRY(clrs__view_check(view, error));
  clrs_tensor draft = {.context = tensor->context};
  draft.buffer = tensor->buffer;
  draft.byte_offset = tensor->byte_offset;
  draft.view = *view;
  return publish(&draft, result, error);
}

/* ---- reading them ---- */

const clrs_view *clrs_tensor_view(const clrs_tensor *tensor) {
  return tensor != NULL ? &tensor->view : NULL;
}

clrs_storage clrs_tensor_storage(const clrs_tensor *tensor) {
  if (tensor == NULL) {
    return (clrs_storage){NULL, 0};
  }
  return (clrs_storage){tensor->buffer.root, tensor->byte_offset};
}

clrs_status clrs__tensor_check(const clrs_tensor *tensor, const clrs_context *context,
                               const char *what, clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, what, error));
  if (tensor->context != context) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the %s tensor belongs to another clrs_context than the call's", what);
  }
  return CLRS_OK;
}

clrs_operand clrs__tensor_operand(const clrs_tensor *tensor) {
  return (clrs_operand){&tensor->view, tensor->byte_offset, tensor->buffer.alignment};
}

const clrs__buffer *clrs__tensor_buffer(const clrs_tensor *tensor) {
  return &tensor->buffer;
}
