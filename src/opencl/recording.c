/* SPDX-License-Identifier: Apache-2.0 */
#include "recording.h"

#include <stdlib.h>
#include <string.h>

#include "checked.h"
#include "dtype.h"
#include "index_check.h"
#include "plan_indexed.h"
#include "plan_mapped.h"
#include "view.h"
#include "warm_up.h"

/* ---- slots in place of buffers ---- */

static cl_mem mark_of(const clrs__task_list *list, uint32_t slot) {
  return (cl_mem)(void *)&list->slots[slot];
}

static size_t slot_of(const clrs__task_list *list, cl_mem mark) {
  return (size_t)((const clrs__slot_use *)(const void *)mark - list->slots);
}

/* The list of tasks has left room behind every view. */
void clrs__phase_shift(clrs__phase phase, clrs_view *view) {
  if (view->depth > 0) {
    view->levels[0].offset = clrs__exact_multiply_add(view->levels[0].offset, 1, phase.element);
  }
}

/* ---- recording ---- */

typedef struct recorder {
  const clrs__task_list *list;
  clrs__recording *recording;
} recorder;

/* A task, seen from where its slots begin. */
typedef struct placed {
  const clrs__task *task;
  clrs_view from, to, by, raises;
  clrs_operand source, destination, index, flag;
  clrs_plan_buffers marks;
  const clrs_device_limits *limits;
} placed;

/* A view of a slot, and the mark of the slot. A view without elements has no mark. */
static cl_mem place_view(const recorder *of, uint32_t slot, const clrs_view *view, clrs_view *at,
                         clrs_operand *operand) {
  const clrs__phase phase = of->recording->phases[slot];
  *operand = (clrs_operand){at, 0, phase.alignment};
  clrs__view_copy(at, view);
  clrs__phase_shift(phase, at);
  return clrs__view_is_empty(view) ? NULL : mark_of(of->list, slot);
}

static void place(const recorder *of, const clrs__task *task, placed *at) {
  const clrs__task_indices *indices = task->indices;
  clrs_plan_buffers *marks = &at->marks;
  at->task = task;
  at->limits = clrs__context_limits(of->recording->commands.context);
  at->flag.view = NULL;
  *marks = (clrs_plan_buffers){.source = NULL};
  marks->destination = place_view(of, task->destination, &task->to, &at->to, &at->destination);
  if (!task->fills) {
    marks->source = place_view(of, task->source, &task->from, &at->from, &at->source);
  }
  if (indices != NULL) {
    marks->indices = place_view(of, indices->index_slot, &indices->index, &at->by, &at->index);
  }
  if (indices != NULL && indices->raises) {
    marks->flag = place_view(of, indices->flag_slot, &indices->flag, &at->raises, &at->flag);
  }
}

/* `seen` is the view of the source, or of the elements that its map makes. */
static clrs_status move_by_indices(const placed *at, const clrs_view *seen,
                                   clrs__indexed_move *move, clrs_error *error) {
  const clrs__task_indices *indices = at->task->indices;
  const clrs_move sides = {.source = {seen, 0, at->source.alignment},
                           .destination = at->destination};
  clrs_indices given = indices->given;
  given.element = indices->element;
  *move = clrs__indexed_between(&sides, indices->scatters);
  move->operands[CLRS_INDEX] = at->index;
  move->flag = at->flag;
  move->limits = at->limits;
  return clrs__indexed_complete(move, &given, error);
}

static clrs_status plan_by_indices(const placed *at, clrs_plan *plan, clrs_error *error) {
  clrs__indexed_move move;
  CLRS_TRY(move_by_indices(at, &at->from, &move, error));
  return clrs__plan_indexed(&move, plan, error);
}

static clrs_status plan_mapped(const placed *at, const clrs_map_views *views, clrs_plan *plan,
                               clrs_error *error) {
  const clrs_mapped *mapped = at->task->mapped;
  clrs_view seen;
  clrs__indexed_move by;
  CLRS_TRY(clrs_view_dense(mapped->dtype, &views->source.shape, &seen, error));
  clrs__mapped_move move = {.map = &mapped->map,
                            .views = views,
                            .seen = &seen,
                            .source = at->source,
                            .destination = at->destination,
                            .limits = at->limits};
  if (at->task->indices != NULL) {
    CLRS_TRY(move_by_indices(at, &seen, &by, error));
    move.indices = &by;
  }
  return clrs__plan_mapped(&move, plan, error);
}

/* The views are many kilobytes. */
static clrs_status plan_placed_map(const placed *at, clrs_plan *plan, clrs_error *error) {
  clrs_map_views *views = malloc(sizeof *views);
  CLRS_TRY_MEMORY(views, error, "no memory for the views of a map");
  *views = at->task->mapped->views;
  clrs__view_copy(&views->source, &at->from);
  const clrs_status status = plan_mapped(at, views, plan, error);
  free(views);
  return status;
}

