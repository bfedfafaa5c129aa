/* SPDX-License-Identifier: Apache-2.0 */
#include "works.h"

#define TRY(call)                                                                                  \
  do {                                                                                             \
    const clrs_status status_ = (call);                                                            \
    if (status_ != CLRS_OK)                                                                        \
      return status_;                                                                              \
  } while (0)

enum { MOST_SLOTS = 1024 };

/* ---- moves ---- */

static clrs_status add_move(clrs_work *work, const test_moves *moves, size_t i, clrs_error *error) {
  const clrs_indices *gather = moves->gathers ? moves->gathers[i] : NULL;
  const clrs_indices *scatter = moves->scatters ? moves->scatters[i] : NULL;
  clrs_tensor *from = moves->sources[i], *to = moves->destinations[i];
  return gather    ? clrs_work_gather(work, from, gather, to, error)
         : scatter ? clrs_work_scatter(work, from, scatter, to, error)
                   : clrs_work_move(work, from, to, error);
}

static clrs_status add_moves(clrs_work *work, const test_moves *moves, clrs_error *error) {
  for (size_t i = 0; i < moves->count; i++)
    TRY(add_move(work, moves, i, error));
  return clrs_work_prepare(work, error);
}

/* The work, if that is well. */
static clrs_status hand_over(clrs_status status, clrs_work *made, clrs_work **work) {
  if (status == CLRS_OK)
    *work = made;
  else
    clrs_work_release(made);
  return status;
}

clrs_status test_work_of_moves(clrs_context *context, const test_moves *moves, clrs_work **work,
                               clrs_error *error) {
  clrs_work *made = NULL;
  TRY(clrs_work_create(context, &made, error));
  return hand_over(add_moves(made, moves, error), made, work);
}

clrs_status test_enqueue_moves(clrs_context *context, const test_moves *moves, const clrs_on *on,
                               cl_event *event, clrs_error *error) {
  clrs_work *work = NULL;
  TRY(test_work_of_moves(context, moves, &work, error));
  const clrs_status status = clrs_enqueue_work(work, 0, NULL, on, event, error);
  clrs_work_release(work);
  return status;
}

/* ---- tasks ---- */

clrs_status test_slot(clrs_context *context, uint32_t slot, const clrs_view *view,
                      clrs_tensor **tensor, clrs_error *error) {
  const clrs_layout none = {.dtype = CLRS_U8, .rank = 1};
  clrs_tensor *all = NULL;
  TRY(clrs_tensor_slot(context, slot, &none, &all, error));
  const clrs_status status = clrs_tensor_with_view(all, view, tensor, error);
  clrs_tensor_release(all);
  return status;
}

static clrs_status mapped_slot(clrs_context *context, uint32_t slot, const clrs_mapped *mapped,
                               clrs_tensor **tensor, clrs_error *error) {
  const clrs_layout none = {.dtype = CLRS_U8, .rank = 1};
  clrs_tensor *all = NULL;
  TRY(clrs_tensor_slot(context, slot, &none, &all, error));
  const clrs_status status = clrs_tensor_with_mapped(all, mapped, tensor, error);
  clrs_tensor_release(all);
  return status;
}

typedef struct operands {
  clrs_tensor *source, *destination, *index, *flag;
} operands;

static clrs_status open_operands(clrs_context *context, const test_task *task, operands *all,
                                 clrs_error *error) {
  TRY(test_slot(context, task->destination, task->to, &all->destination, error));
  if (task->mapped)
    TRY(mapped_slot(context, task->source, task->mapped, &all->source, error));
  else if (task->from)
    TRY(test_slot(context, task->source, task->from, &all->source, error));
  if (task->gather || task->scatter)
    TRY(test_slot(context, task->index, task->by, &all->index, error));
  return task->raises ? test_slot(context, task->flag, task->raises, &all->flag, error) : CLRS_OK;
}

static clrs_status add_operands(clrs_work *work, const test_task *task, const operands *all,
                                clrs_error *error) {
  const clrs_padding padding = {
      .begins = task->begins, .element = task->element, .mode = task->mode};
  if (task->gather || task->scatter) {
    clrs_indices indices = task->gather ? *task->gather : *task->scatter;
    indices.tensor = all->index;
    indices.flag = all->flag;
    return (task->gather ? clrs_work_gather : clrs_work_scatter)(work, all->source, &indices,
                                                                 all->destination, error);
  }
  return !all->source ? clrs_work_fill(work, all->destination, task->element, error)
         : task->element || task->mode != CLRS_PAD_CONSTANT
             ? clrs_work_pad(work, all->source, &padding, all->destination, error)
             : clrs_work_move(work, all->source, all->destination, error);
}

clrs_status test_work_add(clrs_context *context, clrs_work *work, const test_task *task,
                          clrs_error *error) {
  operands all = {.source = NULL};
  clrs_status status = open_operands(context, task, &all, error);
  if (status == CLRS_OK)
    status = add_operands(work, task, &all, error);
  clrs_tensor_release(all.source);
  clrs_tensor_release(all.destination);
  clrs_tensor_release(all.index);
  clrs_tensor_release(all.flag);
  return status;
}

static clrs_status add_tasks(clrs_context *context, clrs_work *work, const test_tasks *tasks,
                             clrs_error *error) {
  for (size_t i = 0; i < tasks->count; i++)
    TRY(test_work_add(context, work, &tasks->tasks[i], error));
  return clrs_work_prepare(work, error);
}

clrs_status test_work_of_tasks(clrs_context *context, const test_tasks *tasks, clrs_work **work,
                               clrs_error *error) {
  clrs_work *made = NULL;
  TRY(clrs_work_create(context, &made, error));
  return hand_over(add_tasks(context, made, tasks, error), made, work);
}

clrs_status test_enqueue_slots(clrs_work *work, const clrs_slot *slots, const clrs_on *on,
                               cl_event *event, clrs_error *error) {
  return clrs_enqueue_work(work, slots ? MOST_SLOTS : 0, slots, on, event, error);
}
