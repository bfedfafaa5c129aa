/*
 * The negative matrix: sequences. A row changes a task or a slot of two.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runtime.h"

#define VIEW(tensor) clrs_tensor_view(tensor)
/* With such a task there is no sequence. */
#define TASK_ROW(change, status, says) ROW_IF(change, tasks->count, 2, status, says)
/* Of slot 0, which is a storage but where it is said to be a tensor. */
#define SLOT_ROW(parameter, value, says) ROW(parameter, value, CLRS_INVALID_ARGUMENT, says)
#define TENSOR_ROW(value, status, says)                                                            \
  ROW_IF(a->slot[0].storage.buffer = NULL, slots->tensor, value, status, says)

/* f32 to u8, by two numbers along a dim; the source is the task's own. */
static const clrs_mapped *mapped_of(arguments *a, bool has_tensor) {
  clrs_map map = world_map();
  const clrs_map_tensors tensors = {.steps = {VIEW(w.row)}};
  clrs_error error;
  map.steps[0].parameter.count = has_tensor ? 0 : map.steps[0].parameter.count;
  map.steps[0].parameter.spread.kind =
      has_tensor ? CLRS_SPREAD_BROADCAST : map.steps[0].parameter.spread.kind;
  CHECK_OK(clrs_mapped_init(VIEW(w.transposed), &a->one_mapped, &error), error);
  CHECK_OK(clrs_mapped_then(&a->one_mapped, &map, has_tensor ? &tensors : NULL, &error), error);
  return &a->one_mapped;
}

static const clrs_mapped *mapped_to_bytes(arguments *a, bool has_tensor) {
  a->task[0].from = NULL;
  return mapped_of(a, has_tensor);
}

FUNCTION(clrs_sequence_create, (void)0, a->context, a->tasks, a->sequence_out) {
  NULL_OF(context, "context");
  NULL_OF(tasks, "tasks");
  ROW(tasks->slot_count, 0, CLRS_INVALID_ARGUMENT, "slot 1 is not there; the sequence has 0");
  ROW(tasks->slot_count, 1, CLRS_INVALID_ARGUMENT, "has 1 of them; that is task 0 of 2");
  ROW(tasks->slot_count, 1025, CLRS_LIMIT_EXCEEDED, "1025 slots are over the limit of 1024");
  ROW(tasks->slot_count, UINT32_MAX, CLRS_LIMIT_EXCEEDED, "4294967295 slots");
  TAKES(tasks->slot_count, 1024);
  TAKES(tasks->count, 0);
  ROW(tasks->count, SIZE_MAX, CLRS_INVALID_ARGUMENT, "18446744073709551615 tasks");
  NULL_OF(tasks->tasks, "tasks->tasks");
  NULL_OF(sequence_out, "sequence");
  TASK_ROW(a->task[0].to = NULL, CLRS_INVALID_ARGUMENT,
           "to is NULL; it must point to a value; that is task 0");
  TASK_ROW(a->task[1].destination = 2, CLRS_INVALID_ARGUMENT, "slot 2 is not there");
  TASK_ROW(a->task[0].source = 2, CLRS_INVALID_ARGUMENT, "slot 2 is not there");
  TASK_ROW(a->task[0].from = NULL, CLRS_INVALID_ARGUMENT, "neither `from` nor `mapped` nor `ele");
  TASK_ROW(a->task[0].mapped = mapped_of(a, false), CLRS_INVALID_ARGUMENT, "both `from` and");
  TASK_ROW(a->task[0].mapped = mapped_to_bytes(a, true), CLRS_UNSUPPORTED, "is a tensor; a seq");
  TASK_ROW(a->task[0].mapped = mapped_to_bytes(a, false), CLRS_INVALID_ARGUMENT,
           "mapped to u8 and the destination f32; a move converts only as its source is mapped; "
           "that is task 0 of 2");
  TASK_ROW(a->task[0].to = VIEW(w.other_shape), CLRS_COUNT_MISMATCH,
           "and the destination [4,6]; that is task 0 of 2");
  TASK_ROW(a->task[0].to = VIEW(w.other_dtype), CLRS_INVALID_ARGUMENT, "does not convert");
  TASK_ROW(a->task[0].to = VIEW(w.strings), CLRS_UNSUPPORTED, "of slot 1 are strings");
  TASK_ROW(a->task[0].to = VIEW(w.straddling), CLRS_INVALID_ARGUMENT,
           "of 32 bits here and of 3 bits before");
  TASK_ROW(a->task[0].to = VIEW(w.repeated), CLRS_OVERLAP, "two elements of the destination");
  TASK_ROW(a->task[0].source = 1, CLRS_OVERLAP, "share bytes of slot 1; a move needs them apart");
  TASK_ROW(a->task[1].from = VIEW(w.row), CLRS_COUNT_MISMATCH, "1 dims and the destination 2");
  TASK_ROW(a->task[1].begins = LIST(5, 0), CLRS_OUT_OF_BOUNDS, "of extent 2 does not fit at 5");
  TASK_ROW(a->task[1].begins = LIST(0, -1), CLRS_OUT_OF_BOUNDS, "does not fit at -1");
  TASK_ROW(a->task[1].begins = NULL, CLRS_OK, "");
  TASK_ROW(a->task[0].element = w.poison, CLRS_OK, "");
  TASK_ROW(a->task[1].mode = CLRS_PAD_EDGE, CLRS_INVALID_ARGUMENT, "has an element, and a mode");
  TASK_ROW(a->task[0].mode = (clrs_pad_mode)-1, CLRS_INVALID_ARGUMENT, "pad mode -1 is unknown");
  TASK_ROW(a->task[0].mode = CLRS_PAD_EDGE, CLRS_OK, "");
  TASK_ROW((a->task[1].element = NULL, a->task[1].mode = CLRS_PAD_WRAP), CLRS_OK, "");
}

