/*
 * Plans of the caller's, carried out on the caller's buffers, which are checked against the plan.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>

#include "clreshape/clreshape.h"
#include "plan_command.h"

/* The buffer holds what the plan touches and is as aligned as the plan relies on. */
static clrs_status check_footprint(const clrs__buffer *buffer, const clrs_footprint *footprint,
                                   const char *what, clrs_error *error) {
  const uint64_t size = buffer->end - buffer->begin;
  if (footprint->end > size) {
    return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                      "the plan touches bytes %" PRIu64 " to %" PRIu64
                      " of the %s, a buffer of %" PRIu64 " bytes",
                      footprint->begin, footprint->end, what, size);
  }
  const uint64_t alignment = buffer->begin | buffer->alignment;
  if (alignment % footprint->alignment != 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the plan relies on a %s aligned to %u bytes; this one is not", what,
                      footprint->alignment);
  }
  return CLRS_OK;
}

/* Where the plan writes. */
typedef struct written {
  const clrs_context *context;
  const char *name; /* "destination" or "flag" */
  clrs__buffer buffer;
  clrs_footprint bytes;
} written;

static clrs_status query(const clrs_context *context, cl_mem buffer, const char *name,
                         clrs__buffer *found, clrs_error *error) {
  char what[32];
  snprintf(what, sizeof what, "buffers->%s", name);
  CLRS_TRY(clrs__require(buffer, what, error));
  return clrs__buffer_query(clrs__context_opencl(context), buffer, found, error);
}

static clrs_status check_written(cl_mem buffer, const clrs_footprint *bytes, const char *name,
                                 written *to, clrs_error *error) {
  to->bytes = *bytes;
  to->name = name;
  CLRS_TRY(query(to->context, buffer, name, &to->buffer, error));
  CLRS_TRY(clrs__buffer_check_written(&to->buffer, name, error));
  return check_footprint(&to->buffer, bytes, name, error);
}

static clrs_status check_apart(const written *to, const clrs__buffer *other,
                               const clrs_footprint *bytes, const char *name, clrs_error *error) {
  if (other->root == to->buffer.root &&
      other->begin + bytes->begin < to->buffer.begin + to->bytes.end &&
      to->buffer.begin + to->bytes.begin < other->begin + bytes->end) {
    return clrs__fail(error, CLRS_OVERLAP, "the footprints of %s and %s meet in one buffer", name,
                      to->name);
  }
  return CLRS_OK;
}

/* A buffer that the plan reads: "source", "zero" or "steps[2]". */
static clrs_status check_buffer_read(const written *to, cl_mem read, const clrs_footprint *bytes,
                                     const char *name, clrs_error *error) {
  clrs__buffer from;
  CLRS_TRY(query(to->context, read, name, &from, error));
  if (!from.readable) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the buffer of the %s is CL_MEM_WRITE_ONLY; a kernel may not read it", name);
  }
  CLRS_TRY(check_footprint(&from, bytes, name, error));
  return check_apart(to, &from, bytes, name, error);
}

static clrs_status check_parameters(const written *to, const clrs__mapped_pass *pass,
                                    const clrs_plan_buffers *buffers, clrs_error *error) {
  for (uint32_t i = 0; i < CLRS_MAP_STEPS; i++) {
    char name[16];
    if (pass->key.origins[i] == CLRS_ORIGIN_TENSOR) {
      snprintf(name, sizeof name, "steps[%u]", i);
      CLRS_TRY(check_buffer_read(to, buffers->steps[i], &pass->read[i], name, error));
    }
  }
  return CLRS_OK;
}

/* Tensors without elements need no buffer. */
static clrs_status check_indexed_reads(const written *to, const clrs_plan *plan,
                                       const clrs_plan_buffers *buffers, clrs_error *error) {
  const clrs__plan_data *data = clrs__plan_data_in(plan);
  if (plan->outcome == CLRS_OUTCOME_MAPPED) {
    CLRS_TRY(check_parameters(to, &data->mapped, buffers, error));
  }
  if (plan->source.end > plan->source.begin) {
    CLRS_TRY(check_buffer_read(to, buffers->source, &plan->source, "source", error));
  }
  return check_buffer_read(to, buffers->indices, &data->indices.read, "indices", error);
}

static clrs_status check_indexed(written *to, const clrs_plan *plan,
                                 const clrs_plan_buffers *buffers, clrs_error *error) {
  const clrs_footprint *flag = &clrs__plan_data_in(plan)->indices.flag;
  const bool is_written = plan->destination.end > plan->destination.begin;
  if (is_written) {
    CLRS_TRY(check_written(buffers->destination, &plan->destination, "destination", to, error));
    CLRS_TRY(check_indexed_reads(to, plan, buffers, error));
  }
  if (flag->end == flag->begin) {
    return CLRS_OK;
  }
  const written first = *to;
  CLRS_TRY(check_written(buffers->flag, flag, "flag", to, error));
  CLRS_TRY(check_indexed_reads(to, plan, buffers, error));
  return is_written ? check_apart(to, &first.buffer, &first.bytes, "destination", error) : CLRS_OK;
}

static clrs_status check_buffers(const clrs_context *context, const clrs_plan *plan,
                                 const clrs_plan_buffers *buffers, clrs_error *error) {
  written to = {.context = context};
  CLRS_TRY(clrs__require(buffers, "buffers", error));
  if (clrs__plan_has_indices(plan)) {
    return check_indexed(&to, plan, buffers, error);
  }
  CLRS_TRY(check_written(buffers->destination, &plan->destination, "destination", &to, error));
  CLRS_TRY(check_buffer_read(&to, buffers->source, &plan->source, "source", error));
  return plan->outcome == CLRS_OUTCOME_MAPPED
             ? check_parameters(&to, &clrs__plan_data_in(plan)->mapped, buffers, error)
             : CLRS_OK;
}

clrs_status clrs_enqueue_plan(clrs_context *context, const clrs_plan *plan,
                              const clrs_plan_buffers *buffers, cl_command_queue queue,
                              cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                              cl_event *event, clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  CLRS_TRY(clrs__tail_check(context, &tail, error));
  CLRS_TRY(clrs__require(plan, "plan", error));
  if (plan->launch_count > 0) {
    CLRS_TRY(check_buffers(context, plan, buffers, error));
  }
  return clrs__enqueue_planned(context, plan, buffers, &tail, error);
}