static clrs_status plan_task(const placed *at, clrs_plan *plan, clrs_error *error) {
  const clrs_move move = {.source = at->source, .destination = at->destination};
  return at->task->mapped != NULL    ? plan_placed_map(at, plan, error)
         : at->task->indices != NULL ? plan_by_indices(at, plan, error)
         : at->task->fills           ? clrs_plan_fill(&at->destination, at->limits, plan, error)
                                     : clrs_plan_move(&move, at->limits, plan, error);
}

static clrs_status record_task(const recorder *to, size_t i, clrs_error *error) {
  const clrs__task_list *list = to->list;
  const clrs__task *task = &list->tasks[i];
  clrs__commands *commands = &to->recording->commands;
  const bool is_alone = (i == 0 || list->tasks[i - 1].stage != task->stage) &&
                        (i + 1 == list->count || list->tasks[i + 1].stage != task->stage);
  placed at;
  clrs_plan plan;
  place(to, task, &at);
  commands->value = task->value;
  CLRS_TRY(plan_task(&at, &plan, error));
  return is_alone ? clrs__commands_add(commands, &plan, &at.marks, error)
                  : clrs__tables_add(&to->recording->tables, commands, &plan, &at.marks, error);
}

static clrs_status record_tasks(const recorder *to, clrs_error *error) {
  const clrs__task_list *list = to->list;
  clrs__recording *recording = to->recording;
  for (size_t i = 0; i < list->count; i++) {
    if (i > 0 && list->tasks[i].stage != list->tasks[i - 1].stage) {
      CLRS_TRY(clrs__tables_close(&recording->tables, &recording->commands, error));
      clrs__commands_begin_stage(&recording->commands);
    }
    const clrs_status status = record_task(to, i, error);
    if (status != CLRS_OK) {
      clrs__append(error, "; that is task %zu of %zu", list->tasks[i].number, list->given);
      return status;
    }
  }
  return clrs__tables_close(&recording->tables, &recording->commands, error);
}

clrs_status clrs__recording_make(clrs_context *context, const clrs__task_list *list,
                                 const clrs__aim *aims, clrs__recording *recording,
                                 clrs_error *error) {
  const recorder to = {list, recording};
  recording->phases = calloc(list->slot_count + 1u, sizeof *recording->phases);
  CLRS_TRY_MEMORY(recording->phases, error, "no memory for a sequence");
  for (uint32_t i = 0; i < list->slot_count; i++) {
    recording->phases[i] = aims[i].phase;
  }
  recording->commands.context = context;
  return record_tasks(&to, error);
}

void clrs__recording_destroy(clrs__recording *recording) {
  clrs__commands_destroy(&recording->commands);
  clrs__tables_destroy(&recording->tables);
  free(recording->phases);
}

/* ---- warming up ---- */

/* Bytes of a slot that tasks touch, which were checked, and of the elements that a phase adds. */
static uint64_t end_of(const clrs__slot_use *use) {
  return use->bounds.empty ? 0
                           : clrs__bytes_of(use->bounds.highest + 1, use->bits) + CLRS_VECTOR_BYTES;
}

clrs_status clrs__recording_warm_up(const clrs__recording *recording, const clrs__task_list *list,
                                    clrs_error *error) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < list->slot_count; i++) {
    const uint64_t end = end_of(&list->slots[i]);
    bytes = end > bytes ? end : bytes;
  }
  return clrs__commands_warm_up(&recording->commands, bytes, error);
}

/* ---- aiming ---- */

/* The base is a multiple of every unit's bytes that the recording has for the slot. */
static int64_t units_of(int64_t base, uint32_t unit_bits) {
  return unit_bits >= 8 ? base / (unit_bits / 8) : clrs__exact_multiply(base, 8 / unit_bits);
}

static void aim_command(clrs__command *command, const clrs__task_list *list,
                        const clrs__aim *aims) {
  for (uint32_t i = 0; i < command->entrance_count; i++) {
    const clrs__entrance *entrance = &command->entrances[i];
    const clrs__aim *aim = &aims[slot_of(list, entrance->buffer)];
    memcpy(&command->arguments[entrance->buffer_word], &aim->root, sizeof aim->root);
    command->arguments[entrance->start_word] =
        entrance->start + (uint64_t)units_of(aim->base, entrance->unit_bits);
  }
}

void clrs__recording_aim(clrs__recording *recording, const clrs__task_list *list,
                         const clrs__aim *aims) {
  for (size_t i = 0; i < recording->commands.count; i++) {
    aim_command(&recording->commands.list[i], list, aims);
  }
}
