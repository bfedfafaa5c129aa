/*
 * The negative matrix: gather and scatter by indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runtime.h"

#define INDEX_ROWS                                                                                 \
  NULL_OF(indices, "indices")                                                                      \
  NULL_OF(indices->tensor, "indices->tensor")                                                      \
  ROW(indices->tensor, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the index tensor belongs to ano") \
  ROW(indices->tensor, w.mapped, CLRS_UNSUPPORTED, "the index tensor is mapped")                   \
  ROW(indices->tensor, w.row, CLRS_INVALID_ARGUMENT, "the indices are f32; they must be i32 or")   \
  ROW(indices->tensor, w.write_only_index, CLRS_INVALID_ARGUMENT, "the index tensor's buffer is")  \
  ROW(indices->tensor, w.deep_index, CLRS_LIMIT_EXCEEDED, "indices of rank 32 along one of 2")     \
  ROW(indices->tensor, w.other_dtype, CLRS_COUNT_MISMATCH, "indices [6,4] along dimension 0 of")   \
  ROW(indices->tensor, w.index_in_destination, CLRS_OVERLAP, "the index tensor and the desti")     \
  ROW(indices->axis, 1, CLRS_COUNT_MISMATCH, "indices [2] along dimension 1 of the")               \
  ROW(indices->axis, 2, CLRS_INVALID_ARGUMENT, "indices->axis 2 is out of range for rank 2; it")   \
  ROW(indices->axis, -3, CLRS_INVALID_ARGUMENT, "indices->axis -3 is out of range")                \
  ROW(indices->axis, INT64_MAX, CLRS_INVALID_ARGUMENT, "indices->axis 9223372036854775807 is")     \
  ROW(indices->axis, INT64_MIN, CLRS_INVALID_ARGUMENT, "indices->axis -9223372036854775808 is")    \
  TAKES(indices->axis, -2)                                                                         \
  TAKES(indices->from_end, true)                                                                   \
  ROW(indices->outside, 2, CLRS_INVALID_ARGUMENT, "2 is no clrs_outside")                          \
  ROW(indices->outside, -1, CLRS_INVALID_ARGUMENT, "-1 is no clrs_outside")                        \
  TAKES(indices->outside, CLRS_OUTSIDE_CLAMPED)                                                    \
  TAKES(indices->element, NULL)                                                                    \
  TAKES(indices->flag, NULL)                                                                       \
  ROW(indices->flag, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the flag tensor belongs to anothe") \
  ROW(indices->flag, w.mapped, CLRS_UNSUPPORTED, "the flag tensor is mapped")                      \
  ROW(indices->flag, w.row, CLRS_INVALID_ARGUMENT, "the flag is f32 [4]; it must be one u32")      \
  ROW(indices->flag, w.two_flags, CLRS_INVALID_ARGUMENT, "the flag is u32 [2]; it must be one")    \
  ROW(indices->flag, w.flag_to_read, CLRS_INVALID_ARGUMENT, "the flag's buffer is CL_MEM_READ_O")  \
  ROW(indices->flag, w.flag_at_odd_byte, CLRS_INVALID_ARGUMENT, "must be at a multiple of 4 byte") \
  ROW(indices->flag, w.flag_in_source, CLRS_OVERLAP, "the source and the flag share bytes")        \
  ROW(indices->flag, w.flag_in_index, CLRS_OVERLAP, "the index tensor and the flag share bytes")   \
  ROW(indices->flag, w.flag_in_destination, CLRS_OVERLAP, "the destination and the flag share")

#define SIDE_ROWS                                                                                  \
  NULL_OF(source, "source")                                                                        \
  ROW(source, w.mapped, CLRS_INVALID_ARGUMENT, "the source is u8 and the destination f32")         \
  ROW(source, w.of_write_only, CLRS_INVALID_ARGUMENT, "the source's buffer is CL_MEM_WRITE_ONLY")  \
  ROW(source, w.other_dtype, CLRS_INVALID_ARGUMENT, "the source is i32 and the destination f32")   \
  ROW(source, w.strings, CLRS_INVALID_ARGUMENT, "the source is string and the destination f32")    \
  ROW_IF(a->destination = w.straddling, source, w.straddling, CLRS_UNSUPPORTED,                    \
         "u3 elements share bytes, and indices move whole bytes")                                  \
  ROW(destination, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the destination tensor belongs to")   \
  ROW(destination, w.mapped, CLRS_UNSUPPORTED, "the destination tensor is mapped")                 \
  ROW(destination, w.repeated, CLRS_OVERLAP, "lie at one position")                                \
  ROW(destination, w.into_read_only, CLRS_INVALID_ARGUMENT, "CL_MEM_READ_ONLY; a kernel may not")  \
  ROW(destination, w.other_dtype, CLRS_INVALID_ARGUMENT, "the source is f32 and the destination")

/* [2, 4] of [3, 4]. */
FUNCTION(clrs_enqueue_gather, (a->source = w.half, a->destination = w.pair, a->result_out = NULL),
         a->source, a->indices, a->destination, a->result_out, ON_QUEUE) {
  ENQUEUE_ROWS
  ROW(source, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the queue is of context");
  TARGET_ROWS
  ROW_IF(NEW, indices, NULL, CLRS_INVALID_ARGUMENT, "indices is NULL");
  ROW_IF(NEW, indices->tensor, NULL, CLRS_INVALID_ARGUMENT, "indices->tensor is NULL");
  ROW_IF(NEW, indices->axis, 2, CLRS_INVALID_ARGUMENT, "indices->axis 2 is out of range");
  ROW_IF(NEW, indices->tensor, w.deep_index, CLRS_LIMIT_EXCEEDED, "");
  SIDE_ROWS
  TAKES(source, w.nothing);
  TAKES(source, w.nothing_write_only);
  ROW(source, w.other_rank, CLRS_COUNT_MISMATCH, "of the source [24] take a destination [2]; it i");
  ROW(source, w.target, CLRS_OVERLAP, "the source and the destination share bytes of one buffer");
  ROW_IF(a->destination = w.flag, source, w.flag_in_source, CLRS_INVALID_ARGUMENT,
         "indices->axis 0 is out of range for rank 0");
  ROW(destination, w.target, CLRS_COUNT_MISMATCH, "take a destination [2,4]; it is [6,4]");
  ROW(destination, w.nothing, CLRS_COUNT_MISMATCH, "take a destination [2,4]; it is [0,4]");
  INDEX_ROWS
}

/* [2, 4] into [6, 4]. */
FUNCTION(clrs_enqueue_scatter, (a->source = w.pair_of_source), a->source, a->indices,
         a->destination, ON_QUEUE) {
  ENQUEUE_ROWS
  ROW(source, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the queue is of context");
  NULL_OF(destination, "destination");
  SIDE_ROWS
  TAKES(destination, w.nothing);
  ROW(source, w.half, CLRS_COUNT_MISMATCH, "destination [6,4] take a source [2,4]; it is [3,4]");
  ROW(source, w.pair, CLRS_OVERLAP, "the source and the destination share bytes of one buffer");
  ROW(destination, w.other_rank, CLRS_COUNT_MISMATCH, "destination [24] take a source [2]; it is");
  INDEX_ROWS
}

FUNCTION(clrs_tensor_plan_gather, (a->source = w.half, a->destination = w.pair), a->source,
         a->indices, a->destination, a->plan_out) {
  ROW(source, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "belongs to another");
  NULL_OF(destination, "destination");
  NULL_OF(plan_out, "plan");
  SIDE_ROWS
  TAKES(source, w.nothing);
  INDEX_ROWS
}

FUNCTION(clrs_tensor_plan_scatter, (a->source = w.pair_of_source), a->source, a->indices,
         a->destination, a->plan_out) {
  ROW(source, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "belongs to another");
  NULL_OF(destination, "destination");
  NULL_OF(plan_out, "plan");
  SIDE_ROWS
  TAKES(destination, w.nothing);
  INDEX_ROWS
}
