/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "dtype.h"
#include "parts.h"
#include "poison.h"
#include "view.h"

/* ---- life ---- */

/* The view must be valid. */
static clrs_status check_inside(const clrs__common *common, const clrs_view *view,
                                clrs_error *error) {
  if (common->mapping != NULL) {
    return clrs__mapping_check_view(common->mapping, view, error);
  }
  const clrs__buffer *buffer = &common->buffer;
  const clrs_operand operand = {view, common->byte_offset, buffer->alignment};
  clrs_footprint bytes;
  CLRS_TRY(clrs__operand_footprint(&operand, "tensor", &bytes, error));
  if (bytes.end == bytes.begin) {
    return CLRS_OK;
  }
  if (buffer->root == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the buffer is NULL; only a tensor without elements may have none");
  }
  if (bytes.begin < buffer->begin || bytes.end > buffer->end) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "the tensor %s touches bytes %" PRIu64 " to %" PRIu64
                      " of a buffer that has %" PRIu64 " to %" PRIu64,
                      clrs__dims_text(view->shape.rank, view->shape.dims).text, bytes.begin,
                      bytes.end, buffer->begin, buffer->end);
  }
  return CLRS_OK;
}

static clrs_tensor *take_memory(clrs__common *common) {
  clrs_tensor *spare = atomic_exchange(&common->spare, NULL);
  if (spare == NULL) {
    return malloc(sizeof *spare);
  }
  CLRS__UNPOISON(spare);
  return spare;
}

static void spare_memory(clrs__common *common, clrs_tensor *tensor) {
  CLRS__POISON(tensor);
  free(atomic_exchange(&common->spare, tensor));
}

/* The view must be valid and lie inside the buffer. */
static clrs_status create_tensor(clrs__common *common, const clrs_view *view, clrs_tensor **tensor,
                                 clrs_error *error) {
  clrs_tensor *created = take_memory(common);
  CLRS_TRY_MEMORY(created, error, "no memory for a tensor");
  atomic_init(&created->references, 1);
  atomic_fetch_add(&common->references, 1);
  created->common = common;
  clrs__view_copy(&created->view, view);
  *tensor = created;
  return CLRS_OK;
}

/* Makes the first tensor of a new common part, which is a copy of *draft that retains the draft's
 * objects. */
static clrs_status publish(const clrs__common *draft, const clrs_view *view, clrs_tensor **tensor,
                           clrs_error *error) {
  clrs__common *common = NULL;
  CLRS_TRY(check_inside(draft, view, error));
  CLRS_TRY(clrs__common_create(draft, &common, error));
  const clrs_status status = create_tensor(common, view, tensor, error);
  if (status != CLRS_OK) {
    clrs__common_disown(common);
  }
  clrs__common_release(common); /* the tensor has its own reference */
  return status;
}

void clrs_tensor_retain(clrs_tensor *tensor) {
  if (tensor != NULL) {
    atomic_fetch_add(&tensor->references, 1);
  }
}

void clrs_tensor_release(clrs_tensor *tensor) {
  if (tensor != NULL && clrs__drop_reference(&tensor->references)) {
    clrs__common *common = tensor->common;
    spare_memory(common, tensor);
    clrs__common_release(common);
  }
}

/* ---- making them ---- */

/* The offset counts from the start of the given buffer, which may be a sub-buffer. */
static clrs_status locate(clrs__common *draft, const clrs_storage *storage, clrs_error *error) {
  draft->byte_offset = storage->byte_offset;
  if (storage->buffer == NULL) {
    draft->buffer = (clrs__buffer){.alignment = 1, .readable = true, .writable = true};
    return CLRS_OK;
  }
  CLRS_TRY(clrs__buffer_query(draft->context->opencl, storage->buffer, &draft->buffer, error));
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
  clrs__common draft = {.context = context};
  clrs_view view;
  CLRS_TRY(clrs_view_from_layout(layout, &view, error));
  CLRS_TRY(locate(&draft, storage, error));
  return publish(&draft, &view, tensor, error);
}

