/*
 * Enqueues the caller's plans on the caller's buffers, after a check of the buffers against the
 * plan.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>

#include "plan_command.h"

/* Checks that the buffer holds the bytes that the plan touches, and has the alignment that the plan
 * relies on. */
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

/* A buffer of the plan. */
typedef struct part {
  char name[16]; /* as in clrs_plan_buffers */
  cl_mem given;
  const clrs_footprint *bytes;
  bool is_written;
  clrs__buffer buffer;
} part;

typedef struct parts {
  size_t count;
  part list[4 + CLRS_MAPPED_STEPS];
} parts;

/* Tensors without elements, which a plan by indices may have, need no buffer. */
static void add_part(parts *all, const clrs_plan *plan, part one) {
  if (one.bytes->end > one.bytes->begin || !clrs__plan_has_indices(plan)) {
    all->list[all->count++] = one;
  }
}

static void add_parameters(parts *all, const clrs_plan *plan, const clrs_plan_buffers *buffers) {
  const clrs__mapped_pass *pass = &clrs__plan_data_in(plan)->mapped;
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    if (pass->key.origins[i] == CLRS_ORIGIN_TENSOR) {
      part *one = &all->list[all->count++];
      *one = (part){.given = buffers->steps[i], .bytes = &pass->read[i]};
      snprintf(one->name, sizeof one->name, "steps[%u]", i);
    }
  }
}

static void find_parts(const clrs_plan *plan, const clrs_plan_buffers *buffers, parts *all) {
  const clrs__planned_indices *indices = &clrs__plan_data_in(plan)->indices;
  all->count = 0;
  add_part(all, plan, (part){"source", buffers->source, &plan->source, .is_written = false});
  if (plan->outcome == CLRS_OUTCOME_MAPPED) {
    add_parameters(all, plan, buffers);
  }
  if (clrs__plan_has_indices(plan)) {
    add_part(all, plan, (part){"indices", buffers->indices, &indices->read, .is_written = false});
    add_part(all, plan, (part){"flag", buffers->flag, &indices->flag, .is_written = true});
  }
  add_part(all, plan,
           (part){"destination", buffers->destination, &plan->destination, .is_written = true});
}

static bool meet(const part *a, const part *b) {
  return (a->is_written || b->is_written) && a->buffer.root == b->buffer.root &&
         a->buffer.begin + a->bytes->begin < b->buffer.begin + b->bytes->end &&
         b->buffer.begin + b->bytes->begin < a->buffer.begin + a->bytes->end;
}

static clrs_status check_part(const clrs_context *context, part *one, clrs_error *error) {
  char what[32];
  snprintf(what, sizeof what, "buffers->%s", one->name);
  CLRS_TRY(clrs__require(one->given, what, error));
  CLRS_TRY(clrs__buffer_query(context->opencl, one->given, &one->buffer, error));
  CLRS_TRY((one->is_written ? clrs__buffer_check_written
                            : clrs__buffer_check_read)(&one->buffer, one->name, error));
  return check_footprint(&one->buffer, one->bytes, one->name, error);
}

static clrs_status check_buffers(const clrs_context *context, const clrs_plan *plan,
                                 const clrs_plan_buffers *buffers, clrs_error *error) {
  parts all;
  CLRS_TRY(clrs__require(buffers, "buffers", error));
  find_parts(plan, buffers, &all);
  for (size_t i = 0; i < all.count; i++) {
    CLRS_TRY(check_part(context, &all.list[i], error));
    for (size_t k = 0; k < i; k++) {
      if (meet(&all.list[k], &all.list[i])) {
        return clrs__fail(error, CLRS_OVERLAP, "the footprints of %s and %s meet in one buffer",
                          all.list[k].name, all.list[i].name);
      }
    }
  }
  return CLRS_OK;
}

clrs_status clrs_enqueue_plan(clrs_context *context, const clrs_plan *plan,
                              const clrs_plan_buffers *buffers, const clrs_on *on, cl_event *event,
                              clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  CLRS_TRY(clrs__tail_check(context, &tail, error));
  CLRS_TRY(clrs__require(plan, "plan", error));
  if (plan->launch_count > 0) {
    CLRS_TRY(check_buffers(context, plan, buffers, error));
  }
  return clrs__enqueue_planned(context, plan, buffers, &tail, error);
}
