/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

/* One reference to a buffer object, shared by all tensors that came of one: counting here costs a
 * view of a tensor much less than asking the driver to. */
typedef struct held_buffer {
  atomic_size_t references;
  cl_mem buffer;
} held_buffer;

struct clrs_tensor {
  atomic_size_t references;
  clrs_context *context;
  held_buffer *held;            /* NULL without a buffer */
  clrs__buffer buffer;          /* root == NULL only without elements */
  uint64_t byte_offset;         /* of element 0 from the start of the root */
  clrs__characters *characters; /* of strings, else NULL */
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

static clrs_status hold_buffer(cl_mem buffer, held_buffer **held, clrs_error *error) {
  held_buffer *created = malloc(sizeof *created);
  if (created == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a reference to a buffer");
  }
  const cl_int code = clRetainMemObject(buffer);
  if (code != CL_SUCCESS) {
    free(created);
    return clrs__fail_opencl(error, code, "clRetainMemObject");
  }
  atomic_init(&created->references, 0);
  created->buffer = buffer;
  *held = created;
  return CLRS_OK;
}

static void let_buffer_go(held_buffer *held) {
  if (held != NULL && atomic_fetch_sub(&held->references, 1) == 1) {
    clReleaseMemObject(held->buffer);
    free(held);
  }
}

/* Puts a checked copy of *draft on the heap; it retains the context and the buffer. */
static clrs_status publish(const clrs_tensor *draft, clrs_tensor **tensor, clrs_error *error) {
  CLRS_TRY(check_inside(draft, error));
  clrs_tensor *created = malloc(sizeof *created);
  if (created == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a tensor");
  }
  created->held = draft->held;
  if (draft->held == NULL && draft->buffer.given != NULL) {
    const clrs_status status = hold_buffer(draft->buffer.given, &created->held, error);
    if (status != CLRS_OK) {
      free(created);
      return status;
    }
  }
  if (created->held != NULL) {
    atomic_fetch_add(&created->held->references, 1);
  }
  created->context = draft->context;
  created->buffer = draft->buffer;
  created->byte_offset = draft->byte_offset;
  created->characters = draft->characters;
  clrs__view_copy(&created->view, &draft->view);
  atomic_init(&created->references, 1);
  clrs_context_retain(created->context);
  clrs__characters_retain(created->characters);
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
  let_buffer_go(tensor->held);
  clrs__characters_release(tensor->characters);
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

clrs_status clrs_tensor_with_characters(clrs_tensor *tensor, size_t count, const cl_mem *buffers,
                                        clrs_tensor **result, clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__require(result, "result", error));
  if (tensor->view.dtype != CLRS_STRING) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the tensor is of type %s; only strings have character buffers",
                      clrs_dtype_name(tensor->view.dtype, CLRS_TYPES_CLRESHAPE));
  }
  clrs_tensor draft = {.context = tensor->context, .held = tensor->held};
  draft.buffer = tensor->buffer;
  draft.byte_offset = tensor->byte_offset;
  draft.view = tensor->view;
  CLRS_TRY(clrs__characters_create(clrs__context_opencl(tensor->context), count, buffers,
                                   &draft.characters, error));
  const clrs_status status = publish(&draft, result, error);
  clrs__characters_release(draft.characters);
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

static clrs_status allocate(clrs_tensor *draft, const clrs_layout *layout, clrs_tensor **tensor,
                            clrs_error *error) {
  clrs_storage storage = {NULL, 0};
  uint64_t bytes = 0;
  CLRS_TRY(dense_bytes(layout, &bytes, error));
  CLRS_TRY(clrs_view_from_layout(layout, &draft->view, error));
  if (bytes > 0) {
    CLRS_TRY(clrs__context_allocate(draft->context, bytes, &storage.buffer, error));
  }
  clrs_status status = locate(draft, &storage, error);
  if (status == CLRS_OK) {
    status = publish(draft, tensor, error);
  }
  if (storage.buffer != NULL) {
    clReleaseMemObject(storage.buffer); /* the tensor has its own reference */
  }
  return status;
}

clrs_status clrs_tensor_allocate(clrs_context *context, clrs_dtype dtype, const clrs_shape *shape,
                                 clrs_tensor **tensor, clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  clrs_tensor draft = {.context = context};
  clrs_layout layout;
  CLRS_TRY(clrs_layout_init(dtype, shape, NULL, 0, &layout, error));
  return allocate(&draft, &layout, tensor, error);
}

clrs_status clrs__tensor_allocate_like(const clrs_tensor *tensor, const clrs_shape *shape,
                                       clrs_tensor **result, clrs_error *error) {
  clrs_tensor draft = {.context = tensor->context};
  draft.characters = tensor->characters;
  clrs_layout layout;
  CLRS_TRY(clrs_layout_init(tensor->view.dtype, shape, NULL, 0, &layout, error));
  return allocate(&draft, &layout, result, error);
}

clrs_status clrs_tensor_with_view(clrs_tensor *tensor, const clrs_view *view, clrs_tensor **result,
                                  clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__require(result, "result", error));
  CLRS_TRY(clrs__view_check(view, error));
  clrs_tensor draft;
  draft.context = tensor->context;
  draft.held = tensor->held;
  draft.buffer = tensor->buffer;
  draft.byte_offset = tensor->byte_offset;
  draft.characters = tensor->characters;
  clrs__view_copy(&draft.view, view);
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

clrs__characters *clrs__tensor_characters(const clrs_tensor *tensor) {
  return tensor->characters;
}

const cl_mem *clrs_tensor_characters(const clrs_tensor *tensor, size_t *count) {
  const clrs__characters *characters = tensor != NULL ? tensor->characters : NULL;
  if (count != NULL) {
    *count = characters != NULL ? characters->count : 0;
  }
  return characters != NULL ? characters->buffers : NULL;
}

clrs_status clrs__tensors_check_apart(const clrs_tensor *source, const clrs_tensor *destination,
                                      clrs_error *error) {
  const clrs_operand from = clrs__tensor_operand(source), to = clrs__tensor_operand(destination);
  if (source->buffer.root == destination->buffer.root && clrs_operands_overlap(&from, &to)) {
    return clrs__fail(error, CLRS_OVERLAP,
                      "source and destination share bytes of one buffer; a move needs them apart");
  }
  return CLRS_OK;
}
