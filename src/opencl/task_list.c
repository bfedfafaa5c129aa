/* SPDX-License-Identifier: Apache-2.0 */
#include "task_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "dtype.h"
#include "frame.h"
#include "overlap.h"
#include "pad.h"
#include "parts.h"
#include "step_kind.h"
#include "view.h"

enum { MOST_SLOTS = 1024 };

/* ---- slots ---- */

static void widen(clrs_bounds *all, const clrs_bounds *more) {
  if (more->empty) {
    return;
  }
  if (all->empty) {
    *all = *more;
  }
  all->lowest = more->lowest < all->lowest ? more->lowest : all->lowest;
  all->highest = more->highest > all->highest ? more->highest : all->highest;
}

static clrs_status check_in_slot(const clrs_view *view, uint32_t slot, clrs_error *error) {
  const clrs_operand operand = {view, 0, 1};
  clrs_footprint bytes;
  if (view->dtype == CLRS_STRING) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the elements of slot %u are strings, whose characters a sequence does not "
                      "know",
                      slot);
  }
  return clrs__operand_footprint(&operand, "slot", &bytes, error);
}

static clrs_status use_slot(clrs__task_list *list, const clrs__task_touch *touch,
                            clrs_error *error) {
  const uint32_t bits = clrs_dtype_bits(touch->view->dtype);
  clrs__slot_use *use = &list->slots[touch->slot];
  CLRS_TRY(check_in_slot(touch->view, touch->slot, error));
  if (use->bits != 0 && use->bits != bits) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "slot %u has elements of %u bits here and of %u bits before; an advance "
                      "counts elements of one width",
                      touch->slot, bits, use->bits);
  }
  const clrs_bounds bounds = clrs__touched_bounds(touch->view);
  use->bits = bits;
  use->is_written = use->is_written || touch->is_written;
  use->is_read = use->is_read || !touch->is_written;
  widen(&use->bounds, &bounds);
  return CLRS_OK;
}

static clrs_status check_slot(const clrs__task_list *list, uint32_t slot, clrs_error *error) {
  return slot < list->slot_count ? CLRS_OK
                                 : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                                              "slot %u is not there; the sequence has %u of them",
                                              slot, list->slot_count);
}

/* ---- adding tasks ---- */

/* Its stage is behind those of all that it meets. */
static clrs_status add(clrs__task_list *list, const clrs__task *task, clrs_error *error) {
  clrs__task *grown =
      clrs__array_grow(list->tasks, list->count, &list->capacity, sizeof *list->tasks);
  CLRS_TRY_MEMORY(grown, error, "no memory for a sequence");
  list->tasks = grown;
  clrs__task *added = &grown[list->count];
  *added = *task;
  added->stage = 0;
  for (size_t i = 0; i < list->count; i++) {
    if (grown[i].stage >= added->stage && clrs__tasks_meet(&grown[i], added)) {
      added->stage = grown[i].stage + 1;
    }
  }
  list->count++;
  return CLRS_OK;
}

static clrs_status add_fill(clrs__task_list *list, const clrs__task *pad, const clrs_slice *slices,
                            clrs_error *error) {
  clrs__task fill = *pad;
  fill.fills = true;
  fill.source = pad->destination;
  fill.mapped = NULL;
  CLRS_TRY(clrs_view_slice(&fill.to, fill.to.shape.rank, slices, error));
  return add(list, &fill, error);
}

static clrs_status check_alike(const clrs_view *from, const clrs_view *to, clrs_error *error) {
  if (from->shape.rank != to->shape.rank) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH,
                      "the source has %u dims and the destination %u; a pad changes none",
                      from->shape.rank, to->shape.rank);
  }
  return CLRS_OK;
}

/* The source where it begins, and the element around it. */
static clrs_status add_pad(clrs__task_list *list, const clrs__task *pad, const clrs_task *given,
                           clrs_error *error) {
  clrs__frame frame = {.outer = &pad->to.shape,
                       .inner = &pad->from.shape,
                       .begins = clrs__frame_begins(given->begins)};
  clrs__task inner = *pad;
  CLRS_TRY(check_alike(&pad->from, &pad->to, error));
  CLRS_TRY(clrs__frame_check(frame.outer, frame.inner, frame.begins, error));
  while (clrs__frame_next(&frame)) {
    CLRS_TRY(add_fill(list, pad, frame.slices, error));
  }
  CLRS_TRY(clrs_view_slice(&inner.to, inner.to.shape.rank, frame.slices, error));
  return add(list, &inner, error);
}

/* A copy, which the list frees, or NULL. */
static void *keep(clrs__task_list *list, const void *value, size_t size) {
  void **grown =
      clrs__array_grow(list->kept, list->kept_count, &list->kept_capacity, sizeof *list->kept);
  void *copy = grown != NULL ? malloc(size) : NULL;
  list->kept = grown != NULL ? grown : list->kept;
  if (copy != NULL) {
    list->kept[list->kept_count++] = memcpy(copy, value, size);
  }
  return copy;
}

