/*
 * Works. The tasks are recorded for slots that begin at multiples of 16 bytes. The tasks are
 * recorded again for each other combination of alignments, because a unit of 16 bytes cannot be
 * moved from byte 4.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "work.h"

#include <stdlib.h>

#include "recording.h"
#include "slot_aim.h"
#include "slot_overlap.h"
#include "task_order.h"
#include "tensor_check.h"

enum { MOST_RECORDINGS = 32 };

struct clrs_work {
  atomic_size_t references;
  clrs_context *context; /* retained */
  clrs__task_list list;
  bool is_prepared;
  size_t launches;
  clrs__lock lock; /* guards all fields below */
  clrs__aim *aims; /* for each slot, then for each other buffer */
  uint32_t *order; /* order of `aims` by root and first byte, as the last enqueue left it */
  size_t recording_count, oldest;
  clrs__recording recordings[MOST_RECORDINGS];
};

/* ---- life ---- */

clrs_status clrs_work_create(clrs_context *context, clrs_work **work, clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(work, "work", error));
  clrs_work *made = calloc(1, sizeof *made);
  CLRS_TRY_MEMORY(made, error, "no memory for a work");
  if (!clrs__lock_start(&made->lock)) {
    free(made);
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a lock");
  }
  atomic_init(&made->references, 1);
  clrs_context_retain(context);
  made->context = context;
  *work = made;
  return CLRS_OK;
}

void clrs_work_retain(clrs_work *work) {
  if (work != NULL) {
    atomic_fetch_add(&work->references, 1);
  }
}

static void forget_recordings(clrs_work *work) {
  for (size_t i = 0; i < work->recording_count; i++) {
    clrs__recording_destroy(&work->recordings[i]);
  }
  work->recording_count = 0;
  free(work->aims);
  free(work->order);
  work->aims = NULL;
  work->order = NULL;
}

void clrs_work_release(clrs_work *work) {
  if (work == NULL || atomic_fetch_sub(&work->references, 1) > 1) {
    return;
  }
  forget_recordings(work);
  clrs__task_list_destroy(&work->list);
  clrs__lock_end(&work->lock);
  clrs_context_release(work->context);
  free(work);
}

size_t clrs_work_launches(const clrs_work *work) {
  return work != NULL ? work->launches : 0;
}

clrs_context *clrs__work_context(const clrs_work *work) {
  return work->context;
}

/* ---- adding ---- */

clrs_status clrs__work_begin(clrs_work *work, clrs__task_list **list, clrs_error *error) {
  CLRS_TRY(clrs__require(work, "work", error));
  if (work->is_prepared) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the work is prepared, or has been enqueued: it takes no more tasks");
  }
  *list = &work->list;
  return CLRS_OK;
}

static clrs_status add(clrs_work *work, const clrs__tensor_move *asked, clrs_error *error) {
  clrs__task_list *list;
  clrs__tensor_move move = *asked;
  CLRS_TRY(clrs__work_begin(work, &list, error));
  move.context = work->context;
  move.takes_slots = true;
  CLRS_TRY(clrs__tensor_move_check(&move, error));
  CLRS_TRY(clrs__task_list_add(list, &move, NULL, error));
  list->given++;
  return CLRS_OK;
}

clrs_status clrs_work_move(clrs_work *work, clrs_tensor *source, clrs_tensor *destination,
                           clrs_error *error) {
  return add(work, &(clrs__tensor_move){.source = source, .destination = destination}, error);
}

static clrs_status add_indexed(clrs_work *work, const clrs__tensor_move *asked, clrs_error *error) {
  CLRS_TRY(clrs__require(asked->indices, "indices", error));
  return add(work, asked, error);
}

clrs_status clrs_work_gather(clrs_work *work, clrs_tensor *source, const clrs_indices *indices,
                             clrs_tensor *destination, clrs_error *error) {
  const clrs__tensor_move move = {.source = source, .destination = destination, .indices = indices};
  return add_indexed(work, &move, error);
}

