/*
 * The negative matrix: tensors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runtime.h"

FUNCTION(clrs_tensor_wrap, (void)0, a->context, a->storage, a->layout, a->tensor_out) {
  NULL_OF(context, "context");
  NULL_OF(storage, "storage");
  NULL_OF(storage->buffer, "the buffer");
  ROW(storage->buffer, w.foreign_buffer, CLRS_INVALID_ARGUMENT, "the clrs_context is of");
  ROW(storage->buffer, w.small, CLRS_OUT_OF_BOUNDS, "touches bytes 0 to 96 of a buffer that has 0");
  if (m->lists || w.image)
    ROW(storage->buffer, w.image, CLRS_INVALID_ARGUMENT, "hold tensors");
  if (m->lists || w.wrapping)
    ROW(storage->buffer, w.wrapping, CLRS_OUT_OF_BOUNDS, "a buffer of 1024 bytes");
  TAKES(storage->byte_offset, 1); /* any element may begin at any byte */
  ROW(storage->byte_offset, WORLD_BYTES, CLRS_OUT_OF_BOUNDS, "touches bytes 1024 to 1120");
  ROW(storage->byte_offset, UINT64_MAX, CLRS_OVERFLOW, "from byte 18446744073709551615");
  ROW(storage->byte_offset, UINT64_MAX - 95, CLRS_OVERFLOW, "does not fit in 64 bits");
  LAYOUT_ROWS(layout);
  ROW(layout->offset, -1, CLRS_OUT_OF_BOUNDS, "reaches element -1, before the start of its buffer");
  ROW(layout->offset, INT64_MIN, CLRS_OVERFLOW, "elements -9223372036854775808 to");
  ROW(layout->offset, WORLD_BYTES / 4, CLRS_OUT_OF_BOUNDS, "touches bytes 1024 to 1120");
  NULL_OF(tensor_out, "tensor");
}

FUNCTION(clrs_tensor_wrap_dense, (a->buffer = w.source, a->rank = 2, SET_LIST(dims, 6, 4)),
         a->context, a->buffer, a->dtype, a->rank, a->dims, a->tensor_out) {
  NULL_OF(context, "context");
  NULL_OF(buffer, "the buffer");
  ROW(buffer, w.foreign_buffer, CLRS_INVALID_ARGUMENT, "the clrs_context is of");
  ROW(buffer, w.small, CLRS_OUT_OF_BOUNDS, "touches bytes 0 to 96 of a buffer that has 0");
  DTYPE_ROWS(dtype);
  TAKES(rank, 0);
  ROW(rank, 33, CLRS_LIMIT_EXCEEDED, "rank 33 is over the limit of 32 dims");
  ROW(rank, SIZE_MAX, CLRS_LIMIT_EXCEEDED, "rank " MOST);
  NULL_OF(dims, "dims");
  ROW(dims, LIST(6, -1), CLRS_INVALID_ARGUMENT, "dimension 1 of a shape is -1");
  ROW(dims, LIST(INT64_MAX, 2), CLRS_OVERFLOW, "multiply to more than 64 bits");
  ROW(dims, LIST(WORLD_BYTES, 1), CLRS_OUT_OF_BOUNDS, "touches bytes 0 to 4096");
  NULL_OF(tensor_out, "tensor");
}

/* Rows of memory that host and device share. */
#define SHARED_ROWS()                                                                              \
  NULL_OF(context, "context");                                                                     \
  NULL_OF(shared, "shared");                                                                       \
  NULL_OF(shared->pointer, "shared->pointer");                                                     \
  ROW(shared->bytes, 0, CLRS_INVALID_ARGUMENT, "shared->bytes is 0");                              \
  ROW(shared->bytes, 8, CLRS_OUT_OF_BOUNDS, "of a buffer that has 0 to 8");                        \
  ROW(shared->byte_offset, UINT64_MAX, CLRS_OVERFLOW, "");                                         \
  LAYOUT_ROWS(layout);                                                                             \
  ROW(layout->offset, -1, CLRS_OUT_OF_BOUNDS, "reaches element -1, before the start");             \
  NULL_OF(tensor_out, "tensor")

/* The right call gives host memory, which drivers take as a buffer too. */
FUNCTION(clrs_tensor_wrap_shared, (void)0, a->context, a->shared, a->layout, a->tensor_out) {
  if (m->lists || w.has_shared) {
    SHARED_ROWS();
  }
}