clrs_status clrs__tensor_of_lender(clrs_context *context, const clrs__lent *lent,
                                   const clrs_layout *layout, clrs_tensor **tensor,
                                   clrs_error *error) {
  clrs__common draft = {.context = context, .lender = lent->lender};
  clrs_view view;
  CLRS_TRY(clrs_view_from_layout(layout, &view, error));
  CLRS_TRY(locate(&draft, &lent->storage, error));
  draft.buffer.is_lent_read_only = lent->is_read_only;
  draft.buffer.writable = draft.buffer.writable && !lent->is_read_only;
  return publish(&draft, &view, tensor, error);
}

clrs_status clrs__tensor_of_buffer(clrs_context *context, const clrs__buffer *buffer,
                                   const clrs_view *view, clrs_tensor **tensor, clrs_error *error) {
  const clrs__common draft = {.context = context, .buffer = *buffer};
  return publish(&draft, view, tensor, error);
}

clrs_status clrs_tensor_wrap_dense(clrs_context *context, cl_mem buffer, clrs_dtype dtype,
                                   size_t rank, const int64_t *dims, clrs_tensor **tensor,
                                   clrs_error *error) {
  const clrs_storage storage = {buffer, 0};
  clrs_shape shape;
  clrs_layout layout;
  CLRS_TRY(clrs_shape_init(rank, dims, &shape, error));
  CLRS_TRY(clrs_layout_init(dtype, &shape, NULL, 0, &layout, error));
  return clrs_tensor_wrap(context, &storage, &layout, tensor, error);
}

clrs_status clrs_tensor_with_characters(clrs_tensor *tensor, size_t count, const cl_mem *buffers,
                                        clrs_tensor **result, clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__require(result, "result", error));
  if (tensor->view.dtype != CLRS_STRING) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the tensor is of type %s; only strings have character buffers",
                      clrs__dtype_text(tensor->view.dtype));
  }
  clrs__common draft = {.context = tensor->common->context,
                        .buffer = tensor->common->buffer,
                        .byte_offset = tensor->common->byte_offset,
                        .origin = clrs__common_origin(tensor->common)};
  CLRS_TRY(
      clrs__characters_create(draft.context->opencl, count, buffers, &draft.characters, error));
  const clrs_status status = publish(&draft, &tensor->view, result, error);
  clrs__characters_release(draft.characters);
  return status;
}

clrs_status clrs__dense_bytes(const clrs_view *dense, uint64_t *bytes, clrs_error *error) {
  const clrs_operand operand = {dense, 0, 1};
  clrs_footprint footprint;
  CLRS_TRY(clrs__operand_footprint(&operand, "tensor", &footprint, error));
  *bytes = footprint.end;
  return CLRS_OK;
}

/* Allocates for commands on a queue. NULL means any queue. */
static clrs_status allocate(clrs__common *draft, cl_command_queue queue, const clrs_view *dense,
                            clrs_tensor **tensor, clrs_error *error) {
  clrs_storage storage = {NULL, 0};
  uint64_t bytes = 0;
  CLRS_TRY(clrs__dense_bytes(dense, &bytes, error));
  if (bytes > 0) {
    CLRS_TRY(clrs__allocate(&draft->context->memory, queue, bytes, &draft->allocation, error));
    storage = draft->allocation->storage;
  }
  clrs_status status = locate(draft, &storage, error);
  if (status == CLRS_OK) {
    status = publish(draft, dense, tensor, error);
  }
  if (status != CLRS_OK && draft->allocation != NULL) {
    clrs__allocation_end(&draft->context->memory, draft->allocation);
  }
  return status;
}

clrs_status clrs_tensor_allocate(clrs_context *context, cl_command_queue queue, clrs_dtype dtype,
                                 const clrs_shape *shape, clrs_tensor **tensor, clrs_error *error) {
  clrs__common draft = {.context = context};
  clrs_view dense;
  CLRS_TRY(clrs__require(context, "context", error));
  if (queue != NULL) {
    CLRS_TRY(clrs__check_queue(queue, context->opencl, context->device, error));
  }
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs_view_dense(dtype, shape, &dense, error));
  return allocate(&draft, queue, &dense, tensor, error);
}

clrs_status clrs__tensor_allocate_like(const clrs_tensor *tensor, cl_command_queue queue,
                                       const clrs_shape *shape, clrs_tensor **result,
                                       clrs_error *error) {
  clrs__common draft = {.context = tensor->common->context,
                        .characters = tensor->common->characters};
  clrs_view dense;
  CLRS_TRY(clrs_view_dense(tensor->view.dtype, shape, &dense, error));
  return allocate(&draft, queue, &dense, result, error);
}

