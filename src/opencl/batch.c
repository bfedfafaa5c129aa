/*
 * Batches. A move joins the table of its variant; one that is large, or whose launches must keep an
 * order, is launched as it would be outside of a batch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "batch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "batch_overlap.h"
#include "batch_tables.h"
#include "work_size.h"

/* A move of more bytes gains nothing from company, and its work-items would keep others waiting. */
enum { MOST_BATCHED_BYTES = 1 << 20 };

struct move {
  clrs_tensor *source, *destination;
};

/* A move that goes alone: its tensors are retained. */
struct alone {
  struct move move;
  clrs_plan plan;
};

struct clrs_batch {
  atomic_size_t references;
  clrs_context *context; /* retained */
  clrs__tables tables;
  size_t alone_count, alone_launches, buffer_count;
  struct alone **alone; /* room for all moves */
  cl_mem *buffers;      /* of the moves in tables, retained; room for two of each */
};

/* ---- planning ---- */

/* In a batch a move has one row of the grid. */
static bool is_batchable(const clrs_batch *batch, const clrs_plan *plan) {
  const clrs_device_limits *limits = clrs__context_limits(batch->context);
  const clrs__plan_data *data = clrs__plan_data_in(plan);
  bool fits = plan->bytes_written <= MOST_BATCHED_BYTES && !data->in_order;
  for (uint32_t i = 0; fits && i < plan->launch_count; i++) {
    fits = clrs__cut_range(&data->cuts[i], limits).global[1] == 1;
  }
  return fits;
}

static clrs_status fail_memory(size_t moves, clrs_error *error) {
  return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a batch of %zu moves", moves);
}

static clrs__target target_of(const struct move *move, const clrs_plan *plan) {
  return (clrs__target){.plan = plan,
                        .source = clrs_tensor_storage(move->source).buffer,
                        .destination = clrs_tensor_storage(move->destination).buffer};
}

