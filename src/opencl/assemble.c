/*
 * Destinations put together from parts: fill, pad and concat. Each becomes a list of steps that
 * write disjoint parts of one destination. All steps are planned before the first is enqueued, so
 * that bad input leaves the destination untouched.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "checked.h"

/* Fewer sources are launched one by one: their kernels are more likely to have been built. */
enum { FEWEST_BATCHED = 8 };

/* One part of the destination, and what goes there: a tensor, or the fill value. */
struct step {
  clrs_tensor *source; /* NULL to fill; not owned */
  clrs_tensor *part;   /* owned */
};

struct assembly {
  size_t count;
  bool in_order; /* packed elements: parts share bytes, so one follows the other */
  struct step *steps;
  clrs__fill_value value;
};

static clrs_status assembly_create(size_t capacity, const clrs_tensor *destination,
                                   struct assembly *assembly, clrs_error *error) {
  memset(assembly, 0, sizeof *assembly);
  assembly->in_order = clrs_dtype_bits(clrs_tensor_view(destination)->dtype) < 8;
  assembly->steps = calloc(capacity > 0 ? capacity : 1, sizeof *assembly->steps);
  if (assembly->steps == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %zu steps", capacity);
  }
  return CLRS_OK;
}

static void assembly_destroy(struct assembly *assembly) {
  for (size_t i = 0; i < assembly->count; i++) {
    clrs_tensor_release(assembly->steps[i].part);
  }
  free(assembly->steps);
}

/* Adds the step that writes `slices` of the destination. */
static clrs_status add_step(struct assembly *assembly, clrs_tensor *source,
                            clrs_tensor *destination, const clrs_slice *slices, clrs_error *error) {
  struct step *step = &assembly->steps[assembly->count];
  clrs_view part = *clrs_tensor_view(destination);
  CLRS_TRY(clrs_view_slice(&part, part.shape.rank, slices, error));
  CLRS_TRY(clrs_tensor_with_view(destination, &part, &step->part, error));
  step->source = source;
  assembly->count++;
  return CLRS_OK;
}

/* ---- planning and submitting ---- */

static clrs_status plan_step(clrs_context *context, const struct step *step, clrs_plan *plan,
                             clrs_error *error) {
  if (step->source != NULL) {
    return clrs_tensor_plan(context, step->source, step->part, CLRS_COPY_ALWAYS, plan, error);
  }
  const clrs_operand operand = clrs__tensor_operand(step->part);
  CLRS_TRY(clrs_plan_fill(&operand, clrs__context_limits(context), plan, error));
  if (plan->launch_count > 0 && !clrs__tensor_buffer(step->part)->writable) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the destination's buffer is CL_MEM_READ_ONLY; a kernel may not write it");
  }
  return CLRS_OK;
}

static clrs_status plan_all(clrs_context *context, const struct assembly *assembly,
                            clrs_error *error) {
  clrs_plan plan;
  for (size_t i = 0; i < assembly->count; i++) {
    CLRS_TRY(plan_step(context, &assembly->steps[i], &plan, error));
    CLRS_TRY(clrs__prepare(context, &plan, error));
  }
  return CLRS_OK;
}

static clrs_status submit_step(const void *commands, size_t index,
                               const clrs__submission *submission, clrs_error *error) {
  const struct assembly *assembly = commands;
  const struct step *step = &assembly->steps[index];
  clrs_plan plan;
  CLRS_TRY(plan_step(submission->context, step, &plan, error));
  const clrs__target target = {.plan = &plan,
                               .source = clrs_tensor_storage(step->source).buffer,
                               .destination = clrs_tensor_storage(step->part).buffer,
                               .value = assembly->value};
  return clrs__submit(submission, &target, error);
}

/* Many sources that share no bytes are a batch. */
static clrs_status submit_sources(const clrs__submission *submission, const clrs_sources *sources,
                                  const struct assembly *assembly, clrs_error *error) {
  clrs_tensor **parts = calloc(assembly->count, sizeof *parts);
  if (parts == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %zu parts", assembly->count);
  }
  for (size_t i = 0; i < assembly->count; i++) {
    parts[i] = assembly->steps[i].part;
  }
  const clrs_moves moves = {assembly->count, sources->tensors, parts};
  const clrs_status status = clrs__submit_moves(submission, &moves, error);
  free(parts);
  return status;
}

static clrs_status submit_all(const clrs__submission *submission, const struct assembly *assembly,
                              clrs_error *error) {
  CLRS_TRY(plan_all(submission->context, assembly, error));
  const clrs__sequence parts = {assembly->count, assembly->in_order, "parts", submit_step,
                                assembly};
  return clrs__submit_sequence(submission, &parts, error);
}