RETURNS(clrs_sequence_retain, a->sequence) {
  ANSWERS(sequence, NULL, "returns");
}

RETURNS(clrs_sequence_release, a->sequence) {
  ANSWERS(sequence, NULL, "returns");
}

ANSWER(clrs_sequence_launches, "%zu", clrs_sequence_launches(a->sequence)) {
  ANSWERS(sequence, NULL, "0");
}

FUNCTION(clrs_enqueue_sequence, (void)0, a->sequence, a->slots, ON_QUEUE) {
  NULL_OF(sequence, "sequence");
  QUEUE_ROWS
  TAKES(event_out, NULL);
  NULL_OF(slots, "slots");
  SLOT_ROW(slots->storage.buffer, NULL, "the buffer of slot 0 is NULL");
  SLOT_ROW(slots->storage.buffer, w.foreign_buffer, "the clrs_context is of");
  ROW(slots->storage.buffer, w.small, CLRS_OUT_OF_BOUNDS,
      "the elements of slot 0 leave its buffer of 95 bytes");
  SLOT_ROW(slots->storage.buffer, w.write_only, "of slot 0 is CL_MEM_WRITE_ONLY; a kernel may");
  TAKES(slots->storage.buffer, w.misaligned);
  ROW(slots->storage.buffer, w.destination, CLRS_OVERLAP, "slots 0 and 1 share byte 16");
  ROW(slots->storage.byte_offset, WORLD_BYTES - 95, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buf");
  ROW(slots->storage.byte_offset, UINT64_MAX, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer");
  ROW(slots->storage.byte_offset, INT64_MAX, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer");
  ROW(slots->advance, -1, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer of 1024 bytes");
  ROW(slots->advance, INT64_MAX, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer");
  ROW(slots->advance, INT64_MIN, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer");
  TAKES(slots->advance, 3);
  SLOT_ROW(slots->tensor, w.transposed, "slot 0 has both a storage and a tensor");
  TENSOR_ROW(w.transposed, CLRS_OK, "");
  TENSOR_ROW(w.mapped, CLRS_UNSUPPORTED, "the slot's tensor is mapped");
  TENSOR_ROW(w.nothing, CLRS_INVALID_ARGUMENT, "the buffer of slot 0 is NULL");
  TENSOR_ROW(w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the slot's tensor belongs to another");
  ROW_IF(a->slot[1].storage.buffer = w.read_only, slots->advance, 0, CLRS_INVALID_ARGUMENT,
         "of slot 1 is CL_MEM_READ_ONLY; a kernel may not write it");
  ROW_IF(a->slot[1].advance = -2, slots->advance, 0, CLRS_OK, "");
}

void runtime_rows_of_sequences(matrix *m) {
  rows_clrs_sequence_create(m);
  rows_clrs_sequence_retain(m);
  rows_clrs_sequence_release(m);
  rows_clrs_sequence_launches(m);
  rows_clrs_enqueue_sequence(m);
}