static clrs_status keep_mapped(clrs__task_list *list, const clrs_mapped *mapped, clrs__task *task,
                               clrs_error *error) {
  task->mapped = keep(list, mapped, sizeof *mapped);
  CLRS_TRY_MEMORY(task->mapped, error, "no memory for a sequence");
  return CLRS_OK;
}

/* What a box shows: of the source, and of each of its map's parameters. */
static clrs_status show_box(clrs__task_list *list, const clrs_pad *pad, size_t box,
                            clrs__task *part, clrs_error *error) {
  CLRS_TRY(clrs_pad_source(pad, box, &part->from, error));
  CLRS_TRY(clrs_pad_place(pad, box, &part->to, error));
  if (part->mapped == NULL) {
    return CLRS_OK;
  }
  clrs_mapped mapped = *part->mapped;
  for (uint32_t i = 0; i < mapped.views.count; i++) {
    CLRS_TRY(clrs_pad_source(pad, box, &mapped.views.views[i], error));
  }
  return keep_mapped(list, &mapped, part, error);
}

/* The source where it begins, and its own elements around it. */
static clrs_status add_padded(clrs__task_list *list, const clrs__task *task, const clrs_task *given,
                              clrs_error *error) {
  const int64_t *begins = clrs__frame_begins(given->begins);
  clrs_pad pad;
  CLRS_TRY(check_alike(&task->from, &task->to, error));
  CLRS_TRY(clrs__frame_check(&task->to.shape, &task->from.shape, begins, error));
  CLRS_TRY(clrs__pad_between(given->mode, &task->from.shape, &task->to.shape, begins, &pad, error));
  for (size_t box = 0; box < pad.box_count; box++) {
    clrs__task part = *task;
    CLRS_TRY(show_box(list, &pad, box, &part, error));
    CLRS_TRY(add(list, &part, error));
  }
  return CLRS_OK;
}

/* ---- what a caller's task says ---- */

static clrs_status check_numbers(const clrs_map *map, clrs_error *error) {
  for (uint32_t i = 0; i < map->step_count && !map->reinterprets; i++) {
    if (clrs__step_asks_for_tensor(&map->steps[i])) {
      return clrs__fail(error, CLRS_UNSUPPORTED,
                        "a parameter of the map is a tensor; a sequence takes numbers");
    }
  }
  return CLRS_OK;
}

/* What keeps every bit is a move, of the type that it has then. */
static clrs_status copy_mapped(clrs__task_list *list, const clrs_mapped *mapped, clrs__task *task,
                               clrs_error *error) {
  CLRS_TRY(clrs_mapped_check(mapped, error));
  clrs__view_copy(&task->from, &mapped->views.source);
  if (clrs_map_keeps_bits(&mapped->map)) {
    task->from.dtype = mapped->dtype;
    return CLRS_OK;
  }
  CLRS_TRY(check_numbers(&mapped->map, error));
  return keep_mapped(list, mapped, task, error);
}

static clrs_status copy_source(clrs__task_list *list, const clrs_task *given, clrs__task *task,
                               clrs_error *error) {
  CLRS_TRY(check_slot(list, given->source, error));
  if (given->mapped != NULL) {
    return copy_mapped(list, given->mapped, task, error);
  }
  CLRS_TRY(clrs__view_check(given->from, error));
  clrs__view_copy(&task->from, given->from);
  return CLRS_OK;
}

static clrs_status check_form(const clrs__task_list *list, const clrs_task *given,
                              clrs_error *error) {
  CLRS_TRY(clrs__require(given->to, "to", error));
  CLRS_TRY(clrs__view_check(given->to, error));
  CLRS_TRY(check_slot(list, given->destination, error));
  if (given->from != NULL && given->mapped != NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the task has both `from` and `mapped`; one of them is the source");
  }
  if (given->from == NULL && given->mapped == NULL && given->element == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the task has neither `from` nor `mapped` nor `element`: nothing to write");
  }
  CLRS_TRY(clrs__pad_mode_check(given->mode, error));
  if (given->mode != CLRS_PAD_CONSTANT && given->element != NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the task has an element, and a mode that pads with those of the source");
  }
  return CLRS_OK;
}

/* ---- by indices ---- */

static clrs_status check_form_of_indices(const clrs__task_list *list, const clrs_task *given,
                                         const clrs_indices *indices, clrs_error *error) {
  if (given->gather != NULL && given->scatter != NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "a task is a gather or a scatter, not both");
  }
  if (indices->tensor != NULL || indices->flag != NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the indices of a task have a tensor; in a sequence these are slots: `by` "
                      "and `raises`");
  }
  if (given->element != NULL || given->begins != NULL || given->mode != CLRS_PAD_CONSTANT) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a gather or a scatter pads nothing: `element`, `begins` and `mode` are for "
                      "others");
  }
  CLRS_TRY(clrs__require(given->by, "by", error));
  CLRS_TRY(clrs__view_check(given->by, error));
  CLRS_TRY(check_slot(list, given->index, error));
  if (given->raises != NULL) {
    CLRS_TRY(clrs__view_check(given->raises, error));
    CLRS_TRY(check_slot(list, given->flag, error));
  }
  return CLRS_OK;
}

