/*
 * Carrying out a request. See scenario.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario.h"

#include <stdio.h>

#include "harness/bits.h"
#include "harness/oracle_moves.h"
#include "harness/works.h"
#include "scenario_indexed.h"
#include "scenario_map.h"
#include "scenario_memory.h"
#include "scenario_programs.h"
#include "scenario_sequence.h"

enum { FILL_BYTE = 0x3D, MOST_COPIES = 16 };

static const unsigned char fill_element[16] = {FILL_BYTE, 0x11, 0x22, 0x33};

clrs_status scenario_library(const scenario *s, attempt *try, clrs_context **library) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  options.context = try->a->device.context;
  options.device = try->a->device.device;
  options.limits.execution = s->execution;
  options.pool_bytes = s->is_pooled ? CLRS_POOL_AUTO : 0;
  return clrs_context_create(&options, library, &try->error);
}

static clrs_layout source_layout(const scenario *s) {
  const bool dense = s->strides[0] == 0;
  return api_layout(s->dtype, s->shape.rank, s->shape.dims, dense ? NULL : s->strides);
}

/* Opens the source, after the steps. */
static clrs_status open_source(const scenario *s, attempt *try, clrs_tensor **viewed) {
  const clrs_layout layout = source_layout(s);
  const clrs_storage storage = {s->is_from_host ? try->a->in_host : try->a->source, 0};
  clrs_tensor *whole = NULL;
  clrs_status status = clrs_tensor_wrap(try->library, &storage, &layout, &whole, &try->error);
  if (status != CLRS_OK)
    return status;
  clrs_view view = *clrs_tensor_view(whole);
  for (size_t i = 0; i < s->step_count && status == CLRS_OK; i++)
    status = move_apply_view(&s->steps[i], &view, &try->error);
  if (status == CLRS_OK)
    status = clrs_tensor_with_view(whole, &view, viewed, &try->error);
  if (status == CLRS_OK && s->is_mapped && s->kind != REQUEST_SEQUENCE) /* which maps itself */
    status = scenario_map(try, viewed);
  clrs_tensor_release(whole);
  return status;
}

static oracle source_oracle(const scenario *s) {
  const clrs_layout layout = source_layout(s);
  oracle tensor = oracle_from_layout(&layout);
  for (size_t i = 0; i < s->step_count; i++)
    move_apply_oracle(&s->steps[i], &tensor);
  return tensor;
}

/* How often the source is in the target. */
static int64_t copies(const scenario *s) {
  const bool repeats = s->kind == REQUEST_CONCAT || s->kind == REQUEST_STACK ||
                       s->kind == REQUEST_MOVES || s->kind == REQUEST_BATCH ||
                       s->kind == REQUEST_SEQUENCE;
  return s->copies > 0 ? s->copies : repeats ? 2 : 1;
}

/* The dense shape that is written into the destination, of a source of that shape. */
static clrs_shape target_shape(const scenario *s, const clrs_shape *source) {
  const bool pads = s->kind == REQUEST_PAD || s->mode != CLRS_PAD_CONSTANT;
  clrs_shape shape = *source;
  for (uint32_t i = 0; pads && i < shape.rank; i++)
    shape.dims[i] += 2;
  shape.dims[shape.rank - 1] += s->kind == REQUEST_STACK;
  shape.dims[0] *= copies(s);
  if (s->kind == REQUEST_GATHER)
    shape.dims[0] = s->pattern.length;
  return shape;
}

static clrs_layout target_layout(const scenario *s, const clrs_shape *source) {
  const clrs_shape shape = target_shape(s, source);
  if (s->kind == REQUEST_FILL) /* the destination may have any strides */
    return source_layout(s);
  return api_layout(s->dtype, shape.rank, shape.dims, NULL);
}

static clrs_status open_target(const scenario *s, attempt *try, const clrs_tensor *source,
                               clrs_tensor **target) {
  const clrs_layout layout = target_layout(s, &clrs_tensor_view(source)->shape);
  const clrs_storage storage = {try->a->destination, 0};
  return clrs_tensor_wrap(try->library, &storage, &layout, target, &try->error);
}

/* ---- the kinds ---- */

#define QUEUE_AND_EVENTS                                                                           \
  &(clrs_on){try->queue, try->wait_count, try->wait_list}, &try->event, &try->error