/* ---- fill ---- */

/* The element repeated to the widest unit; a packed one first within its byte. */
static clrs__fill_value repeat_element(clrs_dtype dtype, const void *element) {
  clrs__fill_value value;
  const uint32_t bits = clrs_dtype_bits(dtype);
  const size_t bytes = bits < 8 ? 1 : bits / 8;
  uint8_t packed = 0;
  memcpy(&packed, element, 1);
  packed = (uint8_t)(packed & ((1u << (bits < 8 ? bits : 8)) - 1));
  for (uint32_t filled = bits; filled < 8; filled += bits) {
    packed = (uint8_t)(packed | packed << bits);
  }
  for (size_t i = 0; i < sizeof value.bytes; i++) {
    value.bytes[i] = bits < 8 ? packed : ((const uint8_t *)element)[i % bytes];
  }
  return value;
}

static clrs_status check_destination(const clrs__submission *submission,
                                     const clrs_tensor *destination, clrs_error *error) {
  CLRS_TRY(clrs__submission_check(submission, error));
  return clrs__tensor_check(destination, submission->context, "destination", error);
}

static void whole_slices(const clrs_view *view, clrs_slice *slices) {
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    slices[dim] = (clrs_slice){dim, 0, view->shape.dims[dim], 1};
  }
}

clrs_status clrs_enqueue_fill(clrs_context *context, clrs_tensor *destination, const void *element,
                              cl_command_queue queue, cl_uint num_events_in_wait_list,
                              const cl_event *event_wait_list, cl_event *event, clrs_error *error) {
  const clrs__submission submission = {context, queue, num_events_in_wait_list, event_wait_list,
                                       event};
  CLRS_TRY(check_destination(&submission, destination, error));
  CLRS_TRY(clrs__require(element, "element", error));
  const clrs_view *view = clrs_tensor_view(destination);
  clrs_slice slices[CLRS_MAX_RANK];
  whole_slices(view, slices);
  struct assembly assembly;
  clrs_status status = assembly_create(1, destination, &assembly, error);
  if (status == CLRS_OK) {
    assembly.value = repeat_element(view->dtype, element);
    status = add_step(&assembly, NULL, destination, slices, error);
  }
  if (status == CLRS_OK) {
    status = submit_all(&submission, &assembly, error);
  }
  assembly_destroy(&assembly);
  return status;
}

/* ---- pad ---- */

static clrs_status check_fits(const clrs_view *source, const clrs_view *destination,
                              const int64_t *begins, clrs_error *error) {
  if (source->shape.rank != destination->shape.rank || source->dtype != destination->dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the source has rank %u and type %s, the destination %u and %s; pad needs "
                      "them equal",
                      source->shape.rank, clrs_dtype_name(source->dtype, CLRS_TYPES_CLRESHAPE),
                      destination->shape.rank,
                      clrs_dtype_name(destination->dtype, CLRS_TYPES_CLRESHAPE));
  }
  for (uint32_t dim = 0; dim < source->shape.rank; dim++) {
    int64_t end = 0;
    if (begins[dim] < 0 || !clrs__add(begins[dim], source->shape.dims[dim], &end) ||
        end > destination->shape.dims[dim]) {
      return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                        "dimension %u of extent %" PRId64 " does not fit at %" PRId64
                        " in a destination of extent %" PRId64,
                        dim, source->shape.dims[dim], begins[dim], destination->shape.dims[dim]);
    }
  }
  return CLRS_OK;
}

/* The border of one dim: all before and all after the source, within what the dims in front of it
 * have left. Then the dim itself is narrowed to the source. */
static clrs_status add_border(struct assembly *assembly, clrs_tensor *destination, uint32_t dim,
                              const clrs_slice *inner, clrs_slice *slices, clrs_error *error) {
  const clrs_slice whole = slices[dim];
  if (inner->start > 0) {
    slices[dim].end = inner->start;
    CLRS_TRY(add_step(assembly, NULL, destination, slices, error));
    slices[dim] = whole;
  }
  if (inner->end < whole.end) {
    slices[dim].start = inner->end;
    CLRS_TRY(add_step(assembly, NULL, destination, slices, error));
  }
  slices[dim] = *inner;
  return CLRS_OK;
}

static clrs_status add_padding(struct assembly *assembly, clrs_tensor *source,
                               clrs_tensor *destination, const int64_t *begins, clrs_error *error) {
  const clrs_view *from = clrs_tensor_view(source);
  clrs_slice slices[CLRS_MAX_RANK];
  whole_slices(clrs_tensor_view(destination), slices);
  for (uint32_t dim = 0; dim < from->shape.rank; dim++) {
    const clrs_slice inner = {dim, begins[dim], begins[dim] + from->shape.dims[dim], 1};
    CLRS_TRY(add_border(assembly, destination, dim, &inner, slices, error));
  }
  return add_step(assembly, source, destination, slices, error);
}

