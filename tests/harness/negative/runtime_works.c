/*
 * The negative matrix: works. Errors that need a plan are reported when a work is prepared.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runtime.h"

#define VIEW(tensor) clrs_tensor_view(tensor)
/* Rows of slot 0, a storage except in rows that make the slot a tensor. */
#define SLOT_ROW(parameter, value, says) ROW(parameter, value, CLRS_INVALID_ARGUMENT, says)
#define TENSOR_ROW(value, status, says)                                                            \
  ROW_IF(a->given[0].storage.buffer = NULL, slots->tensor, value, status, says)

FUNCTION(clrs_tensor_slot, (void)0, a->context, a->slot, a->layout, a->tensor_out) {
  NULL_OF(context, "context");
  TAKES(slot, 1023);
  ROW(slot, 1024, CLRS_LIMIT_EXCEEDED, "slot 1024 is over the limit of 1024 slots");
  ROW(slot, UINT32_MAX, CLRS_LIMIT_EXCEEDED, "slot 4294967295 is over the limit");
  NULL_OF(layout, "layout");
  DTYPE_ROWS(layout->dtype);
  ROW(layout->dtype, CLRS_STRING, CLRS_UNSUPPORTED, "the elements of slot 0 are strings");
  ROW(layout->rank, CLRS_MAX_RANK + 1, CLRS_LIMIT_EXCEEDED, "rank 33");
  ROW(layout->dims[0], -1, CLRS_INVALID_ARGUMENT, "");
  ROW(layout->dims[0], INT64_MAX, CLRS_OVERFLOW, "");
  ROW(layout->strides[0], INT64_MAX, CLRS_OVERFLOW, "");
  ROW(layout->offset, -1, CLRS_OUT_OF_BOUNDS, "");
  ROW(layout->offset, INT64_MAX, CLRS_OVERFLOW, "");
  NULL_OF(tensor_out, "tensor");
}

FUNCTION(clrs_work_create, (void)0, a->context, a->work_out) {
  NULL_OF(context, "context");
  NULL_OF(work_out, "work");
}

RETURNS(clrs_work_retain, a->work) {
  ANSWERS(work, NULL, "returns");
}

RETURNS(clrs_work_release, a->work) {
  ANSWERS(work, NULL, "returns");
}

ANSWER(clrs_work_launches, "%zu", clrs_work_launches(a->work)) {
  ANSWERS(work, NULL, "0");
  ANSWERS(work, w.open, "0");
}

/* ---- adding ---- */

#define WORK_ROWS                                                                                  \
  NULL_OF(work, "work")                                                                            \
  ROW(work, w.work, CLRS_INVALID_ARGUMENT, "the work is prepared, or has been enqueued")
