/*
 * The negative matrix: fill, pad, concat and stack.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runtime.h"

#define DESTINATION_ROWS                                                                           \
  ROW(destination, w.mapped, CLRS_UNSUPPORTED, "the destination tensor is mapped")                 \
  ROW(destination, w.repeated, CLRS_OVERLAP, "lie at one position")

/* Rows for a part that would need a walk more than a stack has. */
#define FULL_STACK_ROW(change, parameter, value)                                                   \
  ROW_IF(change, parameter, value, CLRS_LIMIT_EXCEEDED, "of more than 8 walks; copy it first")

FUNCTION(clrs_enqueue_fill, (void)0, a->destination, a->element, ON_QUEUE) {
  ENQUEUE_ROWS
  NULL_OF(destination, "destination");
  ROW(destination, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the queue is of context");
  DESTINATION_ROWS
  ROW(destination, w.into_read_only, CLRS_INVALID_ARGUMENT, "CL_MEM_READ_ONLY; a kernel may not");
  ROW(destination, w.straddling, CLRS_UNSUPPORTED, "u3 elements lie across bytes");
  TAKES(destination, w.nothing);
  NULL_OF(element, "element");
}

/* [3, 4] goes into [6, 4]. */
FUNCTION(clrs_enqueue_pad, (a->source = w.half, a->result_out = NULL), a->source, a->padding,
         a->destination, a->result_out, ON_QUEUE) {
  ENQUEUE_ROWS
  TARGET_ROWS
  ROW(destination, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the destination tensor belongs to");
  NULL_OF(source, "source");
  ROW(source, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the queue is of context");
  ROW(source, w.of_write_only, CLRS_INVALID_ARGUMENT, "CL_MEM_WRITE_ONLY; a kernel may not read");
  ROW(source, w.other_rank, CLRS_INVALID_ARGUMENT, "the source has rank 1 and type f32");
  ROW(source, w.other_dtype, CLRS_INVALID_ARGUMENT, "rank 2 and type i32, the destination 2 and");
  ROW(source, w.mapped, CLRS_INVALID_ARGUMENT, "rank 2 and type u8, the destination 2");
  ROW(source, w.other_shape, CLRS_OUT_OF_BOUNDS, "of extent 6 does not fit at 0 in a destination");
  DESTINATION_ROWS
  ROW(destination, w.over_source, CLRS_OVERLAP, "share bytes of one buffer");
  NULL_OF(padding, "padding");
  TAKES(padding->begins, NULL);
  TAKES(padding->begins, LIST(3, 0));
  ROW(padding->begins, LIST(-1, 0), CLRS_OUT_OF_BOUNDS,
      "dimension 0 of extent 3 does not fit at -");
  ROW(padding->begins, LIST(4, 0), CLRS_OUT_OF_BOUNDS, "at 4 in a destination of extent 6");
  ROW(padding->begins, LIST(0, INT64_MAX), CLRS_OUT_OF_BOUNDS, "at 9223372036854775807 in");
  ROW(padding->begins, LIST(0, INT64_MIN), CLRS_OUT_OF_BOUNDS, "at -9223372036854775808 in");
  NULL_OF(padding->element, "padding->element");
  FULL_STACK_ROW((a->source = w.row, a->one_padding.begins = LIST(7)), destination, w.deep);
  FULL_STACK_ROW((a->source = w.row,
                  a->one_padding = (clrs_padding){.begins = LIST(7), .mode = CLRS_PAD_EDGE}),
                 destination, w.deep);
  FULL_STACK_ROW((a->destination = w.longer,
                  a->one_padding = (clrs_padding){.begins = LIST(20), .mode = CLRS_PAD_WRAP}),
                 source, w.deep_of_source);
  ROW(padding->mode, -1, CLRS_INVALID_ARGUMENT, "pad mode -1 is unknown; clrs_pad_mode has 0 to 4");
  ROW(padding->mode, CLRS_PAD_WRAP + 1, CLRS_INVALID_ARGUMENT, "pad mode 5 is unknown");
  ROW_IF(a->padding->element = NULL, padding->mode, CLRS_PAD_EDGE, CLRS_OK, "");
  ROW_IF(a->padding->mode = CLRS_PAD_WRAP, padding->begins, LIST(4, 0), CLRS_OUT_OF_BOUNDS,
         "at 4 in a destination of extent 6");
  TAKES(padding->ends, LIST(3, 0));
  ROW(padding->ends, LIST(2, 0), CLRS_COUNT_MISMATCH, "padding is [5,4] and the destination [6,4]");
  ROW(padding->chain, &empty_chain, CLRS_COUNT_MISMATCH,
      "the chain makes [3,4] of f32 and the dest");
  ROW_IF((a->padding->chain = &empty_chain, a->padding->ends = LIST(3, 0)), padding->rules,
         &wrong_rules, CLRS_INVALID_ARGUMENT, "dialect 9");
  ROW_IF((a->padding->chain = &empty_chain), padding->ends, LIST(3, 0), CLRS_OK, "");
  ROW_IF(NEW, source, w.of_write_only, CLRS_INVALID_ARGUMENT, "CL_MEM_WRITE_ONLY; a kernel may");
  ROW_IF(NEW, padding->begins, LIST(3, 0), CLRS_OK, "");
  ROW_IF(NEW, padding->begins, LIST(-1, 0), CLRS_INVALID_ARGUMENT, "padding->begins[0] is -1; to");
  ROW_IF(NEW, padding->begins, LIST(0, INT64_MAX), CLRS_OVERFLOW, "dimension 1 of the result does");
  ROW_IF(NEW, padding->ends, LIST(0, 9), CLRS_OK, "");
  ROW_IF(NEW, padding->ends, LIST(0, -9), CLRS_INVALID_ARGUMENT, "padding->ends[1] is -9; to take");
  ROW_IF(NEW, padding->ends, LIST(INT64_MAX, 0), CLRS_OVERFLOW, "dimension 0 of the result does");
  ROW_IF((NEW, a->padding->element = NULL), padding->mode, CLRS_PAD_SYMMETRIC, CLRS_OK, "");
}

/* [3, 4] twice is [6, 4]. */
FUNCTION(clrs_enqueue_concat, (a->count = 2, a->result_out = NULL), a->count, a->sources, a->axis,
         a->destination, a->result_out, ON_QUEUE) {
  ENQUEUE_ROWS
  TARGET_ROWS
  ROW(destination, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the queue is of context");
  ROW(count, 0, CLRS_COUNT_MISMATCH, "add up to 0 of dimension 0; the destination has 6");
  ROW(count, 1, CLRS_COUNT_MISMATCH, "add up to 3 of dimension 0");
  ROW(count, SIZE_MAX, CLRS_INVALID_ARGUMENT, MOST " sources");
  ROW(count, SIZE_MAX / sizeof(void *) + 1, CLRS_INVALID_ARGUMENT, "no array holds as");
  NULL_OF(sources, "sources");
  ROW(sources, TENSORS(w.half, NULL), CLRS_INVALID_ARGUMENT, "source is NULL");
  ROW(sources, TENSORS(w.half, w.foreign_tensor), CLRS_INVALID_ARGUMENT, "belongs to an");
  ROW(sources, TENSORS(w.half, w.over_source), CLRS_COUNT_MISMATCH, "source 1 [6,4] does");
  ROW_IF(a->count = 3, sources, TENSORS(w.pair, w.pair_of_source, w.pair_of_source), CLRS_OVERLAP,
         "share bytes of one buffer");
  ROW(sources, TENSORS(w.half, w.mapped), CLRS_COUNT_MISMATCH, "source 1 [6,4] does");
  ROW(sources, TENSORS(w.half, w.other_rank), CLRS_COUNT_MISMATCH, "source 1 [24] does");
  ROW_IF(a->count = 3, sources, TENSORS(w.corner, w.corner, w.corner), CLRS_COUNT_MISMATCH,
         "the source is [2,2] and the destination [2,4]");
  ROW(axis, 2, CLRS_INVALID_ARGUMENT, "concat axis 2 is out of range for rank 2; it must be in");
  ROW(axis, -3, CLRS_INVALID_ARGUMENT, "concat axis -3 is out of range");
  ROW(axis, INT64_MAX, CLRS_INVALID_ARGUMENT, "concat axis 9223372036854775807 is out of range");
  ROW(axis, INT64_MIN, CLRS_INVALID_ARGUMENT, "concat axis -9223372036854775808 is out of range");
  ROW(axis, 1, CLRS_COUNT_MISMATCH, "source 1 [3,4] does not fit into [6,4] at 4");
  DESTINATION_ROWS
  ROW(destination, w.other_shape, CLRS_COUNT_MISMATCH, "");
  ROW(destination, w.flag, CLRS_INVALID_ARGUMENT, "concat axis 0 is out of range for rank 0");
  ROW(destination, w.other_dtype, CLRS_INVALID_ARGUMENT, "f32 and the destination i32");
  ROW(destination, w.into_read_only, CLRS_INVALID_ARGUMENT, "CL_MEM_READ_ONLY; a kernel may not");
  ROW_IF(NEW, count, 0, CLRS_INVALID_ARGUMENT, "there are no sources, which would say the shape");
  ROW_IF(NEW, count, 1, CLRS_OK, "");
  ROW_IF(NEW, count, SIZE_MAX, CLRS_INVALID_ARGUMENT, MOST " sources");
  ROW_IF(NEW, sources, NULL, CLRS_INVALID_ARGUMENT, "sources is NULL");
  ROW_IF(NEW, sources, TENSORS(NULL, w.half), CLRS_INVALID_ARGUMENT, "source is NULL");
  ROW_IF(NEW, sources, TENSORS(w.half, NULL), CLRS_INVALID_ARGUMENT, "source is NULL");
  ROW_IF(NEW, sources, TENSORS(w.half, w.foreign_tensor), CLRS_INVALID_ARGUMENT, "belongs to an");
  ROW_IF(NEW, sources, TENSORS(w.half, w.other_rank), CLRS_COUNT_MISMATCH, "source 1 [");
  ROW_IF(NEW, sources, TENSORS(w.half, w.other_dtype), CLRS_INVALID_ARGUMENT, "");
  ROW_IF(NEW, axis, 2, CLRS_INVALID_ARGUMENT, "concat axis 2 is out of range for rank 2; it must");
  ROW_IF(NEW, axis, INT64_MIN, CLRS_INVALID_ARGUMENT, "concat axis -9223372036854775808 is out");
}

/* [4] six times is [6, 4]. */
FUNCTION(clrs_enqueue_stack, (void)0, a->stack, a->destination, ON_QUEUE) {
  ENQUEUE_ROWS
  NULL_OF(destination, "destination");
  ROW(destination, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the queue is of context");
  NULL_OF(stack, "stack");
  ROW(stack->count, 0, CLRS_COUNT_MISMATCH, "0 sources do not make up the first dim of a des");
  ROW(stack->count, 5, CLRS_COUNT_MISMATCH, "5 sources do not make up the first dim of a des");
  ROW(stack->count, SIZE_MAX, CLRS_INVALID_ARGUMENT, MOST " sources");
  ROW(stack->count, SIZE_MAX / sizeof(void *) + 1, CLRS_INVALID_ARGUMENT, "no array holds as");
  NULL_OF(stack->sources, "stack->sources");
#define LAST(tensor) TENSORS(w.row, w.row, w.row, w.row, w.row, tensor)
  ROW(stack->sources, LAST(NULL), CLRS_INVALID_ARGUMENT, "a value; that is source 5 of 6");
  ROW(stack->sources, LAST(w.foreign_tensor), CLRS_INVALID_ARGUMENT, "belongs to another");
  ROW(stack->sources, LAST(w.half), CLRS_INVALID_ARGUMENT, "it has rank 2 and type f32; a dest");
  ROW(stack->sources, LAST(w.strings), CLRS_INVALID_ARGUMENT, "rank 1 and type string; a dest");
  ROW(stack->sources, LAST(w.mapped), CLRS_INVALID_ARGUMENT, "it has rank 2 and type u8; a dest");
  ROW(stack->sources, LAST(w.other_rank), CLRS_OUT_OF_BOUNDS, "extent 24 does not fit at 0 in");
  TAKES(stack->begins, NULL);
  ROW(stack->begins, LIST(0, 0, -1, 0, 0, 0), CLRS_OUT_OF_BOUNDS, "at -1 in a destination of");
  ROW(stack->begins, LIST(0, 0, 0, 0, 0, 1), CLRS_OUT_OF_BOUNDS, "that is source 5 of 6");
  ROW(stack->begins, LIST(INT64_MAX, 0, 0, 0, 0, 0), CLRS_OUT_OF_BOUNDS, "at 922337203685477");
  TAKES(stack->element, NULL);
  ROW_IF(a->one_stack.sources = LAST(w.short_row), stack->element, NULL, CLRS_COUNT_MISMATCH,
         "dimension 0 has 3 of the destination's 4 elements, and there is neither a border");
  TAKES(stack->border, w.row);
  ROW(stack->border, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the border tensor belongs to anoth");
  ROW(stack->border, w.short_row, CLRS_COUNT_MISMATCH, "a border [3] cannot be broadcast to an in");
  ROW(stack->border, w.half, CLRS_COUNT_MISMATCH, "a border [3,4] cannot be broadcast to an index");
  ROW(stack->border, w.mapped, CLRS_COUNT_MISMATCH, "a border [6,4] cannot be broadcast to an ind");
  ROW(stack->border, w.strings, CLRS_INVALID_ARGUMENT, "the border is string and the destination");
  FULL_STACK_ROW((a->destination = w.sheet, a->one_stack.begins = LIST(7, 7, 7, 7, 7, 7)),
                 stack->border, w.deep_of_source);
#undef LAST
  DESTINATION_ROWS
  ROW(destination, w.over_source, CLRS_OVERLAP, "share bytes of one buffer");
  ROW(destination, w.other_rank, CLRS_COUNT_MISMATCH, "6 sources do not make up the first dim");
  ROW(destination, w.flag, CLRS_COUNT_MISMATCH, "do not make up the first dim of a destination []");
  ROW(destination, w.other_dtype, CLRS_INVALID_ARGUMENT, "a destination of rank 2 and type i32");
  ROW(destination, w.into_read_only, CLRS_INVALID_ARGUMENT, "CL_MEM_READ_ONLY; a kernel may not");
}