static clrs_status batch(const scenario *s, attempt *try, const test_moves *moves) {
  clrs_work *made = NULL;
  if (s->kind == REQUEST_MOVES)
    return test_enqueue_moves(try->library, moves, QUEUE_AND_EVENTS);
  clrs_status status = test_work_of_moves(try->library, moves, &made, &try->error);
  if (status == CLRS_OK)
    status = clrs_enqueue_work(made, 0, NULL, QUEUE_AND_EVENTS);
  clrs_work_release(made);
  return status;
}

/* The halves of the target, each a copy of the source. */
static clrs_status halves(const scenario *s, attempt *try, clrs_tensor *source,
                          clrs_tensor *target) {
  clrs_tensor *parts[2] = {NULL}, *const sources[] = {source, source};
  const test_moves moves = {.count = 2, .sources = sources, .destinations = parts};
  clrs_status status = CLRS_OK;
  for (int64_t i = 0; i < 2 && status == CLRS_OK; i++) {
    clrs_view half = *clrs_tensor_view(target);
    status = clrs_view_apply(&half, i ? "split=0,2,1" : "split=0,2,0", &try->error);
    if (status == CLRS_OK)
      status = clrs_tensor_with_view(target, &half, &parts[i], &try->error);
  }
  if (status == CLRS_OK)
    status = batch(s, try, &moves);
  clrs_tensor_release(parts[0]);
  clrs_tensor_release(parts[1]);
  return status;
}

/* Joins copies along the target, each with a border behind the last dim. */
static clrs_status stack(const scenario *s, attempt *try, clrs_tensor *source,
                         clrs_tensor *target) {
  clrs_tensor *sources[MOST_COPIES], *stacked = NULL;
  clrs_view view = *clrs_tensor_view(target);
  clrs_shape shape = {view.shape.rank + 1, {copies(s)}};
  memcpy(shape.dims + 1, view.shape.dims, view.shape.rank * sizeof *shape.dims);
  shape.dims[1] /= copies(s);
  for (int64_t i = 0; i < copies(s); i++)
    sources[i] = source;
  clrs_status status = clrs_view_reshape(&view, &shape, &try->error);
  if (status == CLRS_OK)
    status = clrs_tensor_with_view(target, &view, &stacked, &try->error);
  if (status == CLRS_OK)
    status = clrs_enqueue_stack(&(clrs_stack){(size_t)copies(s), sources, NULL, NULL, fill_element},
                                stacked, QUEUE_AND_EVENTS);
  clrs_tensor_release(stacked);
  return status;
}

static clrs_status with_target(const scenario *s, attempt *try, clrs_tensor *source,
                               clrs_tensor *target) {
  clrs_chain twice = {0};
  if (s->has_chain && clrs_chain_parse("flip=0 flip=0", &twice, &try->error) != CLRS_OK)
    return try->error.status;
  const clrs_padding padding = {.begins = LIST(1, 1, 1, 1),
                                .element = fill_element,
                                .mode = s->mode,
                                .ends = LIST(1, 1, 1, 1),
                                .chain = s->has_chain ? &twice : NULL};
  clrs_tensor *tensors[MOST_COPIES];
  const size_t count = (size_t)copies(s);
  clrs_plan plan;
  clrs_status status;
  switch (s->kind) {
  case REQUEST_FILL:
    return clrs_enqueue_fill(target, fill_element, QUEUE_AND_EVENTS);
  case REQUEST_PAD:
    return clrs_enqueue_pad(source, &padding, target, NULL, QUEUE_AND_EVENTS);
  case REQUEST_CONCAT:
    for (size_t i = 0; i < count; i++)
      tensors[i] = source;
    return clrs_enqueue_concat(count, tensors, 0, target, NULL, QUEUE_AND_EVENTS);
  case REQUEST_STACK:
    return stack(s, try, source, target);
  case REQUEST_MOVES:
  case REQUEST_BATCH:
    return halves(s, try, source, target);
  case REQUEST_GATHER:
  case REQUEST_SCATTER:
    return scenario_index(s, try, source, target);
  case REQUEST_DLPACK:
    return scenario_lend(try, source, target);
  case REQUEST_SEQUENCE:
    return scenario_sequence(s, try, source, target);
  case REQUEST_CHAIN_INTO:
    return clrs_enqueue_chain(source, "flip=0 flip=0", CLRS_COPY_ALWAYS, target, NULL,
                              QUEUE_AND_EVENTS);
  case REQUEST_PLAN:
    status = clrs_tensor_plan(source, target, s->policy, &plan, &try->error);
    return status != CLRS_OK
               ? status
               : clrs_enqueue_plan(try->library, &plan,
                                   &(clrs_plan_buffers){.source = try->a->source,
                                                        .destination = try->a->destination},
                                   QUEUE_AND_EVENTS);
  default:
    return clrs_enqueue_move(source, target, QUEUE_AND_EVENTS);
  }
}

