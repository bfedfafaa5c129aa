/*
 * The negative matrix: contexts, and patterns that are read on a queue.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runtime.h"

FUNCTION(clrs_device_describe, (void)0, a->device, a->report_out) {
  NULL_OF(device, "device");
  NULL_OF(report_out, "report");
}

static void ignore_memory(void *user_data, const clrs_storage *storage, cl_uint event_count,
                          const cl_event *events) {
  (void)user_data, (void)storage, (void)event_count, (void)events;
}

/* A device of another context has rows in tests/opencl/test_api_objects.c, because such a row needs
 * a second device. */
FUNCTION(clrs_context_create, (void)0, a->options, a->context_out) {
  NULL_OF(options, "options");
  ROW(options->struct_size, 0, CLRS_INVALID_ARGUMENT, "options->struct_size is 0; it must be");
  ROW(options->struct_size, sizeof(clrs_context_options) + 8, CLRS_INVALID_ARGUMENT, "it must be");
  ROW(options->struct_size, SIZE_MAX, CLRS_INVALID_ARGUMENT, "is " MOST "; it must");
  NULL_OF(options->context, "context");
  NULL_OF(options->device, "device");
  ROW(options->allocator.release, ignore_memory, CLRS_INVALID_ARGUMENT,
      "has a release and no allocate");
  ROW(options->pool_bytes, -2, CLRS_INVALID_ARGUMENT, "options->pool_bytes is -2; it must be");
  ROW(options->pool_bytes, INT64_MIN, CLRS_INVALID_ARGUMENT, "is -9223372036854775808; it must");
  TAKES(options->allocator.allocate, NULL);
  TAKES(options->allocator.user_data, NULL);
  TAKES(options->pool_bytes, 0);
  TAKES(options->pool_bytes, INT64_MAX);
  LIMITS_ROWS(options->limits.);
  TAKES(options->observer.observe, NULL);
  TAKES(options->observer.user_data, NULL);
  NULL_OF(context_out, "context");
}

RETURNS(clrs_context_retain, a->context) {
  ANSWERS(context, NULL, "returns");
}

RETURNS(clrs_context_release, a->context) {
  ANSWERS(context, NULL, "returns");
}

ANSWER(clrs_context_limits, "%u", clrs_context_limits(a->context).min_index_bits) {
  ANSWERS(context, NULL, "0");
}

ANSWER(clrs_context_pool, "%d", (int)clrs_context_pool(a->context).used_bytes) {
  ANSWERS(context, NULL, "0");
}

RETURNS(clrs_context_trim_pool, a->context, a->bytes) {
  ANSWERS(context, NULL, "returns");
  ANSWERS(bytes, UINT64_MAX, "returns");
}

ANSWER(clrs_context_self_test, "%d", clrs_context_self_test(a->context).is_on) {
  ANSWERS(context, NULL, "0");
}

ANSWER(clrs_context_program_count, "%zu", clrs_context_program_count(a->context)) {
  ANSWERS(context, NULL, "0");
}

FUNCTION(clrs_context_warm_up, (void)0, a->context, a->kernel_class, a->unit_bits) {
  NULL_OF(context, "context");
  NULL_OF(kernel_class, "kernel_class");
  ROW(kernel_class, "any", CLRS_INVALID_ARGUMENT, "class any has no kernel");
  ROW(kernel_class, "subbyte", CLRS_INVALID_ARGUMENT, "class subbyte has no kernel for units of");
  ROW(kernel_class, "no_rows", CLRS_INVALID_ARGUMENT, "class no_rows has no kernel");
  ROW(unit_bits, 0, CLRS_INVALID_ARGUMENT, "for units of 0 bits");
  ROW(unit_bits, 7, CLRS_INVALID_ARGUMENT, "for units of 7 bits");
  ROW(unit_bits, 256, CLRS_INVALID_ARGUMENT, "for units of 256 bits");
  ROW(unit_bits, UINT32_MAX, CLRS_INVALID_ARGUMENT, "for units of 4294967295 bits");
}

FUNCTION(clrs_context_warm_up_plan, (void)0, a->context, a->plan) {
  NULL_OF(context, "context");
  NULL_OF(plan, "plan");
}

