/*
 * Destinations put together from parts: fill, pad and concat. Each becomes a list of commands that
 * write disjoint parts of one destination. All are planned and made before the first is enqueued,
 * so that bad input leaves the destination untouched.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "batch_tables.h"
#include "checked.h"
#include "dtype.h"
#include "enqueue.h"
#include "mapped_move.h"
#include "tensor_check.h"

/* Fewer sources are launched one by one: their kernels are more likely to have been built. */
enum { FEWEST_BATCHED = 8 };

struct assembly {
  const clrs_tensor *destination;
  bool is_batched;
  clrs__commands commands;
  clrs__tables tables;
};

/* Parts of packed elements share bytes, so one follows the other. */
static struct assembly assembly_of(clrs_context *context, const clrs_tensor *destination) {
  const bool packed = clrs_dtype_bits(clrs_tensor_view(destination)->dtype) < 8;
  return (struct assembly){.destination = destination,
                           .commands = {.context = context, .in_order = packed}};
}

/* Adds what writes `slices` of the destination: a tensor's elements, or the fill value. */
static clrs_status add_part(struct assembly *assembly, const clrs_tensor *source,
                            const clrs_slice *slices, clrs_error *error) {
  const cl_mem destination = clrs_tensor_storage(assembly->destination).buffer;
  clrs_view part = *clrs_tensor_view(assembly->destination);
  clrs_plan plan;
  CLRS_TRY(clrs_view_slice(&part, part.shape.rank, slices, error));
  if (source == NULL) {
    CLRS_TRY(clrs__plan_filling(assembly->destination, &part, &plan, error));
    return clrs__commands_add(&assembly->commands, &plan, NULL, destination, error);
  }
  if (clrs__tensor_mapping(source) != NULL) { /* never in a table */
    return clrs__commands_add_mapped(&assembly->commands, source, clrs_tensor_view(source),
                                     assembly->destination, &part, error);
  }
  CLRS_TRY(clrs__plan_into(source, assembly->destination, &part, &plan, error));
  const cl_mem from = clrs_tensor_storage(source).buffer;
  return assembly->is_batched
             ? clrs__tables_add(&assembly->tables, &assembly->commands, &plan, from, destination,
                                error)
             : clrs__commands_add(&assembly->commands, &plan, from, destination, error);
}

