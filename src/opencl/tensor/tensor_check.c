/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor_check.h"

#include "dtype.h"
#include "parts.h"
#include "slot.h"
#include "written.h"

clrs_status clrs__tensors_check_count(size_t count, const char *what, clrs_error *error) {
  if (count > PTRDIFF_MAX / sizeof(clrs_tensor *)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "there are %zu %s; no array holds as many",
                      count, what);
  }
  return CLRS_OK;
}

clrs_status clrs__tensor_check_context(const clrs_tensor *tensor, const clrs_context *context,
                                       const char *what, clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, what, error));
  if (tensor->common->context != context) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the %s tensor belongs to another clrs_context than the call's", what);
  }
  return CLRS_OK;
}

clrs_status clrs__tensor_check_known(const clrs_tensor *tensor, const char *what,
                                     clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, what, error));
  if (clrs__tensor_has_slot(tensor)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the %s tensor shows a slot, which has bytes in an enqueued work alone",
                      what);
  }
  return CLRS_OK;
}

clrs_status clrs__tensor_check(const clrs_tensor *tensor, const clrs_context *context,
                               const char *what, clrs_error *error) {
  CLRS_TRY(clrs__tensor_check_context(tensor, context, what, error));
  return clrs__tensor_check_known(tensor, what, error);
}

clrs_status clrs__tensor_check_tail(const clrs_tensor *tensor, const char *what,
                                    const clrs__tail *tail, clrs_error *error) {
  CLRS_TRY(clrs__tensor_check_known(tensor, what, error));
  return clrs__tail_check(tensor->common->context, tail, error);
}

clrs_status clrs__check_target(const clrs_tensor *destination, clrs_tensor *const *result,
                               clrs_error *error) {
  if ((destination == NULL) == (result == NULL)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "destination and result are both %s; a call takes one of them",
                      result == NULL ? "NULL" : "given");
  }
  return CLRS_OK;
}

clrs_status clrs__tensor_check_stored(const clrs_tensor *tensor, const clrs_context *context,
                                      const char *what, clrs_error *error) {
  CLRS_TRY(clrs__tensor_check(tensor, context, what, error));
  return clrs__tensor_check_unmapped(tensor, what, error);
}

clrs_status clrs__tensor_check_unmapped(const clrs_tensor *tensor, const char *what,
                                        clrs_error *error) {
  const clrs__mapping *mapping = tensor->common->mapping;
  return mapping == NULL
             ? CLRS_OK
             : clrs__fail(
                   error, CLRS_UNSUPPORTED,
                   "the %s tensor is mapped, from %s to %s: it has no bytes of its own until "
                   "it is moved",
                   what, clrs__dtype_text(mapping->mapped.map.from),
                   clrs__dtype_text(mapping->mapped.dtype));
}

clrs_status clrs__tensor_check_written(const clrs_tensor *destination, clrs_error *error) {
  CLRS_TRY(clrs__buffer_check_written(&destination->common->buffer, "destination", error));
  return clrs__view_check_written(&destination->view, error);
}

clrs_status clrs__tensors_check_apart(const clrs_tensor *source, const clrs_tensor *destination,
                                      clrs_error *error) {
  const clrs__reads reads = clrs__tensor_reads(source);
  const clrs_operand to = clrs__tensor_operand(destination);
  for (size_t i = 0; i < reads.count; i++) {
    const clrs_operand from = clrs__tensor_operand(reads.tensors[i]);
    if (reads.tensors[i]->common->buffer.root == destination->common->buffer.root &&
        clrs__operands_overlap(&from, &to)) {
      return clrs__fail(error, CLRS_OVERLAP,
                        "source and destination share bytes of one buffer; a move needs them "
                        "apart");
    }
  }
  return CLRS_OK;
}

clrs_status clrs__tensor_check_read(const clrs_tensor *source, clrs_error *error) {
  const clrs__reads reads = clrs__tensor_reads(source);
  for (size_t i = 0; i < reads.count; i++) {
    CLRS_TRY(clrs__buffer_check_read(&reads.tensors[i]->common->buffer,
                                     i == 0 ? "source" : "parameter", error));
  }
  return CLRS_OK;
}

clrs_storage clrs_tensor_storage(const clrs_tensor *tensor) {
  if (tensor == NULL || clrs__tensor_is_slot(tensor)) {
    return (clrs_storage){NULL, 0};
  }
  const clrs__common *common = tensor->common;
  return (clrs_storage){common->buffer.root, common->byte_offset};
}

clrs_status clrs_tensor_bytes(const clrs_tensor *tensor, clrs_byte_range *bytes,
                              clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__require(bytes, "bytes", error));
  CLRS_TRY(clrs__tensor_check_stored(tensor, tensor->common->context, "given", error));
  const clrs_operand operand = clrs__tensor_operand(tensor);
  const clrs_bounds bounds = clrs__touched_bounds(&tensor->view);
  clrs_footprint touched;
  CLRS_TRY(clrs__bounds_footprint(&operand, &bounds, "tensor", &touched, error));
  *bytes =
      (clrs_byte_range){tensor->common->buffer.root, (size_t)touched.begin,
                        (size_t)(touched.end - touched.begin)}; /* the elements lie in the buffer */
  return CLRS_OK;
}

uint64_t clrs__tensor_end(const clrs_tensor *tensor) {
  const clrs_operand operand = clrs__tensor_operand(tensor);
  clrs_footprint bytes = {0};
  (void)clrs__operand_footprint(&operand, "tensor", &bytes, NULL); /* cannot fail */
  return bytes.end;
}
