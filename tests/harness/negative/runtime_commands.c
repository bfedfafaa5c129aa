/*
 * The negative matrix: moves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runtime.h"

/* Rows of a source that is copied. */
#define SOURCE_ROWS                                                                                \
  NULL_OF(source, "source")                                                                        \
  ROW(source, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the queue is of context")                  \
  ROW(source, w.of_write_only, CLRS_INVALID_ARGUMENT, "CL_MEM_WRITE_ONLY; a kernel may not read")  \
  ROW(source, w.slot, CLRS_INVALID_ARGUMENT, "the source tensor shows a slot")                     \
  ROW(source, w.mapped_slot, CLRS_INVALID_ARGUMENT, "the source tensor shows a slot")

#define POLICY_ROWS                                                                                \
  ROW(policy, -1, CLRS_INVALID_ARGUMENT, "clrs_copy_policy has 0 to 2")                            \
  ROW(policy, CLRS_COPY_ALWAYS + 1, CLRS_INVALID_ARGUMENT, "copy policy 3 is unknown")             \
  ROW(policy, INT32_MAX, CLRS_INVALID_ARGUMENT, "copy policy 2147483647 is unknown")

FUNCTION(clrs_enqueue_reshape, (void)0, a->source, a->pattern, a->policy, a->result_out, ON_QUEUE) {
  ENQUEUE_ROWS
  SOURCE_ROWS
  PATTERN_ROWS(pattern);
  POLICY_ROWS
  ROW(policy, CLRS_COPY_NEVER, CLRS_WOULD_COPY, "the copy policy is never, but");
  NULL_OF(result_out, "result");
}

#define DESTINATION_ROWS                                                                           \
  ROW(destination, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the destination tensor belongs to")   \
  ROW(destination, w.into_read_only, CLRS_INVALID_ARGUMENT, "CL_MEM_READ_ONLY; a kernel may not")  \
  ROW(destination, w.mapped, CLRS_UNSUPPORTED, "the destination tensor is mapped")                 \
  ROW(destination, w.slot, CLRS_INVALID_ARGUMENT, "the destination tensor shows a slot")           \
  ROW(destination, w.repeated, CLRS_OVERLAP, "two elements of the destination")

FUNCTION(clrs_enqueue_move, (void)0, a->source, a->destination, ON_QUEUE) {
  ENQUEUE_ROWS
  SOURCE_ROWS
  ROW(source, w.mapped, CLRS_INVALID_ARGUMENT, "mapped to u8 and the destination f32");
  NULL_OF(destination, "destination");
  DESTINATION_ROWS
  ROW(destination, w.other_shape, CLRS_COUNT_MISMATCH, "[6,4] and the destination [4,6]");
  ROW(destination, w.other_rank, CLRS_COUNT_MISMATCH, "[6,4] and the destination [24]");
  ROW(destination, w.other_dtype, CLRS_INVALID_ARGUMENT, "f32 and the destination i32");
  ROW(destination, w.over_source, CLRS_OVERLAP, "share bytes of one buffer");
}

FUNCTION(clrs_enqueue_chain, (a->chain = "flip=0", a->result_out = NULL), a->source, a->chain,
         a->policy, a->destination, a->result_out, ON_QUEUE) {
  ENQUEUE_ROWS
  TARGET_ROWS
  SOURCE_ROWS
  NULL_OF(chain, "chain");
  ROW(chain, "flip=0 flip=2", CLRS_INVALID_ARGUMENT, "operation 2 (flip=2) at column 8: ax");
  ROW_IF(NEW, chain, "cast=f16 permute=0,0", CLRS_INVALID_ARGUMENT, "operation 2 (permute=0,0)");
  ROW(chain, "permute=1,0", CLRS_COUNT_MISMATCH, "[4,6] and the destination [6,4]");
  ROW_IF(NEW, chain, "reshape=5,5", CLRS_COUNT_MISMATCH, "operation 1 (reshape=5,5) at column 1: ");
  TAKES(policy, -1); /* a destination's policy is not read */
  ROW_IF(NEW, policy, -1, CLRS_INVALID_ARGUMENT, "clrs_copy_policy has 0 to 2");
  ROW_IF(NEW, policy, CLRS_COPY_ALWAYS + 1, CLRS_INVALID_ARGUMENT, "copy policy 3 is unknown");
  ROW_IF((NEW, a->chain = "reshape=-1"), policy, CLRS_COPY_NEVER, CLRS_WOULD_COPY,
         "the copy policy is never, but");
  ROW_IF((NEW, a->chain = ""), policy, CLRS_COPY_NEVER, CLRS_OK, ""); /* one layout */
  ROW_IF((NEW, a->chain = "", a->policy = CLRS_COPY_NEVER), on->queue, w.foreign.queue,
         CLRS_INVALID_ARGUMENT, "the queue is of context");
  ROW_IF((NEW, a->source = w.mapped), policy, CLRS_COPY_NEVER, CLRS_WOULD_COPY,
         "its elements are comp");
  ROW_IF(NEW, source, w.mapped, CLRS_OK, "");
  ROW_IF(NEW, source, w.slot, CLRS_INVALID_ARGUMENT, "the source tensor shows a slot");
  ROW_IF(NEW, source, w.mapped_slot, CLRS_INVALID_ARGUMENT, "the source tensor shows a slot");
  DESTINATION_ROWS
  ROW(destination, w.other_shape, CLRS_COUNT_MISMATCH, "[6,4] and the destination [4,6]");
  ROW(destination, w.other_dtype, CLRS_INVALID_ARGUMENT, "f32 and the destination i32");
  ROW(destination, w.over_source, CLRS_OVERLAP, "share bytes of one buffer");
}

FUNCTION(clrs_enqueue_read, a->size = ELEMENT_BYTES, a->source, a->memory, a->size, ON_QUEUE) {
  ENQUEUE_ROWS
  SOURCE_ROWS
  ROW_IF(a->size = 24, source, w.mapped, CLRS_OK, "");
  NULL_OF(memory, "memory");
  ROW_IF((a->size = 0, a->source = w.nothing), memory, NULL, CLRS_OK, "");
  ROW(size, ELEMENT_BYTES - 1, CLRS_INVALID_ARGUMENT, "95 bytes and the tensor's elements take 96");
  ROW(size, ELEMENT_BYTES + 1, CLRS_INVALID_ARGUMENT, "97 bytes and the tensor's elements take 96");
  ROW(size, 0, CLRS_INVALID_ARGUMENT, "0 bytes and the tensor's elements take 96");
  ROW(size, SIZE_MAX, CLRS_INVALID_ARGUMENT, MOST " bytes");
}

/* ---- plans ---- */

#define BUFFER_ROWS(name)                                                                          \
  NULL_OF(buffers__plan->name, "buffers->" #name)                                                  \
  ROW(buffers__plan->name, w.foreign_buffer, CLRS_INVALID_ARGUMENT, "the clrs_context is of")      \
  ROW(buffers__plan->name, w.small, CLRS_OUT_OF_BOUNDS,                                            \
      "bytes 0 to 96 of the " #name ", a buffer of 95")                                            \
  ROW(buffers__plan->name, w.misaligned, CLRS_INVALID_ARGUMENT,                                    \
      "the plan relies on a " #name " aligned to")

FUNCTION(clrs_enqueue_plan, (void)0, a->context, a->plan, a->buffers__plan, ON_QUEUE) {
  NULL_OF(context, "context");
  ENQUEUE_ROWS
  ROW(context, w.foreign_library, CLRS_INVALID_ARGUMENT, "the queue is of context");
  NULL_OF(plan, "plan");
  NULL_OF(buffers__plan, "buffers");
  BUFFER_ROWS(source);
  ROW(buffers__plan->source, w.write_only, CLRS_INVALID_ARGUMENT,
      "the source's buffer is CL_MEM_WRITE_ONLY; a kernel may not");
  ROW(buffers__plan->source, w.destination, CLRS_OVERLAP,
      "the footprints of source and destination meet");
  BUFFER_ROWS(destination);
  ROW(buffers__plan->destination, w.read_only, CLRS_INVALID_ARGUMENT,
      "CL_MEM_READ_ONLY; a kernel may");
  ROW(buffers__plan->destination, w.hidden_read_only, CLRS_INVALID_ARGUMENT,
      "CL_MEM_READ_ONLY; a kern");
  if (m->lists || w.image)
    ROW(buffers__plan->destination, w.image, CLRS_INVALID_ARGUMENT, "only buffers");
  if (m->lists || w.wrapping) {
    ROW(buffers__plan->source, w.wrapping, CLRS_OUT_OF_BOUNDS, "a buffer of 1024 bytes");
    ROW(buffers__plan->destination, w.wrapping, CLRS_OUT_OF_BOUNDS, "a buffer of 1024 bytes");
  }
}
