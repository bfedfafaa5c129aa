/*
 * The context: the caller's objects, facts about the driver, and caches for later calls.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdatomic.h>

#include "allocator.h"
#include "kernel_store.h"
#include "lock.h"
#include "plan_cache.h"
#include "read_slots.h"

struct clrs_context {
  atomic_size_t references;
  cl_context opencl;   /* retained */
  cl_device_id device; /* the device of the queues: the device that programs are for, or a part of
                          that device */
  clrs_observer observer;
  clrs_device_limits limits;
  atomic_uint group_items; /* limits.max_group_items, or fewer: see clrs__context_limit_groups */
  clrs__arithmetic arithmetic;
  clrs__quirks quirks;
  bool has_few_arguments; /* fewer than CLRS__ARGUMENT_BYTES */
  clrs__lock lock;        /* guards all fields below, and every kernel object */
  clrs__kernel_store kernels;
  clrs__plan_cache plans;
  clrs__held_events held;
  clrs__read_slots reads;
  clrs__memory memory;
};

/* Returns true if the words of a move are in a buffer. */
static inline bool clrs__context_buffers_words(const clrs_context *context) {
  return context->kernels.target.words_in_buffer;
}

/* Finds the variant's kernel in the context's store, and builds the kernel if needed. If the driver
 * is short of memory or resources, gives the pool's idle memory back and builds once more. The
 * caller gives the kernel back. */
clrs_status clrs__context_kernel(clrs_context *context, clrs__variant variant,
                                 clrs__held_kernel *held, clrs_error *error);

/* Some drivers allow a kernel smaller work-groups than the device, and say so when the kernel is
 * built. Lowers the limit of groups for all later plans, and forgets the plans in the cache. */
void clrs__context_limit_groups(clrs_context *context, size_t items);
/* The present limit of groups. A call that plans and then finds kernels asks before planning. */
uint32_t clrs__context_groups(const clrs_context *context);
/* Returns true if the call failed because a kernel cannot have the groups of a plan. The limit is
 * then lower than *groups, and the call plans again. Updates *groups and clears *error. */
bool clrs__context_plans_again(const clrs_context *context, clrs_status status, uint32_t *groups,
                               clrs_error *error);

/* Plans a move without a destination of the caller's. Takes the plan from the cache if the same
 * move was planned before. */
clrs_status clrs__context_plan(clrs_context *context, const clrs_move *move, clrs_plan *plan,
                               clrs_error *error);

/* Takes over references to events that only tie together the commands of one call. Releases the
 * events at once if the driver allows that. */
void clrs__context_hold_events(clrs_context *context, size_t count, const cl_event *events);
