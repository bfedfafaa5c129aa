/*
 * Batches. A move joins the table of its variant; one that is large, or whose launches must keep an
 * order, is launched as it would be outside of a batch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "batch_overlap.h"
#include "batch_tables.h"
#include "enqueue.h"
#include "tensor_check.h"

struct clrs_batch {
  atomic_size_t references;
  clrs_context *context; /* retained */
  clrs__commands commands;
  clrs__tables tables;
  size_t buffer_count;
  cl_mem *buffers; /* of the moves, retained; room for two of each */
};

/* ---- making one ---- */

static clrs_status fail_memory(size_t moves, clrs_error *error) {
  return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a batch of %zu moves", moves);
}

static clrs_status retain_buffer(clrs_batch *batch, const clrs_tensor *tensor, clrs_error *error) {
  cl_mem buffer = clrs__tensor_buffer(tensor)->given;
  const size_t count = batch->buffer_count;
  if ((count > 0 && batch->buffers[count - 1] == buffer) ||
      (count > 1 && batch->buffers[count - 2] == buffer)) {
    return CLRS_OK; /* most batches live in two buffers */
  }
  CLRS_TRY_OPENCL("clRetainMemObject", clRetainMemObject(buffer), error);
  batch->buffers[batch->buffer_count++] = buffer;
  return CLRS_OK;
}

static clrs_status add_move(clrs_batch *batch, const clrs_tensor *source,
                            const clrs_tensor *destination, clrs_error *error) {
  clrs_plan plan;
  CLRS_TRY(clrs_tensor_plan(batch->context, source, destination, CLRS_COPY_ALWAYS, &plan, error));
  if (plan.launch_count == 0) {
    return CLRS_OK;
  }
  CLRS_TRY(retain_buffer(batch, source, error));
  CLRS_TRY(retain_buffer(batch, destination, error));
  return clrs__tables_add(&batch->tables, &batch->commands, &plan,
                          clrs_tensor_storage(source).buffer,
                          clrs_tensor_storage(destination).buffer, error);
}

static clrs_status add_moves(clrs_batch *batch, const clrs_batch_moves *moves, clrs_error *error) {
  for (size_t i = 0; i < moves->count; i++) {
    const clrs_status status = add_move(batch, moves->sources[i], moves->destinations[i], error);
    if (status != CLRS_OK) {
      clrs__append(error, "; that is move %zu of %zu", i, moves->count);
      return status;
    }
  }
  return clrs__tables_close(&batch->tables, &batch->commands, error);
}

static clrs_status create(clrs_context *context, const clrs_batch_moves *moves, clrs_batch **batch,
                          clrs_error *error) {
  clrs_batch *created = calloc(1, sizeof *created);
  if (created == NULL) {
    return fail_memory(moves->count, error);
  }
  atomic_init(&created->references, 1);
  clrs_context_retain(context);
  created->context = created->commands.context = context;
  const size_t room = moves->count > 0 ? moves->count : 1;
  created->buffers = calloc(room, 2 * sizeof *created->buffers);
  const clrs_status status = created->buffers != NULL ? add_moves(created, moves, error)
                                                      : fail_memory(moves->count, error);
  if (status != CLRS_OK) {
    clrs_batch_release(created);
    return status;
  }
  *batch = created;
  return CLRS_OK;
}

static clrs_status check_moves(clrs_context *context, const clrs_batch_moves *moves,
                               clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(moves, "moves", error));
  CLRS_TRY(clrs__tensors_check_count(moves->count, "moves", error));
  if (moves->count > 0) {
    CLRS_TRY(clrs__require(moves->sources, "moves->sources", error));
    CLRS_TRY(clrs__require(moves->destinations, "moves->destinations", error));
  }
  for (size_t i = 0; i < moves->count; i++) {
    CLRS_TRY(clrs__tensor_check_stored(moves->sources[i], context, "source", error));
    CLRS_TRY(clrs__tensor_check_stored(moves->destinations[i], context, "destination", error));
  }
  return clrs__moves_check_apart(moves, error);
}

clrs_status clrs_batch_create(clrs_context *context, const clrs_batch_moves *moves,
                              clrs_batch **batch, clrs_error *error) {
  CLRS_TRY(clrs__require(batch, "batch", error));
  CLRS_TRY(check_moves(context, moves, error));
  return create(context, moves, batch, error);
}

/* ---- life ---- */

void clrs_batch_retain(clrs_batch *batch) {
  if (batch != NULL) {
    atomic_fetch_add(&batch->references, 1);
  }
}

void clrs_batch_release(clrs_batch *batch) {
  if (batch == NULL || atomic_fetch_sub(&batch->references, 1) > 1) {
    return;
  }
  clrs__commands_destroy(&batch->commands);
  clrs__tables_destroy(&batch->tables);
  for (size_t i = 0; i < batch->buffer_count; i++) {
    clReleaseMemObject(batch->buffers[i]);
  }
  free(batch->buffers);
  clrs_context_release(batch->context);
  free(batch);
}

size_t clrs_batch_launches(const clrs_batch *batch) {
  return batch != NULL ? batch->commands.count : 0;
}

/* ---- enqueuing ---- */

clrs_status clrs_enqueue_batch(clrs_batch *batch, cl_command_queue queue,
                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                               cl_event *event, clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  CLRS_TRY(clrs__require(batch, "batch", error));
  CLRS_TRY(clrs__tail_check(batch->context, &tail, error));
  return clrs__commands_enqueue(&batch->commands, &tail, error);
}

clrs_status clrs_enqueue_moves(clrs_context *context, const clrs_batch_moves *moves,
                               cl_command_queue queue, cl_uint num_events_in_wait_list,
                               const cl_event *event_wait_list, cl_event *event,
                               clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  clrs_batch *batch = NULL;
  CLRS_TRY(clrs__tail_check(context, &tail, error));
  CLRS_TRY(check_moves(context, moves, error));
  CLRS_TRY(create(context, moves, &batch, error));
  const clrs_status status = clrs__commands_enqueue(&batch->commands, &tail, error);
  clrs_batch_release(batch);
  return status;
}
