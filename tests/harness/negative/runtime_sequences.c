/*
 * The negative matrix: sequences. A row changes a task or a slot of two.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runtime.h"

#define VIEW(tensor) clrs_tensor_view(tensor)
/* With such a task there is no sequence. */
#define TASK_ROW(change, status, says) ROW_IF(change, tasks->count, 2, status, says)
/* The first task alone. */
#define ONE_TASK_ROW(change, status, says) ROW_IF(change, tasks->count, 1, status, says)
/* The same, where a part of a view would need one walk more than a stack has. */
#define FULL_STACK_ROW(change)                                                                     \
  ONE_TASK_ROW(change, CLRS_LIMIT_EXCEEDED, "of more than 8 walks; copy it first; that is task 0")
/* Of slot 0, which is a storage but where it is said to be a tensor. */
#define SLOT_ROW(parameter, value, says) ROW(parameter, value, CLRS_INVALID_ARGUMENT, says)
#define TENSOR_ROW(value, status, says)                                                            \
  ROW_IF(a->slot[0].storage.buffer = NULL, slots->tensor, value, status, says)

typedef enum parameters { ARE_NUMBERS, STEP_IS_TENSOR, ZERO_IS_TENSOR } parameters;

/* f32 to u8, by two numbers along a dim; the source is the task's own. */
static const clrs_mapped *mapped_of(arguments *a, parameters which) {
  clrs_map map = world_map();
  clrs_parameter *const tensor = &map.steps[which == STEP_IS_TENSOR ? 0 : 1].parameter;
  clrs_view zeros = *VIEW(w.row);
  zeros.dtype = CLRS_U8;
  const clrs_map_tensors tensors = {.steps = {which == STEP_IS_TENSOR ? VIEW(w.row) : NULL,
                                              which == ZERO_IS_TENSOR ? &zeros : NULL}};
  clrs_error error;
  if (which != ARE_NUMBERS)
    *tensor = (clrs_parameter){.spread.kind = CLRS_SPREAD_BROADCAST};
  CHECK_OK(clrs_mapped_init(VIEW(w.transposed), &a->one_mapped, &error), error);
  CHECK_OK(clrs_mapped_then(&a->one_mapped, &map, which != ARE_NUMBERS ? &tensors : NULL, &error),
           error);
  return &a->one_mapped;
}

static const clrs_mapped *mapped_to_bytes(arguments *a, parameters which) {
  a->task[0].from = NULL;
  return mapped_of(a, which);
}

/* With a view that is none. */
static const clrs_mapped *mapped_of_no_view(arguments *a) {
  (void)mapped_to_bytes(a, ARE_NUMBERS);
  a->one_mapped.views.source.depth = 0;
  return &a->one_mapped;
}

/* With the second number left out, so that a kernel would read behind them. */
static const clrs_mapped *mapped_by_fewer_numbers(arguments *a) {
  (void)mapped_to_bytes(a, ARE_NUMBERS);
  a->one_mapped.map.steps[0].parameter.count--;
  return &a->one_mapped;
}

/* To a type of another width. */
static const clrs_mapped *mapped_to_wider(arguments *a) {
  (void)mapped_to_bytes(a, ARE_NUMBERS);
  a->one_mapped.dtype = CLRS_F32;
  return &a->one_mapped;
}

/* Bits that a kernel would have to turn round, by a map of which only the types are set. */
static const clrs_mapped *mapped_by_hand(arguments *a) {
  clrs_map *map = &a->one_mapped.map;
  (void)mapped_to_bytes(a, ARE_NUMBERS);
  memset(map, 0xEE, sizeof *map);
  map->from = a->one_mapped.views.source.dtype = CLRS_U1;
  map->to = a->one_mapped.dtype = CLRS_BITS1;
  map->reinterprets = true;
  return &a->one_mapped;
}

static const clrs_view *no_view(arguments *a) {
  a->one_view = *VIEW(w.transposed);
  a->one_view.depth = 0;
  return &a->one_view;
}

/* The view, of another type. */
static const clrs_view *retyped(arguments *a, const clrs_view *view, clrs_dtype dtype) {
  a->one_view = *view;
  a->one_view.dtype = dtype;
  return &a->one_view;
}

static const clrs_view *first_elements(arguments *a, const clrs_view *line, int64_t count) {
  const clrs_slice slice = {0, 0, count, 1};
  clrs_error error;
  a->one_view = *line;
  CHECK_OK(clrs_view_slice(&a->one_view, 1, &slice, &error), error);
  return &a->one_view;
}

