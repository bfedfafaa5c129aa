/* SPDX-License-Identifier: Apache-2.0 */
#include "recording.h"

#include <stdlib.h>
#include <string.h>

#include "checked.h"
#include "dtype.h"
#include "tensor_check.h"
#include "warm_up.h"

/* ---- recording ---- */

typedef struct recorder {
  const clrs__task_list *list;
  clrs__recording *recording;
} recorder;

/* A task that is alone in its stage gains nothing from a table. */
static clrs_status record_placed(const recorder *to, size_t i, const clrs__tensor_move *move,
                                 clrs_error *error) {
  const clrs__task *tasks = to->list->tasks;
  clrs__commands *commands = &to->recording->commands;
  const bool is_alone = (i == 0 || tasks[i - 1].stage != tasks[i].stage) &&
                        (i + 1 == to->list->count || tasks[i + 1].stage != tasks[i].stage);
  clrs_plan plan;
  CLRS_TRY(clrs__tensor_move_plan(move, &plan, error));
  const clrs_plan_buffers buffers = clrs__tensor_move_buffers(move);
  commands->value = tasks[i].value;
  return is_alone ? clrs__commands_add(commands, &plan, &buffers, error)
                  : clrs__tables_add(&to->recording->tables, commands, &plan, &buffers, error);
}

/* The tensors of a move, as views from the start of each slot. */
typedef struct placed {
  clrs_tensor *source, *destination, *index, *flag;
  clrs_indices indices;
  clrs__tensor_move move;
} placed;

static clrs_status place_indices(const clrs_indices *given, const clrs__phase *phases, placed *at,
                                 clrs_error *error) {
  at->indices = *given;
  CLRS_TRY(clrs__tensor_at_phases(given->tensor, phases, &at->index, error));
  CLRS_TRY(clrs__tensor_at_phases(given->flag, phases, &at->flag, error));
  at->indices.tensor = at->index;
  at->indices.flag = at->flag;
  return CLRS_OK;
}

static clrs_status place(const clrs__tensor_move *move, const clrs__phase *phases, placed *at,
                         clrs_error *error) {
  CLRS_TRY(clrs__tensor_at_phases(move->source, phases, &at->source, error));
  CLRS_TRY(clrs__tensor_at_phases(move->destination, phases, &at->destination, error));
  at->move = *move;
  at->move.source = at->source;
  at->move.destination = at->destination;
  if (move->indices != NULL) {
    at->move.indices = &at->indices;
    return place_indices(move->indices, phases, at, error);
  }
  return CLRS_OK;
}

static clrs_status record_task(const recorder *to, size_t i, clrs_error *error) {
  placed at = {.source = NULL};
  clrs_status status = place(&to->list->tasks[i].move, to->recording->phases, &at, error);
  if (status == CLRS_OK) {
    status = record_placed(to, i, &at.move, error);
  }
  clrs_tensor_release(at.source);
  clrs_tensor_release(at.destination);
  clrs_tensor_release(at.index);
  clrs_tensor_release(at.flag);
  return status;
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
      clrs__task_list_name(list, i, error);
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
  CLRS_TRY_MEMORY(recording->phases, error, "no memory for a work");
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

/* The most bytes, from the start of any buffer, that a task touches. The bytes behind the start of
 * a slot were checked, and a phase adds less than a vector. */
static uint64_t most_bytes(const clrs__task_list *list) {
  uint64_t most = 0;
  for (size_t i = 0; i < list->count; i++) {
    const clrs__touches all = clrs__tensor_move_touches(&list->tasks[i].move);
    for (size_t k = 0; k < all.count; k++) {
      const uint64_t end = clrs__tensor_end(all.list[k].tensor);
      most = end > most ? end : most;
    }
  }
  return most + CLRS_VECTOR_BYTES;
}

clrs_status clrs__recording_warm_up(const clrs__recording *recording, const clrs__task_list *list,
                                    clrs_error *error) {
  return clrs__commands_warm_up(&recording->commands, most_bytes(list), error);
}

/* ---- aiming ---- */

/* The base is a multiple of every unit size that the recording uses for the slot. */
static int64_t units_of(int64_t base, uint32_t unit_bits) {
  return unit_bits >= 8 ? base / (unit_bits / 8) : clrs__exact_multiply(base, 8 / unit_bits);
}

static void aim_command(clrs__command *command, const clrs__aim *aims) {
  for (uint32_t i = 0; i < command->entrance_count; i++) {
    const clrs__entrance *entrance = &command->entrances[i];
    uint32_t slot;
    if (!clrs__mark_is_slot(entrance->buffer, &slot)) {
      continue;
    }
    const clrs__aim *aim = &aims[slot];
    memcpy(&command->arguments[entrance->buffer_word], &aim->root, sizeof aim->root);
    command->arguments[entrance->start_word] =
        entrance->start + (uint64_t)units_of(aim->base, entrance->unit_bits);
  }
}

void clrs__recording_aim(clrs__recording *recording, const clrs__aim *aims) {
  for (size_t i = 0; i < recording->commands.count; i++) {
    aim_command(&recording->commands.list[i], aims);
  }
}