FUNCTION(clrs_tensor_wrap_usm, a->shared->pointer = w.usm, a->context, a->shared, a->layout,
         a->tensor_out) {
  if (!m->lists && !w.has_usm)
    return;
  SHARED_ROWS();
  ROW(shared->pointer, w.poison, CLRS_INVALID_ARGUMENT, "is no unified shared memory of context");
  ROW(shared->bytes, WORLD_BYTES + 1, CLRS_OUT_OF_BOUNDS, "the allocation has 1024");
}

FUNCTION(clrs_tensor_allocate, (void)0, a->context, a->queue, a->dtype, a->shape, a->tensor_out) {
  NULL_OF(context, "context");
  TAKES(queue, NULL);
  ROW(queue, w.foreign.queue, CLRS_INVALID_ARGUMENT, "the queue is of context");
  DTYPE_ROWS(dtype);
  SHAPE_ROWS(shape);
  ROW_IF(a->shape->dims[1] = 1, shape->dims[0], INT64_MAX, CLRS_OVERFLOW, "does not fit in 64");
  NULL_OF(tensor_out, "tensor");
}

FUNCTION(clrs_tensor_use_on, (void)0, a->tensor, a->queue) {
  NULL_OF(tensor, "tensor");
  NULL_OF(queue, "queue");
  ROW(queue, w.foreign.queue, CLRS_INVALID_ARGUMENT, "the queue is of context");
}

/* Uses a separate reference, because a failed call leaves the reference alone. */
static clrs_status release_after(arguments *a) {
  clrs_tensor_retain(a->tensor);
  const clrs_status status =
      clrs_tensor_release_after(a->tensor, a->wait_count, a->waits, a->say.error);
  if (status != CLRS_OK)
    clrs_tensor_release(a->tensor);
  return status;
}

ROWS_OF(clrs_tensor_release_after, (void)0, release_after(a)) {
  NULL_OF(tensor, "tensor");
  TAKES(tensor, w.mapped);
  ROW(wait_count, 1, CLRS_INVALID_ARGUMENT, "wait_count is 1 and waits is NULL");
  ROW(waits, EVENTS(w.complete), CLRS_INVALID_ARGUMENT, "wait_count is 0 and waits is");
  ROW_IF(a->wait_count = 1, waits, EVENTS(NULL), CLRS_INVALID_ARGUMENT,
         "an event in the wait list is NULL");
  ROW_IF(a->wait_count = 2, waits, EVENTS(w.complete, w.foreign_event), CLRS_INVALID_ARGUMENT,
         "it is number 1 of 2");
  ROW_IF(a->wait_count = 2, waits, EVENTS(w.complete, w.failed_event), CLRS_OK, "");
}

FUNCTION(clrs_tensor_with_characters, (a->tensor = w.strings, a->count = 1, a->buffers = &w.source),
         a->tensor, a->count, a->buffers, a->result_out) {
  NULL_OF(tensor, "tensor");
  ROW(tensor, w.target, CLRS_INVALID_ARGUMENT, "of type f32; only strings have character buffers");
  TAKES(count, 0);
  ROW(count, SIZE_MAX, CLRS_LIMIT_EXCEEDED, MOST " character buffers; an index");
  ROW(count, (size_t)INT32_MAX + 2, CLRS_LIMIT_EXCEEDED, "2147483649 character buffers");
  NULL_OF(buffers, "buffers");
  ROW(buffers, BUFFERS(NULL), CLRS_INVALID_ARGUMENT, "a character buffer is NULL");
  ROW(buffers, BUFFERS(w.foreign_buffer), CLRS_INVALID_ARGUMENT, "the clrs_context is of");
  NULL_OF(result_out, "result");
}

FUNCTION(clrs_tensor_with_view, (void)0, a->tensor, a->view, a->result_out) {
  NULL_OF(tensor, "tensor");
  VIEW_ROWS(view);
  ROW(view->levels[0].offset, -1, CLRS_OUT_OF_BOUNDS, "reaches element -1, before the start");
  ROW(view->levels[0].offset, 1000, CLRS_OUT_OF_BOUNDS, "touches bytes 4000 to 4096");
  NULL_OF(result_out, "result");
}

/* The step's or the zero point's numbers are a tensor. */
#define STEP_IS_TENSOR a->one_map.steps[0].parameter.count = 0
#define ZERO_IS_TENSOR a->one_map.steps[1].parameter.count = 0

/* f32 to u8, by two numbers along a dim, or by a tensor. */
static void set_mapped(arguments *a, bool by_tensor) {
  clrs_map map = world_map();
  const clrs_map_tensors tensors = {.steps = {clrs_tensor_view(w.row)}};
  clrs_error error;
  if (by_tensor)
    map.steps[0].parameter = (clrs_parameter){.spread.kind = CLRS_SPREAD_BROADCAST};
  CHECK_OK(clrs_mapped_init(clrs_tensor_view(w.transposed), &a->one_mapped, &error), error);
  CHECK_OK(clrs_mapped_then(&a->one_mapped, &map, by_tensor ? &tensors : NULL, &error), error);
}

