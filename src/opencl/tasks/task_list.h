/*
 * The tasks of a work: passes between tensors, of which some show slots, and fills.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "tensor_move.h"

typedef struct clrs__task {
  clrs__tensor_move move; /* retained, with indices of the task's own; no source: a fill */
  clrs__fill_value value;
  size_t number; /* of the caller's task, of which this is all or a part */
  size_t stage;  /* a task comes after all those of earlier stages */
} clrs__task;

/* What tasks do with a slot. */
typedef struct clrs__slot_use {
  uint32_t bits; /* of an element; 0 if no task uses it */
  bool is_read, is_written;
  clrs_bounds bounds; /* of all the elements that tasks touch */
} clrs__slot_use;

/* What tasks do with a buffer that is no slot. */
typedef struct clrs__buffer_use {
  cl_mem root;
  clrs__common *owner; /* of the bytes that the library got for it; else NULL */
  bool is_written;
  uint64_t begin, end;
} clrs__buffer_use;

typedef struct clrs__task_list {
  size_t given; /* tasks of the caller's */
  size_t count, capacity;
  clrs__task *tasks; /* by stages, once they are ordered */
  uint32_t slot_count;
  clrs__slot_use *slots;
  size_t buffer_count, buffer_capacity;
  clrs__buffer_use *buffers;
} clrs__task_list;

/* Adds a task, or a part of one, with number `given`. The move was checked. `value` is NULL but for
 * a fill. */
clrs_status clrs__task_list_add(clrs__task_list *list, const clrs__tensor_move *move,
                                const clrs__fill_value *value, clrs_error *error);
/* Ends the tasks from this number on. */
void clrs__task_list_cut(clrs__task_list *list, size_t count);
void clrs__task_list_destroy(clrs__task_list *list);

/* What the tasks do with slots, and with other buffers. */
clrs_status clrs__task_list_find_uses(clrs__task_list *list, clrs_error *error);
/* The number of a tensor's slot, or, behind all slots, that of its buffer's use. */
size_t clrs__task_list_place(const clrs__task_list *list, const clrs_tensor *tensor);

/* "; that is task 3 of 5", to the message. */
void clrs__task_list_name(const clrs__task_list *list, size_t i, clrs_error *error);