/* ---- programs ---- */

/* Only asks how many bytes there are. */
FUNCTION(clrs_context_programs_name, (void)0, a->context, a->name_out) {
  NULL_OF(context, "context");
  NULL_OF(name_out, "name");
}

FUNCTION(clrs_context_export_programs, (a->blob = NULL, a->capacity = 0), a->context, a->blob,
         a->capacity, a->size_out) {
  NULL_OF(context, "context");
  TAKES(blob, NULL);
  ROW(blob, &m->a->one_blob, CLRS_OUT_OF_BOUNDS, "the blob has room for 0");
  ROW_IF(a->blob = a->one_blob, capacity, sizeof m->a->one_blob, CLRS_OUT_OF_BOUNDS, "room for 8");
  TAKES(capacity, SIZE_MAX);
  NULL_OF(size_out, "size");
}

/* Changes a byte of the blob. */
static void *damaged(void *blob) {
  static unsigned char bytes[64];
  memcpy(bytes, blob, sizeof bytes);
  bytes[0] ^= 1;
  return bytes;
}

FUNCTION(clrs_context_import_programs, (void)0, a->context, a->blob, a->size) {
  NULL_OF(context, "context");
  NULL_OF(blob, "blob");
  ROW(blob, damaged(w.blob), CLRS_INVALID_ARGUMENT, "it does not begin as one");
  ROW(size, 0, CLRS_INVALID_ARGUMENT, "it does not begin as one");
  ROW(size, w.blob_size - 1, CLRS_INVALID_ARGUMENT, "it is not as long as it says");
  ROW(size, SIZE_MAX, CLRS_INVALID_ARGUMENT, "it is not as long as it says");
}

/* ---- patterns in buffers ---- */

FUNCTION(clrs_pattern_read_buffer,
         (a->storage->buffer = w.numbers, a->dtype = CLRS_I64, a->rank = 1), a->context, a->rules,
         a->storage, a->dtype, a->rank, a->dims, a->pattern_out, a->on) {
  NULL_OF(context, "context");
  NULL_OF(rules, "rules");
  PATTERN_MODE_ROWS(rules->dialect, rules->zero_mode);
  NULL_OF(storage, "storage");
  NULL_OF(storage->buffer, "storage->buffer");
  ROW(storage->buffer, w.foreign_buffer, CLRS_INVALID_ARGUMENT, "is of context");
  ROW(storage->byte_offset, 1, CLRS_OUT_OF_BOUNDS, "16 bytes at offset 1 leaves its buffer of 16");
  ROW(storage->byte_offset, UINT64_MAX, CLRS_OUT_OF_BOUNDS, "at offset 18446744073709551615");
  DTYPE_ROWS(dtype);
  ROW(dtype, CLRS_F32, CLRS_INVALID_ARGUMENT, "ONNX does not take a pattern of");
  ROW(rank, 0, CLRS_INVALID_ARGUMENT, "the pattern has rank 0; ONNX takes rank 1");
  ROW(rank, SIZE_MAX, CLRS_INVALID_ARGUMENT, "rank " MOST);
  NULL_OF(dims, "dims");
  ROW(dims, LIST(-1), CLRS_INVALID_ARGUMENT, "dimension -1; it must be at least");
  ROW(dims, LIST(3), CLRS_OUT_OF_BOUNDS, "a pattern of 24 bytes at offset 0");
  ROW(dims, LIST(33), CLRS_LIMIT_EXCEEDED, "the pattern has 33 values");
  ROW(dims, LIST(INT64_MAX), CLRS_LIMIT_EXCEEDED, "9223372036854775807 values");
  /* the bytes of two patterns */
  ROW_IF(a->dims = LIST(32), dtype, CLRS_C128, CLRS_INVALID_ARGUMENT, "of type c128");
  ROW_IF(a->one_rules.dialect = CLRS_OPENVINO, dtype, CLRS_U64, CLRS_OVERFLOW, "18446744073709551");
  NULL_OF(pattern_out, "pattern");
  QUEUE_ROWS
}
