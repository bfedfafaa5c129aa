/*
 * The tasks of a work: passes between tensors and fills. Some tensors are slot tensors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "tensor_move.h"

typedef struct clrs__task {
  clrs__tensor_move move; /* retained, with its own indices; a fill has no source */
  clrs__fill_value value;
  size_t number; /* number of the caller's task that this task is part of */
  size_t stage;  /* a task runs after all tasks of earlier stages */
} clrs__task;

/* The tasks' use of a slot. */
typedef struct clrs__slot_use {
  uint32_t bits; /* bits of an element, or 0 if no task uses the slot */
  bool is_read, is_written;
  clrs_bounds bounds; /* bounds of all elements that tasks touch */
} clrs__slot_use;

/* The tasks' use of a buffer that is no slot. */
typedef struct clrs__buffer_use {
  cl_mem root;
  clrs__common *owner; /* owner of an allocation of the library's, or NULL */
  bool is_written;
  uint64_t begin, end;
} clrs__buffer_use;

typedef struct clrs__task_list {
  size_t given; /* number of the caller's tasks */
  size_t count, capacity;
  clrs__task *tasks; /* in order of stages after clrs__task_list_order */
  uint32_t slot_count;
  clrs__slot_use *slots;
  size_t buffer_count, buffer_capacity;
  clrs__buffer_use *buffers;
} clrs__task_list;

/* Adds a task, or a part of a task, with number `given`. The move must have been checked. `value`
 * is NULL unless the task is a fill. */
clrs_status clrs__task_list_add(clrs__task_list *list, const clrs__tensor_move *move,
                                const clrs__fill_value *value, clrs_error *error);
/* Removes the tasks from index `count` on. */
void clrs__task_list_cut(clrs__task_list *list, size_t count);
void clrs__task_list_destroy(clrs__task_list *list);

/* Collects the tasks' uses of slots and of other buffers. */
clrs_status clrs__task_list_find_uses(clrs__task_list *list, clrs_error *error);
/* Returns the number of the tensor's slot, or slot_count plus the index of the tensor's buffer. */
size_t clrs__task_list_place(const clrs__task_list *list, const clrs_tensor *tensor);

/* Appends "; that is task 3 of 5" to the message. */
void clrs__task_list_name(const clrs__task_list *list, size_t i, clrs_error *error);
