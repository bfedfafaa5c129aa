/*
 * Warming up for the moves of tensors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mapped_move.h"
#include "tensor_check.h"
#include "warm_up.h"

static clrs_status warm_up_mapped(clrs_context *context, const clrs_tensor *source,
                                  const clrs_tensor *destination, clrs_error *error) {
  const clrs__mapped_part moved = {source, clrs_tensor_view(source), destination,
                                   clrs_tensor_view(destination)};
  const clrs__reads reads = clrs__tensor_reads(source);
  clrs__commands commands = {.context = context};
  uint64_t bytes = clrs__tensor_end(destination);
  for (size_t i = 0; i < reads.count; i++) {
    const uint64_t end = clrs__tensor_end(reads.tensors[i]);
    bytes = end > bytes ? end : bytes;
  }
  clrs_status status = clrs__commands_add_mapped(&commands, NULL, &moved, error);
  if (status == CLRS_OK) {
    status = clrs__commands_warm_up(&commands, bytes, error);
  }
  clrs__commands_destroy(&commands);
  return status;
}

/* Into a result, which need be there for its buffer's sake alone. */
static clrs_status warm_up_mapped_result(clrs_context *context, const clrs_tensor *source,
                                         clrs_error *error) {
  const clrs_view *view = clrs_tensor_view(source);
  clrs_tensor *result = NULL;
  CLRS_TRY(clrs_tensor_allocate(context, view->dtype, &view->shape, &result, error));
  const clrs_status status = warm_up_mapped(context, source, result, error);
  clrs_tensor_release(result);
  return status;
}

clrs_status clrs_context_warm_up_move(clrs_context *context, const clrs_tensor *source,
                                      const clrs_tensor *destination, clrs_error *error) {
  clrs_plan plan;
  CLRS_TRY(clrs_tensor_plan(context, source, destination, CLRS_COPY_ALWAYS, &plan, error));
  if (plan.outcome != CLRS_OUTCOME_MAPPED) {
    return clrs_context_warm_up_plan(context, &plan, error);
  }
  return destination != NULL ? warm_up_mapped(context, source, destination, error)
                             : warm_up_mapped_result(context, source, error);
}