/* With the status of adding the parts; releases the assembly. */
static clrs_status assembly_end(struct assembly *assembly, clrs_status status,
                                const clrs__tail *tail, clrs_error *error) {
  if (status == CLRS_OK) {
    status = clrs__tables_close(&assembly->tables, &assembly->commands, error);
  }
  if (status == CLRS_OK) {
    status = clrs__commands_enqueue(&assembly->commands, tail, error);
  }
  clrs__commands_destroy(&assembly->commands);
  clrs__tables_destroy(&assembly->tables);
  return status;
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

static clrs_status check_destination(const clrs_context *context, const clrs__tail *tail,
                                     const clrs_tensor *destination, clrs_error *error) {
  CLRS_TRY(clrs__tail_check(context, tail, error));
  return clrs__tensor_check_stored(destination, context, "destination", error);
}

static void whole_slices(const clrs_view *view, clrs_slice *slices) {
  for (uint32_t dim = 0; dim < view->shape.rank; dim++) {
    slices[dim] = (clrs_slice){dim, 0, view->shape.dims[dim], 1};
  }
}

clrs_status clrs_enqueue_fill(clrs_context *context, clrs_tensor *destination, const void *element,
                              cl_command_queue queue, cl_uint num_events_in_wait_list,
                              const cl_event *event_wait_list, cl_event *event, clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  CLRS_TRY(check_destination(context, &tail, destination, error));
  CLRS_TRY(clrs__require(element, "element", error));
  const clrs_view *view = clrs_tensor_view(destination);
  clrs_slice slices[CLRS_MAX_RANK];
  whole_slices(view, slices);
  struct assembly assembly = assembly_of(context, destination);
  assembly.commands.value = repeat_element(view->dtype, element);
  return assembly_end(&assembly, add_part(&assembly, NULL, slices, error), &tail, error);
}

/* ---- pad ---- */

static clrs_status check_fits(const clrs_view *source, const clrs_view *destination,
                              const int64_t *begins, clrs_error *error) {
  if (source->shape.rank != destination->shape.rank || source->dtype != destination->dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the source has rank %u and type %s, the destination %u and %s; pad needs "
                      "them equal",
                      source->shape.rank, clrs__dtype_text(source->dtype), destination->shape.rank,
                      clrs__dtype_text(destination->dtype));
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
static clrs_status add_border(struct assembly *assembly, uint32_t dim, const clrs_slice *inner,
                              clrs_slice *slices, clrs_error *error) {
  const clrs_slice whole = slices[dim];
  if (inner->start > 0) {
    slices[dim].end = inner->start;
    CLRS_TRY(add_part(assembly, NULL, slices, error));
    slices[dim] = whole;
  }
  if (inner->end < whole.end) {
    slices[dim].start = inner->end;
    CLRS_TRY(add_part(assembly, NULL, slices, error));
  }
  slices[dim] = *inner;
  return CLRS_OK;
}

static clrs_status add_padding(struct assembly *assembly, const clrs_tensor *source,
                               const int64_t *begins, clrs_error *error) {
  const clrs_view *from = clrs_tensor_view(source);
  clrs_slice slices[CLRS_MAX_RANK];
  whole_slices(clrs_tensor_view(assembly->destination), slices);
  for (uint32_t dim = 0; dim < from->shape.rank; dim++) {
    const clrs_slice inner = {dim, begins[dim], begins[dim] + from->shape.dims[dim], 1};
    CLRS_TRY(add_border(assembly, dim, &inner, slices, error));
  }
  return add_part(assembly, source, slices, error);
}

clrs_status clrs_enqueue_pad(clrs_context *context, clrs_tensor *source, clrs_tensor *destination,
                             const clrs_padding *padding, cl_command_queue queue,
                             cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                             cl_event *event, clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  CLRS_TRY(check_destination(context, &tail, destination, error));
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
  struct assembly assembly = assembly_of(context, destination);
  assembly.commands.value = repeat_element(from->dtype, padding->element);
  return assembly_end(&assembly, add_padding(&assembly, source, begins, error), &tail, error);
}

/* ---- concat ---- */

/* The sources fill the destination along the dim. That they fit in the others is the planner's to
 * say. */
static clrs_status check_extents(size_t count, clrs_tensor *const *sources, uint32_t dim,
                                 const clrs_shape *whole, clrs_error *error) {
  int64_t end = 0;
  for (size_t i = 0; i < count; i++) {
    const clrs_shape *part = &clrs_tensor_view(sources[i])->shape;
    const int64_t start = end;
    if (part->rank != whole->rank || !clrs__add(end, part->dims[dim], &end) ||
        end > whole->dims[dim]) {
      return clrs__fail(error, CLRS_COUNT_MISMATCH,
                        "source %zu %s does not fit into %s at %" PRId64 " of dimension %u", i,
                        clrs__dims_text(part->rank, part->dims).text,
                        clrs__dims_text(whole->rank, whole->dims).text, start, dim);
    }
  }
  if (end != whole->dims[dim]) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH,
                      "the sources add up to %" PRId64 " of dimension %u; the destination has "
                      "%" PRId64,
                      end, dim, whole->dims[dim]);
  }
  return CLRS_OK;
}

static clrs_status add_sources(struct assembly *assembly, size_t count, clrs_tensor *const *sources,
                               uint32_t dim, clrs_error *error) {
  const clrs_view *whole = clrs_tensor_view(assembly->destination);
  clrs_slice slices[CLRS_MAX_RANK];
  whole_slices(whole, slices);
  CLRS_TRY(check_extents(count, sources, dim, &whole->shape, error));
  slices[dim].end = 0;
  for (size_t i = 0; i < count; i++) {
    slices[dim].start = slices[dim].end;
    slices[dim].end += clrs_tensor_view(sources[i])->shape.dims[dim];
    CLRS_TRY(add_part(assembly, sources[i], slices, error));
  }
  return CLRS_OK;
}

static clrs_status check_sources(const clrs_context *context, size_t count,
                                 clrs_tensor *const *sources, const clrs_tensor *destination,
                                 clrs_error *error) {
  CLRS_TRY(clrs__tensors_check_count(count, "sources", error));
  if (count > 0) {
    CLRS_TRY(clrs__require(sources, "sources", error));
  }
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(clrs__tensor_check(sources[i], context, "source", error));
    CLRS_TRY(clrs__tensors_check_apart(sources[i], destination, error));
  }
  return CLRS_OK;
}

clrs_status clrs_enqueue_concat(clrs_context *context, size_t count, clrs_tensor *const *sources,
                                int64_t axis, clrs_tensor *destination, cl_command_queue queue,
                                cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                cl_event *event, clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  uint32_t dim;
  CLRS_TRY(check_destination(context, &tail, destination, error));
  CLRS_TRY(check_sources(context, count, sources, destination, error));
  CLRS_TRY(clrs__axis_normalize(axis, clrs_tensor_view(destination)->shape.rank, "concat axis",
                                &dim, error));
  struct assembly assembly = assembly_of(context, destination);
  assembly.is_batched = count >= FEWEST_BATCHED && !assembly.commands.in_order;
  return assembly_end(&assembly, add_sources(&assembly, count, sources, dim, error), &tail, error);
}