static clrs_status strings(const scenario *s, attempt *try, clrs_tensor *source) {
  clrs_tensor *told = NULL;
  clrs_status status = clrs_tensor_with_characters(source, 1, &try->a->source, &told, &try->error);
  if (status == CLRS_OK)
    status = clrs_enqueue_chain(told, "", s->policy, NULL, &try->result, QUEUE_AND_EVENTS);
  clrs_tensor_release(told);
  return status;
}

static clrs_status reshape(const scenario *s, attempt *try, clrs_tensor *source) {
  const clrs_rules rules = {s->pattern.dialect, s->pattern.zero_mode};
  const clrs_storage storage = {try->a->destination, PATTERN_AT};
  clrs_pattern pattern = s->pattern;
  clrs_status status = CLRS_OK;
  if (s->kind == REQUEST_DEVICE_PATTERN)
    status = clrs_pattern_read_buffer(
        try->library, &rules, &storage, CLRS_I64, 1, LIST((int64_t)s->pattern.length), &pattern,
        &(clrs_on){try->queue, try->wait_count, try->wait_list}, &try->error);
  return status != CLRS_OK
             ? status
             : clrs_enqueue_reshape(source, &pattern, s->policy, &try->result, QUEUE_AND_EVENTS);
}

static clrs_status chain(const scenario *s, attempt *try, clrs_tensor *source) {
  char text[64] = "reshape";
  for (uint32_t i = 0; i < s->pattern.length; i++) {
    const size_t used = strlen(text);
    (void)snprintf(text + used, sizeof text - used, "%c%d", i == 0 ? '=' : ',',
                   (int)s->pattern.values[i]);
  }
  return clrs_enqueue_chain(source, text, s->policy, NULL, &try->result, QUEUE_AND_EVENTS);
}

static clrs_status ask(const scenario *s, attempt *try, clrs_tensor *source) {
  clrs_tensor *target = NULL;
  clrs_status status = scenario_use_pool(s, try, source);
  if (status != CLRS_OK)
    return status;
  switch (s->kind) {
  case REQUEST_MATERIALIZE:
    return clrs_enqueue_chain(source, "", s->policy, NULL, &try->result, QUEUE_AND_EVENTS);
  case REQUEST_STRINGS:
    return strings(s, try, source);
  case REQUEST_CHAIN:
    return chain(s, try, source);
  case REQUEST_RESHAPE:
  case REQUEST_DEVICE_PATTERN:
    return reshape(s, try, source);
  case REQUEST_READ:
    return scenario_read(try, source);
  case REQUEST_ALLOCATE:
    return scenario_allocate(try, source);
  default:
    status = open_target(s, try, source, &target);
    if (status == CLRS_OK)
      status = with_target(s, try, source, target);
    clrs_tensor_release(target);
    return status;
  }
}

/* ---- all of them ---- */

clrs_status scenario_run(const scenario *s, attempt *try) {
  clrs_tensor *source = NULL;
  clrs_status status = try->library ? CLRS_OK : scenario_library(s, try, &try->library);
  if (status == CLRS_OK && scenario_is_without_tensors(s))
    return scenario_prepare(s, try);
  if (status == CLRS_OK)
    status = open_source(s, try, &source);
  if (status == CLRS_OK)
    status = ask(s, try, source);
  clrs_tensor_release(source);
  return status;
}

void attempt_drop(attempt *try) {
  clrs_tensor_release(try->result);
  try->result = NULL;
  if (try->event)
    CL_OK(clReleaseEvent(try->event));
  try->event = NULL;
}

/* ---- what should come of it ---- */

/* Opens the fill element as a tensor of a single element, expanded everywhere. */
static void fill_whole(const clrs_layout *layout, unsigned char *bytes) {
  const bit_span span = bits_of(layout->dtype, 0), from = bits_of(layout->dtype, 0);
  unsigned char element[16];
  memcpy(element, fill_element, sizeof element);
  oracle where = oracle_from_layout(layout);
  for (int64_t k = 0; k < where.count; k++)
    bits_copy(&from, element, 0, &span, bytes, where.positions[k]);
  oracle_free(&where);
}