/* One element, seen 24 times, less as many numbers: these lie in a stack that is full. */
static const clrs_mapped *mapped_by_turned_numbers(arguments *a) {
  static const double values[24] = {0};
  const clrs_numbers numbers = {24, values, {CLRS_SPREAD_AXIS, 0, 0}};
  clrs_view one = *VIEW(w.row);
  clrs_map map;
  clrs_chain chain;
  clrs_error error;
  CHECK_OK(clrs_view_slice(&one, 1, &(clrs_slice){0, 0, 1, 1}, &error), error);
  CHECK_OK(clrs_view_expand(&one, &(clrs_shape){1, {24}}, &error), error);
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_F32, CLRS_F32, &map, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_SUBTRACT, CLRS_F32, &numbers, &error), error);
  CHECK_OK(clrs_mapped_init(&one, &a->one_mapped, &error), error);
  CHECK_OK(clrs_mapped_then(&a->one_mapped, &map, NULL, &error), error);
  CHECK_OK(clrs_chain_parse(world_turns, &chain, &error), error);
  CHECK_OK(clrs_chain_map(&chain, NULL, &a->one_mapped, &error), error);
  assert_int_equal(a->one_mapped.views.source.depth, 1);
  return &a->one_mapped;
}

/* A pad: `from`, or what is mapped, at `begin` of a row. */
static clrs_task pad_of(const clrs_view *from, const clrs_view *to, const int64_t *begin,
                        clrs_pad_mode mode) {
  return (clrs_task){.destination = 1,
                     .from = from,
                     .to = to,
                     .element = mode == CLRS_PAD_CONSTANT ? w.poison : NULL,
                     .begins = begin,
                     .mode = mode};
}

/* A gather of [2, 4] from [3, 4], or a scatter to [6, 4], by indices in slot 2, with a flag in
 * slot 3. */
static void take_indices(arguments *a, bool scatters) {
  a->one_indices.tensor = a->one_indices.flag = NULL;
  a->one_tasks.slot_count = 4;
  a->task[0] = (clrs_task){.destination = 1,
                           .from = VIEW(scatters ? w.pair_of_source : w.half),
                           .to = VIEW(scatters ? w.target : w.pair),
                           .gather = scatters ? NULL : &a->one_indices,
                           .scatter = scatters ? &a->one_indices : NULL,
                           .index = 2,
                           .by = VIEW(w.index),
                           .flag = 3,
                           .raises = VIEW(w.flag)};
}

#define GATHER_ROW(change, status, says)                                                           \
  ONE_TASK_ROW((take_indices(a, false), change), status, says)
#define SCATTER_ROW(change, status, says)                                                          \
  ONE_TASK_ROW((take_indices(a, true), change), status, says)

