/* SPDX-License-Identifier: Apache-2.0 */
#include "task_list.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "dtype.h"
#include "parts.h"
#include "slot.h"
#include "view.h"

/* ---- tasks ---- */

/* Indices, with room for the element that the indices point to. */
typedef struct kept_indices {
  clrs_indices indices;
  uint8_t element[16];
} kept_indices;

static void retain(const clrs_tensor *tensor) {
  clrs_tensor_retain((clrs_tensor *)(uintptr_t)tensor);
}

static void release(const clrs_tensor *tensor) {
  clrs_tensor_release((clrs_tensor *)(uintptr_t)tensor);
}

static clrs_status keep_indices(const clrs_indices *given, uint32_t bits, const clrs_indices **kept,
                                clrs_error *error) {
  kept_indices *copy;
  *kept = NULL;
  if (given == NULL) {
    return CLRS_OK;
  }
  copy = calloc(1, sizeof *copy);
  CLRS_TRY_MEMORY(copy, error, "no memory for a task");
  copy->indices = *given;
  if (given->element != NULL) {
    memcpy(copy->element, given->element, bits / 8);
    copy->indices.element = copy->element;
  }
  retain(given->tensor);
  retain(given->flag);
  *kept = &copy->indices;
  return CLRS_OK;
}

static void end_indices(const clrs_indices *kept) {
  if (kept != NULL) {
    release(kept->tensor);
    release(kept->flag);
    free((void *)(uintptr_t)kept);
  }
}

static void end_task(const clrs__task *task) {
  release(task->move.source);
  release(task->move.destination);
  end_indices(task->move.indices);
}

clrs_status clrs__task_list_add(clrs__task_list *list, const clrs__tensor_move *move,
                                const clrs__fill_value *value, clrs_error *error) {
  clrs__task *grown =
      clrs__array_grow(list->tasks, list->count, &list->capacity, sizeof *list->tasks);
  CLRS_TRY_MEMORY(grown, error, "no memory for a task");
  list->tasks = grown;
  const uint32_t bits = clrs_dtype_bits(move->destination->view.dtype);
  clrs__task task = {.move = *move, .number = list->given};
  CLRS_TRY(keep_indices(move->indices, bits, &task.move.indices, error));
  if (value != NULL) {
    task.value = *value;
  }
  retain(move->source);
  retain(move->destination);
  grown[list->count++] = task;
  return CLRS_OK;
}

void clrs__task_list_cut(clrs__task_list *list, size_t count) {
  while (list->count > count) {
    end_task(&list->tasks[--list->count]);
  }
}

void clrs__task_list_destroy(clrs__task_list *list) {
  clrs__task_list_cut(list, 0);
  free(list->tasks);
  free(list->slots);
  free(list->buffers);
}

void clrs__task_list_name(const clrs__task_list *list, size_t i, clrs_error *error) {
  clrs__append(error, "; that is task %zu of %zu", list->tasks[i].number, list->given);
}

/* ---- slots ---- */

static clrs_status make_slots(clrs__task_list *list, uint32_t count, clrs_error *error) {
  if (count <= list->slot_count) {
    return CLRS_OK;
  }
  clrs__slot_use *grown = realloc(list->slots, count * sizeof *grown);
  CLRS_TRY_MEMORY(grown, error, "no memory for slots");
  list->slots = grown;
  for (uint32_t i = list->slot_count; i < count; i++) {
    grown[i] = (clrs__slot_use){.bounds = {.empty = true}};
  }
  list->slot_count = count;
  return CLRS_OK;
}

static clrs_status use_slot(clrs__task_list *list, const clrs__touch *touch, clrs_error *error) {
  const clrs_view *view = &touch->tensor->view;
  const uint32_t bits = clrs_dtype_bits(view->dtype), slot = clrs__tensor_slot(touch->tensor);
  CLRS_TRY(make_slots(list, slot + 1, error));
  clrs__slot_use *use = &list->slots[slot];
  if (use->bits != 0 && use->bits != bits) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "slot %u has elements of %u bits here and of %u bits before; an advance "
                      "counts elements of one width",
                      slot, bits, use->bits);
  }
  const clrs_bounds bounds = clrs__touched_bounds(view);
  use->bits = bits;
  use->is_written = use->is_written || touch->is_written;
  use->is_read = use->is_read || !touch->is_written;
  clrs__bounds_widen(&use->bounds, &bounds);
  return CLRS_OK;
}

/* ---- buffers ---- */

static clrs__buffer_use *find_buffer(const clrs__task_list *list, cl_mem root) {
  for (size_t i = list->buffer_count; i-- > 0;) {
    if (list->buffers[i].root == root) {
      return &list->buffers[i];
    }
  }
  return NULL;
}

static clrs_status use_buffer(clrs__task_list *list, const clrs__touch *touch, clrs_error *error) {
  const clrs_operand operand = clrs__tensor_operand(touch->tensor);
  const cl_mem root = touch->tensor->common->buffer.root;
  clrs_footprint bytes;
  CLRS_TRY(clrs__operand_footprint(&operand, touch->name, &bytes, error));
  clrs__buffer_use *use = find_buffer(list, root);
  if (use == NULL) {
    clrs__buffer_use *grown = clrs__array_grow(list->buffers, list->buffer_count,
                                               &list->buffer_capacity, sizeof *list->buffers);
    CLRS_TRY_MEMORY(grown, error, "no memory for buffers");
    list->buffers = grown;
    use = &grown[list->buffer_count++];
    *use = (clrs__buffer_use){.root = root, .begin = bytes.begin, .end = bytes.end};
  }
  clrs__common *origin = clrs__common_origin(touch->tensor->common);
  use->owner = origin->allocation != NULL ? origin : use->owner;
  use->is_written = use->is_written || touch->is_written;
  use->begin = bytes.begin < use->begin ? bytes.begin : use->begin;
  use->end = bytes.end > use->end ? bytes.end : use->end;
  return CLRS_OK;
}

/* ---- both ---- */

static clrs_status use_touches(clrs__task_list *list, const clrs__touches *all, clrs_error *error) {
  for (size_t i = 0; i < all->count; i++) {
    const clrs_tensor *tensor = all->list[i].tensor;
    if (clrs__tensor_is_slot(tensor)) {
      CLRS_TRY(use_slot(list, &all->list[i], error));
    } else if (!clrs__view_is_empty(&tensor->view)) {
      CLRS_TRY(use_buffer(list, &all->list[i], error));
    }
  }
  return CLRS_OK;
}

clrs_status clrs__task_list_find_uses(clrs__task_list *list, clrs_error *error) {
  list->slot_count = 0;
  list->buffer_count = 0;
  for (size_t i = 0; i < list->count; i++) {
    const clrs__touches all = clrs__tensor_move_touches(&list->tasks[i].move);
    const clrs_status status = use_touches(list, &all, error);
    if (status != CLRS_OK) {
      clrs__task_list_name(list, i, error);
      return status;
    }
  }
  return CLRS_OK;
}

size_t clrs__task_list_place(const clrs__task_list *list, const clrs_tensor *tensor) {
  return clrs__tensor_is_slot(tensor)
             ? clrs__tensor_slot(tensor)
             : list->slot_count +
                   (size_t)(find_buffer(list, tensor->common->buffer.root) - list->buffers);
}