FUNCTION(clrs_tensor_with_mapped, set_mapped(a, false), a->tensor, a->mapped, a->result_out) {
  NULL_OF(tensor, "tensor");
  ROW(tensor, w.mapped, CLRS_UNSUPPORTED, "the given tensor is mapped, from f32 to u8");
  ROW_IF(a->one_mapped.views.source.levels[0].offset = INT64_MAX / 64, tensor, w.transposed,
         CLRS_OUT_OF_BOUNDS, "of a buffer that has 0 to 1024");
  NULL_OF(mapped, "mapped");
  ROW(mapped->dtype, CLRS_F32, CLRS_INVALID_ARGUMENT, "the widths must be equ");
  ROW(mapped->views.source.depth, 0, CLRS_INVALID_ARGUMENT, "a stack of 0 walks");
  ROW(mapped->map.steps[0].parameter.count, 1, CLRS_OUT_OF_BOUNDS, "it has 1, coun");
  ROW_IF(set_mapped(a, true), mapped->dtype, CLRS_U8, CLRS_UNSUPPORTED,
         "a parameter of the map is a tensor; a mapped view takes numbers");
  NULL_OF(result_out, "result");
}

FUNCTION(clrs_tensor_with_map, (void)0, a->tensor, a->map, a->tensors, a->result_out) {
  NULL_OF(tensor, "tensor");
  ROW(tensor, w.other_dtype, CLRS_INVALID_ARGUMENT, "the tensor is of i32; the map is from f32");
  ROW(tensor, w.strings, CLRS_INVALID_ARGUMENT, "the tensor is of string; the map is from f32");
  ROW(tensor, w.mapped, CLRS_INVALID_ARGUMENT, "the tensor is of u8; the map is from f32");
  ROW(tensor, w.half, CLRS_COUNT_MISMATCH, "3 elements in blocks of 3, for 1 numbers");
  TAKES(tensor, w.of_write_only); /* nothing is read yet */
  MAP_ROWS(map);
  ROW(map->steps[1].parameter.spread.axis, 2, CLRS_INVALID_ARGUMENT,
      "2 is out of range for rank 2");
  ROW(map->steps[1].parameter.spread.axis, INT64_MIN, CLRS_INVALID_ARGUMENT,
      "-9223372036854775808 is out of");
  TAKES(map->steps[1].parameter.spread.axis, -2);
  ROW(map->steps[1].parameter.spread.block, INT64_MAX, CLRS_COUNT_MISMATCH,
      "for 1 numbers; the parameter has 2");
  TAKES(tensors, NULL); /* none is needed */
  ROW_IF(STEP_IS_TENSOR, tensors, NULL, CLRS_INVALID_ARGUMENT, "that is a tensor is NULL");
  ROW_IF(STEP_IS_TENSOR, tensors->steps[0], NULL, CLRS_INVALID_ARGUMENT, "a tensor is NULL");
  ROW_IF(STEP_IS_TENSOR, tensors->steps[0], w.foreign_tensor, CLRS_INVALID_ARGUMENT,
         "the parameter tensor belongs to another clrs_context");
  ROW_IF(STEP_IS_TENSOR, tensors->steps[0], w.mapped, CLRS_UNSUPPORTED,
         "the parameter tensor is mapped, from f32 to u8");
  ROW_IF(STEP_IS_TENSOR, tensors->steps[0], w.strings, CLRS_INVALID_ARGUMENT,
         "a parameter of string");
  ROW_IF(STEP_IS_TENSOR, tensors->steps[0], w.target, CLRS_INVALID_ARGUMENT,
         "a parameter of rank 2 along an axis");
  ROW_IF(STEP_IS_TENSOR, tensors->steps[0], w.other_rank, CLRS_COUNT_MISMATCH,
         "for 2 numbers; the parameter has 24");
  ROW_IF(ZERO_IS_TENSOR, tensors->steps[1], NULL, CLRS_INVALID_ARGUMENT,
         "that is a tensor is NULL");
  ROW_IF(ZERO_IS_TENSOR, tensors->steps[1], w.foreign_tensor, CLRS_INVALID_ARGUMENT,
         "the parameter tensor belongs to another clrs_context");
  ROW_IF(ZERO_IS_TENSOR, tensors->steps[1], w.other_rank, CLRS_INVALID_ARGUMENT,
         "zero points of f32");
  NULL_OF(result_out, "result");
}

