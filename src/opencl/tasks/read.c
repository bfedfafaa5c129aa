/*
 * Reads a tensor into host memory. If the bytes already lie as the caller wants, the bytes are read
 * directly. Otherwise a dense copy is read, which OpenCL frees after the read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "tensor_check.h"

/* Returns true if the elements are row-major without gaps and start at a whole byte. */
static bool is_readable_as_it_lies(const clrs_tensor *tensor) {
  const clrs_view *view = &tensor->view;
  clrs_layout layout;
  return tensor->common->mapping == NULL && clrs_view_layout(view, &layout, NULL) == CLRS_OK &&
         clrs_layout_is_dense(&layout) && layout.offset % 8 * clrs_dtype_bits(view->dtype) % 8 == 0;
}

static clrs_status check_size(const clrs_view *view, size_t size, clrs_error *error) {
  clrs_view dense;
  uint64_t bytes = 0;
  clrs__view_make_dense(view->dtype, &view->shape, &dense);
  CLRS_TRY(clrs__dense_bytes(&dense, &bytes, error));
  return size == bytes
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "the memory has %zu bytes and the tensor's elements take %" PRIu64, size,
                          bytes);
}

static clrs_status read_bytes(const clrs_tensor *tensor, void *memory, const clrs__tail *tail,
                              clrs_error *error) {
  clrs_byte_range bytes;
  CLRS_TRY(clrs__tensor_use(tensor, tail->queue, error));
  CLRS_TRY(clrs_tensor_bytes(tensor, &bytes, error));
  CLRS_TRY_OPENCL("clEnqueueReadBuffer",
                  clEnqueueReadBuffer(tail->queue, bytes.buffer, CL_FALSE, bytes.offset, bytes.size,
                                      memory, tail->wait_count, tail->wait_list, tail->event),
                  error);
  return CLRS_OK;
}

static clrs_status read_copy(clrs_tensor *source, void *memory, const clrs__tail *tail,
                             clrs_error *error) {
  clrs_context *context = source->common->context;
  const clrs_on on = {tail->queue, tail->wait_count, tail->wait_list};
  clrs_tensor *copy = NULL;
  cl_event moved = NULL;
  CLRS_TRY(clrs_enqueue_chain(source, "", CLRS_COPY_ALWAYS, NULL, &copy, &on, &moved, error));
  const clrs__tail after = {tail->queue, 1, &moved, tail->event};
  clrs_status status =
      clrs__tail_check(context, &after, error); /* the move may have failed in the meantime */
  if (status == CLRS_OK) {
    status = read_bytes(copy, memory, &after, error);
  }
  clrs_tensor_release(copy);
  clrs__context_hold_events(context, 1, &moved);
  return status;
}

clrs_status clrs_enqueue_read(clrs_tensor *source, void *memory, size_t size, const clrs_on *on,
                              cl_event *event, clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  CLRS_TRY(clrs__tensor_check_tail(source, "source", &tail, error));
  CLRS_TRY(check_size(&source->view, size, error));
  if (size == 0) {
    return clrs__enqueue_marker(&tail, error);
  }
  CLRS_TRY(clrs__require(memory, "memory", error));
  return is_readable_as_it_lies(source) ? read_bytes(source, memory, &tail, error)
                                        : read_copy(source, memory, &tail, error);
}
