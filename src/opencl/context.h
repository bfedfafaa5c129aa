/*
 * The context: the kernels built so far, the lock, and what the caller gave.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_RUNTIME_CONTEXT_H
#define CLRS_RUNTIME_CONTEXT_H

#include "held_events.h"
#include "kernel_store.h"
#include "plan_cache.h"

cl_context clrs__context_opencl(const clrs_context *context);
/* Of the library's own. Both are the caller's to release; NULL on failure, as OpenCL has it. */
cl_command_queue clrs__context_make_queue(const clrs_context *context, cl_int *code);
cl_mem clrs__context_make_buffer(const clrs_context *context, size_t bytes, cl_int *code);
const clrs_device_limits *clrs__context_limits(const clrs_context *context);

/* The queue is the context's, the wait list well formed, and none of its events has failed. */
clrs_status clrs__context_check_queue(const clrs_context *context, cl_command_queue queue,
                                      cl_uint event_count, const cl_event *events,
                                      clrs_error *error);

/* Must a marker for several commands wait for the last of them only, and is that enough on this
 * queue? */
bool clrs__context_marks_last_only(const clrs_context *context, cl_command_queue queue);

/* A new buffer from the caller's allocator or clCreateBuffer; `bytes` > 0. */
clrs_status clrs__context_allocate(const clrs_context *context, uint64_t bytes, cl_mem *buffer,
                                   clrs_error *error);

/* The plan of a move without a destination of the caller's, from the cache if it was made before.
 */
clrs_status clrs__context_plan(clrs_context *context, const clrs_move *move, clrs_plan *plan,
                               clrs_error *error);

/* Takes over the references of events that only tie the commands of one call together. */
void clrs__context_hold_events(clrs_context *context, size_t count, const cl_event *events);

/* Memory of commands that the driver says it has not enqueued, in case that it has: it is freed
 * with the context, or when hundreds have come after it. */
typedef struct clrs__kept {
  struct clrs__kept *next;
  unsigned char bytes[CLRS_MAX_RANK * sizeof(int64_t)];
} clrs__kept;
void clrs__context_keep(clrs_context *context, clrs__kept *memory);

/* Memory that is left to the driver, as nobody can know when the command that writes it ends. Asked
 * before such a command, CLRS_LIMIT_EXCEEDED tells that this happened hundreds of times. */
void clrs__context_count_abandoned(clrs_context *context);
clrs_status clrs__context_check_abandoned(clrs_context *context, clrs_error *error);

/* An element repeated to the widest unit. */
typedef struct clrs__fill_value {
  uint8_t bytes[16];
} clrs__fill_value;

/* Everything that one kernel launch needs. */
typedef struct clrs__dispatch {
  const clrs__cut *cut;
  const clrs_view *stack;
  cl_mem source, destination;
  clrs__fill_value value; /* instead of a source, if the launch fills */
  cl_command_queue queue;
  cl_uint wait_count;
  const cl_event *wait_list;
} clrs__dispatch;

/* Many launches as one: a row of work-items for each entry of a table (entry_t of
 * kernels/move.cl), whose entries number the buffers that they use. */
typedef struct clrs__batch_dispatch {
  clrs__variant variant;
  uint32_t buffer_count; /* at least 1 */
  cl_mem buffers[CLRS_BATCH_BUFFERS];
  cl_mem table;
  size_t global[2], group[2];
  cl_command_queue queue;
  cl_uint wait_count;
  const cl_event *wait_list;
} clrs__batch_dispatch;

/* Builds the variant if need be. */
clrs_status clrs__context_prepare(clrs_context *context, clrs__variant variant, clrs_error *error);

/* Both set the arguments and enqueue under the lock: a kernel object is never shared unlocked. */
clrs_status clrs__context_dispatch_batch(clrs_context *context,
                                         const clrs__batch_dispatch *dispatch, cl_event *event,
                                         clrs_error *error);
clrs_status clrs__context_dispatch(clrs_context *context, const clrs__dispatch *dispatch,
                                   cl_event *event, clrs_error *error);

#endif