#define SOURCE_ROWS                                                                                \
  NULL_OF(source, "source")                                                                        \
  ROW(source, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the source tensor belongs to another")
#define DESTINATION_ROWS                                                                           \
  NULL_OF(destination, "destination")                                                              \
  ROW(destination, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the destination tensor belongs to")   \
  ROW(destination, w.mapped, CLRS_UNSUPPORTED, "the destination tensor is mapped")

FUNCTION(clrs_work_move, a->work = w.open, a->work, a->source, a->destination) {
  WORK_ROWS
  SOURCE_ROWS
  TAKES(source, w.mapped); /* a plan says that the types differ */
  DESTINATION_ROWS
}

FUNCTION(clrs_work_fill, a->work = w.open, a->work, a->destination, a->element) {
  WORK_ROWS
  DESTINATION_ROWS
  ROW(destination, w.repeated, CLRS_OVERLAP, "lie at one position");
  ROW(destination, w.into_read_only, CLRS_INVALID_ARGUMENT, "CL_MEM_READ_ONLY; a kernel may not");
  NULL_OF(element, "element");
}

#define INDEX_ROWS                                                                                 \
  NULL_OF(indices, "indices")                                                                      \
  NULL_OF(indices->tensor, "indices->tensor")                                                      \
  ROW(indices->tensor, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the index tensor belongs to ano") \
  ROW(indices->tensor, w.mapped, CLRS_UNSUPPORTED, "the index tensor is mapped")                   \
  TAKES(indices->flag, NULL)                                                                       \
  ROW(indices->flag, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the flag tensor belongs to anothe") \
  ROW(indices->flag, w.mapped, CLRS_UNSUPPORTED, "the flag tensor is mapped")

FUNCTION(clrs_work_gather, (a->work = w.open, a->source = w.half, a->destination = w.pair), a->work,
         a->source, a->indices, a->destination){WORK_ROWS SOURCE_ROWS INDEX_ROWS DESTINATION_ROWS}

FUNCTION(clrs_work_scatter, (a->work = w.open, a->source = w.pair_of_source), a->work, a->source,
         a->indices, a->destination){WORK_ROWS SOURCE_ROWS INDEX_ROWS DESTINATION_ROWS}

FUNCTION(clrs_work_pad, (a->work = w.open, a->source = w.half), a->work, a->source, a->padding,
         a->destination) {
  WORK_ROWS
  SOURCE_ROWS
  NULL_OF(padding, "padding");
  NULL_OF(padding->element, "padding->element");
  ROW(padding->mode, -1, CLRS_INVALID_ARGUMENT, "pad mode -1 is unknown");
  ROW(padding->begins, LIST(4, 0), CLRS_OUT_OF_BOUNDS, "at 4 in a destination of extent 6");
  ROW(padding->ends, LIST(2, 0), CLRS_COUNT_MISMATCH, "padding is [5,4] and the destination [6,4]");
  ROW(padding->chain, &empty_chain, CLRS_COUNT_MISMATCH, "the chain makes [3,4] of f32 and the");
  ROW_IF((a->padding->chain = &empty_chain, a->padding->ends = LIST(3, 0)), padding->rules,
         &wrong_rules, CLRS_INVALID_ARGUMENT, "dialect 9");
  DESTINATION_ROWS
}

FUNCTION(clrs_work_concat, (a->work = w.open, a->count = 2), a->work, a->count, a->sources, a->axis,
         a->destination) {
  WORK_ROWS
  ROW(count, 1, CLRS_COUNT_MISMATCH, "add up to 3 of dimension 0");
  ROW(count, SIZE_MAX, CLRS_INVALID_ARGUMENT, MOST " sources");
  NULL_OF(sources, "sources");
  ROW(sources, TENSORS(w.half, NULL), CLRS_INVALID_ARGUMENT, "source is NULL");
  ROW(sources, TENSORS(w.half, w.foreign_tensor), CLRS_INVALID_ARGUMENT, "belongs to an");
  ROW(axis, 2, CLRS_INVALID_ARGUMENT, "concat axis 2 is out of range for rank 2; it must be in");
  DESTINATION_ROWS
}

FUNCTION(clrs_work_stack, a->work = w.open, a->work, a->stack, a->destination) {
  WORK_ROWS
  NULL_OF(stack, "stack");
  ROW(stack->count, 5, CLRS_COUNT_MISMATCH, "5 sources do not make up the first dim of a des");
  NULL_OF(stack->sources, "stack->sources");
  ROW(stack->begins, LIST(0, 0, -1, 0, 0, 0), CLRS_OUT_OF_BOUNDS, "at -1 in a destination of");
  ROW(stack->border, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the border tensor belongs to anoth");
  TAKES(stack->element, NULL);
  DESTINATION_ROWS
}

/* ---- preparing ---- */

/* f32 to u8, by two numbers along a dim. */
static const clrs_mapped *mapped_to_bytes(void) {
  static clrs_mapped mapped;
  const clrs_map map = world_map();
  CHECK_OK(clrs_mapped_init(VIEW(w.transposed), &mapped, &error), error);
  CHECK_OK(clrs_mapped_then(&mapped, &map, NULL, &error), error);
  return &mapped;
}

static clrs_work *move_of(const clrs_view *from, const clrs_view *to, uint32_t destination) {
  return world_work(&(test_task){.from = from, .to = to, .destination = destination});
}

/* A gather of [2, 4] from [3, 4] by indices in slot 2, with a flag in slot 3. */
static clrs_work *gather_of(const clrs_view *from, const clrs_view *by, const clrs_view *raises,
                            const clrs_indices *indices) {
  return world_work(&(test_task){.destination = 1,
                                 .from = from,
                                 .to = VIEW(w.pair),
                                 .gather = indices,
                                 .index = 2,
                                 .by = by,
                                 .flag = 3,
                                 .raises = raises});
}

static const clrs_indices plain = {.axis = 0}, far_axis = {.axis = 2},
                          no_rule = {.outside = (clrs_outside)2};

#define GATHER_ROW(from, by, raises, indices, status, says)                                        \
  ROW(work, gather_of(VIEW(from), VIEW(by), VIEW(raises), &indices), status, says)

#define PREPARE_ROWS                                                                               \
  NULL_OF(work, "work")                                                                            \
  ROW(work, move_of(VIEW(w.transposed), VIEW(w.other_shape), 1), CLRS_COUNT_MISMATCH,              \
      "and the destination [4,6]; that is task 0 of 1")                                            \
  ROW(work, move_of(VIEW(w.transposed), VIEW(w.other_dtype), 1), CLRS_INVALID_ARGUMENT,            \
      "does not convert")                                                                          \
  ROW(work, move_of(VIEW(w.transposed), VIEW(w.repeated), 1), CLRS_OVERLAP,                        \
      "two elements of the destination")                                                           \
  ROW(work, move_of(VIEW(w.transposed), VIEW(w.target), 0), CLRS_OVERLAP,                          \
      "share bytes of one buffer")                                                                 \
  ROW(work, move_of(VIEW(w.straddling), VIEW(w.row), 0), CLRS_INVALID_ARGUMENT,                    \
      "elements of 32 bits here and of 3 bits before; an advance counts elements of one width")

FUNCTION(clrs_work_prepare, (void)0, a->work) {
  PREPARE_ROWS
  ROW(work,
      world_work(&(test_task){.destination = 1, .mapped = mapped_to_bytes(), .to = VIEW(w.target)}),
      CLRS_INVALID_ARGUMENT, "mapped to u8 and the destination f32; a move converts only as");
  GATHER_ROW(w.half, w.index, w.flag, plain, CLRS_OK, "");
  GATHER_ROW(w.half, w.row, w.flag, plain, CLRS_INVALID_ARGUMENT, "the indices are f32; they must");
  GATHER_ROW(w.half, w.deep_index, w.flag, plain, CLRS_LIMIT_EXCEEDED, "of rank 32 along one of 2");
  GATHER_ROW(w.half, w.index, w.two_flags, plain, CLRS_INVALID_ARGUMENT, "the flag is u32 [2]; i");
  GATHER_ROW(w.half, w.index, w.row, plain, CLRS_INVALID_ARGUMENT, "the flag is f32 [4]; it must");
  GATHER_ROW(w.transposed, w.other_dtype, w.flag, plain, CLRS_COUNT_MISMATCH,
             "indices [6,4] along");
  GATHER_ROW(w.half, w.index, w.flag, far_axis, CLRS_INVALID_ARGUMENT, "indices->axis 2 is out of");
  GATHER_ROW(w.half, w.index, w.flag, no_rule, CLRS_INVALID_ARGUMENT, "2 is no clrs_outside");
}

FUNCTION(clrs_work_warm_up, (void)0, a->work){PREPARE_ROWS}

/* ---- enqueuing ---- */

FUNCTION(clrs_enqueue_work, (void)0, a->work, a->slot_count, a->slots, ON_QUEUE) {
  NULL_OF(work, "work");
  ROW(slot_count, 0, CLRS_INVALID_ARGUMENT, "the work uses slot 0; the call gives 0 slots");
  ROW(slot_count, 1, CLRS_INVALID_ARGUMENT, "the work uses slot 1; the call gives 1 slots");
  TAKES(slot_count, SIZE_MAX); /* slots that no task uses are not checked */
  QUEUE_ROWS
  TAKES(event_out, NULL);
  NULL_OF(slots, "slots");
  SLOT_ROW(slots->storage.buffer, NULL, "the buffer of slot 0 is NULL");
  SLOT_ROW(slots->storage.buffer, w.foreign_buffer, "the clrs_context is of");
  ROW(slots->storage.buffer, w.small, CLRS_OUT_OF_BOUNDS,
      "the elements of slot 0 leave its buffer of 95 bytes");
  SLOT_ROW(slots->storage.buffer, w.write_only, "of slot 0 is CL_MEM_WRITE_ONLY; a kernel may");
  TAKES(slots->storage.buffer, w.misaligned);
  ROW(slots->storage.buffer, w.destination, CLRS_OVERLAP, "slots 0 and 1 share a byte of");
  ROW(slots->storage.byte_offset, WORLD_BYTES - 95, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buf");
  ROW(slots->storage.byte_offset, UINT64_MAX, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer");
  ROW(slots->storage.byte_offset, INT64_MAX, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer");
  ROW(slots->advance, -1, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer of 1024 bytes");
  ROW(slots->advance, INT64_MAX, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer");
  ROW(slots->advance, INT64_MIN, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer");
  TAKES(slots->advance, 3);
  ROW_IF(a->given[0].storage.buffer = w.second_half, slots->advance, -1, CLRS_OUT_OF_BOUNDS,
         "of slot 0 leave its buffer of 512 bytes");
  ROW_IF((a->given[0].storage.buffer = w.second_half, a->given[0].advance = 1),
         slots->storage.byte_offset, UINT64_MAX, CLRS_OUT_OF_BOUNDS,
         "of slot 0 leave its buffer of 512 bytes");
  SLOT_ROW(slots->tensor, w.transposed, "slot 0 has both a storage and a tensor");
  ROW(slots->bytes, 96, CLRS_OK, "");
  ROW(slots->bytes, 95, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its storage of 95 bytes");
  ROW(slots->bytes, UINT64_MAX, CLRS_OUT_OF_BOUNDS,
      "slot 0 has 18446744073709551615 bytes from byte 0 on; its buffer ends at byte 1024");
  ROW_IF((a->given[0].storage.buffer = w.second_half, a->given[0].storage.byte_offset = 4),
         slots->bytes, 509, CLRS_OUT_OF_BOUNDS,
         "bytes from byte 4 on; its buffer ends at byte 512");
  ROW_IF((a->given[0].storage.byte_offset = 4, a->given[0].bytes = 96), slots->advance, -1,
         CLRS_OUT_OF_BOUNDS, "of slot 0 leave its storage of 96 bytes");
  ROW_IF((a->given[0].storage.buffer = NULL, a->given[0].tensor = w.transposed), slots->bytes, 96,
         CLRS_INVALID_ARGUMENT, "a tensor and 96 bytes; its bytes are those of the tensor");
  ROW_IF((a->given[0].storage.buffer = NULL, a->given[0].tensor = w.transposed), slots->advance, 1,
         CLRS_OUT_OF_BOUNDS, "of slot 0 leave its tensor of 96 bytes");
  TENSOR_ROW(w.transposed, CLRS_OK, "");
  TENSOR_ROW(w.mapped, CLRS_UNSUPPORTED, "the slot's tensor is mapped");
  TENSOR_ROW(w.nothing, CLRS_INVALID_ARGUMENT, "the buffer of slot 0 is NULL");
  TENSOR_ROW(w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the slot's tensor belongs to another");
  ROW_IF(a->given[1].storage.buffer = w.read_only, slots->advance, 0, CLRS_INVALID_ARGUMENT,
         "of slot 1 is CL_MEM_READ_ONLY; a kernel may not write it");
  ROW_IF(a->given[1].advance = -2, slots->advance, 0, CLRS_OK, "");
}