clrs_status clrs_work_scatter(clrs_work *work, clrs_tensor *source, const clrs_indices *indices,
                              clrs_tensor *destination, clrs_error *error) {
  const clrs__tensor_move move = {
      .source = source, .destination = destination, .indices = indices, .scatters = true};
  return add_indexed(work, &move, error);
}

/* ---- recordings ---- */

/* Replaces the oldest recording if there is no room. */
static void keep_recording(clrs_work *work, const clrs__recording *made, clrs__recording **kept) {
  clrs__recording *at = &work->recordings[work->recording_count];
  if (work->recording_count == MOST_RECORDINGS) {
    at = &work->recordings[work->oldest];
    work->oldest = (work->oldest + 1) % MOST_RECORDINGS;
    clrs__recording_destroy(at);
  } else {
    work->recording_count++;
  }
  *at = *made;
  *kept = at;
}

static clrs_status record(clrs_work *work, clrs__recording **kept, clrs_error *error) {
  clrs__recording made;
  clrs_status status;
  uint32_t groups = clrs__context_groups(work->context);
  do {
    made = (clrs__recording){.phases = NULL};
    status = clrs__recording_make(work->context, &work->list, work->aims, &made, error);
    if (status != CLRS_OK) {
      clrs__recording_destroy(&made);
    }
  } while (clrs__context_plans_again(work->context, status, &groups, error));
  if (status == CLRS_OK) {
    keep_recording(work, &made, kept);
  }
  return status;
}

static bool has_phases(const clrs__recording *recording, const clrs_work *work) {
  bool has = true;
  for (uint32_t i = 0; i < work->list.slot_count && has; i++) {
    const clrs__phase phase = work->aims[i].phase;
    has = recording->phases[i].element == phase.element &&
          recording->phases[i].alignment == phase.alignment;
  }
  return has;
}

/* Finds or makes the recording for the phases of the work's aims. */
static clrs_status find_recording(clrs_work *work, clrs__recording **found, clrs_error *error) {
  for (size_t i = 0; i < work->recording_count; i++) {
    if (has_phases(&work->recordings[i], work)) {
      *found = &work->recordings[i];
      return CLRS_OK;
    }
  }
  return record(work, found, error);
}

/* ---- preparing ---- */

static clrs__aim aim_of_buffer(const clrs__buffer_use *use) {
  return (clrs__aim){.root = use->root, .begin = use->begin, .end = use->end};
}

/* Aims the slots at no buffer, with the phase of a multiple of 16 bytes. */
static void aim_nowhere(clrs_work *work) {
  for (uint32_t i = 0; i < work->list.slot_count; i++) {
    work->aims[i] = (clrs__aim){.phase = {0, CLRS__WIDEST_PHASE}};
  }
}

static clrs_status make_aims(clrs_work *work, clrs_error *error) {
  const clrs__task_list *list = &work->list;
  const size_t count = list->slot_count + list->buffer_count;
  work->aims = calloc(count + 1, sizeof *work->aims);
  CLRS_TRY_MEMORY(work->aims, error, "no memory for a work");
  work->order = calloc(count + 1, sizeof *work->order);
  CLRS_TRY_MEMORY(work->order, error, "no memory for a work");
  for (uint32_t i = 0; i < count; i++) {
    work->order[i] = i;
  }
  for (size_t i = 0; i < list->buffer_count; i++) {
    work->aims[list->slot_count + i] = aim_of_buffer(&list->buffers[i]);
  }
  aim_nowhere(work);
  return CLRS_OK;
}

static clrs_status start(clrs_work *work, clrs_error *error) {
  clrs__recording *recording;
  CLRS_TRY(clrs__task_list_find_uses(&work->list, error));
  CLRS_TRY(clrs__task_list_order(&work->list, error));
  CLRS_TRY(make_aims(work, error));
  CLRS_TRY(record(work, &recording, error));
  work->launches = recording->commands.count;
  work->is_prepared = true;
  return CLRS_OK;
}

/* The caller holds the work's lock. */
static clrs_status prepare(clrs_work *work, clrs_error *error) {
  const clrs_status status = work->is_prepared ? CLRS_OK : start(work, error);
  if (status != CLRS_OK) {
    forget_recordings(work);
  }
  return status;
}

