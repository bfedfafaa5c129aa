/*
 * The context: what the caller gave, what the driver needs, and what is kept for later calls.
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
  cl_device_id device; /* of the queues: the one that programs are for, or a part of it */
  clrs_observer observer;
  clrs_device_limits limits;
  clrs__arithmetic arithmetic;
  clrs__quirks quirks;
  clrs__lock lock; /* guards what follows, and every kernel object */
  clrs__kernel_store kernels;
  clrs__plan_cache plans;
  clrs__held_events held;
  clrs__read_slots reads;
  clrs__memory memory;
};

/* The variant's kernel, built if need be, and the context's: to be given back. */
clrs_status clrs__context_kernel(clrs_context *context, clrs__variant variant,
                                 clrs__held_kernel *held, clrs_error *error);

/* The plan of a move without a destination of the caller's, from the cache if it was made before.
 */
clrs_status clrs__context_plan(clrs_context *context, const clrs_move *move, clrs_plan *plan,
                               clrs_error *error);

/* Takes over the references of events that only tie the commands of one call together, and releases
 * the events at once where the driver allows that. */
void clrs__context_hold_events(clrs_context *context, size_t count, const cl_event *events);