clrs_status clrs_enqueue_pad(clrs_context *context, clrs_tensor *source, clrs_tensor *destination,
                             const clrs_padding *padding, cl_command_queue queue,
                             cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                             cl_event *event, clrs_error *error) {
  const clrs__submission submission = {context, queue, num_events_in_wait_list, event_wait_list,
                                       event};
  CLRS_TRY(check_destination(&submission, destination, error));
  CLRS_TRY(clrs__tensor_check(source, context, "source", error));
  CLRS_TRY(clrs__require(padding, "padding", error));
  CLRS_TRY(clrs__require(padding->element, "padding->element", error));
  const clrs_view *from = clrs_tensor_view(source);
  int64_t begins[CLRS_MAX_RANK] = {0};
  if (padding->begins != NULL) {
    memcpy(begins, padding->begins, from->shape.rank * sizeof *begins);
  }
  CLRS_TRY(check_fits(from, clrs_tensor_view(destination), begins, error));
  CLRS_TRY(clrs__tensors_check_apart(source, destination, error));
  struct assembly assembly;
  clrs_status status =
      assembly_create(2 * (size_t)from->shape.rank + 1, destination, &assembly, error);
  if (status == CLRS_OK) {
    assembly.value = repeat_element(from->dtype, padding->element);
    status = add_padding(&assembly, source, destination, begins, error);
  }
  if (status == CLRS_OK) {
    status = submit_all(&submission, &assembly, error);
  }
  assembly_destroy(&assembly);
  return status;
}

/* ---- concat ---- */

static clrs_status add_sources(struct assembly *assembly, const clrs_sources *sources, uint32_t dim,
                               clrs_tensor *destination, clrs_error *error) {
  const clrs_view *whole = clrs_tensor_view(destination);
  clrs_slice slices[CLRS_MAX_RANK];
  whole_slices(whole, slices);
  int64_t end = 0;
  for (size_t i = 0; i < sources->count; i++) {
    const clrs_view *part = clrs_tensor_view(sources->tensors[i]);
    slices[dim].start = end;
    if (part->shape.rank != whole->shape.rank || !clrs__add(end, part->shape.dims[dim], &end) ||
        end > whole->shape.dims[dim]) {
      return clrs__fail(error, CLRS_COUNT_MISMATCH,
                        "source %zu %s does not fit into %s at %" PRId64 " of dimension %u", i,
                        clrs__dims_text(part->shape.rank, part->shape.dims).text,
                        clrs__dims_text(whole->shape.rank, whole->shape.dims).text,
                        slices[dim].start, dim);
    }
    slices[dim].end = end;
    CLRS_TRY(add_step(assembly, sources->tensors[i], destination, slices, error));
  }
  if (end != whole->shape.dims[dim]) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH,
                      "the sources add up to %" PRId64 " of dimension %u; the destination has "
                      "%" PRId64,
                      end, dim, whole->shape.dims[dim]);
  }
  return CLRS_OK;
}

clrs_status clrs_enqueue_concat(clrs_context *context, const clrs_sources *sources, int64_t axis,
                                clrs_tensor *destination, cl_command_queue queue,
                                cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                cl_event *event, clrs_error *error) {
  const clrs__submission submission = {context, queue, num_events_in_wait_list, event_wait_list,
                                       event};
  uint32_t dim;
  CLRS_TRY(check_destination(&submission, destination, error));
  CLRS_TRY(clrs__require(sources, "sources", error));
  CLRS_TRY(clrs__tensors_check_count(sources->count, "sources", error));
  if (sources->count > 0) {
    CLRS_TRY(clrs__require(sources->tensors, "sources->tensors", error));
  }
  CLRS_TRY(clrs__axis_normalise(axis, clrs_tensor_view(destination)->shape.rank, "concat axis",
                                &dim, error));
  for (size_t i = 0; i < sources->count; i++) {
    CLRS_TRY(clrs__tensor_check(sources->tensors[i], context, "source", error));
    CLRS_TRY(clrs__tensors_check_apart(sources->tensors[i], destination, error));
  }
  struct assembly assembly;
  clrs_status status = assembly_create(sources->count, destination, &assembly, error);
  if (status == CLRS_OK) {
    status = add_sources(&assembly, sources, dim, destination, error);
  }
  if (status == CLRS_OK) {
    status = assembly.count >= FEWEST_BATCHED && !assembly.in_order
                 ? submit_sources(&submission, sources, &assembly, error)
                 : submit_all(&submission, &assembly, error);
  }
  assembly_destroy(&assembly);
  return status;
}