static clrs_status add_indices(clrs__task_list *list, const clrs_task *given, clrs__task *task,
                               clrs_error *error) {
  const clrs_indices *indices = given->gather != NULL ? given->gather : given->scatter;
  if (indices == NULL) {
    return CLRS_OK;
  }
  CLRS_TRY(check_form_of_indices(list, given, indices, error));
  clrs__task_indices copy = {.given = *indices,
                             .scatters = given->scatter != NULL,
                             .raises = given->raises != NULL,
                             .index_slot = given->index,
                             .flag_slot = given->flag,
                             .index = *given->by};
  if (copy.raises) {
    copy.flag = *given->raises;
  }
  if (indices->element != NULL) {
    memcpy(copy.element, indices->element, clrs_dtype_bits(given->to->dtype) / 8);
  }
  task->indices = keep(list, &copy, sizeof copy);
  CLRS_TRY_MEMORY(task->indices, error, "no memory for a sequence");
  return CLRS_OK;
}

/* ---- a task ---- */

/* All that a task touches keeps apart, as clrs_enqueue_move wants it. */
static clrs_status use_slots(clrs__task_list *list, const clrs__task *task, clrs_error *error) {
  clrs__task_touch touches[CLRS__TASK_TOUCHES];
  const size_t count = clrs__task_touches(task, touches);
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(use_slot(list, &touches[i], error));
    for (size_t k = 0; k < i; k++) {
      if (clrs__touches_meet(&touches[k], &touches[i])) {
        return clrs__fail(error, CLRS_OVERLAP,
                          "%s and %s share bytes of slot %u; a move needs them apart",
                          touches[k].name, touches[i].name, touches[i].slot);
      }
    }
  }
  return CLRS_OK;
}

static clrs_status add_task(clrs__task_list *list, const clrs_task *given, size_t number,
                            clrs_error *error) {
  clrs__task task;
  CLRS_TRY(check_form(list, given, error));
  memset(&task, 0, sizeof task);
  task.number = number;
  task.destination = task.source = given->destination;
  clrs__view_copy(&task.to, given->to);
  if (given->element != NULL) {
    task.value = clrs__fill_value_of(given->to->dtype, given->element);
  }
  task.fills = given->from == NULL && given->mapped == NULL;
  if (!task.fills) {
    task.source = given->source;
    CLRS_TRY(copy_source(list, given, &task, error));
  }
  CLRS_TRY(add_indices(list, given, &task, error));
  CLRS_TRY(use_slots(list, &task, error));
  return given->mode != CLRS_PAD_CONSTANT        ? add_padded(list, &task, given, error)
         : given->element != NULL && !task.fills ? add_pad(list, &task, given, error)
                                                 : add(list, &task, error);
}

/* ---- the list ---- */

static int compare(const void *a, const void *b) {
  const clrs__task *first = a, *second = b;
  if (first->stage != second->stage) {
    return first->stage < second->stage ? -1 : 1;
  }
  return first->number < second->number ? -1 : first->number > second->number;
}

static clrs_status add_tasks(const clrs_tasks *tasks, clrs__task_list *list, clrs_error *error) {
  for (size_t i = 0; i < tasks->count; i++) {
    const clrs_status status = add_task(list, &tasks->tasks[i], i, error);
    if (status != CLRS_OK) {
      clrs__append(error, "; that is task %zu of %zu", i, tasks->count);
      return status;
    }
  }
  if (list->count > 0) {
    qsort(list->tasks, list->count, sizeof *list->tasks, compare);
  }
  return CLRS_OK;
}

static clrs_status check_counts(const clrs_tasks *tasks, clrs_error *error) {
  if (tasks->slot_count > MOST_SLOTS) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "%u slots are over the limit of %d",
                      tasks->slot_count, MOST_SLOTS);
  }
  if (tasks->count > PTRDIFF_MAX / sizeof(clrs__task)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "there are %zu tasks; no array holds as many",
                      tasks->count);
  }
  return tasks->count > 0 ? clrs__require(tasks->tasks, "tasks->tasks", error) : CLRS_OK;
}

clrs_status clrs__task_list_make(const clrs_tasks *tasks, clrs__task_list *list,
                                 clrs_error *error) {
  CLRS_TRY(check_counts(tasks, error));
  list->slots = calloc(tasks->slot_count + 1u, sizeof *list->slots);
  CLRS_TRY_MEMORY(list->slots, error, "no memory for a sequence");
  list->slot_count = tasks->slot_count;
  list->given = tasks->count;
  for (uint32_t i = 0; i < list->slot_count; i++) {
    list->slots[i].bounds.empty = true;
  }
  return add_tasks(tasks, list, error);
}

void clrs__task_list_destroy(clrs__task_list *list) {
  for (size_t i = 0; i < list->kept_count; i++) {
    free(list->kept[i]);
  }
  free(list->kept);
  free(list->tasks);
  free(list->slots);
}