/* The source's elements into the part of the target that begins at `begin` in every dim. */
static void put_part(const scenario *s, const api *a, const oracle *source,
                     const clrs_layout *target, int64_t begin, int64_t first_begin,
                     unsigned char *bytes) {
  const bit_span span = bits_of(s->dtype, 0);
  unsigned char from[API_BYTES];
  clrs_slice slices[4];
  oracle part = oracle_from_layout(target);
  for (uint32_t i = 0; i < target->rank; i++) {
    const int64_t start = i == 0 ? first_begin : begin;
    slices[i] = (clrs_slice){i, start, start + source->shape.dims[i], 1};
  }
  oracle_slice(&part, target->rank, slices);
  scenario_bytes(s, a, source, from);
  bits_move(&span, from, source, &span, bytes, &part);
  oracle_free(&part);
}

static bool has_target(const scenario *s) {
  return s->kind == REQUEST_MOVE || s->kind == REQUEST_CHAIN_INTO || s->kind == REQUEST_PLAN ||
         s->kind == REQUEST_FILL || s->kind == REQUEST_PAD || scenario_is_indexed(s) ||
         s->kind == REQUEST_DLPACK || copies(s) > 1;
}

void scenario_expected(const scenario *s, const api *a, unsigned char *destination) {
  memcpy(destination, a->poison, API_BYTES);
  if (s->kind == REQUEST_DEVICE_PATTERN || scenario_is_indexed(s))
    memcpy(destination + PATTERN_AT, s->pattern.values, s->pattern.length * sizeof(int64_t));
  if (!has_target(s))
    return;
  oracle source = source_oracle(s);
  const clrs_layout target = target_layout(s, &source.shape);
  const int64_t begin = s->kind == REQUEST_PAD && s->mode == CLRS_PAD_CONSTANT;
  if (s->kind == REQUEST_FILL || s->kind == REQUEST_PAD || s->kind == REQUEST_STACK)
    fill_whole(&target, destination);
  if (s->mode != CLRS_PAD_CONSTANT)
    oracle_pad(&source, s->mode, LIST(1, 1, 1, 1), LIST(1, 1, 1, 1));
  if (scenario_is_indexed(s))
    scenario_put_rows(s, a, &source, &target, destination);
  else if (s->kind != REQUEST_FILL)
    put_part(s, a, &source, &target, begin, begin, destination);
  for (int64_t i = 1; i < copies(s); i++)
    put_part(s, a, &source, &target, 0, i * source.shape.dims[0], destination);
  oracle_free(&source);
}

/* A result may be any layout over any buffer. The dense elements of the result must equal the
 * source's elements. */
static void verify_result(const scenario *s, const attempt *try) {
  unsigned char got[API_BYTES], from[API_BYTES];
  unsigned char found[API_BYTES] = {0}, expected[API_BYTES] = {0};
  clrs_layout layout;
  clrs_error error;
  oracle source = source_oracle(s);
  CHECK_OK(clrs_view_layout(clrs_tensor_view(try->result), &layout, &error), error);
  oracle result = oracle_from_layout(&layout);
  const clrs_storage storage = clrs_tensor_storage(try->result);
  const bit_span span = bits_of(s->dtype, storage.byte_offset), start = bits_of(s->dtype, 0);
  int64_t lowest, highest;
  oracle_range(&result, &lowest, &highest);
  assert_int_equal(result.count, source.count);
  if (source.count > 0)
    device_read(&try->a->device, storage.buffer, (size_t)bits_end(&span, highest), got);
  scenario_bytes(s, try->a, &source, from);
  for (int64_t k = 0; k < source.count; k++) {
    bits_copy(&span, got, result.positions[k], &start, found, k);
    bits_copy(&start, from, source.positions[k], &start, expected, k);
  }
  assert_memory_equal(found, expected, API_BYTES);
  oracle_free(&result);
  oracle_free(&source);
}

void scenario_verify(const scenario *s, const attempt *try) {
  unsigned char got[API_BYTES], expected[API_BYTES];
  scenario_expected(s, try->a, expected);
  device_read(&try->a->device, try->a->destination, API_BYTES, got);
  assert_memory_equal(got, expected, API_BYTES);
  assert_true((try->result != NULL) ==
              (!has_target(s) && !scenario_is_without_tensors(s) && s->kind != REQUEST_READ));
  if (try->result)
    verify_result(s, try);
  if (s->kind == REQUEST_READ) {
    oracle source = source_oracle(s);
    scenario_verify_read(s, try, &source);
    oracle_free(&source);
  }
}

bool scenario_has_event(const scenario *s) {
  return !scenario_is_without_tensors(s);
}