static void task_rows_by_indices(matrix *m) {
  GATHER_ROW((void)0, CLRS_OK, "");
  SCATTER_ROW((void)0, CLRS_OK, "");
  GATHER_ROW(a->task[0].raises = NULL, CLRS_OK, "");
  GATHER_ROW(a->one_indices.element = NULL, CLRS_OK, "");
  GATHER_ROW(a->task[0].scatter = a->indices, CLRS_INVALID_ARGUMENT,
             "a gather or a scatter, not b");
  GATHER_ROW(a->one_indices.tensor = w.index, CLRS_INVALID_ARGUMENT,
             "in a sequence these are slots");
  GATHER_ROW(a->one_indices.flag = w.flag, CLRS_INVALID_ARGUMENT,
             "in a sequence these are slots: ");
  GATHER_ROW(a->task[0].element = w.poison, CLRS_INVALID_ARGUMENT,
             "a gather or a scatter pads not");
  GATHER_ROW(a->task[0].begins = LIST(0, 0), CLRS_INVALID_ARGUMENT, "a gather or a scatter pads n");
  GATHER_ROW(a->task[0].mode = CLRS_PAD_EDGE, CLRS_INVALID_ARGUMENT,
             "a gather or a scatter pads n");
  GATHER_ROW(a->task[0].from = NULL, CLRS_INVALID_ARGUMENT, "neither `from` nor `mapped` nor `ele");
  GATHER_ROW(a->task[0].by = NULL, CLRS_INVALID_ARGUMENT, "by is NULL; it must point to a value");
  GATHER_ROW(a->task[0].by = no_view(a), CLRS_INVALID_ARGUMENT, "with a stack of 0 walks");
  GATHER_ROW(a->task[0].raises = no_view(a), CLRS_INVALID_ARGUMENT, "with a stack of 0 walks");
  GATHER_ROW(a->task[0].index = 4, CLRS_INVALID_ARGUMENT,
             "slot 4 is not there; the sequence has 4");
  GATHER_ROW(a->task[0].flag = UINT32_MAX, CLRS_INVALID_ARGUMENT, "slot 4294967295 is not there");
  GATHER_ROW(a->task[0].index = 0, CLRS_INVALID_ARGUMENT, "slot 0 has elements of");
  GATHER_ROW(a->task[0].by = VIEW(w.row), CLRS_INVALID_ARGUMENT, "the indices are f32; they must");
  GATHER_ROW(a->task[0].by = VIEW(w.deep_index), CLRS_LIMIT_EXCEEDED, "of rank 32 along one of 2");
  GATHER_ROW(a->task[0].by = VIEW(w.other_dtype), CLRS_COUNT_MISMATCH, "indices [6,4] along dimen");
  GATHER_ROW(a->task[0].raises = VIEW(w.two_flags), CLRS_INVALID_ARGUMENT,
             "the flag is u32 [2]; i");
  GATHER_ROW(a->task[0].raises = VIEW(w.row), CLRS_INVALID_ARGUMENT,
             "the flag is f32 [4]; it must");
  GATHER_ROW((a->task[0].flag = 1, a->task[0].raises = VIEW(w.flag_in_destination)), CLRS_OVERLAP,
             "destination and flag share bytes of slot 1; a move");
  GATHER_ROW(a->task[0].source = 1, CLRS_OVERLAP, "source and destination share bytes of slot 1");
  GATHER_ROW(a->task[0].to = VIEW(w.target), CLRS_COUNT_MISMATCH,
             "take a destination [2,4]; it is");
  GATHER_ROW(a->task[0].to = VIEW(w.repeated), CLRS_OVERLAP, "two elements of the destination");
  GATHER_ROW(a->task[0].to = VIEW(w.other_dtype), CLRS_INVALID_ARGUMENT, "f32 and the destination");
  GATHER_ROW(a->task[0].mapped = mapped_to_bytes(a, ARE_NUMBERS), CLRS_INVALID_ARGUMENT,
             "the source is u8 and the destination f32; indices move elements of one type");
  GATHER_ROW((a->task[0].from = VIEW(w.straddling), a->task[0].to = VIEW(w.straddling)),
             CLRS_UNSUPPORTED, "u3 elements share bytes, and indices move whole bytes");
  GATHER_ROW(a->one_indices.axis = 2, CLRS_INVALID_ARGUMENT, "indices->axis 2 is out of range for");
  SCATTER_ROW(a->one_indices.axis = INT64_MIN, CLRS_INVALID_ARGUMENT, "indices->axis -92233720368");
  SCATTER_ROW(a->one_indices.outside = (clrs_outside)2, CLRS_INVALID_ARGUMENT, "2 is no clrs_outs");
  SCATTER_ROW(a->task[0].from = VIEW(w.half), CLRS_COUNT_MISMATCH,
              "take a source [2,4]; it is [3,");
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
  TASK_ROW(a->task[0].mapped = mapped_of(a, ARE_NUMBERS), CLRS_INVALID_ARGUMENT, "both `from` and");
  TASK_ROW(a->task[0].mapped = mapped_to_bytes(a, STEP_IS_TENSOR), CLRS_UNSUPPORTED,
           "is a tensor; a seq");
  TASK_ROW(a->task[0].mapped = mapped_to_bytes(a, ARE_NUMBERS), CLRS_INVALID_ARGUMENT,
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
#define WRAPS a->task[1].element = NULL, a->task[1].mode = CLRS_PAD_WRAP
  TASK_ROW((WRAPS, a->task[1].from = VIEW(w.row)), CLRS_COUNT_MISMATCH,
           "1 dims and the destination 2");
  TASK_ROW((WRAPS, a->task[1].begins = LIST(5, 0)), CLRS_OUT_OF_BOUNDS, "2 does not fit at 5");
  TASK_ROW((WRAPS, a->task[1].begins = NULL, a->task[1].from = VIEW(w.nothing)),
           CLRS_INVALID_ARGUMENT,
           "dimension 0 has no elements, and wrap padding repeats those that are there");
#undef WRAPS
  TASK_ROW(a->task[0].to = no_view(a), CLRS_INVALID_ARGUMENT, "with a stack of 0 walks");
  TASK_ROW(a->task[0].from = no_view(a), CLRS_INVALID_ARGUMENT, "with a stack of 0 walks");
  TASK_ROW(a->task[0].mapped = mapped_of_no_view(a), CLRS_INVALID_ARGUMENT, "a stack of 0 walks");
  TASK_ROW(a->task[0].mapped = mapped_by_fewer_numbers(a), CLRS_OUT_OF_BOUNDS, "it has 1, coun");
  TASK_ROW(a->task[0].mapped = mapped_to_wider(a), CLRS_INVALID_ARGUMENT, "the widths must be equ");
  ONE_TASK_ROW((a->task[0].mapped = mapped_by_hand(a),
                a->task[0].to = retyped(a, VIEW(w.target), CLRS_BITS1)),
               CLRS_UNSUPPORTED, "lie the other way round in a byte");
  TASK_ROW(a->task[0].mapped = mapped_to_bytes(a, ZERO_IS_TENSOR), CLRS_UNSUPPORTED, "is a tensor");
  TASK_ROW(a->task[0].from = VIEW(w.strings), CLRS_UNSUPPORTED, "of slot 0 are strings");
  ONE_TASK_ROW(
      (a->task[0].from = NULL, a->task[0].element = w.poison, a->task[0].to = VIEW(w.repeated)),
      CLRS_OVERLAP, "two elements of the destination");
  ONE_TASK_ROW((a->task[0].mapped = mapped_to_bytes(a, ARE_NUMBERS),
                a->task[0].to = retyped(a, VIEW(w.repeated), CLRS_U8)),
               CLRS_OVERLAP, "two elements of the destination");
  FULL_STACK_ROW(a->task[0] = pad_of(VIEW(w.row), VIEW(w.deep), LIST(1), CLRS_PAD_CONSTANT));
  FULL_STACK_ROW(a->task[0] = pad_of(first_elements(a, VIEW(w.other_rank), 23), VIEW(w.deep), NULL,
                                     CLRS_PAD_CONSTANT));
  FULL_STACK_ROW(a->task[0] = pad_of(VIEW(w.row), VIEW(w.deep), LIST(1), CLRS_PAD_EDGE));
  FULL_STACK_ROW(a->task[0] =
                     pad_of(VIEW(w.deep_of_source), VIEW(w.longer), LIST(20), CLRS_PAD_REFLECT));
  FULL_STACK_ROW((a->task[0] = pad_of(NULL, VIEW(w.longer), LIST(20), CLRS_PAD_REFLECT),
                  a->task[0].mapped = mapped_by_turned_numbers(a)));
  task_rows_by_indices(m);
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

FUNCTION(clrs_sequence_warm_up, (void)0, a->sequence) {
  NULL_OF(sequence, "sequence");
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
  ROW(slots->storage.buffer, w.destination, CLRS_OVERLAP, "slots 0 and 1 share a byte of");
  ROW(slots->storage.byte_offset, WORLD_BYTES - 95, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buf");
  ROW(slots->storage.byte_offset, UINT64_MAX, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer");
  ROW(slots->storage.byte_offset, INT64_MAX, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer");
  ROW(slots->advance, -1, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer of 1024 bytes");
  ROW(slots->advance, INT64_MAX, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer");
  ROW(slots->advance, INT64_MIN, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its buffer");
  TAKES(slots->advance, 3);
  ROW_IF(a->slot[0].storage.buffer = w.second_half, slots->advance, -1, CLRS_OUT_OF_BOUNDS,
         "of slot 0 leave its buffer of 512 bytes");
  ROW_IF((a->slot[0].storage.buffer = w.second_half, a->slot[0].advance = 1),
         slots->storage.byte_offset, UINT64_MAX, CLRS_OUT_OF_BOUNDS,
         "of slot 0 leave its buffer of 512 bytes");
  SLOT_ROW(slots->tensor, w.transposed, "slot 0 has both a storage and a tensor");
  ROW(slots->bytes, 96, CLRS_OK, "");
  ROW(slots->bytes, 95, CLRS_OUT_OF_BOUNDS, "of slot 0 leave its storage of 95 bytes");
  ROW(slots->bytes, UINT64_MAX, CLRS_OUT_OF_BOUNDS,
      "slot 0 has 18446744073709551615 bytes from byte 0 on; its buffer ends at byte 1024");
  ROW_IF((a->slot[0].storage.buffer = w.second_half, a->slot[0].storage.byte_offset = 4),
         slots->bytes, 509, CLRS_OUT_OF_BOUNDS,
         "bytes from byte 4 on; its buffer ends at byte 512");
  ROW_IF((a->slot[0].storage.byte_offset = 4, a->slot[0].bytes = 96), slots->advance, -1,
         CLRS_OUT_OF_BOUNDS, "of slot 0 leave its storage of 96 bytes");
  ROW_IF((a->slot[0].storage.buffer = NULL, a->slot[0].tensor = w.transposed), slots->bytes, 96,
         CLRS_INVALID_ARGUMENT, "a tensor and 96 bytes; its bytes are those of the tensor");
  ROW_IF((a->slot[0].storage.buffer = NULL, a->slot[0].tensor = w.transposed), slots->advance, 1,
         CLRS_OUT_OF_BOUNDS, "of slot 0 leave its tensor of 96 bytes");
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
  rows_clrs_sequence_warm_up(m);
  rows_clrs_enqueue_sequence(m);
}
