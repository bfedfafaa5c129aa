/*
 * Works out of tables of moves and of tasks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_WORKS_H
#define CLRS_TEST_WORKS_H

#include "clreshape/clreshape.h"

/* Move number i leads from sources[i] to destinations[i]. If gathers[i] or scatters[i] is not NULL,
 * the move is that gather or scatter. Either list may be NULL. */
typedef struct test_moves {
  size_t count;
  clrs_tensor *const *sources, *const *destinations;
  const clrs_indices *const *gathers, *const *scatters;
} test_moves;

/* A work of the moves, prepared. */
clrs_status test_work_of_moves(clrs_context *context, const test_moves *moves, clrs_work **work,
                               clrs_error *error);
/* The same, enqueued and released. */
clrs_status test_enqueue_moves(clrs_context *context, const test_moves *moves, const clrs_on *on,
                               cl_event *event, clrs_error *error);

/* A task between slots. Positions of the views count from the beginnings of the slots.
 *
 *   from or mapped            a move
 *   element                   a fill
 *   both, or a mode           a pad
 *   from or mapped, gather    a gather by the indices of view `by`, with a flag if `raises` is set
 *   from or mapped, scatter   a scatter by the same indices */
typedef struct test_task {
  uint32_t source, destination;
  const clrs_view *from;
  const clrs_mapped *mapped;
  const clrs_view *to;
  const void *element;
  const int64_t *begins;
  clrs_pad_mode mode;
  const clrs_indices *gather, *scatter;
  uint32_t index, flag;
  const clrs_view *by, *raises;
} test_task;

typedef struct test_tasks {
  uint32_t slot_count;
  size_t count;
  const test_task *tasks;
} test_tasks;

/* Makes a tensor of a slot with this view. */
clrs_status test_slot(clrs_context *context, uint32_t slot, const clrs_view *view,
                      clrs_tensor **tensor, clrs_error *error);

/* Adds a task to a work. */
clrs_status test_work_add(clrs_context *context, clrs_work *work, const test_task *task,
                          clrs_error *error);
/* A work of the tasks, prepared. */
clrs_status test_work_of_tasks(clrs_context *context, const test_tasks *tasks, clrs_work **work,
                               clrs_error *error);
/* Uses the largest slot count: slots behind the last used slot are not read. */
clrs_status test_enqueue_slots(clrs_work *work, const clrs_slot *slots, const clrs_on *on,
                               cl_event *event, clrs_error *error);

#endif
