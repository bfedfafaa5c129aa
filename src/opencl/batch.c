/*
 * Batches. A move joins the table of its variant; one that is large, or whose launches must keep an
 * order, is launched as it would be outside of a batch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "array.h"
#include "batch_overlap.h"
#include "batch_tables.h"
#include "tensor_check.h"

struct clrs_batch {
  atomic_size_t references;
  clrs_context *context; /* retained */
  clrs__commands commands;
  clrs__tables tables;
  size_t common_count, common_capacity;
  clrs__common **commons; /* of the tensors, retained */
};

/* ---- making one ---- */

enum { FEW = 4 };

/* Once: most batches live in a few buffers. */
static clrs_status retain_common(clrs_batch *batch, const clrs_tensor *tensor, clrs_error *error) {
  clrs__common *common = clrs__tensor_common(tensor);
  const size_t count = batch->common_count;
  for (size_t i = count < FEW ? 0 : count - FEW; i < count; i++) {
    if (batch->commons[i] == common) {
      return CLRS_OK;
    }
  }
  clrs__common **grown =
      clrs__array_grow(batch->commons, count, &batch->common_capacity, sizeof(clrs__common *));
  CLRS_TRY_MEMORY(grown, error, "no memory for a batch");
  batch->commons = grown;
  clrs__common_retain(common);
  batch->commons[batch->common_count++] = common;
  return CLRS_OK;
}

static clrs_status add_move(clrs_batch *batch, const clrs__tensor_move *move, clrs_error *error) {
  const clrs_plan_buffers buffers = clrs__tensor_move_buffers(move);
  const clrs__touches all = clrs__tensor_move_touches(move);
  clrs_plan plan;
  CLRS_TRY(clrs__tensor_move_plan(move, &plan, error));
  CLRS_TRY(clrs__tables_add(&batch->tables, &batch->commands, &plan, &buffers, error));
  for (size_t i = 0; i < all.count && plan.outcome != CLRS_OUTCOME_EMPTY; i++) {
    CLRS_TRY(retain_common(batch, all.list[i].tensor, error));
  }
  return CLRS_OK;
}

static clrs_status add_moves(clrs_batch *batch, const clrs_batch_moves *moves, clrs_error *error) {
  for (size_t i = 0; i < moves->count; i++) {
    const clrs__tensor_move move = clrs__tensor_move_of(batch->context, moves, i);
    const clrs_status status = add_move(batch, &move, error);
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
  CLRS_TRY_MEMORY(created, error, "no memory for a batch");
  atomic_init(&created->references, 1);
  clrs_context_retain(context);
  created->context = created->commands.context = context;
  const clrs_status status = add_moves(created, moves, error);
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
    const clrs__tensor_move move = clrs__tensor_move_of(context, moves, i);
    CLRS_TRY(clrs__tensor_move_check(&move, error));
  }
  return clrs__moves_check_apart(context, moves, error);
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
  for (size_t i = 0; i < batch->common_count; i++) {
    clrs__common_release(batch->commons[i]);
  }
  free(batch->commons);
  clrs_context_release(batch->context);
  free(batch);
}

size_t clrs_batch_launches(const clrs_batch *batch) {
  return batch != NULL ? batch->commands.count : 0;
}

/* ---- enqueuing ---- */

static clrs_status enqueue(const clrs_batch *batch, const clrs__tail *tail, clrs_error *error) {
  for (size_t i = 0; i < batch->common_count; i++) {
    CLRS_TRY(clrs__common_use(batch->commons[i], tail->queue, error));
  }
  return clrs__commands_enqueue(&batch->commands, tail, error);
}

clrs_status clrs_enqueue_batch(clrs_batch *batch, const clrs_on *on, cl_event *event,
                               clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  CLRS_TRY(clrs__require(batch, "batch", error));
  CLRS_TRY(clrs__tail_check(batch->context, &tail, error));
  return enqueue(batch, &tail, error);
}

clrs_status clrs_enqueue_moves(clrs_context *context, const clrs_batch_moves *moves,
                               const clrs_on *on, cl_event *event, clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  clrs_batch *batch = NULL;
  CLRS_TRY(clrs__tail_check(context, &tail, error));
  CLRS_TRY(check_moves(context, moves, error));
  CLRS_TRY(create(context, moves, &batch, error));
  const clrs_status status = enqueue(batch, &tail, error);
  clrs_batch_release(batch);
  return status;
}