static void set_chain(struct arguments *a) {
  if (clrs_chain_parse("reshape=4,-1 cast=f16", &a->one_chain, NULL) != CLRS_OK)
    abort();
  a->chain__parsed = &a->one_chain;
  a->rules = &a->one_rules;
  a->one_rules = (clrs_rules){CLRS_ONNX, CLRS_ZERO_COPIES};
}

FUNCTION(clrs_tensor_with_chain, set_chain(a), a->tensor, a->chain__parsed, a->rules,
         a->result_out) {
  NULL_OF(tensor, "tensor");
  TAKES(tensor, w.half);
  ROW(tensor, w.strings, CLRS_UNSUPPORTED, "operation 2 (cast=f16) at column 14: ");
  NULL_OF(chain__parsed, "chain");
  TAKES(rules, NULL);
  PATTERN_MODE_ROWS(rules->dialect, rules->zero_mode);
  NULL_OF(result_out, "result");
}

RETURNS(clrs_tensor_retain, a->tensor) {
  ANSWERS(tensor, NULL, "returns");
}

RETURNS(clrs_tensor_release, a->tensor) {
  ANSWERS(tensor, NULL, "returns");
}

ANSWER(clrs_tensor_view, "%d", clrs_tensor_view(a->tensor) != NULL) {
  ANSWERS(tensor, NULL, "0");
}

ANSWER(clrs_tensor_storage, "%d", clrs_tensor_storage(a->tensor).buffer != NULL) {
  ANSWERS(tensor, NULL, "0");
}

FUNCTION(clrs_tensor_bytes, (void)0, a->tensor, a->bytes_out) {
  NULL_OF(tensor, "tensor");
  ROW(tensor, w.mapped, CLRS_UNSUPPORTED, "it has no bytes of its own until it is moved");
  NULL_OF(bytes_out, "bytes");
}

ANSWER(clrs_tensor_characters, "%d %zu", clrs_tensor_characters(a->tensor, a->count_out) != NULL,
       w.character_count) {
  ANSWERS(tensor, NULL, "0 0");
  ANSWERS(count_out, NULL, "0 0");
}

/* Rows of a planned move, with or without the destination. */
#define PLANNED_ROWS()                                                                             \
  NULL_OF(source, "source");                                                                       \
  ROW(source, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the destination tensor belongs to");       \
  ROW(source, w.of_write_only, CLRS_INVALID_ARGUMENT, "CL_MEM_WRITE_ONLY; a kernel may not read"); \
  ROW(source, w.mapped, CLRS_INVALID_ARGUMENT, "is mapped to u8 and the destination f32");         \
  TAKES(destination, NULL);                                                                        \
  ROW(destination, w.foreign_tensor, CLRS_INVALID_ARGUMENT, "the destination tensor belongs to");  \
  ROW(destination, w.into_read_only, CLRS_INVALID_ARGUMENT, "CL_MEM_READ_ONLY; a kernel may not"); \
  ROW(destination, w.other_shape, CLRS_COUNT_MISMATCH, "[6,4] and the destination [4,6]");         \
  ROW(destination, w.over_source, CLRS_OVERLAP, "share bytes of one buffer")

FUNCTION(clrs_tensor_plan, (void)0, a->source, a->destination, a->policy, a->plan_out) {
  PLANNED_ROWS();
  ROW(destination, w.mapped, CLRS_UNSUPPORTED, "the destination tensor is mapped");
  ROW(destination, w.other_dtype, CLRS_INVALID_ARGUMENT, "f32 and the destination i32");
  ROW(destination, w.repeated, CLRS_OVERLAP, "two elements of the destination");
  TAKES(source, w.slot);
  TAKES(destination, w.slot);
  ROW_IF(a->destination = w.slot, source, w.slot, CLRS_OVERLAP, "share bytes of one buffer");
  ROW_IF(a->destination = NULL, policy, -1, CLRS_INVALID_ARGUMENT, "clrs_copy_policy has 0 to 2");
  ROW_IF(a->destination = NULL, policy, 3, CLRS_INVALID_ARGUMENT, "copy policy 3 is unknown");
  TAKES(policy, -1); /* a destination decides */
  NULL_OF(plan_out, "plan");
}

ANSWER(clrs_tensor_is_mapped, "%d", clrs_tensor_is_mapped(a->tensor)) {
  ANSWERS(tensor, NULL, "0");
  ANSWERS(tensor, w.target, "0");
  ANSWERS(tensor, w.mapped, "1");
}