/* Its launches build their kernels now: later only an enqueue may fail. */
static clrs_status add_alone(clrs_batch *batch, const struct move *move, const clrs_plan *plan,
                             clrs_error *error) {
  CLRS_TRY(clrs__prepare(batch->context, plan, error));
  struct alone *created = malloc(sizeof *created);
  if (created == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a plan of a batch");
  }
  created->move = *move;
  created->plan = *plan;
  clrs_tensor_retain(move->source);
  clrs_tensor_retain(move->destination);
  batch->alone[batch->alone_count++] = created;
  batch->alone_launches += plan->launch_count;
  return CLRS_OK;
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

static clrs_status add_move(clrs_batch *batch, const struct move *move, clrs_error *error) {
  clrs_plan plan;
  CLRS_TRY(clrs_tensor_plan(batch->context, move->source, move->destination, CLRS_COPY_ALWAYS,
                            &plan, error));
  const clrs__target target = target_of(move, &plan);
  if (plan.launch_count == 0) {
    return CLRS_OK;
  }
  if (!is_batchable(batch, &plan)) {
    return add_alone(batch, move, &plan, error);
  }
  CLRS_TRY(retain_buffer(batch, move->source, error));
  CLRS_TRY(retain_buffer(batch, move->destination, error));
  for (uint32_t i = 0; i < plan.launch_count; i++) {
    CLRS_TRY(clrs__tables_add(&batch->tables, &target, i, error));
  }
  return CLRS_OK;
}

static clrs_status add_moves(clrs_batch *batch, const clrs_moves *moves, clrs_error *error) {
  for (size_t i = 0; i < moves->count; i++) {
    const struct move move = {moves->sources[i], moves->destinations[i]};
    const clrs_status status = add_move(batch, &move, error);
    if (status != CLRS_OK) {
      clrs__append(error, "; that is move %zu of %zu", i, moves->count);
      return status;
    }
  }
  return clrs__tables_prepare(&batch->tables, error);
}

/* ---- life ---- */

static clrs_status create(clrs_context *context, const clrs_moves *moves, clrs_batch **batch,
                          clrs_error *error) {
  clrs_batch *created = calloc(1, sizeof *created);
  if (created == NULL) {
    return fail_memory(moves->count, error);
  }
  atomic_init(&created->references, 1);
  clrs_context_retain(context);
  created->context = created->tables.context = context;
  const size_t room = moves->count > 0 ? moves->count : 1;
  created->alone = calloc(room, sizeof *created->alone);
  created->buffers = calloc(room, 2 * sizeof *created->buffers);
  const clrs_status status = created->alone != NULL && created->buffers != NULL
                                 ? add_moves(created, moves, error)
                                 : fail_memory(moves->count, error);
  if (status != CLRS_OK) {
    clrs_batch_release(created);
    return status;
  }
  *batch = created;
  return CLRS_OK;
}

void clrs_batch_retain(clrs_batch *batch) {
  if (batch != NULL) {
    atomic_fetch_add(&batch->references, 1);
  }
}

void clrs_batch_release(clrs_batch *batch) {
  if (batch == NULL || atomic_fetch_sub(&batch->references, 1) > 1) {
    return;
  }
  clrs__tables_destroy(&batch->tables);
  for (size_t i = 0; i < batch->alone_count; i++) {
    clrs_tensor_release(batch->alone[i]->move.source);
    clrs_tensor_release(batch->alone[i]->move.destination);
    free(batch->alone[i]);
  }
  for (size_t i = 0; i < batch->buffer_count; i++) {
    clReleaseMemObject(batch->buffers[i]);
  }
  free(batch->alone);
  free(batch->buffers);
  clrs_context_release(batch->context);
  free(batch);
}

size_t clrs_batch_launches(const clrs_batch *batch) {
  return batch != NULL ? batch->tables.count + batch->alone_launches : 0;
}

/* ---- submitting ---- */

/* Tables first, then the moves that go alone. */
static clrs_status submit_command(const void *commands, size_t index,
                                  const clrs__submission *submission, clrs_error *error) {
  const clrs_batch *batch = commands;
  if (index >= batch->tables.count) {
    const struct alone *alone = batch->alone[index - batch->tables.count];
    const clrs__target target = target_of(&alone->move, &alone->plan);
    return clrs__submit(submission, &target, error);
  }
  clrs__batch_dispatch dispatch = batch->tables.tables[index].dispatch;
  cl_event event = NULL;
  dispatch.queue = submission->queue;
  dispatch.wait_count = submission->wait_count;
  dispatch.wait_list = submission->wait_list;
  CLRS_TRY(clrs__context_dispatch_batch(batch->context, &dispatch,
                                        submission->event != NULL ? &event : NULL, error));
  if (submission->event != NULL) {
    *submission->event = event;
  }
  return CLRS_OK;
}

static clrs_status submit(const clrs_batch *batch, const clrs__submission *submission,
                          clrs_error *error) {
  const clrs__sequence commands = {batch->tables.count + batch->alone_count, false, "commands",
                                   submit_command, batch};
  return clrs__submit_sequence(submission, &commands, error);
}

clrs_status clrs__submit_moves(const clrs__submission *submission, const clrs_moves *moves,
                               clrs_error *error) {
  clrs_batch *batch = NULL;
  CLRS_TRY(create(submission->context, moves, &batch, error));
  const clrs_status status = submit(batch, submission, error);
  clrs_batch_release(batch);
  return status;
}

/* ---- the public calls ---- */

static clrs_status check_moves(clrs_context *context, const clrs_moves *moves, clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(moves, "moves", error));
  CLRS_TRY(clrs__tensors_check_count(moves->count, "moves", error));
  if (moves->count > 0) {
    CLRS_TRY(clrs__require(moves->sources, "moves->sources", error));
    CLRS_TRY(clrs__require(moves->destinations, "moves->destinations", error));
  }
  for (size_t i = 0; i < moves->count; i++) {
    CLRS_TRY(clrs__tensor_check(moves->sources[i], context, "source", error));
    CLRS_TRY(clrs__tensor_check(moves->destinations[i], context, "destination", error));
  }
  return clrs__moves_check_apart(moves, error);
}

clrs_status clrs_batch_create(clrs_context *context, const clrs_moves *moves, clrs_batch **batch,
                              clrs_error *error) {
  CLRS_TRY(clrs__require(batch, "batch", error));
  CLRS_TRY(check_moves(context, moves, error));
  return create(context, moves, batch, error);
}

clrs_status clrs_enqueue_batch(clrs_batch *batch, cl_command_queue queue,
                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                               cl_event *event, clrs_error *error) {
  CLRS_TRY(clrs__require(batch, "batch", error));
  const clrs__submission submission = {batch->context, queue, num_events_in_wait_list,
                                       event_wait_list, event};
  CLRS_TRY(clrs__submission_check(&submission, error));
  return submit(batch, &submission, error);
}

clrs_status clrs_enqueue_moves(clrs_context *context, const clrs_moves *moves,
                               cl_command_queue queue, cl_uint num_events_in_wait_list,
                               const cl_event *event_wait_list, cl_event *event,
                               clrs_error *error) {
  const clrs__submission submission = {context, queue, num_events_in_wait_list, event_wait_list,
                                       event};
  CLRS_TRY(clrs__submission_check(&submission, error));
  CLRS_TRY(check_moves(context, moves, error));
  return clrs__submit_moves(&submission, moves, error);
}