clrs_status clrs__tensor_hand_over(clrs_tensor *made, clrs_status status, clrs_tensor **result) {
  if (status == CLRS_OK) {
    *result = made;
  } else {
    clrs_tensor_release(made);
  }
  return status;
}

/* ---- who uses their bytes ---- */

clrs_status clrs__tensor_use(const clrs_tensor *tensor, cl_command_queue queue, clrs_error *error) {
  const clrs__reads reads = clrs__tensor_reads(tensor);
  for (size_t i = 0; i < reads.count; i++) {
    CLRS_TRY(clrs__common_use(reads.tensors[i]->common, queue, error));
  }
  return CLRS_OK;
}

clrs_status clrs_tensor_use_on(const clrs_tensor *tensor, cl_command_queue queue,
                               clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__check_queue_context(queue, tensor->common->context->opencl, error));
  return clrs__tensor_use(tensor, queue, error);
}

clrs_status clrs_tensor_release_after(clrs_tensor *tensor, cl_uint wait_count,
                                      const cl_event *waits, clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__check_owners(tensor->common->context->opencl, wait_count, waits, error));
  const clrs__reads reads = clrs__tensor_reads(tensor);
  for (size_t i = 0; i < reads.count; i++) {
    CLRS_TRY(clrs__common_use_until(reads.tensors[i]->common, wait_count, waits, error));
  }
  clrs_tensor_release(tensor);
  return CLRS_OK;
}

clrs_status clrs_tensor_with_view(clrs_tensor *tensor, const clrs_view *view, clrs_tensor **result,
                                  clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__require(result, "result", error));
  CLRS_TRY(clrs__view_check(view, error));
  CLRS_TRY(check_inside(tensor->common, view, error));
  return create_tensor(tensor->common, view, result, error);
}

clrs_status clrs__tensor_with_own_elements(clrs_tensor *tensor, const clrs_view *view,
                                           clrs_tensor **result, clrs_error *error) {
  return create_tensor(tensor->common, view, result, error);
}

/* ---- mapped ---- */

clrs_status clrs__tensor_of_mapping(clrs__mapping *mapping, const clrs_view *numbers,
                                    clrs_tensor **result, clrs_error *error) {
  const clrs__common draft = {.context = mapping->source->common->context,
                              .buffer = {.alignment = 1, .readable = true},
                              .mapping = mapping};
  CLRS_TRY(publish(&draft, numbers, result, error));
  clrs_tensor_retain(mapping->source);
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    clrs_tensor_retain(mapping->tensors[i]);
  }
  return CLRS_OK;
}

/* ---- reading them ---- */

bool clrs_tensor_is_mapped(const clrs_tensor *tensor) {
  return tensor != NULL && tensor->common->mapping != NULL;
}

clrs__reads clrs__tensor_reads(const clrs_tensor *tensor) {
  const clrs__mapping *mapping = tensor->common->mapping;
  clrs__reads reads = {.count = 1, .tensors = {mapping != NULL ? mapping->source : tensor}};
  for (uint32_t i = 0; mapping != NULL && i < CLRS_MAPPED_STEPS; i++) {
    if (mapping->tensors[i] != NULL) {
      reads.tensors[reads.count++] = mapping->tensors[i];
    }
  }
  return reads;
}

const clrs_view *clrs_tensor_view(const clrs_tensor *tensor) {
  return tensor != NULL ? &tensor->view : NULL;
}

clrs_operand clrs__tensor_operand(const clrs_tensor *tensor) {
  return (clrs_operand){&tensor->view, tensor->common->byte_offset,
                        tensor->common->buffer.alignment};
}

cl_mem clrs__tensor_root(const clrs_tensor *tensor) {
  return clrs__view_is_empty(&tensor->view) ? NULL : tensor->common->buffer.root;
}

const cl_mem *clrs_tensor_characters(const clrs_tensor *tensor, size_t *count) {
  const clrs__characters *characters = tensor != NULL ? tensor->common->characters : NULL;
  if (count != NULL) {
    *count = characters != NULL ? characters->count : 0;
  }
  return characters != NULL ? characters->buffers : NULL;
}