clrs_status clrs_work_prepare(clrs_work *work, clrs_error *error) {
  CLRS_TRY(clrs__require(work, "work", error));
  clrs__lock_take(&work->lock);
  const clrs_status status = prepare(work, error);
  clrs__lock_leave(&work->lock);
  return status;
}

static clrs_status warm_up(clrs_work *work, clrs_error *error) {
  clrs__recording *recording = NULL;
  CLRS_TRY(prepare(work, error));
  aim_nowhere(work);
  CLRS_TRY(find_recording(work, &recording, error));
  return clrs__recording_warm_up(recording, &work->list, error);
}

clrs_status clrs_work_warm_up(clrs_work *work, clrs_error *error) {
  CLRS_TRY(clrs__require(work, "work", error));
  clrs__lock_take(&work->lock);
  const clrs_status status = warm_up(work, error);
  clrs__lock_leave(&work->lock);
  return status;
}

/* ---- enqueuing ---- */

typedef struct given_slots {
  size_t count;
  const clrs_slot *list;
} given_slots;

static clrs_status find_slots(clrs_work *work, const given_slots *given, clrs_error *error) {
  aim_nowhere(work);
  for (uint32_t i = 0; i < work->list.slot_count; i++) {
    const clrs__slot_use *use = &work->list.slots[i];
    if (use->bounds.empty) {
      continue;
    }
    if (i >= given->count) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "the work uses slot %u; the call gives %zu slots", i, given->count);
    }
    CLRS_TRY(clrs__slot_aim(work->context, use, i, &given->list[i], &work->aims[i], error));
  }
  return CLRS_OK;
}

static clrs_status use_slots(const clrs_work *work, const given_slots *given,
                             cl_command_queue queue, clrs_error *error) {
  for (uint32_t i = 0; i < work->list.slot_count; i++) {
    if (work->aims[i].root != NULL && given->list[i].tensor != NULL) {
      CLRS_TRY(clrs__tensor_use(given->list[i].tensor, queue, error));
    }
  }
  return CLRS_OK;
}

/* Records the queue's use of buffers that the library allocated. */
static clrs_status use_buffers(const clrs_work *work, cl_command_queue queue, clrs_error *error) {
  for (size_t i = 0; i < work->list.buffer_count; i++) {
    clrs__common *owner = work->list.buffers[i].owner;
    CLRS_TRY(owner != NULL ? clrs__common_use(owner, queue, error) : CLRS_OK);
  }
  return CLRS_OK;
}

static clrs_status enqueue(clrs_work *work, const given_slots *given, const clrs__tail *tail,
                           clrs_error *error) {
  clrs__recording *recording = NULL;
  CLRS_TRY(prepare(work, error));
  CLRS_TRY(find_slots(work, given, error));
  if (work->list.slot_count > 0) {
    CLRS_TRY(clrs__slots_check_apart(&work->list, work->aims, work->order, error));
  }
  CLRS_TRY(find_recording(work, &recording, error));
  CLRS_TRY(use_slots(work, given, tail->queue, error));
  CLRS_TRY(use_buffers(work, tail->queue, error));
  clrs__recording_aim(recording, work->aims);
  return clrs__commands_enqueue(&recording->commands, tail, error);
}

clrs_status clrs_enqueue_work(clrs_work *work, size_t slot_count, const clrs_slot *slots,
                              const clrs_on *on, cl_event *event, clrs_error *error) {
  const clrs__tail tail = clrs__tail_of(on, event);
  const given_slots given = {slot_count, slots};
  CLRS_TRY(clrs__require(work, "work", error));
  CLRS_TRY(clrs__tail_check(work->context, &tail, error));
  if (slot_count > 0) {
    CLRS_TRY(clrs__require(slots, "slots", error));
  }
  clrs__lock_take(&work->lock);
  const clrs_status status = enqueue(work, &given, &tail, error);
  clrs__lock_leave(&work->lock);
  return status;
}
